//! Columns that hold numbers and other cells: an error, levels, or numbers with missing values.
//!
//! The rule, which `docs/files.md` gives to users:
//!
//! * Other cells that are few and stand alone are errors of typing: the column is refused.
//! * They are meant where they are a good part of the column ([`GOOD_PART`]) or where each of them
//!   stands in the column more than once.
//! * Then numbers that repeat, as grades, cards and codes do, are levels with the others; numbers
//!   that measure something stay numbers, and the others count as missing.

use std::collections::HashMap;

use crate::levels::Level;

/// Largest number of distinct numbers that a mostly-text column may hold unremarked.
pub(crate) const FEW_NUMBERS: usize = 20;

/// One cell in so many is a good part of a column.
const GOOD_PART: usize = 20;

/// Fewer cells are no part of a column, whatever its length.
const FEWEST_CELLS: usize = 5;

/// What becomes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The first other cell is refused.
    Refuse,
    /// All cells are levels.
    Levels,
    /// Other cells count as missing.
    Numbers,
}

/// How many cells, and how many different ones, are of one kind.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) cells: usize,
    pub(crate) distinct: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, count: usize) {
        self.cells += count;
        self.distinct += 1;
    }
}

/// The numbers of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) tally: Tally,
    /// All are written as integers.
    pub(crate) are_whole: bool,
}

/// Decides about numbers and the other cells, none of which is a number in disguise.
pub(crate) fn reading(numbers: Numbers, others: &[&Level]) -> Reading {
    let Tally { cells, distinct } = numbers.tally;
    let n_others = others.iter().map(|level| level.count).sum();
    let repeat = cells >= 2 * distinct;
    let are_levels = if distinct <= FEW_NUMBERS {
        numbers.are_whole || repeat
    } else {
        numbers.are_whole && repeat && others.iter().all(|level| is_code(&level.text))
    };
    match (are_meant(cells, n_others, others, are_levels), are_levels) {
        (false, _) => Reading::Refuse,
        (true, true) => Reading::Levels,
        (true, false) => Reading::Numbers,
    }
}

/// True when other cells are no errors of typing. Codes that differ by digits alone, as
/// `98115-4820` and `98126-2920`, count as one text.
pub(crate) fn are_meant(
    n_numbers: usize,
    n_others: usize,
    others: &[&Level],
    by_shape: bool,
) -> bool {
    if n_others >= FEWEST_CELLS && n_others >= (n_numbers + n_others) / GOOD_PART {
        return true;
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    for level in others {
        let text = if by_shape { shape(&level.text) } else { level.text.clone() };
        *counts.entry(text).or_default() += level.count;
    }
    counts.values().all(|&count| count > 1)
}

/// The text with every run of digits as one.
fn shape(text: &str) -> String {
    let mut shape = String::with_capacity(text.len());
    for letter in text.chars() {
        let letter = if letter.is_ascii_digit() { '0' } else { letter };
        if letter != '0' || !shape.ends_with('0') {
            shape.push(letter);
        }
    }
    shape
}

/// True for texts with digits, such as `207a`, that are no bound of a measurement, such as `<5`.
fn is_code(text: &str) -> bool {
    let is_bound = text.starts_with(['<', '>', '≤', '≥', '~']) || text.ends_with('+');
    !is_bound && text.contains(|letter: char| letter.is_ascii_digit())
}
