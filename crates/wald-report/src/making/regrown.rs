//! Shares of what a forest hides, by growing its trees again.

use std::collections::BTreeMap;

use crate::leading::{REGROWN, most_sets_regrown, unasked};
use crate::making::input::Making;
use crate::making::left_out::LeftOut;
use crate::making::steps::fits;
use wald::measure::{Measure, MeasureSettings};
use wald::memory::Size;
use wald::work::regrown;
use wald::{Importance, Run};

/// By place among shares that are too large: the share of trees that were grown again without the variables
/// and its standard error of trees and rows.
pub(super) type Shares = BTreeMap<usize, (Option<f64>, Option<f64>)>;

/// What takes the place of shares that are too large.
#[derive(Debug, Default)]
pub(super) struct Regrown {
    pub(super) singles: Shares,
    pub(super) sets: Shares,
    /// Trees that were grown again.
    pub(super) n_trees: usize,
}

impl Regrown {
    /// Of single variables, and of sets of them: of those with the largest excesses, where not all can be
    /// found at about the cost of growing the forest. Nothing where the trees are not at hand, or where
    /// growing them again needs much memory.
    pub(super) fn of(
        input: &Making<'_>,
        singles: &Importance,
        joint: Option<(&Importance, &[Vec<usize>])>,
        run: &Run,
    ) -> Result<Self, LeftOut> {
        let Some(forest) = input.study.forest() else { return Ok(Self::default()) };
        let (data, n_trees) = (input.data(), forest.trees().len());
        let (joint, sets) = joint.unzip();
        let mut excesses = too_large(singles, false);
        excesses.extend(joint.map_or_else(Vec::new, |joint| too_large(joint, true)));
        excesses.sort_by(|one, other| other.by.total_cmp(&one.by));
        excesses.truncate(most_sets_regrown(data.n_rows(), n_trees));
        let measure = Measure::new(REGROWN, MeasureSettings::default())?;
        let size = Size::of_measuring(forest, data, std::slice::from_ref(&measure), run.threads);
        let Ok(measure) = unasked(measure, data.n_rows() * excesses.len(), n_trees, &size) else {
            return Ok(Self::default());
        };
        if excesses.is_empty() || fits(&size, input.free).is_err() {
            return Ok(Self::default());
        }
        let shares = |is_set: bool, variables: &dyn Fn(usize) -> Vec<usize>| {
            let of_kind = excesses.iter().filter(|excess| excess.is_set == is_set);
            let places: Vec<usize> = of_kind.map(|excess| excess.at).collect();
            let sets: Vec<Vec<usize>> = places.iter().map(|&at| variables(at)).collect();
            if sets.is_empty() {
                return Ok(Shares::new());
            }
            let Some(found) = regrown(forest, data, &sets, measure.settings(), run)? else {
                return Ok(Shares::new());
            };
            let error = |at: usize| found.total_errors.as_ref().and_then(|errors| errors[at]);
            let shares =
                (0..).zip(places).map(|(at, place)| (place, (found.values[at], error(at))));
            Ok::<_, LeftOut>(shares.collect())
        };
        Ok(Self {
            singles: shares(false, &|at| vec![at])?,
            sets: shares(true, &|at| sets.map_or_else(Vec::new, |sets| sets[at].clone()))?,
            n_trees: measure.settings().part.map_or(n_trees, |part| part.n_trees),
        })
    }
}

/// A share that is too large: that of a variable or of a set, and its place among these.
struct Excess {
    is_set: bool,
    at: usize,
    by: f64,
}

fn too_large(found: &Importance, is_set: bool) -> Vec<Excess> {
    let excesses = found.excesses.iter().flatten().enumerate();
    excesses.filter_map(|(at, by)| Some(Excess { is_set, at, by: (*by)? })).collect()
}
