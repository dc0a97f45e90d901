//! Mean Shapley values of the loss: Lundberg et al. 2020; Sutera et al. 2021, footnote 9.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{align, align_target, aligned_rows};
use crate::importance::{DataUsed, Importance};
use crate::loss::{Loss, prediction_loss, response_in};
use crate::measure::BACKGROUND;
use crate::measure::definition::references::{LUNDBERG_2020, Reference, SUTERA_2021};
use crate::measure::definition::{
    CostClass, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale, TreeShape,
};
use crate::measure::kernel::test_rows;
use crate::pass::{OutOfBag, Plan, Subject, Whole};
use crate::run::Run;
use crate::tree_shap::{Background, BackgroundWanted, LossOfRows, mixture_bytes};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "tree_shap_loss";
    const NAME: &'static str = "Mean Shapley value of the loss (TreeSHAP, interventional)";
    const ESTIMAND: &'static str = "\
        The decrease in the loss of the forest for a row when the variable becomes known, averaged \
        over all orders in which variables become known, over background rows, which supply the \
        unknown values, and over rows. The values sum up to the mean loss of using the prediction \
        for a background row, minus the loss of the forest";
    const CAVEAT: &'static str = "\
        Explains the loss on the given rows: training rows are too favourable, so give held-out \
        rows (`test`). In contrast to sage, the loss is averaged over background rows, \
        not the prediction. With dependent variables the forest extrapolates";
    const SOURCE: &'static str = "\
        Lundberg et al. 2020, \"explaining the loss\"; Sutera et al. 2021, footnote 9";
    const REFERENCES: &'static [Reference] = &[LUNDBERG_2020, SUTERA_2021];
    const UNIT: &'static str = "\
        loss (squared: squared units of the target, or Brier score; log: nats)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = "\
        per pair of a row and a background row O(trees * 2^m), where m is the number of variables \
        in which they differ; for the squared loss O(patterns^2) where that is less, patterns \
        being the distinct conditions under which mixtures of the two rows reach leaves. Other \
        losses refuse m above 20";
    const COST_CLASS: CostClass = CostClass::AllLeaves;
    const DATA: DataUsed = DataUsed::Training;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::EqualTrees, Requirement::SharesOfClasses];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared, Loss::Absolute];
    const CLASSIFICATION_LOSSES: &'static [Loss] = &[Loss::Squared, Loss::Log];
    const OPTIONS: &'static [MeasureOption] =
        &[MeasureOption::TestRows, MeasureOption::Background, MeasureOption::BackgroundRows];
    const EXPLAINS_ROWS: bool = true;

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        if let Some(test) = &settings.test {
            // What does not fit is refused before the forest is grown.
            align(test.features(), subject.forest.features())?;
            align_target(test, subject.forest.target())?;
        }
        let background = settings.background_wanted(BACKGROUND);
        background.check(subject.forest)?;
        let loss = settings.loss.unwrap_or(Loss::Squared);
        Ok(Plan::whole(TreeShapLoss { test: settings.test.clone(), background, loss }))
    }

    fn thread_bytes(tree: &TreeShape) -> f64 {
        mixture_bytes(tree.groups, tree.outputs)
    }
}

struct TreeShapLoss {
    /// Other rows than those of training.
    test: Option<Arc<Dataset>>,
    background: BackgroundWanted,
    loss: Loss,
}

impl Whole for TreeShapLoss {
    fn measure(&self, subject: Subject<'_>, _: &OutOfBag, run: &Run) -> Result<Importance, Error> {
        let Subject { forest, groups, .. } = subject;
        let test =
            self.test.as_ref().map(|test| aligned_rows(forest, test, run.threads)).transpose()?;
        let rows = test.as_ref().unwrap_or(subject.training);
        let background = self.background.ranked(forest, subject.data, run.threads)?;
        let bound = Background::bound(forest, rows.features(), run)?;
        let behind = Background::bound(forest, &background, run)?;
        let response = rows.response();
        let truth = |row: usize, output: usize| response_in(response, row, output);
        let of_rows = LossOfRows {
            measure: Definition::INFO.id,
            bound: &bound,
            behind: &behind,
            player: groups.of_column(),
            n_players: groups.n_groups(),
            loss: &|row, prediction| prediction_loss(self.loss, response, row, prediction),
            response: match self.loss {
                Loss::Squared | Loss::Absolute => Some(&truth),
                _ => None,
            },
            is_squared: self.loss == Loss::Squared,
        };
        let (mut sums, mut total) = (vec![0.0; groups.n_groups()], 0.0);
        of_rows.run(rows.n_rows(), run, |row, values| {
            let weight = rows.weight(row as u32);
            total += weight;
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
        })?;
        let mut notes = Vec::from_iter(self.background.note_on_fewer(subject.data));
        if test.is_none() {
            notes.push(test_rows::OF_TRAINING_ROWS.to_owned());
        }
        if let (Some(rows), Some(test)) = (&test, &self.test) {
            notes.extend(test_rows::notes(test, rows, forest));
        }
        Ok(Importance {
            data: if test.is_some() { DataUsed::Test } else { DataUsed::Training },
            loss: Some(self.loss.id()),
            unit: self.loss.unit(forest.task()).to_owned(),
            values: sums.iter().map(|sum| (total > 0.0).then(|| sum / total)).collect(),
            settings: BTreeMap::from([
                ("rows", rows.n_rows().to_string()),
                ("background_rows", background.n_rows().to_string()),
            ]),
            notes,
            ..Definition::INFO.importance()
        })
    }

    fn is_divided(&self) -> bool {
        true
    }
}
