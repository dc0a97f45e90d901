//! Shapley effects of a forest (SHAFF): Bénard, Biau, Da Veiga & Scornet 2022.
//!
//! Which sets of variables are needed is known only when all trees are there; then the trees are
//! gone over once more, and again with more sets until values are as precise as wanted. Every set is one
//! group that the walk of Sobol-MDA projects out.

mod blocks;
mod coalitions;
mod collected;
mod known;
mod likeness;
mod losses;
mod precision;
mod projected;
mod regression;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{BENARD_2022, BENARD_SHAFF_2022, Reference};
use crate::measure::definition::verdicts::{
    Judgement, PART_OF_INTERACTIONS, Row, SHARES_CREDIT, Validity, Verdicts,
};
use crate::measure::definition::{
    Copies, CostClass, KeptAltered, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::kernel::part::Taken;
use crate::measure::kernel::residuals::Residuals;
use crate::measure::kernel::used_features::Players;
use crate::pass::{Errors, OutOfBag, Plan, Subject, Whole, fold_again};
use crate::run::Run;
use crate::words::counted;
use crate::{message, setting};
use blocks::Blocks;
use coalitions::Coalitions;
use known::Known;
use likeness::Likeness;
use precision::{PAIRS, Rounds};
use projected::Projected;
use regression::Regression;

/// Numbers of all rows, players and outputs, up to which every row counts for standard errors.
const MOST_LINES: usize = 1 << 24;

const SHARES: &str = "\
    Shapley effects share what dependence and interactions have in common among the variables; one \
    that only depends on influential ones has a share, too.";

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Careful, Validity::Invalid, Validity::Invalid],
        because: [PART_OF_INTERACTIONS, SHARES_CREDIT, SHARES_CREDIT],
    },
    influence: Judgement {
        serves: [Validity::Valid, Validity::Valid, Validity::Valid],
        because: [
            "Shapley effects: between what a variable explains alone and its total Sobol index.",
            SHARES,
            SHARES,
        ],
    },
    source: "Bénard, Biau, Da Veiga & Scornet 2022; Owen 2014",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "shapley_effects";
    const ALIASES: &'static [&'static str] = &["shaff"];
    const CALLED: &'static [&'static str] = &["shapley"];
    const NAME: &'static str = "Shapley effects (SHAFF)";
    const ESTIMAND: &'static str = "\
        The share of the target's variance that the forest explains, divided among the variables: \
        what a variable adds to the variance explained by a set of others, averaged over sets as \
        in Shapley values. The variance explained by a set is that of the forest with every tree \
        projected onto it, so that no combinations of values are predicted that do not occur. The \
        values sum up to the explained variance";
    const CAVEAT: &'static str = "\
        Variables that can replace each other share what both explain, and a variable that merely \
        depends on relevant ones has a share, too. If variables depend on each other and mtry is \
        near their number, trees hardly split on substitutes of stronger variables, whose shares \
        are too large. Of many sets of variables some are sampled, and standard errors include the \
        sampling";
    const SOURCE: &'static str = "\
        Bénard, Biau, Da Veiga & Scornet 2022, Algorithm 1 and Eq. 2; least squares as in Lundberg \
        & Lee 2017, Theorem 2";
    const REFERENCES: &'static [Reference] = &[BENARD_SHAFF_2022, BENARD_2022];
    const UNIT: &'static str = "share of the variance of the target";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "\
        about five times that of growing a hundred trees, for any number of trees: at least 48 sets \
        of variables, or four for each variable, and their complements, with at least five trees \
        each; more until the precision is reached, four times as many as usual at most";
    const COST_CLASS: CostClass = CostClass::Coalitions;
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = &[
        Requirement::OutOfBagRows,
        Requirement::EqualTrees,
        Requirement::MeansOfRows,
        Requirement::SharesOfClasses,
    ];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const CLASSIFICATION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::Precision, MeasureOption::Samples];
    const NEEDS_ALL_TREES: bool = true;
    const COPIES: Copies = Copies::All;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 8, row: &ROW });

    fn plan(settings: &MeasureSettings, _: Subject<'_>) -> Result<Plan, Error> {
        Ok(Plan::whole(ShapleyEffects { settings: settings.clone(), most_lines: MOST_LINES }))
    }

    fn altered(settings: &MeasureSettings) -> Option<KeptAltered> {
        Some(KeptAltered { sets: Some(most_sets(settings)), ..KeptAltered::ONE })
    }
}

/// No more sets than this are projected onto at a time: those drawn, their complements, and the empty one.
pub(crate) fn most_sets(settings: &MeasureSettings) -> f64 {
    2.0 * settings.samples.unwrap_or(PAIRS) as f64 + 1.0
}

#[derive(Debug)]
struct ShapleyEffects {
    settings: MeasureSettings,
    most_lines: usize,
}

impl Whole for ShapleyEffects {
    fn measure(
        &self,
        subject: Subject<'_>,
        out_of_bag: &OutOfBag,
        run: &Run,
    ) -> Result<Importance, Error> {
        let part = Taken::of(&self.settings, subject);
        let n_trees = part.as_ref().map_or(subject.n_trees, |part| part.n_trees);
        let n_rows = part.as_ref().map_or(subject.training.n_rows(), |part| part.n_rows);
        let subject = Subject { n_trees, ..subject };
        let players = Players::in_splits(subject);
        let mut rounds = Rounds::new(&self.settings, players.len(), n_rows, n_trees);
        loop {
            let samples = rounds.samples();
            let projected = self.projected(subject, out_of_bag, part.clone(), samples)?;
            let is_all = projected.is_all();
            let mut found = fold_again(subject, projected, &run.doing_next(samples))?;
            if is_all || rounds.are_over(&mut found) {
                return Ok(found);
            }
        }
    }

    fn is_divided(&self) -> bool {
        true
    }
}

impl ShapleyEffects {
    /// What projects the trees onto about so many pairs of sets.
    fn projected(
        &self,
        subject: Subject<'_>,
        out_of_bag: &OutOfBag,
        part: Option<Taken>,
        samples: usize,
    ) -> Result<Projected, Error> {
        let n_rows = part.as_ref().map_or(subject.training.n_rows(), |part| part.n_rows);
        let players = Players::in_splits(subject);
        let coalitions = Coalitions::new(players.len(), samples, self.settings.seed);
        let regression = Regression::new(&coalitions, players.len()).ok_or_else(|| {
            Error::measure(
                Definition::INFO.id,
                format!(
                    "{} of variables do not separate {}",
                    counted(coalitions.sets.len(), "set"),
                    counted(players.len(), "variable")
                ),
                message!("draw more", setting::SAMPLES.hint(), ", or measure groups of columns"),
            )
        })?;
        let training = subject.training;
        let explained = match out_of_bag.errors(training) {
            Some(
                Errors::Regression { explained_variance, .. }
                | Errors::Classification { explained_variance, .. },
            ) => explained_variance,
            None => None,
        };
        let truth = training.truth();
        let seen = (0..truth.n_rows()).filter(|&row| out_of_bag.n_trees(row) > 0);
        let seen = seen.filter(|&row| part.as_ref().is_none_or(|part| part.has_row(row)));
        let all_trees = subject.forest.trees().len();
        let n_out_of_bag: f64 =
            (0..truth.n_rows()).map(|row| f64::from(out_of_bag.n_trees(row))).sum();
        let share = n_out_of_bag / (truth.n_rows() * all_trees) as f64;
        Ok(Projected {
            aggregation: subject.forest.aggregation(),
            n_groups: subject.groups.n_groups(),
            blocks: Blocks::new(
                subject.n_trees,
                (coalitions.sets.len() / 2, samples),
                n_rows,
                share,
            ),
            known: Known {
                truth: truth.clone(),
                out_of_bag: out_of_bag.clone(),
                residuals: Residuals::new(truth, out_of_bag),
                weight: seen.map(|row| truth.weight(row as u32)).sum(),
                n_trees: all_trees,
                variance: out_of_bag.target_variance(training).unwrap_or(0.0),
                of_pairs: regression.of_pairs(&coalitions),
                of_all: regression.of_all().to_vec(),
                stride: (truth.n_rows() * players.len() * truth.n_outputs())
                    .div_ceil(self.most_lines)
                    .max(1),
                has_part: part.as_ref().is_some_and(|part| part.n_rows < part.of_rows),
            },
            explained,
            part,
            likeness: coalitions.are_drawn().then(|| Likeness::new(subject, &players)).flatten(),
            players,
            coalitions,
            regression,
        })
    }
}
