//! How stability is judged.

use crate::association::Screening;
use crate::data::Dataset;
use crate::error::Error;
use crate::folds;
use crate::forest::{ForestConfig, Keep, Sampling};
use crate::measure::{Measure, MeasureId, MeasureSettings};
use crate::memory::Size;
use crate::run::Threads;
use crate::selection::forest::check_measure;
use crate::words::there_are;
use crate::{message, setting};

/// The bound is of no use with fewer pairs.
const FEWEST_PAIRS: usize = 5;

/// More pairs than this are a mistake.
const MOST_PAIRS: usize = 100_000;

/// Forests of halves have such a part of the trees, unless their number is given.
const PART_OF_TREES: usize = 10;

/// And at least so many.
const FEWEST_TREES: usize = 50;

/// So many variables of every half, as in the authors' program.
const PRESELECTED: usize = 200;

/// With fewer variables, the bound is too large for any of them to be selected.
const FEWEST_PRESELECTED: usize = 5;

/// How agreement of halves is weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Power {
    /// (2 x - 1)^2 of the share x of halves that select a variable.
    Squared,
    /// (2 x - 1)^3: more variables are selected at the same bound.
    Cubed,
}

impl Power {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Squared, Self::Cubed];

    /// The number users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::Squared => "2",
            Self::Cubed => "3",
        }
    }

    pub(super) fn exponent(self) -> i32 {
        match self {
            Self::Squared => 2,
            Self::Cubed => 3,
        }
    }
}

/// How stability is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct IpssConfig {
    /// How forests are grown; the seed determines the halves, too.
    pub forest: ForestConfig,
    /// Trees of a forest on half of the rows; `None` for a tenth of those of `forest`, and at least
    /// 50.
    pub subsample_trees: Option<usize>,
    /// What variables are selected by.
    pub measure: Measure,
    /// How often the rows are halved, B.
    pub pairs: usize,
    /// The transformation of stability paths, `h_m`.
    pub power: Power,
    /// Variables of which a forest is grown: those that depend most on the target in its half of the
    /// rows, and which alone have an importance there; `None` for all of them.
    pub preselect: Option<usize>,
}

impl IpssConfig {
    /// As the paper for random forests, but for [the measure](Self::usual_measure): 50 pairs of halves,
    /// and m = 3; 200 variables of every half.
    ///
    /// # Errors
    /// None: the measure offers what it is asked.
    pub fn new(forest: ForestConfig) -> Result<Self, Error> {
        let measure = Self::usual_measure(&forest)?;
        Ok(Self {
            forest,
            subsample_trees: None,
            measure,
            pairs: 50,
            power: Power::Cubed,
            preselect: Some(PRESELECTED),
        })
    }

    /// The mean decrease in impurity of out-of-bag rows, or its difference to that of permuted copies
    /// where no tree leaves rows out. That of training rows, which the paper takes, is larger
    /// the more values, levels or columns an irrelevant variable has, in all halves alike, so that
    /// the bound does not hold for variables of several kinds.
    ///
    /// # Errors
    /// None: the measure offers what it is asked.
    pub fn usual_measure(forest: &ForestConfig) -> Result<Measure, Error> {
        let settings = MeasureSettings { seed: forest.seed, ..MeasureSettings::default() };
        let id = match forest.sampling {
            Sampling::All => MeasureId::Air,
            _ => MeasureId::MdiOob,
        };
        Measure::new(id, settings)
    }

    /// Checks the ranges that do not depend on the data.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range, and [`Error::Measure`] for a measure that
    /// needs more than the rows to grow on.
    pub fn validate(&self) -> Result<(), Error> {
        self.forest.validate()?;
        if !(FEWEST_PAIRS..=MOST_PAIRS).contains(&self.pairs) {
            return Err(Error::bad_setting(
                setting::PAIRS,
                message!(setting::PAIRS.name(), " is ", self.pairs),
                format!("give at least {FEWEST_PAIRS}, and at most {MOST_PAIRS}; 50 are usual"),
            ));
        }
        if self.subsample_trees == Some(0) {
            return Err(Error::bad_setting(
                setting::SUBSAMPLE_TREES,
                message!(setting::SUBSAMPLE_TREES.name(), " is 0"),
                "give a whole number of 1 or more",
            ));
        }
        if let Some(few) = self.preselect.filter(|&most| most < FEWEST_PRESELECTED) {
            return Err(Error::bad_setting(
                setting::PRESELECT,
                message!(setting::PRESELECT.name(), " is ", few),
                format!("give a whole number of at least {FEWEST_PRESELECTED}; 200 is usual"),
            ));
        }
        check_measure(&self.measure, "every forest here has training rows only")
    }

    /// Checks that the settings fit the data.
    ///
    /// # Errors
    /// [`Error::Setting`] and [`Error::Data`] when they do not.
    pub fn check(&self, data: &Dataset) -> Result<(), Error> {
        self.validate()?;
        self.forest.resolve(data)?;
        let n_units = folds::n_units(data);
        if n_units < 4 {
            let unit = if data.clusters().is_some() { "cluster" } else { "row" };
            return Err(Error::data(
                format!("{}, too few to be halved", there_are(n_units, unit)),
                format!("give at least 4 {unit}s"),
            ));
        }
        Ok(())
    }

    /// Trees of a forest on half of the rows.
    pub fn n_trees(&self) -> usize {
        let all = self.forest.n_trees;
        self.subsample_trees.unwrap_or((all / PART_OF_TREES).max(FEWEST_TREES).min(all))
    }

    /// How many variables of every half are kept; `None` where all are.
    pub(super) fn preselected(&self, data: &Dataset) -> Option<usize> {
        self.preselect.filter(|&most| most < data.groups().n_groups())
    }

    /// The variables with most columns and levels, as many as are kept.
    fn largest_kept(&self, data: &Dataset) -> Dataset {
        let mut kept = data.clone();
        let Some(most) = self.preselected(data) else { return kept };
        let columns = data.features().columns();
        let mut variables: Vec<(usize, u64, usize)> = (0_usize..)
            .zip(data.groups().members())
            .map(|(variable, members)| {
                let n_levels = |&column: &u32| u64::from(columns[column as usize].n_levels());
                (members.len(), members.iter().map(n_levels).sum(), variable)
            })
            .collect();
        variables.sort_unstable_by(|a, b| b.cmp(a));
        let mut is_kept = vec![false; variables.len()];
        variables.iter().take(most).for_each(|&(.., variable)| is_kept[variable] = true);
        kept.keep_groups(&is_kept);
        kept
    }

    /// Bytes held at the same time; an upper estimate. Every thread has a half of its own.
    ///
    /// # Errors
    /// As [`super::ipss`] for settings that do not fit the data.
    pub fn size(&self, data: &Dataset, threads: Threads) -> Result<Size, Error> {
        self.check(data)?;
        let measures = std::slice::from_ref(&self.measure);
        let forest = ForestConfig { n_trees: self.n_trees(), ..self.forest.clone() };
        // All rows are an upper bound of half of them, with the copy of that half.
        let kept = self.largest_kept(data);
        let one = Size::of_growing(&kept, &forest, measures, Keep::Nothing, Threads::ONE)?;
        let at_once = threads.get().min(2 * self.pairs) as u64;
        let found = 8 * (2 * self.pairs as u64).saturating_mul(data.groups().n_groups() as u64);
        let screening = self.preselected(data).map_or(0, |_| Screening::bytes(data));
        let times = |part: u64| part.saturating_mul(at_once);
        Ok(Size {
            ranks: times(one.ranks),
            working: times(one.working),
            out_of_bag: times(one.out_of_bag),
            altered: times(one.altered),
            per_tree: times(one.per_tree).saturating_add(found).saturating_add(screening),
            trees: times(one.trees),
            ..one
        })
    }
}
