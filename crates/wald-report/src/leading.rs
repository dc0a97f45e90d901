//! The measures of a report unless others are named, and how much of the forest they look at.
//!
//! How large a part is follows from counts alone, never from a clock.

use wald::measure::{Measure, MeasureId, MeasureSettings, Part};
use wald::memory::Size;

/// Measures shown unless others are named.
pub const LEADING: &[MeasureId] = &[MeasureId::Mdi, PERMUTED, SHARES];

/// Computes the shares of variables, what is lost without pairs of them, and their order where no
/// other measure was advised.
pub(super) const SHARES: MeasureId = MeasureId::SobolMda;

/// Computes the shares of variables that the forest hides others for.
pub(super) const REGROWN: MeasureId = MeasureId::TotalSobolRegrow;

/// Computes what variables explain by themselves.
pub(super) const FIRST_ORDER: MeasureId = MeasureId::SobolFirst;

/// Computes what permuting costs.
pub(super) const PERMUTED: MeasureId = MeasureId::MdaBreimanCutler;

/// Finds all influential variables.
pub(super) const ALL_INFLUENTIAL: MeasureId = MeasureId::ShapleyEffects;

/// Up to so many rows times trees, a measure looks at all of them: what it costs beside growing, which
/// is one to four times as much, is then a few seconds.
const FEW_ROWS_OF_TREES: usize = 1_600_000;

/// Rows times trees of which a part of a report takes about as long as growing.
const MANY_ROWS_OF_TREES: usize = 25_000_000;

/// Fewer trees than this do not show their error.
const FEWEST_TREES: usize = 30;

/// Nor should a forest be refused for what was not asked for.
const MOST_BYTES: u64 = 1 << 30;

/// Whether projecting the trees, or putting altered predictions together, takes long.
pub(super) fn takes_long(n_rows: usize, n_trees: usize) -> bool {
    n_rows.saturating_mul(n_trees) > MANY_ROWS_OF_TREES
}

/// A measure that was not named, on as many trees as take about as long as growing the forest. That
/// follows from counts alone, so that equal data have equal results on every machine. `size` is that of
/// the measure on all trees.
///
/// # Errors
/// The reason why the measure is not computed by default.
pub fn unasked(
    measure: Measure,
    n_rows: usize,
    n_trees: usize,
    size: &Size,
) -> Result<Measure, &'static str> {
    if !measure.id().info().facts.stands_for_part {
        return Ok(measure);
    }
    if size.altered > MOST_BYTES {
        return Err("needs much memory");
    }
    let trees = (FEW_ROWS_OF_TREES / n_rows.max(1)).max(FEWEST_TREES).min(n_trees);
    Ok(measure.with_part(Part { n_trees: trees, n_rows }))
}

/// Sets of variables without which enough trees can be grown again, one set after the other, where no more
/// trees than the forest has are grown, or these are of few rows.
pub(super) fn most_sets_regrown(n_rows: usize, n_trees: usize) -> usize {
    n_trees.max(FEW_ROWS_OF_TREES / n_rows.max(1)) / FEWEST_TREES
}

/// Shapley effects of a report are worth about so many rows times trees times sets of variables.
const ROWS_OF_TREES_OF_SETS: f64 = 6.4e7;

/// Pairs of sets that are drawn, for every variable and in all.
const PAIRS_PER_VARIABLE: usize = 10;
const MOST_PAIRS: usize = 500;

/// More variables have none.
const MOST_VARIABLES: usize = 60;

/// Rows they look at, and the fewest trees.
const MOST_ROWS: usize = 4000;
const FEWEST_TREES_OF_SETS: usize = 8;

/// Shapley effects that were not named, from as many sets, trees and rows as take less than growing
/// the forest; `None` where there are too many variables.
pub(super) fn shapley_effects(
    n_rows: usize,
    n_trees: usize,
    n_variables: usize,
    seed: u64,
) -> Option<Measure> {
    if n_variables > MOST_VARIABLES {
        return None;
    }
    let pairs = (PAIRS_PER_VARIABLE * n_variables).min(MOST_PAIRS);
    let trees_of_sets = ROWS_OF_TREES_OF_SETS / n_rows.max(1) as f64;
    let affordable = (trees_of_sets / (2.0 * n_trees as f64)) as usize;
    let samples = affordable.clamp(pairs.max(8), MOST_PAIRS);
    let sets = if n_variables < 9 && 1 << n_variables <= samples {
        f64::from(1 << n_variables)
    } else {
        2.0 * samples as f64
    };
    let trees = (trees_of_sets / sets) as usize;
    let part = Part {
        n_trees: trees.max(FEWEST_TREES_OF_SETS).min(n_trees),
        n_rows: n_rows.min(MOST_ROWS),
    };
    let settings = MeasureSettings { samples: Some(samples), seed, ..MeasureSettings::default() };
    Some(Measure::new(ALL_INFLUENTIAL, settings).ok()?.with_part(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_again_takes_no_longer_than_growing_the_forest() {
        for (n_rows, n_trees, most) in [
            (300, 500, 177),
            (10_000, 500, 16),
            (1_000_000, 500, 16),
            (1_000_000, 100, 3),
            (0, 20, 53_333),
        ] {
            assert_eq!(most_sets_regrown(n_rows, n_trees), most, "{n_rows} {n_trees}");
            let trees = |n_sets| {
                let measure = Measure::new(REGROWN, MeasureSettings::default()).expect("defaults");
                let measure = unasked(measure, n_rows * n_sets, n_trees, &Size::default());
                measure.expect("little").settings().part.expect("a part").n_trees
            };
            let n_grown = trees(most) * most;
            assert!(n_grown <= n_trees || n_grown * n_rows <= FEW_ROWS_OF_TREES, "{n_grown}");
        }
    }
}
