//! Columns while a text file is read.
//!
//! A column that looks numeric in the first lines is kept as numbers, and the few cells that
//! are none as text beside them; the others are kept as text. Most files need one pass. When
//! a column kept as numbers turns out to be text, the file is read again for that column,
//! because the spelling of its numbers is lost (`1.50`, `007`).

use crate::about::About;
use crate::cell::{self, Disguise, Spelling};
use crate::infer::{self, Inferred};
use crate::levels::{BadText, Level, Levels};
use crate::mixed;
use crate::mixed::Tally;
use crate::options::Infinite;
use crate::remarks;
use crate::table::Values;
use crate::text_cells::TextCells;

/// A column that is being read.
#[derive(Debug)]
pub(crate) enum Builder {
    /// Not needed in this pass.
    Skip,
    /// Kept as numbers.
    Numbers(Box<NumberCells>),
    /// Kept as text; the type is inferred at the end.
    Text(TextCells),
    /// Kept as text because the user asks for it.
    Categorical(TextCells),
    /// Kept as text, of which only numbers count because the user asks for it.
    Numeric(TextCells),
}

/// Cells kept as numbers, and what else was met.
#[derive(Debug, Default)]
pub(crate) struct NumberCells {
    values: Vec<f64>,
    n_numbers: usize,
    has_real: bool,
    infinite: Option<(u32, Box<str>)>,
    n_infinite: usize,
    large: Option<(u32, Box<str>)>,
    padded: Option<Box<str>>,
    /// Spellings such as `?` with their number of cells.
    missing: Vec<(Box<str>, usize)>,
    exceptions: Levels,
    /// Rows of the exceptions with their codes.
    exception_cells: Vec<(u32, u32)>,
}

/// What became of a column at the end of a pass.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The column is done.
    Done(Inferred),
    /// The column has to be read again as text.
    ReadAsText,
}

impl Builder {
    /// Adds the cells of the next rows; an error comes with the position of its cell.
    pub(crate) fn extend<'a>(
        &mut self,
        texts: impl Iterator<Item = &'a [u8]>,
        decimal: u8,
    ) -> Result<(), (usize, BadText)> {
        let mut texts = texts.enumerate();
        match self {
            Self::Skip => Ok(()),
            Self::Numbers(cells) => texts
                .try_for_each(|(row, text)| cells.push(text, decimal).map_err(|bad| (row, bad))),
            Self::Text(cells) | Self::Categorical(cells) | Self::Numeric(cells) => texts
                .try_for_each(|(row, text)| {
                    if cell::is_missing_text(text) {
                        cells.push_missing();
                        return Ok(());
                    }
                    cells.push(text).map_err(|bad| (row, bad))
                }),
        }
    }

    /// Bytes of memory with so many rows more.
    pub(crate) fn size_with(&self, n_more: usize) -> usize {
        match self {
            Self::Skip => 0,
            Self::Numbers(cells) => {
                grown(&cells.values, n_more)
                    + 8 * cells.exception_cells.capacity()
                    + cells.exceptions.size()
            }
            Self::Text(cells) | Self::Categorical(cells) | Self::Numeric(cells) => {
                grown(cells.codes(), n_more) + cells.size_of_texts()
            }
        }
    }

    /// True when more of the cells so far are text than numbers.
    pub(crate) fn is_mostly_text(&self) -> bool {
        matches!(self, Self::Numbers(cells) if cells.exception_cells.len() > cells.n_numbers)
    }

    /// Infers the type; `None` for a skipped column.
    pub(crate) fn finish(self, about: &About<'_>) -> Option<Outcome> {
        match self {
            Self::Skip => None,
            Self::Numbers(cells) => Some(cells.finish(about)),
            Self::Text(cells) => Some(Outcome::Done(infer::infer(cells, about))),
            Self::Categorical(cells) => Some(Outcome::Done(infer::forced_text(cells))),
            Self::Numeric(cells) => Some(Outcome::Done(infer::forced_numbers(cells, about))),
        }
    }
}

impl NumberCells {
    #[inline]
    fn push(&mut self, text: &[u8], decimal: u8) -> Result<(), BadText> {
        let Some(number) = cell::number(text, decimal) else { return self.push_other(text) };
        if number.spelling == Spelling::Real {
            self.has_real = true;
        } else if number.padded || number.spelling == Spelling::LargeInteger {
            self.remark(text, number.padded);
        }
        if number.value.is_infinite() {
            self.push_infinite(text);
            return Ok(());
        }
        self.n_numbers += 1;
        self.values.push(number.value);
        Ok(())
    }

    #[cold]
    fn remark(&mut self, text: &[u8], padded: bool) {
        let row = self.values.len() as u32;
        if padded {
            self.padded.get_or_insert_with(|| lossy(text));
        } else {
            self.large.get_or_insert_with(|| (row, lossy(text)));
        }
    }

    #[cold]
    fn push_infinite(&mut self, text: &[u8]) {
        let row = self.values.len() as u32;
        self.infinite.get_or_insert_with(|| (row, lossy(text)));
        self.n_infinite += 1;
        self.n_numbers += 1;
        self.has_real = true;
        self.values.push(cell::extreme(text));
    }

    #[cold]
    fn push_other(&mut self, text: &[u8]) -> Result<(), BadText> {
        if cell::is_missing_text(text) {
            self.values.push(f64::NAN);
            return Ok(());
        }
        if cell::is_infinite(text) {
            self.push_infinite(text);
            return Ok(());
        }
        let row = self.values.len() as u32;
        if cell::is_missing_number(text) {
            match self.missing.iter_mut().find(|(spelling, _)| spelling.as_bytes() == text) {
                Some((_, count)) => *count += 1,
                None => self.missing.push((lossy(text), 1)),
            }
        } else {
            let code = self.exceptions.code(text, row)?;
            self.exception_cells.push((row, code));
        }
        self.values.push(f64::NAN);
        Ok(())
    }

    fn finish(mut self, about: &About<'_>) -> Outcome {
        if self.n_numbers == 0 && self.missing.is_empty() {
            return Outcome::Done(infer::infer(self.into_text(), about));
        }
        if self.exception_cells.is_empty() && self.n_numbers == 0 {
            return Outcome::ReadAsText;
        }
        if !self.exception_cells.is_empty() {
            return self.finish_mixed(about);
        }
        if let Some((row, text)) = self.infinite
            && about.infinite == Infinite::Refuse
        {
            return Outcome::Done((Err(remarks::infinite(about, row, &text)), Vec::new()));
        }
        if let (Some((row, text)), false) = (&self.large, self.has_real) {
            return Outcome::Done((Err(remarks::large_integer(about, *row, text)), Vec::new()));
        }
        let mut notices: Vec<_> = self
            .missing
            .iter()
            .map(|(spelling, count)| remarks::missing_spelling(about.column, spelling, *count))
            .collect();
        if let (Some(text), false) = (&self.padded, self.has_real) {
            notices.push(remarks::padded(about.column, text));
        }
        notices.extend(remarks::infinite_kept(about.column, self.n_infinite));
        self.values.shrink_to_fit();
        let values = Values::Numeric { values: self.values, integers: !self.has_real };
        Outcome::Done((Ok(values), notices))
    }

    /// A column of numbers and other cells: refused where that is plain, or read again as text.
    fn finish_mixed(self, about: &About<'_>) -> Outcome {
        let levels = self.exceptions.finish(self.exception_cells.iter().map(|&(_, code)| code));
        let disguise = |text: &str| cell::disguise(text.as_bytes(), about.decimal);
        // The distinct numbers are unknown; the second pass, which knows them, looks at them.
        let mut numbers = Tally { cells: self.n_numbers, distinct: 0 };
        let mut others = Tally::default();
        for level in &levels {
            if disguise(&level.text).is_some() {
                numbers.add(level.count);
            } else {
                others.add(level.count);
            }
        }
        let texts: Vec<&Level> = levels.iter().collect();
        let n_cells = self.exception_cells.len();
        // Numbers in disguise, where they are fewer than the others, are looked at with them.
        let n_disguised = numbers.cells - self.n_numbers;
        let are_plain = n_disguised == 0 || n_disguised < others.cells;
        let are_percent =
            levels.iter().all(|level| disguise(&level.text) == Some(Disguise::Percent));
        let may_be_meant = (are_plain && mixed::are_meant(self.n_numbers, n_cells, &texts, true))
            || (are_percent && self.n_numbers == 0);
        match levels.first() {
            Some(first) if infer::looks_numeric(numbers, others) && !may_be_meant => {
                let n_offences = levels.iter().map(|level| level.count).sum();
                let disguise = disguise(&first.text);
                let error = remarks::not_a_number(about, first, n_offences, disguise, false);
                Outcome::Done((Err(error), Vec::new()))
            }
            _ => Outcome::ReadAsText,
        }
    }

    /// The column as text, which is known when no cell was turned into a number.
    fn into_text(self) -> TextCells {
        let mut codes = vec![wald::data::MISSING_LEVEL; self.values.len()];
        for (row, code) in self.exception_cells {
            codes[row as usize] = code;
        }
        TextCells::new(self.exceptions, codes)
    }
}

/// Bytes of a list that gets `n_more` entries: where it has no room it doubles.
fn grown<T>(list: &Vec<T>, n_more: usize) -> usize {
    let has_room = list.len() + n_more <= list.capacity();
    size_of::<T>() * if has_room { list.capacity() } else { 2 * list.capacity() + n_more }
}

fn lossy(text: &[u8]) -> Box<str> {
    String::from_utf8_lossy(text).into()
}
