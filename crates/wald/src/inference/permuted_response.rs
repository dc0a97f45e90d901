//! p-values by forests whose response was permuted: Altmann et al. 2010.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::fingerprint::of_work;
use crate::forest::{ForestConfig, Keep};
use crate::importance::Importance;
use crate::inference::clusters::refuse_clusters;
use crate::inference::observed::Observed;
use crate::inference::tested::Tested;
use crate::measure::Measure;
use crate::measuring::Ground;
use crate::parts::divided;
use crate::random::{Purpose, Stream};
use crate::run::Run;
use crate::{message, setting};

/// More permutations than this are a mistake.
const MOST_PERMUTATIONS: u32 = 1_000_000;

/// How often a response is permuted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PermutedResponse {
    /// At most so often.
    pub permutations: u32,
    /// A variable that permuted responses made as important so often needs no more of them
    /// (Besag & Clifford 1991); `None` to go on.
    pub enough: Option<u32>,
}

impl Default for PermutedResponse {
    fn default() -> Self {
        Self { permutations: 999, enough: Some(20) }
    }
}

/// What is known of one variable by now.
#[derive(Debug, Clone, Copy)]
struct Count {
    as_important: u32,
    permutations: u32,
}

impl PermutedResponse {
    /// Checks ranges.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range.
    pub fn validate(self) -> Result<(), Error> {
        Self::permutations_of(self.permutations as usize)?;
        if self.enough == Some(0) {
            return Err(Error::bad_setting(
                None,
                "a test cannot stop before a permutation was as important",
                "give at least 1; 20 are usual",
            ));
        }
        Ok(())
    }

    /// So many permutations, as they are kept.
    ///
    /// # Errors
    /// [`Error::Setting`] for a number outside its range.
    pub(super) fn permutations_of(wanted: usize) -> Result<u32, Error> {
        let kept = u32::try_from(wanted).ok().filter(|n| (1..=MOST_PERMUTATIONS).contains(n));
        kept.ok_or_else(|| {
            Error::bad_setting(
                setting::NULL_FORESTS,
                message!(setting::NULL_FORESTS.name(), " is ", wanted),
                format!("give at least 1, and at most {MOST_PERMUTATIONS}; 999 are usual"),
            )
        })
    }

    fn is_enough(self, count: Count) -> bool {
        self.enough.is_some_and(|enough| count.as_important >= enough)
    }

    /// Whether no variable needs a further permutation.
    fn are_enough(self, counts: &[Vec<Option<Count>>]) -> bool {
        counts.iter().flatten().flatten().all(|count| self.is_enough(*count))
    }

    /// Never 0: the table itself is one of the permutations. A test that stopped early has its own
    /// form (Besag & Clifford 1991).
    fn p_value(self, count: Count) -> f64 {
        let (as_important, permutations) =
            (f64::from(count.as_important), f64::from(count.permutations));
        if self.is_enough(count) {
            as_important / permutations
        } else {
            (1.0 + as_important) / (1.0 + permutations)
        }
    }
}

/// Forests whose response was permuted.
struct PermutedForests<'a> {
    data: &'a Dataset,
    config: &'a ForestConfig,
    permuted: Dataset,
    training: Training,
}

impl<'a> PermutedForests<'a> {
    fn new(data: &'a Dataset, config: &'a ForestConfig, run: &Run) -> Self {
        Self { data, config, permuted: data.clone(), training: Training::of(data, run.threads) }
    }

    /// The importances of all variables by every measure, after so many other permutations.
    fn importances(
        &mut self,
        index: usize,
        measures: &[Measure],
        run: &Run,
    ) -> Result<Vec<Vec<Option<f64>>>, Error> {
        let Self { data, config, permuted, training } = self;
        let mut stream = Stream::new(config.seed, index, Purpose::PermutedResponse);
        let order = data.shuffled_rows(&mut stream);
        permuted.respond_as(data, &order);
        training.respond_as(permuted);
        let seed = stream.word();
        let config = ForestConfig { seed, ..config.clone() };
        let measures: Vec<Measure> =
            measures.iter().map(|measure| measure.with_seed(seed)).collect();
        let ground = Ground { data: permuted, training, new_rows: &[], before: None };
        let (grown, _) = ground.grow_and_measure(&config, &measures, Keep::Nothing, run)?;
        Ok(grown.measured.importances.into_iter().map(|found| found.values).collect())
    }
}

/// Tests for every variable and measure whether its importance is what a response would give it that
/// has nothing to do with any variable: how often forests with a permuted response find it as
/// important. Nothing is assumed of what such importances are on average.
///
/// The null hypothesis is that no variable has to do with the response. Where others matter, a
/// permuted response is not the situation of an irrelevant variable: measures of accuracy and
/// impurity scatter more without anything to explain, so that p-values are too large, but counts and
/// depths of splits depend on what else can be split, and their p-values may be too small (see
/// `wald-papers p-values`). Shadows keep what others explain.
///
/// Rows keep their variables; responses and case weights of rows of positive weight change places
/// together. A rejected
/// hypothesis means that the variable and the response are dependent, alone or given others; it
/// does not mean that the variable adds information to the others.
///
/// `observed` are the importances of the table itself, in the order of `measures`. The tests stop
/// when every variable has its answer, unless the work is divided into parts: these do not know
/// the importances yet. Cost: one forest with its measures for every permutation; the
/// columns are ranked once.
///
/// ```
/// use wald::inference::{Observed, PermutedResponse, permuted_response};
/// use wald::simulate::Friedman1;
/// use wald::{Forest, ForestConfig, MeasureId, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let measures = [MeasureId::Mdi.into()];
/// let forest = Forest::grow(&data, &config, &Run::all())?;
/// let observed = forest.measure(&data, &measures, &Run::all())?.importances;
/// let settings = PermutedResponse { permutations: 9, enough: None };
/// let observed = Observed::new(&measures, &observed);
/// let tested = permuted_response(&data, &config, observed, settings, &Run::all())?;
/// // Nine permutations and the table itself: no p-value is below 1 / 10.
/// assert!(tested[0].p_values.iter().flatten().all(|p| *p >= 0.1));
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Setting`], [`Error::Data`] (rows in clusters are not exchangeable) and
/// [`Error::Measure`], and [`Error::Cancelled`].
pub fn permuted_response(
    data: &Dataset,
    config: &ForestConfig,
    observed: Observed<'_>,
    settings: PermutedResponse,
    run: &Run,
) -> Result<Vec<Tested>, Error> {
    let Observed { measures, importances: observed } = observed;
    settings.validate()?;
    config.resolve(data)?;
    refuse_clusters(data)?;
    let mut counts: Vec<Vec<Option<Count>>> = observed.iter().map(counts_of).collect();
    let has_answers = AtomicBool::new(settings.are_enough(&counts));
    let n_variables = data.groups().n_groups();
    let shared = &run.doing(|| of_work(data, measures, format!("permuted {config:?}").as_bytes()));
    divided(
        settings.permutations as usize,
        shared,
        |_, nulls: &Vec<Vec<Option<f64>>>| {
            nulls.len() == measures.len() && nulls.iter().all(|null| null.len() == n_variables)
        },
        |units, found| {
            let mut forests = PermutedForests::new(data, config, run);
            run.progress.start(units.len());
            for index in units {
                if has_answers.load(Ordering::Relaxed) {
                    break;
                }
                found(index, forests.importances(index, measures, &run.part())?);
                run.progress.advance();
            }
            Ok(())
        },
        |_, nulls| {
            let all = counts.iter_mut().zip(measures).zip(observed.iter().zip(&nulls));
            for ((counts, measure), (observed, null)) in all {
                let small_is_important = measure.id().info().small_is_important;
                for (position, count) in counts.iter_mut().enumerate() {
                    let Some(count) = count.as_mut().filter(|count| !settings.is_enough(**count))
                    else {
                        continue;
                    };
                    count.permutations += 1;
                    let is_as_important = match (null[position], observed.values[position]) {
                        (Some(null), Some(observed)) if small_is_important => null <= observed,
                        (Some(null), Some(observed)) => null >= observed,
                        // What is not defined is no evidence.
                        _ => true,
                    };
                    count.as_important += u32::from(is_as_important);
                }
            }
            has_answers.store(settings.are_enough(&counts), Ordering::Relaxed);
        },
    )?;
    let tested = |(measure, counts): (&Measure, Vec<Option<Count>>)| Tested {
        id: measure.id().info().id,
        p_values: counts.iter().map(|count| count.map(|count| settings.p_value(count))).collect(),
        null_sizes: counts
            .iter()
            .map(|count| count.map_or(0, |count| count.permutations))
            .collect(),
        notes: if measure.id().info().facts.shaped_by_others {
            vec![
                "where other variables matter, p-values by permuted responses may be too small \
                  for this measure; those by shadows are not"
                    .to_owned(),
            ]
        } else {
            Vec::new()
        },
    };
    Ok(measures.iter().zip(counts).map(tested).collect())
}

fn counts_of(observed: &Importance) -> Vec<Option<Count>> {
    let nothing = Count { as_important: 0, permutations: 0 };
    observed.values.iter().map(|value| value.map(|_| nothing)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_are_never_zero() {
        let settings = PermutedResponse { permutations: 99, enough: Some(10) };
        let p_value =
            |as_important, permutations| settings.p_value(Count { as_important, permutations });
        assert_eq!(p_value(0, 99), 0.01);
        assert_eq!(p_value(4, 99), 0.05);
        assert_eq!(p_value(10, 20), 0.5, "stopped early");
        let all = PermutedResponse { enough: None, ..settings };
        assert_eq!(all.p_value(Count { as_important: 99, permutations: 99 }), 1.0);
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        let settings = PermutedResponse::default();
        assert!(settings.validate().is_ok());
        assert!(PermutedResponse { permutations: 0, ..settings }.validate().is_err());
        assert!(PermutedResponse { enough: Some(0), ..settings }.validate().is_err());
    }
}
