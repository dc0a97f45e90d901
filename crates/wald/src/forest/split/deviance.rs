//! The deviance of counts from their mean.

/// Terms of the series that still change the last digit at [`LARGEST_FOR_SERIES`].
const N_TERMS: usize = 13;

/// Larger deviations lose no digits to the logarithm.
const LARGEST_FOR_SERIES: f64 = 1.0 / 16.0;

/// Half the Poisson deviance of a count from its mean, in units of the mean, given the deviation in the
/// same units: (1 + d) ln(1 + d) - d. Never negative; 1 of the count 0.
pub(super) fn unit_deviance(deviation: f64) -> f64 {
    if deviation.abs() > LARGEST_FOR_SERIES {
        let ratio = 1.0 + deviation;
        return if ratio > 0.0 { ratio * ratio.ln() - deviation } else { 1.0 };
    }
    // Both terms are nearly the same: the sum of (-d)^k / (k (k - 1)) from k = 2 on keeps all digits.
    let terms = (2..2 + N_TERMS).rev();
    let sum = terms.fold(0.0, |sum, k| 1.0 / (k as f64 * (k as f64 - 1.0)) - deviation * sum);
    deviation * deviation * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_logarithm_agree() {
        for step in -1000..=4000 {
            let deviation = f64::from(step) / 1000.0;
            let ratio = 1.0 + deviation;
            let direct = if ratio > 0.0 { ratio * ratio.ln() - deviation } else { 1.0 };
            let found = unit_deviance(deviation);
            assert!((found - direct).abs() <= 4.0 * f64::EPSILON, "{deviation}: {found} {direct}");
        }
        // Where the logarithm has no digits left.
        let tiny = unit_deviance(1e-9);
        assert!((tiny - 5e-19).abs() < 1e-27, "{tiny}");
        assert_eq!(unit_deviance(0.0), 0.0);
        assert_eq!(unit_deviance(-1.0), 1.0);
    }
}
