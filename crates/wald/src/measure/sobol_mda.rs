//! Sobol-MDA: Bénard, Da Veiga & Scornet 2022, section 3.1.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::forest::{Aggregation, Fold, Outcome, Plan, TreeView};
use crate::importance::{DataUsed, Importance};
use crate::measure::altered::{Altered, AlteredTree};
use crate::measure::projection::Projection;
use crate::measure::references::BENARD_2022;
use crate::measure::{
    Effort, Loss, MeasureInfo, MeasureOption, MeasureSettings, Needs, Scale, Subject,
};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "sobol_mda",
    name: "Sobol-MDA",
    estimand: "The share of the target's variance that is no longer explained when the variable \
               may not be used (its total Sobol index), by projecting every tree onto the other \
               variables; this holds for dependent variables, too",
    caveat: "Says what only this variable knows: of two that can replace each other, both are \
             near zero. A variable that means nothing has a small negative value, which \
             approaches zero with more rows",
    source: "Bénard, Da Veiga & Scornet 2022, section 3.1 and Algorithm 1",
    references: &[BENARD_2022],
    unit: "share of the variance of the target",
    scale: Scale::Free,
    cost: "one to three times that of growing the forest, whatever the number of variables",
    effort: Effort::Pass,
    data: DataUsed::OutOfBag,
    small_is_important: false,
    needs: &[Needs::OutOfBagRows, Needs::EqualTrees],
    regression_losses: &[Loss::Squared],
    classification_losses: &[Loss::Squared],
    normalisations: &[],
    options: &[MeasureOption::PerClass],
};

#[derive(Debug)]
struct SobolMda {
    aggregation: Aggregation,
    n_rows: usize,
    n_groups: usize,
    n_outputs: usize,
    per_class: bool,
}

#[expect(clippy::unnecessary_wraps, reason = "all measures share one signature")]
pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    Ok(Plan::fold(SobolMda {
        aggregation: subject.forest.aggregation(),
        n_rows: subject.training.n_rows(),
        n_groups: subject.groups.n_groups(),
        n_outputs: subject.training.n_outputs(),
        per_class: settings.per_class,
    }))
}

impl Fold for SobolMda {
    type Part = AlteredTree;
    type Total = Altered;

    fn tree(&self, view: &TreeView<'_>) -> AlteredTree {
        let changes = Projection::changes(view, self.aggregation);
        AlteredTree::new(view, self.aggregation, changes, Vec::new())
    }

    fn merge(&self, total: &mut Altered, part: AlteredTree) {
        total.add(part, (self.n_rows, self.n_groups, self.n_outputs));
    }

    fn finish(&self, total: Altered, outcome: Outcome<'_>) -> Importance {
        share_of_variance(&INFO, &total, (self.n_groups, self.per_class), outcome)
    }
}

/// The increase of the squared loss over all rows, in shares of the variance of the target; of
/// classes also by class, if asked for.
pub(crate) fn share_of_variance(
    info: &MeasureInfo,
    altered: &Altered,
    (n_groups, per_class): (usize, bool),
    outcome: Outcome<'_>,
) -> Importance {
    let found = altered.increases(n_groups, outcome);
    let variance = outcome.training.response_variance();
    let scaled = |sums: &[f64], weight: f64| -> Vec<Option<f64>> {
        let divisor = variance * weight;
        sums.iter().map(|sum| (divisor > 0.0).then(|| sum / divisor)).collect()
    };
    let mut notes = Vec::new();
    if found.n_never > 0 {
        notes.push(format!("rows never out of bag, which count as unchanged: {}", found.n_never));
    }
    if variance <= 0.0 {
        notes.push("undefined, because the target is constant".to_owned());
    }
    let classes = outcome.classes.iter().zip(&found.per_class).zip(&found.class_weights);
    let by_class = classes.map(|((class, sums), weight)| (class.clone(), scaled(sums, *weight)));
    Importance {
        id: info.id,
        data: info.data,
        loss: Some(Loss::Squared.id()),
        unit: info.unit.to_owned(),
        values: scaled(&found.values, found.weight),
        standard_errors: found.standard_errors.as_ref().map(|sums| scaled(sums, found.weight)),
        p_values: None,
        per_class: per_class.then(|| by_class.collect()),
        by_degree: None,
        per_tree: Vec::new(),
        repeats: Vec::new(),
        settings: BTreeMap::from([("normalise", "variance".to_owned())]),
        notes,
    }
}
