//! Whether effects add up: what the forest finds beyond an additive fit, against what forests find
//! where the truth is additive.

mod finding;

use std::ops::Range;

use crate::advice::Answer;
use crate::advice::additive_fit::{AdditiveFit, MOST_CELLS, MOST_STEPS, MOST_TRIED, Rows};
use crate::advice::responses::{Responses, squares, t_upper_tail};
use crate::advice::words::count;
use wald::Error;
use wald::Run;
use wald::association::cells::Cells;
use wald::data::Dataset;
use wald::forest::{Forest, ForestConfig, Keep};
use wald::work::ordered;
use wald::work::{Purpose, Stream};

/// Trees of each forest that is compared.
const TREES: usize = 100;

/// Forests that are grown where the truth is additive, and those that are enough where they leave no
/// doubt.
const REFERENCES: usize = 16;
const FEW_REFERENCES: usize = 8;

/// With few references there is no doubt outside of these p-values; below them, if also the share that
/// interactions add is not within a factor of two of `MATERIAL`.
const DOUBTFUL: Range<f64> = 0.001..0.2;

const FOLDS: usize = 5;

/// Rows that are looked at, drawn at random.
const MOST_ROWS: usize = 3000;

/// With fewer rows nothing can be concluded.
const LEAST_ROWS: usize = 50;

/// Fewer rows than this, or a weaker forest, leave interactions unseen: see the simulation.
const FEW_ROWS: usize = 300;
const WEAK: f64 = 0.2;

/// Work of all fits together, in visits of cells: some seconds.
const MOST_WORK: usize = 4_000_000_000;

/// A smaller share of what is explained is not distinguished from what additive fits of a finite
/// sample leave (see the simulation).
const MATERIAL: f64 = 0.005;

/// What forests of the data, and of additive truths, add to an additive fit.
#[derive(Debug, Clone)]
pub(super) struct Interactions {
    pub(super) answer: Answer,
    measured: Option<Compared>,
    /// Why it cannot be determined.
    refusal: Option<String>,
    has_groups: bool,
    has_classes: bool,
}

#[derive(Debug, Clone, Copy)]
struct Compared {
    n_rows: usize,
    n_references: usize,
    /// Share of the variance that the additive fit explains out of fold.
    additive: f64,
    /// And that the forest explains out of bag.
    forest: f64,
    /// Share of the variance that the non-additive part of the forest adds, beyond chance.
    added: f64,
    /// Share of the variance of the forest's predictions that an additive fit leaves.
    left: f64,
    /// The same of the forests whose truth is additive, on average.
    left_by_chance: f64,
    p_value: f64,
    /// Of the test.
    level: f64,
}

/// One forest beside an additive fit of the same responses.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    statistic: f64,
    added: f64,
    left: f64,
    explained: f64,
}

impl Compared {
    /// What interactions add, as a share of what is explained.
    fn share(self) -> f64 {
        self.added / self.forest.max(self.additive)
    }

    fn is_doubtful(self) -> bool {
        let is_near = (0.5 * MATERIAL..2.0 * MATERIAL).contains(&self.share());
        DOUBTFUL.contains(&self.p_value) || (self.p_value < DOUBTFUL.start && is_near)
    }
}

impl Interactions {
    fn unknown(why: impl Into<String>) -> Self {
        Self {
            answer: Answer::Unknown,
            measured: None,
            refusal: Some(why.into()),
            has_groups: false,
            has_classes: false,
        }
    }

    /// True where interactions were found that are too small to count.
    pub(super) fn are_small(&self) -> bool {
        let is_found = |found: Compared| found.p_value <= found.level;
        self.answer == Answer::No && self.measured.is_some_and(is_found)
    }

    /// True where interactions could well have been missed.
    pub(super) fn could_be_missed(&self) -> bool {
        let is_weak = |found: Compared| found.n_rows < FEW_ROWS || found.forest < WEAK;
        self.answer == Answer::No && !self.are_small() && self.measured.is_some_and(is_weak)
    }
}

/// Compares forests with additive fits, on at most 3000 rows.
///
/// Out-of-bag predictions of a forest are divided into what an additive function of the variables
/// can follow and the rest. If the truth is additive, the rest is noise and independent of what
/// an additive fit of the response leaves; the statistic is their covariance in standard errors.
/// Its null distribution is that of forests grown on responses of the additive fit plus its
/// residuals with random signs (wild bootstrap, Härdle & Mammen 1993), or on classes drawn with
/// the fitted probabilities. Cost: growing 9 forests of 100 trees, 17 where these leave doubt, with two
/// additive fits of each.
///
/// # Errors
/// [`Error::Cancelled`], and what growing reports.
pub(super) fn interactions(
    data: &Dataset,
    config: &ForestConfig,
    level: f64,
    seed: u64,
    run: &Run,
) -> Result<Interactions, Error> {
    if data.clusters().is_some() {
        return Ok(Interactions::unknown(
            "Additivity was not tested, because rows come in clusters",
        ));
    }
    let rows = chosen_rows(data, seed);
    if rows.len() < LEAST_ROWS {
        let what = format!("{} are too few to test additivity", count(rows.len(), "row", "rows"));
        return Ok(Interactions::unknown(what));
    }
    let data = data.select(&rows)?;
    let Some(responses) = Responses::of(&data) else {
        return Ok(Interactions::unknown(
            "Additivity was not tested, because the target is constant",
        ));
    };
    let columns: Vec<Cells> = data
        .features()
        .columns()
        .iter()
        .map(|column| Cells::new(column, MOST_CELLS, 5))
        .filter(|cells| cells.size > 1)
        .collect();
    let has_groups = !data.groups().are_single();
    let has_classes = data.target().classes().is_some();
    if columns.len() < 2 {
        // A function of one variable is additive.
        return Ok(Interactions {
            answer: Answer::No,
            measured: None,
            refusal: Some("There are no two variables that could interact".to_owned()),
            has_groups,
            has_classes,
        });
    }
    let ones = vec![1.0; rows.len()];
    let weights = data.weights().unwrap_or(&ones);
    let all = Rows { columns: &columns, weights };
    let config = config.out_of_bag(TREES);
    let test = Test { all, data: &data, config, responses: &responses, seed };
    let (n_steps, held_out, additive) = test.cross_validated(run)?;
    let fitted = all.fit(&responses.values, n_steps, &mut test.stream(3, 0), |_, _| ());
    let mut seen = Vec::with_capacity(REFERENCES + 1);
    let look = |index: usize| {
        let responses = match index {
            0 => responses.clone(),
            _ => responses.drawn(&fitted.values, &held_out, &mut test.stream(4, index)),
        };
        test.seen(&responses, index, n_steps, run)
    };
    let mut compared_with = |n_references: usize| {
        let n_known = seen.len();
        let work = |index: usize, (): &mut ()| look(n_known + index);
        ordered(n_references + 1 - n_known, run, || (), work, |_, found| seen.push(found))?;
        Ok::<_, Error>(compared(&seen, rows.len(), level, additive))
    };
    let mut measured = compared_with(FEW_REFERENCES)?;
    if measured.is_doubtful() {
        measured = compared_with(REFERENCES)?;
    }
    let is_interacting = measured.p_value <= level && measured.share() >= MATERIAL;
    let answer = if is_interacting { Answer::Yes } else { Answer::No };
    Ok(Interactions { answer, measured: Some(measured), refusal: None, has_groups, has_classes })
}

fn chosen_rows(data: &Dataset, seed: u64) -> Vec<u32> {
    let tried = data.n_features().min(MOST_TRIED);
    let n_outputs = match data.target().n_outputs() {
        2 => 1,
        n_outputs => n_outputs,
    };
    let per_row = (2 * REFERENCES + FOLDS + 2) * MOST_STEPS * tried * n_outputs;
    let most = (MOST_WORK / per_row).clamp(10 * LEAST_ROWS, MOST_ROWS);
    let mut rows = data.rows_of_positive_weight();
    if rows.len() > most {
        Stream::new(seed, 0, Purpose::Advice { part: 0 }).shuffle(&mut rows);
        rows.truncate(most);
        rows.sort_unstable();
    }
    rows
}

fn compared(seen: &[Seen], n_rows: usize, level: f64, additive: f64) -> Compared {
    let (own, null) = (seen[0], &seen[1..]);
    let n = null.len() as f64;
    let mean = |of: fn(&Seen) -> f64| null.iter().map(of).sum::<f64>() / n;
    let centre = mean(|seen| seen.statistic);
    let squares: f64 = null.iter().map(|seen| (seen.statistic - centre).powi(2)).sum();
    // The statistic is one more draw, so that its own error counts, too.
    let error = (squares / (n - 1.0) * (1.0 + 1.0 / n)).sqrt();
    let distance = own.statistic - centre;
    let p_value = match (error > 0.0, distance > 0.0) {
        (true, _) => t_upper_tail(distance / error, n - 1.0),
        (false, true) => 0.0,
        (false, false) => 1.0,
    };
    Compared {
        n_rows,
        n_references: null.len(),
        additive,
        forest: own.explained,
        added: (own.added - mean(|seen| seen.added)).max(0.0),
        left: own.left,
        left_by_chance: mean(|seen| seen.left),
        p_value,
        level,
    }
}

/// What all repetitions share.
struct Test<'a> {
    all: Rows<'a>,
    data: &'a Dataset,
    config: ForestConfig,
    responses: &'a Responses,
    seed: u64,
}

impl Test<'_> {
    fn stream(&self, part: u32, repetition: usize) -> Stream {
        Stream::new(self.seed, repetition, Purpose::Advice { part })
    }

    /// The number of steps with the least error out of fold, the fit out of fold, and the share of
    /// the variance that it explains.
    fn cross_validated(&self, run: &Run) -> Result<(usize, Vec<Vec<f64>>, f64), Error> {
        let n = self.all.weights.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        self.stream(1, 0).shuffle(&mut order);
        let mut fold_of = vec![0; n];
        order.iter().enumerate().for_each(|(place, &row)| fold_of[row as usize] = place % FOLDS);
        let responses = &self.responses.values;
        let mut errors = vec![0.0; MOST_STEPS + 1];
        let mut of_folds: Vec<Vec<Vec<f64>>> = Vec::with_capacity(FOLDS);
        let fit = |fold: usize, (): &mut ()| {
            let rows = self.all.weights.iter().zip(&fold_of);
            let weights: Vec<f64> =
                rows.map(|(w, of)| if *of == fold { 0.0 } else { *w }).collect();
            let held_out: Vec<usize> = (0..n).filter(|&row| fold_of[row] == fold).collect();
            let training = Rows { weights: &weights, ..self.all };
            let (mut errors, mut predicted) = (Vec::new(), Vec::new());
            training.fit(responses, MOST_STEPS, &mut self.stream(2, fold), |_, values| {
                let mut error = 0.0;
                let mut predictions = Vec::with_capacity(held_out.len() * responses.len());
                for (y, values) in responses.iter().zip(values) {
                    for &row in &held_out {
                        error += self.all.weights[row] * (y[row] - values[row]).powi(2);
                        predictions.push(values[row]);
                    }
                }
                errors.push(error);
                predicted.push(predictions);
            });
            run.progress.check().map(|()| (errors, predicted))
        };
        let note = |_, (of_fold, predicted): (Vec<f64>, Vec<Vec<f64>>)| {
            let last = of_fold.last().copied().unwrap_or_default();
            for (step, error) in errors.iter_mut().enumerate() {
                *error += of_fold.get(step).copied().unwrap_or(last);
            }
            of_folds.push(predicted);
        };
        ordered(FOLDS, run, || (), fit, note)?;
        let best = (0..errors.len()).min_by(|&a, &b| errors[a].total_cmp(&errors[b])).unwrap_or(0);
        let mut values = vec![vec![0.0; n]; responses.len()];
        for (fold, predicted) in of_folds.iter().enumerate() {
            let predictions = &predicted[best.min(predicted.len() - 1)];
            let held_out: Vec<usize> = (0..n).filter(|&row| fold_of[row] == fold).collect();
            for (values, predictions) in
                values.iter_mut().zip(predictions.chunks_exact(held_out.len().max(1)))
            {
                held_out
                    .iter()
                    .zip(predictions)
                    .for_each(|(&row, prediction)| values[row] = *prediction);
            }
        }
        let explained = 1.0 - errors[best] / self.responses.squares(self.all.weights);
        Ok((best, values, explained))
    }

    /// Grows a forest on responses and computes what it adds to an additive fit of them.
    fn seen(
        &self,
        responses: &Responses,
        index: usize,
        n_steps: usize,
        run: &Run,
    ) -> Result<Seen, Error> {
        let data = responses.dataset(self.data)?;
        let seed = self.stream(5, index).word();
        let config = ForestConfig { seed, ..self.config.clone() };
        let run = &run.alone();
        let grown = Forest::grow_and_measure(&data, &config, &[], Keep::Nothing, run)?;
        let out_of_bag = &grown.measured.out_of_bag;
        let mut predictions = vec![vec![0.0; data.n_rows()]; responses.values.len()];
        let mut weights = self.all.weights.to_vec();
        for (row, weight) in weights.iter_mut().enumerate() {
            match out_of_bag.prediction(row) {
                // Of two classes the second one is sufficient.
                Some(prediction) => {
                    let skipped = prediction.len() - responses.values.len();
                    let outputs = predictions.iter_mut().zip(&prediction[skipped..]);
                    outputs.for_each(|(predictions, value)| predictions[row] = *value);
                }
                None => *weight = 0.0,
            }
        }
        let rows = Rows { weights: &weights, ..self.all };
        let fit = |of: &[Vec<f64>], n_steps: usize, part: u32| {
            rows.fit(of, n_steps, &mut self.stream(part, index), |_, _| ())
        };
        let followed = fit(&predictions, MOST_STEPS, 6);
        let fitted = fit(&responses.values, n_steps, 7);
        Ok(beyond(&predictions, &followed, &responses.values, &fitted, &weights))
    }
}

/// The covariance of what additive fits leave of predictions and of responses.
fn beyond(
    predictions: &[Vec<f64>],
    followed: &AdditiveFit,
    responses: &[Vec<f64>],
    fitted: &AdditiveFit,
    weights: &[f64],
) -> Seen {
    let (mut product, mut spread) = (0.0, 0.0);
    let (mut left, mut error) = (0.0, 0.0);
    for (row, &weight) in weights.iter().enumerate() {
        let mut of_row = 0.0;
        for output in 0..predictions.len() {
            let rest = predictions[output][row] - followed.values[output][row];
            of_row += rest * (responses[output][row] - fitted.values[output][row]);
            left += weight * rest * rest;
            error += weight * (responses[output][row] - predictions[output][row]).powi(2);
        }
        product += weight * of_row;
        spread += (weight * of_row).powi(2);
    }
    let squares_of = |all: &[Vec<f64>]| all.iter().map(|one| squares(one, weights)).sum::<f64>();
    let (of_response, of_predictions) = (squares_of(responses), squares_of(predictions));
    Seen {
        statistic: if spread > 0.0 { product / spread.sqrt() } else { 0.0 },
        added: if left > 0.0 { product.max(0.0) * product / (left * of_response) } else { 0.0 },
        left: if of_predictions > 0.0 { left / of_predictions } else { 0.0 },
        explained: 1.0 - error / of_response,
    }
}
