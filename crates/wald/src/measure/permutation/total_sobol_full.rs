//! The full total Sobol index as the difference of two permutation importances: Bénard, Da Veiga &
//! Scornet 2022, Remark 1.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{BENARD_2022, Reference};
use crate::measure::definition::verdicts::{Judgement, Row, Validity, Verdicts};
use crate::measure::definition::{
    Copies, KeptAltered, MeasureDef, MeasureOption, MeasureSettings, Normalise, Requirement, Scale,
};
use crate::measure::permutation::kernel::blocks::{BlockPart, BlocksTotal};
use crate::measure::permutation::mda_breiman_cutler::{self, MdaBreimanCutler};
use crate::measure::permutation::mda_ishwaran_kogalur::{MdaIshwaranKogalur, permutations};
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};

const SHARED: &str = "Measures what the variable shares with others, not what is lost without it.";

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Careful, Validity::Invalid, Validity::Invalid],
        because: [
            "In the limit it is right with independent variables; before, it is strongly biased.",
            SHARED,
            SHARED,
        ],
    },
    influence: Judgement {
        serves: [Validity::Careful, Validity::Careful, Validity::Careful],
        because: ["Tends to the full total Sobol index, which this objective asks for, but is \
                   strongly biased with any real number of rows."; 3],
    },
    source: "Bénard, Da Veiga & Scornet 2022, Remark 1",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "total_sobol_full";
    const NAME: &'static str = "Full total Sobol index from two permutation importances";
    const ESTIMAND: &'static str = "\
        The share of the target's variance that is due to the variable together with what depends \
        on it and interacts with it (its full total Sobol index), as the Breiman-Cutler minus the \
        Ishwaran-Kogalur importance";
    const CAVEAT: &'static str = "\
        Correct only in the limit of infinitely many rows: single trees have larger errors than \
        the forest, so that it is strongly biased for any finite number of rows. For the loss \
        without the variable, another index, use sobol_mda";
    const SOURCE: &'static str = "Bénard, Da Veiga & Scornet 2022, Remark 1";
    const REFERENCES: &'static [Reference] = &[BENARD_2022];
    const UNIT: &'static str = "share of the variance of the target";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "that of mda_breiman_cutler and mda_ishwaran_kogalur";
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = &[
        Requirement::OutOfBagRows,
        Requirement::EqualTrees,
        Requirement::MeansOfRows,
        Requirement::SharesOfClasses,
    ];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const CLASSIFICATION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::Permutations];
    const COPIES: Copies = Copies::OutOfBag;
    const PERMUTES_CLUSTERS: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 7, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let settings = MeasureSettings { normalise: Normalise::None, ..settings.clone() };
        Ok(Plan::fold(TotalSobolFull {
            of_trees: MdaBreimanCutler::new(&settings, subject)?,
            of_forest: MdaIshwaranKogalur::new(&settings, subject)?,
            variance: subject.training.response_variance(),
        }))
    }

    fn altered(settings: &MeasureSettings) -> Option<KeptAltered> {
        Some(KeptAltered::of_permutations(&permutations(settings)))
    }
}

#[derive(Debug)]
struct TotalSobolFull {
    of_trees: MdaBreimanCutler,
    of_forest: MdaIshwaranKogalur,
    /// Of the target over all rows, divisor n - 1.
    variance: f64,
}

#[derive(Debug, Default)]
struct Total {
    of_trees: mda_breiman_cutler::Total,
    of_forest: BlocksTotal,
    /// By tree: whether it has out-of-bag rows that count.
    has_rows: Vec<bool>,
}

impl Fold for TotalSobolFull {
    type Part = (mda_breiman_cutler::Part, BlockPart);
    type Total = Total;

    fn tree(&self, view: &TreeView<'_>) -> Self::Part {
        (self.of_trees.tree(view), self.of_forest.tree(view))
    }

    fn fits(&self, tree: usize, part: &Self::Part) -> bool {
        self.of_trees.fits(tree, &part.0) && self.of_forest.fits(tree, &part.1)
    }

    fn merge(&self, total: &mut Total, (of_tree, of_forest): Self::Part) {
        total.has_rows.push(of_tree.has_rows());
        self.of_trees.merge(&mut total.of_trees, of_tree);
        self.of_forest.merge(&mut total.of_forest, of_forest);
    }

    fn finish(&self, mut total: Total, outcome: Outcome<'_>) -> Importance {
        let influences = match total.of_forest.finished.as_mut_slice() {
            [forest] => std::mem::take(&mut forest.influences),
            _ => Vec::new(),
        };
        let of_trees = self.of_trees.finish(total.of_trees, outcome);
        let of_forest = self.of_forest.finish(total.of_forest, outcome);
        let share = |value: f64| (self.variance > 0.0).then(|| value / self.variance);
        let pairs = of_trees.values.iter().zip(&of_forest.values);
        let mut notes = of_trees.notes.clone();
        notes.extend(of_forest.notes);
        if self.variance <= 0.0 {
            notes.push("undefined, because the target is constant".to_owned());
        }
        let repeats = of_trees.repeats.iter().zip(&of_forest.repeats);
        let repeats = repeats.filter_map(|(one, other)| -> Option<Vec<f64>> {
            one.iter().zip(other).map(|(one, other)| share(one - other)).collect()
        });
        let errors = standard_errors(&of_trees, &influences, &total.has_rows);
        Importance {
            loss: Some(Loss::Squared.id()),
            values: pairs.map(|(one, other)| share((*one)? - (*other)?)).collect(),
            standard_errors: errors.map(|errors| errors.into_iter().map(share).collect()),
            repeats: repeats.collect(),
            settings: BTreeMap::from([
                ("permutations", of_forest.settings["permutations"].clone()),
                ("normalise", Normalise::Variance.id().to_owned()),
            ]),
            notes,
            ..Definition::INFO.importance()
        }
    }
}

/// Both importances are of the same trees: what a tree adds to the difference is what it adds to
/// the one minus what it adds to the other.
fn standard_errors(
    of_trees: &Importance,
    influences: &[Vec<f64>],
    has_rows: &[bool],
) -> Option<Vec<f64>> {
    if influences.len() < 2 {
        return None;
    }
    let n_counted = of_trees.per_tree.len() as f64;
    let all = has_rows.len() as f64 / influences.len() as f64;
    let error = |group: usize| -> Option<f64> {
        let mean = of_trees.values[group]?;
        let mut counted = of_trees.per_tree.iter();
        let squares = influences.iter().zip(has_rows).map(|(influence, has_rows)| {
            let tree = if *has_rows { counted.next() } else { None };
            let own = tree.map_or(0.0, |tree| (tree[group] - mean) / n_counted);
            (own - influence[group]).powi(2)
        });
        Some((all * squares.sum::<f64>()).sqrt())
    };
    (0..of_trees.values.len()).map(error).collect()
}
