//! Makes one part after the other.

use std::time::Instant;

use crate::advice::{AdviceSettings, advise};
use crate::explanations::Explanations;
use crate::leading::{ALL_INFLUENTIAL, SHARES, shapley_effects, unasked};
use crate::making::all_measured::AllMeasured;
use crate::making::answer::answer;
use crate::making::compared::Compared;
use crate::making::dependence_map::{MOST_MAPPED, dependence_map};
use crate::making::disagreement::Found;
use crate::making::input::Making;
use crate::making::left_out::LeftOut;
use crate::making::orders::{Orders, orders};
use crate::making::partners::{Pairs, partners};
use crate::making::parts::{Parts, leading, recommended};
use crate::making::pieces::{
    ADVICE, ANSWER, DEPENDENCE, DISAGREEMENT, FURTHER, INFLUENCE, INTERVALS, Piece, ROWS,
    SELECTION, VARIABLES,
};
use crate::making::sampled::{SampledMeasure, can_be_sampled, sampled, settings};
use crate::making::selection_curve::SelectionPlan;
use crate::making::steps::{fits, fits_threads, mask};
use crate::making::terms::{Terms, Values, is_same, needed, term_of};
use crate::making::variable_pages::{MOST_PAGES, most_curves, variable_pages};
use crate::study::{Depth, watched};
use wald::forest::ForestConfig;
use wald::grouping::Dependences;
use wald::measure::Measure;
use wald::memory::Size;
use wald::{Error, Importance, Run};

/// Of more measures than this, only those that terms are made of get intervals over samples of rows.
const FEW_MEASURES: usize = 5;

/// The work, piece by piece.
pub(super) struct Maker<'a> {
    input: &'a Making<'a>,
    run: &'a Run,
    parts: Parts,
}

impl<'a> Maker<'a> {
    pub(super) fn new(input: &'a Making<'a>) -> Self {
        Self { input, run: input.run, parts: Parts::default() }
    }

    pub(super) fn make(mut self) -> Result<Parts, Error> {
        let input = self.input;
        self.advice()?;
        self.answer()?;
        self.influence()?;
        if input.content.depth == Depth::Answer {
            return Ok(self.parts);
        }
        let orders = orders(input, &self.parts);
        let mapped = orders.first(MOST_MAPPED);
        let dependences = self.dependence(&mapped)?;
        let compares = input.study.measures.len() > 1 && orders.lead.len() > 1;
        let further = if compares { self.further()? } else { Vec::new() };
        let mut all = AllMeasured {
            measures: input.study.measures.iter().zip(&input.study.measured.importances).collect(),
            sampled: Vec::new(),
        };
        all.measures.extend(further.iter().map(|(measure, importance)| (measure, importance)));
        all.sampled = self.intervals(&all.measures)?;
        if compares {
            self.disagreement(&all, &orders, dependences.map(|found| (mapped, found)))?;
        }
        all.sampled.truncate(input.study.measures.len());
        self.parts.sampled = all.sampled;
        self.variables(&orders)?;
        self.selection()?;
        self.explanations()?;
        Ok(self.parts)
    }

    /// Names of variables.
    fn names(&self, places: &[usize]) -> Vec<&'a str> {
        let names = self.input.study.names();
        places.iter().map(|&at| names[at].as_str()).collect()
    }

    /// Does a piece of work; a failure becomes a notice.
    fn part<T: Send>(
        &mut self,
        piece: Piece,
        work: impl FnOnce() -> Result<T, LeftOut> + Send,
    ) -> Result<Option<T>, Error> {
        let start = Instant::now();
        // What was counted before is over.
        self.run.progress.start(0);
        let result = watched(self.input.front, piece.doing, work)?;
        self.parts.seconds.push((piece.name, start.elapsed()));
        match result {
            Ok(found) => Ok(Some(found)),
            Err(why) => {
                let notice = why.notice(piece.missing, self.input.wording())?;
                self.parts.notices.push(notice);
                Ok(None)
            }
        }
    }

    /// How forests are grown again, where that is wanted and known; the first part that needs it
    /// reports why not.
    fn refit(&self) -> Result<Option<&'a ForestConfig>, LeftOut> {
        if self.input.content.depth == Depth::Full && self.input.config().is_none() {
            return Err(LeftOut::because("how the forest was grown is not known"));
        }
        Ok(self.input.refit())
    }

    fn advice(&mut self) -> Result<(), Error> {
        let input = self.input;
        // Forests are grown for comparison.
        if input.content.depth != Depth::Full {
            return Ok(());
        }
        let settings = AdviceSettings { seed: input.content.seed, ..AdviceSettings::default() };
        self.parts.advice =
            self.part(ADVICE, || Ok(advise(input.study, settings, input.front)?))?;
        Ok(())
    }

    fn answer(&mut self) -> Result<(), Error> {
        let (input, run) = (self.input, self.run);
        let lead = leading(&self.parts, &input.study.measures);
        let orders = Orders::new(input, lead);
        self.parts.answer = self.part(ANSWER, || answer(input, &orders, lead, run))?;
        Ok(())
    }

    /// The measure that is advised for all influential variables, if the user named no measures of
    /// their own that have it.
    fn influence(&mut self) -> Result<(), Error> {
        let (input, run) = (self.input, self.run);
        let advice = self.parts.advice.as_ref();
        let id = ALL_INFLUENTIAL;
        let is_advised = advice.is_some_and(|advice| {
            advice
                .objectives
                .iter()
                .any(|objective| objective.recommended.as_deref() == Some(id.info().id))
        });
        let is_there = input.study.measures.iter().any(|measure| measure.id() == id);
        let Some(fitted) = input.fitted().filter(|_| is_advised && !is_there) else {
            return Ok(());
        };
        let forest = fitted.forest();
        let n_variables = input.study.measured.groups.n_groups();
        let found = self.part(INFLUENCE, || {
            let measure = shapley_effects(
                input.data().n_rows(),
                forest.trees().len(),
                n_variables,
                input.content.seed,
            )
            .ok_or_else(|| {
                LeftOut::because(
                    "so many variables need many sets of them, which takes longer than growing \
                     the forest",
                )
            })?;
            fitted.check(&measure)?;
            let measures = [measure];
            fits(&Size::of_measuring(forest, input.data(), &measures, run.threads), input.free)?;
            let measured = fitted.measure(&measures, run)?;
            Ok(measures.into_iter().zip(measured.importances).collect())
        })?;
        self.parts.advised = found.unwrap_or_default();
        Ok(())
    }

    fn dependence(&mut self, mapped: &[usize]) -> Result<Option<Dependences>, Error> {
        if mapped.len() < 2 {
            return Ok(None);
        }
        let (data, run, names) = (self.input.data(), self.run, self.names(mapped));
        let found = self.part(DEPENDENCE, || Ok(dependence_map(data, &names, run)?))?;
        let (map, dependences) = found.unzip();
        self.parts.dependence = map;
        Ok(dependences)
    }

    /// Measures what terms need and the report does not show.
    fn further(&mut self) -> Result<Vec<(Measure, Importance)>, Error> {
        let (input, run) = (self.input, self.run);
        let Some(fitted) = input.fitted() else { return Ok(Vec::new()) };
        let forest = fitted.forest();
        let is_known =
            |measure: &Measure| input.study.measures.iter().any(|known| is_same(known, measure));
        let mut wanted = needed(forest)?;
        wanted.retain(|measure| !is_known(measure) && fitted.check(measure).is_ok());
        let (n_rows, n_trees) = (input.data().n_rows(), forest.trees().len());
        let mut why_not = None;
        let mut affordable = Vec::with_capacity(wanted.len());
        for measure in wanted {
            let one = std::slice::from_ref(&measure);
            let size = Size::of_measuring(forest, input.data(), one, run.threads);
            let id = measure.id().info().id;
            match unasked(measure, n_rows, n_trees, &size) {
                Ok(measure) => affordable.push(measure),
                Err(why) => why_not = why_not.or(Some((id, why))),
            }
        }
        let wanted = affordable;
        if let Some((id, why)) = why_not {
            self.parts.notices.push(format!("{}: `{id}` {why}", FURTHER.missing));
        }
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.part(FURTHER, || {
            fits(&Size::of_measuring(forest, input.data(), &wanted, run.threads), input.free)?;
            let measured = fitted.measure(&wanted, run)?;
            Ok(wanted.into_iter().zip(measured.importances).collect())
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Intervals of all that can be measured again on parts of the rows.
    fn intervals(
        &mut self,
        measures: &[(&Measure, &Importance)],
    ) -> Result<Vec<Option<SampledMeasure>>, Error> {
        let (input, run) = (self.input, self.run);
        let none = vec![None; measures.len()];
        let refit = self.refit();
        if matches!(refit, Ok(None)) {
            return Ok(none);
        }
        let found = self.part(INTERVALS, || {
            let Some(config) = refit? else { return Ok(Vec::new()) };
            let settings = settings(input.data(), config)?;
            let places: Vec<usize> = (0..measures.len())
                .filter(|&place| can_be_sampled(measures[place].0, config, input.data()))
                .filter(|&place| {
                    let id = measures[place].0.id();
                    input.study.measures.len() <= FEW_MEASURES || term_of(id).is_some()
                })
                .collect();
            let asked: Vec<_> = places.iter().map(|&place| measures[place]).collect();
            if asked.is_empty() {
                return Err(LeftOut::because(
                    "no measure of the report can be found on parts of the rows",
                ));
            }
            fits_threads(input, config, &asked, run.threads)?;
            let found = sampled(input, config, &asked, &settings, run)?;
            Ok(places.into_iter().zip(found).collect())
        })?;
        let mut all = none;
        for (place, sampled) in found.unwrap_or_default() {
            all[place] = Some(sampled);
        }
        Ok(all)
    }

    fn disagreement(
        &mut self,
        all: &AllMeasured<'_>,
        orders: &Orders,
        dependences: Option<(Vec<usize>, Dependences)>,
    ) -> Result<(), Error> {
        let (input, run) = (self.input, self.run);
        let disagreement = self.part(DISAGREEMENT, || {
            let mut missing = Vec::new();
            let masked = match input.refit().map(|config| mask(input, config, run)) {
                None => None,
                Some(Ok(masked)) => Some(masked),
                Some(Err(why)) => {
                    missing
                        .push(format!("{}.", why.notice("Masking is left out", input.wording())?));
                    None
                }
            };
            let shares = all.measures.iter().find(|(measure, _)| measure.id() == SHARES);
            let alone = shares.map(|&(_, importance)| importance);
            let pairs = match partners(input, alone, orders, dependences.as_ref()) {
                Ok(pairs) => pairs,
                Err(why) => {
                    missing.push(format!(
                        "{}.",
                        why.notice("Partners are left out", input.wording())?
                    ));
                    Pairs::default()
                }
            };
            let n_shown = input.study.measures.len();
            let has_sampling_errors = all.sampled.iter().any(Option::is_some);
            let compared = all.measures[..n_shown].iter().zip(&all.sampled).map(
                |((measure, importance), sampled)| match sampled {
                    Some(sampled) => Compared::of_samples(measure, importance, sampled),
                    // Beside measures with all their errors, those over trees alone claim too much.
                    None if has_sampling_errors => Compared::without_errors(measure, importance),
                    None => Compared::over_trees(measure, importance),
                },
            );
            let values: Vec<_> = all
                .measures
                .iter()
                .zip(&all.sampled)
                .map(|(&(measure, importance), sampled)| {
                    let errors = sampled
                        .as_ref()
                        .map(|sampled| sampled.intervals.standard_errors.as_slice());
                    (measure, Values { importance, errors })
                })
                .collect();
            let units_of_samples = has_sampling_errors.then(|| input.n_units());
            let wanted = match input.study.forest() {
                Some(forest) => needed(forest)?,
                None => Vec::new(),
            };
            let found = Found {
                names: input.study.names(),
                order: &orders.lead,
                measures: compared.filter(Compared::is_ranking).collect(),
                terms: Terms::new(input.data(), &values, &wanted, units_of_samples),
                dependences,
                masked,
                pairs,
                n_rows: input.data().n_rows(),
                missing,
            };
            Ok(found.result())
        })?;
        self.parts.disagreement = disagreement;
        Ok(())
    }

    fn variables(&mut self, orders: &Orders) -> Result<(), Error> {
        let names = self.names(&orders.first(MOST_PAGES));
        let n_curves = most_curves(self.input.data(), self.input.study.forest());
        let with_curves = self.names(&orders.first(n_curves));
        let (input, run) = (self.input, self.run);
        let found =
            self.part(VARIABLES, || Ok(variable_pages(input, &names, &with_curves, run)?))?;
        if let Some(pages) = found {
            self.parts.variables = pages.pages;
            self.parts.notices.extend(pages.notices);
        }
        Ok(())
    }

    fn selection(&mut self) -> Result<(), Error> {
        let (input, run) = (self.input, self.run);
        let refit = self.refit();
        if matches!(refit, Ok(None)) || input.study.measured.groups.n_groups() < 2 {
            return Ok(());
        }
        let advised = recommended(self.parts.advice.as_ref()).map(str::to_owned);
        let curve = self.part(SELECTION, || {
            let Some(config) = refit? else { return Ok(None) };
            let plan = SelectionPlan::new(input, config, advised.as_deref())?;
            fits(&plan.size(run.threads)?, input.free)?;
            Ok(Some(plan.curve(input, run)?))
        })?;
        self.parts.selection = curve.flatten();
        Ok(())
    }

    fn explanations(&mut self) -> Result<(), Error> {
        let (input, run) = (self.input, self.run);
        if !input.content.explains {
            return Ok(());
        }
        let found = self.part(ROWS, || match input.study.forest() {
            Some(forest) => Ok(Explanations::of_forest(
                forest,
                input.data(),
                input.content.row_numbers,
                input.content.seed,
                run,
            )?),
            None => {
                Err(LeftOut::because("keeping the trees for that needs more memory than is free"))
            }
        })?;
        self.parts.explanations = found;
        Ok(())
    }
}
