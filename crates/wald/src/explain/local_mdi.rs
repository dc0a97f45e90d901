//! Local mean decrease in impurity: Sutera et al. 2021, Eq. 8.

use crate::error::Error;
use crate::explain::along_paths::AlongPaths;
use crate::explain::{ExplanationInfo, ExplanationOption, ExplanationSettings, Local, ToExplain};
use crate::forest::{Impurity, Tree};
use crate::measure::check_impurity;
use crate::measure::references::{LOUPPE_2013, SUTERA_2021};

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "local_mdi",
    name: "Local mean decrease in impurity",
    estimand: "The decrease in the impurity of the response at the splits on a variable along the \
               path of a row, averaged over trees: the decrease in uncertainty about the response \
               given the value of the variable in this row. The mean over the in-bag rows of each \
               tree, weighted as in its bag, is mdi; the sum over variables is the impurity at \
               the roots minus that at the row's leaves; with totally randomized trees and much \
               data, a Shapley value",
    caveat: "Negative if the row's value makes the response less certain, which is not a sign of \
             noise. Biased like mdi, more so on training rows than on others; the unweighted mean \
             over rows is mdi only if trees are grown on all rows",
    unit: "impurity of the target",
    source: "Sutera et al. 2021, Definition 1, Eq. 8 and 9",
    references: &[SUTERA_2021, LOUPPE_2013],
    cost: "that of predicting the rows, and the numbers written",
    options: &[
        ExplanationOption::Variables,
        ExplanationOption::OutOfBag,
        ExplanationOption::Impurity,
    ],
    regression_losses: &[],
    classification_losses: &[],
};

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    let own = subject.forest.impurity();
    let impurity = settings.impurity.unwrap_or(own);
    check_impurity(INFO.id, impurity, own, subject.forest.aggregation())?;
    let amounts = move |tree: &Tree| decreases(tree, impurity, own);
    Ok(Box::new(AlongPaths::new(INFO.id, settings, subject, amounts)?))
}

/// I(t) - I(child) at every child. Where no in-bag row reached a child, which only foreign trees
/// and branches without weight have, nothing is known of it, and nothing decreases.
fn decreases(tree: &Tree, impurity: Impurity, own: Impurity) -> Vec<f64> {
    let mut decreases = vec![0.0; tree.n_nodes()];
    let Some(known) = tree.statistics() else { return decreases };
    let of = |node: usize| {
        // Stored in the forest's criterion; others follow from class proportions.
        if impurity == own {
            known.impurity(node)
        } else {
            impurity.of_proportions(&tree.value(node))
        }
    };
    for (node, split) in tree.splits() {
        let above = of(node);
        for child in tree.children(split).filter(|&child| known.weight(child) > 0.0) {
            decreases[child] = above - of(child);
        }
    }
    decreases
}
