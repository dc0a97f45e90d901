//! The result of a global measure.

mod frame;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

pub use crate::document::{FORMAT, VERSION};
use crate::measure::MeasureId;

/// Which rows a measure looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataUsed {
    /// The training rows: in bag where trees are looked at one by one.
    Training,
    /// The training rows of each tree that it was not grown on.
    OutOfBag,
    /// Rows that the forest never saw.
    Test,
}

impl DataUsed {
    /// The rows in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Training => "training rows",
            Self::OutOfBag => "out-of-bag rows of each tree",
            Self::Test => "test rows",
        }
    }

    /// The word of the JSON output.
    pub fn id(self) -> &'static str {
        match self {
            Self::Training => "training",
            Self::OutOfBag => "out_of_bag",
            Self::Test => "test",
        }
    }
}

/// Classes by name, with one value per variable.
pub type ClassValues = Vec<(String, Vec<Option<f64>>)>;

/// Importances of all input variables by one measure.
///
/// As JSON it is an object with these names, which the command line writes and `wald.load` of the
/// Python package reads ([`FORMAT`], [`VERSION`]); numbers that are not finite are null there.
///
/// ```
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let found = wald::fit(data, &config, &Run::all())?.importance("mdi".parse()?, &Run::all())?;
/// assert_eq!(found.names[0], "x1");
/// assert!(found.values[0].is_some_and(|value| value > 0.0));
/// assert_eq!(found.unit, "variance of the target");
/// assert_eq!(found.per_tree.len(), 10); // the values of every tree, of which these are the mean
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Importance {
    /// Identifier of the measure, for example `mdi`.
    #[serde(rename = "measure")]
    pub id: &'static str,
    /// Which rows were looked at.
    pub data: DataUsed,
    /// Identifier of the loss, where the measure has one.
    pub loss: Option<&'static str>,
    /// Unit of the values, in words.
    pub unit: String,
    /// What the values are of: variables, or groups of them, in the order of the data set.
    pub names: Vec<String>,
    /// True when small values mean important.
    pub small_is_important: bool,
    /// What standard errors are taken over, in words.
    pub errors_over: &'static str,
    /// One value per variable, in the order of the data set; `None` where undefined.
    pub values: Vec<Option<f64>>,
    /// Monte-Carlo standard errors, over `errors_over`.
    pub standard_errors: Option<Vec<Option<f64>>>,
    /// Standard errors of trees and of the rows in the table together, for measures that separate these
    /// from one forest: how far values may be from those of infinitely many trees and other rows, or
    /// clusters of rows, of the same population.
    #[serde(skip)]
    pub total_errors: Option<Vec<Option<f64>>>,
    /// What values are too large by because the forest hides variables that could take the place of others
    /// (masking), where that was seen.
    #[serde(skip)]
    pub excesses: Option<Vec<Option<f64>>>,
    /// p-values of the hypothesis that a variable is irrelevant, where the measure has them.
    pub p_values: Option<Vec<Option<f64>>>,
    /// Values per class (class name, one value per variable), where the measure has them.
    #[serde(serialize_with = "as_object")]
    pub per_class: Option<ClassValues>,
    /// Values by degree of interaction, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_degree: Option<Degrees>,
    /// Second-order Sobol indices, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_order: Option<Pairs>,
    /// One row per tree that counted, one value per variable, in the unit of the values, which are their means (of
    /// `split_count` their sums); empty where values are neither, and where they are undefined.
    #[serde(skip)]
    pub per_tree: Vec<Vec<f64>>,
    /// One row per random permutation, one value per variable, divided by what the values are
    /// divided by; empty for exact expectations and where values are undefined.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<Vec<f64>>,
    /// The settings that shaped the values.
    pub settings: BTreeMap<&'static str, String>,
    /// What the reader must know about these values: rows left out, trees without them.
    pub notes: Vec<String>,
    /// Those of the notes that are on `p_values`, which do not apply where these are not shown.
    #[serde(skip)]
    pub notes_on_p_values: Vec<String>,
}

/// Importances taken apart by degree of interaction: what a variable adds at splits above which so
/// many other variables are used, 0 at the root (Louppe et al. 2013, Eq. 3).
///
/// ```
/// use wald::measure::MeasureSettings;
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Measure, MeasureId, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let settings = MeasureSettings { by_degree: true, ..MeasureSettings::default() };
/// let measure = Measure::new(MeasureId::Mdi, settings)?;
/// let found = wald::fit(data, &config, &Run::all())?.importance(measure, &Run::all())?;
/// let degrees = &found.by_degree.expect("requested").values;
/// let sum: f64 = degrees[0].iter().sum(); // of x1: alone, below one other variable, below two, ...
/// assert!((sum - found.values[0].unwrap()).abs() < 1e-9);
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Degrees {
    /// `[variable][degree]`, up to the highest degree of the forest; over degrees they sum to the
    /// values of the variables.
    pub values: Vec<Vec<f64>>,
    /// Monte-Carlo standard errors over trees, of the same shape; `None` with fewer than two trees.
    pub standard_errors: Option<Vec<Vec<f64>>>,
}

/// Values of pairs of variables, `[one][other]`, the same in both orders; `None` of a variable with
/// itself and where undefined.
///
/// ```
/// use wald::measure::MeasureSettings;
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Measure, MeasureId, Run};
///
/// let data = Friedman1::default().draw(300, 1)?;
/// let config = ForestConfig { n_trees: 20, ..ForestConfig::default() };
/// let settings = MeasureSettings { second_order: true, ..MeasureSettings::default() };
/// let measure = Measure::new(MeasureId::SobolFirst, settings)?;
/// let found = wald::fit(data, &config, &Run::all())?.importance(measure, &Run::all())?;
/// let pairs = found.second_order.expect("requested");
/// assert!(pairs.values[0][1] > pairs.values[0][3]); // x1 interacts with x2, not with x4
/// assert_eq!(pairs.values[0][0], None);
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pairs {
    /// The values.
    pub values: Vec<Vec<Option<f64>>>,
    /// Monte-Carlo standard errors over trees; `None` with fewer than two trees.
    pub standard_errors: Option<Vec<Vec<Option<f64>>>>,
}

impl Pairs {
    /// All pairs once, the first variable before the second, those with the largest absolute values first
    /// and undefined ones last.
    pub fn order(&self) -> Vec<(usize, usize)> {
        let n = self.values.len();
        let mut pairs: Vec<(usize, usize)> =
            (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other))).collect();
        let key = |&(one, other): &(usize, usize)| {
            self.values[one][other].map_or(f64::INFINITY, |value| -value.abs())
        };
        pairs.sort_by(|one, other| key(one).total_cmp(&key(other)));
        pairs
    }
}

/// Classes as keys, in their order.
#[expect(clippy::ref_option, reason = "serde passes the field")]
fn as_object<S: Serializer>(
    classes: &Option<ClassValues>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match classes {
        Some(classes) => {
            serializer.collect_map(classes.iter().map(|(class, values)| (class, values)))
        }
        None => serializer.serialize_none(),
    }
}

/// A variable among others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedVariable<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its importance; `None` where undefined.
    pub value: Option<f64>,
    /// The standard error of the importance, where there is one.
    pub error: Option<f64>,
}

impl Importance {
    /// Variables by decreasing importance, as positions in the order of the data set; ties by
    /// position, undefined values last.
    ///
    /// ```
    /// use wald::MeasureId;
    ///
    /// let mut found = MeasureId::Mdi.info().importance();
    /// found.values = vec![Some(0.2), None, Some(0.7)];
    /// assert_eq!(found.order(), [2, 0, 1]);
    ///
    /// found.small_is_important = true; // as of minimal depth
    /// assert_eq!(found.order(), [0, 2, 1]);
    /// ```
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        let key = |index: usize| match self.values[index] {
            Some(value) if self.small_is_important => value,
            Some(value) => -value,
            None => f64::INFINITY,
        };
        order.sort_by(|&a, &b| key(a).total_cmp(&key(b)));
        order
    }

    /// Variables by decreasing importance.
    ///
    /// ```
    /// use wald::MeasureId;
    ///
    /// let mut found = MeasureId::Mdi.info().importance();
    /// found.names = vec!["age".to_owned(), "sex".to_owned()];
    /// found.values = vec![Some(0.2), Some(0.7)];
    /// let first = found.ranking().next().expect("two variables");
    /// assert_eq!((first.name, first.value, first.error), ("sex", Some(0.7), None));
    /// ```
    pub fn ranking(&self) -> impl Iterator<Item = RankedVariable<'_>> {
        self.order().into_iter().map(|index| RankedVariable {
            name: self.name(index),
            value: self.values[index],
            error: self.error(index),
        })
    }

    /// What the reader must know where the values are shown without `p_values`.
    ///
    /// ```
    /// use wald::MeasureId;
    ///
    /// let mut found = MeasureId::Air.info().importance();
    /// found.notes = vec!["5 rows are left out".to_owned(), "few p-values".to_owned()];
    /// found.notes_on_p_values = vec!["few p-values".to_owned()];
    /// assert_eq!(found.notes_on_values().collect::<Vec<_>>(), ["5 rows are left out"]);
    /// ```
    pub fn notes_on_values(&self) -> impl Iterator<Item = &String> {
        self.notes.iter().filter(|note| !self.notes_on_p_values.contains(note))
    }

    pub(crate) fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("", String::as_str)
    }

    pub(crate) fn error(&self, index: usize) -> Option<f64> {
        self.standard_errors.as_ref()?[index]
    }

    /// The standard errors, where they are those of a finite number of trees, permutations or other
    /// random draws: not of measures whose errors are those of the rows in the table.
    pub fn monte_carlo_errors(&self) -> Option<&[Option<f64>]> {
        let measure = MeasureId::parse(self.id)?;
        self.standard_errors.as_deref().filter(|_| measure.info().has_monte_carlo_errors())
    }

    pub(crate) fn monte_carlo_error(&self, index: usize) -> Option<f64> {
        self.monte_carlo_errors()?[index]
    }

    /// The standard errors, where they are those of a finite number of trees.
    pub fn errors_of_trees(&self) -> Option<&[Option<f64>]> {
        let measure = MeasureId::parse(self.id)?;
        self.standard_errors.as_deref().filter(|_| measure.info().has_errors_of_trees())
    }
}
