//! What can go wrong with a table, and where.

use std::fmt::Write as _;
use wald::message::{Message, Neutral};

use thiserror::Error;

/// A refusal that names the file, the place, the value, and how to mend it.
///
/// The display text is the one line that describes what is wrong, with settings by their
/// identifiers; a front end words it and shows the other fields below it. Text taken from the file has its control characters escaped.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", what.worded(&Neutral))]
pub struct TableError {
    /// What is wrong, without a final full stop.
    pub what: Message,
    /// The file, or `stdin`.
    pub file: Option<Box<str>>,
    /// Physical line of a text file, counted from 1.
    pub line: Option<u64>,
    /// Row of a file without lines, counted from 1.
    pub row: Option<u64>,
    /// Column name.
    pub column: Option<Box<str>>,
    /// The offending cell, as written.
    pub value: Option<Box<str>>,
    /// How to mend it, without a final full stop; empty where nothing helps.
    pub help: Message,
    /// What kind of failure this is.
    pub class: ErrorClass,
}

/// Kinds of failure, which the command line turns into exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorClass {
    /// Options contradict each other or cannot be understood.
    Usage,
    /// The data cannot be used as they are.
    BadData,
    /// The bytes could not be read.
    CannotRead,
    /// Reading would need more memory than is sensible.
    TooLarge,
    /// The caller asked to stop.
    Interrupted,
}

impl ErrorClass {
    /// The exit code of a program that ends with this failure.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::BadData => 3,
            Self::CannotRead => 5,
            Self::TooLarge => 6,
            Self::Interrupted => 130,
        }
    }
}

impl TableError {
    /// An error without a place; the builder methods add it.
    pub(crate) fn new(
        class: ErrorClass,
        what: impl Into<Message>,
        help: impl Into<Message>,
    ) -> Self {
        Self {
            what: what.into(),
            file: None,
            line: None,
            row: None,
            column: None,
            value: None,
            help: help.into(),
            class,
        }
    }

    pub(crate) fn data(what: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self::new(ErrorClass::BadData, what, help)
    }

    pub(crate) fn usage(what: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self::new(ErrorClass::Usage, what, help)
    }

    pub(crate) fn interrupted() -> Self {
        Self::new(ErrorClass::Interrupted, "interrupted", "")
    }

    pub(crate) fn file(mut self, file: &str) -> Self {
        self.file = Some(escape_controls(file).into());
        self
    }

    pub(crate) fn line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    pub(crate) fn at(mut self, place: Place) -> Self {
        match place {
            Place::Line(line) => self.line = Some(line),
            Place::Row(row) => self.row = Some(row),
        }
        self
    }

    pub(crate) fn column(mut self, name: &str) -> Self {
        self.column = Some(escape(name).into());
        self
    }

    pub(crate) fn value(mut self, value: &str) -> Self {
        self.value = Some(escape(value).into());
        self
    }
}

impl From<wald::Error> for TableError {
    fn from(error: wald::Error) -> Self {
        let column = error.column().map(str::to_owned);
        let class = match error {
            wald::Error::TooLarge { .. } => ErrorClass::TooLarge,
            wald::Error::Setting { .. } => ErrorClass::Usage,
            wald::Error::Cancelled => ErrorClass::Interrupted,
            _ => ErrorClass::BadData,
        };
        let (what, help) = error.into_messages();
        let refusal =
            Self::new(class, what.map_words(&escape_controls), help.map_words(&escape_controls));
        match column {
            Some(column) => refusal.column(&column),
            None => refusal,
        }
    }
}

/// Where a row stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Physical line of a text file, counted from 1.
    Line(u64),
    /// Row of a file without lines, counted from 1.
    Row(u64),
}

impl std::fmt::Display for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(formatter, "line {line}"),
            Self::Row(row) => write!(formatter, "row {row}"),
        }
    }
}

/// Longest piece of a file that a message repeats, in characters.
const LONGEST_QUOTE: usize = 60;

/// Makes text from a file safe to print and short: see [`escape_controls`].
pub fn escape(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        None => escape_controls(text),
        Some((end, _)) => {
            format!("{}… ({} characters)", escape_controls(&text[..end]), text.chars().count())
        }
    }
}

/// Escapes control characters and direction marks, so that no text can move the cursor or
/// pose as other text.
pub fn escape_controls(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => safe.push_str("\\t"),
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            hidden if is_hidden(hidden) => {
                // Writing to a string cannot fail.
                let _ = write!(safe, "\\u{{{:x}}}", hidden as u32);
            }
            plain => safe.push(plain),
        }
    }
    safe
}

/// Control characters, direction marks and blanks without width; joiners, which emoji and some
/// scripts need, are not hidden.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_never_reach_the_screen() {
        assert_eq!(escape("a\u{1b}[31mred"), "a\\u{1b}[31mred");
        assert_eq!(escape("two\nlines\t\u{202e}x"), "two\\nlines\\t\\u{202e}x");
        assert_eq!(escape("plain ünïcode 🙂"), "plain ünïcode 🙂");
    }

    #[test]
    fn long_text_is_cut() {
        let text = escape(&"x".repeat(5_000_000));
        assert_eq!(text, format!("{}… (5000000 characters)", "x".repeat(60)));
    }

    #[test]
    fn an_error_stays_small_enough_to_be_returned_everywhere() {
        assert!(size_of::<TableError>() <= 128);
    }
}
