//! Which variables change the distribution of the response on a row's paths: local relevance,
//! Sutera et al. 2021, Definition 2.

use crate::error::Error;
use crate::explain::along_paths::AlongPaths;
use crate::explain::{ExplanationInfo, ExplanationOption, ExplanationSettings, Local, ToExplain};
use crate::forest::{Node, NodeStatistics, Tree};
use crate::measure::references::{LOUPPE_2013, SUTERA_2021};

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "local_relevance",
    name: "Local relevance",
    estimand: "The share of trees in which a split on the variable along the path of the row \
               changes the distribution of the response: the class proportions, or the mean or \
               variance of a number, of the in-bag rows. 0 where no tree ever changes it: as far \
               as the forest shows, the variable is locally irrelevant at the row",
    caveat: "0 refers to the splits that the trees have. Definition 2 refers to all sets of other \
             variables, which occur only in the limit of many totally randomized, fully grown \
             multiway trees; with mtry above 1 other variables may mask one, and limits on depth \
             and node size hide it. Above 0 is weak evidence with few rows, because then every \
             split changes proportions by chance",
    unit: "share of the trees",
    source: "Sutera et al. 2021, Definition 2 and Theorem 4",
    references: &[SUTERA_2021, LOUPPE_2013],
    cost: "that of predicting the rows, and the numbers written",
    options: &[ExplanationOption::Variables, ExplanationOption::OutOfBag],
    regression_losses: &[],
    classification_losses: &[],
};

/// Class proportions closer than this are equal but for rounding.
const EQUAL_PROPORTIONS: f64 = 1e-12;

/// Means and variances of numbers closer than this, in standard deviations and variances of the
/// target, are equal but for rounding.
const EQUAL_MOMENTS: f64 = 1e-9;

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    let impurity = subject.forest.impurity();
    if impurity.is_other_loss() {
        return Err(Error::measure(
            INFO.id,
            format!(
                "compares means and variances of nodes, but those of this forest hold `{}`",
                impurity.id()
            ),
            "use local_mdi, or grow the forest by variance",
        ));
    }
    Ok(Box::new(AlongPaths::new(INFO.id, settings, subject, first_changes)?))
}

/// 1 at every node that is the first on its path to have another distribution than its parent by a
/// split on the parent's variable, so that a path adds up to 1 or 0 for each variable.
fn first_changes(tree: &Tree) -> Vec<f64> {
    let n_nodes = tree.n_nodes();
    let mut changes = vec![0.0; n_nodes];
    let Some(known) = tree.statistics() else { return changes };
    let n_features = tree.splits().map(|(_, split)| split.feature as usize + 1).max().unwrap_or(0);
    let mut has_changed = vec![false; n_features];
    let mut pending = vec![Step::Enter(0)];
    while let Some(step) = pending.pop() {
        let node = match step {
            Step::Leave(feature) => {
                has_changed[feature] = false;
                continue;
            }
            Step::Change(node, feature) => {
                changes[node] = 1.0;
                has_changed[feature] = true;
                pending.push(Step::Leave(feature));
                node
            }
            Step::Enter(node) => node,
        };
        let Node::Split(split) = &tree.nodes()[node] else { continue };
        let feature = split.feature as usize;
        pending.extend(tree.children(split).map(|child| {
            if !has_changed[feature] && differ(tree, known, node, child) {
                Step::Change(child, feature)
            } else {
                Step::Enter(child)
            }
        }));
    }
    changes
}

enum Step {
    Enter(usize),
    /// Enters a node to which a variable changes the distribution.
    Change(usize, usize),
    Leave(usize),
}

/// Whether the in-bag rows of a node and its child have another distribution, but for rounding.
fn differ(tree: &Tree, known: &NodeStatistics, node: usize, child: usize) -> bool {
    if known.weight(child) <= 0.0 {
        return false;
    }
    match (&*tree.value(node), &*tree.value(child)) {
        ([above], [below]) => {
            let variance = known.impurity(0);
            let of_rounding = 8.0 * f64::EPSILON * tree.value(0)[0].abs();
            let moved = (above - below).abs();
            moved > EQUAL_MOMENTS * variance.sqrt() + of_rounding
                || (known.impurity(node) - known.impurity(child)).abs() > EQUAL_MOMENTS * variance
        }
        (above, below) => {
            above.iter().zip(below).any(|(above, below)| (above - below).abs() > EQUAL_PROPORTIONS)
        }
    }
}
