//! Medians of the rows on both sides of a division, and how far rows are from them.
//!
//! Sums over the smallest responses are kept in a tree of partial sums (Fenwick 1994), so that a row
//! changes sides, and the median of a side is found, in O(log rows).

use crate::forest::split::scorer::TIE;

/// A side of a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Left,
    Right,
}

/// The distinct responses of a node, and what the rows that have them weigh.
#[derive(Debug, Default)]
pub(super) struct Medians {
    /// Increasing.
    values: Vec<f64>,
    /// What responses are counted from before they are summed up, so that a large common offset costs
    /// no digits.
    origin: f64,
    /// Partial sums of weights and of weighted responses over all rows, from place 1 on.
    all: Vec<[f64; 2]>,
    /// The same over the rows on the left.
    left: Vec<[f64; 2]>,
    /// The sums over all rows, and over those on the left.
    totals: [[f64; 2]; 2],
}

impl Medians {
    /// Begins a node, given the responses of its rows with their weights, increasing; passes the
    /// number of each row and the place of its response to `receive`. Returns the median of all rows and
    /// their weighted distances from it.
    pub(super) fn start(
        &mut self,
        rows: &[(f64, f64)],
        mut receive: impl FnMut(usize, u32),
    ) -> (f64, f64) {
        let weight: f64 = rows.iter().map(|(_, weight)| weight).sum();
        let median = weighted_median(rows, weight);
        self.origin = median;
        self.values.clear();
        self.all.clear();
        self.all.push([0.0; 2]);
        let mut distances = 0.0;
        for (row, &(response, weight)) in rows.iter().enumerate() {
            if self.values.last() != Some(&response) {
                self.values.push(response);
                self.all.push([0.0; 2]);
            }
            let place = self.values.len();
            receive(row, place as u32);
            let deviation = response - median;
            distances += weight * deviation.abs();
            self.all[place] = plus(self.all[place], [weight, weight * deviation]);
        }
        self.totals[0] = self.all.iter().fold([0.0; 2], |sums, &here| plus(sums, here));
        for place in 1..self.all.len() {
            let above = place + lowest_bit(place);
            if above < self.all.len() {
                self.all[above] = plus(self.all[above], self.all[place]);
            }
        }
        self.clear_left();
        (median, distances)
    }

    /// Moves all rows to the right.
    pub(super) fn clear_left(&mut self) {
        self.left.clear();
        self.left.resize(self.all.len(), [0.0; 2]);
        self.totals[1] = [0.0; 2];
    }

    /// Moves weight of the responses of a place to the left, or back where it is negative.
    pub(super) fn push(&mut self, place: u32, weight: f64) {
        let mut place = place as usize;
        let moved = [weight, weight * (self.values[place - 1] - self.origin)];
        self.totals[1] = plus(self.totals[1], moved);
        while place < self.left.len() {
            self.left[place] = plus(self.left[place], moved);
            place += lowest_bit(place);
        }
    }

    /// The weighted distances of the rows of a side from their median.
    pub(super) fn distances(&self, side: Of) -> f64 {
        let [weight, sum] = self.total(side);
        let (place, [below, sum_below]) =
            self.descend(side, |cumulated| cumulated < 0.5 * (1.0 - TIE) * weight);
        let median = self.values[place] - self.origin;
        // Rows at the median add nothing to either part.
        let below_it = median * below - sum_below;
        let above_it = (sum - sum_below) - median * (weight - below);
        (below_it + above_it).max(0.0)
    }

    /// The median of the rows of a side, as [`weighted_median`].
    pub(super) fn median(&self, side: Of) -> f64 {
        let half = 0.5 * self.total(side)[0];
        let at = |place: usize| self.values[place];
        let low = at(self.descend(side, |cumulated| cumulated < half * (1.0 - TIE)).0);
        let high = at(self.descend(side, |cumulated| cumulated <= half * (1.0 + TIE)).0);
        low + 0.5 * (high - low)
    }

    fn total(&self, side: Of) -> [f64; 2] {
        let [all, left] = self.totals;
        match side {
            Of::Left => left,
            Of::Right => minus(all, left),
        }
    }

    /// The first place whose cumulated weight is no longer below a limit, counted from 0, and the sums
    /// over those before it.
    fn descend(&self, side: Of, is_below: impl Fn(f64) -> bool) -> (usize, [f64; 2]) {
        let n_places = self.values.len();
        let mut step = n_places.next_power_of_two();
        let (mut place, mut sums) = (0, [0.0; 2]);
        while step > 0 {
            let next = place + step;
            if next <= n_places {
                let here = match side {
                    Of::Left => self.left[next],
                    Of::Right => minus(self.all[next], self.left[next]),
                };
                let cumulated = plus(sums, here);
                if is_below(cumulated[0]) {
                    (place, sums) = (next, cumulated);
                }
            }
            step /= 2;
        }
        (place.min(n_places - 1), sums)
    }
}

/// The median of responses with weights, which increase: where half of the weight is below and half
/// above two of them, their middle.
pub(super) fn weighted_median(rows: &[(f64, f64)], weight: f64) -> f64 {
    let half = 0.5 * weight;
    let mut cumulated = 0.0;
    let mut low = None;
    for &(response, weight) in rows {
        cumulated += weight;
        if low.is_none() && cumulated >= half * (1.0 - TIE) {
            low = Some(response);
        }
        if cumulated > half * (1.0 + TIE) {
            let low = low.unwrap_or(response);
            return low + 0.5 * (response - low);
        }
    }
    low.unwrap_or_default()
}

fn plus(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [one[0] + other[0], one[1] + other[1]]
}

fn minus(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [one[0] - other[0], one[1] - other[1]]
}

/// The number whose only bit is the lowest of this one.
fn lowest_bit(number: usize) -> usize {
    number & number.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Stream};

    /// The weighted distances from the best of all responses, by definition.
    fn least(rows: &[(f64, f64)]) -> f64 {
        let from = |centre: f64| rows.iter().map(|(y, w)| w * (y - centre).abs()).sum::<f64>();
        rows.iter().map(|(response, _)| from(*response)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn distances_of_both_sides_are_least_whatever_moves() {
        let mut stream = Stream::new(5, 0, Purpose::Bag);
        for n in 1..40 {
            let number = |stream: &mut Stream| f64::from(stream.below(12)) * 0.37 - 2.0;
            let mut rows: Vec<(f64, f64)> = (0..n)
                .map(|_| (number(&mut stream), 1.0 + f64::from(stream.below(3)) * 0.7))
                .collect();
            rows.sort_by(|one, other| one.0.total_cmp(&other.0));
            let mut places = vec![0; n];
            let mut medians = Medians::default();
            let (_, distances) = medians.start(&rows, |row, place| places[row] = place);
            assert!((distances - least(&rows)).abs() < 1e-12, "{n}");
            let mut is_left = vec![false; n];
            for _ in 0..60 {
                let row = stream.below(n as u32) as usize;
                is_left[row] = !is_left[row];
                let sign = if is_left[row] { 1.0 } else { -1.0 };
                medians.push(places[row], sign * rows[row].1);
                for (of, wanted) in [(Of::Left, true), (Of::Right, false)] {
                    let side = rows.iter().zip(&is_left).filter(|(_, is_left)| **is_left == wanted);
                    let side: Vec<(f64, f64)> = side.map(|(row, _)| *row).collect();
                    if !side.is_empty() {
                        let found = medians.distances(of);
                        assert!((found - least(&side)).abs() < 1e-11, "{found} of {side:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn medians_are_in_the_middle_where_weights_are_halved() {
        let median =
            |rows: &[(f64, f64)]| weighted_median(rows, rows.iter().map(|row| row.1).sum());
        assert_eq!(median(&[(1.0, 1.0), (4.0, 1.0)]), 2.5);
        assert_eq!(median(&[(1.0, 1.0), (2.0, 1.0), (7.0, 1.0)]), 2.0);
        assert_eq!(median(&[(1.0, 3.0), (2.0, 1.0), (7.0, 1.0)]), 1.0);
        assert_eq!(median(&[(1.0, 0.1), (2.0, 0.2), (3.0, 0.3)]), 2.5);
        assert_eq!(median(&[(5.0, 0.7)]), 5.0);
    }
}
