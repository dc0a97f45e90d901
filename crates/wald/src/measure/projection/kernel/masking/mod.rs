//! Whether projected trees miss what other variables could explain: masking (Louppe et al. 2013,
//! section 4).
//!
//! Where nearly all variables compete at every node, a variable that stands in for a stronger one
//! is hardly ever split on. A tree that is projected along the stronger one has not learned to use
//! it, and the increase of the error is too large. Some trees are grown again below the first
//! splits on every variable, and the difference between both increases is the excess.

mod comparison;

use std::sync::OnceLock;

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::association::compared::{MATERIAL as DEPENDENT, compared, ready};
use crate::data::{Column, Groups};
use crate::error::Error;
use crate::forest::Aggregation;
use crate::measure::kernel::altered_predictions::Altered;
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::row_sums::Shape;
use crate::measure::projection::kernel::regrow::{Mtry, Regrowing};
use crate::pass::{Outcome, Subject, TreeView};
use crate::random::{mixed, scattered_rows};
use crate::run::{Run, Threads};
use comparison::{Comparison, Excess};

/// Forests of fewer trees are not looked at.
const LEAST_TREES: usize = 100;

/// For notes so many rows are grown again, by a fourth of the trees at most: many trees of few rows, few
/// trees of many, which vary less.
const ROWS_GROWN: usize = 48_000;
const TREES: (usize, usize) = (5, 60);

/// A variable that could stand in competes with a stronger one where both are tried: at this share of
/// the nodes where it is tried, or fewer, it is not hidden.
const RARELY: f64 = 0.05;

/// About so many rows are compared, scattered over the table.
const MOST_ROWS: usize = 5000;

/// An excess counts from this share of the value on, and is noted from this share of the variance on.
const MATERIAL_SHARE: f64 = 0.15;
const MATERIAL: f64 = 0.02;

/// The level of the claim that any value is too large, and that any variable could stand in.
const LEVEL: f64 = 0.05;

/// One-sided, at that level, for one value.
const DISTANCE: f64 = 1.645;

/// Rows and cells that variables which could stand in are looked for on.
const ROWS_OF_DEPENDENCE: (usize, usize) = (200, 2000);
const CELLS_OF_DEPENDENCE: usize = 1_000_000;

/// With at most so many columns they are looked for before anything is grown again, because every pair
/// of columns is compared.
const COLUMNS_OF_DEPENDENCE: usize = 60;

/// Tests for masking while trees are projected.
#[derive(Debug)]
pub(crate) struct Hidden {
    regrowing: Regrowing,
    n_trees: usize,
    of_trees: usize,
    /// One row of so many is compared.
    one_of: u64,
    n_outputs: usize,
    /// By group: whether any variable depends on it, so that it could stand in.
    stand_ins: OnceLock<Vec<bool>>,
    /// The groups that values are of; `None` for all.
    groups: Option<Vec<usize>>,
}

/// By how much projecting a tree changes its predictions more than growing it again, for some rows.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct ComparedTree {
    /// Out-of-bag rows that are compared.
    rows: Vec<u32>,
    /// By group, then row.
    differences: Changes,
}

/// A value that is too large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TooLarge {
    pub(crate) value: usize,
    pub(crate) excess: f64,
    /// Whether it is beyond chance also of rows, and where so many values are looked at.
    is_sure: bool,
}

impl ComparedTree {
    /// Whether it is of rows and groups that exist.
    pub(crate) fn fits(&self, shape: Shape) -> bool {
        self.rows.iter().all(|&row| (row as usize) < shape.n_rows) && self.differences.fits(shape)
    }
}

impl Hidden {
    /// `None` where nothing can be hidden, or where the forest cannot be grown again.
    ///
    /// # Errors
    /// Where the settings of the forest do not fit the data.
    pub(crate) fn for_notes(subject: Subject<'_>) -> Result<Option<Self>, Error> {
        Self::new(subject, compared_trees(subject.training.n_rows(), subject.n_trees))
    }

    /// The same where so many trees are grown again.
    ///
    /// # Errors
    /// As [`Self::for_notes`].
    pub(crate) fn new(subject: Subject<'_>, n_trees: usize) -> Result<Option<Self>, Error> {
        let is_comparable = is_comparable(subject.n_trees, subject.forest.aggregation());
        if subject.groups.n_groups() < 2 || !is_comparable {
            return Ok(None);
        }
        let regrowing = Regrowing::seen(subject.data, subject.forest)?;
        let can_hide = |regrowing: &Regrowing| {
            let share = regrowing.mtry() as f64 / regrowing.columns().len() as f64;
            regrowing.mtry() > 1 && share > RARELY
        };
        Ok(regrowing.filter(can_hide).map(|regrowing| Self {
            regrowing,
            n_trees: n_trees.min(subject.n_trees),
            of_trees: subject.n_trees,
            one_of: subject.training.n_rows().div_ceil(MOST_ROWS).max(1) as u64,
            n_outputs: subject.training.n_outputs(),
            stand_ins: OnceLock::new(),
            groups: None,
        }))
    }

    /// The same of values for some groups only.
    pub(crate) fn of(self, groups: &[usize]) -> Self {
        Self { groups: Some(groups.to_vec()), ..self }
    }

    /// The group that a value is of.
    fn group_of(&self, value: usize) -> usize {
        self.groups.as_ref().map_or(value, |groups| groups[value])
    }

    /// The value of a group, if it has one.
    fn value_of(&self, group: usize) -> Option<usize> {
        match &self.groups {
            None => Some(group),
            Some(groups) => groups.iter().position(|other| *other == group),
        }
    }

    /// `None` for most trees.
    pub(crate) fn tree(&self, view: &TreeView<'_>, projected: &Changes) -> Option<ComparedTree> {
        if view.index >= self.n_trees {
            return None;
        }
        let stand_ins = self.stand_ins(view.groups);
        let is_wanted =
            |group: usize| self.value_of(group).is_some() && stand_ins.is_none_or(|has| has[group]);
        if !(0..view.groups.n_groups()).any(is_wanted) {
            return None;
        }
        let mut again = self.regrowing.changes(view, &is_wanted)?;
        again.groups.iter_mut().for_each(|group| {
            *group = self.value_of(*group as usize).map_or(*group, |value| value as u32);
        });
        let is_compared = |row: u32| mixed(u64::from(row)).is_multiple_of(self.one_of);
        let rows = view.out_of_bag.all().iter().copied().filter(|&row| is_compared(row));
        let mut all: Vec<(u32, u32, f64, &[f64])> = Vec::new();
        for (sign, changes) in [(1.0, projected), (-1.0, &again)] {
            let Changes { rows, groups, amounts } = changes;
            let entries = rows.iter().zip(groups).zip(amounts.chunks_exact(self.n_outputs));
            let compared = entries.filter(|((row, value), _)| {
                is_compared(**row) && is_wanted(self.group_of(**value as usize))
            });
            all.extend(compared.map(|((&row, &group), amount)| (group, row, sign, amount)));
        }
        all.sort_by_key(|&(group, row, ..)| (group, row));
        let mut differences = Changes::default();
        for same in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            differences.groups.push(same[0].0);
            differences.rows.push(same[0].1);
            let start = differences.amounts.len();
            differences.amounts.resize(start + self.n_outputs, 0.0);
            for &(.., sign, amount) in same {
                let sums = differences.amounts[start..].iter_mut().zip(amount);
                sums.for_each(|(sum, amount)| *sum += sign * amount);
            }
        }
        Some(ComparedTree { rows: rows.collect(), differences })
    }

    /// Which of the values are too large, the largest excess first. Where no variable depends on those of a
    /// group, none could stand in: trees without it may still fit the rest better, but it hides nothing.
    pub(crate) fn too_large(
        &self,
        trees: &[ComparedTree],
        altered: &Altered,
        values: &[Option<f64>],
        outcome: Outcome<'_>,
    ) -> Vec<TooLarge> {
        let Some(comparison) = Comparison::new(trees, altered, self.of_trees, outcome) else {
            return Vec::new();
        };
        let [of_one, of_all] = [1, values.len()].map(|n_values| distance(trees.len(), n_values));
        let excess_of = |(value, share): (usize, &Option<f64>)| {
            let Excess { value: excess, of_trees, of_rows } = comparison.excess(value as u32);
            let least = share.map_or(0.0, |share| f64::max(0.0, MATERIAL_SHARE * share));
            let is_beyond_chance = excess > of_one * of_trees;
            let is_sure = excess > of_all * of_trees && excess > DISTANCE * of_trees.hypot(of_rows);
            let found = TooLarge { value, excess, is_sure };
            (excess > least && is_beyond_chance).then_some(found)
        };
        let mut found: Vec<TooLarge> = values.iter().enumerate().filter_map(excess_of).collect();
        if !found.is_empty() && self.stand_ins(outcome.groups).is_none() {
            let has_stand_in = self.have_stand_ins(outcome.groups);
            found.retain(|found| has_stand_in(self.group_of(found.value)));
        }
        found.sort_by(|a, b| b.excess.total_cmp(&a.excess).then(a.value.cmp(&b.value)));
        found
    }

    /// For which groups it is worth growing again; `None` where to find out would cost more.
    fn stand_ins(&self, groups: &Groups) -> Option<&[bool]> {
        (self.regrowing.columns().len() <= COLUMNS_OF_DEPENDENCE).then(|| {
            let find = || {
                let has_stand_in = self.have_stand_ins(groups);
                (0..groups.n_groups()).map(has_stand_in).collect()
            };
            self.stand_ins.get_or_init(find).as_slice()
        })
    }

    /// Whether any variable depends on one of a group.
    fn have_stand_ins<'b>(&self, groups: &'b Groups) -> impl Fn(usize) -> bool + use<'b> {
        let columns = self.regrowing.columns();
        let (least, most) = ROWS_OF_DEPENDENCE;
        let n_rows = columns.first().map_or(0, Column::len);
        let n_compared = (CELLS_OF_DEPENDENCE / columns.len().max(1)).clamp(least, most);
        let rows = scattered_rows(n_rows, n_compared);
        let ready = ready(columns, &rows, &Run::on(Threads::ONE)).unwrap_or_default();
        move |group| {
            let members = &groups.members()[group];
            let n_pairs = members.len() * (ready.len() - members.len());
            let level = (LEVEL / n_pairs.max(1) as f64).ln();
            let is_other = |other: &usize| groups.of_column()[*other] as usize != group;
            members.iter().any(|&member| {
                (0..ready.len()).filter(is_other).any(|other| {
                    compared(&ready[member as usize], &ready[other])
                        .is_some_and(|found| found.size >= DEPENDENT && found.log_p <= level)
                })
            })
        }
    }

    /// What follows for readers; `None` where nothing is hidden.
    pub(crate) fn note(&self, found: &[TooLarge], outcome: Outcome<'_>) -> Option<String> {
        /// Variables named.
        const NAMED: usize = 3;
        let found = material(found);
        if found.is_empty() {
            return None;
        }
        let names = outcome.groups.names();
        let named: Vec<String> = found
            .iter()
            .take(NAMED)
            .map(|found| format!("{:?}", names[self.group_of(found.value)]))
            .collect();
        let more = match found.len().saturating_sub(NAMED) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let (mtry, p) = (self.regrowing.mtry(), self.regrowing.columns().len());
        let source = self.regrowing.source_of_mtry();
        let about = if source == Mtry::Estimated { "about " } else { "" };
        Some(format!(
            "{MASKING}too large for {}{more}: with mtry {about}{mtry} of {p}, variables that could \
             take the place of these are hidden from the trees; {}",
            named.join(", "),
            less_masking(source == Mtry::OfSettings, smaller_mtry(mtry, p))
        ))
    }
}

/// Excesses that are noted, of those that are found.
pub(crate) fn material(found: &[TooLarge]) -> Vec<TooLarge> {
    let is_noted = |found: &&TooLarge| found.excess > MATERIAL && found.is_sure;
    found.iter().filter(is_noted).copied().collect()
}

/// So many standard errors are beyond chance where so many values are looked at (Šidák 1967).
fn distance(n_trees: usize, n_values: usize) -> f64 {
    let level = 1.0 - (1.0 - LEVEL).powf(1.0 / n_values.max(1) as f64);
    let freedom = n_trees.saturating_sub(1).max(1) as f64;
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |law| law.inverse_cdf(1.0 - level))
}

/// Notes of masking begin so.
pub(crate) const MASKING: &str = "masking: ";

/// What to do where variables are hidden. Trees of a forest whose settings are not known cannot be
/// grown again for a measure.
fn less_masking(is_known: bool, mtry: usize) -> String {
    if is_known {
        format!("use total_sobol_regrow, or grow the forest with mtry {mtry}")
    } else {
        format!("grow it with mtry {mtry}, or grow one with wald and use total_sobol_regrow")
    }
}

/// So many trees of a forest are compared for notes.
pub fn compared_trees(n_rows: usize, n_trees: usize) -> usize {
    (ROWS_GROWN / n_rows.max(1)).clamp(TREES.0, TREES.1).min(n_trees / 4)
}

/// Whether so many trees are enough for a comparison, and their predictions are of the kind that is
/// compared.
pub fn is_comparable(n_trees: usize, aggregation: Aggregation) -> bool {
    n_trees >= LEAST_TREES && aggregation == Aggregation::Mean
}

/// An mtry at which less is hidden: the default, or half of what is less.
pub fn smaller_mtry(mtry: usize, n_columns: usize) -> usize {
    let usual = n_columns.isqrt().max(1);
    if mtry > usual { usual } else { (mtry / 2).max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer of a report grows trees again for smaller excesses, too.
    #[test]
    fn notes_leave_small_and_unsure_excesses_out() {
        let of = |value, excess, is_sure| TooLarge { value, excess, is_sure };
        let sure = [of(4, 0.05, true), of(1, 0.021, true)];
        assert_eq!(material(&[sure[0], of(2, 0.03, false), sure[1], of(0, 0.019, true)]), sure);
    }
}
