//! Steps of the work that have conditions of their own.

use std::collections::HashMap;

use crate::leading::SHARES;
use crate::making::all_measured::AllMeasured;
use crate::making::disagreement::by_name;
use crate::making::input::Making;
use crate::making::left_out::LeftOut;
use crate::making::masked::{self, Masked};
use crate::making::orders::Orders;
use crate::making::partners::{LEADING_VARIABLES, Pairs, Search, of_variables, partners, rounds};
use wald::forest::{ForestConfig, Keep};
use wald::grouping::Dependences;
use wald::measure::{Measure, MeasureSettings};
use wald::memory::Size;
use wald::{Importance, Run, Threads};

/// Grows forests by mtry.
pub(super) fn mask(
    input: &Making<'_>,
    config: &ForestConfig,
    run: &Run,
) -> Result<Masked, LeftOut> {
    let plan = masked::plan(input, config)?;
    fits(&plan.size(input, run.threads)?, input.free)?;
    Ok(plan.run(input, run)?)
}

/// Pairs of leading variables that depend on each other, left out together.
pub(super) fn pairs(
    input: &Making<'_>,
    all: &AllMeasured<'_>,
    orders: &Orders,
    dependences: Option<&(Vec<usize>, Dependences)>,
) -> Result<Pairs, LeftOut> {
    let run = input.run();
    let (Some(forest), Some((mapped, found))) = (input.study.forest(), dependences) else {
        return Err(LeftOut::because("the trees were not kept"));
    };
    let at = all.measures.iter().position(|(measure, _)| measure.id() == SHARES);
    let sampled = at.and_then(|at| all.sampled[at].as_ref());
    let known: Option<HashMap<String, f64>> =
        sampled.map(|sampled| by_name(input.study.names(), &sampled.sampling));
    let names = input.study.names();
    let alone = at.map(|at| of_variables(names, all.measures[at].1));
    let refit = input.refit().zip(known.as_ref());
    let search = Search { data: input.data(), forest, refit, alone: alone.as_ref() };
    let names: Vec<&str> = mapped.iter().map(|&at| names[at].as_str()).collect();
    let leading = orders.first(LEADING_VARIABLES);
    let candidates: Vec<usize> =
        (0..mapped.len()).filter(|&place| leading.contains(&mapped[place])).collect();
    let rounds = rounds(&names, found, &candidates, search.n_rounds()?);
    if rounds.is_empty() {
        return Ok(Pairs::default());
    }
    let measure = Measure::new(SHARES, MeasureSettings::default())?;
    measure.check(forest)?;
    fits(
        &Size::of_measuring(forest, input.data(), std::slice::from_ref(&measure), run.threads),
        input.free,
    )?;
    Ok(partners(search, &rounds, run)?)
}

/// A reason where there is no room.
pub(super) fn fits(size: &Size, free: Option<u64>) -> Result<(), LeftOut> {
    match free {
        Some(free) if size.total() > free => {
            Err(LeftOut::because("it needs more memory than is free"))
        }
        _ => Ok(()),
    }
}

/// The same for a forest per thread.
pub(super) fn fits_threads(
    input: &Making<'_>,
    config: &ForestConfig,
    asked: &[(&Measure, &Importance)],
    threads: Threads,
) -> Result<(), LeftOut> {
    let measures: Vec<Measure> = asked.iter().map(|(measure, _)| (*measure).clone()).collect();
    let size = Size::of_growing(input.data(), config, &measures, Keep::Nothing, Threads::ONE)?;
    let free = input.free.map(|free| free / threads.get() as u64);
    fits(&size, free)
}
