//! Steps of the work that have conditions of their own.

use crate::making::input::Making;
use crate::making::left_out::LeftOut;
use crate::making::masked::{self, Masked};
use wald::forest::{ForestConfig, Keep};
use wald::measure::Measure;
use wald::memory::Size;
use wald::{Importance, Run, Threads};

/// Grows forests by mtry.
pub(super) fn mask(
    input: &Making<'_>,
    config: &ForestConfig,
    run: &Run,
) -> Result<Masked, LeftOut> {
    let plan = masked::plan(input, config)?;
    fits(&plan.size(run.threads)?, input.free)?;
    Ok(plan.run(input, run)?)
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
