//! Quantiles of values.

/// The quantile of increasing values, linear between neighbours (Hyndman & Fan 1996, type 7); `None` of
/// none.
pub(crate) fn quantile(sorted: &[f64], level: f64) -> Option<f64> {
    let place = level * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    let share = place.fract();
    // Halves are exact, so that a median has no digits of rounding.
    Some(if below == above { below } else { (1.0 - share) * below + share * above })
}

/// The same of values in any order.
pub(crate) fn quantile_of(mut values: Vec<f64>, level: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    quantile(&values, level)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.quantile([1, 2, 4, 8], q)`.
    #[test]
    fn quantiles_are_those_of_numpy() {
        for (level, expected) in [(0.0, 1.0), (0.25, 1.75), (0.5, 3.0), (0.8, 5.6), (1.0, 8.0)] {
            let found = quantile_of(vec![8.0, 1.0, 4.0, 2.0], level).expect("values");
            assert!((found - expected).abs() < 1e-14, "{level}: {found}");
        }
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[3.0], 1.0), Some(3.0));
    }
}
