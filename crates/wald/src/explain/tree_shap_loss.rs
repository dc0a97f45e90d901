//! Shapley values of the loss: Lundberg et al. 2020; Sutera et al. 2021, footnote 9.

use crate::data::{Column, RankedFeatures, Target};
use crate::error::Error;
use crate::explain::curves::wanted;
use crate::explain::settings::{CLASSIFICATION_LOSSES, REGRESSION_LOSSES};
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, Layout, Local, Rows, Shape, Sink,
    ToExplain,
};
use crate::forest::{Aggregation, align, align_target};
use crate::loss::{Loss, unseen_loss, unseen_response_in};
use crate::measure::check_shares;
use crate::measure::kernel::test_rows::OF_TRAINING_ROWS;
use crate::measure::references::{LUNDBERG_2020, SUTERA_2021};
use crate::message::Message;
use crate::run::{Run, Threads};
use crate::tree_shap::{Background, LossOfRows};

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "tree_shap_loss",
    name: "Shapley values of the loss (TreeSHAP, interventional)",
    estimand: "The decrease in the loss of the forest for a row when a variable becomes known, \
               after others, averaged over all orders and background rows, which supply the \
               unknown values. Positive values: the variable helps. All values add up to the mean \
               loss of using the predictions for background rows, minus the loss of the row's own \
               prediction",
    caveat: "Training rows are explained by trees that have seen them, so that overfitted \
             variables seem to help: give held-out rows with their target. With dependent \
             variables, the forest predicts combinations of two rows that may not occur",
    unit: "units of the loss",
    source: "Lundberg et al. 2020, \"explaining the loss\"; Sutera et al. 2021, footnote 9; \
             exact, by all coalitions of the variables in which two rows differ, or for the \
             squared loss by all pairs of leaves",
    references: &[LUNDBERG_2020, SUTERA_2021],
    cost: "per pair of a row and a background row O(trees * 2^m), where m is the number of \
           variables in which they differ; for the squared loss O(patterns^2) where that is less, \
           patterns being the distinct conditions under which mixtures of the two rows reach \
           leaves. Other losses refuse m above 20",
    options: &[
        ExplanationOption::Variables,
        ExplanationOption::Background,
        ExplanationOption::BackgroundRows,
        ExplanationOption::Seed,
    ],
    regression_losses: REGRESSION_LOSSES,
    classification_losses: CLASSIFICATION_LOSSES,
};

struct LossShares<'a> {
    subject: ToExplain<'a>,
    loss: Loss,
    target: Target,
    background: RankedFeatures,
    wanted: Vec<usize>,
    layout: Layout,
}

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    let ToExplain { forest, training, rows } = subject;
    let refuse = |why: &str, help: Message| Err(Error::measure(INFO.id, why, help));
    if forest.aggregation() == Aggregation::LeafWeighted {
        return refuse(
            "needs a forest whose trees count equally, but here leaves are weighted",
            "use a forest whose trees count equally".into(),
        );
    }
    check_shares(INFO.id, forest, training)?;
    let data = match rows {
        Rows::Training => training,
        Rows::WithTarget(data) => data,
        Rows::Other(_) => {
            return refuse(
                "needs the target of the rows, which these rows do not have",
                "give rows with their target, or explain training rows".into(),
            );
        }
    };
    align(data.features(), forest.features())?;
    let wanted = wanted(forest, &settings.variables)?;
    let shape = Shape::Values(wanted.len());
    let layout = Layout { classes: None, ..Layout::of_rows(forest, &wanted, shape, data.n_rows()) };
    let target = align_target(data, forest.target())?;
    let background = settings.background_wanted().ranked(forest, training, Threads::ONE)?;
    let loss = settings.loss.unwrap_or(Loss::Squared);
    Ok(Box::new(LossShares { subject, loss, target, background, wanted, layout }))
}

impl Local for LossShares<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn note(&self) -> Option<&'static str> {
        self.subject.rows.are_training().then_some(OF_TRAINING_ROWS)
    }

    fn run(&self, run: &Run, each: Sink<'_>) -> Result<(), Error> {
        let ToExplain { forest, training, rows } = self.subject;
        let columns = align(rows.features(training), forest.features())?;
        let columns: Vec<&Column> = columns.iter().map(AsRef::as_ref).collect();
        let features = RankedFeatures::new(&columns, run.threads);
        let bound = Background::bound(forest, &features, run)?;
        let behind = Background::bound(forest, &self.background, run)?;
        let player: Vec<u32> = (0..columns.len() as u32).collect();
        let response = self.target.response();
        let truth = |row: usize, output: usize| unseen_response_in(response, row, output);
        let of_rows = LossOfRows {
            measure: INFO.id,
            bound: &bound,
            behind: &behind,
            player: &player,
            n_players: player.len(),
            loss: &|row, prediction| unseen_loss(self.loss, response, row, prediction),
            response: match self.loss {
                Loss::Squared | Loss::Absolute => Some(&truth),
                _ => None,
            },
            is_squared: self.loss == Loss::Squared,
        };
        let mut record = vec![0.0; self.wanted.len()];
        of_rows.run(self.layout.n_rows, run, |row, values| {
            let shown = record.iter_mut().zip(&self.wanted);
            shown.for_each(|(value, &variable)| *value = values[variable]);
            each(row, &record);
        })
    }
}
