//! Shapley values in the place of f in MDI-oob: Li et al. 2019, Eq. 14 and section 5.

use crate::data::Task;
use crate::error::Error;
use crate::forest::Impurity;
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::references::{LI_2019, LUNDBERG_2020, Reference};
use crate::measure::definition::verdicts::{Judgement, Row, SHARES_CREDIT, Validity, Verdicts};
use crate::measure::definition::{
    ClassMeaning, CostClass, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
    TreeShape,
};
use crate::measure::impurity::kernel::node_terms::unit;
use crate::measure::kernel::over_trees::mean_over_trees;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};
use crate::tree_shap::{Predictions, PreparedTree, RowsToExplain, Workspace, tree_bytes};
use crate::words::trees_left_out;

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement { serves: [Validity::Invalid; 3], because: [SHARES_CREDIT; 3] },
    influence: Judgement {
        serves: [Validity::Careful; 3],
        because: ["Measures how much of the response a variable predicts out of bag; splits are \
                   averaged without regard to dependence."; 3],
    },
    source: "Li et al. 2019, section 5; Aas, Jullum & Løland 2021",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "tree_shap_oob_covariance";
    const NAME: &'static str = "Covariance of out-of-bag Shapley values with the response";
    const ESTIMAND: &'static str = "\
        How much of the response a variable predicts: the covariance of the response with the \
        variable's Shapley value (path-dependent) on the out-of-bag rows of each tree, averaged \
        over trees. This is mdi_oob with Shapley values instead of the contributions of splits. \
        Responses are centred at the in-bag mean of the tree";
    const CAVEAT: &'static str = "\
        Values of irrelevant variables scatter around zero, so that half of them are negative. \
        Dependent variables share credit. The value of a group of variables is the sum of theirs";
    const SOURCE: &'static str = "\
        Li et al. 2019, Eq. 14, with Shapley values (Lundberg et al. 2020, \"path-dependent\") in \
        the place of f, as the discussion there suggests";
    const REFERENCES: &'static [Reference] = &[LI_2019, LUNDBERG_2020];
    const UNIT: &'static str = "impurity of the target (variance, or Gini)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = "\
        all out-of-bag rows visit all leaves of a tree: O(rows * leaves), which for many rows is \
        many times the cost of growing";
    const COST_CLASS: CostClass = CostClass::AllLeaves;
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = &[
        Requirement::OutOfBagRows,
        Requirement::NodeStatistics,
        Requirement::MeansOfRows,
        Requirement::SharesOfClasses,
    ];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::PerClass];
    const CLASS_VALUES: ClassMeaning = ClassMeaning::OfProbability;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 19, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        Ok(Plan::fold(Covariance {
            n_groups: subject.groups.n_groups(),
            n_outputs: subject.training.n_outputs(),
            per_class: settings.per_class,
            unit: unit(match subject.forest.task() {
                Task::Regression => Impurity::Variance,
                Task::Classification => Impurity::Gini,
            }),
        }))
    }

    fn thread_bytes(tree: &TreeShape) -> f64 {
        tree_bytes(tree.nodes, tree.columns * tree.outputs) + 8.0 * tree.rows * tree.outputs
    }
}

/// Values must add up to predictions this precisely.
const TOLERANCE: f64 = 1e-9;

#[derive(Debug)]
struct Covariance {
    n_groups: usize,
    n_outputs: usize,
    per_class: bool,
    unit: &'static str,
}

/// The values of one tree.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
enum Part {
    /// By output, then by group.
    Sums(Vec<f64>),
    /// No out-of-bag row weighs anything.
    NoRows,
    /// Values do not add up to predictions.
    Wrong,
}

#[derive(Debug, Default)]
struct Parts {
    per_tree: Vec<Vec<f64>>,
    /// By output, then by group.
    sums: Vec<f64>,
    n_without_rows: usize,
    n_wrong: usize,
}

impl Fold for Covariance {
    type Part = Part;
    type Total = Parts;

    fn tree(&self, view: &TreeView<'_>) -> Part {
        let Self { n_groups, n_outputs, .. } = *self;
        let (rows, training) = (view.out_of_bag.all(), view.training);
        let total: f64 = rows.iter().map(|&row| training.weight(row)).sum();
        let node_values = view.tree.values.as_slice();
        let Some(known) = PreparedTree::new(view.tree, node_values, n_outputs) else {
            return Part::NoRows;
        };
        if total <= 0.0 {
            return Part::NoRows;
        }
        let root = view.tree.value(0);
        let deviation = |row: u32, output: usize| {
            training.weight(row) / total * (training.response_at(row, output) - root[output])
        };
        let mut sums = vec![0.0; n_outputs * n_groups];
        // By row and output: what values leave of the predictions.
        let mut left = vec![0.0; training.n_rows() * n_outputs];
        for leaf in view.leaves() {
            for &row in view.out_of_bag.rows(leaf) {
                let left = &mut left[row as usize * n_outputs..][..n_outputs];
                for (output, left) in left.iter_mut().enumerate() {
                    *left = known.deviation(output, view.tree.value(leaf)[output]);
                }
            }
        }
        let predictions = Predictions { known: &known, node_values };
        let to_explain = RowsToExplain { rows, pairs: false };
        let router = view.router();
        let explained = Workspace::default().explain(
            &router,
            predictions,
            to_explain,
            view.progress,
            |found| {
                let row = rows[found.position];
                let deviation = deviation(row, found.output);
                let of_output = &mut sums[found.output * n_groups..][..n_groups];
                for (&column, value) in found.columns.iter().zip(found.values) {
                    of_output[view.group(column)] += value * deviation;
                }
                left[row as usize * n_outputs + found.output] -= found.values.iter().sum::<f64>();
            },
        );
        if explained.is_err() {
            // Cancelled: the rest is not used.
            return Part::NoRows;
        }
        // Written so that what is not a number is far, too.
        let is_close = |left: &f64| left.abs() <= TOLERANCE * known.spread;
        if left.iter().all(is_close) { Part::Sums(sums) } else { Part::Wrong }
    }

    fn fits(&self, _: usize, part: &Part) -> bool {
        match part {
            Part::Sums(sums) => sums.len() == self.n_outputs * self.n_groups,
            Part::NoRows | Part::Wrong => true,
        }
    }

    fn merge(&self, total: &mut Parts, part: Part) {
        match part {
            Part::Sums(sums) => {
                total.sums.resize(sums.len(), 0.0);
                total.sums.iter_mut().zip(&sums).for_each(|(sum, more)| *sum += more);
                let of_group = |group: usize| sums[group..].iter().step_by(self.n_groups).sum();
                total.per_tree.push((0..self.n_groups).map(of_group).collect());
            }
            Part::NoRows => total.n_without_rows += 1,
            Part::Wrong => total.n_wrong += 1,
        }
    }

    fn finish(&self, mut total: Parts, outcome: Outcome<'_>) -> Importance {
        let mut notes = Vec::from_iter(trees_left_out(total.n_without_rows, "without"));
        if total.n_wrong > 0 {
            // Nothing is better than something wrong.
            total.per_tree.clear();
            notes.push(
                "undefined, because the values of a tree do not add up to its predictions: this is \
                 a defect of wald, please report it with the data"
                    .to_owned(),
            );
        }
        let n_trees = total.per_tree.len() as f64;
        let of_classes = outcome.classes.iter().zip(total.sums.chunks(self.n_groups.max(1)));
        let per_class = of_classes.map(|(class, sums)| {
            (class.clone(), sums.iter().map(|sum| Some(sum / n_trees)).collect())
        });
        let per_class = (self.per_class && n_trees > 0.0).then(|| per_class.collect());
        let means = mean_over_trees(&Definition::INFO, total.per_tree, self.n_groups);
        Importance { unit: self.unit.to_owned(), per_class, notes, ..means }
    }
}
