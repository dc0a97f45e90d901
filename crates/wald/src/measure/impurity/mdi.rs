//! Mean decrease in impurity: Louppe et al. 2013, Eq. 2; Li et al. 2019, Eq. 4.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::forest::Impurity;
use crate::importance::{DataUsed, Importance};
use crate::measure::impurity::kernel::degrees::{self, by_degree};
use crate::measure::impurity::kernel::node_terms::{check_impurity, unit};
use crate::measure::kernel::over_trees::over_trees;
use crate::measure::references::{BREIMAN_1984, LI_2019, LOUPPE_2013};
use crate::measure::{
    Effort, MeasureInfo, MeasureOption, MeasureSettings, Needs, Normalise, Scale, Subject,
};
use crate::pass::{Fold, Outcome, Plan, TreeView};

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
    options: &[MeasureOption::ByDegree],
};

#[derive(Debug)]
struct Mdi {
    n_groups: usize,
    impurity: Impurity,
    normalise: Normalise,
    by_degree: bool,
}

/// One tree, by group.
#[derive(Debug)]
struct Part {
    values: Vec<f64>,
    /// By degree, then group; none unless asked for.
    by_degree: Vec<Vec<f64>>,
}

/// The trees so far.
#[derive(Debug, Default)]
struct Trees {
    per_tree: Vec<Vec<f64>>,
    by_degree: degrees::OverTrees,
}

pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    let impurity = settings.impurity.unwrap_or(subject.forest.impurity());
    check_impurity(INFO.id, impurity, subject.forest.task())?;
    let n_groups = subject.groups.n_groups();
    let MeasureSettings { normalise, by_degree, .. } = *settings;
    Ok(Plan::fold(Mdi { n_groups, impurity, normalise, by_degree }))
}

impl Fold for Mdi {
    type Part = Part;
    type Total = Trees;

    fn tree(&self, view: &TreeView<'_>) -> Part {
        // Stored in the forest's criterion; others follow from class proportions.
        let impurity = |node: usize, stored: f64| {
            if self.impurity == view.impurity {
                stored
            } else {
                self.impurity.of_proportions(&view.tree.value(node))
            }
        };
        let per_column = view.tree.decreases(view.groups.of_column().len(), impurity);
        Part {
            values: view.groups.sums(&per_column),
            by_degree: if self.by_degree { by_degree(view, impurity) } else { Vec::new() },
        }
    }

    fn merge(&self, total: &mut Trees, mut part: Part) {
        if self.normalise == Normalise::Sum {
            // scikit-learn leaves out trees that are a single leaf.
            if part.values.iter().all(|&value| value == 0.0) {
                return;
            }
            let sum: f64 = part.values.iter().sum();
            let all = part.by_degree.iter_mut().chain([&mut part.values]);
            all.flatten().for_each(|value| *value /= sum);
        }
        total.by_degree.add(&part.by_degree, self.n_groups);
        total.per_tree.push(part.values);
    }

    fn finish(&self, total: Trees, _: Outcome<'_>) -> Importance {
        let Trees { per_tree, by_degree } = total;
        let summary = over_trees(&per_tree);
        let mut values = summary.as_ref().map_or(vec![0.0; self.n_groups], |s| s.means.clone());
        let mut errors = summary.and_then(|summary| summary.standard_errors);
        let mut divisor = 1.0;
        if self.normalise == Normalise::Sum {
            let sum: f64 = values.iter().sum();
            if sum != 0.0 {
                values.iter_mut().for_each(|value| *value /= sum);
                errors.iter_mut().flatten().for_each(|error| *error /= sum);
                divisor = sum;
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
            total_errors: None,
            per_class: None,
            by_degree: self.by_degree.then(|| by_degree.told(self.n_groups, divisor)),
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
