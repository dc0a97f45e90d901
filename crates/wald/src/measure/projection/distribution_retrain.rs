//! What the conditional distribution of the response loses without a variable: the forest is grown
//! again without it, and both are scored on out-of-bag rows. Bénard, Näf & Josse 2024, by the kernel
//! of the energy distance.
//!
//! Their I(j) is E[MMD^2(P(Y | X without j), P(Y | X))] / E[MMD^2(P(Y | X), P(Y))]. With the kernel
//! -|y - y'| / 2, MMD^2 is the integral of the squared difference of two distribution functions, and the
//! numerator the expected increase of the continuous ranked probability score (Gneiting & Raftery 2007).
//! The increase is estimated here, rather than the distance of two forests, which is above zero for
//! irrelevant variables, too, and from which they subtract that of two forests on all variables.

use crate::data::{Column, TrainingResponse};
use crate::error::Error;
use crate::forest::{
    Bag, Growing, Placement, RankedTree, Router, Settings, Tree, Workspace, align,
};
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::references::{
    BENARD_2024, GNEITING_2007, MEINSHAUSEN_2006, Reference,
};
use crate::measure::definition::requirement::UNKNOWN_SETTINGS;
use crate::measure::definition::{
    CostClass, Kind, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale, TreeShape,
};
use crate::message;
use crate::parts::divided;
use crate::pass::{OutOfBag, Plan, Subject, Whole};
use crate::run::{Run, Threads};
use crate::setting;
use crate::threads::ordered;
use crate::weights::{Drawn, Members, NONE, Score, Span, Sums, ranked};
use crate::words::{counted, were};

/// Rows that a thread scores at a time.
const TOGETHER: usize = 256;

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "distribution_retrain";
    const ALIASES: &'static [&'static str] = &["mmd"];
    const CALLED: &'static [&'static str] = &["drf", "quantile", "crps", "distributional"];
    const NAME: &'static str = "Importance for the distribution by retraining";
    const ESTIMAND: &'static str = "\
        What the conditional distribution of the response loses when the forest is grown without the \
        variable, on the same bags and with the same settings (mtry at most the number of variables \
        left): the increase of the continuous ranked probability score of out-of-bag rows (of classes, \
        of the Brier score), divided by the score of the distribution of all responses. With \
        `quantile`, the same of the quantile loss of that level";
    const CAVEAT: &'static str = "\
        Grows a forest per variable. Of classes it is total_sobol_retrain, where every row is out of \
        some bag. Finds variables that change spread or tails and \
        not the mean, as far as splits for the mean find them. Only what no other variable explains \
        counts: two variables that can replace each other are both near zero. Fewer variables compete \
        at a split, so that dropping an irrelevant variable often improves predictions slightly: \
        values may be negative";
    const SOURCE: &'static str = "\
        Bénard, Näf & Josse 2024 (drop and relearn), with the kernel of the energy distance and \
        forests that split for the mean";
    const REFERENCES: &'static [Reference] = &[BENARD_2024, GNEITING_2007, MEINSHAUSEN_2006];
    const UNIT: &'static str = "share of the score of the distribution of all responses";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "\
        that of growing as many forests as there are variables, and O(rows * trees * rows of a leaf \
        + rows^2 / 64) for each; memory for one of them with 8 bytes per tree and row";
    const COST_CLASS: CostClass = CostClass::Refits;
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = &[
        Requirement::OutOfBagRows,
        Requirement::KnownSettings,
        Requirement::FixedWeights,
        Requirement::SharesOfClasses,
    ];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::Quantile];
    const KIND: Kind = Kind::TotalSobol;
    const NEEDS_ALL_TREES: bool = true;

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let Some(config) = subject.forest.config() else {
            return Err(UNKNOWN_SETTINGS.refusal(&Definition::INFO));
        };
        let is_number = subject.forest.target().classes.is_none();
        if settings.quantile.is_some() && !is_number {
            return Err(Error::measure(
                Self::ID,
                "has no quantiles of classes",
                message!("leave out ", setting::QUANTILE),
            ));
        }
        if let Some(level) = settings.quantile.filter(|level| !(*level > 0.0 && *level < 1.0)) {
            return Err(Error::bad_setting(
                setting::QUANTILE,
                format!("{level} is no level of a quantile"),
                "give a number between 0 and 1, such as 0.9",
            ));
        }
        let columns = align(subject.data.features(), subject.forest.features())?;
        let names = columns.iter().map(|column| column.name());
        Ok(Plan::whole(DistributionRetrain {
            settings: config.resolve_for(subject.data, names)?,
            columns: columns.into_iter().map(std::borrow::Cow::into_owned).collect(),
            score: match settings.quantile {
                Some(level) => Score::Quantile(level),
                None if is_number => Score::Distribution,
                None => Score::Classes,
            },
            quantile: settings.quantile,
        }))
    }

    /// The leaf of every row and the rows of every leaf, of all trees.
    fn kept_bytes(tree: &TreeShape, n_trees: f64) -> f64 {
        n_trees * (12.0 * tree.rows + 8.0 * tree.nodes) + 40.0 * tree.rows
    }

    /// Sums of weights by row.
    fn thread_bytes(tree: &TreeShape) -> f64 {
        8.0 * tree.rows
    }
}

#[derive(Debug)]
struct DistributionRetrain {
    /// Those of the forest, for all variables.
    settings: Settings,
    /// In the order of the forest's variables.
    columns: Vec<Column>,
    score: Score,
    quantile: Option<f64>,
}

/// The mean increase of the score without a variable, and its standard error over rows.
type Increase = (f64, f64);

impl Whole for DistributionRetrain {
    fn measure(&self, subject: Subject<'_>, _: &OutOfBag, run: &Run) -> Result<Importance, Error> {
        let groups = subject.groups;
        let scoring = Scoring::new(self, subject);
        run.progress.start((groups.n_groups() + 1) * subject.n_trees);
        let inner = run.counting_apart();
        let ordinary = scoring
            .scores(&inner, |index, _| Ok(subject.forest.trees()[index].unpacked().into_owned()))?;
        run.progress.advance_by(subject.n_trees);
        let all = scoring.scores_of_all();
        let whole = scoring.mean(&all, &ordinary);
        let mut found: Vec<Increase> = Vec::with_capacity(groups.n_groups());
        divided(
            groups.n_groups(),
            run,
            |_, (value, error): &Increase| value.is_finite() && error.is_finite(),
            |units, found| {
                for group in units {
                    let without = scoring.without(group, &all, &inner)?;
                    run.progress.advance_by(subject.n_trees);
                    found(group, scoring.increase(&without, &ordinary));
                }
                Ok(())
            },
            |_, increase| found.push(increase),
        )?;
        let mut importance = Definition::INFO.importance();
        if let Some(level) = self.quantile {
            importance.settings.insert("quantile", level.to_string());
        }
        if whole <= 0.0 {
            importance.values = vec![None; groups.n_groups()];
            let is_constant = scoring.responses.first() == scoring.responses.last();
            let why =
                if is_constant { "the target is constant" } else { "no row is out of any bag" };
            importance.notes.push(format!("undefined, because {why}"));
            return Ok(importance);
        }
        let n_never = ordinary.iter().filter(|score| score.is_nan()).count();
        if n_never > 0 {
            let rows = counted(n_never, "row");
            importance.notes.push(format!("{rows} in all bags {} left out", were(n_never)));
        }
        let explained = 1.0 - scoring.mean(&ordinary, &ordinary) / whole;
        importance
            .notes
            .push(format!("all variables together explain {explained:.3} of the score"));
        importance.values = found.iter().map(|(value, _)| Some(value / whole)).collect();
        let errors = found.iter().map(|(_, error)| Some(error / whole));
        importance.standard_errors = Some(errors.collect());
        Ok(importance)
    }

    fn is_divided(&self) -> bool {
        true
    }
}

/// Scores the rows of a table by forests that were grown on it.
struct Scoring<'a> {
    measure: &'a DistributionRetrain,
    subject: Subject<'a>,
    bags: &'a [Bag],
    /// The responses; of classes, their numbers.
    values: Vec<f64>,
    /// The rank of the response of every row, and the responses in increasing order.
    ranks: Vec<u32>,
    responses: Vec<f64>,
}

impl<'a> Scoring<'a> {
    fn new(measure: &'a DistributionRetrain, subject: Subject<'a>) -> Self {
        let values = match subject.training.response() {
            TrainingResponse::Numbers { values, .. } => values.clone(),
            TrainingResponse::Classes { codes, .. } => {
                codes.iter().map(|&code| code.into()).collect()
            }
            // Refused before: several numbers have no ranks.
            TrainingResponse::Several(_) => vec![f64::NAN; subject.training.n_rows()],
        };
        let (ranks, responses) = ranked(&values);
        let bags = subject.forest.bags().unwrap_or_default();
        Self { measure, subject, bags, values, ranks, responses }
    }

    /// Scores of out-of-bag rows by the trees that `tree` returns; NaN for rows in all bags.
    fn scores(
        &self,
        run: &Run,
        tree: impl Fn(usize, &mut Workspace) -> Result<Tree, Error> + Sync,
    ) -> Result<Vec<f64>, Error> {
        let (n_trees, n_rows) = (self.bags.len(), self.values.len());
        let mut members = Vec::with_capacity(n_trees);
        let mut spans = vec![NONE; n_rows * n_trees];
        ordered(
            n_trees,
            run,
            || (Workspace::default(), Placement::default()),
            |index, (workspace, placement)| {
                Ok(self.drawn(&tree(index, workspace)?, &self.bags[index], placement))
            },
            |index, (of_tree, leaves): (Members, Vec<Span>)| {
                members.push(of_tree);
                let places = spans.iter_mut().skip(index).step_by(n_trees);
                places.zip(leaves).for_each(|(place, leaf)| *place = leaf);
            },
        )?;
        let aggregation = self.subject.forest.aggregation();
        let drawn = Drawn::new(members, aggregation, self.subject.training, &self.ranks);
        let mut scores = Vec::with_capacity(n_rows);
        ordered(
            n_rows.div_ceil(TOGETHER),
            run,
            || Sums::new(n_rows),
            |block, sums: &mut Sums| {
                let rows = block * TOGETHER..((block + 1) * TOGETHER).min(n_rows);
                let score = |row: usize| {
                    let spans = &spans[row * n_trees..(row + 1) * n_trees];
                    if spans.iter().all(|span| *span == NONE) {
                        return f64::NAN;
                    }
                    drawn.weigh(spans, sums);
                    self.measure.score.of(sums, &self.responses, self.values[row])
                };
                Ok(rows.map(score).collect::<Vec<f64>>())
            },
            |_, found| scores.extend(found),
        )?;
        Ok(scores)
    }

    /// The rows that were drawn for a tree, and the leaf of each row that was not.
    fn drawn(&self, tree: &Tree, bag: &Bag, placement: &mut Placement) -> (Members, Vec<Span>) {
        let Subject { forest, training, .. } = self.subject;
        let members = Members::new(forest, (tree, bag), training, &self.ranks, placement);
        let ranked = RankedTree::bind(tree, training.features(), forest.float32_inputs());
        let router = Router::new(tree, &ranked, training);
        let counts = (0_u32..).zip(bag.counts());
        placement.place(&router, counts.filter(|(_, count)| **count == 0).map(|(row, _)| row));
        let mut leaves = vec![NONE; self.values.len()];
        for (leaf, rows) in placement.leaves(tree) {
            let span = members.span(leaf as u32);
            rows.iter().for_each(|&row| leaves[row as usize] = span);
        }
        (members, leaves)
    }

    /// Scores by a forest that is grown without the columns of a group.
    fn without(&self, group: usize, all: &[f64], run: &Run) -> Result<Vec<f64>, Error> {
        let Subject { training, groups, .. } = self.subject;
        let features = training.features();
        let of_column = groups.of_column();
        let group_of = |column: u32| of_column[features.original(column) as usize] as usize;
        let kept: Vec<u32> =
            (0..features.n_columns() as u32).filter(|&column| group_of(column) != group).collect();
        if kept.is_empty() {
            return Ok(all.to_vec());
        }
        let settings = self.measure.settings.among(kept.len());
        let columns: Vec<&Column> = self.measure.columns.iter().collect();
        // Trees are grown side by side already.
        let (progress, alone) = (&run.progress, Threads::ONE);
        let growing = || Growing::new(training, &columns, &settings, progress, alone).using(&kept);
        self.scores(run, |index, workspace| {
            growing().grow(index, &self.bags[index], workspace).map(|(tree, _)| tree)
        })
    }

    /// Scores of all rows by the distribution of all responses; a response counts in it, which the
    /// factor corrects as in the variance of a sample.
    fn scores_of_all(&self) -> Vec<f64> {
        let n_rows = self.subject.training.n_rows_that_count() as f64;
        let mut weights = vec![0.0; self.values.len()];
        let rows = (0_u32..).zip(&self.ranks);
        rows.for_each(|(row, &rank)| weights[rank as usize] = self.weight(row));
        let by_rank = self.measure.score.of_all(&self.responses, &weights);
        let factor = n_rows / (n_rows - 1.0).max(1.0);
        self.ranks.iter().map(|&rank| by_rank[rank as usize] * factor).collect()
    }

    fn weight(&self, row: u32) -> f64 {
        self.subject.training.weight(row)
    }

    /// The mean of some scores over the rows that forests score.
    fn mean(&self, scores: &[f64], scored: &[f64]) -> f64 {
        let rows = (0_u32..).zip(scores.iter().zip(scored)).filter(|(_, (_, by))| !by.is_nan());
        let (sum, weights) = rows.fold((0.0, 0.0), |(sum, weights), (row, (score, _))| {
            (sum + self.weight(row) * score, weights + self.weight(row))
        });
        if weights > 0.0 { sum / weights } else { 0.0 }
    }

    /// The mean increase of scores, and its standard error over rows or clusters of them.
    fn increase(&self, without: &[f64], ordinary: &[f64]) -> Increase {
        let increases: Vec<f64> = without.iter().zip(ordinary).map(|(a, b)| a - b).collect();
        let value = self.mean(&increases, ordinary);
        let ones: f64 = (0_u32..)
            .zip(ordinary)
            .filter(|(_, score)| !score.is_nan())
            .map(|(row, _)| self.weight(row))
            .sum();
        let share = |(row, increase): (u32, &f64)| {
            if increase.is_nan() { 0.0 } else { self.weight(row) / ones }
        };
        let shares: Vec<f64> = (0_u32..).zip(&increases).map(share).collect();
        let influence = |(share, increase): (&f64, &f64)| {
            if increase.is_nan() { 0.0 } else { share * (increase - value) }
        };
        let influences: Vec<f64> = shares.iter().zip(&increases).map(influence).collect();
        (value, self.subject.data.error_of_mean(&influences, &shares).0)
    }
}
