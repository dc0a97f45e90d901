//! How many variables are enough, by a backward elimination that takes moments.

use std::borrow::Cow;

use crate::advice::in_sentence;
use crate::leading::SHARES;
use crate::making::budget::{Budget, FEW_VARIABLES, FEWEST_TREES};
use crate::making::input::Making;
use crate::making::left_out::LeftOut;
use crate::making::some_rows::{of_rows, some_rows};
use crate::parts::SelectionCurve;
use wald::forest::ForestConfig;
use wald::measure::{Measure, MeasureId, MeasureSettings};
use wald::memory::Size;
use wald::message;
use wald::message::{Message, Procedure};
use wald::selection::{PerStep, Selection, SelectionConfig, SelectionState, select};
use wald::{Dataset, Error, Origin, Run, Threads};

const FOLDS: usize = 5;

/// What a selection takes: about as much as growing 500 trees on 10,000 rows with 7 of 50 variables tried.
/// How many variables are enough is seen within the errors of the folds.
const BUDGET: Budget = Budget { work: 3.3e7, most_rows: 5000 };

/// A selection that is about to be done.
#[derive(Debug)]
pub(super) struct SelectionPlan<'a> {
    data: Cow<'a, Dataset>,
    config: SelectionConfig,
}

impl<'a> SelectionPlan<'a> {
    /// Which measure decides, and how it is done; an error where it cannot be.
    pub(super) fn new(
        input: &Making<'a>,
        config: &ForestConfig,
        advised: Option<&str>,
    ) -> Result<Self, LeftOut> {
        let data = some_rows(input, BUDGET.most_rows)?;
        let n_variables = data.groups().n_groups();
        let measure = measure(input, config, advised)?;
        let drop =
            if n_variables <= FEW_VARIABLES { PerStep::Variables(1) } else { PerStep::Share(0.5) };
        let mut selection =
            SelectionConfig { folds: FOLDS, drop, ..SelectionConfig::new(config.clone(), measure) };
        let sizes = selection.check(&data)?;
        let tried = |&size: &usize| config.mtry.unwrap_or(size.isqrt()).min(size);
        let per_tree: f64 =
            sizes.iter().map(|size| Budget::of_tree(data.n_rows(), tried(size))).sum();
        // Every fold grows on the rows of the others, and all rows follow.
        let enough = enough_trees(data.n_rows()).min(config.n_trees);
        selection.forest.n_trees = BUDGET.trees(per_tree * FOLDS as f64, enough)?;
        Ok(Self { data, config: selection })
    }

    pub(super) fn size(&self, threads: Threads) -> Result<Size, Error> {
        self.config.size(&self.data, threads)
    }

    /// The curve. Cost: that of (folds + 1) forests of few trees for every number of variables.
    pub(super) fn curve(&self, input: &Making<'_>, run: &Run) -> Result<SelectionCurve, Error> {
        let state = SelectionState::new(&self.data, &self.config);
        let found = select(&self.data, &self.config, state, |_| {}, run)?;
        Ok(curve(&found, self, input))
    }
}

/// Trees of which the error is no larger than that of many trees by more than half its standard error: a
/// mean over n rows of squares is known to within about (2 / n)^1/2 of it, and what a finite number of
/// trees adds is at most about its share 1 / trees.
fn enough_trees(n_rows: usize) -> usize {
    (2 * n_rows).isqrt().max(FEWEST_TREES)
}

/// The measure advised for selecting, else Sobol-MDA, else the first of the report that a selection can
/// use.
fn measure(
    input: &Making<'_>,
    config: &ForestConfig,
    advised: Option<&str>,
) -> Result<Measure, LeftOut> {
    let fits = |measure: &Measure| {
        measure.id().info().effort.warning().is_none()
            && Origin::Settings(config).check(measure, input.data()).is_ok()
            && SelectionConfig::new(config.clone(), measure.clone()).validate().is_ok()
    };
    let usual = |id| Measure::new(id, MeasureSettings::default());
    let wanted = advised.and_then(MeasureId::parse).into_iter().chain([SHARES]);
    let mut candidates = wanted.map(usual).collect::<Result<Vec<_>, _>>()?;
    candidates.extend(input.study.measures.iter().cloned());
    candidates.into_iter().find(fits).ok_or_else(|| {
        LeftOut::because("no measure of the report can decide which variable leaves")
    })
}

fn curve(found: &Selection, plan: &SelectionPlan<'_>, input: &Making<'_>) -> SelectionCurve {
    let config = &plan.config;
    let dropped = match config.drop {
        PerStep::Auto | PerStep::Variables(_) => "variable",
        PerStep::Share(_) => "half of the variables",
    };
    let info = config.measure.id().info();
    let more = || message!(". ", Procedure::new("select"), " uses more trees, folds and steps");
    // It has more folds than this, and refuses tables that cannot be divided into them.
    let usual = SelectionConfig::new(config.forest.clone(), config.measure.clone());
    let is_taken = usual.check(input.data()).is_ok();
    let about = message!(
        format_args!(
            "In {} folds, the least important {dropped} by {} is dropped at each step, in a \
                 forest of {} trees grown again{}. Held-out rows estimate the error",
            config.folds,
            in_sentence(info.name),
            config.forest.n_trees,
            of_rows(plan.data.n_rows(), input.data().n_rows())
        ),
        if is_taken { more() } else { Message::default() }
    )
    .worded(input.wording());
    let loss = config.loss.unit(input.data().target().task());
    SelectionCurve::of(found, info.id, about, loss)
}
