//! The refusal of work that needs more memory than is free.

use crate::error::Error;
use crate::memory::size::{Size, SizePart};
use crate::message;
use crate::message::{Message, Procedure, Value};
use crate::run::Threads;
use crate::setting;
use crate::words::counted;

/// Who is about to take memory.
struct Task {
    n_trees: usize,
    threads: Threads,
    /// The share of its largest part that there is room for.
    share: f64,
}

impl Size {
    /// Whether the task fits into the bytes that are free, which may be unknown; where it does not, the refusal names what
    /// takes most, and what makes that smaller. `doing` begins the sentence, as `growing 500 trees`.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn check(
        &self,
        doing: &str,
        n_trees: usize,
        threads: Threads,
        free: Option<u64>,
    ) -> Result<(), Error> {
        let Some(free) = free.filter(|free| self.total() > *free) else { return Ok(()) };
        let (part, bytes) = match self.largest() {
            (SizePart::Trees, trees) => (SizePart::Trees, trees.saturating_add(self.model_file)),
            largest => largest,
        };
        // What is left for that part.
        let others = match part {
            SizePart::Trees => self.besides_trees(),
            _ => self.total() - bytes,
        };
        let share = free.saturating_sub(others) as f64 / bytes as f64;
        let for_what = match part {
            SizePart::Ranks => "for the columns as ranks",
            SizePart::Working => "for the work of all threads",
            SizePart::OutOfBag => "for the out-of-bag predictions",
            SizePart::Altered => "for the changes of out-of-bag predictions",
            SizePart::PerTree => "for the importances in every single tree",
            SizePart::Trees if self.model_file > 0 => "for the trees and their file",
            SizePart::Trees => "for the trees",
        };
        let (needed, bytes, free) = (amount(self.total()), amount(bytes), amount(free));
        Err(Error::too_large(
            format!(
                "{doing} needs about {needed} of memory besides the table, {bytes} {for_what}, but \
                 {free} is free"
            ),
            Task { n_trees, threads, share }.help(part),
        ))
    }

    /// Whether the task, with its table, fits so many times at once into the bytes that are free;
    /// where it does not, the refusal names the number of rows that fit.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn check_together(
        &self,
        together: u64,
        n_rows: usize,
        free: Option<u64>,
    ) -> Result<(), Error> {
        let needed = self.with_table().saturating_mul(together.max(1));
        let Some(free) = free.filter(|free| needed > *free) else { return Ok(()) };
        // Almost everything grows with the number of rows.
        let n_fit = rounded((n_rows as f64 * (free as f64 / needed as f64)) as usize);
        let each = amount(self.with_table());
        Err(Error::too_large(
            format!(
                "a part of the work needs about {each} of memory with its table, but {} is free for \
                 {} at a time",
                amount(free),
                counted(together.max(1) as usize, "part")
            ),
            format!("use fewer workers on each machine, or about {n_fit} of the {n_rows} rows"),
        ))
    }
}

impl Task {
    /// What makes a part smaller.
    fn help(&self, part: SizePart) -> Message {
        let n_threads = (self.share * self.threads.get().min(self.n_trees) as f64) as usize;
        match part {
            SizePart::Ranks => "use a sample of the rows, or fewer columns".into(),
            SizePart::Working if n_threads > 0 => {
                message!("use fewer threads", setting::THREADS.to(Value::Number(n_threads)).hint())
            }
            SizePart::Working => message!(
                "make trees smaller (",
                setting::MIN_NODE_SIZE,
                ", ",
                setting::MAX_DEPTH,
                ", ",
                setting::SAMPLE_FRACTION,
                "), or use fewer threads",
                setting::THREADS.hint(),
                ", rows or classes"
            ),
            SizePart::OutOfBag => message!(
                "use fewer rows or classes: merge rare classes, or predict a number",
                setting::TASK.word("regression").hint()
            ),
            SizePart::Altered => message!(
                "measure fewer things at a time",
                setting::MEASURE.hint(),
                ", fewer random permutations, rows or classes, or put columns together",
                setting::GROUP.hint()
            ),
            SizePart::PerTree => message!(
                self.fewer_trees(),
                ", measures or columns; a few thousand trees are enough for stable rankings"
            ),
            SizePart::Trees => message!(
                self.fewer_trees(),
                ", or make them smaller (",
                setting::MIN_NODE_SIZE,
                ", ",
                setting::MAX_DEPTH,
                ")",
                message!(
                    "; ",
                    Procedure::new("importance"),
                    " and ",
                    Procedure::new("report"),
                    " need not keep trees"
                )
                .of_tables()
            ),
        }
    }

    fn fewer_trees(&self) -> String {
        match (self.share * self.n_trees as f64) as usize {
            0 => "ask for fewer trees".to_owned(),
            n_fit => format!("ask for fewer trees (about {} fit)", rounded(n_fit)),
        }
    }
}

/// Whether bytes are free, where that is known.
///
/// # Errors
/// [`Error::TooLarge`], with the given help.
pub fn check_bytes(
    doing: &str,
    needed: u64,
    free: Option<u64>,
    help: impl Into<Message>,
) -> Result<(), Error> {
    match free {
        Some(free) if needed > free => {
            let (needed, free) = (amount(needed), amount(free));
            let what = format!("{doing} needs about {needed} of memory, but {free} is free");
            Err(Error::too_large(what, help))
        }
        _ => Ok(()),
    }
}

/// Bytes in words, with three digits.
pub fn amount(bytes: u64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut number = bytes as f64;
    let mut unit = 0;
    while number >= 999.5 && unit + 1 < units.len() {
        number /= 1000.0;
        unit += 1;
    }
    let decimals = match number {
        _ if unit == 0 => 0,
        10.0.. => 0,
        _ => 1,
    };
    format!("{number:.decimals$} {}", units[unit])
}

/// Two digits are all that an estimate is worth.
fn rounded(number: usize) -> usize {
    let unit = 10_usize.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(1));
    number / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_fit_are_named() {
        let size = Size { table: 40, ranks: 60, ..Size::default() };
        assert_eq!(size.check_together(4, 1000, Some(400)), Ok(()));
        assert_eq!(size.check_together(4, 1000, None), Ok(()));
        let refused = size.check_together(4, 1000, Some(100)).expect_err("400 bytes are needed");
        let words = "a part of the work needs about 100 bytes of memory with its table, but 100 bytes \
                     is free for 4 parts at a time";
        assert_eq!(refused.to_string(), words);
        let help = "use fewer workers on each machine, or about 250 of the 1000 rows";
        assert_eq!(refused.help(), help);
    }

    #[test]
    fn amounts_are_short() {
        let bytes = [0, 999, 1_000, 9_949, 10_400, 999_600, 22_100_000_000, u64::MAX];
        let words =
            ["0 bytes", "999 bytes", "1.0 kB", "9.9 kB", "10 kB", "1.0 MB", "22 GB", "18 EB"];
        assert_eq!(bytes.map(amount), words);
        assert_eq!([0, 7, 99, 123, 98_765].map(rounded), [0, 7, 99, 120, 98_000]);
    }
}
