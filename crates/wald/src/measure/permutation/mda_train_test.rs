//! Mean decrease in accuracy of the forest on rows that it never saw: Bénard, Da Veiga &
//! Scornet 2022, section 2.2.

use crate::setting;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::counterfactual::Bound;
use crate::data::{Dataset, Task, Training};
use crate::error::Error;
use crate::forest::{Aggregation, align, align_target, aligned_rows};
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{BENARD_2022, Reference};
use crate::measure::definition::requirement::NO_TEST_ROWS;
use crate::measure::definition::verdicts::Verdicts;
use crate::measure::definition::{
    Kind, MeasureDef, MeasureOption, MeasureSettings, Normalise, Permutations, Requirement, Scale,
};
use crate::measure::kernel::over_trees::over_trees;
use crate::measure::kernel::test_rows;
use crate::measure::permutation::kernel::test_loss::{HeldOut, Increases};
use crate::measure::permutation::mda_breiman_cutler;
use crate::pass::{OutOfBag, Plan, Subject, Whole};
use crate::run::Run;

/// Random permutations where there is no exact form.
const RANDOM: u32 = 10;

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "mda_train_test";
    const ALIASES: &'static [&'static str] = &["tt_mda"];
    const CALLED: &'static [&'static str] = &["permutation", "permuted", "meandecreaseaccuracy"];
    const NAME: &'static str = "Permutation importance on test rows (Train-Test)";
    const ESTIMAND: &'static str = "\
        The increase in the error of the forest on held-out rows when the variable's values are \
        permuted among them, in the same way for all trees; by default the exact expectation over \
        all permutations";
    const CAVEAT: &'static str = "\
        With dependent variables it adds two further terms to the total Sobol index, so it \
        overstates variables that others can replace, and predicts permuted rows where there may \
        be no data; sampling error of the test rows is not included";
    const SOURCE: &'static str = "Bénard, Da Veiga & Scornet 2022, section 2.2 and Proposition 2";
    const REFERENCES: &'static [Reference] = &[BENARD_2022];
    const UNIT: &'static str = "loss (squared: squared units of the target, or Brier score)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = "\
        a few passes of the test rows through the forest, for any number of variables; for groups \
        of several columns, test rows times distinct test rows times trees";
    const DATA: DataUsed = DataUsed::Test;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::TestRows, Requirement::SharesOfClasses];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared, Loss::Absolute];
    const CLASSIFICATION_LOSSES: &'static [Loss] =
        &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote, Loss::Log, Loss::Auc];
    const NORMALISATIONS: &'static [Normalise] = &[Normalise::Variance];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::Permutations];
    const OF_SEVERAL_TARGETS: bool = true;
    const KIND: Kind = Kind::Permuted;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 4, row: &mda_breiman_cutler::ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let forest = subject.forest;
        let Some(test) = &settings.test else {
            return Err(NO_TEST_ROWS.refusal(&Definition::INFO));
        };
        // What does not fit is refused before the forest is grown.
        align(test.features(), forest.features())?;
        align_target(test, forest.target())?;
        let loss = settings.loss.unwrap_or(Loss::Squared);
        let mut permutations = settings.permutations.clone();
        let mut notes = Vec::new();
        if loss == Loss::Auc && permutations == Permutations::Exact {
            permutations = Permutations::Random(RANDOM);
            notes.push(format!(
                "the area under the curve has no exact expectation: {RANDOM} random permutations \
                 were used"
            ));
        }
        if let Permutations::Given(given) = &permutations {
            check_given(given, forest.features().len(), test.n_rows())?;
        }
        Ok(Plan::whole(MdaTrainTest {
            test: Arc::clone(test),
            loss,
            permutations,
            normalise: settings.normalise,
            seed: settings.seed,
            notes,
        }))
    }
}

#[derive(Debug)]
struct MdaTrainTest {
    test: Arc<Dataset>,
    loss: Loss,
    permutations: Permutations,
    normalise: Normalise,
    seed: u64,
    notes: Vec<String>,
}

fn check_given(given: &[Vec<Vec<u32>>], n_columns: usize, n_rows: usize) -> Result<(), Error> {
    let refuse = |what: String| {
        Err(Error::bad_setting(
            setting::PERMUTATIONS,
            what,
            "give, per repeat and variable, an order of the test rows",
        ))
    };
    if given.is_empty() {
        return refuse("no permutations were given".to_owned());
    }
    for (repeat, orders) in given.iter().enumerate() {
        if orders.len() != n_columns {
            let n_orders = orders.len();
            return refuse(format!("repeat {repeat} has permutations for {n_orders} variables"));
        }
        for order in orders {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if !sorted.iter().copied().eq(0..n_rows as u32) {
                return refuse(format!("repeat {repeat} has an order that is not a permutation"));
            }
        }
    }
    Ok(())
}

impl Whole for MdaTrainTest {
    fn measure(&self, subject: Subject<'_>, _: &OutOfBag, run: &Run) -> Result<Importance, Error> {
        let forest = subject.forest;
        let rows = aligned_rows(forest, &self.test, run.threads)?;
        let aggregation = match self.loss {
            Loss::ZeroOneVote => Aggregation::Vote,
            _ => forest.aggregation(),
        };
        let bound = Bound::new(forest, rows.features(), aggregation, run)?;
        let held_out = HeldOut {
            rows: &rows,
            bound: &bound,
            groups: subject.groups,
            loss: self.loss,
            seed: self.seed,
        };
        let increases = held_out.increases(&self.permutations, run)?;
        let mut importance = self.importance(&increases, &rows, forest.task());
        importance.notes.extend(test_rows::notes(&self.test, &rows, forest));
        Ok(importance)
    }
}

impl MdaTrainTest {
    fn importance(&self, found: &Increases, rows: &Training, task: Task) -> Importance {
        let variance = rows.response_variance();
        let scaled = |value: f64| match self.normalise {
            Normalise::Variance => (variance > 0.0).then(|| value / (2.0 * variance)),
            Normalise::None | Normalise::StandardError | Normalise::Sum => Some(value),
        };
        let mut notes = self.notes.clone();
        if self.normalise == Normalise::Variance && variance <= 0.0 {
            notes.push("undefined, because the target of the test rows is constant".to_owned());
        }
        if found.is_undefined {
            notes.push("undefined, because the test rows are of one class".to_owned());
        }
        let n_groups = found.repeats.first().map_or(0, Vec::len);
        let scaled_all =
            |values: &[f64]| values.iter().map(|&value| scaled(value)).collect::<Vec<_>>();
        let (values, errors) = match over_trees(&found.repeats) {
            Some(over) if !found.is_undefined => (scaled_all(&over.means), over.standard_errors),
            _ => (vec![None; n_groups], None),
        };
        // Given permutations need not be random.
        let is_random = matches!(self.permutations, Permutations::Random(_));
        let errors = errors.filter(|_| is_random);
        let loss = self.loss.unit(task);
        let is_listed = self.permutations != Permutations::Exact && !found.is_undefined;
        let repeats = found.repeats.iter().filter(|_| is_listed);
        let repeats = repeats.filter_map(|repeat| scaled_all(repeat).into_iter().collect());
        Importance {
            loss: Some(self.loss.id()),
            unit: match self.normalise {
                Normalise::Variance => format!("{loss} / twice the variance of the target"),
                _ => loss.to_owned(),
            },
            values,
            standard_errors: errors.map(|errors| scaled_all(&errors)),
            repeats: repeats.collect(),
            settings: BTreeMap::from([
                ("permutations", self.permutations.describe()),
                ("normalise", self.normalise.id().to_owned()),
                ("test_rows", rows.n_rows().to_string()),
            ]),
            notes,
            ..Definition::INFO.importance()
        }
    }
}
