//! Checked collections of columns.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::data::column::{Column, ColumnData};
use crate::data::features::Features;
use crate::data::groups::Groups;
use crate::data::outputs::Outputs;
use crate::data::target::{Response, Target};
use crate::error::Error;
use crate::frame::Frame;
use crate::random::Stream;

/// Sums of larger weights, and digits of smaller ones, would be lost.
const LARGEST_WEIGHTS: std::ops::RangeInclusive<f64> = 1e-290..=1e290;

/// Input variables, a target, and how rows count.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    features: Features,
    target: Target,
    weights: Option<Vec<f64>>,
    clusters: Option<Vec<u32>>,
    groups: Groups,
}

impl Dataset {
    /// A data set whose rows all count once.
    ///
    /// ```
    /// use wald::Dataset;
    /// use wald::data::{Column, Target};
    ///
    /// let columns = vec![
    ///     Column::numeric("rooms", vec![3.0, 4.0, 2.0])?,
    ///     Column::categorical("town", vec!["Bonn".to_owned(), "Ulm".to_owned()], vec![0, 0, 1])?,
    /// ];
    /// let data = Dataset::new(columns, Target::regression("rent", vec![900.0, 1100.0, 600.0])?)?;
    /// assert_eq!((data.n_rows(), data.n_features()), (3, 2));
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Features::new`], and when the target has another number of rows or shares a name.
    pub fn new(columns: Vec<Column>, target: Target) -> Result<Self, Error> {
        let features = Features::new(columns)?;
        if target.len() != features.n_rows() {
            return Err(Error::column_data(
                target.name(),
                format!("the target has {} rows, not {}", target.len(), features.n_rows()),
                "give the target as many rows as the columns",
            ));
        }
        let outputs = target.outputs().map_or(&[][..], Outputs::names).iter().map(String::as_str);
        let mut names = std::iter::once(target.name()).chain(outputs);
        if let Some(name) = names.find(|name| features.column(name).is_some()) {
            return Err(Error::column_data(
                name,
                format!("the target \"{name}\" is also an input variable"),
                "leave the target out of the input variables",
            ));
        }
        let groups = Groups::singles(&features);
        Ok(Self { features, target, weights: None, clusters: None, groups })
    }

    /// Adds case weights: they multiply impurity, leaf values and losses.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    ///
    /// let weights = (0..60).map(|row| if row < 30 { 1.0 } else { 0.5 }).collect();
    /// let data = Friedman1::default().draw(60, 1)?.with_weights(weights)?;
    /// assert_eq!(data.weights().map(|weights| weights[59]), Some(0.5));
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when a weight is negative or not finite, when none is positive, when the
    /// largest is out of the range of sums, or when their number is not the number of rows.
    pub fn with_weights(mut self, weights: Vec<f64>) -> Result<Self, Error> {
        if weights.len() != self.n_rows() {
            return Err(Error::data(
                format!("there are {} weights for {} rows", weights.len(), self.n_rows()),
                "give one weight per row",
            ));
        }
        if let Some(row) = weights.iter().position(|w| !w.is_finite() || *w < 0.0) {
            return Err(Error::data(
                format!("the weight of row {} is {}", row + 1, weights[row]),
                "weights are finite numbers, zero or larger",
            ));
        }
        let largest = weights.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return Err(Error::data("all weights are zero", "give at least one positive weight"));
        }
        if !LARGEST_WEIGHTS.contains(&largest) {
            return Err(Error::data(
                format!("the largest weight is {largest:e}: sums of such weights lose all digits"),
                "multiply all weights by one power of ten; only their ratios count",
            ));
        }
        self.weights = Some(weights);
        Ok(self)
    }

    /// Adds clusters: rows of one cluster stay together in bag and out of bag.
    ///
    /// For example, several visits of each patient:
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let patients = (0..60).map(|row| row / 3).collect();
    /// let data = Friedman1::default().draw(60, 1)?.with_clusters(patients)?;
    /// let config = ForestConfig { n_trees: 1, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let bag = forest.bags().expect("wald knows the bags of its trees")[0].counts();
    /// // All visits of a patient are drawn equally often.
    /// assert!(bag.chunks(3).all(|visits| visits.iter().all(|count| *count == visits[0])));
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when their number is not the number of rows.
    pub fn with_clusters(mut self, clusters: Vec<u32>) -> Result<Self, Error> {
        if clusters.len() != self.n_rows() {
            return Err(Error::data(
                format!("there are {} cluster codes for {} rows", clusters.len(), self.n_rows()),
                "give one cluster code per row",
            ));
        }
        self.clusters = Some(clusters);
        Ok(self)
    }

    /// Adds groups of columns that importances treat as one variable, each by its name and the
    /// names of its columns. They change no forest.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{ForestConfig, Run};
    ///
    /// let group = ("product".to_owned(), vec!["x1".to_owned(), "x2".to_owned()]);
    /// let data = Friedman1::default().draw(60, 1)?.with_groups(&[group])?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let found = wald::fit(data, &config, &Run::all())?.importance("mdi".parse()?, &Run::all())?;
    /// assert_eq!(found.names[..2], ["product", "x3"]);
    /// assert_eq!(found.values.len(), 9); // one for the group, eight for single columns
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Groups::new`].
    pub fn with_groups(mut self, groups: &[(String, Vec<String>)]) -> Result<Self, Error> {
        self.groups = Groups::new(&self.features, groups)?;
        Ok(self)
    }

    /// The rows named by `rows`, in that order, with their weights and clusters.
    ///
    /// For example, to hold out rows for testing:
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let training = data.select(&(0..40).collect::<Vec<_>>())?;
    /// let test = data.select(&(40..60).collect::<Vec<_>>())?;
    /// assert_eq!((training.n_rows(), test.n_rows()), (40, 20));
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when there are no rows, or none of positive weight.
    pub fn select(&self, rows: &[u32]) -> Result<Self, Error> {
        let columns = self.features.columns.iter().map(|column| column.select(rows)).collect();
        let data = Self {
            features: Features::new(columns)?,
            target: self.target.select(rows),
            weights: None,
            clusters: self.clusters.as_ref().map(|all| selected(all, rows)),
            groups: self.groups.clone(),
        };
        match &self.weights {
            Some(weights) => data.with_weights(selected(weights, rows)),
            None => Ok(data),
        }
    }

    /// Another table of the same rows, with their weights and clusters.
    ///
    /// # Errors
    /// As [`Dataset::new`].
    pub(crate) fn with_content(self, columns: Vec<Column>, target: Target) -> Result<Self, Error> {
        let data = Self::new(columns, target)?;
        Ok(Self { weights: self.weights, clusters: self.clusters, ..data })
    }

    /// Gives every row the target and the weight of another row of `data`, which has the same
    /// columns; `rows` names one for each.
    pub(crate) fn respond_as(&mut self, data: &Self, rows: &[u32]) {
        self.target = data.target.select(rows);
        self.weights = data.weights.as_ref().map(|weights| selected(weights, rows));
    }

    /// Leaves the groups of columns out that are not kept; at least one is. Nothing is copied.
    pub(crate) fn keep_groups(&mut self, is_kept: &[bool]) {
        let mut groups = self.groups.of_column().iter();
        self.features.columns.retain(|_| groups.next().is_some_and(|&g| is_kept[g as usize]));
        self.groups = self.groups.kept(is_kept);
    }

    /// What importances are given for.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The input variables.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The target.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Case weights, where rows do not all count once.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The rows of positive weight: all without case weights. Cost O(n).
    pub fn rows_of_positive_weight(&self) -> Vec<u32> {
        let weighs = |row: &u32| self.weights().is_none_or(|weights| weights[*row as usize] > 0.0);
        (0..self.n_rows() as u32).filter(weighs).collect()
    }

    /// The clusters of rows of positive weight; `None` where rows are in no clusters. Cost O(n log n).
    pub fn n_clusters(&self) -> Option<usize> {
        let clusters = self.clusters()?;
        let rows = self.rows_of_positive_weight().into_iter();
        Some(rows.map(|row| clusters[row as usize]).collect::<BTreeSet<u32>>().len())
    }

    /// The same without the rows of weight zero; no copy where there are none.
    ///
    /// # Errors
    /// None: some weights are positive.
    pub fn of_positive_weight(&self) -> Result<Cow<'_, Self>, Error> {
        let rows = self.rows_of_positive_weight();
        if rows.len() == self.n_rows() {
            return Ok(Cow::Borrowed(self));
        }
        self.select(&rows).map(Cow::Owned)
    }

    /// A random order of the rows, as by row the one that takes its place: those of positive weight
    /// change places, so that the others remain without any effect.
    pub(crate) fn shuffled_rows(&self, stream: &mut Stream) -> Vec<u32> {
        let mut shuffled = self.rows_of_positive_weight();
        let mut rows: Vec<u32> = (0..self.n_rows() as u32).collect();
        let places = shuffled.clone();
        stream.shuffle(&mut shuffled);
        places.into_iter().zip(shuffled).for_each(|(place, row)| rows[place as usize] = row);
        rows
    }

    /// The standard error of a weighted mean by what independent rows add to it, or independent clusters, and
    /// the number of these that would be as informative with equal weights: (sum of shares)^2 / sum of
    /// squared shares. `shares` are those of the rows in the weight that the mean is over. It is that of the
    /// jackknife, which leaves each unit out: a unit that dominates the mean hardly differs from it, but the
    /// mean of the others does.
    pub(crate) fn error_of_mean(&self, influences: &[f64], shares: &[f64]) -> (f64, f64) {
        let mut units: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for row in (0..self.n_rows() as u32).filter(|&row| shares[row as usize] > 0.0) {
            let unit = self.clusters().map_or(row, |clusters| clusters[row as usize]);
            let (sum, share) = units.entry(unit).or_default();
            *sum += influences[row as usize];
            *share += shares[row as usize];
        }
        let n = units.len() as f64;
        let without = |(sum, share): &(f64, f64)| sum / (1.0 - share).max(f64::EPSILON);
        let squares: f64 = units.values().map(|unit| without(unit).powi(2)).sum();
        let whole: f64 = units.values().map(|unit| unit.1).sum();
        let alike = whole.powi(2) / units.values().map(|unit| unit.1.powi(2)).sum::<f64>();
        ((squares * (n - 1.0).max(1.0) / n).sqrt(), alike)
    }

    /// Cluster codes, where rows belong together.
    pub fn clusters(&self) -> Option<&[u32]> {
        self.clusters.as_deref()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.features.n_rows()
    }

    /// Number of input variables.
    pub fn n_features(&self) -> usize {
        self.features.n_columns()
    }

    /// True when forests grown on the two have equal bits: all cells and names are equal, missing
    /// ones too. Cost O(cells).
    pub fn is_same(&self, other: &Self) -> bool {
        let columns = (self.features.columns(), other.features.columns());
        columns.0.len() == columns.1.len()
            && columns.0.iter().zip(columns.1).all(|(one, other)| one.is_same(other))
            && self.target == other.target
            && self.weights == other.weights
            && self.clusters == other.clusters
            && self.groups == other.groups
    }

    /// The input variables and the target as a table, under their names.
    pub fn frame(&self) -> Frame {
        let number = |value: &f64| Some(*value).filter(|value| !value.is_nan());
        let columns = self.features.columns().iter();
        let inputs = columns.fold(Frame::default(), |frame, column| match column.data() {
            ColumnData::Numeric(values) => {
                frame.with_numbers(column.name(), values.iter().map(number))
            }
            ColumnData::Categorical(categories) => {
                frame.with_levels(column.name(), categories.texts())
            }
        });
        match self.target.response() {
            Response::Regression(values) => {
                inputs.with_numbers(self.target.name(), values.iter().map(number))
            }
            Response::Classification(classes) => {
                inputs.with_levels(self.target.name(), classes.texts())
            }
            Response::Several(outputs) => (0..outputs.n_outputs()).fold(inputs, |frame, output| {
                frame.with_numbers(&outputs.names()[output], outputs.output(output).map(Some))
            }),
        }
    }
}

fn selected<T: Copy>(values: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| values[row as usize]).collect()
}
