//! Axes: from values to places.

use crate::chart::position::Span;

/// About this many ticks on an axis.
const N_TICKS: f64 = 5.0;

/// From values to places.
pub(super) struct Axis {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) is_log: bool,
    pub(super) ticks: Vec<f64>,
}

impl Axis {
    pub(super) fn place(&self, value: f64) -> f64 {
        let scaled = |value: f64| if self.is_log { value.ln() } else { value };
        let share = (scaled(value) - scaled(self.from)) / (scaled(self.to) - scaled(self.from));
        self.start + share * (self.end - self.start)
    }

    /// Covers the values, with round ticks.
    pub(super) fn linear(values: impl Iterator<Item = f64>, span: Span) -> Self {
        let Span { start, end } = span;
        let (low, high) = range(values);
        let spread = if high > low { high - low } else { 1.0 };
        let step = round_step(spread / N_TICKS);
        let from = (low / step).floor() * step;
        let n_steps = ((high - from) / step).ceil().max(1.0);
        let ticks = (0..=n_steps as i64).map(|tick| from + tick as f64 * step).collect();
        Self { from, to: from + n_steps * step, start, end, is_log: false, ticks }
    }

    /// The same, as little wider than the values as marks need, with the ticks that are on it.
    pub(super) fn closer(self, values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = range(values);
        if low >= high {
            return self;
        }
        let room = 0.03 * (high - low);
        let (from, to) = (self.from.max(low - room), self.to.min(high + room));
        let ticks = self.ticks.into_iter().filter(|tick| (from..=to).contains(tick)).collect();
        Self { from, to, ticks, ..self }
    }

    /// A little wider than the values, with ticks where they are.
    pub(super) fn at_values(values: impl Iterator<Item = f64>, span: Span, is_log: bool) -> Self {
        let Span { start, end } = span;
        let mut ticks: Vec<f64> = values.collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        let (low, high) = range(ticks.iter().copied());
        let (from, to) = if is_log {
            let widening = (high / low).powf(0.05).max(1.05);
            (low / widening, high * widening)
        } else {
            let widening = (0.05 * (high - low)).max(0.5);
            (low - widening, high + widening)
        };
        // Labels must not run into each other.
        let every = ticks.len().div_ceil(12);
        let ticks = ticks.into_iter().step_by(every.max(1)).collect();
        Self { from, to, start, end, is_log, ticks }
    }

    /// Covers ranks from 1 on, with ticks at the first and at round ones.
    pub(super) fn of_ranks(last: f64, span: Span) -> Self {
        let Span { start, end } = span;
        let step = round_step(last / N_TICKS).max(1.0);
        let n_ticks = (last / step).floor() as i64;
        let round = (1..=n_ticks).map(|tick| tick as f64 * step).filter(|&tick| tick > 1.0);
        let ticks = std::iter::once(1.0).chain(round).collect();
        Self { from: 0.5, to: last + 0.5, start, end, is_log: false, ticks }
    }
}

pub(super) fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
}

/// 1, 2 or 5 times a power of ten, at least the given step.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step);
    factor.unwrap_or(10.0) * power
}

/// As few digits as distinguish ticks of this step.
pub(super) fn tick_label(value: f64, step: f64) -> String {
    let decimals = (-(step * 1.0001).log10().floor()).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::position::between;

    #[test]
    fn ticks_are_round_and_cover_the_values() {
        let axis = Axis::linear([0.031, 0.47].into_iter(), between(0.0, 100.0));
        assert!(
            axis.ticks
                .iter()
                .zip([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
                .all(|(a, b)| (a - b).abs() < 1e-9)
        );
        assert!((axis.place(0.25) - 50.0).abs() < 1e-9);
        let closer = axis.closer([0.031, 0.47].into_iter());
        assert_eq!(closer.ticks.len(), 4);
        assert!(closer.place(0.031) < 4.0 && closer.place(0.47) > 96.0);
        let ranks = Axis::of_ranks(13.0, between(0.0, 130.0));
        assert_eq!(ranks.ticks, [1.0, 5.0, 10.0]);
        assert!((ranks.place(1.0) - 5.0).abs() < 1e-9);
        assert_eq!(tick_label(0.1 + 0.2, 0.1), "0.3");
        assert_eq!(tick_label(-0.0, 0.05), "0.00");
        assert_eq!(tick_label(500.0, 1.0), "500");
    }
}
