//! Remarks about data that are usable but deserve a second look.

use wald::message::Message;

/// A remark that a front end shows besides the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What the remark is about, for programs.
    pub kind: NoticeKind,
    /// The column concerned, where there is exactly one; as written in the file.
    pub column: Option<String>,
    /// The remark, in words; safe to print.
    pub message: Message,
}

/// What a [`Notice`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoticeKind {
    /// Cells such as `?` count as missing among numbers.
    MissingSpelling,
    /// A text column has a level such as `?`, which is kept as a level.
    MissingLikeLevel,
    /// Levels differ only by upper and lower case.
    SimilarLevels,
    /// A column holds numbers and other cells: levels, or numbers with missing values.
    MixedCells,
    /// Percent signs were dropped.
    Percent,
    /// Infinite numbers count as the largest ones.
    Infinite,
    /// Dates were turned into numbers.
    Dates,
    /// Numbers start with zeros and may be codes.
    PaddedNumbers,
    /// A column declared as text holds only numbers.
    NumbersAsText,
    /// Text that begins with digits may be dates, times or numbers with units.
    TextOfNumbers,
    /// Integers with few distinct values are treated as numbers.
    IntegerColumns,
    /// Held-out rows have levels that the training data do not have.
    NewLevels,
    /// Rows without a target, or incomplete rows, were dropped.
    RowsDropped,
    /// Regression or classification was inferred.
    TaskChosen,
    /// The target has one value: the forest is a single leaf.
    ConstantTarget,
    /// A class has a single row.
    SingletonClass,
    /// An input variable has one value: its importance is 0.
    ConstantColumn,
    /// An input variable has no value at all: its importance is 0.
    MissingColumn,
    /// An input variable numbers or names the rows.
    Identifier,
    /// An input variable determines the target.
    Leak,
}

impl NoticeKind {
    /// The report's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::ConstantColumn | Self::ConstantTarget => "constant",
            Self::Identifier => "id-like",
            Self::Leak => "leak",
            Self::MissingColumn
            | Self::MissingLikeLevel
            | Self::MissingSpelling
            | Self::RowsDropped => "missing",
            _ => "note",
        }
    }
}

impl Notice {
    pub(crate) fn new(kind: NoticeKind, column: Option<&str>, message: impl Into<Message>) -> Self {
        Self { kind, column: column.map(str::to_owned), message: message.into() }
    }
}
