//! Runs at the same point of the space of inputs.

use std::collections::BTreeSet;

use crate::inputs::{Inputs, Kind, Rows};

/// Runs are at one point if every input differs by at most this share of the spread of its values nearby,
/// a tenth of all on either side; of more than 100 runs, which lie closer, by less in proportion. Of a single
/// input of many values, neighbours are so close by chance: it is a tenth of that.
const NEAR: f64 = 1e-2;
const RUNS: f64 = 100.0;

/// The point that each run is at.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Points {
    /// By run, the number of its point.
    pub(crate) of_run: Vec<u32>,
    /// How many points there are.
    pub(crate) n_points: usize,
}

impl Points {
    /// Runs whose inputs are equal, or nearly so, give each other's outputs away: they are left out together.
    /// Every run is compared with the first one of each point. Cost O(n^2 d) for n runs of d inputs.
    pub(crate) fn of(inputs: &Inputs, rows: &Rows) -> Self {
        let (n, n_inputs) = (rows.len(), inputs.kinds().len());
        let n_continuous = (0..n_inputs).filter(|&input| is_continuous(rows.column(input))).count();
        let near = if n_continuous > 1 { NEAR } else { NEAR / 10.0 };
        let share = near * (RUNS / n as f64).min(1.0);
        let apart: Vec<Vec<f64>> = (0..n_inputs)
            .map(|input| match inputs.kinds()[input] {
                Kind::Levels(_) => vec![0.0; n],
                Kind::Number => {
                    spreads(&rows.column(input).collect::<Vec<f64>>(), n.div_ceil(10), share)
                }
            })
            .collect();
        let are_near = |one: usize, other: usize| {
            let pairs = rows.row(one).iter().zip(rows.row(other)).zip(&apart);
            pairs.into_iter().all(|((a, b), apart)| (a - b).abs() <= apart[one].min(apart[other]))
        };
        let mut firsts: Vec<usize> = Vec::new();
        let mut of_run = Vec::with_capacity(n);
        for run in 0..n {
            let known = firsts.iter().position(|&first| are_near(first, run));
            of_run.push(known.unwrap_or(firsts.len()) as u32);
            if known.is_none() {
                firsts.push(run);
            }
        }
        Self { of_run, n_points: firsts.len() }
    }
}

/// Whether there are more values than categories have.
fn is_continuous(values: impl Iterator<Item = f64>) -> bool {
    const MOST_CATEGORIES: usize = 10;
    let mut seen = BTreeSet::new();
    values.map(f64::to_bits).any(|value| seen.insert(value) && seen.len() > MOST_CATEGORIES)
}

/// By run, a share of the distance between the values that are so many places below and above its own.
fn spreads(values: &[f64], places: usize, share: f64) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let spread = |value: &f64| {
        let low = sorted.partition_point(|known| known < value).saturating_sub(places);
        let high = sorted.partition_point(|known| known <= value) + places;
        share * (sorted[high.min(sorted.len()) - 1] - sorted[low])
    };
    values.iter().map(spread).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::Features;
    use wald::data::Column;

    fn points(columns: Vec<Column>) -> Points {
        let features = Features::new(columns).expect("columns");
        let inputs = Inputs::of(&features);
        Points::of(&inputs, &inputs.rows(&features).expect("no cell is missing"))
    }

    fn number(name: &str, values: impl IntoIterator<Item = f64>) -> Column {
        Column::numeric(name, values.into_iter().collect()).expect("finite")
    }

    /// Numbers that fill an interval, without any order.
    fn spread(n: usize, step: f64) -> impl Iterator<Item = f64> {
        (1..=n).map(move |at| (at as f64 * step).fract())
    }

    #[test]
    fn runs_that_are_nearly_equal_are_at_one_point() {
        let four = |step: f64| {
            spread(12, step).flat_map(|x| (0..4).map(move |at| x + 1e-4 * f64::from(at)))
        };
        let found = points(vec![number("a", four(0.618_034)), number("b", four(0.414_214))]);
        assert_eq!(found.n_points, 12);
        assert!((0..48).all(|run| found.of_run[run] == run as u32 / 4), "{found:?}");
    }

    #[test]
    fn runs_that_fill_the_space_are_points_of_their_own() {
        let constants = || (0..9).map(|at| number(&format!("c{at}"), vec![1.0; 100]));
        let even = || number("x", spread(100, 0.618_034));
        assert_eq!(points([even()].into_iter().chain(constants()).collect()).n_points, 100);
        let logarithmic = |step| spread(100, step).map(|x| 10_f64.powf(6.0 * x));
        let both = vec![number("a", logarithmic(0.618_034)), number("b", logarithmic(0.414_214))];
        assert_eq!(points(both).n_points, 100);
        let rare = |at: usize| {
            number(&format!("r{at}"), (0..100).map(move |run| f64::from(run % 20 == at)))
        };
        let with_rare = [even()].into_iter().chain((0..6).map(rare)).collect();
        assert_eq!(points(with_rare).n_points, 100);
    }

    #[test]
    fn levels_are_equal_or_not() {
        let names = ["u", "v"].map(str::to_owned).to_vec();
        let levels = Column::categorical("c", names, vec![0, 1, 0, 1]).expect("codes");
        assert_eq!(points(vec![levels]).of_run, [0, 1, 0, 1]);
    }
}
