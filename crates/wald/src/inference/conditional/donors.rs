//! The rows whose residuals others receive.

use std::collections::BTreeMap;

use crate::data::Dataset;
use crate::random::Stream;

/// A residual for every one of `rows`, of another one: never its own, with which it would keep its value, nor
/// one of its own cluster, whose rows may have the same value. Rows give theirs in proportion to their weights,
/// as the means of predictions are by weight, too. Cost O(rows log rows).
pub(super) fn donors(data: &Dataset, rows: &[u32], stream: &mut Stream) -> Vec<u32> {
    let weight = |row: u32| data.weights().map_or(1.0, |weights| weights[row as usize]);
    let is_equal = rows.iter().all(|row| weight(*row).to_bits() == weight(rows[0]).to_bits());
    match data.clusters() {
        None if is_equal => cycle(rows, stream),
        None => of_other_units(rows, weight, |row| row, stream),
        Some(clusters) => of_other_units(rows, weight, |row| clusters[row as usize], stream),
    }
}

/// By row of the table, how often two draws for one of `rows` have the same donor, or where all values in
/// clusters are equal, donors of the same cluster; 0 for other rows.
pub(super) fn repetition(data: &Dataset, rows: &[u32], values: &[f64]) -> Vec<f64> {
    let weight = |row: u32| data.weights().map_or(1.0, |weights| weights[row as usize]);
    let mut of_cluster = BTreeMap::new();
    let mut is_equal = |row: &u32, clusters: &[u32]| {
        let value = values[*row as usize].to_bits();
        *of_cluster.entry(clusters[*row as usize]).or_insert(value) == value
    };
    let clusters =
        data.clusters().filter(|clusters| rows.iter().all(|row| is_equal(row, clusters)));
    let unit = |row: u32| clusters.map_or(row, |clusters| clusters[row as usize]);
    let mut units: BTreeMap<u32, f64> = BTreeMap::new();
    rows.iter().for_each(|&row| *units.entry(unit(row)).or_default() += weight(row));
    let whole: f64 = units.values().sum();
    let squares: f64 = units.values().map(|unit| unit * unit).sum();
    let mut found = vec![0.0; data.n_rows()];
    for &row in rows {
        let own = units[&unit(row)];
        let others = whole - own;
        let share = (squares - own * own) / (others * others);
        // There are no others of a single unit.
        found[row as usize] = if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 };
    }
    found
}

/// Every row gives its residual once.
fn cycle(rows: &[u32], stream: &mut Stream) -> Vec<u32> {
    let mut donors = rows.to_vec();
    stream.cycle(&mut donors);
    donors
}

fn of_other_units(
    rows: &[u32],
    weight: impl Fn(u32) -> f64,
    unit: impl Fn(u32) -> u32,
    stream: &mut Stream,
) -> Vec<u32> {
    let mut by_unit = rows.to_vec();
    by_unit.sort_by_key(|&row| unit(row));
    let mut whole = 0.0;
    let before: Vec<f64> = by_unit
        .iter()
        .map(|&row| {
            let before = whole;
            whole += weight(row);
            before
        })
        .collect();
    let donor = |&row: &u32| {
        let start = by_unit.partition_point(|&other| unit(other) < unit(row));
        let end = by_unit.partition_point(|&other| unit(other) <= unit(row));
        let (from, to) = (before[start], before.get(end).copied().unwrap_or(whole));
        // Places among the weights of other units: those before, then those behind.
        let place = stream.unit() * (whole - (to - from));
        let place = if place < from { place } else { place + (to - from) };
        let found = before.partition_point(|before| *before <= place).saturating_sub(1);
        // Rounding may end at the border of the own unit.
        let found = if found < start || found >= end { Some(found) } else { None };
        let found = found.or(end.checked_rem(by_unit.len()))?;
        (unit(by_unit[found]) != unit(row)).then(|| by_unit[found])
    };
    let found: Option<Vec<u32>> = rows.iter().map(donor).collect();
    // Where there is a single unit, other rows are all there is.
    found.unwrap_or_else(|| cycle(rows, stream))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target};
    use crate::random::Purpose;

    fn data(n_rows: u32) -> Dataset {
        let x = Column::numeric("x", (0..n_rows).map(f64::from).collect()).expect("finite");
        let target = (0..n_rows).map(|row| f64::from(row % 3)).collect();
        let target = Target::regression("y", target).expect("finite");
        Dataset::new(vec![x], target).expect("consistent")
    }

    fn stream() -> Stream {
        Stream::new(3, 0, Purpose::Folds)
    }

    /// Of weights 1, 2, 3 and 4, row 0 receives from the others in 2 of 9, 3 of 9 and 4 of 9.
    #[test]
    fn rows_give_in_proportion_to_their_weights_but_not_to_themselves() {
        let data = data(4).with_weights(vec![1.0, 2.0, 3.0, 4.0]).expect("weights");
        let mut counts = [[0_u32; 4]; 4];
        let mut stream = stream();
        for _ in 0..9000 {
            for (row, donor) in donors(&data, &[0, 1, 2, 3], &mut stream).into_iter().enumerate() {
                counts[row][donor as usize] += 1;
            }
        }
        for (row, counts) in counts.iter().enumerate() {
            let rest = 10.0 - (row + 1) as f64;
            for (donor, count) in counts.iter().enumerate() {
                let share = if row == donor { 0.0 } else { (donor + 1) as f64 / rest };
                // Four standard errors of a count of 9000.
                let error = 4.0 * (9000.0 * share * (1.0 - share)).sqrt();
                assert!((f64::from(*count) - 9000.0 * share).abs() <= error, "{row}: {counts:?}");
            }
        }
    }

    /// Of weights 1, 2, 3 and 4, row 0 has the same donor twice in (2² + 3² + 4²) / 9² of pairs of draws.
    #[test]
    fn donors_repeat_by_their_weights() {
        let found = repetition(&data(5), &[0, 1, 2, 4], &[0.0; 5]);
        assert_eq!(found, [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 1.0 / 3.0]);
        let weighted = data(4).with_weights(vec![1.0, 2.0, 3.0, 4.0]).expect("weights");
        let found = repetition(&weighted, &[0, 1, 2, 3], &[0.0; 4]);
        assert!((found[0] - 29.0 / 81.0).abs() < 1e-15, "{found:?}");
        let clustered = data(5).with_clusters(vec![1, 1, 2, 3, 3]).expect("clusters");
        let found = repetition(&clustered, &[0, 1, 2, 3, 4], &[2.0, 2.0, 1.0, 3.0, 3.0]);
        assert_eq!(found, [5.0 / 9.0, 5.0 / 9.0, 0.5, 5.0 / 9.0, 5.0 / 9.0]);
        let found = repetition(&clustered, &[0, 1, 2, 3, 4], &[2.0, 2.0, 1.0, 3.0, 4.0]);
        assert_eq!(found, [0.25; 5]);
    }

    #[test]
    fn rows_of_a_cluster_receive_from_other_clusters() {
        let clusters = [7, 3, 3, 7, 1, 3, 1, 1];
        let data = data(8).with_clusters(clusters.to_vec()).expect("clusters");
        let mut stream = stream();
        let rows = [0, 1, 2, 3, 5, 6, 7];
        let mut seen = [false; 8];
        for _ in 0..200 {
            let found = donors(&data, &rows, &mut stream);
            for (&row, donor) in rows.iter().zip(found) {
                assert_ne!(clusters[row as usize], clusters[donor as usize], "row {row}");
                seen[donor as usize] = true;
            }
        }
        assert_eq!(seen, [true, true, true, true, false, true, true, true]);
        // Of a single cluster, rows receive from each other.
        let mut found = donors(&data, &[1, 2, 5], &mut stream);
        assert!(found.iter().zip([1, 2, 5]).all(|(donor, row)| *donor != row));
        found.sort_unstable();
        assert_eq!(found, [1, 2, 5]);
    }
}
