//! Records of many rows, summed up by variable.

use crate::explain::layout::{Layout, Shape};

/// The values of a variable, or of a pair of variables, over rows.
#[derive(Debug, Clone, PartialEq)]
pub struct MeanValue {
    /// The variable, as a position in [`Layout::variables`].
    pub variable: usize,
    /// The other variable of a pair.
    pub with: Option<usize>,
    /// The class, as a position; `None` where there are none or classes are added up.
    pub class: Option<usize>,
    /// Mean over rows, by their weights.
    pub mean: f64,
    /// Mean of absolute values over rows, by their weights.
    pub mean_absolute: f64,
    /// Number of rows whose value is zero.
    pub n_zero: usize,
    /// The share of the variance of predictions, of the only record, where records have shares.
    pub share: Option<f64>,
}

/// Sums up records of values, or of pairs of them, one at a time. Values of classes are added up;
/// where they are parts of predictions they are not, because those add up to the same in every row; and of
/// values that have shares beside them, which are shares themselves, it is the mean over classes.
#[derive(Debug, Clone)]
pub struct Means {
    /// Outputs that are added up.
    together: usize,
    sums: Vec<Sum>,
    n_undefined: usize,
    /// Where shares begin in a record.
    shares: Option<usize>,
}

#[derive(Debug, Clone)]
struct Sum {
    /// Where the first output is in a record.
    start: usize,
    weight: f64,
    /// Sums in the place of means.
    value: MeanValue,
}

impl Means {
    /// No records so far; `of_predictions` as
    /// [`is_of_predictions`](crate::explain::ExplanationInfo::is_of_predictions).
    pub fn new(layout: &Layout, of_predictions: bool) -> Self {
        let (n, n_outputs) = (layout.variables.len(), layout.n_outputs());
        let together = if of_predictions { 1 } else { n_outputs };
        // Of two classes, one determines the other.
        let first = usize::from(of_predictions && n_outputs == 2);
        let has_classes = of_predictions && layout.classes.is_some();
        // The two orders of a pair have equal values.
        let places: Vec<(usize, Option<usize>)> = match layout.shape {
            Shape::Pairs(_) => {
                (0..n).flat_map(|one| (one..n).map(move |other| (one, Some(other)))).collect()
            }
            _ => (0..n).map(|variable| (variable, None)).collect(),
        };
        let sums = places.into_iter().flat_map(|(variable, with)| {
            let place = with.map_or(variable, |with| variable * n + with);
            (first..n_outputs).step_by(together).map(move |output| Sum {
                start: place * n_outputs + output,
                weight: 0.0,
                value: MeanValue {
                    variable,
                    with,
                    class: has_classes.then_some(output),
                    mean: 0.0,
                    mean_absolute: 0.0,
                    n_zero: 0,
                    share: None,
                },
            })
        });
        let shares = layout.has_shares.then(|| layout.n_values());
        Self { together, sums: sums.collect(), n_undefined: 0, shares }
    }

    /// Adds the record of a row of this case weight.
    pub fn add(&mut self, record: &[f64], of_row: f64) {
        self.n_undefined += usize::from(record.first().is_some_and(|value| value.is_nan()));
        for Sum { start, weight, value } in &mut self.sums {
            let sum: f64 = record[*start..][..self.together].iter().sum();
            let term = if self.shares.is_some() { sum / self.together as f64 } else { sum };
            if !term.is_nan() {
                *weight += of_row;
                value.mean += of_row * term;
                value.mean_absolute += of_row * term.abs();
                value.n_zero += usize::from(term == 0.0);
            }
            value.share = self.shares.map(|at| record[at + *start..][..self.together].iter().sum());
        }
    }

    /// Number of rows without values: no tree explains a row that is in every bag.
    pub fn n_undefined(&self) -> usize {
        self.n_undefined
    }

    /// The means, by decreasing share of the variance of predictions, or else mean of absolute values.
    pub fn values(&self) -> Vec<MeanValue> {
        let mean = |Sum { weight, value, .. }: &Sum| {
            let total = if *weight > 0.0 { *weight } else { 1.0 };
            MeanValue {
                mean: value.mean / total,
                mean_absolute: value.mean_absolute / total,
                ..*value
            }
        };
        let mut values: Vec<MeanValue> = self.sums.iter().map(mean).collect();
        let key = |value: &MeanValue| value.share.unwrap_or(value.mean_absolute);
        values.sort_by(|one, other| key(other).total_cmp(&key(one)));
        values
    }
}

/// The curves of a variable over rows.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveSummary {
    /// The variable, as a position in [`Layout::variables`].
    pub variable: usize,
    /// The class, as a position; `None` where there are none.
    pub class: Option<usize>,
    /// The lowest point of all curves.
    pub lowest: f64,
    /// The highest point of all curves.
    pub highest: f64,
    /// The mean curve, by the weights of rows.
    pub mean: Vec<f64>,
}

impl Layout {
    /// Sums up records of curves, one after the other: per variable and class, those first whose mean
    /// curve has the widest range. Of two classes, only the second is there, and rows without curves
    /// are left out. `weights` are those of the records; all are 1 unless given.
    pub fn summed_curves(&self, records: &[f64], weights: Option<&[f64]>) -> Vec<CurveSummary> {
        let n_outputs = self.n_outputs();
        let weight = |record: usize| weights.map_or(1.0, |weights| weights[record]);
        let mut summaries = Vec::new();
        for (variable, (grid, span)) in self.curves().into_iter().enumerate() {
            let records = records.chunks_exact(self.n_values());
            let curves =
                records.enumerate().map(|(at, record)| (weight(at), &record[span.clone()]));
            let is_defined =
                |(_, curve): &(f64, &[f64])| curve.first().is_some_and(|first| !first.is_nan());
            let curves: Vec<(f64, &[f64])> = curves.filter(is_defined).collect();
            let total: f64 = curves.iter().map(|(weight, _)| weight).sum();
            if total <= 0.0 {
                continue;
            }
            for output in usize::from(n_outputs == 2)..n_outputs {
                let at = |place: usize| {
                    curves
                        .iter()
                        .map(move |(weight, curve)| (*weight, curve[place * n_outputs + output]))
                };
                let (lowest, highest) = ends((0..grid.len()).flat_map(at).map(|(_, value)| value));
                let mean = |place: usize| {
                    at(place).map(|(weight, value)| weight * value).sum::<f64>() / total
                };
                let mean = (0..grid.len()).map(mean).collect();
                let class = self.classes.as_ref().map(|_| output);
                summaries.push(CurveSummary { variable, class, lowest, highest, mean });
            }
        }
        let range = |summary: &CurveSummary| {
            let (lowest, highest) = ends(summary.mean.iter().copied());
            highest - lowest
        };
        summaries.sort_by(|one, other| range(other).total_cmp(&range(one)));
        summaries
    }
}

/// The lowest and the highest value.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let wider = |(lowest, highest): (f64, f64), value| (lowest.min(value), highest.max(value));
    values.fold((f64::INFINITY, f64::NEG_INFINITY), wider)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{Grid, GridValues};

    fn layout(shape: Shape, classes: Option<usize>) -> Layout {
        let variables = vec!["a".to_owned(), "b".to_owned()];
        let classes = classes.map(|n| (0..n).map(|class| class.to_string()).collect());
        Layout { variables, classes, shape, is_mean: false, has_shares: false, n_rows: 3 }
    }

    #[test]
    fn the_largest_mean_comes_first_and_rows_without_values_are_left_out() {
        let mut means = Means::new(&layout(Shape::Values(2), None), true);
        for record in [[0.0, -1.0], [f64::NAN, f64::NAN], [0.5, 2.0]] {
            means.add(&record, 1.0);
        }
        assert_eq!(means.n_undefined(), 1);
        let values = means.values();
        let found: Vec<_> =
            values.iter().map(|v| (v.variable, v.mean, v.mean_absolute, v.n_zero)).collect();
        assert_eq!(found, [(1, 0.5, 1.5, 0), (0, 0.25, 0.25, 1)]);
    }

    #[test]
    fn rows_count_by_their_weights() {
        let mut means = Means::new(&layout(Shape::Values(2), None), true);
        for (record, weight) in [([1.0, -1.0], 3.0), ([2.0, 3.0], 1.0), ([9.0, 9.0], 0.0)] {
            means.add(&record, weight);
        }
        let found: Vec<_> = means.values().iter().map(|v| (v.mean, v.mean_absolute)).collect();
        assert_eq!(found, [(0.0, 1.5), (1.25, 1.25)]);

        let numbers = |values: &[f64]| Grid {
            feature: 0,
            values: GridValues::Numbers(values.to_vec()),
            has_missing: false,
        };
        let layout = layout(Shape::Curves(vec![numbers(&[0.0, 1.0]), numbers(&[])]), None);
        let records = [1.0, 5.0, 5.0, 1.0, f64::NAN, f64::NAN];
        let mean = |weights| layout.summed_curves(&records, weights)[0].mean.clone();
        assert_eq!(mean(None), [3.0, 3.0]);
        assert_eq!(mean(Some(&[3.0, 1.0, 5.0][..])), [2.0, 4.0]);
    }

    /// As those of regressions on classes, which add up to nothing.
    #[test]
    fn classes_of_predictions_stand_apart() {
        let sorted = |record: &[f64], n_classes, of_predictions| {
            let mut means = Means::new(&layout(Shape::Values(2), Some(n_classes)), of_predictions);
            means.add(record, 1.0);
            let found: Vec<_> =
                means.values().iter().map(|v| (v.variable, v.class, v.mean)).collect();
            found
        };
        let three = [0.5, -0.25, -0.25, 0.0, 1.0, -1.0];
        assert_eq!(sorted(&three, 3, true)[0], (1, Some(1), 1.0));
        assert_eq!(sorted(&three, 3, true).len(), 6);
        assert_eq!(
            sorted(&[-0.5, 0.5, 1.0, -1.0], 2, true),
            [(1, Some(1), -1.0), (0, Some(1), 0.5)]
        );
        assert_eq!(sorted(&three, 3, false), [(0, None, 0.0), (1, None, 0.0)]);
    }

    #[test]
    fn pairs_are_there_once_and_classes_added_up() {
        let means = Means::new(&layout(Shape::Pairs(2), Some(3)), false);
        let pairs: Vec<_> = means.values().iter().map(|v| (v.variable, v.with, v.class)).collect();
        assert_eq!(pairs, [(0, Some(0), None), (0, Some(1), None), (1, Some(1), None)]);
    }

    #[test]
    fn a_large_value_of_a_small_share_of_the_variance_comes_last() {
        let with_shares = Layout { has_shares: true, ..layout(Shape::Pairs(2), Some(2)) };
        let mut means = Means::new(&with_shares, false);
        let values = [0.3, 0.3, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9];
        let shares = [0.1, 0.1, 0.2, 0.3, 0.2, 0.3, 0.0, 0.01];
        means.add(&[values, shares].concat(), 1.0);
        let found: Vec<_> =
            means.values().iter().map(|v| (v.variable, v.with, v.mean, v.share)).collect();
        let expected = [(0, 1, 0.1, 0.5), (0, 0, 0.3, 0.2), (1, 1, 0.9, 0.01)]
            .map(|(one, other, value, share)| (one, Some(other), value, Some(share)));
        assert_eq!(found, expected);
    }
}
