//! Columns that are one variable in one-hot form, by their names and values.

use std::collections::BTreeMap;

use crate::data::{Column, ColumnData};
use crate::grouping::found::Found;

/// What stands between the variable and its level.
const SEPARATORS: [char; 4] = ['=', '_', '.', '['];

/// Where some rows have no level, columns that exclude each other by chance must be distinguished
/// from those that do by design: at least so many rows would have two levels if columns were
/// independent, so that none is a surprise.
const EXPECTED_OVERLAP: f64 = 3.0;

/// Families of indicators, in the order of their first columns.
///
/// The largest families come first: of `a_b_c`, the variable may be `a` or `a_b`. Where the larger
/// family does not hold together, smaller ones are tried, and then the rest of the larger one.
pub(super) fn one_hot(columns: &[Column]) -> Found {
    let mut families: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
    let indicators: Vec<Option<Indicator>> = columns.iter().map(Indicator::of).collect();
    for (index, column) in columns.iter().enumerate().filter(|&(i, _)| indicators[i].is_some()) {
        for prefix in prefixes(column.name()) {
            families.entry((prefix.len(), prefix)).or_default().push(index);
        }
    }
    families.retain(|_, members| members.len() > 1);
    let mut is_taken = vec![false; columns.len()];
    let mut found = Found::new();
    for members in families.values().chain(families.values().rev()) {
        let free: Vec<usize> =
            members.iter().copied().filter(|&member| !is_taken[member]).collect();
        let of_family = free.iter().filter_map(|&member| indicators[member].as_ref());
        if free.len() > 1 && exclude_each_other(of_family) {
            free.iter().for_each(|&member| is_taken[member] = true);
            found.push((name(columns, &free), free));
        }
    }
    found.sort_by_key(|(_, members)| members[0]);
    found
}

/// The longest part that the names of a family share.
fn name(columns: &[Column], family: &[usize]) -> String {
    let is_shared = |part: &&str| family.iter().all(|&i| columns[i].name().starts_with(*part));
    let longest = prefixes(columns[family[0]].name()).filter(is_shared).last();
    let shared = longest.unwrap_or_default().trim_end_matches(SEPARATORS);
    // As formulas write the levels that a regression keeps: `colour[T.red]`.
    shared.strip_suffix("[T").unwrap_or(shared).to_owned()
}

/// What a name may be the level of: the parts before its separators, with the separator, so that
/// families do not mix different ones.
fn prefixes(name: &str) -> impl Iterator<Item = &str> {
    name.char_indices().filter_map(move |(place, separator)| {
        let end = place + separator.len_utf8();
        let level = &name[end..];
        let is_bracket = separator == '[';
        let has_level = if is_bracket { level.ends_with(']') } else { !level.is_empty() };
        (SEPARATORS.contains(&separator) && place > 0 && has_level).then(|| &name[..end])
    })
}

/// The rows where a column of zeros and ones is one, as bits.
struct Indicator {
    ones: Vec<u64>,
    n_ones: f64,
    n_rows: f64,
}

impl Indicator {
    /// `None` for a column of other values, of none that is 1, or of nothing but 1.
    fn of(column: &Column) -> Option<Self> {
        let n_rows = column.len();
        let mut ones = vec![0_u64; n_rows.div_ceil(64)];
        let mut n_ones = 0;
        let mut note = |row: usize| {
            ones[row / 64] |= 1 << (row % 64);
            n_ones += 1;
        };
        match column.data() {
            ColumnData::Numeric(values) => {
                for (row, &value) in values.iter().enumerate() {
                    if value == 1.0 {
                        note(row);
                    } else if value != 0.0 && !value.is_nan() {
                        return None;
                    }
                }
            }
            ColumnData::Categorical(levels) => {
                let code_of = |word: &str| {
                    let is_word = |level: &String| level.eq_ignore_ascii_case(word);
                    levels.levels().iter().position(is_word).map(|code| code as u32)
                };
                let are_known = |level: &String| {
                    ["true", "false", "1", "0"].iter().any(|word| level.eq_ignore_ascii_case(word))
                };
                if levels.levels().len() > 2 || !levels.levels().iter().all(are_known) {
                    return None;
                }
                let yes = code_of("true").or_else(|| code_of("1"))?;
                let rows = levels.codes().iter().enumerate();
                rows.filter(|(_, code)| **code == yes).for_each(|(row, _)| note(row));
            }
        }
        let varies = (1..n_rows).contains(&n_ones);
        varies.then(|| Self { ones, n_ones: f64::from(n_ones as u32), n_rows: n_rows as f64 })
    }
}

/// True when no row has two of the levels, and that is no accident.
fn exclude_each_other<'a>(family: impl Iterator<Item = &'a Indicator>) -> bool {
    let mut taken: Vec<u64> = Vec::new();
    let (mut sum, mut squares, mut n_rows) = (0.0, 0.0, 0.0);
    for indicator in family {
        taken.resize(indicator.ones.len(), 0);
        if taken.iter().zip(&indicator.ones).any(|(taken, ones)| taken & ones != 0) {
            return false;
        }
        taken.iter_mut().zip(&indicator.ones).for_each(|(taken, ones)| *taken |= ones);
        sum += indicator.n_ones;
        squares += indicator.n_ones * indicator.n_ones;
        n_rows = indicator.n_rows;
    }
    let has_level_everywhere = sum == n_rows;
    // SUM over pairs n p_i p_j, with p the shares of ones.
    let expected_overlap = (sum * sum - squares) / 2.0 / n_rows;
    has_level_everywhere || expected_overlap >= EXPECTED_OVERLAP
}
