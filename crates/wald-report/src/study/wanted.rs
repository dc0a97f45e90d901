//! The measures that are computed of those that are wanted.

use std::sync::Arc;

use wald::measure::{MeasureOption, MeasureSettings};
use wald::words::counted;
use wald::{Dataset, Error, Features, Measure, MeasureId, Origin};

use crate::leading::{LEADING, unasked};
use crate::study::front::Front;

/// How measures were chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Choice {
    /// Not at all: those that everybody sees.
    #[default]
    Leading,
    /// All that apply.
    All,
    /// By name, so that one that does not apply is an error.
    Named,
}

/// The measures that are wanted.
#[derive(Debug, Clone, Default)]
pub struct WantedMeasures {
    /// With their settings.
    pub measures: Vec<Measure>,
    /// How they were chosen.
    pub choice: Choice,
    /// Why measures were left out before anything was known of the forest.
    pub left_out: Vec<String>,
}

/// The measures that everybody sees; with rows that the forest never saw, also the one that needs
/// them.
pub fn leading_measures(has_test: bool) -> Vec<MeasureId> {
    let of_test = has_test.then_some(MeasureId::MdaTrainTest);
    LEADING.iter().copied().chain(of_test).collect()
}

impl WantedMeasures {
    /// Whether no measure was named.
    pub fn is_open(&self) -> bool {
        self.choice == Choice::Leading
    }

    /// The same with a setting of the measures that take it.
    ///
    /// # Errors
    /// [`Error::Setting`] where it does not fit.
    fn with(
        mut self,
        is_taken: impl Fn(MeasureId) -> bool,
        change: impl Fn(MeasureSettings) -> MeasureSettings,
    ) -> Result<Self, Error> {
        for measure in self.measures.iter_mut().filter(|measure| is_taken(measure.id())) {
            *measure = Measure::new(measure.id(), change(measure.settings().clone()))?;
        }
        Ok(self)
    }

    /// The same with rows for the measures that look at test rows.
    ///
    /// # Errors
    /// [`Error::Setting`] where they do not fit.
    pub fn with_test(self, test: &Arc<Dataset>) -> Result<Self, Error> {
        self.with(
            |id| id.info().takes_test_rows(),
            |settings| MeasureSettings { test: Some(Arc::clone(test)), ..settings },
        )
    }

    /// The same with background rows for the measures that average over them.
    ///
    /// # Errors
    /// [`Error::Setting`] where they do not fit.
    pub fn with_background(self, rows: &Arc<Features>) -> Result<Self, Error> {
        self.with(
            |id| id.info().takes(MeasureOption::Background),
            |settings| MeasureSettings { background: Some(Arc::clone(rows)), ..settings },
        )
    }

    /// The measures for a forest, and why others were left out: of measures that were not named,
    /// those that need much memory or do not apply. Where none applies, all of them, so that the
    /// engine gives the reason. Measures that were not named use part of a large forest.
    ///
    /// # Errors
    /// As [`Origin::size`]; and why no measure applies that takes values apart, where a setting does.
    pub fn for_origin(
        self,
        origin: Origin<'_>,
        data: &Dataset,
        front: &dyn Front,
    ) -> Result<(Vec<Measure>, Vec<String>), Error> {
        let Self { measures, choice, mut left_out } = self;
        if choice == Choice::Named {
            return Ok((measures, left_out));
        }
        let (n_rows, n_trees) = (data.n_rows(), origin.n_trees());
        let mut affordable = Vec::with_capacity(measures.len());
        for measure in measures {
            if choice == Choice::All {
                affordable.push(measure);
                continue;
            }
            let (id, one) = (measure.id().info().id, std::slice::from_ref(&measure));
            let size = origin.size(data, one, front.run().threads)?;
            match unasked(measure, n_rows, n_trees, &size) {
                Ok(measure) => affordable.push(measure),
                Err(why) => left_out.push(format!(
                    "left out: measure `{id}` {why}, with {} on {}; name it to have it measured",
                    counted(n_trees, "tree"),
                    counted(n_rows, "row")
                )),
            }
        }
        let refusals: Vec<Option<Error>> =
            affordable.iter().map(|measure| origin.check(measure, data).err()).collect();
        if refusals.iter().all(Option::is_some) {
            return Ok((affordable, Vec::new()));
        }
        // Without any measure that takes values apart, what was given to have them would do nothing.
        let is_apart = |measure: &Measure| measure.settings().taken_apart_by().is_some();
        let mut apart =
            affordable.iter().zip(&refusals).filter(|(one, _)| is_apart(one)).peekable();
        if let Some((_, Some(refusal))) = apart.peek().copied()
            && apart.all(|(_, refusal)| refusal.is_some())
        {
            return Err(refusal.clone());
        }
        left_out.extend(refusals.iter().flatten().map(|error| {
            let wald::WordedError { what, help } = error.worded(front.wording());
            format!("left out: {what}; {help}")
        }));
        let kept = affordable.into_iter().zip(&refusals);
        Ok((
            kept.filter(|(_, refusal)| refusal.is_none()).map(|(kept, _)| kept).collect(),
            left_out,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::front::Quiet;
    use wald::data::{Column, Target};
    use wald::measure::Part;
    use wald::message::Neutral;
    use wald::{ForestConfig, Run, Threads};

    fn data(n_rows: usize) -> Dataset {
        let x: Vec<f64> = (0..n_rows).map(|row| row as f64).collect();
        let target = Target::regression("y", x.clone()).expect("finite");
        Dataset::new(vec![Column::numeric("x", x).expect("finite")], target).expect("rows")
    }

    fn found(choice: Choice, data: &Dataset) -> (Vec<Measure>, Vec<String>) {
        let measures = [MeasureId::Mdi, MeasureId::SobolMda].map(Measure::from).to_vec();
        let wanted = WantedMeasures { measures, choice, left_out: Vec::new() };
        let config = ForestConfig { n_trees: 500, ..ForestConfig::default() };
        let run = &Run::on(Threads::ONE);
        let front = Quiet { run, wording: &Neutral, free: None };
        wanted.for_origin(Origin::Settings(&config), data, &front).expect("settings fit")
    }

    #[test]
    fn what_needs_much_memory_is_left_out_unless_it_was_asked_for() {
        let (n_rows, n_classes, n_columns) = (3000, 100, 500);
        let x: Vec<f64> = (0..n_rows).map(f64::from).collect();
        let column = |at| Column::numeric(format!("x{at}"), x.clone()).expect("finite");
        let levels = (0..n_classes).map(|class| format!("c{class}")).collect();
        let classes = (0..n_rows).map(|row| row as u32 % n_classes).collect();
        let target = Target::classification("y", levels, classes).expect("levels");
        let data = Dataset::new((0..n_columns).map(column).collect(), target).expect("rows");
        let (measures, left_out) = found(Choice::Leading, &data);
        assert_eq!(measures.len(), 1);
        assert!(left_out[0].contains("`sobol_mda` needs much memory"), "{left_out:?}");
        assert_eq!(found(Choice::Named, &data).0.len(), 2);
    }

    #[test]
    fn what_costs_much_looks_at_part_of_the_forest_unless_it_was_asked_for() {
        let affordable = |choice, n_rows| found(choice, &data(n_rows)).0[1].settings().part;
        let part = |n_trees, n_rows| Some(Part { n_trees, n_rows });
        assert_eq!(affordable(Choice::Leading, 3200), part(500, 3200));
        assert_eq!(affordable(Choice::Leading, 5000), part(320, 5000));
        assert_eq!(affordable(Choice::Leading, 50_000), part(32, 50_000));
        assert_eq!(affordable(Choice::Leading, 1_000_000), part(30, 1_000_000));
        for choice in [Choice::All, Choice::Named] {
            assert_eq!(affordable(choice, 1_000_000), None);
        }
    }
}
