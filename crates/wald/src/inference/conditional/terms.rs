//! The terms of a smooth regression on columns: splines of numbers, their products, indicators of levels.
//!
//! Splines are cubic and linear beyond the outer knots (restricted cubic splines; Harrell 2015, Regression
//! Modeling Strategies, section 2.4.5), with knots at the quantiles that are recommended there. Values beyond
//! those of the training rows count as the last of these: nothing is known of the trend there.

use crate::data::{Column, ColumnData, MISSING_LEVEL};
use crate::quantile::quantile;

/// The levels of the knots: Harrell's of five knots.
const KNOTS: [f64; 5] = [0.05, 0.275, 0.5, 0.725, 0.95];

/// The fewest knots of a curve.
const FEWEST_KNOTS: usize = 3;

/// Columns of more levels add nothing, where these are few or many.
const FEW_LEVELS: usize = 10;
const MANY_LEVELS: usize = 60;

/// What columns of levels add.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OfLevels {
    /// Indicators, where there are few levels or where there may be many.
    Few,
    Many,
    /// Their codes, of which the rows of every class are counted.
    Counts,
}

/// Which terms there are.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    has_numbers: bool,
    /// Curves of numbers instead of lines.
    has_curves: bool,
    /// The product of each pair of numbers.
    has_products: bool,
    of_levels: OfLevels,
}

/// What a column adds to the regression.
enum Term {
    /// Nothing.
    None,
    Numbers(Numbers),
    /// An indicator of each level but the first one, and of missing ones.
    Levels {
        n_levels: usize,
    },
    /// The code of the level, or one more of missing ones, behind all other terms.
    Code {
        n_levels: usize,
    },
}

/// A line or a curve, and an indicator of missing values if there are any.
struct Numbers {
    least: f64,
    range: f64,
    /// Where products are zero.
    center: f64,
    /// Those of a curve; none of a line. As shares of the range, like all numbers here.
    knots: Vec<f64>,
    has_missing: bool,
}

/// The terms of columns, in their order, then their products, then codes.
pub(super) struct Terms {
    of_columns: Vec<Term>,
    has_products: bool,
}

impl Kind {
    /// Those that differ for these columns, with counts only of the rows of classes.
    pub(super) fn of(columns: &[&Column], is_of_classes: bool) -> Vec<Self> {
        let levels = FEW_LEVELS + 1..=MANY_LEVELS;
        let is_many = |column: &&Column| levels.contains(&(column.n_levels() as usize));
        let is_levels = |column: &&Column| matches!(column.data(), ColumnData::Categorical(_));
        let with = |of_levels: OfLevels| {
            [(true, true), (true, false), (false, true), (false, false)].map(
                |(has_curves, has_products)| Self {
                    has_numbers: true,
                    has_curves,
                    has_products,
                    of_levels,
                },
            )
        };
        let mut kinds = with(OfLevels::Few).to_vec();
        if columns.iter().any(is_many) {
            kinds.extend(with(OfLevels::Many));
        }
        if is_of_classes && columns.iter().any(is_levels) {
            kinds.extend(with(OfLevels::Counts));
            // Levels may follow from others alone.
            let [.., last] = with(OfLevels::Counts);
            kinds.push(Self { has_numbers: false, ..last });
        }
        kinds
    }
}

impl Terms {
    pub(super) fn new(columns: &[&Column], kind: Kind) -> Self {
        let of_columns = columns.iter().map(|column| Term::new(column, kind)).collect();
        Self { of_columns, has_products: kind.has_products }
    }

    /// How many of them, the last ones, are codes.
    pub(super) fn n_codes(&self) -> usize {
        self.of_columns.iter().filter(|term| matches!(term, Term::Code { .. })).count()
    }

    /// How many terms there are.
    pub(super) fn width(&self) -> usize {
        let own: usize = self.of_columns.iter().map(Term::width).sum();
        let n = self.of_columns.iter().filter(|term| matches!(term, Term::Numbers(_))).count();
        own + if self.has_products { n * n.saturating_sub(1) / 2 } else { 0 }
    }

    /// The terms of all rows, row after row.
    pub(super) fn of(&self, columns: &[&Column]) -> Vec<f64> {
        let n_rows = columns.first().map_or(0, |column| column.len());
        let mut found = Vec::with_capacity(n_rows * self.width());
        let (mut numbers, mut codes): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        let place = |code: u32, n_levels: usize| {
            if code == MISSING_LEVEL { n_levels } else { code as usize }
        };
        for row in 0..n_rows {
            numbers.clear();
            codes.clear();
            for (term, column) in self.of_columns.iter().zip(columns) {
                match (term, column.data()) {
                    (Term::Numbers(of), ColumnData::Numeric(values)) => {
                        numbers.push(of.write(values[row], &mut found));
                    }
                    (Term::Levels { n_levels }, ColumnData::Categorical(categories)) => {
                        let place = place(categories.codes()[row], *n_levels);
                        let indicators = (1..=*n_levels).map(|at| f64::from(u8::from(at == place)));
                        found.extend(indicators);
                    }
                    (Term::Code { n_levels }, ColumnData::Categorical(categories)) => {
                        codes.push(place(categories.codes()[row], *n_levels) as f64);
                    }
                    _ => {}
                }
            }
            if self.has_products {
                for (place, one) in numbers.iter().enumerate() {
                    found.extend(numbers[..place].iter().map(|other| one * other));
                }
            }
            found.extend(&codes);
        }
        found
    }
}

impl Term {
    fn new(column: &Column, kind: Kind) -> Self {
        match column.data() {
            ColumnData::Numeric(values) if kind.has_numbers => {
                Numbers::new(values, kind.has_curves).map_or(Self::None, Self::Numbers)
            }
            ColumnData::Numeric(_) => Self::None,
            ColumnData::Categorical(_) => match (kind.of_levels, column.n_levels() as usize) {
                (OfLevels::Counts, n_levels) => Self::Code { n_levels },
                (OfLevels::Few, 0..=FEW_LEVELS) | (OfLevels::Many, 0..=MANY_LEVELS) => {
                    Self::Levels { n_levels: column.n_levels() as usize }
                }
                _ => Self::None,
            },
        }
    }

    fn width(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Numbers(of) => 1 + of.knots.len().saturating_sub(2) + usize::from(of.has_missing),
            Self::Levels { n_levels } => *n_levels,
            Self::Code { .. } => 1,
        }
    }
}

impl Numbers {
    /// `None` where the values that are there do not vary, or too widely for their difference to be a number.
    fn new(values: &[f64], has_curve: bool) -> Option<Self> {
        let mut present: Vec<f64> =
            values.iter().copied().filter(|value| !value.is_nan()).collect();
        present.sort_by(f64::total_cmp);
        let least = *present.first()?;
        let range = present.last()? - least;
        if !range.is_normal() {
            return None;
        }
        present.iter_mut().for_each(|value| *value = (*value - least) / range);
        let mut knots = Vec::new();
        if has_curve {
            knots.extend(KNOTS.iter().filter_map(|level| quantile(&present, *level)));
            knots.dedup();
        }
        if knots.len() < FEWEST_KNOTS {
            knots.clear();
        }
        let center = quantile(&present, 0.5)?;
        Some(Self { least, range, center, knots, has_missing: present.len() < values.len() })
    }

    /// Appends the terms of a value, and returns its factor in products.
    fn write(&self, value: f64, terms: &mut Vec<f64>) -> f64 {
        // A missing value is in the middle. It is no outlier where no training row has one.
        let share = if value.is_nan() {
            self.center
        } else {
            ((value - self.least) / self.range).clamp(0.0, 1.0)
        };
        terms.push(share);
        if let [inner @ .., beside, end] = &*self.knots {
            let cubed = |from: f64| (share - from).max(0.0).powi(3);
            terms.extend(inner.iter().map(|&knot| {
                cubed(knot) - cubed(*beside) * (end - knot) / (end - beside)
                    + cubed(*end) * (beside - knot) / (end - beside)
            }));
        }
        if self.has_missing {
            terms.push(f64::from(u8::from(value.is_nan())));
        }
        share - self.center
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[f64]) -> Column {
        Column::numeric("x", values.to_vec()).expect("numbers")
    }

    /// Values of `Hmisc::rcspline.eval((0:40) / 40, c(2, 11, 20, 29, 38) / 40, norm = 0)` of R. Beyond the
    /// outer knots the curves are lines.
    #[test]
    fn curves_are_those_of_the_package_hmisc() {
        let column = column(&(0..=40).map(f64::from).collect::<Vec<f64>>());
        let terms = Terms::new(&[&column], Kind::of(&[&column], false)[1]);
        assert_eq!(terms.width(), 4);
        let found = terms.of(&[&column]);
        let expected = [
            (0, [0.0, 0.0, 0.0]),
            (3, [0.000_015_625, 0.0, 0.0]),
            (12, [0.015_625, 0.000_015_625, 0.0]),
            (20, [0.091_125, 0.011_390_625, 0.0]),
            (30, [0.342_937_5, 0.107_125, 0.015_593_75]),
            (38, [0.683_437_5, 0.273_375, 0.068_343_75]),
            (40, [0.774_562_5, 0.318_937_5, 0.083_531_25]),
        ];
        for (row, expected) in expected {
            let of_row = &found[4 * row..4 * (row + 1)];
            assert!((of_row[0] - row as f64 / 40.0).abs() < 1e-15, "{of_row:?}");
            for (found, expected) in of_row[1..].iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "row {row}: {of_row:?}");
            }
        }
        // Second differences beyond the outer knots, which are 2 and 38.
        for (row, term) in [(1, 1), (1, 2), (39, 1), (39, 2), (39, 3)] {
            let at = |row: usize| found[4 * row + term];
            assert!((at(row - 1) - 2.0 * at(row) + at(row + 1)).abs() < 1e-12, "{row} {term}");
        }
    }

    #[test]
    fn terms_are_lines_products_and_indicators() {
        let levels = ["a", "b", "c"].map(str::to_owned).to_vec();
        let one = column(&[0.0, 1.0, 2.0, 4.0, f64::NAN]);
        let two = column(&[4.0, 3.0, 2.0, 1.0, 0.0]);
        let codes = vec![0, 1, 2, MISSING_LEVEL, 1];
        let three = Column::categorical("z", levels, codes).expect("levels");
        let columns = [&one, &two, &three];
        let terms = Terms::new(&columns, Kind::of(&columns, false)[2]);
        assert_eq!(terms.width(), 7);
        let rows = terms.of(&columns);
        // Shares of the range and whether missing; the same of the second; b, c, missing; the product of
        // what is above the medians .375 and .5.
        let expected = [
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -0.1875],
            [0.25, 0.0, 0.75, 1.0, 0.0, 0.0, -0.03125],
            [0.5, 0.0, 0.5, 0.0, 1.0, 0.0, 0.0],
            [1.0, 0.0, 0.25, 0.0, 0.0, 1.0, -0.15625],
            [0.375, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        ];
        assert_eq!(rows, expected.concat());
        // Counts of classes need codes, one more for missing values; last, numbers are left out.
        let counted = Kind::of(&columns, true);
        assert_eq!(counted.len(), 9);
        let codes = Terms::new(&columns, counted[8]);
        assert_eq!((codes.width(), codes.n_codes()), (1, 1));
        assert_eq!(codes.of(&columns), [0.0, 1.0, 2.0, 3.0, 1.0]);
        let behind = Terms::new(&columns, counted[6]);
        assert_eq!(behind.of(&columns)[..5], [0.0, 0.0, 1.0, -0.1875, 0.0]);
        assert_eq!((behind.width(), behind.n_codes()), (5, 1));
        // Training rows decide on what there is; values beyond theirs count as the last ones.
        let other = column(&[9.0, -3.0]);
        let known = Terms::new(&[&two], Kind::of(&[&two], false)[3]);
        assert_eq!(known.of(&[&other]), [1.0, 0.0]);
        let constant = column(&[2.0, 2.0]);
        assert_eq!(Terms::new(&[&constant], Kind::of(&[&constant], false)[0]).width(), 0);
        let wide = column(&[-f64::MAX, f64::MAX]);
        assert_eq!(Terms::new(&[&wide], Kind::of(&[&wide], false)[0]).width(), 0);
    }
}
