//! Mean decrease in impurity: Louppe et al. 2013, Eq. 2; Li et al. 2019, Eq. 4.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::forest::{Fold, Impurity, Outcome, Plan, TreeView};
use crate::importance::{DataUsed, Importance};
use crate::measure::node_terms::{check_impurity, unit};
use crate::measure::over_trees::over_trees;
use crate::measure::references::{BREIMAN_1984, LI_2019, LOUPPE_2013};
use crate::measure::{Effort, MeasureInfo, MeasureSettings, Needs, Normalise, Scale, Subject};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "mdi",
    name: "Mean decrease in impurity",
    estimand: "How much impurity the splits on a variable remove, weighted by the share of \
               in-bag rows at each split, averaged over trees; with totally randomized trees \
               and much data, a Shapley value of mutual information",
    caveat: "Biased towards variables with many distinct values and away from zero for \
             variables that mean nothing; shares credit arbitrarily between dependent variables",
    source: "Louppe et al. 2013, Eq. 2; Li et al. 2019, Eq. 4; Breiman et al. 1984",
    references: &[LOUPPE_2013, LI_2019, BREIMAN_1984],
    unit: "impurity of the target (variance, Gini, or bits of entropy)",
    scale: Scale::Loss,
    cost: "free while growing; otherwise O(nodes)",
    effort: Effort::Pass,
    data: DataUsed::Training,
    small_is_important: false,
    needs: &[Needs::NodeStatistics],
    regression_losses: &[],
    classification_losses: &[],
    normalisations: &[Normalise::Sum],
    options: &[],
};

#[derive(Debug)]
struct Mdi {
    n_groups: usize,
    impurity: Impurity,
    normalise: Normalise,
}

pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    let impurity = settings.impurity.unwrap_or(subject.forest.impurity());
    check_impurity(INFO.id, impurity, subject.forest.task())?;
    let n_groups = subject.groups.n_groups();
    Ok(Plan::fold(Mdi { n_groups, impurity, normalise: settings.normalise }))
}

impl Fold for Mdi {
    type Part = Vec<f64>;
    type Total = Vec<Vec<f64>>;

    fn tree(&self, view: &TreeView<'_>) -> Vec<f64> {
        // Stored in the forest's criterion; others follow from class proportions.
        let per_column = view.tree.decreases(view.groups.of_column().len(), |node, stored| {
            if self.impurity == view.impurity {
                stored
            } else {
                self.impurity.of_proportions(view.tree.value(node))
            }
        });
        view.groups.sums(&per_column)
    }

    fn merge(&self, total: &mut Vec<Vec<f64>>, part: Vec<f64>) {
        total.push(part);
    }

    fn finish(&self, mut per_tree: Vec<Vec<f64>>, _: Outcome<'_>) -> Importance {
        if self.normalise == Normalise::Sum {
            // scikit-learn leaves out trees that are a single leaf.
            per_tree.retain(|tree| tree.iter().any(|&value| value != 0.0));
            for tree in &mut per_tree {
                let sum: f64 = tree.iter().sum();
                tree.iter_mut().for_each(|value| *value /= sum);
            }
        }
        let summary = over_trees(&per_tree);
        let mut values = summary.as_ref().map_or(vec![0.0; self.n_groups], |s| s.means.clone());
        let mut errors = summary.and_then(|summary| summary.standard_errors);
        if self.normalise == Normalise::Sum {
            let sum: f64 = values.iter().sum();
            if sum != 0.0 {
                values.iter_mut().for_each(|value| *value /= sum);
                errors.iter_mut().flatten().for_each(|error| *error /= sum);
            }
        }
        Importance {
            id: INFO.id,
            data: INFO.data,
            loss: None,
            unit: match self.normalise {
                Normalise::Sum => "share of the sum over all variables",
                Normalise::None | Normalise::Variance | Normalise::StandardError => {
                    unit(self.impurity)
                }
            }
            .to_owned(),
            values: values.into_iter().map(Some).collect(),
            standard_errors: errors.map(|errors| errors.into_iter().map(Some).collect()),
            p_values: None,
            per_class: None,
            per_tree,
            repeats: Vec::new(),
            settings: BTreeMap::from([
                ("impurity", self.impurity.id().to_owned()),
                ("normalise", self.normalise.id().to_owned()),
            ]),
            notes: Vec::new(),
        }
    }
}
