//! Saabas's values: what the splits on a row's path add to its prediction.

use crate::error::Error;
use crate::explain::along_paths::{AlongPaths, Amounts, Known};
use crate::explain::{ExplanationInfo, ExplanationSettings, Local, ToExplain};
use crate::forest::{Aggregation, Forest, Tree};
use crate::measure::references::{LI_2019, SAABAS_2014};
use crate::shapley::check_adds_up;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "saabas",
    name: "Saabas's values",
    estimand: "What the splits on a variable add to the prediction for a row: by how much the mean \
               of the in-bag responses changes where the row goes, summed over the splits on its \
               paths and averaged over trees. All values and the mean of the roots add up to the \
               prediction",
    caveat: "Splits near the root are credited for less than splits below them that only became \
             possible there, so that variables of equal effect get unequal values; tree_shap treats \
             them alike",
    source: "Saabas 2014; Li et al. 2019, f of Proposition 1",
    references: &[SAABAS_2014, LI_2019],
    cost: "one pass of the rows through the forest, and the numbers written",
    has_grid: false,
    has_background: false,
    regression_losses: &[],
    classification_losses: &[],
};

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    let forest = subject.forest;
    check_adds_up(INFO.id, forest)?;
    let aggregation = forest.aggregation();
    let amounts = Box::new(move |tree: &Tree| steps(tree, aggregation));
    let expected = expected_value(forest);
    Ok(Box::new(AlongPaths::adding_up(INFO.id, settings, subject, (expected, amounts))?))
}

/// What the roots say, as the forest adds it up.
fn expected_value(forest: &Forest) -> Vec<f64> {
    let mut sums = vec![0.0; forest.target().n_outputs()];
    for tree in forest.trees() {
        forest.aggregation().add(tree, 0, &mut sums);
    }
    let divisor = forest.aggregation().divisor(forest.trees().len() as f64);
    sums.iter().map(|sum| sum / divisor).collect()
}

/// What nodes say, minus what those above say, and minus what the root says.
fn steps(tree: &Tree, aggregation: Aggregation) -> Amounts {
    let n_outputs = tree.n_outputs();
    let mut says = vec![0.0; tree.n_nodes() * n_outputs];
    for (node, say) in says.chunks_exact_mut(n_outputs).enumerate() {
        aggregation.add(tree, node, say);
    }
    let mut steps = vec![0.0; says.len()];
    for (node, split) in tree.splits() {
        for child in tree.children(split) {
            for output in 0..n_outputs {
                steps[child * n_outputs + output] =
                    says[child * n_outputs + output] - says[node * n_outputs + output];
            }
        }
    }
    let spread = says.iter().fold(0.0, |spread: f64, say| spread.max(say.abs()));
    let root = says[..n_outputs].to_vec();
    for say in says.chunks_exact_mut(n_outputs) {
        say.iter_mut().zip(&root).for_each(|(say, root)| *say -= root);
    }
    Amounts { steps, sums: Some(Known { sums: says, spread }) }
}
