//! The values at which curves are evaluated.

use crate::data::{Column, ColumnData};
use crate::error::Error;
use crate::forest::{FeatureInfo, FeatureKind, Forest, Rule};
use crate::message;
use crate::options::{OptionValue, Setting, ValueKind};
use crate::setting;

/// More values than this are a mistake.
const MOST_VALUES: usize = 100_000;

/// How many values of a variable are evaluated; for categorical ones all, unless stated otherwise.
///
/// ```
/// use wald::explain::{GridSize, Rows, Shape};
/// use wald::simulate::Friedman1;
/// use wald::{ExplanationId, ExplanationSettings, ForestConfig, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let fitted = wald::fit(data, &config, &Run::all())?;
/// let settings = ExplanationSettings {
///     variables: vec!["x4".to_owned()],
///     grid: GridSize::AtMost(5),
///     ..ExplanationSettings::default()
/// };
/// let curve = fitted.explainer(Rows::Training, ExplanationId::Pdp, &settings)?;
/// let Shape::Curves(grids) = &curve.layout().shape else { panic!("dependence is a curve") };
/// assert_eq!((grids.len(), grids[0].len()), (1, 5));
/// curve.run(&Run::all(), |_, predictions| {
///     assert!(predictions[0] < predictions[4]); // y grows with x4
/// })?;
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GridSize {
    /// One in every interval in which no split of the forest separates values: the curves in
    /// full.
    #[default]
    Exact,
    /// At most so many: the distinct values of the training data, or quantiles of them, smallest
    /// and largest included.
    AtMost(usize),
    /// The same, and of levels the most frequent ones of the training data, in their order.
    Few(usize),
}

impl Setting for GridSize {
    fn kind() -> ValueKind {
        ValueKind::WholeOr("exact")
    }

    fn of(value: OptionValue) -> Option<Self> {
        match value {
            OptionValue::Whole(most) => most.try_into().ok().map(Self::AtMost),
            OptionValue::Word(word) => (word == "exact").then_some(Self::Exact),
            _ => None,
        }
    }
}

/// The values of one variable at which curves are evaluated.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Grid {
    /// The variable, as a position in the forest's list of variables.
    pub feature: usize,
    /// The values, in order.
    pub values: GridValues,
    /// True when a missing value follows after them.
    pub has_missing: bool,
}

/// The values of a [`Grid`].
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GridValues {
    /// Numbers, increasing. In exact grids these are the forest's thresholds and a larger number:
    /// the result for a number holds for all down to the one before it, which is not among them,
    /// and the result for the last one for all larger ones. Where a forest rounds its inputs to
    /// single precision, the largest numbers that it does not round above its thresholds.
    Numbers(Vec<f64>),
    /// The levels that the forest knows, or the most frequent ones.
    Levels(Vec<String>),
}

impl GridSize {
    pub(super) fn check(self) -> Result<(), Error> {
        match self {
            Self::AtMost(size) | Self::Few(size) if size == 0 || size > MOST_VALUES => {
                Err(Error::bad_setting(
                    setting::GRID,
                    format!("a grid of {size} values was requested"),
                    message!(
                        "give ",
                        setting::GRID.word("exact"),
                        ", or a number between 1 and ",
                        MOST_VALUES
                    ),
                ))
            }
            Self::Exact | Self::AtMost(_) | Self::Few(_) => Ok(()),
        }
    }

    /// The most levels that are looked at.
    fn most_levels(self) -> usize {
        match self {
            Self::Exact | Self::AtMost(_) => usize::MAX,
            Self::Few(size) => size,
        }
    }
}

impl Grid {
    /// Number of values, the missing one included.
    pub fn len(&self) -> usize {
        let n_values = match &self.values {
            GridValues::Numbers(numbers) => numbers.len(),
            GridValues::Levels(levels) => levels.len(),
        };
        n_values + usize::from(self.has_missing)
    }

    /// True when there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The grid of one variable; `column` holds its training values, in the codes of the forest.
    pub(super) fn new(
        feature: usize,
        info: &FeatureInfo,
        column: &Column,
        size: GridSize,
        numbers: impl FnOnce(&[f64]) -> Vec<f64>,
    ) -> Self {
        let values = match (&info.kind, column.data()) {
            (FeatureKind::Categorical { levels }, ColumnData::Categorical(known))
                if levels.len() > size.most_levels() =>
            {
                GridValues::Levels(frequent(levels, known.codes(), size.most_levels()))
            }
            (FeatureKind::Categorical { levels }, _) => GridValues::Levels(levels.clone()),
            (FeatureKind::Numeric, ColumnData::Numeric(values)) => {
                GridValues::Numbers(numbers(values))
            }
            (FeatureKind::Numeric, ColumnData::Categorical(_)) => GridValues::Numbers(Vec::new()),
        };
        Self { feature, values, has_missing: column.n_missing() > 0 }
    }
}

/// This many levels, the most frequent ones, in their order; of equally frequent ones the first.
fn frequent(levels: &[String], codes: &[u32], most: usize) -> Vec<String> {
    let mut counts: Vec<(usize, usize)> = (0..levels.len()).map(|level| (level, 0)).collect();
    let known = codes.iter().filter_map(|&code| usize::try_from(code).ok());
    known.filter(|code| *code < levels.len()).for_each(|code| counts[code].1 += 1);
    counts.sort_by_key(|&(level, count)| (std::cmp::Reverse(count), level));
    counts.truncate(most);
    counts.sort_unstable();
    counts.into_iter().map(|(level, _)| levels[level].clone()).collect()
}

/// The thresholds of each variable that is wanted, increasing.
pub(super) fn thresholds(forest: &Forest, wanted: &[usize]) -> Vec<Vec<f64>> {
    let mut places = vec![None; forest.features().len()];
    wanted.iter().enumerate().for_each(|(place, &feature)| places[feature] = Some(place));
    let mut thresholds = vec![Vec::new(); wanted.len()];
    for (_, split) in forest.trees().iter().flat_map(crate::forest::Tree::splits) {
        if let (Rule::AtMost { threshold, .. }, Some(place)) =
            (split.rule, places[split.feature as usize])
        {
            thresholds[place].push(threshold);
        }
    }
    for thresholds in &mut thresholds {
        if forest.float32_inputs() {
            thresholds.iter_mut().for_each(|threshold| *threshold = last_at_most(*threshold));
            thresholds.retain(|threshold| threshold.is_finite());
        }
        thresholds.sort_unstable_by(f64::total_cmp);
        thresholds.dedup();
    }
    thresholds
}

/// A value in every interval between thresholds, which belong to the interval below them.
pub(super) fn exact(mut thresholds: Vec<f64>, values: &[f64]) -> Vec<f64> {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let above = thresholds.last().map_or(0.0, |last| last.next_up());
    let end = if largest >= above || (thresholds.is_empty() && largest.is_finite()) {
        largest
    } else {
        above
    };
    thresholds.extend(end.is_finite().then_some(end));
    thresholds
}

/// At most `size` of the values.
pub(super) fn quantiles(values: &[f64], size: usize) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut distinct = sorted.clone();
    distinct.dedup();
    match sorted.len() {
        0 => vec![0.0],
        _ if distinct.len() <= size => distinct,
        n_values if size == 1 => vec![sorted[n_values / 2]],
        n_values => {
            let place =
                |k: usize| (k as f64 * (n_values - 1) as f64 / (size - 1) as f64).round() as usize;
            let mut grid: Vec<f64> = (0..size).map(|k| sorted[place(k)]).collect();
            grid.dedup();
            grid
        }
    }
}

/// The largest number that is at most the threshold once it is rounded to single precision.
fn last_at_most(threshold: f64) -> f64 {
    let rounded = threshold as f32;
    let below = if f64::from(rounded) > threshold { rounded.next_down() } else { rounded };
    // Above the largest number, the distance is that below it.
    let above = below.next_up();
    let distance = if above.is_finite() {
        f64::from(above) - f64::from(below)
    } else {
        f64::from(below) - f64::from(below.next_down())
    };
    let half_way = f64::from(below) + distance / 2.0;
    if half_way as f32 == below { half_way } else { half_way.next_down() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_include_both_ends() {
        let values: Vec<f64> = (0..101).map(|value| f64::from(100 - value)).collect();
        assert_eq!(quantiles(&values, 5), [0.0, 25.0, 50.0, 75.0, 100.0]);
        assert_eq!(quantiles(&values, 1), [50.0]);
        assert_eq!(quantiles(&[2.0, f64::NAN, 1.0, 2.0], 2), [1.0, 2.0]);
        assert_eq!(quantiles(&[1.0, 1.0, 1.0, 1.0, 5.0, 7.0], 2), [1.0, 7.0]);
        assert_eq!(quantiles(&[f64::NAN], 3), [0.0]);
    }

    #[test]
    fn frequent_levels_keep_their_order() {
        use crate::data::MISSING_LEVEL;

        let levels = ["a", "b", "c", "d"].map(str::to_owned);
        let codes = [3, 3, 3, 0, 2, 2, MISSING_LEVEL, 1];
        assert_eq!(frequent(&levels, &codes, 2), ["c", "d"]);
        assert_eq!(frequent(&levels, &codes, 3), ["a", "c", "d"]);
    }

    #[test]
    fn exact_grids_end_above_all_thresholds() {
        assert_eq!(exact(vec![1.0, 2.0], &[0.0, 5.0, f64::NAN]), [1.0, 2.0, 5.0]);
        assert_eq!(exact(vec![1.0], &[1.0]), [1.0, 1.0_f64.next_up()]);
        assert_eq!(exact(Vec::new(), &[3.0, -1.0]), [3.0]);
        assert_eq!(exact(Vec::new(), &[f64::NAN]), [0.0]);
    }

    #[test]
    fn single_precision_rounds_to_the_nearest() {
        let largest = f64::from(f32::MAX);
        for threshold in [0.1, 0.5, -0.1, 1.7e9 + 7.0, 1e-40, 0.0, largest, 1e300, -largest] {
            let last = last_at_most(threshold);
            assert!(f64::from(last as f32) <= threshold, "{threshold}");
            assert!(f64::from(last.next_up() as f32) > threshold, "{threshold}");
        }
    }
}
