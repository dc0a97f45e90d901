//! What measures keep while they see trees, for estimates of memory.

use crate::measure::permutation::mda_ishwaran_kogalur::permutations;
use crate::measure::projection::shapley_effects::most_sets;
use crate::measure::{Measure, MeasureId, Permutations};

/// What a measure keeps of altered predictions, for every row and group that a tree changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeptAltered {
    /// Sums of changes, one number per output in each.
    pub(crate) repeats: f64,
    /// Sets of groups that stand in the place of groups, all of which trees change; `None` for
    /// groups.
    pub(crate) sets: Option<f64>,
    /// One more number.
    pub(crate) has_variances: bool,
    /// Whether trees are kept for standard errors.
    pub(crate) keeps_trees: bool,
}

impl Measure {
    /// What the measure keeps of altered predictions while it sees trees, if anything.
    pub(crate) fn keeps_altered(&self) -> Option<KeptAltered> {
        let single =
            KeptAltered { repeats: 1.0, sets: None, has_variances: false, keeps_trees: true };
        match self.id {
            MeasureId::SobolMda
            | MeasureId::SobolMdaLundberg
            | MeasureId::TotalSobolRegrow
            | MeasureId::TotalSobolRetrain => {
                // Where some trees stand for all, squares are summed up, too.
                Some(KeptAltered { has_variances: self.settings.part.is_some(), ..single })
            }
            MeasureId::ShapleyEffects => {
                Some(KeptAltered { sets: Some(most_sets(&self.settings)), ..single })
            }
            MeasureId::MdaIshwaranKogalur | MeasureId::TotalSobolFull => {
                Some(match permutations(&self.settings) {
                    Permutations::Exact => KeptAltered { has_variances: true, ..single },
                    Permutations::Random(repeats) => {
                        let repeats = f64::from(repeats);
                        KeptAltered { repeats, keeps_trees: false, ..single }
                    }
                    Permutations::Given(_) => KeptAltered { keeps_trees: false, ..single },
                })
            }
            _ => None,
        }
    }

    /// Of how many rows the measure copies all codes for every tree.
    pub(crate) fn n_rows_copied(&self, out_of_bag: f64, all: f64) -> f64 {
        match self.id {
            MeasureId::MdaBreimanCutler | MeasureId::TotalSobolFull => out_of_bag,
            MeasureId::SobolMda | MeasureId::ShapleyEffects => all,
            _ => 0.0,
        }
    }
}
