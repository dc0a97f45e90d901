//! The parts of a report beside rankings: whether there is room for the trees they need, and their making.

use crate::provenance::file_name;
use crate::wording::CommandLine;
use wald::forest::Keep;
use wald::measure::MeasureSettings;
use wald::pass::Measured;
use wald::{Forest, ForestConfig, Measure, MeasureId, Progress, Run};
use wald_report::{Depth, Parts, PartsInput};

use crate::arguments::RunArguments;
use crate::failure::Failure;
use crate::inputs::Data;
use crate::progress::with_progress;
use crate::room::Growing;
use crate::{memory, messages};

/// The results of a report shown with rankings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) depth: Depth,
    /// Whether single rows are explained.
    pub(crate) explains: bool,
}

/// What parts are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) forest: Option<&'a Forest>,
    pub(crate) config: Option<&'a ForestConfig>,
    pub(crate) data: &'a Data,
    pub(crate) measured: &'a Measured,
    pub(crate) measures: &'a [Measure],
}

impl Wanted {
    /// Keeps the trees for the parts where there is room; an error where there is none for the rest of
    /// the work either.
    pub(crate) fn kept(self, growing: Growing<'_>, quiet: bool) -> Result<Keep, Failure> {
        let mut measures = growing.measures.to_vec();
        if self.depth != Depth::Answer {
            // Explaining rows takes what this measure takes besides the trees.
            measures.push(Measure::new(MeasureId::TreeShapOob, MeasureSettings::default())?);
        }
        let with_trees = Growing { measures: &measures, keep: Keep::Trees, ..growing };
        if with_trees.check(quiet).is_ok() {
            return Ok(Keep::Trees);
        }
        growing.check(quiet).map(|()| Keep::Nothing)
    }

    /// Makes the parts.
    pub(crate) fn parts(
        self,
        subject: Subject<'_>,
        run: &RunArguments,
        progress: &Progress,
    ) -> Result<Parts, Failure> {
        let Subject { forest, config, data, measured, measures } = subject;
        let numbers: Vec<u32> = data.prepared.rows.iter().map(|row| row + 1).collect();
        let input = PartsInput {
            data: &data.prepared.dataset,
            forest,
            config,
            measured,
            measures,
            row_numbers: &numbers,
            depth: self.depth,
            explains: self.explains,
            seed: run.seed,
            free: memory::free(),
            wording: &CommandLine {
                data: Some((&file_name(&data.source), data.prepared.dataset.target().name())),
            },
        };
        let threads = run.threads();
        Parts::make(&input, &Run::new(threads, progress), |doing, work| {
            with_progress(doing, progress, run.quiet, work);
        })
        .map_err(|error| Failure::from(error).at_data_file(&data.source))
    }
}

/// Prints how long every part took.
pub(crate) fn tell_seconds(parts: &Parts) {
    let parts: Vec<String> = parts
        .seconds
        .iter()
        .map(|(name, time)| format!("{name} {:.1} s", time.as_secs_f64()))
        .collect();
    if !parts.is_empty() {
        messages::print(&format!("parts of the report took: {}", parts.join(", ")));
    }
}
