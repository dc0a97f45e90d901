//! Remarks on input variables that deserve a second look.

use std::collections::HashMap;
use wald::message::Message;
use wald::{message, setting};

use wald::data::{MISSING_LEVEL, Response, Target};

use crate::error::escape;
use crate::names::listed;
use crate::notice::{Notice, NoticeKind};
use crate::table::{Values, numeral};

/// Fewer rows than this prove nothing about identifiers and leaks.
const FEWEST_ROWS: usize = 10;

/// Integers with at most this many distinct values may be categories.
const MAYBE_CATEGORIES: usize = 10;

/// Text of fewer levels may be ranges of numbers, which are categories.
const MANY_LEVELS: usize = 20;

/// The share of levels that begin with a digit from which on these are not names.
const MOST_LEVELS: f64 = 0.9;

/// Rows looked at before a column is compared as a whole.
const FIRST_LOOK: usize = 64;

/// Adds remarks on all features.
pub(crate) fn inspect(features: &[(String, Values)], target: &Target, notices: &mut Vec<Notice>) {
    let mut few_integers = Vec::new();
    for (name, values) in features {
        let column = escape(name);
        let mut remark = |kind, what: Message| {
            let message = message!("column \"", &column, "\" ", what);
            notices.push(Notice::new(kind, Some(name), message));
        };
        match sole_value(values) {
            Sole::Nothing => {
                remark(
                    NoticeKind::MissingColumn,
                    "has no value at all: its importance is 0".into(),
                );
                continue;
            }
            // A column that is missing in some rows may be informative by that.
            Sole::Value(_) if values.n_missing() > 0 => continue,
            Sole::Value(value) => {
                remark(
                    NoticeKind::ConstantColumn,
                    format!("is constant (`{}`): its importance is 0", escape(&value)).into(),
                );
                continue;
            }
            Sole::Several => {}
        }
        if is_identifier(values) {
            remark(
                NoticeKind::Identifier,
                message!(
                    "has a different value in every row, like an identifier; consider leaving it out",
                    setting::EXCLUDE.hint()
                ),
            );
        }
        if let Some(level) = level_like_a_number(values) {
            remark(
                NoticeKind::TextOfNumbers,
                format!(
                    "is read as text, though nearly all of its levels begin with a digit, such as `{}`: their order is \
                     lost, and an effect of levels of few rows cannot be learned; write dates as 2018-09-17, times \
                     as numbers, of minutes for example, and numbers without units",
                    escape(level)
                )
                .into(),
            );
        }
        if determines_target(values, target) {
            remark(
                NoticeKind::Leak,
                format!(
                    "determines the target \"{}\" exactly and is determined by it: is it the target in another form?",
                    escape(target.name())
                ).into(),
            );
        }
        if let Values::Numeric { values, integers: true } = values
            && has_few_values(values)
        {
            few_integers.push(name.as_str());
        }
    }
    if !few_integers.is_empty() {
        let message = message!(
            "integers with few different values are treated as numbers: ",
            listed(few_integers.iter().copied()),
            "; if they stand for categories, read them as categories",
            setting::CATEGORICAL.hint()
        );
        notices.push(Notice::new(NoticeKind::IntegerColumns, None, message));
    }
}

/// How many different values a column has.
pub(super) enum Sole {
    Nothing,
    Value(String),
    Several,
}

pub(super) fn sole_value(values: &Values) -> Sole {
    match values {
        Values::Numeric { values, .. } => {
            let mut known = values.iter().filter(|value| !value.is_nan());
            match known.next() {
                None => Sole::Nothing,
                Some(first) if known.all(|value| value == first) => Sole::Value(numeral(*first)),
                Some(_) => Sole::Several,
            }
        }
        Values::Text { levels, codes } => {
            let mut known = codes.iter().filter(|&&code| code != MISSING_LEVEL);
            match known.next() {
                None => Sole::Nothing,
                Some(first) if known.all(|code| code == first) => {
                    Sole::Value(levels.get(*first as usize).cloned().unwrap_or_default())
                }
                Some(_) => Sole::Several,
            }
        }
    }
}

/// The first level of many that nearly all begin with a digit, or a digit behind a sign, and are no numbers.
fn level_like_a_number(values: &Values) -> Option<&str> {
    let Values::Text { levels, .. } = values else { return None };
    let is_like = |level: &&String| {
        let rest = level.trim_start_matches(['+', '-', '<', '>', '~']).trim_start();
        rest.starts_with(|c: char| c.is_ascii_digit()) && level.parse::<f64>().is_err()
    };
    let first = levels.iter().find(is_like)?;
    let n_like = levels.iter().filter(is_like).count() as f64;
    let is_found = levels.len() > MANY_LEVELS && n_like >= MOST_LEVELS * levels.len() as f64;
    is_found.then_some(first)
}

/// Text that differs in every row, or integers that count the rows in some order.
pub(super) fn is_identifier(values: &Values) -> bool {
    let n_rows = values.len();
    if n_rows < FEWEST_ROWS {
        return false;
    }
    match values {
        Values::Text { levels, codes } => levels.len() == n_rows && !codes.contains(&MISSING_LEVEL),
        Values::Numeric { integers: false, .. } => false,
        Values::Numeric { values, .. } => {
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            let mut seen = vec![false; n_rows];
            values.iter().all(|value| {
                let offset = value - lowest;
                // The comparison is false for a missing value, too.
                offset < n_rows as f64 && !std::mem::replace(&mut seen[offset as usize], true)
            })
        }
    }
}

/// Integers with three to ten different values; two make no difference.
fn has_few_values(values: &[f64]) -> bool {
    let mut seen: Vec<f64> = Vec::with_capacity(MAYBE_CATEGORIES + 1);
    for value in values.iter().filter(|value| !value.is_nan()) {
        if !seen.contains(value) {
            seen.push(*value);
            if seen.len() > MAYBE_CATEGORIES {
                return false;
            }
        }
    }
    seen.len() > 2
}

/// True when feature and target are functions of each other, beyond what chance explains.
///
/// Columns whose values all differ are functions of each other trivially; among them only those
/// in the same or opposite order as the target count.
fn determines_target(values: &Values, target: &Target) -> bool {
    let n_rows = values.len();
    let n_known = n_rows - values.n_missing();
    if n_known < FEWEST_ROWS || 2 * n_known < n_rows {
        return false;
    }
    if is_bijection(values, target) {
        return true;
    }
    match (values, target.response()) {
        (Values::Numeric { values, .. }, Response::Regression(numbers)) => {
            in_order(&values[..n_rows.min(FIRST_LOOK)], &numbers[..n_rows.min(FIRST_LOOK)])
                && in_order(values, numbers)
        }
        _ => false,
    }
}

/// True when equal values mean equal targets and the other way round, with repetitions.
fn is_bijection(values: &Values, target: &Target) -> bool {
    let mut forward: HashMap<u64, u64> = HashMap::new();
    let mut backward: HashMap<u64, u64> = HashMap::new();
    let mut n_known = 0;
    for row in (0..values.len()).filter(|&row| !values.is_missing(row)) {
        let from = match values {
            Values::Numeric { values, .. } => (values[row] + 0.0).to_bits(),
            Values::Text { codes, .. } => u64::from(codes[row]),
        };
        let to = match target.response() {
            Response::Regression(numbers) => (numbers[row] + 0.0).to_bits(),
            Response::Classification(categories) => u64::from(categories.codes()[row]),
            Response::Several(_) => return false,
        };
        n_known += 1;
        if *forward.entry(from).or_insert(to) != to || *backward.entry(to).or_insert(from) != from {
            return false;
        }
        // Hardly any repetition so far: the order, not the repetitions, is decisive.
        if n_known >= FIRST_LOOK && 2 * forward.len() > n_known {
            return false;
        }
    }
    forward.len() >= 2 && 2 * forward.len() <= n_known
}

/// True when sorting by `values` sorts `numbers` strictly up, or strictly down, with equal ties.
fn in_order(values: &[f64], numbers: &[f64]) -> bool {
    let mut pairs: Vec<(f64, f64)> = values
        .iter()
        .zip(numbers)
        .filter(|(value, _)| !value.is_nan())
        .map(|(value, number)| (value + 0.0, number + 0.0))
        .collect();
    pairs.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
    pairs.dedup();
    if pairs.len() < FEWEST_ROWS {
        return false;
    }
    let increasing = pairs[0].1 < pairs[1].1;
    pairs.windows(2).all(|pair| {
        let (left, right) = (pair[0], pair[1]);
        left.0 != right.0 && left.1 != right.1 && (left.1 < right.1) == increasing
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(values: Values, target: &Target) -> Vec<NoticeKind> {
        let mut notices = Vec::new();
        inspect(&[("x".to_owned(), values)], target, &mut notices);
        notices.iter().map(|notice| notice.kind).collect()
    }

    fn numbers(values: Vec<f64>, integers: bool) -> Values {
        Values::Numeric { values, integers }
    }

    fn target() -> Target {
        let values = (0..40).map(|i| f64::from(i * 7919 % 101)).collect();
        Target::regression("y", values).expect("finite numbers")
    }

    #[test]
    fn columns_without_information_are_remarked() {
        let missing = numbers(vec![f64::NAN; 40], false);
        assert_eq!(kinds(missing, &target()), [NoticeKind::MissingColumn]);
        assert_eq!(kinds(numbers(vec![2.0; 40], false), &target()), [NoticeKind::ConstantColumn]);
    }

    #[test]
    fn row_numbers_and_names_are_remarked() {
        let ids = (0..40).map(|i| f64::from(1000 + i * 3 % 40)).collect();
        assert_eq!(kinds(numbers(ids, true), &target()), [NoticeKind::Identifier]);
        let levels = (0..40).map(|i| format!("{i:03}")).collect();
        let names = Values::Text { levels, codes: (0..40).collect() };
        assert_eq!(kinds(names, &target()), [NoticeKind::Identifier]);
    }

    #[test]
    fn dates_times_and_numbers_with_units_are_remarked() {
        let text = |n_levels: u32, of: &dyn Fn(u32) -> String| Values::Text {
            levels: (0..n_levels).map(of).collect(),
            codes: (0..120).map(|row| row % n_levels).collect(),
        };
        let found = [NoticeKind::TextOfNumbers];
        assert_eq!(kinds(text(30, &|at| format!("{at:02}.07.2018")), &target()), found);
        assert_eq!(kinds(text(30, &|at| format!("{at}:30 PM")), &target()), found);
        assert_eq!(kinds(text(30, &|at| format!("-{at}.5 °C")), &target()), found);
        // A few may be words.
        let some = |at: u32| if at < 3 { format!("none {at}") } else { format!("{at} kg") };
        assert_eq!(kinds(text(30, &some), &target()), found);
        assert_eq!(kinds(text(29, &some), &target()), []);
        // Ranges, names and codes are categories.
        assert_eq!(kinds(text(20, &|at| format!("{at}0-{at}9")), &target()), []);
        assert_eq!(kinds(text(30, &|at| format!("P{at}")), &target()), []);
        assert_eq!(kinds(text(30, &|at| format!("{at:03}")), &target()), []);
    }

    #[test]
    fn the_target_in_another_form_is_remarked() {
        let Response::Regression(y) = target().response().clone() else { return };
        let logs = y.iter().map(|value| (value + 1.0).ln()).collect();
        assert_eq!(kinds(numbers(logs, false), &target()), [NoticeKind::Leak]);
        let noisy = y.iter().enumerate().map(|(i, value)| value + 30.0 * (i % 2) as f64).collect();
        assert_eq!(kinds(numbers(noisy, false), &target()), []);
        let codes: Vec<u32> = (0..40).map(|i| i % 3).collect();
        let classes = ["a", "b", "c"].map(str::to_owned).to_vec();
        let labels = Target::classification("y", classes, codes.clone()).expect("codes in range");
        let recoded = codes.iter().map(|&code| f64::from((code + 1) % 3)).collect();
        assert_eq!(kinds(numbers(recoded, false), &labels), [NoticeKind::Leak]);
    }

    #[test]
    fn few_integers_are_remarked_once() {
        let few = (0..40).map(|i| f64::from(i % 5)).collect();
        assert_eq!(kinds(numbers(few, true), &target()), [NoticeKind::IntegerColumns]);
        let two = (0..40).map(|i| f64::from(i % 2)).collect();
        assert_eq!(kinds(numbers(two, true), &target()), []);
    }
}
