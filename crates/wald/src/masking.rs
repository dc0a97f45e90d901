//! Masking: how importances change with the number of variables that compete for a split.
//!
//! Where a node takes the best of K variables, one that is often beaten by others is hidden by
//! them: its importance falls with K, to zero where it never wins, though it may be as informative
//! (Louppe et al. 2013, section 4; Sutera et al. 2021, section 3.2).
//!
//! A forest is grown for every number of variables, all on one ranking of the columns.

use serde::Serialize;

use crate::data::{Dataset, Training};
use crate::document::Subject;
use crate::error::Error;
use crate::forest::{ForestConfig, Keep};
use crate::frame::Frame;
use crate::importance::Importance;
use crate::measure::Measure;
use crate::measuring::Ground;
use crate::pass::note_on_no_split;
use crate::run::Run;
use crate::words::there_are;
use crate::{message, setting};

/// Up to so many variables, every K is looked at unless others are named.
const FEW: usize = 12;

/// Importances by K, which is mtry.
#[derive(Debug, Clone, PartialEq)]
pub struct Masking {
    /// The values of K, increasing.
    pub mtry: Vec<usize>,
    /// The importances of the forest of each.
    pub importances: Vec<Importance>,
}

/// Values of K that show a curve of `n_variables`: all of up to 12, else 1, 2, 4, ... and the last.
///
/// ```
/// use wald::masking::usual_mtry;
///
/// assert_eq!(usual_mtry(4), [1, 2, 3, 4]);
/// assert_eq!(usual_mtry(50), [1, 2, 4, 8, 16, 32, 50]);
/// ```
pub fn usual_mtry(n_variables: usize) -> Vec<usize> {
    if n_variables <= FEW {
        return (1..=n_variables).collect();
    }
    let doubled = std::iter::successors(Some(1), |mtry: &usize| mtry.checked_mul(2));
    doubled.take_while(|mtry| *mtry < n_variables).chain([n_variables]).collect()
}

/// Grows a forest for every K that is listed (in any order, repeated ones once), all else equal,
/// and measures it. Cost: that of the forests; columns are ranked once.
///
/// ```
/// use wald::masking::masking;
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, MeasureId, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let found = masking(&data, &config, &MeasureId::Mdi.into(), &[1, 3, 10], &Run::all())?;
/// assert_eq!(found.mtry, [1, 3, 10]);
/// for (mtry, importance) in found.mtry.iter().zip(&found.importances) {
///     println!("mtry {mtry}: x10 has {:.2?}", importance.values[9]);
/// }
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// As [`Forest::grow_and_measure`](crate::Forest::grow_and_measure), before any forest is grown
/// where a K is out of range; [`Error::Setting`] without any K.
pub fn masking(
    data: &Dataset,
    config: &ForestConfig,
    measure: &Measure,
    mtry: &[usize],
    run: &Run,
) -> Result<Masking, Error> {
    measure.refuse_apart()?;
    let mut mtry = mtry.to_vec();
    mtry.sort_unstable();
    mtry.dedup();
    if mtry.is_empty() {
        return Err(Error::bad_setting(
            setting::VALUES,
            message!(setting::VALUES.name(), " is empty"),
            "give one or more numbers of variables, for example 1 and 2",
        ));
    }
    let p = data.n_features();
    if let Some(out) = mtry.iter().find(|mtry| !(1..=p).contains(mtry)) {
        return Err(Error::bad_setting(
            setting::VALUES,
            message!(
                setting::VALUES.name(),
                " has ",
                out,
                ", but ",
                there_are(p, "input variable")
            ),
            format!("give numbers between 1 and {p}"),
        ));
    }
    let configs: Vec<ForestConfig> =
        mtry.iter().map(|&mtry| ForestConfig { mtry: Some(mtry), ..config.clone() }).collect();
    configs.iter().try_for_each(|config| config.resolve(data).map(|_| ()))?;
    let training = Training::of(data, run.threads);
    let ground = Ground { data, training: &training, new_rows: &[], before: None };
    run.progress.start(configs.len() * config.n_trees);
    let mut importances = Vec::with_capacity(configs.len());
    for config in &configs {
        // Machines that share the work grow some trees of every forest.
        let handles = &run.counting_apart();
        let measures = std::slice::from_ref(measure);
        let grown = ground.grow_and_measure(config, measures, Keep::Nothing, handles);
        let grown = run.unless_part(grown)?;
        run.progress.advance_by(config.n_trees);
        importances.extend(grown.into_iter().flat_map(|(grown, _)| grown.measured.importances));
    }
    if run.is_part() {
        return Err(Error::Cancelled);
    }
    Ok(Masking { mtry, importances })
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    measure: &'a str,
    unit: &'a str,
    mtry: &'a [usize],
    /// `[variable][mtry]`.
    values: Vec<Vec<Option<f64>>>,
    /// Of the same shape.
    standard_errors: Option<Vec<Vec<Option<f64>>>>,
}

impl Masking {
    /// A long table: a line per mtry and variable, with the columns `mtry`, `variable`, `value` and
    /// `standard_error`.
    pub fn frame(&self) -> Frame {
        let sizes = self.mtry.iter().zip(&self.importances);
        let lines: Vec<(usize, &Importance, usize)> = sizes
            .flat_map(|(&mtry, of)| (0..of.values.len()).map(move |at| (mtry, of, at)))
            .collect();
        Frame::default()
            .with_numbers("mtry", lines.iter().map(|(mtry, ..)| *mtry as f64))
            .with_text("variable", lines.iter().map(|&(_, of, at)| of.name(at)))
            .with_numbers("value", lines.iter().map(|&(_, of, at)| of.values[at]))
            .with_numbers("standard_error", lines.iter().map(|&(_, of, at)| of.error(at)))
    }

    /// The note on forests none of whose trees has a split.
    pub fn note(&self) -> Option<String> {
        let is_without = |of: &Importance| of.notes.contains(&note_on_no_split());
        self.importances.iter().all(is_without).then(note_on_no_split)
    }

    /// The JSON document of the command line, for the data that were measured.
    pub fn document<'a>(&'a self, data: &'a Dataset) -> impl Serialize + 'a {
        let first = self.importances.first();
        let by_variable = |of: fn(&Importance, usize) -> Option<f64>| -> Vec<Vec<Option<f64>>> {
            let curve = |at| self.importances.iter().map(|one| of(one, at)).collect();
            (0..first.map_or(0, |first| first.values.len())).map(curve).collect()
        };
        let has_errors = first.is_some_and(|first| first.standard_errors.is_some());
        Document {
            subject: data.into(),
            measure: first.map_or("", |first| first.id),
            unit: first.map_or("", |first| &first.unit),
            mtry: &self.mtry,
            values: by_variable(|of, at| of.values[at]),
            standard_errors: has_errors.then(|| by_variable(Importance::error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_values_reach_from_one_to_all() {
        assert_eq!(usual_mtry(1), [1]);
        assert_eq!(usual_mtry(7), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(usual_mtry(13), [1, 2, 4, 8, 13]);
        assert_eq!(usual_mtry(64), [1, 2, 4, 8, 16, 32, 64]);
        assert_eq!(usual_mtry(usize::MAX).len(), 65);
    }
}
