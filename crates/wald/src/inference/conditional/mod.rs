//! Tests of conditional independence: whether a variable adds to what the others explain of the response.
//!
//! Rows are divided into folds; forests are grown on the rows outside of a fold, and judged by its rows
//! (cross-fitting), so that errors of the judgement are those of independent rows. What is estimated is
//! the total Sobol index of a variable `X_j`, E Var(m(X) | the others) / Var Y with m(x) = E(Y | X = x). It is
//! zero where Y does not depend on `X_j` given the other variables, and two ways estimate it:
//!
//! * [`ConditionalMethod::SobolCpi`]: Reyero Lobo, Neuvial & Thirion 2025 (arXiv 2501.17520), after
//!   Chamma, Engemann & Thirion 2023: the held-out rows are predicted once more with values of `X_j` that
//!   are drawn given the other variables ([`sampler`]). With n draws, whose predictions are averaged,
//!   the loss grows by 1 + 1/n times the index, which is divided out.
//! * [`ConditionalMethod::Loco`]: Williamson, Gilbert, Simon & Carone 2023: a forest is grown without
//!   what `X_j` explains, whose values are shuffled. The full forest is judged on one half of the held-out rows
//!   and the reduced one on the other (sample splitting): the difference of losses of the same rows would have
//!   no variance where `X_j` adds nothing, and its test no level.

mod config;
mod discriminant;
mod donors;
mod eigen;
mod estimate;
mod learned;
mod level_counts;
mod logistic;
mod losses;
mod output;
mod ridge;
mod sampler;
mod size;
mod stack;
mod terms;
#[cfg(test)]
mod tests;
mod trend;
mod truth;

pub use config::{ConditionalConfig, ConditionalMethod};

use crate::association::case_weights::note_on_weights;
use crate::data::{Column, ColumnData, Dataset, MISSING_LEVEL};
use crate::error::Error;
use crate::fingerprint::of_work;
use crate::folds::fold_of_rows;
use crate::inference::conditional::estimate::{Estimate, Judged};
use crate::inference::conditional::losses::Losses;
use crate::inference::intervals::Interval;
use crate::parts::{Written, distributed};
use crate::pass::note_on_no_split;
use crate::run::Run;
use crate::table_notes::{MOST_NAMED, note_on_dependent_rows, note_on_identities, note_on_repeats};
use crate::words::{counted, some_of};

/// What a variable adds to the others, with its error and a test.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionalTest {
    /// The variables: columns, or groups of columns.
    pub variables: Vec<String>,
    /// Estimates of total Sobol indices, as shares of the variance of the response.
    pub values: Vec<f64>,
    /// Their standard errors over rows, or over clusters.
    pub standard_errors: Vec<f64>,
    /// Intervals of single indices.
    pub intervals: Vec<Interval<f64>>,
    /// One-sided p-values of the hypothesis that the variable adds nothing.
    pub p_values: Vec<f64>,
    /// The same, corrected for the number of variables.
    pub adjusted: Vec<f64>,
    /// The share of the variance of held-out rows that forests on all variables explain.
    pub explained_variance: f64,
    /// Rows of the table.
    pub n_rows: usize,
    /// What users should know about these values.
    pub notes: Vec<String>,
}

/// Tests every variable. The result does not depend on the number of threads, nor on rows of weight zero,
/// which are left out first.
///
/// Cost: that of folds * (variables + 1) forests; with [`ConditionalMethod::SobolCpi`] two for each number, and
/// every row is predicted as often as there are draws for each variable.
///
/// ```
/// use wald::inference::{ConditionalConfig, conditional_test};
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Run};
///
/// let data = Friedman1::default().draw(100, 1)?; // the first five of ten variables matter
/// let config = ConditionalConfig::new(ForestConfig { n_trees: 20, ..ForestConfig::default() });
/// let found = conditional_test(&data, &config, &Run::all())?;
/// assert_eq!(found.p_values.len(), 10);
/// assert!(found.p_values[3] < 0.05);
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Setting`] and [`Error::Data`] when the settings do not fit the data, and
/// [`Error::Cancelled`].
pub fn conditional_test(
    data: &Dataset,
    config: &ConditionalConfig,
    run: &Run,
) -> Result<ConditionalTest, Error> {
    let n_rows = data.n_rows();
    let data = &*data.of_positive_weight()?;
    config.check(data)?;
    let n_parts = config.n_parts();
    let part_of = fold_of_rows(data, n_parts, config.forest.seed, 0);
    let losses = Losses::new(data, config, &part_of);
    let n_variables = data.groups().n_groups();
    run.progress.start(config.folds * (n_variables + 1));
    let full = losses.full(run)?;
    let mut reduced = vec![vec![0.0; data.n_rows()]; n_variables];
    let how = || format!("conditional {config:?}");
    let written = Written {
        write: &|found: Vec<f64>| postcard::to_allocvec(&found),
        read: &|unit, bytes| {
            let (found, rest) = postcard::take_from_bytes::<Vec<f64>>(bytes).ok()?;
            let n_rows = losses.held_out(unit / n_variables).len();
            (rest.is_empty() && found.len() == n_rows).then_some(found)
        },
    };
    let shared = run.counting_apart().doing(|| of_work(data, &[], how().as_bytes()));
    distributed(
        config.folds * n_variables,
        &written,
        &shared,
        (
            || (),
            |unit, (): &mut ()| {
                let (fold, variable) = (unit / n_variables, unit % n_variables);
                let found = losses.without(&full, fold, variable, &run.alone());
                run.progress.advance();
                found
            },
        ),
        |unit, found| {
            let held_out = losses.held_out(unit / n_variables);
            for (&row, loss) in held_out.iter().zip(found) {
                reduced[unit % n_variables][row as usize] = loss;
            }
        },
    )?;
    run.check_whole()?;
    let judged = Judged::new(data, config, &part_of, full.losses());
    let is_constant = |group: &Vec<u32>| {
        group.iter().all(|&column| data.features().columns()[column as usize].is_constant())
    };
    let groups = data.groups().members().iter();
    let estimates: Vec<Estimate> = groups
        .zip(&reduced)
        .map(|(group, losses)| {
            // A column that does not vary adds nothing, but other rows judge forests without it.
            if is_constant(group) { Estimate::NOTHING } else { judged.estimate(losses) }
        })
        .collect();
    let p_values: Vec<f64> = estimates.iter().map(|estimate| estimate.p_value).collect();
    let tested: Vec<Option<f64>> = p_values.iter().copied().map(Some).collect();
    let adjusted = config.adjustment.adjust(&tested).into_iter().flatten().collect();
    let mut notes = notes(data, config);
    let prediction = |row: usize| Some(full.prediction(row).to_vec());
    notes.extend(note_on_dependent_rows(data, data.target(), prediction));
    if !full.has_splits() {
        notes.push(note_on_no_split());
    }
    Ok(ConditionalTest {
        variables: data.groups().names().to_vec(),
        values: estimates.iter().map(|estimate| estimate.value).collect(),
        standard_errors: estimates.iter().map(|estimate| estimate.standard_error).collect(),
        intervals: estimates.iter().map(|estimate| estimate.interval).collect(),
        p_values,
        adjusted,
        explained_variance: judged.explained_variance(),
        n_rows,
        notes,
    })
}

fn notes(data: &Dataset, config: &ConditionalConfig) -> Vec<String> {
    // Leaves have few rows more than they must.
    let of_weights = note_on_weights(data, config.forest.min_leaf_size as f64);
    let mut notes: Vec<String> = of_weights.into_iter().chain(note_on_repeats(data)).collect();
    if let Some(weights) = data.weights() {
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        let alike = weights.iter().sum::<f64>().powi(2) / squares;
        if 2.0 * alike < weights.len() as f64 {
            notes.push(format!(
                "weights differ so much that the {} are as informative as about {alike:.0} of equal \
                 weight",
                counted(weights.len(), "row")
            ));
        }
    }
    notes.extend(
        note_on_missing(data)
            .filter(|_| matches!(config.method, ConditionalMethod::SobolCpi { .. })),
    );
    notes.extend(note_on_identities(data, 2));
    notes
}

/// Drawn values stand where there are values, and nowhere else.
fn note_on_missing(data: &Dataset) -> Option<String> {
    let has_missing = |column: &&Column| match column.data() {
        ColumnData::Numeric(values) => values.iter().any(|value| value.is_nan()),
        ColumnData::Categorical(categories) => categories.codes().contains(&MISSING_LEVEL),
    };
    let columns = data.features().columns().iter();
    let names: Vec<String> =
        columns.filter(has_missing).map(|column| format!("\"{}\"", column.name())).collect();
    (!names.is_empty()).then(|| {
        format!(
            "missing values of {} stay missing: the test is one of the values, and does not show whether the target \
             depends on that they are missing; add a column that states it, or use loco",
            some_of(&names, MOST_NAMED)
        )
    })
}
