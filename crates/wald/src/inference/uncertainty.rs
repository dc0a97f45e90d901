//! All that is known of how sure the importances of a forest are.

use std::sync::Arc;

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{Forest, ForestConfig, Keep};
use crate::importance::Importance;
use crate::inference::adjustment::Adjustment;
use crate::inference::clusters::refuse_lost_clusters;
use crate::inference::intervals::{Confidence, Intervals};
use crate::inference::jackknife::jackknife_sampled;
use crate::inference::mirrored::{is_symmetric, mirrored_test};
use crate::inference::observed::Observed;
use crate::inference::permuted_response::permuted_response;
use crate::inference::separation::{Separation, separations};
use crate::inference::shadow::{ShadowDraws, shadow_test};
use crate::inference::subsampling::{Sampled, Subsampling, subsampling};
use crate::inference::test::Test;
use crate::inference::tested::Tested;
use crate::measure::Measure;
use crate::memory::Size;
use crate::origin::Origin;
use crate::run::{Run, Threads};
use crate::words::{counted, numbered};

/// How sampling errors are estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SamplingErrors {
    /// By forests on parts of the rows; for every measure.
    Subsampling(Subsampling),
    /// By the bags of the forest itself (infinitesimal jackknife); for measures that are means over
    /// trees of the information in their bags, and about as many trees as rows.
    Jackknife,
}

/// What is computed besides the importances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UncertaintyConfig {
    /// The probability with which intervals cover.
    pub confidence: Confidence,
    /// How sampling errors are estimated.
    pub errors: SamplingErrors,
    /// How p-values are found; `None` for none.
    pub test: Option<Test>,
    /// How p-values are corrected for the number of variables.
    pub adjustment: Adjustment,
}

/// Importances, their intervals, ranks and p-values.
#[derive(Debug, Clone, PartialEq)]
pub struct Uncertainty {
    /// Rows of the table.
    pub n_rows: usize,
    /// The importances, with Monte-Carlo errors.
    pub importance: Importance,
    /// Sampling errors.
    pub sampled: Sampled,
    /// Intervals for both together.
    pub intervals: Intervals,
    /// p-values, where asked for.
    pub tested: Option<Tested>,
    /// The same, corrected for the number of variables.
    pub adjusted: Option<Vec<Option<f64>>>,
    /// Trees that would separate neighbours of the ranking; empty where a measure is not a mean
    /// over trees.
    pub separations: Vec<Separation>,
}

impl SamplingErrors {
    /// The name users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::Subsampling(_) => "subsampling",
            Self::Jackknife => "jackknife",
        }
    }

    /// How rows are drawn, where they are.
    pub fn subsampling(self) -> Option<Subsampling> {
        match self {
            Self::Subsampling(settings) => Some(settings),
            Self::Jackknife => None,
        }
    }
}

impl Uncertainty {
    /// What deserves a second look, but for ranks.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let of_test = self.tested.iter().flat_map(|tested| &tested.notes);
        let of_smallest = self.tested.as_ref().zip(self.adjusted.as_ref());
        let of_smallest = of_smallest.and_then(|(tested, adjusted)| {
            tested.note_on_smallest(adjusted, |at| self.importance.name(at).to_owned())
        });
        let of_values = self.importance.notes_on_values().chain(of_test).cloned();
        of_values.chain(of_smallest).chain(self.note_on_errors())
    }

    /// Why no rank is narrower than all of them, where that is so.
    pub fn note_on_ranks(&self) -> Option<String> {
        let ranks = self.intervals.ranks.as_ref()?;
        let n_ranked = ranks.iter().flatten().count();
        let is_open = ranks.iter().flatten().all(|rank| rank.low == 1 && rank.high == n_ranked);
        // What is independent, which more rows of the same clusters would not be.
        let (number, noun) =
            self.sampled.n_clusters.map_or((self.n_rows, "row"), |clusters| (clusters, "cluster"));
        let units = numbered(0, noun);
        let note = format!(
            "every rank is 1 to {n_ranked}: with {} no two of the variables differ by more \
             than their error, where all ranks are to hold at once with a probability of {} %; \
             more {units}, fewer variables (such as groups in place of their columns) or a lower \
             probability would narrow them",
            counted(number, noun),
            100.0 * self.intervals.confidence
        );
        // Values without any error are equal, and nothing would narrow their ranks.
        let is_narrowed = self.sampled.standard_errors.iter().flatten().any(|error| *error > 0.0);
        (n_ranked > 1 && is_open && is_narrowed).then_some(note)
    }

    /// What the reader must know about sampling errors.
    pub fn note_on_errors(&self) -> Option<String> {
        if let Some(note) = self.sampled.note() {
            return Some(note);
        }
        let n_variables = self.sampled.at_most.iter().filter(|is_at_most| **is_at_most).count();
        let variables = if n_variables == 1 { "one variable" } else { "variables" };
        let note = format!(
            "the sampling error of {}{variables} is at most about the reported value: with so few \
             trees the jackknife cannot distinguish it from zero; ten trees per row are often \
             enough",
            if n_variables == 1 { String::new() } else { format!("{n_variables} ") }
        );
        (n_variables > 0).then_some(note)
    }
}

impl UncertaintyConfig {
    /// Checks ranges, and whether the measures allow what is asked.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range, [`Error::Measure`] for a measure that the
    /// jackknife does not hold for, or whose values are taken apart.
    pub fn validate(&self, measures: &[Measure]) -> Result<(), Error> {
        measures.iter().try_for_each(Measure::refuse_apart)?;
        match self.errors {
            SamplingErrors::Subsampling(settings) => settings.validate()?,
            SamplingErrors::Jackknife => {
                measures
                    .iter()
                    .try_for_each(|measure| super::jackknife::check(measure.id().info().id))?;
            }
        }
        self.test.map_or(Ok(()), Test::validate)
    }

    /// What the largest of the further forests hold in memory, where any are grown: those on parts of
    /// the rows that threads grow at the same time, or one of a test.
    ///
    /// # Errors
    /// As growing them.
    pub fn size_of_more(
        &self,
        data: &Dataset,
        config: &ForestConfig,
        measures: &[Measure],
        threads: Threads,
    ) -> Result<Option<Size>, Error> {
        let mut sizes = Vec::new();
        if let SamplingErrors::Subsampling(settings) = self.errors {
            sizes.push(settings.size(data, config, measures, threads)?);
        }
        match self.test {
            Some(Test::Permuted(_)) => {
                sizes.push(Size::of_growing(data, config, measures, Keep::Nothing, threads)?);
            }
            Some(Test::Shadow(settings)) => {
                sizes.push(settings.size(data, config, measures, threads)?);
            }
            Some(Test::Mirrored) if !measures.iter().all(is_symmetric) => {
                sizes.push(ShadowDraws::default().size(data, config, measures, threads)?);
            }
            Some(Test::Mirrored) | None => {}
        }
        Ok(sizes.into_iter().max_by_key(Size::total))
    }

    /// True when forests besides the first are grown.
    pub fn grows(&self) -> bool {
        self.errors != SamplingErrors::Jackknife || self.test.is_some()
    }
}

/// Measures a forest, which is grown unless it exists, and grows as many more as the questions take;
/// all measures look at the same forests. Cost: subsamples * fraction * share of trees, and the
/// forests of the tests, times that of growing and measuring the forest.
///
/// ```
/// use wald::inference::{
///     Adjustment, Confidence, SamplingErrors, Subsampling, UncertaintyConfig, uncertainty,
/// };
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, MeasureId, Origin, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let subsampling = Subsampling { n_subsamples: 10, ..Subsampling::default() };
/// let asked = UncertaintyConfig {
///     confidence: Confidence::new(0.9)?,
///     errors: SamplingErrors::Subsampling(subsampling),
///     test: None, // no p-values
///     adjustment: Adjustment::None,
/// };
/// let origin = Origin::Settings(&config);
/// let found = uncertainty(&data, origin, &[MeasureId::Mdi.into()], &asked, &Run::all())?;
/// let interval = found[0].intervals.each[0].expect("x1 has an importance");
/// assert!(interval.low < interval.high);
/// let ranks = found[0].intervals.ranks.as_ref().expect("few variables");
/// assert!(ranks[0].is_some_and(|rank| 1 <= rank.low && rank.high <= 10));
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// As [`subsampling`], [`jackknife_sampled`] and the tests; [`Error::Setting`] where forests are to be
/// grown like one whose settings are not known, and [`Error::Data`] where the trees of a forest drew rows by
/// clusters that the table lacks.
pub fn uncertainty(
    data: &Dataset,
    origin: Origin<'_>,
    measures: &[Measure],
    asked: &UncertaintyConfig,
    run: &Run,
) -> Result<Vec<Uncertainty>, Error> {
    data.target().check_one()?;
    asked.validate(measures)?;
    refuse_lost_clusters(data, origin)?;
    let config = origin.config();
    if config.is_none() && asked.grows() {
        return Err(Error::bad_setting(
            None,
            "forests like this one cannot be grown: its settings are not known",
            "give a forest that wald grew",
        ));
    }
    let units = |config: &ForestConfig| Units::of(config, asked);
    let Units { forest: first, sampling, test } = config.map_or(Units::default(), units);
    run.progress.stages(first + sampling + test);
    run.progress.stage(first);
    let keeps = asked.errors == SamplingErrors::Jackknife;
    let keep = if keeps { Keep::Trees } else { Keep::Nothing };
    let first = || first_importances(data, origin, measures, keep, run);
    // A part goes on: which forests are grown depends on no importance.
    let unknown = || (measures.iter().map(|measure| unknown(measure, data)).collect(), None);
    let (importances, grown) = run.unless_part(first())?.unwrap_or_else(unknown);
    let forest = grown.as_ref().or(origin.forest().map(Arc::as_ref));
    run.progress.stage(sampling);
    let sampled = match (asked.errors, config, forest) {
        (SamplingErrors::Subsampling(settings), Some(config), _) => {
            let observed = Observed::new(measures, &importances);
            let found = subsampling(data, config, observed, &settings, run);
            run.unless_part(found)?.unwrap_or_default()
        }
        (SamplingErrors::Jackknife, ..) if run.is_part() => Vec::new(),
        (SamplingErrors::Jackknife, _, Some(forest)) => {
            super::jackknife::check_data(data)?;
            let seed = config.map_or(0, |config| config.seed);
            let sampled = |importance| jackknife_sampled(forest, importance, seed);
            importances.iter().map(sampled).collect::<Result<_, _>>()?
        }
        _ => return Err(Error::Inconsistent { what: "a forest was not kept".to_owned() }),
    };
    run.progress.stage(test);
    let observed = Observed::new(measures, &importances);
    let tested = match (asked.test, config) {
        (Some(Test::Permuted(settings)), Some(config)) => {
            permuted_response(data, config, observed, settings, run)?
        }
        (Some(Test::Shadow(settings)), Some(config)) => {
            shadow_test(data, config, observed, settings, run)?
        }
        (Some(Test::Mirrored), Some(config)) => mirrored_test(data, config, observed, run)?,
        _ => Vec::new(),
    };
    if run.is_part() {
        return Err(Error::Cancelled);
    }
    run.progress.stage(0);
    let mut tested = tested.into_iter();
    let joined = |(importance, sampled): (Importance, Sampled)| {
        let tested = tested.next();
        Uncertainty {
            n_rows: data.n_rows(),
            intervals: sampled.intervals(&importance, asked.confidence),
            adjusted: tested.as_ref().map(|tested| asked.adjustment.adjust(&tested.p_values)),
            separations: separations(&importance, asked.confidence),
            importance,
            sampled,
            tested,
        }
    };
    Ok(importances.into_iter().zip(sampled).map(joined).collect())
}

/// The importances of the table itself, and the forest where it was grown and is kept.
pub(super) fn first_importances(
    data: &Dataset,
    origin: Origin<'_>,
    measures: &[Measure],
    keep: Keep,
    run: &Run,
) -> Result<(Vec<Importance>, Option<Forest>), Error> {
    match origin {
        Origin::Settings(config) => {
            let grown = Forest::grow_and_measure(data, config, measures, keep, run)?;
            Ok((grown.measured.importances, grown.forest))
        }
        Origin::Forest(forest) => Ok((forest.measure(data, measures, run)?.importances, None)),
        Origin::Fitted(fitted) => Ok((fitted.measure(measures, run)?.importances, None)),
    }
}

/// In place of an importance that is known when parts are merged.
fn unknown(measure: &Measure, data: &Dataset) -> Importance {
    Importance {
        values: vec![Some(0.0); data.groups().n_groups()],
        ..measure.id().info().importance()
    }
}

/// About how much work the stages are, in trees.
#[derive(Debug, Clone, Copy, Default)]
struct Units {
    forest: u64,
    sampling: u64,
    test: u64,
}

impl Units {
    fn of(config: &ForestConfig, asked: &UncertaintyConfig) -> Self {
        let forest = config.n_trees as u64;
        let sampling = match asked.errors {
            SamplingErrors::Subsampling(settings) => settings.work(config),
            SamplingErrors::Jackknife => 0,
        };
        let test = asked.test.map_or(0, |test| test.forests().saturating_mul(forest));
        Self { forest, sampling, test }
    }
}
