//! Runs at the same point of the space of inputs.

use std::collections::HashMap;

use crate::inputs::{Inputs, Kind, Rows};

/// Runs are at one point if every input differs by less than this share of the distance of points that fill the
/// space evenly.
const NEAR: f64 = 0.05;

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
    /// Of n runs with d inputs, n^(-1/d) of the range of an input lies between points that fill the space
    /// evenly. Cost O(n^2 d).
    pub(crate) fn of(inputs: &Inputs, rows: &Rows) -> Self {
        let (n, n_inputs) = (rows.len(), inputs.kinds().len());
        let apart = NEAR * (n as f64).powf(-1.0 / n_inputs.max(1) as f64);
        let farthest: Vec<f64> = (0..n_inputs)
            .map(|input| match inputs.kinds()[input] {
                Kind::Levels(_) => 0.0,
                Kind::Number => {
                    let values = || rows.column(input);
                    let low = values().fold(f64::INFINITY, f64::min);
                    apart * (values().fold(f64::NEG_INFINITY, f64::max) - low)
                }
            })
            .collect();
        let are_near = |one: usize, other: usize| {
            let pairs = rows.row(one).iter().zip(rows.row(other));
            pairs.zip(&farthest).all(|((one, other), farthest)| (one - other).abs() <= *farthest)
        };
        // By run, an earlier one at the same point, or the run itself.
        let mut earlier: Vec<usize> = (0..n).collect();
        for run in 0..n {
            for other in 0..run {
                let (root, other_root) = (first(&earlier, run), first(&earlier, other));
                if root != other_root && are_near(run, other) {
                    earlier[root.max(other_root)] = root.min(other_root);
                }
            }
        }
        let mut numbers = HashMap::new();
        let mut number = |run: usize| {
            let next = numbers.len() as u32;
            *numbers.entry(first(&earlier, run)).or_insert(next)
        };
        let of_run = (0..n).map(&mut number).collect();
        Self { of_run, n_points: numbers.len() }
    }
}

/// The first run at the point of a run.
fn first(earlier: &[usize], mut run: usize) -> usize {
    while earlier[run] != run {
        run = earlier[run];
    }
    run
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

    #[test]
    fn runs_that_are_nearly_equal_are_at_one_point() {
        // Points that fill the space lie .5 apart, so that 10 times .025 is near.
        let a = Column::numeric("a", vec![0.0, 0.2, 10.0, 0.4, 0.0]).expect("finite");
        let b = Column::numeric("b", vec![7.0, 7.0, 7.0, 7.0, 8.0]).expect("finite");
        assert_eq!(points(vec![a, b]), Points { of_run: vec![0, 0, 1, 0, 2], n_points: 3 });
    }

    #[test]
    fn levels_are_equal_or_not() {
        let names = ["u", "v"].map(str::to_owned).to_vec();
        let levels = Column::categorical("c", names, vec![0, 1, 0, 1]).expect("codes");
        assert_eq!(points(vec![levels]).of_run, [0, 1, 0, 1]);
    }
}
