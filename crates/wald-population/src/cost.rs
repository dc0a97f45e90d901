//! The cost of exact work, estimated before it begins.

use wald::message::Value;
use wald::{Error, Threads};
use wald::{message, setting};

use crate::limits::{Limits, memory};
use crate::population::Population;
use crate::set::choose;

/// Nanoseconds that a cell takes, measured on one processor of a cloud machine: by itself, and per
/// number that sums up its target.
const PER_CELL: f64 = 8.0;
const PER_NUMBER: f64 = 6.0;
/// The same for a point of a set.
const PER_POINT: f64 = 3.0;
const PER_NUMBER_OF_POINT: f64 = 2.0;
/// Per difference that is added up.
const PER_TERM: f64 = 2.5;

/// The sets of more variables cannot be listed.
const MOST_VARIABLES: usize = 30;

/// What work costs, by estimate; both may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cost {
    /// With the given number of threads.
    seconds: f64,
    /// At the same time.
    bytes: f64,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Totally randomized trees.
    Exact,
    /// Trees for so many K, and importances for every point.
    Trees { n_mtry: usize, local: bool },
}

impl Population {
    /// An error, with the estimate, where work is beyond the limits.
    pub(crate) fn check(&self, work: Work, limits: &Limits, threads: Threads) -> Result<(), Error> {
        let cost = self.cost(work, threads);
        if cost.seconds <= limits.seconds && cost.bytes <= limits.bytes {
            return Ok(());
        }
        let doing = match work {
            Work::Exact => "exact importances",
            Work::Trees { local: false, .. } => "exact importances of trees",
            Work::Trees { local: true, .. } => "exact local importances",
        };
        let (p, n_points) = (self.n_variables(), self.n_points());
        Err(Error::too_large(
            format!(
                "{doing} of {p} variables with {n_points} combinations of their categories need \
                 about {} and {} of memory; the limits are {} and {}",
                duration(cost.seconds),
                memory(cost.bytes),
                duration(limits.seconds),
                memory(limits.bytes),
            ),
            message!(
                "leave out variables, merge categories, or estimate importances from random orders",
                setting::SAMPLES.to(Value::Number(1000)).hint()
            ),
        ))
    }

    fn cost(&self, work: Work, threads: Threads) -> Cost {
        let p = self.n_variables();
        if p > MOST_VARIABLES {
            // The sets alone, by far too many.
            let sets = 2_f64.powi(p.min(1000) as i32);
            return Cost { seconds: sets * PER_CELL * 1e-9, bytes: 8.0 * sets };
        }
        let n_threads = threads.get() as f64;
        let (sets, n) = (2_f64.powi(p as i32), self.n_points() as f64);
        let stride = self.response.stride as f64;
        let numbers = PER_CELL + PER_NUMBER * stride;
        let table = p as f64 * n * (8.0 + 8.0 * stride);
        let exact = Cost {
            seconds: (self.cells_visited() * numbers + p as f64 * sets * PER_TERM) * 1e-9,
            bytes: 8.0 * 2.0 * sets + (n_threads + 1.0) * table,
        };
        let (n_mtry, local) = match work {
            Work::Exact => return Cost { seconds: exact.seconds / n_threads, ..exact },
            Work::Trees { n_mtry, local } => (n_mtry as f64, local),
        };
        let layers = self.cells_by_size();
        let cells: f64 = layers.iter().sum();
        let mut nanoseconds = sets * n * (PER_POINT + PER_NUMBER_OF_POINT * stride)
            + cells * p as f64 * (PER_CELL + n_mtry * PER_TERM);
        let id = if n > 65_536.0 { 4.0 } else { 2.0 };
        let layer =
            |size: usize| choose(p, size) * (n * id + 100.0) + layers[size] * (20.0 + 8.0 * n_mtry);
        let largest = (0..p).map(|size| layer(size) + layer(size + 1)).fold(0.0, f64::max);
        let mut bytes = exact.bytes + largest + n_threads * 16.0 * p as f64 * n * 16.0 * n_mtry;
        if local {
            nanoseconds += sets * n * (0.5 * p as f64 * PER_TERM * (1.0 + n_mtry) + PER_POINT);
            bytes += n * p as f64 * (n_threads + 1.0) * (8.0 * n_mtry + 8.0);
        }
        Cost { seconds: (exact.seconds + nanoseconds * 1e-9) / n_threads, bytes }
    }

    /// At most so many cells are summed up on the way to all sets.
    fn cells_visited(&self) -> f64 {
        let n = self.n_points() as f64;
        let categories: Vec<f64> = self.n_categories.iter().map(|&n| f64::from(n)).collect();
        let decided = |j: usize| {
            let kept_or_not: f64 = categories[..j].iter().map(|n| 1.0 + n).product();
            let others: f64 = categories[j..].iter().product();
            (2_f64.powi(j as i32) * n).min(kept_or_not * others)
        };
        (0..=categories.len()).map(decided).sum()
    }

    /// By the size of sets: at most so many cells do all sets of that size have.
    fn cells_by_size(&self) -> Vec<f64> {
        let (p, n) = (self.n_variables(), self.n_points() as f64);
        // Elementary symmetric polynomials of the numbers of categories.
        let mut products = vec![0.0; p + 1];
        products[0] = 1.0;
        for &n_categories in &self.n_categories {
            for size in (1..=p).rev() {
                products[size] += products[size - 1] * f64::from(n_categories);
            }
        }
        (0..=p).map(|size| products[size].min(choose(p, size) * n)).collect()
    }
}

/// A duration with two digits.
fn duration(seconds: f64) -> String {
    let units = [(60.0, 1.0, "seconds"), (60.0, 60.0, "minutes"), (48.0, 3600.0, "hours")];
    let unit = units.iter().find(|(most, size, _)| seconds / size < 2.0 * most);
    match unit {
        Some((_, size, name)) => format!("{:.0} {name}", (seconds / size).ceil()),
        None if seconds < 86400.0 * 1000.0 => format!("{:.0} days", seconds / 86400.0),
        None => "more than 1000 days".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        assert_eq!(
            [0.2, 60.0, 119.0, 130.0, 1e4, 1e6, 1e9].map(duration),
            [
                "1 seconds",
                "60 seconds",
                "119 seconds",
                "3 minutes",
                "3 hours",
                "12 days",
                "more than 1000 days"
            ]
        );
    }
}
