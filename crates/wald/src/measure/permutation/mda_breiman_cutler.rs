//! Mean decrease in accuracy of single trees on their out-of-bag rows: Breiman 2001;
//! Bénard, Da Veiga & Scornet 2022, section 2.2.

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{BENARD_2022, BREIMAN_2001, Reference};
use crate::measure::definition::verdicts::{
    INDEPENDENT, Judgement, Row, TABLE_2, THIRD_TERM, Validity, Verdicts,
};
use crate::measure::definition::{
    Copies, Kind, MeasureDef, MeasureOption, MeasureSettings, Normalise, Permutations, Requirement,
    Scale, Term,
};
use crate::measure::kernel::donors::Donors;
use crate::measure::kernel::part::{SomeTrees, Taken};
use crate::measure::permutation::kernel::expected_loss::ExpectedLoss;
use crate::measure::permutation::kernel::increase::{
    Increase, IncreasePart, IncreaseTotal, Losses,
};
use crate::measure::permutation::kernel::off_path_loss::OtherWays;
use crate::measure::permutation::kernel::permuted_loss::{
    PermutedLoss, PermutedTree, check_given, given_order,
};
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};

/// What the measure serves for.
pub(in crate::measure) const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Valid, Validity::Invalid, Validity::Invalid],
        because: [
            INDEPENDENT,
            "Adds the full total Sobol index, so that variables which others can replace stay \
             high (Corollary 2).",
            THIRD_TERM,
        ],
    },
    influence: Judgement {
        serves: [Validity::Valid, Validity::Valid, Validity::Invalid],
        because: [
            INDEPENDENT,
            "Estimates the total and the full total Sobol index together: variables that others \
             can replace are found, too (Corollary 2).",
            THIRD_TERM,
        ],
    },
    source: TABLE_2,
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "mda_breiman_cutler";
    const ALIASES: &'static [&'static str] = &["permutation", "bc_mda", "mean_decrease_accuracy"];
    const CALLED: &'static [&'static str] = &["permuted", "incmse", "vimp"];
    const NAME: &'static str = "Permutation importance (Breiman-Cutler)";
    const ESTIMAND: &'static str = "\
        The increase in the error of a tree on its out-of-bag rows when the variable's values are \
        permuted among them, averaged over trees; by default the exact expectation over all \
        permutations";
    const CAVEAT: &'static str = "\
        With dependent variables it adds two further terms to the total Sobol index, so it \
        overstates variables that others can replace, and predicts permuted rows where there may \
        be no data";
    const SOURCE: &'static str = "\
        Breiman 2001; Bénard, Da Veiga & Scornet 2022, section 2.2 and Proposition 2";
    const REFERENCES: &'static [Reference] = &[BREIMAN_2001, BENARD_2022];
    const UNIT: &'static str = "loss (squared: squared units of the target, or Brier score)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = "\
        usually about one pass of the out-of-bag rows per tree, for any number of variables; more \
        if trees split on one variable repeatedly below others";
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::OutOfBagRows, Requirement::SharesOfClasses];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared, Loss::Absolute];
    const CLASSIFICATION_LOSSES: &'static [Loss] =
        &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote];
    const NORMALISATIONS: &'static [Normalise] = &[Normalise::Variance, Normalise::StandardError];
    const OPTIONS: &'static [MeasureOption] =
        &[MeasureOption::Permutations, MeasureOption::PerClass, MeasureOption::ExcludeSelf];
    const KIND: Kind = Kind::Permuted;
    const STANDS_FOR_PART: bool = true;
    const COPIES: Copies = Copies::OutOfBag;
    const TERM: Option<Term> = Some(Term::ErrorOfTrees);
    const OF_SEVERAL_TARGETS: bool = true;
    const PERMUTES_CLUSTERS: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 2, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let fold = MdaBreimanCutler::new(settings, subject)?;
        Ok(match Taken::of_trees(settings, subject) {
            Some(taken) => Plan::fold(SomeTrees { fold, taken }),
            None => Plan::fold(fold),
        })
    }
}

#[derive(Debug)]
pub(crate) struct MdaBreimanCutler {
    increase: Increase,
    permutations: Permutations,
    seed: u64,
    /// Classes whose values are wanted.
    n_classes: usize,
}

/// The values of one tree for all rows, and for those of every class.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Part {
    all: IncreasePart,
    per_class: Vec<IncreasePart>,
}

impl Part {
    /// Whether the tree has out-of-bag rows that count.
    pub(crate) fn has_rows(&self) -> bool {
        self.all.is_some()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Total {
    all: IncreaseTotal,
    per_class: Vec<IncreaseTotal>,
}

impl MdaBreimanCutler {
    pub(crate) fn new(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Self, Error> {
        if let Permutations::Given(given) = &settings.permutations {
            check_given(given, subject)?;
        }
        let n_classes = subject.training.truth().n_classes();
        Ok(Self {
            increase: Increase::new(&Definition::INFO, settings, subject),
            permutations: settings.permutations.clone(),
            seed: settings.seed,
            n_classes: if settings.per_class { n_classes } else { 0 },
        })
    }

    /// A row of values per repeat (one for exact expectations), for the rows of one class or all.
    fn of_rows(&self, losses: &Losses<'_>, class: Option<usize>, mass: f64) -> Vec<Vec<f64>> {
        let view = losses.view;
        let with_orders = |tree: &PermutedTree<'_>, order_of: &dyn Fn(usize) -> Vec<u32>| {
            self.increase.of_rows(
                losses,
                class,
                mass,
                |group| PermutedLoss::new(tree, &losses.loss, group, &order_of(group)),
                |permuted, node, rows| permuted.rows_below(node, rows),
            )
        };
        match &self.permutations {
            Permutations::Exact
                if class.is_none()
                    && !self.increase.excludes_self()
                    && OtherWays::apply_to(view) =>
            {
                vec![OtherWays::increases(losses)]
            }
            Permutations::Exact => vec![self.increase.of_rows(
                losses,
                class,
                mass,
                |group| ExpectedLoss::new(view, &losses.loss, group, Donors::new(view, group)),
                |expected, node, rows| expected.rows_below(node, rows) / losses.mass,
            )],
            Permutations::Random(repeats) => {
                let tree = PermutedTree::new(view);
                let order = |repeat, group| tree.random_order(self.seed, repeat, group);
                let repeat = |repeat| with_orders(&tree, &|group| order(repeat, group));
                (0..*repeats).map(repeat).collect()
            }
            Permutations::Given(given) => {
                let tree = PermutedTree::new(view);
                vec![with_orders(&tree, &|group| given_order(view, given, group))]
            }
        }
    }
}

impl Fold for MdaBreimanCutler {
    type Part = Part;
    type Total = Total;

    fn tree(&self, view: &TreeView<'_>) -> Part {
        let Some(losses) = self.increase.losses(view) else {
            return Part { all: None, per_class: vec![None; self.n_classes] };
        };
        let training = view.training;
        let mut masses = vec![0.0; self.n_classes];
        for &row in view.out_of_bag.all() {
            if let Some(mass) = training.truth().class(row).and_then(|class| masses.get_mut(class))
            {
                *mass += training.weight(row);
            }
        }
        let of_class = |(class, &mass): (usize, &f64)| {
            (mass > 0.0).then(|| self.of_rows(&losses, Some(class), mass))
        };
        Part {
            all: Some(self.of_rows(&losses, None, losses.mass)),
            per_class: masses.iter().enumerate().map(of_class).collect(),
        }
    }

    fn fits(&self, _: usize, part: &Part) -> bool {
        let all = part.per_class.iter().chain([&part.all]);
        part.per_class.len() == self.n_classes && all.into_iter().all(|of| self.increase.fits(of))
    }

    fn merge(&self, total: &mut Total, part: Part) {
        self.increase.merge(&mut total.all, part.all);
        total.per_class.resize_with(self.n_classes, IncreaseTotal::default);
        for (total, part) in total.per_class.iter_mut().zip(part.per_class) {
            self.increase.merge(total, part);
        }
    }

    fn finish(&self, total: Total, outcome: Outcome<'_>) -> Importance {
        let n_without_rows = total.all.n_without_rows();
        let mut importance = self.increase.finish(total.all);
        if self.n_classes > 0 {
            let classes = outcome.classes.iter().zip(&total.per_class);
            let lacking = classes.filter(|(_, total)| total.n_without_rows() > n_without_rows);
            let lacking = lacking.map(|(name, total)| (name, total.n_without_rows()));
            // randomForest counts them as zero.
            if let Some((class, n_trees)) = lacking.max_by_key(|(_, n_trees)| *n_trees) {
                importance.notes.push(format!(
                    "trees without out-of-bag rows of a class do not count for it: {n_trees} for \
                     \"{class}\", which has most of them"
                ));
            }
            let values = |total| self.increase.finish(total).values;
            let classes = outcome.classes.iter().cloned();
            importance.per_class =
                Some(classes.zip(total.per_class.into_iter().map(values)).collect());
        }
        if self.permutations == Permutations::Exact {
            importance.repeats.clear();
        }
        importance.settings.insert("permutations", self.permutations.describe());
        if self.increase.excludes_self() {
            importance.settings.insert("exclude_self", "yes".to_owned());
        }
        importance
    }
}
