//! One random division of a node by each variable tried: Extra-Trees (Geurts, Ernst & Wehenkel
//! 2006), which draw a threshold between the smallest and the largest value at the node.

use crate::data::MISSING_CODE;
use crate::forest::grow::direct::rows::{Asked, Cells};
use crate::forest::split::{Mask, mask};
use crate::forest::tree::Side;
use crate::random::NodeStream;

/// Smallest and largest values are found in this many parts.
const PARTS: usize = 4;

/// The side of a level that was not met.
const UNMET: u8 = 2;

/// Working memory, and the division drawn last.
#[derive(Debug, Default)]
pub(super) struct RandomDivision {
    pub(super) drawn: Drawn,
    numbers: Vec<f64>,
    codes: Vec<u32>,
    /// By level: 1 for left, 0 for right, or [`UNMET`].
    sides: Vec<u8>,
    levels: Vec<u32>,
}

/// A division of the rows of a node.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Drawn {
    pub(super) kind: DrawnKind,
    /// Where missing values go; `None` when there are none.
    pub(super) missing: Option<Side>,
    /// By row.
    pub(super) left: Vec<Mask>,
    /// Levels on the left and on the right, increasing, for [`DrawnKind::Levels`].
    pub(super) levels: [Vec<u32>; 2],
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum DrawnKind {
    /// Left iff value <= threshold.
    Threshold(f64),
    Levels,
    #[default]
    Present,
}

/// The smallest and the largest of what is present, and whether anything is missing.
#[derive(Debug, Clone, Copy)]
struct Extent<T> {
    low: T,
    high: T,
    has_missing: bool,
}

impl RandomDivision {
    /// Draws a division of the rows; false if they all agree.
    pub(super) fn draw(
        &mut self,
        asked: Asked<'_>,
        members: &[u32],
        stream: &mut NodeStream,
    ) -> bool {
        self.drawn.left.clear();
        let rows = members.iter().map(|&row| row as usize);
        match asked.cells {
            Cells::Numbers(cells) => {
                self.numbers.clear();
                self.numbers.extend(rows.map(|row| cells[row]));
                self.draw_threshold(asked.has_missing, stream)
            }
            Cells::Levels(cells) => {
                self.codes.clear();
                self.codes.extend(rows.map(|row| cells[row]));
                self.draw_levels(asked.n_levels, asked.has_missing, stream)
            }
        }
    }

    fn draw_threshold(&mut self, may_miss: bool, stream: &mut NodeStream) -> bool {
        let extent = extent_of_numbers(&self.numbers, may_miss);
        if let Some(divides) = self.drawn.divide_equal(extent) {
            self.drawn.left.extend(self.numbers.iter().map(|number| mask(!number.is_nan())));
            return divides;
        }
        let threshold = uniform(extent.low, extent.high, stream.unit());
        self.drawn.toss_missing(extent.has_missing, stream);
        // What is not a number is neither above the threshold nor at most it.
        let numbers = self.numbers.iter();
        if self.drawn.missing == Some(Side::Left) {
            self.drawn.left.extend(numbers.map(|&number| !mask(number > threshold)));
        } else {
            self.drawn.left.extend(numbers.map(|&number| mask(number <= threshold)));
        }
        self.drawn.kind = DrawnKind::Threshold(threshold);
        true
    }

    fn draw_levels(&mut self, n_levels: usize, may_miss: bool, stream: &mut NodeStream) -> bool {
        let extent = extent_of_levels(&self.codes, may_miss);
        if let Some(divides) = self.drawn.divide_equal(extent) {
            self.drawn.left.extend(self.codes.iter().map(|&code| mask(code != MISSING_CODE)));
            return divides;
        }
        self.divide_levels(n_levels, stream);
        self.drawn.toss_missing(extent.has_missing, stream);
        self.send_levels();
        true
    }

    /// Tosses a coin for every level present until both sides have one: uniform over the
    /// divisions of the levels.
    fn divide_levels(&mut self, n_levels: usize, stream: &mut NodeStream) {
        if self.sides.len() < n_levels {
            self.sides.resize(n_levels, UNMET);
        }
        self.levels.clear();
        for &code in self.codes.iter().filter(|&&code| code != MISSING_CODE) {
            let side = &mut self.sides[code as usize];
            if *side == UNMET {
                *side = 0;
                self.levels.push(code);
            }
        }
        // In an order that depends on nothing but the set.
        self.levels.sort_unstable();
        loop {
            let mut n_left = 0;
            for coins in self.levels.chunks(64) {
                let mut word = stream.word();
                for &level in coins {
                    self.sides[level as usize] = (word & 1) as u8;
                    n_left += (word & 1) as usize;
                    word >>= 1;
                }
            }
            if n_left > 0 && n_left < self.levels.len() {
                return;
            }
        }
    }

    /// Sends rows to the sides of their levels, and forgets the sides.
    fn send_levels(&mut self) {
        let missing_left = self.drawn.missing == Some(Side::Left);
        let goes_left = |&code: &u32| match code {
            MISSING_CODE => mask(missing_left),
            level => mask(self.sides[level as usize] == 1),
        };
        self.drawn.left.extend(self.codes.iter().map(goes_left));
        let [left, right] = &mut self.drawn.levels;
        left.clear();
        right.clear();
        for &level in &self.levels {
            let is_left = std::mem::replace(&mut self.sides[level as usize], UNMET) == 1;
            if is_left { left.push(level) } else { right.push(level) }
        }
        self.drawn.kind = DrawnKind::Levels;
    }
}

impl Drawn {
    /// For rows whose present values agree, returns whether they are divided: from missing ones, if
    /// there are any and something is present. `None` where values differ.
    fn divide_equal<T: Copy + PartialOrd>(&mut self, extent: Extent<T>) -> Option<bool> {
        if extent.low < extent.high {
            return None;
        }
        self.kind = DrawnKind::Present;
        self.missing = Some(Side::Right);
        Some(extent.has_missing && extent.low == extent.high)
    }

    fn toss_missing(&mut self, has_missing: bool, stream: &mut NodeStream) {
        let side = |is_left: bool| if is_left { Side::Left } else { Side::Right };
        self.missing = has_missing.then(|| side(stream.coin()));
    }
}

/// Without a present level, the smallest is above the largest.
fn extent_of_levels(codes: &[u32], may_miss: bool) -> Extent<u32> {
    let low = codes.iter().copied().min().unwrap_or(MISSING_CODE);
    if !may_miss {
        let high = codes.iter().copied().max().unwrap_or(0);
        return Extent { low, high, has_missing: false };
    }
    // The code of a missing value is the largest of all; adding one makes it the smallest.
    let next = codes.iter().map(|code| code.wrapping_add(1));
    let (smallest, largest) =
        next.fold((u32::MAX, 0), |(low, high), next| (low.min(next), high.max(next)));
    Extent { low, high: largest.saturating_sub(1), has_missing: smallest == 0 }
}

/// Without a present number, the smallest is above the largest.
fn extent_of_numbers(numbers: &[f64], may_miss: bool) -> Extent<f64> {
    // Written so that what is not a number counts for nothing.
    let smaller = |one: f64, other: f64| if one < other { one } else { other };
    let larger = |one: f64, other: f64| if one > other { one } else { other };
    let mut lows = [f64::INFINITY; PARTS];
    let mut highs = [f64::NEG_INFINITY; PARTS];
    let (blocks, rest) = numbers.as_chunks::<PARTS>();
    for block in blocks {
        for part in 0..PARTS {
            lows[part] = smaller(block[part], lows[part]);
            highs[part] = larger(block[part], highs[part]);
        }
    }
    let low = lows.iter().chain(rest).fold(f64::INFINITY, |low, &one| smaller(one, low));
    let high = highs.iter().chain(rest).fold(f64::NEG_INFINITY, |high, &one| larger(one, high));
    let has_missing = may_miss && numbers.iter().any(|number| number.is_nan());
    Extent { low, high, has_missing }
}

/// A number between two, given one in [0, 1): at least the smaller, below the larger.
fn uniform(low: f64, high: f64, unit: f64) -> f64 {
    let range = high - low;
    let number =
        if range.is_finite() { low + unit * range } else { low * (1.0 - unit) + high * unit };
    if number >= low && number < high { number } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, MISSING_LEVEL, RankedFeatures};
    use crate::random::{NodeKey, Purpose, Stream};

    fn stream(seed: u64) -> NodeStream {
        NodeKey::root(&mut Stream::new(seed, 0, Purpose::Splits)).stream()
    }

    fn draw(column: &Column, stream: &mut NodeStream) -> Option<Drawn> {
        let features = RankedFeatures::new(&[column], crate::run::Threads::all());
        let members: Vec<u32> = (0..column.len() as u32).collect();
        let mut division = RandomDivision::default();
        let divides = division.draw(Asked::new(column, features.column(0)), &members, stream);
        divides.then_some(division.drawn)
    }

    fn numbers(values: &[f64]) -> Column {
        Column::numeric("x", values.to_vec()).expect("finite or NaN")
    }

    #[test]
    fn thresholds_stay_between_extremes_that_overflow_when_subtracted() {
        for (low, high) in [
            (-1.7e308, 1.7e308),
            (1.0, 1.0 + f64::EPSILON),
            (0.0, 5e-324),
            (-5e-324, 5e-324),
            (1e308, 1.5e308),
        ] {
            for unit in [0.0, 0.3, 0.5, 1.0 - f64::EPSILON / 2.0] {
                let number = uniform(low, high, unit);
                assert!(low <= number && number < high, "{low} {number} {high}");
            }
        }
        assert_eq!(uniform(2.0, 4.0, 0.25), 2.5);
    }

    #[test]
    fn thresholds_are_uniform_between_smallest_and_largest_value() {
        let column = numbers(&[3.0, 7.0, 3.5, 4.0, 6.5]);
        let mut stream = stream(1);
        let mut thresholds: Vec<f64> = (0..2000)
            .map(|_| match draw(&column, &mut stream).expect("divides").kind {
                DrawnKind::Threshold(threshold) => (threshold - 3.0) / 4.0,
                other => panic!("{other:?}"),
            })
            .collect();
        thresholds.sort_by(f64::total_cmp);
        // Kolmogorov & Smirnov: 1.95 / sqrt(n) is the 99.9 % point.
        let gap = (0..2000)
            .map(|index| (thresholds[index] - (index as f64 + 0.5) / 2000.0).abs())
            .fold(0.0, f64::max);
        assert!(gap < 1.95 / 2000_f64.sqrt(), "{gap}");
    }

    #[test]
    fn sets_of_levels_are_uniform_among_those_that_divide() {
        let names = (0..6).map(|level| format!("L{level}")).collect();
        // Levels 1 and 4 do not occur.
        let column = Column::categorical("x", names, vec![0, 2, 3, 5, 0, 5]).expect("codes");
        let mut stream = stream(2);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..14_000 {
            let drawn = draw(&column, &mut stream).expect("divides");
            let [left, right] = &drawn.levels;
            let mut all = [left.as_slice(), right.as_slice()].concat();
            all.sort_unstable();
            assert_eq!(all, [0, 2, 3, 5]);
            let goes_left = [0, 2, 3, 5, 0, 5].map(|level| mask(left.contains(&level)));
            assert_eq!(drawn.left, goes_left);
            *counts.entry(left.clone()).or_insert(0.0) += 1.0;
        }
        // Chi-square with 13 degrees of freedom: 34.5 is the 99.9 % point.
        assert_eq!(counts.len(), 14);
        let chi_square: f64 = counts.values().map(|c: &f64| (c - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi_square < 34.5, "{counts:?}");
    }

    #[test]
    fn missing_values_follow_a_coin_and_are_divided_from_equal_ones() {
        let mut stream = stream(3);
        let column = numbers(&[1.0, f64::NAN, 2.0]);
        let mut n_left = 0.0_f64;
        for _ in 0..1000 {
            let drawn = draw(&column, &mut stream).expect("divides");
            let is_left = drawn.missing == Some(Side::Left);
            assert_eq!(drawn.left, [true, is_left, false].map(mask));
            n_left += f64::from(u8::from(is_left));
        }
        // Four standard deviations of the number of heads.
        assert!((n_left - 500.0).abs() < 64.0, "{n_left}");
        let equal = numbers(&[f64::NAN, 1.0, 1.0]);
        let drawn = draw(&equal, &mut stream).expect("divides");
        assert_eq!((drawn.kind, drawn.missing), (DrawnKind::Present, Some(Side::Right)));
        assert_eq!(drawn.left, [false, true, true].map(mask));
        let names = vec!["a".to_owned(), "b".to_owned()];
        let level = Column::categorical("x", names, vec![1, MISSING_LEVEL]).expect("codes");
        assert_eq!(draw(&level, &mut stream).expect("divides").kind, DrawnKind::Present);
    }

    #[test]
    fn extremes_of_many_numbers_are_found() {
        for n in 1..20 {
            for missing in 0..n {
                let number = |row: usize| if row == missing { f64::NAN } else { row as f64 };
                let numbers: Vec<f64> = (0..n).rev().map(number).collect();
                let Extent { low, high, has_missing } = extent_of_numbers(&numbers, true);
                if n > 1 {
                    assert_eq!(low, f64::from(u8::from(missing == 0)));
                    assert_eq!(high as usize, n - 1 - usize::from(missing == n - 1));
                }
                assert!(has_missing);
            }
        }
    }

    #[test]
    fn rows_that_agree_are_not_divided() {
        let mut stream = stream(4);
        assert!(draw(&numbers(&[2.0, 2.0]), &mut stream).is_none());
        assert!(draw(&numbers(&[f64::NAN, f64::NAN]), &mut stream).is_none());
        let names = vec!["a".to_owned(), "b".to_owned()];
        let level = Column::categorical("x", names, vec![1, 1]).expect("codes");
        assert!(draw(&level, &mut stream).is_none());
    }
}
