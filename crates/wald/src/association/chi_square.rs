//! The upper tail of the chi-square distribution on the logarithmic scale, so that p-values too
//! small for a number still order.

use statrs::function::gamma::{checked_gamma_ur, ln_gamma};

/// Terms after which a continued fraction has converged wherever it is used.
const MOST_TERMS: usize = 10_000;

/// Up to here exp(-x) is a normal number.
const FAR: f64 = 700.0;

/// The natural logarithm of the probability that chi-square with these degrees of freedom (one or
/// more) exceeds a statistic. Accurate to about 1e-12 of itself.
pub(crate) fn log_upper_tail(statistic: f64, degrees: f64) -> f64 {
    if statistic.is_nan() || statistic <= 0.0 {
        return 0.0;
    }
    let (shape, x) = (degrees / 2.0, statistic / 2.0);
    if x.is_infinite() {
        return f64::NEG_INFINITY;
    }
    if degrees == 1.0 && x < FAR {
        let root = x.sqrt();
        // Small statistics keep their digits.
        let is_small = x < 0.25;
        return if is_small { (-libm::erf(root)).ln_1p() } else { libm::erfc(root).ln() };
    }
    // The continued fraction holds to the right of the mean, where tails are small.
    let tail = if x < shape + 1.0 { checked_gamma_ur(shape, x).ok() } else { None };
    tail.map_or_else(|| far_tail(shape, x), f64::ln)
}

/// Q(a, x) = exp(-x) x^a / Gamma(a) * 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...)), the
/// continued fraction evaluated by the method of Lentz (1976).
fn far_tail(shape: f64, x: f64) -> f64 {
    let tiny = f64::MIN_POSITIVE / f64::EPSILON;
    let mut denominator = x + 1.0 - shape;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / denominator;
    let mut fraction = d;
    for term in 1..MOST_TERMS {
        let term = term as f64;
        let numerator = -term * (term - shape);
        denominator += 2.0;
        d = numerator * d + denominator;
        if d.abs() < tiny {
            d = tiny;
        }
        c = denominator + numerator / c;
        if c.abs() < tiny {
            c = tiny;
        }
        d = 1.0 / d;
        let factor = d * c;
        fraction *= factor;
        if (factor - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    shape * x.ln() - x - ln_gamma(shape) + fraction.ln()
}
