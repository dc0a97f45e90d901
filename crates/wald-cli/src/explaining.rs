//! Single rows in a report: whether there is room for them, and what the forest says of them.

use wald::forest::Keep;
use wald::measure::MeasureSettings;
use wald::report::Explanations;
use wald::{Forest, Measure, MeasureId, Monitor};

use crate::arguments::RunArguments;
use crate::failure::Failure;
use crate::inputs::Data;
use crate::progress::with_progress;
use crate::room::Growing;

/// Whether rows are to be explained, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Explaining<'a> {
    pub(crate) is_asked: bool,
    pub(crate) run: &'a RunArguments,
}

/// Explained rows, or why there are none although they were asked for.
#[derive(Debug, Default)]
pub(crate) struct Explained {
    pub(crate) explanations: Option<Explanations>,
    pub(crate) reason: Option<String>,
}

impl Explained {
    fn not(why: &str) -> Self {
        let reason = format!("single rows are not explained: {why}");
        Self { explanations: None, reason: Some(reason) }
    }
}

impl Explaining<'_> {
    /// Keeps the trees for explanations where there is room; an error where there is none for the
    /// rest of the work either.
    pub(crate) fn kept(self, growing: Growing<'_>) -> Result<Keep, Failure> {
        let quiet = self.run.quiet;
        if self.is_asked {
            // Explaining takes what this measure takes besides the trees.
            let measure = Measure::new(MeasureId::TreeShapOob, MeasureSettings::default())?;
            let measures = [growing.measures, &[measure]].concat();
            let explaining = Growing { measures: &measures, keep: Keep::Trees, ..growing };
            if explaining.check(quiet).is_ok() {
                return Ok(Keep::Trees);
            }
        }
        growing.check(quiet).map(|()| Keep::Nothing)
    }

    /// Explains some rows, if that was asked for and can be done; there is no forest if its trees
    /// were not kept.
    pub(crate) fn explained(
        self,
        forest: Option<&Forest>,
        data: &Data,
        monitor: &Monitor,
    ) -> Result<Explained, Failure> {
        if !self.is_asked {
            return Ok(Explained::default());
        }
        let Some(forest) = forest else {
            let why = "keeping the trees for that needs more memory than is free";
            return Ok(Explained::not(why));
        };
        let numbers: Vec<u32> = data.prepared.rows.iter().map(|row| row + 1).collect();
        let run = (self.run.seed, self.run.threads(), monitor);
        let explain = || Explanations::of_forest(forest, &data.prepared.dataset, &numbers, run);
        match with_progress("explaining rows", monitor, self.run.quiet, explain) {
            Ok(found) => Ok(Explained { explanations: Some(found), reason: None }),
            Err(wald::Error::Measure { measure, why, .. }) => {
                Ok(Explained::not(&format!("`{measure}` {why}")))
            }
            Err(error) => Err(Failure::from(error).at_data_file(&data.source)),
        }
    }
}
