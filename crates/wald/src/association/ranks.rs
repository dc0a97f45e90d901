//! Columns by rank, for measures of dependence between 0 and 1 that no monotone change of a number
//! alters.

use crate::association::direction::Direction;
use crate::association::independence::{
    Independence, between_levels, between_levels_and_numbers, between_numbers,
};
use crate::data::{Categories, Column, ColumnData};

/// A column whose numbers were replaced by their ranks, ties sharing the middle one.
#[derive(Debug)]
pub enum Ranked {
    /// NaN where missing.
    Numbers(Vec<f64>),
    /// Where none is missing.
    Direction(Direction),
    Levels(Categories),
}

impl Ranked {
    /// Ranks a column. Cost O(n log n).
    pub(crate) fn new(column: &Column) -> Self {
        match column.data() {
            ColumnData::Categorical(levels) => Self::Levels(levels.clone()),
            ColumnData::Numeric(values) => {
                let ranks = ranks(values);
                match Direction::new(&ranks, |_| 1.0) {
                    Some(direction) => Self::Direction(direction),
                    None => Self::Numbers(ranks),
                }
            }
        }
    }

    /// How much two columns depend on each other, over the rows where both are present: the
    /// absolute rank correlation (Spearman 1904); with levels, the correlation ratio of the ranks;
    /// of levels, Cramer's V. The latter two are corrected for what chance alone adds with many
    /// levels, as an adjusted R^2 is and as Bergsma (2013) does. Zero where one of them does not
    /// vary.
    pub(crate) fn dependence(&self, other: &Self) -> f64 {
        self.shared(other).map_or(0.0, Shared::dependence)
    }

    /// The dependence with the test of it: of Spearman, of Kruskal & Wallis, or chi-square; `None`
    /// where one of the columns does not vary.
    pub(crate) fn tested(&self, other: &Self) -> Option<(f64, Independence)> {
        let shared = self.shared(other)?;
        Some((shared.dependence(), shared.independence()?))
    }

    /// What the dependence of two columns is, in words.
    pub(crate) fn in_words(&self, other: &Self) -> &'static str {
        let are_levels = |one: &Self| matches!(one, Self::Levels(_));
        match (are_levels(self), are_levels(other)) {
            (false, false) => "rank correlation",
            (true, true) => "Cramér's V",
            _ => "correlation ratio of ranks",
        }
    }

    fn shared(&self, other: &Self) -> Option<Shared> {
        let one = |_| 1.0;
        let numbers = |(total, share)| Shared::Numbers { total, share };
        let one_way = |(total, share, degrees)| Shared::OneWay { total, share, degrees };
        match (self, other) {
            (Self::Direction(x), Self::Direction(y)) => {
                Some(numbers((x.values().len() as f64, x.squared_correlation(y))))
            }
            (Self::Numbers(x), Self::Numbers(y)) => between_numbers(x, y, one).map(numbers),
            (Self::Numbers(x), Self::Direction(y)) | (Self::Direction(y), Self::Numbers(x)) => {
                between_numbers(x, y.values(), one).map(numbers)
            }
            (Self::Levels(levels), Self::Numbers(ranks))
            | (Self::Numbers(ranks), Self::Levels(levels)) => {
                between_levels_and_numbers(levels, ranks, one).map(one_way)
            }
            (Self::Levels(levels), Self::Direction(ranks))
            | (Self::Direction(ranks), Self::Levels(levels)) => {
                between_levels_and_numbers(levels, ranks.values(), one).map(one_way)
            }
            (Self::Levels(a), Self::Levels(b)) => between_levels(a, b, one)
                .map(|(total, share, degrees)| Shared::TwoWay { total, share, degrees }),
        }
    }
}

/// What two columns share: a squared correlation, a correlation ratio, or chi-square over the rows.
#[derive(Debug, Clone, Copy)]
enum Shared {
    Numbers { total: f64, share: f64 },
    OneWay { total: f64, share: f64, degrees: f64 },
    TwoWay { total: f64, share: f64, degrees: [f64; 2] },
}

impl Shared {
    fn dependence(self) -> f64 {
        let squared = match self {
            Self::Numbers { share, .. } => share,
            Self::OneWay { total, share, degrees } => beyond_chance(total, share, degrees),
            Self::TwoWay { total, share, degrees } => cramer(total, share, degrees),
        };
        squared.clamp(0.0, 1.0).sqrt()
    }

    fn independence(self) -> Option<Independence> {
        match self {
            Self::Numbers { total, share } => Independence::new(total, share, 1.0),
            Self::OneWay { total, share, degrees } => Independence::new(total, share, degrees),
            Self::TwoWay { total, share, degrees: [rows, columns] } => {
                Independence::new(total, share, rows * columns)
            }
        }
    }
}

/// The share of the variance beyond what as many degrees of freedom explain by chance.
fn beyond_chance(total: f64, share: f64, degrees: f64) -> f64 {
    let rest = total - 1.0 - degrees;
    if rest > 0.0 { 1.0 - (1.0 - share) * (total - 1.0) / rest } else { 0.0 }
}

/// The square of Cramer's V with the correction of Bergsma (2013).
fn cramer(total: f64, share: f64, [rows, columns]: [f64; 2]) -> f64 {
    let fewer = rows.min(columns);
    let most = fewer - fewer * fewer / (total - 1.0);
    if most > 0.0 { (share - rows * columns / (total - 1.0)) / most } else { 0.0 }
}

pub(super) fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).filter(|&row| !values[row].is_nan()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![f64::NAN; values.len()];
    let mut before = 0;
    for tie in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let middle = before as f64 + (tie.len() as f64 - 1.0) / 2.0;
        tie.iter().for_each(|&row| ranks[row] = middle);
        before += tie.len();
    }
    ranks
}
