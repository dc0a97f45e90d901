//! Shapley effects of a forest (SHAFF): Bénard, Biau, Da Veiga & Scornet 2022.

mod coalitions;
mod likeness;
mod projected;
mod regression;

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::measure::kernel::part::Taken;
use crate::measure::kernel::used_features::Players;
use crate::measure::references::{BENARD_2022, BENARD_SHAFF_2022};
use crate::measure::{
    Effort, Loss, MeasureInfo, MeasureOption, MeasureSettings, Needs, Scale, Subject,
};
use crate::pass::{Plan, Whole, fold_again};
use crate::run::Run;
use coalitions::Coalitions;
use likeness::Likeness;
use projected::Projected;
use regression::Regression;

/// Coalitions that are projected onto by default, each with its complement: all of up to
/// ten variables are 511.
const SAMPLES: usize = 512;

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "shapley_effects",
    name: "Shapley effects (SHAFF)",
    estimand: "The share of the target's variance that the forest explains, shared out among the \
               variables: what a variable adds to the variance that a set of others explains, \
               averaged over sets as Shapley values are. Sets are what the forest says when every \
               tree is projected onto them, so that dependent variables are never asked for values \
               that do not occur together. The values sum up to the explained variance",
    caveat: "Variables that can replace each other share what both explain, and a variable that \
             only depends on others that matter has a share, too. Where variables depend on each \
             other and mtry is near their number, trees hardly split on variables that stand in \
             for stronger ones, whose shares are too large. Where there are more than ten \
             variables, sets are drawn at random and values have an error of that, which standard \
             errors include",
    source: "Bénard, Biau, Da Veiga & Scornet 2022, Algorithm 1 and Eq. 2; least squares as in \
             Lundberg & Lee 2017, Theorem 2",
    references: &[BENARD_SHAFF_2022, BENARD_2022],
    unit: "share of the variance of the target",
    scale: Scale::Free,
    cost: "per set of variables about that of dividing all rows by every tree: 512 sets and their \
           complements, which are all sets of up to 10 variables",
    effort: Effort::Coalitions,
    data: DataUsed::OutOfBag,
    small_is_important: false,
    needs: &[Needs::OutOfBagRows, Needs::EqualTrees],
    regression_losses: &[Loss::Squared],
    classification_losses: &[Loss::Squared],
    normalisations: &[],
    options: &[MeasureOption::Samples],
};

/// No more sets than this are projected onto: those drawn, their complements, and the empty one.
pub(crate) fn most_sets(settings: &MeasureSettings) -> f64 {
    2.0 * settings.samples.unwrap_or(SAMPLES) as f64 + 1.0
}

#[derive(Debug)]
struct ShapleyEffects {
    settings: MeasureSettings,
}

#[expect(clippy::unnecessary_wraps, reason = "all measures share one signature")]
pub(crate) fn plan(settings: &MeasureSettings, _: Subject<'_>) -> Result<Plan, Error> {
    Ok(Plan::whole(ShapleyEffects { settings: settings.clone() }))
}

impl Whole for ShapleyEffects {
    fn measure(&self, subject: Subject<'_>, run: &Run) -> Result<Importance, Error> {
        let part = Taken::of(&self.settings, subject);
        let n_trees = part.as_ref().map_or(subject.n_trees, |part| part.n_trees);
        let subject = Subject { n_trees, ..subject };
        let players = Players::asked_about(subject);
        let drawing = (self.settings.samples.unwrap_or(SAMPLES), self.settings.seed);
        let coalitions = Coalitions::new(players.len(), drawing);
        let regression =
            Regression::new(&coalitions, players.len()).ok_or_else(|| Error::Measure {
                measure: INFO.id,
                why: format!(
                    "{} sets of variables do not separate {} variables",
                    coalitions.sets.len(),
                    players.len()
                ),
                help: "ask for more with `--samples`, or measure groups of columns".to_owned(),
            })?;
        let projected = Projected {
            aggregation: subject.forest.aggregation(),
            n_rows: subject.training.n_rows(),
            n_outputs: subject.training.n_outputs(),
            n_groups: subject.groups.n_groups(),
            part,
            truth: subject.training.truth().clone(),
            likeness: coalitions.are_drawn().then(|| Likeness::new(subject, &players)).flatten(),
            players,
            coalitions,
            regression,
        };
        fold_again(subject, projected, run)
    }
}
