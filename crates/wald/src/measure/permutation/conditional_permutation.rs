//! Conditional permutation importance: Strobl, Boulesteix, Kneib, Augustin & Zeileis 2008.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::association::Pairs;
use crate::data::Groups;
use crate::error::Error;
use crate::forest::align;
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{HOTHORN_2006, Reference, STROBL_2008};
use crate::measure::definition::verdicts::{Judgement, Row, Validity, Verdicts};
use crate::measure::definition::{
    MeasureDef, MeasureOption, MeasureSettings, Normalise, Permutations, Requirement, Scale,
};
use crate::measure::kernel::cells::{Cells, Classes};
use crate::measure::permutation::kernel::increase::{
    Increase, IncreasePart, IncreaseTotal, Losses,
};
use crate::measure::permutation::kernel::permuted_loss::{PermutedLoss, PermutedTree, shuffled};
use crate::measure::permutation::kernel::within_cells::WithinCells;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};
use crate::random::{Purpose, Stream};
use crate::words::some_of;

const LEAVES_OUT: &str = "\
    Leaves out what variables share: those that others can replace are near zero.";

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Careful, Validity::Careful, Validity::Careful],
        because: ["Permutes among rows that are alike in the associated variables, which points \
                   to what only this variable explains; no limit is known, and cells may be too \
                   small or too large."; 3],
    },
    influence: Judgement {
        serves: [Validity::Careful, Validity::Invalid, Validity::Invalid],
        because: [
            "Permutes among rows that are alike in associated variables; no limit is known.",
            LEAVES_OUT,
            LEAVES_OUT,
        ],
    },
    source: "Strobl et al. 2008",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "conditional_permutation";
    const CALLED: &'static [&'static str] = &["permutation", "permuted", "conditional", "cforest"];
    const NAME: &'static str = "Conditional permutation importance";
    const ESTIMAND: &'static str = "\
        The increase in the error of a tree on its out-of-bag rows when the variable's values are \
        permuted among rows that are alike in the variables associated with it, averaged over \
        trees; by default the exact expectation over all such permutations. Conditioning variables \
        are those whose association with this one has 1 - p above a threshold (0.2); rows are \
        alike if no split of the tree on these variables separates them";
    const CAVEAT: &'static str = "\
        The cells shrink with the size of the trees and the number of associated variables: if \
        every row is alone in its cell, nothing is permuted and the importance is zero. Smaller \
        trees or a higher threshold condition on less. With many rows nearly all variables are \
        significantly associated";
    const SOURCE: &'static str = "\
        Strobl et al. 2008, section 3; tests of Hothorn, Hornik & Zeileis 2006";
    const REFERENCES: &'static [Reference] = &[STROBL_2008, HOTHORN_2006];
    const UNIT: &'static str = "loss (squared: squared units of the target, or Brier score)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = "\
        a test per pair of variables, and per tree and variable about one pass of the out-of-bag \
        rows";
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::OutOfBagRows, Requirement::SharesOfClasses];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared, Loss::Absolute];
    const CLASSIFICATION_LOSSES: &'static [Loss] =
        &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote];
    const NORMALISATIONS: &'static [Normalise] = &[Normalise::Variance, Normalise::StandardError];
    const OPTIONS: &'static [MeasureOption] =
        &[MeasureOption::Permutations, MeasureOption::ConditioningThreshold];
    const PERMUTES_CLUSTERS: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 10, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        if let Permutations::Given(_) = settings.permutations {
            return Err(Error::measure(
                Definition::INFO.id,
                "permutes within cells, so that it takes no given permutations",
                "use exact expectations or a number of random permutations",
            ));
        }
        let columns = align(subject.data.features(), subject.forest.features())?;
        let n_groups = subject.groups.n_groups();
        Ok(Plan::fold(ConditionalPermutation {
            increase: Increase::new(&Definition::INFO, settings, subject),
            permutations: settings.permutations.clone(),
            seed: settings.seed,
            association: settings.conditioning_threshold.unwrap_or(ASSOCIATION),
            pairs: Pairs::new(
                columns.into_iter().map(std::borrow::Cow::into_owned).collect(),
                weights(subject),
            ),
            conditions: std::iter::repeat_with(OnceLock::new).take(n_groups).collect(),
        }))
    }
}

/// The threshold of party.
const ASSOCIATION: f64 = 0.2;

/// Where more of the rows cannot change, a note states it.
const MOST_FIXED: f64 = 0.5;

/// Variables named in that note; others are counted.
const MOST_NAMED: usize = 3;

/// The counts of more variables than this are summed up.
const MOST_COUNTS: usize = 200;

#[derive(Debug)]
struct ConditionalPermutation {
    increase: Increase,
    permutations: Permutations,
    seed: u64,
    association: f64,
    /// Of columns in the order of the forest's variables.
    pairs: Pairs,
    /// By group, once a tree asked: the columns conditioned on, in canonical order.
    conditions: Vec<OnceLock<Vec<u32>>>,
}

/// How often every row counts in tests; the rows of a cluster count as one together, in the mean.
fn weights(subject: Subject<'_>) -> Vec<f64> {
    let training = subject.training;
    let n_rows = subject.data.rows_of_positive_weight().len() as f64;
    let share = subject.data.n_clusters().map_or(1.0, |clusters| clusters as f64 / n_rows);
    let scale = share * training.weight_scale();
    (0..training.n_rows() as u32).map(|row| scale * training.weight(row)).collect()
}

impl ConditionalPermutation {
    /// The canonical columns outside of a group that are associated with one of its members.
    fn conditions(&self, view: &TreeView<'_>, group: usize) -> &[u32] {
        self.conditions[group].get_or_init(|| {
            let features = view.training.features();
            let members = &view.groups.members()[group];
            let outside =
                (0..self.pairs.n_columns() as u32).filter(|column| !members.contains(column));
            let mut found: Vec<u32> = outside
                .filter(|&column| members.iter().any(|&j| self.are_associated(view, j, column)))
                .map(|column| features.canonical(column))
                .collect();
            found.sort_unstable();
            found
        })
    }

    fn are_associated(&self, view: &TreeView<'_>, one: u32, other: u32) -> bool {
        // A cancelled measure is worth nothing, so that it need not be right.
        !view.progress.is_cancelled()
            // 1 - p > threshold, where p may be too small to be a number.
            && self.pairs.test(one as usize, other as usize).is_some_and(|test| {
                test.log_p < (-self.association).ln_1p()
            })
    }

    /// The share of rows of which no permutation within cells changes the way.
    fn fixed(view: &TreeView<'_>, classes: &Classes, group: usize, cells: &Cells) -> f64 {
        let features = view.training.features();
        let members = view.groups.members()[group].iter();
        let columns: Vec<u32> = members.map(|&column| features.canonical(column)).collect();
        classes.fixed(cells, &columns, |row| view.training.weight(row))
    }

    fn expected(
        &self,
        losses: &Losses<'_>,
        classes: &Classes,
        fixed: &mut [Option<f64>],
    ) -> Vec<f64> {
        let view = losses.view;
        self.increase.of_tree(
            losses,
            |group| {
                let cells = classes.cross(self.conditions(view, group));
                fixed[group] = Some(Self::fixed(view, classes, group, &cells));
                WithinCells::new(losses, classes.rows(), group, &cells)
            },
            WithinCells::below,
        )
    }

    fn permuted(
        &self,
        losses: &Losses<'_>,
        classes: &Classes,
        repeat: u32,
        fixed: &mut [Option<f64>],
    ) -> Vec<f64> {
        let view = losses.view;
        let tree = PermutedTree::new(view);
        self.increase.of_tree(
            losses,
            |group| {
                let column = view.key_column(group);
                let purpose = Purpose::Permutation { column, repeat };
                let mut stream = Stream::new(self.seed, view.index, purpose);
                let mut order: Vec<u32> = (0..classes.rows().len() as u32).collect();
                let cells = classes.cross(self.conditions(view, group));
                fixed[group].get_or_insert_with(|| Self::fixed(view, classes, group, &cells));
                match cells {
                    Cells::One => order = shuffled(view, classes.rows(), &order, &mut stream),
                    Cells::Several { places, ends } => {
                        let mut start = 0;
                        for end in ends {
                            let cell = &places[start..end];
                            let donors = shuffled(view, classes.rows(), cell, &mut stream);
                            let pairs = cell.iter().zip(donors);
                            pairs.for_each(|(&place, donor)| order[place as usize] = donor);
                            start = end;
                        }
                    }
                }
                PermutedLoss::new(&tree, &losses.loss, group, &order)
            },
            |permuted, node| permuted.below(node),
        )
    }
}

/// What one tree brings: by group, also how many columns were conditioned on so far, and the share of rows
/// whose way does not change, of a tree that uses the group.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    increase: IncreasePart,
    n_conditions: Vec<Option<usize>>,
    fixed: Vec<Option<f64>>,
}

#[derive(Debug, Default)]
struct Total {
    increase: IncreaseTotal,
    n_conditions: Vec<Option<usize>>,
    /// Sums of the shares, and of how many trees.
    fixed: Vec<(f64, usize)>,
}

impl ConditionalPermutation {
    fn increases(&self, view: &TreeView<'_>, fixed: &mut [Option<f64>]) -> IncreasePart {
        let losses = self.increase.losses(view)?;
        let classes = Classes::new(view);
        Some(match self.permutations {
            Permutations::Random(repeats) => {
                let permuted = |repeat| self.permuted(&losses, &classes, repeat, fixed);
                (0..repeats).map(permuted).collect()
            }
            Permutations::Exact | Permutations::Given(_) => {
                vec![self.expected(&losses, &classes, fixed)]
            }
        })
    }
}

impl Fold for ConditionalPermutation {
    type Part = Part;
    type Total = Total;

    fn tree(&self, view: &TreeView<'_>) -> Part {
        let mut fixed = vec![None; self.conditions.len()];
        let increase = self.increases(view, &mut fixed);
        let n_conditions = self.conditions.iter().map(|found| found.get().map(Vec::len));
        Part { increase, n_conditions: n_conditions.collect(), fixed }
    }

    fn fits(&self, _: usize, part: &Part) -> bool {
        let n_groups = self.conditions.len();
        self.increase.fits(&part.increase)
            && part.n_conditions.len() == n_groups
            && part.fixed.len() == n_groups
    }

    fn merge(&self, total: &mut Total, part: Part) {
        self.increase.merge(&mut total.increase, part.increase);
        total.n_conditions.resize(part.n_conditions.len(), None);
        let known = total.n_conditions.iter_mut().zip(part.n_conditions);
        known.for_each(|(all, of_tree)| *all = all.or(of_tree));
        total.fixed.resize(part.fixed.len(), (0.0, 0));
        for (sum, share) in total.fixed.iter_mut().zip(part.fixed) {
            *sum = share.map_or(*sum, |share| (sum.0 + share, sum.1 + 1));
        }
    }

    fn finish(&self, total: Total, outcome: Outcome<'_>) -> Importance {
        let mut importance = self.increase.finish(total.increase);
        if self.permutations == Permutations::Exact {
            importance.repeats.clear();
        }
        importance.settings.insert("permutations", self.permutations.describe());
        importance.settings.insert("conditioning_threshold", self.association.to_string());
        let counts = total.n_conditions;
        importance.notes.extend(self.conditioned(&counts, outcome.groups));
        importance.notes.extend(note_on_fixed(&total.fixed, outcome.groups));
        if counts.len() <= MOST_COUNTS {
            let words = counts.iter().map(|n| n.map_or("-".to_owned(), |n| n.to_string()));
            let words: Vec<String> = words.collect();
            importance.settings.insert("conditioning_variables", words.join(","));
        }
        importance
    }
}

impl ConditionalPermutation {
    /// How many variables were conditioned on.
    fn conditioned(&self, counts: &[Option<usize>], groups: &Groups) -> Option<String> {
        let known =
            || counts.iter().zip(groups.names()).filter_map(|(n, name)| n.map(|n| (n, name)));
        let (fewest, few) = known().min_by_key(|(n, _)| *n)?;
        let (most, many) = known().max_by_key(|(n, _)| *n)?;
        let threshold = self.association;
        Some(if fewest == most {
            format!("every variable was permuted given {most} others")
        } else {
            format!(
                "variables were permuted given {fewest} (\"{few}\") to {most} (\"{many}\") others, those with \
                 1 - p above {threshold} in a test of independence"
            )
        })
    }
}

/// The note on variables of which hardly any row can take another value.
fn note_on_fixed(fixed: &[(f64, usize)], groups: &Groups) -> Option<String> {
    let shares = fixed.iter().zip(groups.names());
    let shares = shares.filter(|((_, n_trees), _)| *n_trees > 0);
    let mut found: Vec<(f64, &str)> = shares
        .map(|((sum, n_trees), name)| (sum / *n_trees as f64, name.as_str()))
        .filter(|(share, _)| *share > MOST_FIXED)
        .collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    // At least these shares are fixed, so that no more can change than is left.
    let parts = found.iter().map(|(share, name)| {
        format!("{:.0} % of the rows for \"{name}\"", (100.0 * (1.0 - share)).ceil())
    });
    let parts: Vec<String> = parts.collect();
    let these = if parts.len() == 1 { "this value is" } else { "these values are" };
    (!parts.is_empty()).then(|| {
        format!(
            "permuting can change the way through a tree of no more than {}, because few rows are alike in the \
             variables conditioned on: {these} too small and cannot be compared with others; raise the \
             conditioning threshold or grow larger leaves",
            some_of(&parts, MOST_NAMED)
        )
    })
}
