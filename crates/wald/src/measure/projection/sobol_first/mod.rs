//! First-order and closed Sobol indices of a forest: how much of the variance of Y the conditional
//! expectation given some variables J has.
//!
//! Every tree is projected onto J alone, as for Shapley effects (Bénard, Biau, Da Veiga & Scornet
//! 2022), and its predictions m for the out-of-bag rows are compared with the response. The variance of
//! the conditional expectation is its covariance with Y, which is estimated by the covariance of Y and
//! m. The loss of m would also count how far the mean of few in-bag rows is from its expectation; that
//! is independent of the response of an out-of-bag row, so that their covariance does not. Estimators
//! by rank (Gamboa, Gremaud, Klein & Lagnoux 2022) and by nearest neighbours (Broto, Bachoc & Depecker
//! 2020) have this form, too.

mod errors;
mod intervals;
mod partition;
mod second_order;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::data::{Dataset, TrainingResponse, Truth};
use crate::error::Error;
use crate::forest::{Aggregation, Forest};
use crate::importance::{DataUsed, Importance, Pairs};
use crate::measure::definition::references::{
    BENARD_SHAFF_2022, BROTO_2020, GAMBOA_2022, Reference, SOBOL_1993,
};
use crate::measure::definition::verdicts::{
    Judgement, PART_OF_INTERACTIONS, Row, Validity, Verdicts,
};
use crate::measure::definition::{
    Copies, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::kernel::over_trees::mean_over_trees;
use crate::measure::kernel::running_means::RunningMeans;
use crate::measure::projection::kernel::projected_cart::Projection;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};
use crate::run::Run;
use errors::{PredictionSums, Predictions};
use intervals::Intervals;

const WITH_OTHERS: &str = "\
    What the variable explains alone contains what others explain, too: it does not show what is \
    lost without it.";
const ALONE: &str = "\
    Finds what a variable explains alone; one that acts in interactions only has none, and one that \
    merely depends on influential ones has some.";

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Careful, Validity::Invalid, Validity::Invalid],
        because: [PART_OF_INTERACTIONS, WITH_OTHERS, WITH_OTHERS],
    },
    influence: Judgement {
        serves: [Validity::Careful, Validity::Careful, Validity::Careful],
        because: [ALONE; 3],
    },
    source: "Sobol 1993; Gamboa, Gremaud, Klein & Lagnoux 2022",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "sobol_first";
    const ALIASES: &'static [&'static str] = &["sobol_closed", "first_order_sobol"];
    const CALLED: &'static [&'static str] = &["firstorder", "s1", "maineffect", "loci"];
    const NAME: &'static str = "First-order Sobol index";
    const ESTIMAND: &'static str = "\
        The share of the target's variance that the variable explains alone (its first-order Sobol \
        index), by projecting every tree onto it; of a group, what its variables explain together (its \
        closed Sobol index)";
    const CAVEAT: &'static str = "\
        Interactions with variables outside do not count, so that an influential variable may have \
        zero; one that merely depends on influential variables has a share. Sums over variables are \
        below the explained variance where they interact, and may be above it where they depend on \
        each other. Values of groups are too small, the more variables the more so, as their cells in \
        single trees are large";
    const SOURCE: &'static str = "\
        Sobol 1993; projections of Bénard, Biau, Da Veiga & Scornet 2022, Algorithm 1; \
        covariance as in Gamboa, Gremaud, Klein & Lagnoux 2022";
    const REFERENCES: &'static [Reference] =
        &[SOBOL_1993, BENARD_SHAFF_2022, GAMBOA_2022, BROTO_2020];
    const UNIT: &'static str = "share of the variance of the target";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "\
        one pass over rows and variables per tree; groups, categories and variables with missing values \
        cost as much as dividing all rows at all nodes, each";
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = &[
        Requirement::OutOfBagRows,
        Requirement::EqualTrees,
        Requirement::MeansOfRows,
        Requirement::SharesOfClasses,
    ];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::SecondOrder];
    const COPIES: Copies = Copies::All;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 12, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        Ok(Plan::fold(SobolFirst::new(settings, subject)))
    }
}

/// The mean of the response as trees see it: 0 of numbers, which are less their mean.
fn centre(subject: Subject<'_>) -> Vec<f64> {
    let truth = subject.training.truth();
    let mut shares = vec![0.0; truth.n_outputs()];
    let TrainingResponse::Classes { codes, .. } = truth.response() else { return shares };
    let mut total = 0.0;
    for (row, &code) in (0..).zip(codes) {
        shares[code as usize] += truth.weight(row);
        total += truth.weight(row);
    }
    shares.iter_mut().for_each(|share| *share /= total);
    shares
}

#[derive(Debug)]
struct SobolFirst {
    aggregation: Aggregation,
    n_groups: usize,
    /// Of the response, divisor n - 1.
    variance: f64,
    centre: Vec<f64>,
    second_order: bool,
    /// Of so many rows errors are computed, too.
    of_rows: Option<Truth>,
}

/// One tree, in shares of the variance.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    /// By group.
    shares: Vec<f64>,
    /// By pair of groups; none unless asked for.
    pairs: Vec<f64>,
    /// What is predicted given every group, where rows have errors.
    predictions: Option<Predictions>,
}

/// The trees so far.
#[derive(Debug, Default)]
struct Trees {
    per_tree: Vec<Vec<f64>>,
    pairs: RunningMeans,
    predictions: PredictionSums,
    n_without: usize,
}

/// How far the response of a row is from its mean.
fn centred(response: &TrainingResponse, centre: &[f64], row: u32, to: &mut [f64]) {
    match response {
        TrainingResponse::Numbers { centred, .. } => to[0] = centred[row as usize],
        TrainingResponse::Classes { codes, .. } => {
            to.iter_mut().zip(centre).for_each(|(to, share)| *to = -share);
            to[codes[row as usize] as usize] += 1.0;
        }
        TrainingResponse::Several(several) => to.copy_from_slice(several.centred_row(row)),
    }
}

/// The same times the weight of the row.
fn away(view: &TreeView<'_>, centre: &[f64], row: u32, to: &mut [f64]) {
    centred(view.training.response(), centre, row, to);
    let weight = view.training.weight(row);
    to.iter_mut().for_each(|value| *value *= weight);
}

impl SobolFirst {
    fn new(settings: &MeasureSettings, subject: Subject<'_>) -> Self {
        Self {
            aggregation: subject.forest.aggregation(),
            n_groups: subject.groups.n_groups(),
            variance: subject.training.response_variance(),
            centre: centre(subject),
            second_order: settings.second_order,
            of_rows: None,
        }
    }

    fn has_fitting(&self, predictions: Option<&Predictions>) -> bool {
        match (&self.of_rows, predictions) {
            (None, None) => true,
            (Some(truth), Some(found)) => {
                found.fits(truth.n_rows(), self.n_groups, self.centre.len())
            }
            _ => false,
        }
    }

    /// Errors of trees and rows together; a single cluster does not show how much they differ.
    fn total_errors(
        &self,
        found: &Importance,
        predictions: &PredictionSums,
    ) -> Option<Vec<Option<f64>>> {
        let (truth, of_trees) = (self.of_rows.as_ref()?, found.standard_errors.as_ref()?);
        let centred = |row: u32, to: &mut [f64]| centred(truth.response(), &self.centre, row, to);
        let of_rows = predictions.squares(truth, self.n_groups, centred);
        let total = |(tree, rows): (&Option<f64>, f64)| {
            tree.map(|tree| (tree * tree + rows).sqrt()).filter(|error| error.is_finite())
        };
        Some(of_trees.iter().zip(of_rows).map(total).collect())
    }

    /// Sums over out-of-bag rows of response times prediction, for groups that are no single number
    /// without missing values.
    fn of_sets(
        &self,
        view: &TreeView<'_>,
        sets: &[usize],
        mut kept: Option<&mut Predictions>,
    ) -> Vec<f64> {
        let leaves_out = |set: usize, group: usize| sets[set] != group;
        let found = Projection::onto(view, self.aggregation, sets.len(), &leaves_out);
        let mut away_of_row = vec![0.0; self.centre.len()];
        let ordinary = self.ordinary(view, sets, kept.as_deref_mut());
        let mut sums = vec![ordinary; sets.len()];
        let changes = found.amounts.chunks_exact(self.centre.len());
        for ((&row, &set), change) in found.rows.iter().zip(&found.groups).zip(changes) {
            away(view, &self.centre, row, &mut away_of_row);
            let products = away_of_row.iter().zip(change).map(|(away, change)| away * change);
            sums[set as usize] += products.sum::<f64>();
            if let Some(kept) = &mut kept {
                kept.add(row, sets[set as usize], change);
            }
        }
        sums
    }

    /// The same with all variables.
    fn ordinary(
        &self,
        view: &TreeView<'_>,
        sets: &[usize],
        mut kept: Option<&mut Predictions>,
    ) -> f64 {
        let offset = match view.training.response() {
            TrainingResponse::Numbers { mean, .. } => &[*mean][..],
            TrainingResponse::Classes { .. } => &self.centre,
            TrainingResponse::Several(several) => &several.means,
        };
        let (mut value, mut away_of_row) = (vec![0.0; offset.len()], vec![0.0; offset.len()]);
        let mut sum = 0.0;
        for leaf in view.leaves() {
            value.fill(0.0);
            self.aggregation.add(view.tree, leaf, &mut value);
            value.iter_mut().zip(offset).for_each(|(value, offset)| *value -= offset);
            for &row in view.out_of_bag.rows(leaf) {
                away(view, &self.centre, row, &mut away_of_row);
                sum +=
                    away_of_row.iter().zip(&value).map(|(away, value)| away * value).sum::<f64>();
                if let Some(kept) = &mut kept {
                    sets.iter().for_each(|&group| kept.add(row, group, &value));
                }
            }
        }
        sum
    }
}

impl Fold for SobolFirst {
    /// `None` where no out-of-bag row or no in-bag row has a weight.
    type Part = Option<Part>;
    type Total = Trees;

    fn tree(&self, view: &TreeView<'_>) -> Self::Part {
        let rows = view.out_of_bag.all();
        let mass: f64 = rows.iter().map(|&row| view.training.weight(row)).sum();
        if mass <= 0.0 || view.in_bag().all().is_empty() {
            return None;
        }
        let intervals = Intervals::new(view, self.aggregation, &self.centre);
        let mut predictions =
            self.of_rows.as_ref().map(|_| Predictions::new(view, self.n_groups, self.centre.len()));
        let (mut shares, mut sets) = (vec![0.0; self.n_groups], Vec::new());
        for (group, share) in shares.iter_mut().enumerate() {
            match intervals.of_group(view, group, predictions.as_mut()) {
                Some(sum) => *share = sum,
                None => sets.push(group),
            }
        }
        if !sets.is_empty() {
            for (&group, sum) in sets.iter().zip(self.of_sets(view, &sets, predictions.as_mut())) {
                shares[group] = sum;
            }
        }
        let mut pairs = if self.second_order {
            second_order::of_pairs(view, &self.centre, self.n_groups)
        } else {
            Vec::new()
        };
        shares.iter_mut().chain(&mut pairs).for_each(|share| *share /= mass * self.variance);
        Some(Part { shares, pairs, predictions })
    }

    fn fits(&self, _: usize, part: &Self::Part) -> bool {
        let n_pairs = if self.second_order { pairs_of(self.n_groups) } else { 0 };
        part.as_ref().is_none_or(|part| {
            part.shares.len() == self.n_groups
                && part.pairs.len() == n_pairs
                && self.has_fitting(part.predictions.as_ref())
        })
    }

    fn merge(&self, total: &mut Trees, part: Self::Part) {
        match part {
            Some(Part { shares, pairs, predictions }) => {
                if let (Some(tree), Some(truth)) = (predictions, &self.of_rows) {
                    total.predictions.add(&tree, truth.n_rows());
                }
                total.per_tree.push(shares);
                total.pairs.add(&pairs);
            }
            None => total.n_without += 1,
        }
    }

    fn finish(&self, total: Trees, _: Outcome<'_>) -> Importance {
        let Trees { per_tree, pairs, predictions, n_without } = total;
        let mut notes = Vec::new();
        if n_without > 0 {
            notes.push(format!(
                "trees without out-of-bag rows or in-bag rows of positive weight, which do not count: \
                 {n_without}"
            ));
        }
        if self.variance <= 0.0 {
            notes.push("undefined, because the target is constant".to_owned());
        }
        let per_tree = if self.variance > 0.0 { per_tree } else { Vec::new() };
        let is_known = !per_tree.is_empty();
        let second_order = self.second_order.then(|| {
            let known = |values: Vec<f64>| if is_known { values } else { Vec::new() };
            Pairs {
                standard_errors: pairs
                    .standard_errors()
                    .map(|errors| of_both_orders(&known(errors), self.n_groups)),
                values: of_both_orders(&known(pairs.means), self.n_groups),
            }
        });
        let found = mean_over_trees(&Definition::INFO, per_tree, self.n_groups);
        Importance {
            total_errors: self.total_errors(&found, &predictions),
            second_order,
            settings: BTreeMap::from([("normalise", "variance".to_owned())]),
            notes,
            ..found
        }
    }
}

/// The measure with standard errors of trees and of the rows in the table together. Besides its cost, the predictions
/// of every row given every group are kept.
///
/// # Errors
/// As [`Forest::measure`].
pub fn first_order(forest: &Forest, data: &Dataset, run: &Run) -> Result<Importance, Error> {
    forest.fold(data, usize::MAX, run, |subject| SobolFirst {
        of_rows: Some(subject.training.truth().clone()),
        ..SobolFirst::new(&MeasureSettings::default(), subject)
    })
}

/// How many pairs there are.
fn pairs_of(n_groups: usize) -> usize {
    n_groups * n_groups.saturating_sub(1) / 2
}

/// Values of pairs, `[one][other]` and `[other][one]`; `None` on the diagonal, and where there are none.
fn of_both_orders(pairs: &[f64], n_groups: usize) -> Vec<Vec<Option<f64>>> {
    let mut values = vec![vec![None; n_groups]; n_groups];
    let places = (0..n_groups).flat_map(|one| (one + 1..n_groups).map(move |other| (one, other)));
    for ((one, other), value) in places.zip(pairs) {
        values[one][other] = Some(*value);
        values[other][one] = Some(*value);
    }
    values
}
