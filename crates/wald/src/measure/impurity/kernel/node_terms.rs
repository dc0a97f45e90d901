//! Decreases in impurity as the out-of-bag rows see them: what the measures that correct the mean
//! decrease in impurity share.
//!
//! Each of them gives every node a term, made of the in-bag and the out-of-bag mean of the
//! response, and adds up by how much splits decrease it.

use std::collections::BTreeMap;

use crate::data::Task;
use crate::error::Error;
use crate::forest::{Aggregation, Impurity, NodeStatistics};
use crate::importance::Importance;
use crate::measure::definition::{MeasureInfo, MeasureOption, MeasureSettings, Requirement};
use crate::measure::kernel::over_trees::mean_over_trees;
use crate::measure::kernel::part::{SomeTrees, Taken};
use crate::pass::{Fold, OutOfBagTally, Outcome, Plan, Subject, TreeView};
use crate::words::trees_left_out;

/// What all of them cost.
pub(crate) const COST: &str = "\
    free with any other measure of out-of-bag rows: O(out-of-bag rows + nodes * classes) per tree";

/// What all of them need of a forest.
pub(crate) const REQUIREMENTS: &[Requirement] = &[
    Requirement::OutOfBagRows,
    Requirement::NodeStatistics,
    Requirement::MeansOfRows,
    Requirement::SharesOfClasses,
];

/// What all of them read.
pub(crate) const OPTIONS: &[MeasureOption] = &[MeasureOption::Impurity, MeasureOption::PerClass];

/// What makes one measure of this kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Formula {
    pub(crate) info: &'static MeasureInfo,
    /// The term of a node and an output, times the weight of the node.
    pub(crate) term: fn(&Nodes<'_>, usize, usize) -> f64,
    /// What nodes are weighed by.
    pub(crate) weighed_by: Rows,
    /// Whether a split counts only where every child has out-of-bag rows.
    pub(crate) needs_all_children: bool,
    /// Whether terms read the impurity of nodes, and not their means alone.
    pub(crate) reads_impurity: bool,
    /// Why it has no form for entropy; `None` if it has.
    pub(crate) without_entropy: Option<&'static str>,
}

/// The rows whose weight at the root terms are divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    InBag,
    OutOfBag,
}

/// Statistics of the nodes of a tree for given rows.
#[derive(Debug)]
pub(crate) struct Nodes<'a> {
    view: &'a TreeView<'a>,
    in_bag: &'a NodeStatistics,
    pub(crate) out_of_bag: &'a OutOfBagTally,
    pub(crate) impurity: Impurity,
}

impl Nodes<'_> {
    pub(crate) fn in_bag_weight(&self, node: usize) -> f64 {
        self.in_bag.weight(node)
    }

    /// In-bag mean of an output in the whole tree.
    pub(crate) fn root_mean(&self, output: usize) -> f64 {
        self.view.tree.value(0)[output]
    }

    /// In-bag mean of an output, minus that of the whole tree.
    pub(crate) fn in_bag_deviation(&self, node: usize, output: usize) -> f64 {
        self.view.tree.value(node)[output] - self.root_mean(output)
    }

    /// Weighted sum of the out-of-bag rows' deviations from the in-bag mean of the whole tree.
    pub(crate) fn out_of_bag_deviations(&self, node: usize, output: usize) -> f64 {
        let sum = self.out_of_bag.sum(node, output);
        match self.impurity {
            // Numbers are summed up as deviations.
            Impurity::Variance | Impurity::Poisson | Impurity::AbsoluteError => sum,
            Impurity::Gini | Impurity::Entropy => {
                sum - self.out_of_bag.weight(node) * self.root_mean(output)
            }
        }
    }

    /// What an output adds to the in-bag impurity: the variance of a number, of the indicator of
    /// a class, or -p log2 p; 0 where there are no in-bag rows.
    pub(crate) fn in_bag_impurity(&self, node: usize, output: usize) -> f64 {
        if self.in_bag.weight(node) <= 0.0 {
            return 0.0;
        }
        match self.impurity {
            Impurity::Variance | Impurity::Poisson | Impurity::AbsoluteError => {
                self.in_bag.impurity(node)
            }
            Impurity::Gini | Impurity::Entropy => {
                of_share(self.impurity, self.view.tree.value(node)[output])
            }
        }
    }

    /// The same of the out-of-bag rows; 0 where there are none.
    pub(crate) fn out_of_bag_impurity(&self, node: usize, output: usize) -> f64 {
        let weight = self.out_of_bag.weight(node);
        if weight <= 0.0 {
            return 0.0;
        }
        let mean = self.out_of_bag.sum(node, output) / weight;
        match self.impurity {
            Impurity::Variance | Impurity::Poisson | Impurity::AbsoluteError => {
                (self.out_of_bag.squares(node) / weight - mean * mean).max(0.0)
            }
            Impurity::Gini | Impurity::Entropy => of_share(self.impurity, mean),
        }
    }
}

/// What a class of this share adds to the impurity.
fn of_share(impurity: Impurity, share: f64) -> f64 {
    match impurity {
        Impurity::Entropy if share > 0.0 => -share * share.log2(),
        Impurity::Entropy => 0.0,
        _ => share * (1.0 - share),
    }
}

/// The fold of a [`Formula`].
#[derive(Debug)]
struct Decreases {
    formula: Formula,
    impurity: Impurity,
    /// The impurity that the trees were grown by, where it is another one.
    grown_by: Option<Impurity>,
    n_groups: usize,
    per_class: bool,
    /// Numbers of a term: of every class, or of all outputs together.
    width: usize,
}

/// One tree, by group.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Tree {
    values: Vec<f64>,
    /// By class, then group; none unless asked for.
    per_class: Vec<Vec<f64>>,
}

/// The trees so far.
#[derive(Debug, Default)]
struct Trees {
    per_tree: Vec<Vec<f64>>,
    /// Summed over trees.
    per_class: Vec<Vec<f64>>,
    n_without_rows: usize,
}

/// The plan of a measure that a formula makes.
pub(crate) fn plan(
    formula: Formula,
    settings: &MeasureSettings,
    subject: Subject<'_>,
) -> Result<Plan, Error> {
    let own = match subject.forest.impurity() {
        // A formula of means takes the trees as they are, whatever they were grown by.
        Impurity::Entropy if formula.without_entropy.is_some() => Impurity::Gini,
        Impurity::Poisson if !formula.reads_impurity => Impurity::Variance,
        impurity => impurity,
    };
    let impurity = settings.impurity.unwrap_or(own);
    if impurity.is_other_loss() {
        return Err(Error::measure(
            formula.info.id,
            format!("has no form for the impurity `{}` of this forest", impurity.id()),
            "use mdi_oob, which takes the means of the nodes, or mdi",
        ));
    }
    if own.is_other_loss() {
        return Err(not_stored(formula.info.id, impurity, own));
    }
    check_impurity(formula.info.id, impurity, own, subject.forest.aggregation())?;
    if let Some(why) = formula.without_entropy.filter(|_| impurity == Impurity::Entropy) {
        return Err(Error::measure(
            formula.info.id,
            format!("has no form for entropy: {why}"),
            "use gini",
        ));
    }
    let fold = Decreases {
        formula,
        impurity,
        grown_by: Some(subject.forest.impurity()).filter(|grown_by| match grown_by {
            Impurity::Entropy => impurity == Impurity::Gini,
            grown_by => grown_by.is_other_loss(),
        }),
        n_groups: subject.groups.n_groups(),
        per_class: settings.per_class,
        width: if settings.per_class { subject.training.n_outputs() } else { 1 },
    };
    Ok(match Taken::of_trees(settings, subject) {
        Some(taken) => Plan::fold(SomeTrees { fold, taken }),
        None => Plan::fold(fold),
    })
}

/// Refuses an impurity that does not go with the target, and one that the nodes of a forest do not tell:
/// of numbers, and of trees that add up, whose nodes have no shares of classes, they hold the one that
/// the forest was grown by.
pub(crate) fn check_impurity(
    measure: &'static str,
    impurity: Impurity,
    own: Impurity,
    aggregation: Aggregation,
) -> Result<(), Error> {
    if impurity.task() != own.task() {
        return Err(Error::measure(
            measure,
            format!("cannot use the impurity `{}` for this target", impurity.id()),
            "use variance for a number, gini or entropy for classes",
        ));
    }
    let has_shares = own.task() == Task::Classification && aggregation != Aggregation::Sum;
    if impurity == own || has_shares {
        return Ok(());
    }
    Err(not_stored(measure, impurity, own))
}

/// The refusal of an impurity that is not that of the nodes.
fn not_stored(measure: &'static str, impurity: Impurity, own: Impurity) -> Error {
    Error::measure(
        measure,
        format!(
            "cannot use the impurity `{}`: the nodes of this forest hold `{}`",
            impurity.id(),
            own.id()
        ),
        "leave the impurity out, or grow the forest by that one",
    )
}

/// The unit of a decrease in impurity.
pub(crate) fn unit(impurity: Impurity) -> &'static str {
    match impurity {
        Impurity::Variance => "variance of the target",
        Impurity::Gini => "Gini impurity of the target",
        Impurity::Entropy => "entropy of the target in bits",
        Impurity::Poisson => "half the Poisson deviance of the target",
        Impurity::AbsoluteError => "mean absolute deviation of the target from its median",
    }
}

impl Decreases {
    /// Terms of all nodes, `width` each, divided by the weight of the root.
    fn terms(&self, nodes: &Nodes<'_>, root: f64) -> Vec<f64> {
        let n_outputs = nodes.view.training.n_outputs();
        let mut terms = vec![0.0; nodes.view.tree.n_nodes() * self.width];
        for (node, terms) in terms.chunks_exact_mut(self.width).enumerate() {
            for output in 0..n_outputs {
                terms[output % self.width] += (self.formula.term)(nodes, node, output) / root;
            }
        }
        terms
    }
}

impl Fold for Decreases {
    /// `None` without out-of-bag rows that weigh something.
    type Part = Option<Tree>;
    type Total = Trees;

    fn tree(&self, view: &TreeView<'_>) -> Option<Tree> {
        let out_of_bag = view.out_of_bag_tally();
        let in_bag = view.tree.statistics()?;
        if out_of_bag.weight(0) <= 0.0 {
            return None;
        }
        let root = match self.formula.weighed_by {
            Rows::InBag => in_bag.weight(0),
            Rows::OutOfBag => out_of_bag.weight(0),
        };
        let n_columns = view.groups.of_column().len();
        let mut per_column = vec![vec![0.0; n_columns]; self.width];
        if root > 0.0 {
            let terms =
                self.terms(&Nodes { view, in_bag, out_of_bag, impurity: self.impurity }, root);
            for (node, split) in view.tree.splits() {
                let mut children = view.tree.children(split);
                if self.formula.needs_all_children
                    && children.any(|child| out_of_bag.weight(child) <= 0.0)
                {
                    continue;
                }
                for (output, columns) in per_column.iter_mut().enumerate() {
                    let term = |node: usize| terms[node * self.width + output];
                    let below: f64 = view.tree.children(split).map(term).sum();
                    columns[split.feature as usize] += term(node) - below;
                }
            }
        }
        let per_class: Vec<Vec<f64>> =
            per_column.iter().map(|columns| view.groups.sums(columns)).collect();
        let sum = |group: usize| per_class.iter().map(|values| values[group]).sum();
        let values = (0..self.n_groups).map(sum).collect();
        Some(Tree { values, per_class: if self.per_class { per_class } else { Vec::new() } })
    }

    fn fits(&self, _: usize, part: &Option<Tree>) -> bool {
        let fits = |values: &Vec<f64>| values.len() == self.n_groups;
        let is_fitting = |tree: &Tree| tree.per_class.iter().chain([&tree.values]).all(fits);
        part.as_ref().is_none_or(is_fitting)
    }

    fn merge(&self, total: &mut Trees, part: Option<Tree>) {
        let Some(Tree { values, per_class }) = part else {
            total.n_without_rows += 1;
            return;
        };
        total.per_tree.push(values);
        total.per_class.resize(per_class.len(), vec![0.0; self.n_groups]);
        for (sums, values) in total.per_class.iter_mut().zip(per_class) {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
    }

    fn finish(&self, total: Trees, outcome: Outcome<'_>) -> Importance {
        let Trees { per_tree, per_class, n_without_rows } = total;
        let n_trees = per_tree.len() as f64;
        let mean = |sums: &Vec<f64>| sums.iter().map(|sum| Some(sum / n_trees)).collect();
        let of_classes = outcome.classes.iter().cloned().zip(per_class.iter().map(mean));
        let mut notes = Vec::from_iter(trees_left_out(n_without_rows, "without"));
        if let Some(grown_by) = self.grown_by {
            let name = |impurity: Impurity| match impurity {
                Impurity::Gini => "Gini impurity",
                Impurity::Poisson => "Poisson deviance",
                impurity => impurity.id(),
            };
            let (grown_by, here) = (name(grown_by), name(self.impurity));
            notes.push(format!("the trees were grown by {grown_by}, but this is {here}"));
        }
        Importance {
            unit: unit(self.impurity).to_owned(),
            per_class: (self.per_class && n_trees > 0.0).then(|| of_classes.collect()),
            settings: BTreeMap::from([("impurity", self.impurity.id().to_owned())]),
            notes,
            ..mean_over_trees(self.formula.info, per_tree, self.n_groups)
        }
    }
}
