//! Where numbers stand across a cell of a table, in percent of its width.

use crate::chart::axis::Axis;
use crate::chart::drawing::{axis, place, ticks};
use crate::chart::letters;
use crate::chart::position::{Span, between};

/// Dots at the ends stay inside.
const ENDS: Span = between(3.0, 97.0);

/// At most so many ticks have words.
const MOST_TICKS: usize = 5;

/// The width of a cell on a telephone.
const NARROW: f64 = 140.0;

/// A scale with zero on it.
pub(crate) struct Scale(Axis);

impl Scale {
    /// Covers zero and the numbers; `None` where there are none to show.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut finite = values.filter(|value| value.is_finite()).peekable();
        finite.peek()?;
        Some(Self(axis(finite.chain([0.0]), ENDS)))
    }

    /// Where a number stands; `None` where it is not finite.
    pub(crate) fn percent(&self, value: f64) -> Option<String> {
        value.is_finite().then(|| format!("{:.1}", place(&self.0, value)))
    }

    /// Where the stretch between two numbers begins, and its width; `None` where one is not finite.
    pub(crate) fn stretch(&self, from: f64, to: f64) -> Option<(String, String)> {
        if !from.is_finite() || !to.is_finite() {
            return None;
        }
        let [from, to] = [from, to].map(|end| place(&self.0, end));
        Some((format!("{:.1}", from.min(to)), format!("{:.1}", (to - from).abs())))
    }

    /// Places and words of ticks, zero among them, as many as fit into a narrow cell.
    pub(crate) fn ticks(&self) -> Vec<(String, String)> {
        let all = ticks(&self.0);
        let widest = all.iter().map(|(_, words)| letters::width(words, 11.0)).fold(0.0, f64::max);
        let apart = match all.as_slice() {
            [first, second, ..] => (second.0 - first.0) / 100.0 * NARROW,
            _ => NARROW,
        };
        let every = all.len().div_ceil(MOST_TICKS).max(((widest + 5.0) / apart).ceil() as usize);
        let zero = self.0.ticks.iter().position(|tick| tick.abs() < 1e-12).unwrap_or(0);
        let kept = all.into_iter().skip(zero % every).step_by(every);
        kept.map(|(x, words)| (format!("{x:.1}"), words)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_words_are_fewer() {
        let n_ticks = |largest: f64| Scale::of([largest].into_iter()).map(|it| it.ticks().len());
        assert_eq!(n_ticks(0.5), Some(3));
        assert_eq!(n_ticks(-1.25e13), Some(2));
    }

    #[test]
    fn zero_is_on_every_scale() {
        for values in
            [vec![3.0, 7.0], vec![-2.0, -1.0], vec![0.0], vec![-1e300, 1e300], vec![1e-300]]
        {
            let scale = Scale::of(values.iter().copied()).expect("a scale");
            let words: Vec<String> = scale.ticks().into_iter().map(|(_, words)| words).collect();
            assert!(
                words.iter().any(|words| words.trim_matches(['0', '.']).is_empty()),
                "{words:?}"
            );
            assert!(words.len() <= MOST_TICKS, "{words:?}");
            for value in values {
                let percent: f64 =
                    scale.percent(value).and_then(|x| x.parse().ok()).expect("a place");
                assert!((2.9..=97.1).contains(&percent), "{value}: {percent}");
            }
        }
        assert!(Scale::of([f64::NAN].into_iter()).is_none());
        let scale = Scale::of([1.0].into_iter()).expect("a scale");
        assert_eq!(scale.percent(f64::INFINITY), None);
        assert_eq!(scale.stretch(1.0, 0.5), Some(("50.0".into(), "47.0".into())));
    }
}
