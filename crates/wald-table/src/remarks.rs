//! Remarks on columns while their types are inferred: refusals and warnings.

use wald::message::Message;
use wald::words::counted;
use wald::{message, setting};

use crate::about::About;
use crate::cell::{self, Disguise};
use crate::error::{TableError, escape};
use crate::levels::Level;
use crate::notice::{Notice, NoticeKind};

/// Columns with more levels are names or free text, where similar spellings are no surprise.
const MANY_LEVELS: usize = 1000;

/// The refusal of a column that the user calls numeric and that holds no number; `level` is its first
/// cell.
pub(crate) fn no_numbers(about: &About<'_>, level: &Level) -> TableError {
    let column = escape(about.column);
    TableError::data(
        format!("column \"{column}\" holds no numbers"),
        message!("leave out ", setting::NUMERIC.column(&column)),
    )
    .file(about.file)
    .at(about.places.place(level.first_row as usize))
    .column(about.column)
    .value(&level.text)
}

/// The refusal of a numeric column because of `level`, the first cell that is not a number.
pub(crate) fn not_a_number(
    about: &About<'_>,
    level: &Level,
    n_offences: usize,
    disguise: Option<Disguise>,
    is_called_numeric: bool,
) -> TableError {
    let column = escape(about.column);
    let what = match n_offences {
        1 => format!("column \"{column}\" holds numbers, but one cell is not a number"),
        n => format!("column \"{column}\" holds numbers, but {n} cells are not numbers"),
    };
    let mend =
        disguise.map_or("mend the cell, or leave it empty if the value is missing", Disguise::help);
    let mut help = message!(
        mend,
        "; if the column holds categories, use ",
        setting::CATEGORICAL.column(&column)
    );
    if !is_called_numeric {
        let numeric = setting::NUMERIC.column(&column);
        help = message!(help, "; to count such cells as missing, use ", numeric);
    }
    TableError::data(what, help)
        .file(about.file)
        .at(about.places.place(level.first_row as usize))
        .column(about.column)
        .value(&level.text)
}

/// The refusal of a numeric column with an infinite value.
pub(crate) fn infinite(about: &About<'_>, row: u32, value: &str) -> TableError {
    TableError::data(
        format!("column \"{}\" holds a number that is infinite or too large", escape(about.column)),
        message!(
            "use ",
            setting::INFINITE.word("keep"),
            ", which counts it as the largest number there is; or replace it by a finite number, \
             or leave the cell empty if the value is missing"
        ),
    )
    .file(about.file)
    .at(about.places.place(row as usize))
    .column(about.column)
    .value(value)
}

/// The refusal of a column of integers that f64 would merge.
pub(crate) fn large_integer(about: &About<'_>, row: u32, value: &str) -> TableError {
    let column = escape(about.column);
    TableError::data(
        format!(
            "column \"{column}\" holds integers above 2^53, which would lose digits as numbers"
        ),
        message!(
            "use ",
            setting::CATEGORICAL.column(&column),
            " or ",
            setting::EXCLUDE.column(&column)
        ),
    )
    .file(about.file)
    .at(about.places.place(row as usize))
    .column(about.column)
    .value(value)
}

/// The remark that cells such as `?` count as missing.
pub(crate) fn missing_spelling(column: &str, spelling: &str, count: usize) -> Notice {
    let cells = if count == 1 { "cell".to_owned() } else { counted(count, "cell") };
    let verb = if count == 1 { "counts" } else { "count" };
    Notice::new(
        NoticeKind::MissingSpelling,
        Some(column),
        format!("column \"{}\": {cells} `{}` {verb} as missing", escape(column), escape(spelling)),
    )
}

/// The remark that a column of numbers and other cells is treated as levels.
pub(crate) fn mixed_levels(column: &str, others: &[&Level]) -> Notice {
    let n_cells = others.iter().map(|level| level.count).sum();
    let name = escape(column);
    let message = message!(
        format_args!(
            "column \"{name}\" holds numbers and {} ({}): it is treated as categories; ",
            counted(n_cells, "other cell"),
            examples(others)
        ),
        setting::NUMERIC.column(&name),
        " reads the numbers and counts the other cells as missing"
    );
    Notice::new(NoticeKind::MixedCells, Some(column), message)
}

/// The remark that cells which are no numbers count as missing.
pub(crate) fn others_missing(column: &str, others: &[&Level], is_inferred: bool) -> Notice {
    let n_cells = others.iter().map(|level| level.count).sum();
    let (are, count) = if n_cells == 1 { ("is", "counts") } else { ("are", "count") };
    let name = escape(column);
    let mut message = Message::from(format!(
        "column \"{name}\" holds numbers; {} that {are} no number ({}) {count} as missing",
        counted(n_cells, "cell"),
        examples(others)
    ));
    if is_inferred {
        let categorical = setting::CATEGORICAL.column(&name);
        message = message!(message, "; ", categorical, " treats all cells as categories");
    }
    Notice::new(NoticeKind::MixedCells, Some(column), message)
}

/// The most frequent texts, and how many more there are.
fn examples(levels: &[&Level]) -> String {
    const SHOWN: usize = 4;
    let mut levels = levels.to_vec();
    levels.sort_by_key(|level| (std::cmp::Reverse(level.count), level.first_row));
    let shown = levels.iter().take(SHOWN).map(|level| format!("`{}`", escape(&level.text)));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match levels.len() {
        0..=SHOWN => shown,
        n => format!("{shown} and {}", counted(n - SHOWN, "other text")),
    }
}

/// The remark that percent signs were dropped.
pub(crate) fn percent(column: &str, text: &str) -> Notice {
    let message = format!(
        "column \"{}\" holds percentages, read as numbers without their sign (`{}`)",
        escape(column),
        escape(text)
    );
    Notice::new(NoticeKind::Percent, Some(column), message)
}

/// The remark that infinite numbers are kept.
pub(crate) fn infinite_kept(column: &str, n_cells: usize) -> Option<Notice> {
    let message = format!(
        "column \"{}\": {} with an infinite number {} as the largest number there is",
        escape(column),
        counted(n_cells, "cell"),
        if n_cells == 1 { "counts" } else { "count" }
    );
    (n_cells > 0).then(|| Notice::new(NoticeKind::Infinite, Some(column), message))
}

/// The remark that numbers with leading zeros may be codes.
pub(crate) fn padded(column: &str, value: &str) -> Notice {
    let name = escape(column);
    Notice::new(
        NoticeKind::PaddedNumbers,
        Some(column),
        message!(
            format_args!(
                "column \"{name}\" is read as numbers although some start with zeros (`{}`); if \
                 they are codes, use ",
                escape(value)
            ),
            setting::CATEGORICAL.column(&name)
        ),
    )
}

/// The remark that dates were turned into numbers.
pub(crate) fn dates_as_numbers(column: &str, unit: &str) -> Notice {
    let message =
        format!("column \"{}\" holds dates, read as {unit} since 1970-01-01", escape(column));
    Notice::new(NoticeKind::Dates, Some(column), message)
}

/// Remarks on levels that may be meant as missing or as one level.
pub(crate) fn level_notices(column: &str, texts: &[String]) -> Vec<Notice> {
    let name = escape(column);
    let mut notices = Vec::new();
    // `None` and `none` are ordinary answers; saying so for every table would be noise.
    let suspicious = |text: &&String| {
        cell::is_missing_number(text.as_bytes()) && !text.eq_ignore_ascii_case("none")
    };
    if let Some(text) = texts.iter().find(suspicious) {
        let message = format!(
            "column \"{name}\": `{}` is kept as a level; leave the cells empty if it means missing",
            escape(text)
        );
        notices.push(Notice::new(NoticeKind::MissingLikeLevel, Some(column), message));
    }
    if texts.len() > MANY_LEVELS {
        return notices;
    }
    let mut folded: Vec<(String, &String)> =
        texts.iter().map(|text| (text.trim().to_lowercase(), text)).collect();
    folded.sort();
    if let Some(pair) = folded.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let message = format!(
            "column \"{name}\": levels `{}` and `{}` differ only by case or blanks and are kept apart",
            escape(pair[0].1),
            escape(pair[1].1)
        );
        notices.push(Notice::new(NoticeKind::SimilarLevels, Some(column), message));
    }
    notices
}
