//! The measures that are computed of those that are wanted.

use crate::wording::CommandLine;
use std::sync::Arc;
use wald::words::counted;

use wald::forest::Keep;
use wald::measure::{MeasureOption, MeasureSettings};
use wald::memory::Size;
use wald::{Dataset, Error, Features, Forest, ForestConfig, Measure, Threads};
use wald_report::unasked;

use crate::failure::Failure;

/// How the measures were requested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Not at all: those that everybody sees.
    #[default]
    Leading,
    /// All that apply.
    All,
    /// By name, so that one that does not apply is an error.
    Named,
}

/// The measures to compute.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub(super) measures: Vec<Measure>,
    pub(super) wish: Wish,
    /// Why measures were left out before anything was known of the forest.
    pub(super) left_out: Vec<String>,
}

impl Selection {
    /// Whether no measure was named.
    pub(crate) fn is_open(&self) -> bool {
        self.wish == Wish::Leading
    }

    /// The same with rows for the measures that look at test rows.
    pub(crate) fn with_test(mut self, test: &Arc<Dataset>) -> Result<Self, Failure> {
        for measure in &mut self.measures {
            if measure.id().info().takes_test_rows() {
                let test = Some(Arc::clone(test));
                let settings = MeasureSettings { test, ..measure.settings().clone() };
                *measure = Measure::new(measure.id(), settings)?;
            }
        }
        Ok(self)
    }

    /// The same with background rows for the measures that average over them.
    pub(crate) fn with_background(mut self, rows: &Arc<Features>) -> Result<Self, Failure> {
        for measure in &mut self.measures {
            if measure.id().info().takes(MeasureOption::Background) {
                let background = Some(Arc::clone(rows));
                let settings = MeasureSettings { background, ..measure.settings().clone() };
                *measure = Measure::new(measure.id(), settings)?;
            }
        }
        Ok(self)
    }

    /// The measures for a forest that is to be grown, and why others were left out.
    pub(crate) fn for_config(
        self,
        config: &ForestConfig,
        data: &Dataset,
        threads: Threads,
    ) -> Result<(Vec<Measure>, Vec<String>), Failure> {
        let size_of = |measure: &Measure| {
            let measures = std::slice::from_ref(measure);
            Size::of_growing(data, config, measures, Keep::Nothing, threads)
        };
        let affordable = self.affordable(data.n_rows(), config.n_trees, size_of)?;
        Ok(affordable.applicable(|measure| measure.check_config(config).err()))
    }

    /// The measures for a forest that exists, and why others were left out.
    pub(crate) fn for_forest(
        self,
        forest: &Forest,
        data: &Dataset,
        threads: Threads,
    ) -> Result<(Vec<Measure>, Vec<String>), Failure> {
        let size_of = |measure: &Measure| {
            let measures = std::slice::from_ref(measure);
            Ok(Size::of_measuring(forest, data, measures, threads))
        };
        let affordable = self.affordable(data.n_rows(), forest.trees().len(), size_of)?;
        Ok(affordable.applicable(|measure| measure.check(forest).err()))
    }

    /// Measures that were not named use part of a large forest.
    fn affordable(
        mut self,
        n_rows: usize,
        n_trees: usize,
        size_of: impl Fn(&Measure) -> Result<Size, Error>,
    ) -> Result<Self, Failure> {
        if self.wish != Wish::Leading {
            return Ok(self);
        }
        let what = format!("{} on {}", counted(n_trees, "tree"), counted(n_rows, "row"));
        for measure in std::mem::take(&mut self.measures) {
            let (id, size) = (measure.id().info().id, size_of(&measure)?);
            match unasked(measure, n_rows, n_trees, &size) {
                Ok(measure) => self.measures.push(measure),
                Err(why) => {
                    let note =
                        format!("left out: measure `{id}` {why}, with {what}; `-m` asks for it");
                    self.left_out.push(note);
                }
            }
        }
        Ok(self)
    }

    /// Of measures that were not named one by one, those that apply; where none applies, all,
    /// so that the engine gives the reason.
    fn applicable(
        self,
        refusal: impl Fn(&Measure) -> Option<Error>,
    ) -> (Vec<Measure>, Vec<String>) {
        if self.wish == Wish::Named {
            return (self.measures, Vec::new());
        }
        let (kept, refused): (Vec<_>, Vec<_>) =
            self.measures.iter().cloned().partition(|measure| refusal(measure).is_none());
        if kept.is_empty() {
            return (self.measures, Vec::new());
        }
        let reasons = refused.iter().filter_map(refusal);
        let reasons = reasons.map(|error| {
            let wald::WordedError { what, help } = error.worded(&CommandLine::default());
            format!("left out: {what}; {help}")
        });
        (kept, self.left_out.into_iter().chain(reasons).collect())
    }
}

#[cfg(test)]
mod tests {
    use wald::measure::Part;

    use wald::MeasureId;

    use super::*;

    fn selection(wish: Wish) -> Selection {
        let leading = [MeasureId::Mdi, MeasureId::SobolMda];
        let measure = |id| Measure::new(id, MeasureSettings::default()).expect("defaults");
        Selection { measures: leading.map(measure).to_vec(), wish, left_out: Vec::new() }
    }

    fn affordable(wish: Wish, n_rows: usize) -> Option<Part> {
        let size_of = |_: &Measure| Ok(Size::default());
        let found = selection(wish).affordable(n_rows, 500, size_of).expect("sizes");
        found.measures[1].settings().part
    }

    #[test]
    fn what_needs_much_memory_is_left_out_unless_it_was_asked_for() {
        let size_of = |_: &Measure| {
            let mut size = Size::default();
            size.altered = 1 << 31;
            Ok(size)
        };
        let found = selection(Wish::Leading).affordable(100, 500, size_of).expect("sizes");
        assert_eq!(found.measures.len(), 1);
        assert!(
            found.left_out[0].contains("`sobol_mda` needs much memory"),
            "{:?}",
            found.left_out
        );
        let found = selection(Wish::Named).affordable(100, 500, size_of).expect("sizes");
        assert_eq!(found.measures.len(), 2);
    }

    #[test]
    fn what_costs_much_looks_at_part_of_the_forest_unless_it_was_asked_for() {
        let part = |n_trees, n_rows| Some(Part { n_trees, n_rows });
        assert_eq!(affordable(Wish::Leading, 3200), part(500, 3200));
        assert_eq!(affordable(Wish::Leading, 5000), part(320, 5000));
        assert_eq!(affordable(Wish::Leading, 50_000), part(32, 50_000));
        assert_eq!(affordable(Wish::Leading, 1_000_000), part(30, 1_000_000));
        for wish in [Wish::All, Wish::Named] {
            assert_eq!(affordable(wish, 1_000_000), None);
        }
    }
}
