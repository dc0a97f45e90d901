//! Areas under the curve, and how they compare with the published ones.

use wald::simulate::LiReading;

use crate::estimate::Estimate;
use crate::exhibit::{Claim, Comparison, Published, Verdict};
use crate::li::rows::{CELLS, How, Row};

/// What ranger 0.14.1 itself gives in the simulated columns: mean over 100 samples and its standard
/// error, in the order of [`CELLS`].
const RANGER: [(f64, f64); 4] = [(0.707, 0.010), (0.550, 0.012), (0.681, 0.013), (0.532, 0.012)];

/// Why the rows of packages of R may differ.
fn unknown_settings(how: How) -> &'static str {
    match how {
        How::Ranger => "the settings of ranger are not published",
        How::Conditional => "the settings of party are not published",
        How::Measure(..) => "",
    }
}

/// The probability that a relevant variable has a larger value than another; ties count half.
pub(super) fn area(values: &[f64], relevant: &[usize]) -> f64 {
    let others: Vec<f64> = (0..values.len())
        .filter(|position| !relevant.contains(position))
        .map(|position| values[position])
        .collect();
    let wins = |value: f64| -> f64 {
        let win = |other: &f64| match value.total_cmp(other) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        others.iter().map(win).sum()
    };
    let sum: f64 = relevant.iter().map(|&position| wins(values[position])).sum();
    sum / (relevant.len() * others.len()) as f64
}

pub(super) fn compare(row: &Row, place: usize, areas: &[f64]) -> Comparison {
    let estimate = Estimate::of(areas);
    // As many repetitions as wald's default, so as large an error at that number.
    let standard_error = estimate.deviation / 40.0_f64.sqrt();
    let published = Published { value: row.published[place], decimals: 2, standard_error };
    Comparison::of_mean(row.name, &CELLS[place].name(), published, &estimate)
        .because(unknown_settings(row.how))
}

/// The cells of the row ranger beside those of ranger itself.
pub(super) fn beside_ranger(rows: &[Comparison]) -> Vec<Comparison> {
    let of_row = rows.iter().filter(|row| row.quantity == "ranger");
    let simulated = CELLS.iter().filter(|cell| !cell.is_chip).zip(RANGER);
    let beside = simulated.filter_map(|(cell, (value, standard_error))| {
        let found = of_row.clone().find(|row| row.item == cell.name())?;
        let published = Published { value, decimals: 3, standard_error };
        let error = found.standard_error.unwrap_or(0.0);
        Some(Comparison::new(&found.quantity, &found.item, published, found.value?, error))
    });
    beside.collect()
}

/// How many cells agree with the published ones. The settings of the row ranger are not published.
pub(super) fn agreement(reading: LiReading, rows: &[Comparison]) -> Claim {
    let known = rows.iter().filter(|row| row.quantity != "ranger");
    let distances = known.filter_map(|row| match row.verdict {
        Verdict::Equal => Some(0.0),
        Verdict::Agrees { standard_errors } => Some(standard_errors),
        Verdict::Differs { standard_errors, .. } => standard_errors,
        _ => None,
    });
    let within = |limit: f64| distances.clone().filter(|distance| *distance <= limit).count();
    let n = distances.clone().count();
    let (two, three) = (within(2.0), within(3.0));
    let whose = match reading {
        LiReading::Program => "the published program",
        LiReading::Text => "the text",
    };
    Claim::new(
        format!(
            "read as {whose} has it, every cell but for the row ranger is within 3 standard errors \
             of the published one, and nine in ten within 2"
        ),
        three == n && 10 * two >= 9 * n,
        format!("{three} of {n} within 3, {two} within 2"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_count_half() {
        assert!((area(&[3.0, 1.0, 1.0, 0.0], &[0, 1]) - (2.0 + 1.5) / 4.0).abs() < 1e-15);
        assert!((area(&[0.0; 5], &[0, 1]) - 0.5).abs() < 1e-15);
        assert!(area(&[0.0, 1.0, 2.0], &[0]).abs() < 1e-15);
    }
}
