//! The separator, the quote and the decimal mark, detected from the first lines.

use crate::cell;
use crate::csv::records::{Marks, Records};
use crate::error::{TableError, escape};
use crate::origin::Origin;

/// Separators, the likeliest first.
const SEPARATORS: [(u8, &str); 4] =
    [(b',', "comma"), (b';', "semicolon"), (b'\t', "tab"), (b'|', "bar")];

/// Records that are looked at.
const N_RECORDS: usize = 200;

/// How a text file spells its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) marks: Marks,
    pub(crate) decimal: u8,
}

impl Dialect {
    /// What differs from the usual comma, double quote and decimal point.
    pub(crate) fn notes(self) -> Vec<String> {
        let mut notes = Vec::new();
        let separator = SEPARATORS.iter().find(|(byte, _)| *byte == self.marks.separator);
        if let Some((_, name)) = separator.filter(|(byte, _)| *byte != b',') {
            notes.push(format!("columns are separated by {name}s"));
        }
        if self.marks.quote != b'"' {
            notes.push("cells are quoted by apostrophes".to_owned());
        }
        if self.decimal != b'.' {
            notes.push("numbers have decimal commas".to_owned());
        }
        notes
    }
}

/// Detects the dialect of `sample`, the first bytes of a decoded file.
///
/// A separator has to split the header; of several, the one wins that gives most records as many
/// cells as the header has.
pub(crate) fn dialect(sample: &[u8], origin: &Origin) -> Result<Dialect, TableError> {
    let mut best = (Marks { separator: b',', quote: b'"' }, (0, 0));
    for (separator, _) in SEPARATORS {
        let (marks, shape) = best_quote(sample, origin, separator);
        if shape.n_cells < 2 {
            continue;
        }
        let score = (shape.n_alike * 1000 / shape.n_records.max(1), shape.n_cells);
        if score > best.1 {
            best = (marks, score);
        }
    }
    let marks = best.0;
    let decimal = if marks.separator == b',' { b'.' } else { decimal_mark(sample, origin, marks)? };
    Ok(Dialect { marks, decimal })
}

/// How the first records look with certain marks.
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    /// Cells of the header.
    n_cells: usize,
    /// Records with as many cells.
    n_alike: usize,
    n_records: usize,
    /// True when a quote is misplaced.
    is_broken: bool,
}

fn shape(sample: &[u8], origin: &Origin, marks: Marks) -> Shape {
    let mut records = Records::new(Box::new(sample), origin, marks);
    let mut shape = Shape::default();
    while shape.n_records < N_RECORDS {
        match records.advance() {
            Ok(true) => {}
            Ok(false) => break,
            // An error in the sample is found again, and reported, when the whole file is read.
            Err(_) => {
                shape.is_broken = true;
                break;
            }
        }
        if shape.n_records == 0 {
            shape.n_cells = records.len();
        }
        shape.n_records += 1;
        shape.n_alike += usize::from(records.len() == shape.n_cells);
    }
    shape
}

/// An apostrophe when it, and no double quote, encloses cells; else a double quote.
fn best_quote(sample: &[u8], origin: &Origin, separator: u8) -> (Marks, Shape) {
    let marks = Marks { separator, quote: b'"' };
    let plain = shape(sample, origin, marks);
    if sample.contains(&b'"') || !has_enclosed_cell(sample, separator) {
        return (marks, plain);
    }
    let other_marks = Marks { separator, quote: b'\'' };
    let other = shape(sample, origin, other_marks);
    if other.is_broken || other.n_alike < plain.n_alike {
        return (marks, plain);
    }
    (other_marks, other)
}

/// True when a cell starts and ends with an apostrophe.
fn has_enclosed_cell(sample: &[u8], separator: u8) -> bool {
    let lines = sample.split(|&byte| byte == b'\n' || byte == b'\r').take(N_RECORDS);
    lines
        .flat_map(|line| line.split(|&byte| byte == separator))
        .any(|cell| matches!(cell.trim_ascii(), [b'\'', .., b'\'']))
}

/// A comma when numbers are written with commas.
///
/// # Errors
/// When all commas could as well separate thousands: guessing could change the numbers.
fn decimal_mark(sample: &[u8], origin: &Origin, marks: Marks) -> Result<u8, TableError> {
    let mut records = Records::new(Box::new(sample), origin, marks);
    let (mut n_commas, mut n_points) = (0, 0);
    let mut ambiguous: Option<(u64, String)> = None;
    let mut is_clear = false;
    let mut n_records = 0;
    while n_records < 10 * N_RECORDS && records.advance().unwrap_or(false) {
        n_records += 1;
        for text in records.cells() {
            if text.contains(&b'.') && cell::number(text, b'.').is_some() {
                n_points += 1;
            }
            if !text.contains(&b',') {
                continue;
            }
            if cell::is_grouped(text, b',', b'.') {
                let value = || String::from_utf8_lossy(text).into_owned();
                ambiguous.get_or_insert_with(|| (records.line(), value()));
            } else if cell::number(text, b',').is_some() {
                is_clear = true;
            } else {
                continue;
            }
            n_commas += 1;
        }
    }
    if n_commas == 0 || n_points > n_commas {
        return Ok(b'.');
    }
    match ambiguous {
        Some((line, value)) if !is_clear && n_points == 0 => Err(TableError::data(
            format!(
                "it is unclear whether the comma in `{}` marks decimals or thousands",
                escape(&value)
            ),
            "write numbers with decimal points and without thousands separators",
        )
        .file(origin.name())
        .line(line)
        .value(&value)),
        _ if is_clear => Ok(b','),
        _ => Ok(b'.'),
    }
}
