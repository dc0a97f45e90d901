//! Mean decrease in accuracy of single trees on their out-of-bag rows: Breiman 2001;
//! Bénard, Da Veiga & Scornet 2022, section 2.2.

use std::collections::BTreeMap;

use crate::data::Task;
use crate::error::Error;
use crate::forest::{Fold, Outcome, Plan, TreeView};
use crate::importance::{DataUsed, Importance};
use crate::measure::donors::Donors;
use crate::measure::exact::ExpectedLoss;
use crate::measure::leaf_loss::LeafLoss;
use crate::measure::over_trees::over_trees;
use crate::measure::path::first_uses;
use crate::measure::random::PermutedLoss;
use crate::measure::references::{BENARD_2022, BREIMAN_2001};
use crate::measure::{
    Loss, MeasureInfo, MeasureSettings, Needs, Normalise, Permutations, Scale, Subject,
};
use crate::random::{Purpose, Stream};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "mda_breiman_cutler",
    name: "Permutation importance (Breiman-Cutler)",
    estimand: "By how much the error of a tree on its out-of-bag rows grows when the variable's \
               values are permuted among them, averaged over trees; by default the exact \
               expectation over all permutations",
    caveat: "With dependent variables it adds two further terms to the total Sobol index, so it \
             overstates variables that others can replace, and looks at permuted rows where \
             there may be no data",
    source: "Breiman 2001; Bénard, Da Veiga & Scornet 2022, section 2.2 and Proposition 2",
    references: &[BREIMAN_2001, BENARD_2022],
    unit: "loss (squared: squared units of the target, or Brier score)",
    scale: Scale::Loss,
    cost: "usually about one pass of the out-of-bag rows per tree, whatever the number of \
           variables; more where one variable is split again and again below others",
    data: DataUsed::OutOfBag,
    small_is_important: false,
    needs: Needs::OutOfBagRows,
    regression_losses: &[Loss::Squared, Loss::Absolute],
    classification_losses: &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote],
    normalisations: &[Normalise::Variance, Normalise::StandardError],
};

#[derive(Debug)]
struct MdaBreimanCutler {
    n_groups: usize,
    task: Task,
    loss: Loss,
    permutations: Permutations,
    normalise: Normalise,
    seed: u64,
    /// Of the target over all rows, divisor n - 1.
    variance: f64,
}

/// One tree: a row of values per repeat (one for exact expectations), or no out-of-bag rows.
type Part = Option<Vec<Vec<f64>>>;

#[derive(Debug, Default)]
pub(crate) struct Total {
    per_tree: Vec<Vec<f64>>,
    repeats: Vec<Vec<f64>>,
    n_without_rows: usize,
}

pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    let losses = match subject.forest.task() {
        Task::Regression => INFO.regression_losses,
        Task::Classification => INFO.classification_losses,
    };
    if let Permutations::Given(given) = &settings.permutations {
        check_given(given, subject)?;
    }
    Ok(Plan::fold(MdaBreimanCutler {
        n_groups: subject.groups.n_groups(),
        task: subject.forest.task(),
        loss: settings.loss.unwrap_or(losses[0]),
        permutations: settings.permutations.clone(),
        normalise: settings.normalise,
        seed: settings.seed,
        variance: subject.training.response_variance(),
    }))
}

fn check_given(given: &[Vec<Vec<u32>>], subject: Subject<'_>) -> Result<(), Error> {
    let refuse = |what: String| {
        Err(Error::setting(what, "give one permutation per tree, variable and out-of-bag row"))
    };
    let bags = subject.forest.bags().unwrap_or_default();
    if given.len() != bags.len() {
        return refuse(format!("permutations for {} trees were given", given.len()));
    }
    for (tree, (columns, bag)) in given.iter().zip(bags).enumerate() {
        let n_rows = bag.out_of_bag().count();
        if columns.len() != subject.forest.features().len() {
            return refuse(format!("tree {tree} has permutations for {} variables", columns.len()));
        }
        for order in columns {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if !sorted.iter().copied().eq(0..n_rows as u32) {
                return refuse(format!("tree {tree} has an order that is no permutation"));
            }
        }
    }
    Ok(())
}

impl MdaBreimanCutler {
    /// Mean loss with a group permuted minus mean loss, for every group the tree uses:
    /// `prepare` permutes a group, `below` gives the loss of the rows below a node.
    fn increases<P>(
        &self,
        view: &TreeView<'_>,
        base: &[f64],
        prepare: impl Fn(usize) -> P,
        below: impl Fn(&mut P, usize) -> f64,
    ) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_groups];
        for uses in first_uses(view).chunk_by(|a, b| a.0 == b.0) {
            let group = uses[0].0;
            let mut permuted = prepare(group);
            for node in uses.iter().map(|&(_, node)| node as usize) {
                if view.monitor.is_cancelled() {
                    return sums;
                }
                let rows = view.out_of_bag.rows(node);
                if !rows.is_empty() {
                    let unpermuted: f64 = rows.iter().map(|&row| base[row as usize]).sum();
                    sums[group] += below(&mut permuted, node) - unpermuted;
                }
            }
        }
        let mass = mass(view);
        sums.iter_mut().for_each(|sum| *sum /= mass);
        sums
    }

    fn random_order(&self, view: &TreeView<'_>, repeat: u32, group: usize) -> Vec<u32> {
        let column = view.key_column(group);
        let purpose = Purpose::Permutation { column, repeat };
        let mut stream = Stream::new(self.seed, view.index, purpose);
        let mut order = if view.training.is_weighted() {
            donors_by_weight(view, stream.unit())
        } else {
            (0..view.out_of_bag.all().len() as u32).collect()
        };
        stream.shuffle(&mut order);
        order
    }

    fn unit(&self) -> String {
        let loss = self.loss.unit(self.task);
        match self.normalise {
            Normalise::None | Normalise::Sum => loss.to_owned(),
            Normalise::Variance => format!("{loss} / twice the variance of the target"),
            Normalise::StandardError => format!("{loss} / its standard error over trees"),
        }
    }

    /// Divides by what was asked for; `None` where the divisor is zero.
    fn normalised(&self, value: f64, population_error: f64) -> Option<f64> {
        match self.normalise {
            Normalise::None | Normalise::Sum => Some(value),
            Normalise::Variance => (self.variance > 0.0).then(|| value / (2.0 * self.variance)),
            Normalise::StandardError if population_error > 0.0 => Some(value / population_error),
            Normalise::StandardError => Some(0.0),
        }
    }
}

/// As many donors as there are out-of-bag rows, each row in proportion to its case weight
/// (systematic sampling, from a uniform start): a row of weight 2 stands for two rows. Equal
/// weights give every row once.
fn donors_by_weight(view: &TreeView<'_>, start: f64) -> Vec<u32> {
    let mut rows = view.out_of_bag.all().to_vec();
    rows.sort_unstable();
    let step = mass(view) / rows.len() as f64;
    let mut donors = Vec::with_capacity(rows.len());
    let mut cumulated = 0.0;
    let mut last = 0;
    for (place, &row) in (0_u32..).zip(&rows) {
        let weight = view.training.weight(row);
        cumulated += weight;
        if weight > 0.0 {
            last = place;
        }
        while donors.len() < rows.len() && (donors.len() as f64 + start) * step < cumulated {
            donors.push(place);
        }
    }
    // What rounding left over.
    donors.resize(rows.len(), last);
    donors
}

/// Loss of every out-of-bag row where it ends unpermuted, by training row.
fn base_losses(view: &TreeView<'_>, loss: &LeafLoss<'_>) -> Vec<f64> {
    let mut base = vec![0.0; view.training.n_rows()];
    for leaf in view.leaves() {
        for &row in view.out_of_bag.rows(leaf) {
            base[row as usize] = loss.row(leaf, row);
        }
    }
    base
}

/// Weight of the out-of-bag rows.
fn mass(view: &TreeView<'_>) -> f64 {
    view.out_of_bag.all().iter().map(|&row| view.training.weight(row)).sum()
}

impl Fold for MdaBreimanCutler {
    type Part = Part;
    type Total = Total;

    fn tree(&self, view: &TreeView<'_>) -> Part {
        let mass = mass(view);
        // Rows without weight have no loss, so they are as good as none.
        if mass == 0.0 {
            return None;
        }
        let loss = LeafLoss::new(view, self.loss);
        let base = base_losses(view, &loss);
        let with_orders = |order_of: &dyn Fn(usize) -> Vec<u32>| {
            self.increases(
                view,
                &base,
                |group| PermutedLoss::new(view, &loss, group, &order_of(group)),
                |permuted, node| permuted.below(node),
            )
        };
        Some(match &self.permutations {
            Permutations::Exact => vec![self.increases(
                view,
                &base,
                |group| ExpectedLoss::new(view, &loss, group, Donors::new(view, group)),
                |expected, node| expected.below(node) / mass,
            )],
            Permutations::Random(repeats) => {
                let repeat = |repeat| with_orders(&|group| self.random_order(view, repeat, group));
                (0..*repeats).map(repeat).collect()
            }
            Permutations::Given(given) => vec![with_orders(&|group| {
                // The columns of a group are permuted together.
                let first = view.groups.members()[group][0];
                given[view.index][first as usize].clone()
            })],
        })
    }

    fn merge(&self, total: &mut Total, part: Part) {
        let Some(repeats) = part else {
            total.n_without_rows += 1;
            return;
        };
        let n_repeats = repeats.len() as f64;
        let mut mean = vec![0.0; self.n_groups];
        total.repeats.resize(repeats.len(), vec![0.0; self.n_groups]);
        for (sums, repeat) in total.repeats.iter_mut().zip(&repeats) {
            for ((sum, mean), value) in sums.iter_mut().zip(&mut mean).zip(repeat) {
                *sum += value;
                *mean += value / n_repeats;
            }
        }
        total.per_tree.push(mean);
    }

    fn finish(&self, mut total: Total, _: Outcome<'_>) -> Importance {
        let n_trees = total.per_tree.len() as f64;
        let summary = over_trees(&total.per_tree);
        let (values, standard_errors) = match &summary {
            None => (vec![None; self.n_groups], None),
            Some(summary) => {
                // The divisor of randomForest: the population sd over trees / sqrt(trees).
                let population = |feature: usize| {
                    summary
                        .standard_errors
                        .as_ref()
                        .map_or(0.0, |errors| errors[feature] * ((n_trees - 1.0) / n_trees).sqrt())
                };
                let scaled = |values: &[f64]| -> Vec<Option<f64>> {
                    let pairs = values.iter().enumerate();
                    pairs.map(|(j, &value)| self.normalised(value, population(j))).collect()
                };
                (scaled(&summary.means), summary.standard_errors.as_deref().map(scaled))
            }
        };
        let mut notes = Vec::new();
        if total.n_without_rows > 0 {
            notes.push(format!(
                "{} trees without out-of-bag rows were left out",
                total.n_without_rows
            ));
        }
        if self.normalise == Normalise::Variance && self.variance <= 0.0 {
            notes.push("undefined, because the target is constant".to_owned());
        }
        total.repeats.iter_mut().flatten().for_each(|value| *value /= n_trees);
        let (permutations, repeats) = match &self.permutations {
            Permutations::Exact => ("exact".to_owned(), Vec::new()),
            Permutations::Random(repeats) => (repeats.to_string(), total.repeats),
            Permutations::Given(_) => ("given".to_owned(), total.repeats),
        };
        Importance {
            id: INFO.id,
            data: INFO.data,
            loss: Some(self.loss.id()),
            unit: self.unit(),
            values,
            standard_errors,
            per_class: None,
            per_tree: total.per_tree,
            repeats,
            settings: BTreeMap::from([
                ("permutations", permutations),
                ("normalise", self.normalise.id().to_owned()),
            ]),
            notes,
        }
    }
}
