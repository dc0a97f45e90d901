//! Accumulated local effects: Apley & Zhu 2020.

use crate::data::ColumnData;
use crate::error::Error;
use crate::explain::curves::Curves;
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, GridSize, GridValues, Layout, Local,
    Sink, ToExplain, UNITS_OF_PREDICTION,
};
use crate::measure::references::APLEY_2020;
use crate::run::Run;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "ale",
    name: "Accumulated local effects",
    estimand: "The effect of one number on predictions, relative to its mean: the mean change of the \
               prediction across each interval of the grid, over the rows whose value lies in it, \
               added up from the smallest value on",
    caveat: "Numbers only. Rows keep values that occur together, so that dependent variables cause no \
             extrapolation, but the curve across far values adds up effects of different rows. An \
             interval without rows adds nothing",
    unit: UNITS_OF_PREDICTION,
    source: "Apley & Zhu 2020, Eq. 15 and 16; the grid is one of quantiles, of 41 values unless stated \
             otherwise",
    references: &[APLEY_2020],
    cost: "that of predicting every row twice for each variable",
    options: &[ExplanationOption::Variables, ExplanationOption::OutOfBag, ExplanationOption::Grid],
    regression_losses: &[],
    classification_losses: &[],
};

/// Values of a grid where none is asked for; an exact grid has intervals without rows.
const N_VALUES: usize = 41;

struct Ale<'a>(Curves<'a>);

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    let grid = match settings.grid {
        GridSize::Exact => GridSize::AtMost(N_VALUES),
        grid => grid,
    };
    let is_level = |name: &&String| {
        let column = subject.training.features().column(name);
        column.is_some_and(|column| matches!(column.data(), ColumnData::Categorical(_)))
    };
    if let Some(name) = settings.variables.iter().find(is_level) {
        let why = format!("needs numbers, but the variable \"{name}\" has levels");
        return Err(Error::measure(INFO.id, why, "name other variables, or use pdp"));
    }
    let settings = ExplanationSettings { grid, ..settings.clone() };
    let curves = Curves::new(INFO.id, &settings, subject, true)?.of_numbers();
    if curves.layout().variables.is_empty() {
        let why = "needs a number, because effects are added up along its values, but the variables have \
                   levels";
        return Err(Error::measure(INFO.id, why, "use pdp"));
    }
    Ok(Box::new(Ale(curves)))
}

/// Sums over the rows of one interval.
#[derive(Debug, Clone, Default)]
struct Interval {
    weight: f64,
    /// By output.
    changes: Vec<f64>,
}

impl Local for Ale<'_> {
    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn run(&self, run: &Run, each: Sink<'_>) -> Result<(), Error> {
        let n_outputs = self.layout().n_outputs();
        let curves = self.layout().curves();
        let mut record = Vec::with_capacity(self.layout().n_values());
        run.progress.start(2 * curves.len());
        for ((at, (grid, _)), numbers) in curves.iter().enumerate().zip(self.0.numbers()) {
            let places: Vec<Option<usize>> =
                numbers.iter().map(|&number| interval_of(&grid.values, number)).collect();
            let at_end = |end: usize| {
                let ends = numbers_of(&grid.values);
                let value =
                    |place: &Option<usize>| place.map_or(f64::NAN, |place| ends[place + end]);
                let found = self.0.predict(at, places.iter().map(value).collect(), &run.part());
                run.progress.advance();
                found
            };
            let (below, above) = (at_end(0)?, at_end(1)?);
            let empty = Interval { weight: 0.0, changes: vec![0.0; n_outputs] };
            let mut intervals = vec![empty; grid.len().max(1) - 1];
            let ends = below.chunks_exact(n_outputs).zip(above.chunks_exact(n_outputs));
            for ((row, place), (below, above)) in places.iter().enumerate().zip(ends) {
                let weight = self.0.weight(row);
                let Some(place) = place.filter(|_| weight > 0.0 && !below[0].is_nan()) else {
                    continue;
                };
                let interval = &mut intervals[place];
                interval.weight += weight;
                for ((sum, below), above) in interval.changes.iter_mut().zip(below).zip(above) {
                    *sum += weight * (above - below);
                }
            }
            record.extend(accumulated(&intervals, n_outputs));
        }
        each(0, &record);
        Ok(())
    }
}

/// The numbers of a grid; none of levels.
fn numbers_of(values: &GridValues) -> &[f64] {
    match values {
        GridValues::Numbers(numbers) => numbers,
        GridValues::Levels(_) => &[],
    }
}

/// The interval, counted from 0, that a number lies in: the upper end belongs to it, and what is outside
/// of all belongs to the first or the last one. `None` for a missing value, and without intervals.
fn interval_of(values: &GridValues, number: f64) -> Option<usize> {
    let ends = numbers_of(values);
    let last = ends.len().checked_sub(2)?;
    (!number.is_nan())
        .then(|| ends.partition_point(|&end| end < number).saturating_sub(1).min(last))
}

/// By value of the grid and output, the sums of mean changes, minus their mean over rows: that of an
/// interval is the mean of its ends.
fn accumulated(intervals: &[Interval], n_outputs: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n_outputs];
    let mut values = sums.clone();
    let mut centres = vec![0.0; n_outputs];
    let mut total = 0.0;
    for interval in intervals {
        for (output, sum) in sums.iter_mut().enumerate() {
            let change = interval.changes[output] / interval.weight;
            let change = if interval.weight > 0.0 { change } else { 0.0 };
            centres[output] += interval.weight * (*sum + change / 2.0);
            *sum += change;
        }
        total += interval.weight;
        values.extend_from_slice(&sums);
    }
    if total <= 0.0 && !intervals.is_empty() {
        // No row has a value of the variable.
        values.fill(f64::NAN);
    } else if total > 0.0 {
        for values in values.chunks_exact_mut(n_outputs) {
            values.iter_mut().zip(&centres).for_each(|(value, centre)| *value -= centre / total);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_belong_to_the_interval_below() {
        let grid = GridValues::Numbers(vec![0.0, 1.0, 3.0]);
        let places = [-2.0, 0.0, 0.5, 1.0, 1.5, 3.0, 9.0].map(|number| interval_of(&grid, number));
        assert_eq!(places, [0, 0, 0, 0, 1, 1, 1].map(Some));
        assert_eq!(interval_of(&grid, f64::NAN), None);
        assert_eq!(interval_of(&GridValues::Numbers(vec![1.0]), 1.0), None);
    }

    #[test]
    fn changes_are_added_up_and_centred() {
        let interval = |weight, change: f64| Interval { weight, changes: vec![change] };
        let values = accumulated(&[interval(1.0, 2.0), interval(0.0, 0.0), interval(3.0, 3.0)], 1);
        // Without rows there are no effects; without intervals there is one value, which changes nothing.
        assert!(accumulated(&[interval(0.0, 0.0)], 1).iter().all(|value| value.is_nan()));
        assert_eq!(accumulated(&[], 1), [0.0]);
        // Ends 0, 2, 2, 3; the mean over rows is (1 + 3 * 2.5) / 4.
        assert_eq!(values, [-2.125, -0.125, -0.125, 0.875]);
    }
}
