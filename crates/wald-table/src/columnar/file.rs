//! Files with typed columns: how they are read, and refused.
//!
//! The libraries that read them work on a thread of their own: damaged files make them panic or
//! recurse deeply, and neither may take the program down.

use std::sync::Once;
use wald::{message, setting};

use wald::words::counted;

use crate::about::About;
use crate::error::{ErrorClass, TableError, escape, escape_controls};
use crate::options::ReadOptions;
use crate::origin::Origin;
use crate::table::{RowPlaces, Table, TableColumn};

/// Name of the thread whose panics are turned into errors.
const THREAD: &str = "wald-columns";

/// Stack of that thread; schemas may be nested as deeply as the footer is long.
const STACK: usize = 64 << 20;

/// Rows are addressed by u32, and `u32::MAX` is kept as a mark.
const MOST_ROWS: u64 = u32::MAX as u64 - 1;

/// A table of this size is always accepted.
const MODEST_BYTES: u64 = 1 << 30;

/// No real table grows more than this when it is unpacked; a hostile one may.
const MOST_GROWTH: u64 = 2000;

/// Rows of these files are numbered.
static PLACES: RowPlaces = RowPlaces::Rows;

/// A file with typed columns that is being read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TypedFile<'a> {
    /// The name of the format.
    pub(crate) format: &'static str,
    pub(crate) origin: &'a Origin,
    pub(crate) options: &'a ReadOptions,
}

impl TypedFile<'_> {
    /// What `read` makes of the file; a panic is an error.
    pub(crate) fn read(
        self,
        read: impl FnOnce(Self) -> Result<Table, TableError> + Send,
    ) -> Result<Table, TableError> {
        silence_panics();
        let outcome = std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK);
            match builder.spawn_scoped(scope, || read(self)) {
                Ok(worker) => worker.join().ok(),
                Err(error) => Some(Err(self.origin.cannot_read(&error))),
            }
        });
        outcome.unwrap_or_else(|| Err(self.damaged("its parts contradict each other")))
    }

    /// A column of the file, for messages.
    pub(crate) fn about<'b>(&'b self, column: &'b str) -> About<'b> {
        About {
            file: self.origin.name(),
            column,
            places: &PLACES,
            decimal: b'.',
            infinite: self.options.infinite,
        }
    }

    /// The table of these columns.
    pub(crate) fn table(&self, columns: Vec<TableColumn>, n_rows: u64) -> Table {
        Table {
            source: self.origin.name().to_owned(),
            columns,
            n_rows: n_rows as usize,
            notes: vec![format!("the file is {} {} file", article(self.format), self.format)],
            places: PLACES.clone(),
        }
    }

    /// Refuses a table without rows, and one whose rows are more than the file can hold.
    pub(crate) fn check_rows(&self, n_rows: u64, n_columns: usize) -> Result<(), TableError> {
        if n_rows == 0 {
            return Err(TableError::data("the table has columns but no rows", "add rows of data")
                .file(self.origin.name()));
        }
        let bytes = n_rows.saturating_mul(8).saturating_mul(n_columns as u64);
        if n_rows > MOST_ROWS || bytes > self.most_bytes()? {
            let rows = counted(n_rows as usize, "row");
            return Err(TableError::new(
                ErrorClass::TooLarge,
                format!("the file claims {rows}, more than can be held"),
                "use a sample of the rows; if the file should be smaller, it is damaged",
            )
            .file(self.origin.name()));
        }
        // Text takes half as much as numbers, besides its levels.
        if self.options.memory.is_some_and(|memory| bytes / 2 > memory) {
            let what = format!(
                "the table of {} needs more memory than is free",
                counted(n_rows as usize, "row")
            );
            let help = "use a sample of the rows, or fewer columns";
            return Err(TableError::new(ErrorClass::TooLarge, what, help).file(self.origin.name()));
        }
        Ok(())
    }

    /// The bytes that the file can hold, unpacked.
    pub(crate) fn most_bytes(&self) -> Result<u64, TableError> {
        Ok(MODEST_BYTES.max(self.origin.length()?.saturating_mul(MOST_GROWTH)))
    }

    /// The refusal of a file that cannot be read.
    pub(crate) fn damaged(&self, why: &str) -> TableError {
        TableError::data(
            format!("the {} file cannot be read: {why}", self.format),
            "write the file again; if that fails too, write it as CSV",
        )
        .file(self.origin.name())
    }

    /// The same in the words of a library, made safe.
    pub(crate) fn broken(&self, error: &impl std::error::Error) -> TableError {
        let text = error.to_string();
        let words = text.split_once(": ").map_or(text.as_str(), |(_, words)| words);
        self.damaged(&escape_controls(words.trim_end_matches('.')))
    }

    /// The refusal of a column that holds several values in a row.
    pub(crate) fn nested(&self, column: &str) -> TableError {
        TableError::data(
            format!("column \"{}\" is nested (a list, map or structure)", escape(column)),
            message!("write one column per value, or leave it out", setting::EXCLUDE.hint()),
        )
        .file(self.origin.name())
        .column(column)
    }

    /// The refusal of a column of `what`.
    pub(crate) fn unsupported(&self, column: &str, what: &str) -> TableError {
        TableError::data(
            format!("column \"{}\" holds {what}, not numbers or text", escape(column)),
            message!("write it as numbers or text, or leave it out", setting::EXCLUDE.hint()),
        )
        .file(self.origin.name())
        .column(column)
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with('A') { "an" } else { "a" }
}

/// Keeps the panics of the reading thread, which become errors, from the screen.
fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name() != Some(THREAD) {
                previous(panic);
            }
        }));
    });
}
