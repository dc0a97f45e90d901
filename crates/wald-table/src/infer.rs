//! Types of text columns, inferred from all their cells.
//!
//! A column is numeric when every cell that is not missing is a number. About a column that looks
//! numeric but is not quite ([`looks_numeric`]) [`mixed`] decides, so that one typing error never
//! turns a measurement into thousands of categories. ISO dates become numbers. Everything else,
//! booleans included, is text.

use crate::about::About;
use crate::cell::{self, Disguise, Number, Spelling};
use crate::dates::{self, Moment};
use crate::error::TableError;
use crate::level_order::sorted_levels;
use crate::levels::Level;
use crate::mixed::{self, FEW_NUMBERS, Numbers, Reading, Tally};
use crate::notice::Notice;
use crate::options::Infinite;
use crate::remarks::{
    self, dates_as_numbers, infinite, large_integer, level_notices, missing_spelling, not_a_number,
    padded,
};
use crate::table::Values;
use crate::text_cells::TextCells;

/// A column with its type, or the reason why it has none.
pub(crate) type Inferred = (Result<Values, TableError>, Vec<Notice>);

/// What a distinct text of a column means.
enum Meaning {
    Number(Number),
    Infinite,
    MissingNumber,
    Disguised(Disguise),
    Date(Moment),
    Other,
}

/// True when a column is meant to be numeric although some cells are not numbers: at least half
/// of its cells are numbers, or more than half of its distinct cells and more than twenty.
pub(crate) fn looks_numeric(numbers: Tally, others: Tally) -> bool {
    let most_cells = numbers.cells > 0 && numbers.cells >= others.cells;
    most_cells || (numbers.distinct > FEW_NUMBERS && numbers.distinct > others.distinct)
}

/// The distinct texts of a column, with what they mean.
struct Column {
    levels: Vec<Level>,
    meanings: Vec<Meaning>,
    codes: Vec<u32>,
    /// Those that are numbers, in disguise or not.
    numbers: Numbers,
    others: Tally,
    n_dates: usize,
    n_percent: usize,
    /// The first text that is no number, and the first number in disguise.
    offence: Option<usize>,
    disguised: Option<(usize, Disguise)>,
    n_disguised: usize,
}

impl Column {
    fn of(cells: TextCells, decimal: u8) -> Self {
        let (levels, codes) = cells.finish();
        let meanings = levels.iter().map(|level| meaning(&level.text, decimal)).collect();
        let numbers = Numbers { tally: Tally::default(), are_whole: true };
        let mut column = Self {
            levels,
            meanings,
            codes,
            numbers,
            others: Tally::default(),
            n_dates: 0,
            n_percent: 0,
            offence: None,
            disguised: None,
            n_disguised: 0,
        };
        column.count();
        column
    }

    fn count(&mut self) {
        for (index, (level, meaning)) in self.levels.iter().zip(&self.meanings).enumerate() {
            match meaning {
                Meaning::MissingNumber => continue,
                Meaning::Number(number) => {
                    self.numbers.tally.add(level.count);
                    self.numbers.are_whole &= number.spelling != Spelling::Real;
                    continue;
                }
                Meaning::Infinite => {
                    self.numbers.tally.add(level.count);
                    self.numbers.are_whole = false;
                    continue;
                }
                Meaning::Disguised(disguise) => {
                    self.numbers.tally.add(level.count);
                    self.n_percent += usize::from(*disguise == Disguise::Percent);
                    self.n_disguised += level.count;
                    self.disguised = self.disguised.or(Some((index, *disguise)));
                }
                Meaning::Date(_) | Meaning::Other => {
                    self.n_dates += usize::from(matches!(meaning, Meaning::Date(_)));
                    self.others.add(level.count);
                }
            }
            self.offence = self.offence.or(Some(index));
        }
    }

    /// The texts that are no numbers, or numbers in disguise.
    fn others(&self) -> Vec<&Level> {
        let known = self.levels.iter().zip(&self.meanings);
        let others = known.filter(|(_, meaning)| {
            matches!(meaning, Meaning::Date(_) | Meaning::Other | Meaning::Disguised(_))
        });
        others.map(|(level, _)| level).collect()
    }

    /// True where cells that are no numbers are numbers in disguise for the most part: that is how
    /// the column is written, and counting them as missing would lose numbers.
    fn is_disguised(&self) -> bool {
        self.n_disguised > 0 && self.n_disguised >= self.others.cells
    }

    /// The refusal because of `index`, a text that is no number.
    fn refused(&self, index: usize, about: &About<'_>, is_called_numeric: bool) -> Inferred {
        let is_offence = |meaning: &Meaning| {
            matches!(meaning, Meaning::Disguised(_) | Meaning::Date(_) | Meaning::Other)
        };
        let offences = self.levels.iter().zip(&self.meanings).filter(|(_, m)| is_offence(m));
        let n_offences = offences.map(|(level, _)| level.count).sum();
        let disguise = match self.meanings[index] {
            Meaning::Disguised(disguise) => Some(disguise),
            _ => None,
        };
        let level = &self.levels[index];
        let error = not_a_number(about, level, n_offences, disguise, is_called_numeric);
        (Err(error), Vec::new())
    }
}

/// The type of a column of which every cell is known as text.
pub(crate) fn infer(cells: TextCells, about: &About<'_>) -> Inferred {
    if cells.are_words() {
        // What follows comes to the same, with a look at what else each of them may mean.
        let (levels, codes) = cells.sorted();
        let notices = level_notices(about.column, &levels);
        return (Ok(Values::Text { levels, codes }), notices);
    }
    let column = Column::of(cells, about.decimal);
    let Column { numbers, others, .. } = column;
    let are_percent = column.n_percent > 0 && column.n_percent == numbers.tally.distinct;
    match column.offence {
        Some(_) if are_percent && others.cells == 0 => percent(&column, about, false),
        Some(offence) if looks_numeric(numbers.tally, others) => {
            if column.is_disguised() {
                return column.refused(offence, about, false);
            }
            let texts = column.others();
            match mixed::reading(numbers, &texts) {
                Reading::Refuse => column.refused(offence, about, false),
                Reading::Levels => {
                    let notice = remarks::mixed_levels(about.column, &texts);
                    let (values, mut notices) = text(column.levels, column.codes, about);
                    notices.insert(0, notice);
                    (values, notices)
                }
                Reading::Numbers => numeric(&column, about, Some(true)),
            }
        }
        None if numbers.tally.cells > 0 || column.levels.is_empty() => {
            numeric(&column, about, None)
        }
        Some(_) if column.n_dates == others.distinct && numbers.tally.cells == 0 => {
            dated(&column.levels, &column.meanings, &column.codes, about)
                .unwrap_or_else(|| text(column.levels, column.codes, about))
        }
        _ => text(column.levels, column.codes, about),
    }
}

/// What becomes of texts of which some are numbers, as they would be read from a file, the position
/// of the first one that is no number, and the numbers; NaN where there is none.
pub fn reading_of(texts: &[String]) -> (Reading, Option<usize>, Vec<f64>) {
    let number = |text: &String| match cell::number(text.as_bytes(), b'.') {
        Some(number) if number.value.is_finite() => number.value,
        _ => f64::NAN,
    };
    let numbers = texts.iter().map(number).collect();
    let mut cells = TextCells::default();
    for text in texts {
        if cells.push(text.as_bytes()).is_err() {
            return (Reading::Levels, None, numbers);
        }
    }
    let column = Column::of(cells, b'.');
    let first = column.offence.map(|index| column.levels[index].first_row as usize);
    let reading = match first {
        None => Reading::Numbers,
        Some(_) if !looks_numeric(column.numbers.tally, column.others) => Reading::Levels,
        Some(_) if column.is_disguised() => Reading::Refuse,
        Some(_) => mixed::reading(column.numbers, &column.others()),
    };
    (reading, first, numbers)
}

/// A column that the user calls numeric: cells that are no numbers count as missing.
pub(crate) fn forced_numbers(cells: TextCells, about: &About<'_>) -> Inferred {
    let column = Column::of(cells, about.decimal);
    let tally = column.numbers.tally;
    match (column.disguised, column.offence) {
        (Some(_), _) if column.n_percent == tally.distinct && column.others.cells == 0 => {
            percent(&column, about, true)
        }
        // Counting them as missing would lose numbers.
        (Some((index, _)), _) => column.refused(index, about, true),
        (None, Some(index)) if tally.cells == 0 => {
            (Err(remarks::no_numbers(about, &column.levels[index])), Vec::new())
        }
        (None, offence) => numeric(&column, about, offence.map(|_| false)),
    }
}

/// A column that the user calls categorical, whatever it holds.
pub(crate) fn forced_text(cells: TextCells) -> Inferred {
    let (levels, codes) = cells.sorted();
    (Ok(Values::Text { levels, codes }), Vec::new())
}

fn meaning(text: &str, decimal: u8) -> Meaning {
    let bytes = text.as_bytes();
    if cell::is_word(bytes) {
        return Meaning::Other;
    }
    if let Some(number) = cell::number(bytes, decimal) {
        return if number.value.is_infinite() {
            Meaning::Infinite
        } else {
            Meaning::Number(number)
        };
    }
    if cell::is_missing_number(bytes) {
        return Meaning::MissingNumber;
    }
    if cell::is_infinite(bytes) {
        return Meaning::Infinite;
    }
    if let Some(disguise) = cell::disguise(bytes, decimal) {
        return Meaning::Disguised(disguise);
    }
    dates::moment(text).map_or(Meaning::Other, Meaning::Date)
}

/// A column of numbers. Other cells, where there are any, count as missing, which a notice reports;
/// `others` is true where that was found out and false where the user wants it.
fn numeric(column: &Column, about: &About<'_>, others: Option<bool>) -> Inferred {
    let mut notices = Vec::new();
    if let Some(is_inferred) = others {
        notices.push(remarks::others_missing(about.column, &column.others(), is_inferred));
    }
    let mut numbers = Vec::with_capacity(column.levels.len());
    let mut large: Option<&Level> = None;
    let mut zeros: Option<&Level> = None;
    let mut integers = true;
    let mut n_infinite = 0;
    for (level, meaning) in column.levels.iter().zip(&column.meanings) {
        match meaning {
            Meaning::Number(number) => {
                integers &= number.spelling != Spelling::Real;
                if number.spelling == Spelling::LargeInteger {
                    large = large.or(Some(level));
                }
                if number.padded {
                    zeros = zeros.or(Some(level));
                }
                numbers.push(number.value);
            }
            Meaning::Infinite if about.infinite == Infinite::Refuse => {
                return (Err(infinite(about, level.first_row, &level.text)), Vec::new());
            }
            Meaning::Infinite => {
                n_infinite += level.count;
                integers = false;
                numbers.push(cell::extreme(level.text.as_bytes()));
            }
            Meaning::MissingNumber => {
                notices.push(missing_spelling(about.column, &level.text, level.count));
                numbers.push(f64::NAN);
            }
            _ => numbers.push(f64::NAN),
        }
    }
    if let Some(level) = large.filter(|_| integers) {
        return (Err(large_integer(about, level.first_row, &level.text)), Vec::new());
    }
    if let Some(level) = zeros.filter(|_| integers) {
        notices.push(padded(about.column, &level.text));
    }
    notices.extend(remarks::infinite_kept(about.column, n_infinite));
    let integers = integers && !column.levels.is_empty();
    (Ok(Values::Numeric { values: decode(&column.codes, &numbers), integers }), notices)
}

/// A column of percentages, all with their sign.
fn percent(column: &Column, about: &About<'_>, is_called_numeric: bool) -> Inferred {
    let mut numbers = Vec::with_capacity(column.levels.len());
    let mut notices = Vec::new();
    for (index, (level, meaning)) in column.levels.iter().zip(&column.meanings).enumerate() {
        let amount = level.text.trim_end_matches('%').trim_ascii_end();
        match (meaning, cell::number(amount.as_bytes(), about.decimal)) {
            (Meaning::MissingNumber, _) => {
                notices.push(missing_spelling(about.column, &level.text, level.count));
                numbers.push(f64::NAN);
            }
            (_, Some(number)) if number.value.is_finite() => numbers.push(number.value),
            // Such as `1,200%`.
            _ => return column.refused(index, about, is_called_numeric),
        }
    }
    let first = column.levels.iter().find(|level| level.text.ends_with('%'));
    notices.extend(first.map(|level| remarks::percent(about.column, &level.text)));
    (Ok(Values::Numeric { values: decode(&column.codes, &numbers), integers: false }), notices)
}

/// Days when all are dates, seconds when all have a time; `None` for a mixture.
fn dated(
    levels: &[Level],
    meanings: &[Meaning],
    codes: &[u32],
    about: &About<'_>,
) -> Option<Inferred> {
    let mut notices = Vec::new();
    let mut numbers = Vec::with_capacity(levels.len());
    let (mut n_days, mut n_seconds) = (0, 0);
    for (level, meaning) in levels.iter().zip(meanings) {
        match meaning {
            Meaning::Date(Moment::Day(day)) => {
                n_days += 1;
                numbers.push(*day);
            }
            Meaning::Date(Moment::Second(second)) => {
                n_seconds += 1;
                numbers.push(*second);
            }
            _ => {
                notices.push(missing_spelling(about.column, &level.text, level.count));
                numbers.push(f64::NAN);
            }
        }
    }
    if n_days > 0 && n_seconds > 0 {
        return None;
    }
    let unit = if n_days > 0 { "days" } else { "seconds" };
    notices.push(dates_as_numbers(about.column, unit));
    Some((Ok(Values::Numeric { values: decode(codes, &numbers), integers: false }), notices))
}

fn decode(codes: &[u32], numbers: &[f64]) -> Vec<f64> {
    // The code of a missing cell has no number.
    codes.iter().map(|&code| numbers.get(code as usize).copied().unwrap_or(f64::NAN)).collect()
}

fn text(levels: Vec<Level>, codes: Vec<u32>, about: &About<'_>) -> Inferred {
    let texts: Vec<String> = levels.into_iter().map(|level| level.text).collect();
    let notices = level_notices(about.column, &texts);
    let (levels, codes) = sorted_levels(texts, codes);
    (Ok(Values::Text { levels, codes }), notices)
}

#[cfg(test)]
mod tests;
