//! SAGE: what every variable takes off the loss of a forest when coalitions of variables share it
//! fairly. Covert, Lundberg & Lee 2020, Eq. 3 and Algorithm 1.
//!
//! Where Algorithm 1 draws a row and an order at a time, a sample here is an order and the same
//! order backwards for a whole block of rows (`block.rs`), which go through the trees together
//! (`walk.rs`): with 100 trees of 1000 leaves, 10 variables and 512 background rows, a row takes
//! 0.4 ms of an order there and back, and 17 ms alone. These keep errors small:
//!
//! * An order and its reverse give exact values wherever coalitions gain by members and pairs of
//!   members alone (antithetic sampling). The squared loss of an additive forest is such a game, so
//!   that orders leave little to chance: for Friedman's function, an order there and back for every
//!   row left a two-hundredth of the variance of as many rows and orders drawn anew.
//! * Where that is not enough, orders come in sets in which every variable stands at every place
//!   equally often (stratified by place, `orders.rs`), and what is known of the response and of the
//!   prediction corrects the squared loss (control variates, `control.rs`).
//! * Of up to five variables, all orders take no more work than that, and leave nothing to chance.
//! * Blocks are drawn without replacement, so that no error of rows is left once all were seen
//!   (`estimate.rs`).
//! * Before that, rows differ from others by what all variables take off their loss, whose mean
//!   over all rows is known (control variate).

mod block;
mod control;
mod estimate;
mod orders;
mod regression;
mod sampling;
mod visit;
mod walk;
mod ways;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::counterfactual::Bound;
use crate::data::{Dataset, RankedFeatures};
use crate::error::Error;
use crate::forest::{Forest, align, align_target, aligned_rows};
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{COVERT_2020, Reference, SUTERA_2021};
use crate::measure::definition::settings::MOST_SAMPLES;
use crate::measure::definition::verdicts::{
    Judgement, PART_OF_INTERACTIONS, Row, SHARES_CREDIT, Validity, Verdicts,
};
use crate::measure::definition::{
    CostClass, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::kernel::test_rows;
use crate::measure::kernel::used_features::places;
use crate::measure::shapley::sage::block::Explained;
use crate::measure::shapley::sage::estimate::LEAST_BLOCKS;
use crate::measure::shapley::sage::sampling::{Drawn, Reached, Until};
use crate::measure::shapley::sage::walk::Game;
use crate::measure::shapley::sage::ways::{TOGETHER, Ways};
use crate::pass::{OutOfBag, Plan, Subject, Whole};
use crate::run::Run;
use crate::tree_shap::{BackgroundWanted, ERRORS_LEAVE_OUT, note_on_drawn};

/// Background rows by default.
const BACKGROUND: usize = TOGETHER;

/// The largest standard error over the range of the values by default.
const PRECISION: f64 = 0.025;

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Careful, Validity::Invalid, Validity::Invalid],
        because: [PART_OF_INTERACTIONS, SHARES_CREDIT, SHARES_CREDIT],
    },
    influence: Judgement {
        serves: [Validity::Valid, Validity::Careful, Validity::Careful],
        because: [
            "Shapley values of the loss: with independent variables they estimate Shapley effects.",
            "Shapley values share what variables have in common, as this objective asks; but \
             unknown values are drawn without regard to those known.",
            "Stands in for Shapley effects: unknown values are drawn without regard to those \
             known.",
        ],
    },
    source: "Bénard, Da Veiga & Scornet 2022, section 1; Owen 2014; Covert, Lundberg & Lee 2020",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "sage";
    const CALLED: &'static [&'static str] = &["shap", "shapley"];
    const NAME: &'static str = "Shapley additive global importance (SAGE)";
    const ESTIMAND: &'static str = "\
        The decrease in the mean loss of the forest when the variable becomes known, averaged over \
        all orders in which variables become known; the prediction is averaged over the values of \
        unknown variables in background rows. The values sum up to the loss of the mean prediction \
        minus that of the forest";
    const CAVEAT: &'static str = "\
        Explains the loss on the given rows: training rows are too favourable, so give held-out \
        rows (`test`). Unknown values are drawn independently of the known ones, so \
        that with dependent inputs the forest extrapolates, and variables that can replace each \
        other share their value. Standard errors are those of sampling rows and orders, given the \
        forest, the background rows and the table of the rows explained; where nothing but drawn \
        background rows is left to chance, they are not known";
    const SOURCE: &'static str = "\
        Covert, Lundberg & Lee 2020, Eq. 3 and Algorithm 1; Sutera et al. 2021, section 2.3";
    const REFERENCES: &'static [Reference] = &[COVERT_2020, SUTERA_2021];
    const UNIT: &'static str = "\
        loss (squared: squared units of the target, or Brier score; log: nats)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = "\
        per block of at most 512 rows and order one traversal of the forest, shared by these rows \
        and the background rows; every row of a small table is usually visited twice. If much more \
        is needed, orders are stratified by position, and for squared loss exact Shapley values of \
        the predictions reduce the error (control variates)";
    const COST_CLASS: CostClass = CostClass::Samples;
    const DATA: DataUsed = DataUsed::Training;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::EqualTrees, Requirement::SharesOfClasses];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared, Loss::Absolute];
    const CLASSIFICATION_LOSSES: &'static [Loss] = &[Loss::Squared, Loss::Log];
    const OPTIONS: &'static [MeasureOption] = &[
        MeasureOption::TestRows,
        MeasureOption::Background,
        MeasureOption::BackgroundRows,
        MeasureOption::Precision,
        MeasureOption::Samples,
        MeasureOption::TimeBudget,
    ];
    const NEEDS_ALL_TREES: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 9, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        if let Some(test) = &settings.test {
            // What does not fit is refused before the forest is grown.
            align(test.features(), subject.forest.features())?;
            align_target(test, subject.forest.target())?;
        }
        let background = settings.background_wanted(BACKGROUND);
        background.check(subject.forest)?;
        let precision = settings.precision.unwrap_or(PRECISION);
        Ok(Plan::whole(Sage {
            test: settings.test.clone(),
            loss: settings.loss.unwrap_or(Loss::Squared),
            background,
            until: Until {
                reached: settings.samples.map_or(Reached::Precision(precision), Reached::Samples),
                time: settings.time_budget,
            },
            seed: settings.seed,
        }))
    }
}

#[derive(Debug)]
struct Sage {
    test: Option<Arc<Dataset>>,
    loss: Loss,
    background: BackgroundWanted,
    until: Until,
    seed: u64,
}

impl Whole for Sage {
    fn measure(&self, subject: Subject<'_>, _: &OutOfBag, run: &Run) -> Result<Importance, Error> {
        let Subject { forest, training, groups, .. } = subject;
        let aggregation = forest.aggregation();
        let bound = Bound::new(forest, training.features(), aggregation, run)?;
        let ranked = self.background.ranked(forest, subject.data, run.threads)?;
        let behind = Bound::new(forest, &ranked, aggregation, run)?;
        let background: Vec<u32> = (0..ranked.n_rows() as u32).collect();
        // Groups play in an order that does not depend on that of the columns.
        let places = places(groups, training);
        let players = |features: &RankedFeatures| -> Vec<u32> {
            let originals = (0..features.n_columns() as u32).map(|at| features.original(at));
            originals.map(|column| places[groups.of_column()[column as usize] as usize]).collect()
        };
        let of_background = players(&ranked);
        let player = |column: u32| of_background[column as usize];
        let blocks: Vec<Ways> =
            background.chunks(TOGETHER).map(|rows| Ways::new(&behind, player, rows)).collect();
        let test =
            self.test.as_ref().map(|test| aligned_rows(forest, test, run.threads)).transpose()?;
        let of_test =
            test.as_ref().map(|rows| Bound::new(forest, rows.features(), aggregation, run));
        let of_test = of_test.transpose()?;
        let rows = test.as_ref().unwrap_or(training);
        let game = Game {
            bound: of_test.as_ref().unwrap_or(&bound),
            blocks: &blocks,
            n_background: background.len(),
            nothing_known: &mean_prediction(&behind),
            players: &players(rows.features()),
            n_players: groups.n_groups(),
        };
        let (loss, seed) = (self.loss, self.seed);
        let explained = Explained { game, behind: &behind, rows, loss, seed };
        let drawn = explained.estimate(self.until, run)?;
        let mut importance =
            self.importance(&drawn, &places, rows.n_rows(), background.len(), forest);
        if self.background.are_drawn(subject.data) {
            note_on_background(&mut importance, background.len());
        }
        importance.notes.extend(self.background.note_on_fewer(subject.data));
        if drawn.time_is_over {
            importance.notes.push(
                "sampling ended when its time was over, so that another run may draw more or \
                 fewer samples and give other values; to repeat this one, give its number of \
                 samples"
                    .to_owned(),
            );
        }
        if let (Some(rows), Some(test)) = (&test, &self.test) {
            importance.notes.extend(test_rows::notes(test, rows, forest));
        }
        Ok(importance)
    }
}

/// Errors are given the background rows. Where these were drawn, other ones would give other values, and values
/// that have no other error, as all rows and orders were seen, have none that is known.
fn note_on_background(importance: &mut Importance, n_background: usize) {
    let is_zero = |error: &Option<f64>| *error == Some(0.0);
    let errors = importance.standard_errors.take_if(|errors| errors.iter().all(is_zero));
    let what = if errors.is_some() {
        "no standard errors: all rows and orders were seen, and how far values would differ with other \
         background rows is not known"
    } else {
        ERRORS_LEAVE_OUT
    };
    importance.notes.push(note_on_drawn(what, n_background));
}

/// What the forest predicts on the mean over the rows of a table.
fn mean_prediction(bound: &Bound<'_>) -> Vec<f64> {
    let (features, n_rows) = (bound.features(), bound.features().n_rows());
    let mut sums = vec![0.0; bound.stride()];
    for tree in 0..bound.n_trees() {
        let router = bound.router(tree);
        for row in 0..n_rows {
            let code = |column: u32| features.column(column).codes()[row];
            let values = bound.node_values(tree, router.descend(0, code));
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
    }
    sums.iter_mut().for_each(|sum| *sum /= n_rows as f64);
    let mut prediction = vec![0.0; bound.n_outputs()];
    bound.predict(&sums, bound.n_trees(), &mut prediction);
    prediction
}

impl Sage {
    fn importance(
        &self,
        Drawn { estimate, design, .. }: &Drawn,
        places: &[u32],
        n_rows: usize,
        n_background: usize,
        forest: &Forest,
    ) -> Importance {
        let mut notes = Vec::new();
        if self.test.is_none() {
            notes.push(test_rows::OF_TRAINING_ROWS.to_owned());
        }
        if let Reached::Precision(share) = self.until.reached
            && self.until.time.is_none()
            && !estimate.is_precise(share)
        {
            notes
                .push(format!("the requested precision was not reached in {MOST_SAMPLES} samples"));
        }
        let standard_errors = estimate.standard_errors();
        if standard_errors.is_none() {
            notes.push(format!(
                "no standard errors: {} samples are too few to estimate how far values would \
                 differ with others; of {} on, they are known",
                estimate.n_samples(),
                2 * LEAST_BLOCKS
            ));
        }
        let of_groups = |of_players: Vec<f64>| {
            places.iter().map(|&place| Some(of_players[place as usize])).collect::<Vec<_>>()
        };
        Importance {
            data: if self.test.is_some() { DataUsed::Test } else { DataUsed::Training },
            loss: Some(self.loss.id()),
            unit: self.loss.unit(forest.task()).to_owned(),
            values: of_groups(estimate.values()),
            standard_errors: standard_errors.map(of_groups),
            settings: BTreeMap::from([
                ("rows", n_rows.to_string()),
                ("background_rows", n_background.to_string()),
                ("samples", estimate.n_samples().to_string()),
                ("orders", design.id().to_owned()),
                (
                    "control_variates",
                    if estimate.is_controlled() { "used" } else { "none" }.to_owned(),
                ),
            ]),
            notes,
            ..Definition::INFO.importance()
        }
    }
}
