//! The target, and whether it asks for regression or classification.

use wald::data::{Target, Task};
use wald::words::counted;
use wald::{message, setting};

use crate::design::options::DesignOptions;
use crate::design::rows::{as_text, distinct_numbers};
use crate::error::{TableError, escape};
use crate::names::listed;
use crate::notice::{Notice, NoticeKind};
use crate::table::{Table, Values, numeral};

/// A target with at most this many distinct values can always be classified.
const ALWAYS_CLASSES: usize = 50;

/// An integer target with at most this many distinct values may be meant as classes.
const MAYBE_CLASSES: usize = 20;

/// Builds the target from the values of the kept rows.
///
/// Text is classified. Numbers are classified when exactly two different ones occur, or when the
/// user asks for it.
pub(crate) fn build(
    table: &Table,
    index: usize,
    values: Values,
    options: &DesignOptions,
    notices: &mut Vec<Notice>,
) -> Result<Target, TableError> {
    let name = table.columns[index].name.as_str();
    let n_rows = values.len();
    match values {
        Values::Text { levels, codes } => {
            if options.task == Some(Task::Regression) {
                let row = codes.first().map_or(0, |&code| code as usize);
                return Err(TableError::data(
                    format!(
                        "regression needs numbers, but the target \"{}\" holds text",
                        escape(name)
                    ),
                    message!(
                        "use ",
                        setting::TASK.word("classification"),
                        ", or name another target"
                    ),
                )
                .column(name)
                .value(levels.get(row).map_or("", String::as_str)));
            }
            if levels.len() > ALWAYS_CLASSES && 2 * levels.len() > n_rows {
                return Err(too_many_classes(name, levels.len(), n_rows));
            }
            classes(name, levels, codes, notices)
        }
        Values::Numeric { values, integers } => {
            if values.iter().any(|value| value.abs() == f64::MAX) {
                return Err(infinite(name));
            }
            let distinct = distinct_numbers(&values);
            let task = options.task.unwrap_or(match distinct.len() {
                2 => Task::Classification,
                _ => Task::Regression,
            });
            if options.task.is_none() {
                notices.extend(choice(name, &distinct, integers));
            }
            if task == Task::Regression {
                if distinct.len() == 1 {
                    notices.push(constant(name, &numeral(distinct[0])));
                }
                return Ok(Target::regression(name, values)?);
            }
            let whole = distinct.iter().all(|value| value.fract() == 0.0);
            let all_differ = 2 * distinct.len() > n_rows;
            if distinct.len() > ALWAYS_CLASSES && (!whole || all_differ) {
                return Err(continuous(name, &distinct));
            }
            match as_text(Values::Numeric { values, integers }) {
                Values::Text { levels, codes } => classes(name, levels, codes, notices),
                Values::Numeric { values, .. } => Ok(Target::regression(name, values)?),
            }
        }
    }
}

fn classes(
    name: &str,
    levels: Vec<String>,
    codes: Vec<u32>,
    notices: &mut Vec<Notice>,
) -> Result<Target, TableError> {
    inspect_classes(name, &levels, &codes, notices);
    Ok(Target::classification(name, levels, codes)?)
}

/// Adds remarks on classes that teach nothing.
pub(crate) fn inspect_classes(
    name: &str,
    levels: &[String],
    codes: &[u32],
    notices: &mut Vec<Notice>,
) {
    if let [only] = levels {
        notices.push(constant(name, only));
    }
    let mut counts = vec![0_usize; levels.len()];
    for &code in codes {
        counts[code as usize] += 1;
    }
    let single: Vec<&str> = levels
        .iter()
        .zip(&counts)
        .filter(|(_, count)| **count == 1)
        .map(|(level, _)| level.as_str())
        .collect();
    if !single.is_empty() {
        let verb = if single.len() == 1 { "class has" } else { "classes have" };
        let message = format!(
            "{} {verb} a single row, which is too few to learn from: {}",
            single.len(),
            listed(single.iter().copied())
        );
        notices.push(Notice::new(NoticeKind::SingletonClass, Some(name), message));
    }
}

/// Reports what was inferred where it is not obvious.
fn choice(name: &str, distinct: &[f64], integers: bool) -> Option<Notice> {
    let column = escape(name);
    let message = match distinct {
        [first, second] => message!(
            format_args!(
                "classification was chosen because the target \"{column}\" has two values, {} and {}; ",
                numeral(*first),
                numeral(*second)
            ),
            setting::TASK.word("regression"),
            " treats them as numbers"
        ),
        [_, _, _, ..] if integers && distinct.len() <= MAYBE_CLASSES => message!(
            format_args!(
                "regression was chosen because the target \"{column}\" holds numbers ({} different \
                 integers); if they are classes, use ",
                distinct.len()
            ),
            setting::TASK.word("classification")
        ),
        _ => return None,
    };
    Some(Notice::new(NoticeKind::TaskChosen, Some(name), message))
}

/// The remark that the target has one value.
pub(crate) fn constant(name: &str, value: &str) -> Notice {
    let message = format!(
        "the target \"{}\" is `{}` in all rows: nothing can be learnt, and all importances are 0",
        escape(name),
        escape(value)
    );
    Notice::new(NoticeKind::ConstantTarget, Some(name), message)
}

fn too_many_classes(name: &str, n_classes: usize, n_rows: usize) -> TableError {
    TableError::data(
        format!(
            "the target \"{}\" has {} in {}, too many to learn",
            escape(name),
            counted(n_classes, "different text"),
            counted(n_rows, "row")
        ),
        "name another target; this one seems to identify the rows",
    )
    .column(name)
}

fn infinite(name: &str) -> TableError {
    TableError::data(
        format!("the target \"{}\" holds an infinite number", escape(name)),
        "targets are finite: leave such cells empty, and their rows are left out",
    )
    .column(name)
}

fn continuous(name: &str, distinct: &[f64]) -> TableError {
    let odd = distinct.iter().find(|value| value.fract() != 0.0).or(distinct.first());
    TableError::data(
        format!(
            "classification needs classes, but the target \"{}\" has {} different numbers",
            escape(name),
            distinct.len()
        ),
        message!("use ", setting::TASK.word("regression"), ", or bin the target into classes"),
    )
    .column(name)
    .value(&odd.map_or(String::new(), |value| numeral(*value)))
}
