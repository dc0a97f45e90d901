//! Mean decrease in accuracy of the forest's out-of-bag prediction: Ishwaran 2007; Bénard, Da
//! Veiga & Scornet 2022, section 2.2.

use std::collections::BTreeMap;

use crate::data::Task;
use crate::error::Error;
use crate::forest::Aggregation;
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{
    BENARD_2022, ISHWARAN_2007, ISHWARAN_2008, Reference,
};
use crate::measure::definition::verdicts::{
    INDEPENDENT, Judgement, NOT_WHAT_IS_SHARED, Row, TABLE_2, THIRD_TERM, Validity, Verdicts,
};
use crate::measure::definition::{
    KeptAltered, Kind, MeasureDef, MeasureOption, MeasureSettings, Normalise, Permutations,
    Requirement, Scale, Term,
};
use crate::measure::kernel::altered_predictions::AlteredTree;
use crate::measure::kernel::over_trees::over_trees;
use crate::measure::kernel::part::{SomeTrees, Taken};
use crate::measure::permutation::kernel::blocks::{
    BlockPart, BlockPlan, BlockResult, BlocksTotal, TreeChanges,
};
use crate::measure::permutation::kernel::forest_loss::MeanIncreases;
use crate::measure::permutation::kernel::moments::expected_changes;
use crate::measure::permutation::kernel::permuted_loss::{
    PermutedTree, check_given, given_order, permuted_changes,
};
use crate::pass::{Fold, OutOfBag, Outcome, Plan, Subject, TreeView};

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Valid, Validity::Valid, Validity::Invalid],
        because: [
            INDEPENDENT,
            "Without interactions it estimates the total Sobol index (Corollary 2).",
            THIRD_TERM,
        ],
    },
    influence: Judgement {
        serves: [Validity::Valid, Validity::Invalid, Validity::Invalid],
        because: [INDEPENDENT, NOT_WHAT_IS_SHARED, THIRD_TERM],
    },
    source: TABLE_2,
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "mda_ishwaran_kogalur";
    const ALIASES: &'static [&'static str] = &["ik_mda"];
    const CALLED: &'static [&'static str] = &["vimp"];
    const NAME: &'static str = "Permutation importance (Ishwaran-Kogalur)";
    const ESTIMAND: &'static str = "\
        The increase in the error of the forest's out-of-bag prediction when the variable's values \
        are permuted among the out-of-bag rows of every tree; for the squared loss by default the \
        exact expectation over all permutations";
    const CAVEAT: &'static str = "\
        With dependent variables it adds a further term to the total Sobol index, so it overstates \
        variables that others can replace, and predicts permuted rows where there may be no data";
    const SOURCE: &'static str = "\
        Ishwaran 2007; Ishwaran et al. 2008; Bénard, Da Veiga & Scornet 2022, section 2.2 and \
        Proposition 2";
    const REFERENCES: &'static [Reference] = &[ISHWARAN_2007, ISHWARAN_2008, BENARD_2022];
    const UNIT: &'static str = "loss (squared: squared units of the target, or Brier score)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = "\
        squared loss: usually about one pass of the out-of-bag rows per tree, for any number of \
        variables; other losses: a pass per permutation. Memory: a number per row, variable and \
        class, and per permutation";
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::OutOfBagRows, Requirement::EqualTrees, Requirement::SharesOfClasses];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared, Loss::Absolute];
    const CLASSIFICATION_LOSSES: &'static [Loss] =
        &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote, Loss::Log, Loss::Auc];
    const NORMALISATIONS: &'static [Normalise] = &[Normalise::Variance];
    const OPTIONS: &'static [MeasureOption] =
        &[MeasureOption::Permutations, MeasureOption::Blocks, MeasureOption::PerClass];
    const KIND: Kind = Kind::Permuted;
    const STANDS_FOR_PART: bool = true;
    const TERM: Option<Term> = Some(Term::ErrorOfForest);
    const OF_SEVERAL_TARGETS: bool = true;
    const PERMUTES_CLUSTERS: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 3, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        Ok(match Taken::of_trees(settings, subject) {
            Some(taken) => {
                let subject = Subject { n_trees: taken.n_trees, ..subject };
                let fold = MdaIshwaranKogalur::new(settings, subject)?;
                Plan::fold(SomeTrees { fold, taken })
            }
            None => Plan::fold(MdaIshwaranKogalur::new(settings, subject)?),
        })
    }

    fn altered(settings: &MeasureSettings) -> Option<KeptAltered> {
        Some(KeptAltered::of_permutations(&permutations(settings)))
    }
}

/// Random permutations where the expectation has no exact form, unless another number is given.
const REPEATS: u32 = 10;

#[derive(Debug)]
pub(crate) struct MdaIshwaranKogalur {
    plan: BlockPlan,
    task: Task,
    permutations: Permutations,
    normalise: Normalise,
    per_class: bool,
    seed: u64,
    /// Of the target over all rows, divisor n - 1.
    variance: f64,
    notes: Vec<String>,
}

/// The permutations that are used: without an exact form, some random ones.
pub(crate) fn permutations(settings: &MeasureSettings) -> Permutations {
    match settings.permutations {
        Permutations::Exact if settings.loss.is_some_and(|loss| loss != Loss::Squared) => {
            Permutations::Random(REPEATS)
        }
        _ => settings.permutations.clone(),
    }
}

impl MdaIshwaranKogalur {
    pub(crate) fn new(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Self, Error> {
        if let Permutations::Given(given) = &settings.permutations {
            check_given(given, subject)?;
        }
        let loss = settings.loss.unwrap_or(Loss::Squared);
        let permutations = permutations(settings);
        let mut notes = Vec::new();
        if permutations != settings.permutations {
            notes.push(format!(
                "the mean over {REPEATS} random permutations, because the expectation over all of \
                 them is exact for the squared loss only"
            ));
        }
        Ok(Self {
            plan: BlockPlan {
                n_blocks: settings.blocks,
                n_trees: subject.n_trees,
                n_groups: subject.groups.n_groups(),
                loss,
                aggregation: match loss {
                    Loss::ZeroOneVote => Aggregation::Vote,
                    _ => subject.forest.aggregation(),
                },
                truth: subject.training.truth().clone(),
            },
            task: subject.forest.task(),
            permutations,
            normalise: settings.normalise,
            per_class: settings.per_class,
            seed: settings.seed,
            variance: subject.training.response_variance(),
            notes,
        })
    }

    fn unit(&self) -> String {
        let loss = self.plan.loss.unit(self.task);
        match self.normalise {
            Normalise::Variance => format!("{loss} / the variance of the target"),
            Normalise::None | Normalise::StandardError | Normalise::Sum => loss.to_owned(),
        }
    }

    /// Divides by what was requested; `None` where the divisor is zero.
    fn normalised(&self, values: &[f64]) -> Vec<Option<f64>> {
        let divided = |value: &f64| match self.normalise {
            Normalise::Variance => (self.variance > 0.0).then(|| value / self.variance),
            Normalise::None | Normalise::StandardError | Normalise::Sum => Some(*value),
        };
        values.iter().map(divided).collect()
    }

    /// Few blocks of many trees: from what every tree adds to its block. Many blocks: from their
    /// spread, which also holds where a block has few trees.
    fn standard_errors(
        &self,
        blocks: &[&BlockResult],
        spread: Option<Vec<f64>>,
    ) -> Option<Vec<f64>> {
        if blocks.len() * blocks.len() > self.plan.n_trees {
            return spread;
        }
        let errors: Option<Vec<&Vec<f64>>> =
            blocks.iter().map(|block| block.standard_errors.as_ref()).collect();
        let Some(errors) = errors else { return spread };
        let n_blocks = blocks.len() as f64;
        let error = |group: usize| {
            let squares: f64 = errors.iter().map(|block| block[group].powi(2)).sum();
            squares.sqrt() / n_blocks
        };
        Some((0..self.plan.n_groups).map(error).collect())
    }

    fn notes(&self, total: &BlocksTotal, n_undefined: usize) -> Vec<String> {
        let mut notes = self.notes.clone();
        let finished = &total.finished;
        match finished.as_slice() {
            [block] if block.n_never > 0 => {
                notes.push(format!("rows never out of bag, which do not count: {}", block.n_never));
            }
            _ => {}
        }
        if n_undefined > 0 {
            let why = match self.plan.loss {
                Loss::Auc => "whose out-of-bag rows are of one class",
                _ => "without out-of-bag rows of positive weight",
            };
            notes.push(match finished.len() {
                1 => format!("undefined for a forest {why}"),
                _ => format!("{n_undefined} blocks {why} were left out"),
            });
        }
        if self.normalise == Normalise::Variance && self.variance <= 0.0 {
            notes.push("undefined, because the target is constant".to_owned());
        }
        notes
    }
}

/// Means over those that are defined, by group.
fn mean_over<'a>(defined: impl Iterator<Item = &'a Vec<f64>>, n_groups: usize) -> Option<Vec<f64>> {
    let (mut sums, mut n) = (vec![0.0; n_groups], 0.0);
    for values in defined {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        n += 1.0;
    }
    (n > 0.0).then(|| sums.iter().map(|sum| sum / n).collect())
}

impl Fold for MdaIshwaranKogalur {
    type Part = BlockPart;
    type Total = BlocksTotal;

    fn tree(&self, view: &TreeView<'_>) -> BlockPart {
        let aggregation = self.plan.aggregation;
        let changes = match &self.permutations {
            Permutations::Exact => {
                let (changes, variances) = expected_changes(view, aggregation);
                let tree = AlteredTree::new(view, aggregation, changes, variances);
                TreeChanges::Expected(Box::new(tree))
            }
            Permutations::Random(repeats) => {
                let tree = PermutedTree::new(view);
                let order = |repeat, group| tree.random_order(self.seed, repeat, group);
                let changed =
                    |repeat| permuted_changes(&tree, aggregation, |group| order(repeat, group));
                TreeChanges::Permuted((0..*repeats).map(changed).collect())
            }
            Permutations::Given(given) => {
                let order = |group| given_order(view, given, group);
                let tree = PermutedTree::new(view);
                TreeChanges::Permuted(vec![permuted_changes(&tree, aggregation, order)])
            }
        };
        BlockPart { out_of_bag: OutOfBag::part(view, aggregation), changes }
    }

    fn fits(&self, _: usize, part: &BlockPart) -> bool {
        let n_repeats = match &self.permutations {
            Permutations::Exact => None,
            Permutations::Random(repeats) => Some(*repeats as usize),
            Permutations::Given(_) => Some(1),
        };
        self.plan.fits(part, n_repeats)
    }

    fn merge(&self, total: &mut BlocksTotal, part: BlockPart) {
        self.plan.merge(total, part);
    }

    fn finish(&self, total: BlocksTotal, outcome: Outcome<'_>) -> Importance {
        let n_groups = self.plan.n_groups;
        let is_defined = |block: &&BlockResult| block.repeats.iter().all(|r| r.values.is_some());
        let blocks: Vec<&BlockResult> = total.finished.iter().filter(is_defined).collect();
        let n_undefined = total.finished.len() - blocks.len();
        let values_of = |repeats: &[MeanIncreases]| {
            mean_over(repeats.iter().filter_map(|repeat| repeat.values.as_ref()), n_groups)
        };
        let per_block: Vec<Vec<f64>> =
            blocks.iter().filter_map(|block| values_of(&block.repeats)).collect();
        let (values, standard_errors) = match over_trees(&per_block) {
            None => (vec![None; n_groups], None),
            Some(found) => {
                let errors = self.standard_errors(&blocks, found.standard_errors);
                (self.normalised(&found.means), errors.map(|errors| self.normalised(&errors)))
            }
        };
        let n_repeats = match self.permutations {
            Permutations::Exact => 0,
            _ => blocks.first().map_or(0, |block| block.repeats.len()),
        };
        let of_repeat = |repeat: usize| -> Option<Vec<f64>> {
            let values = blocks.iter().filter_map(|block| block.repeats[repeat].values.as_ref());
            self.normalised(&mean_over(values, n_groups)?).into_iter().collect()
        };
        let of_class = |class: usize| {
            let repeats = total.finished.iter().flat_map(|block| &block.repeats);
            let values = repeats.filter_map(|repeat| repeat.per_class.get(class)?.as_ref());
            match mean_over(values, n_groups) {
                Some(values) => self.normalised(&values),
                None => vec![None; n_groups],
            }
        };
        let classes = outcome.classes.iter().enumerate();
        let per_class = classes.map(|(class, name)| (name.clone(), of_class(class)));
        Importance {
            loss: Some(self.plan.loss.id()),
            unit: self.unit(),
            values,
            standard_errors,
            per_class: self.per_class.then(|| per_class.collect()),
            repeats: (0..n_repeats).filter_map(of_repeat).collect(),
            settings: BTreeMap::from([
                ("permutations", self.permutations.describe()),
                ("normalise", self.normalise.id().to_owned()),
                ("blocks", self.plan.n_blocks.to_string()),
            ]),
            notes: self.notes(&total, n_undefined),
            ..Definition::INFO.importance()
        }
    }
}
