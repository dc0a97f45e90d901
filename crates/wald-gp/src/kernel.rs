//! Correlations of a process at two points: products over inputs of functions of scaled distances.

/// The family of correlations; each input has a length of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kernel {
    /// Twice differentiable functions: (1 + s + s²/3) exp(-s), s = √5 distance / length.
    #[default]
    Matern52,
    /// Once differentiable functions: (1 + s) exp(-s), s = √3 distance / length.
    Matern32,
    /// Functions with all derivatives: exp(-s²/2), s = distance / length.
    SquaredExponential,
}

/// Correlations below exp of minus this are 0.
const MOST_EXPONENT: f64 = 700.0;

impl Kernel {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Matern52, Self::Matern32, Self::SquaredExponential];

    /// The name that users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::Matern52 => "matern_52",
            Self::Matern32 => "matern_32",
            Self::SquaredExponential => "squared_exponential",
        }
    }

    /// What a distance is multiplied with, besides the inverse of the length.
    pub(crate) fn scale(self) -> f64 {
        match self {
            Self::Matern52 => 5.0_f64.sqrt(),
            Self::Matern32 => 3.0_f64.sqrt(),
            Self::SquaredExponential => 1.0,
        }
    }

    /// Multiplies correlations, which are `factors` times exp of minus `exponents`, by the factor of one
    /// more input. A product has one exponential.
    pub(crate) fn multiply(
        self,
        distances: impl Iterator<Item = f64>,
        factors: &mut [f64],
        exponents: &mut [f64],
    ) {
        let all = distances.zip(factors).zip(exponents);
        match self {
            Self::Matern52 => all.for_each(|((s, factor), exponent)| {
                *factor *= 1.0 + s + s * s / 3.0;
                *exponent += s;
            }),
            Self::Matern32 => all.for_each(|((s, factor), exponent)| {
                *factor *= 1.0 + s;
                *exponent += s;
            }),
            Self::SquaredExponential => all.for_each(|((s, _), exponent)| {
                *exponent += 0.5 * s * s;
            }),
        }
    }

    /// The derivative of the logarithm of one factor by the logarithm of its length.
    pub(crate) fn log_derivative(self, s: f64) -> f64 {
        match self {
            Self::Matern52 => s * s * (1.0 + s) / (3.0 + 3.0 * s + s * s),
            Self::Matern32 => s * s / (1.0 + s),
            Self::SquaredExponential => s * s,
        }
    }
}

/// A product of factors and an exponential; far apart, factors are infinite where the exponential is 0.
pub(crate) fn correlation(factor: f64, exponent: f64) -> f64 {
    if exponent > MOST_EXPONENT { 0.0 } else { factor * f64::exp(-exponent) }
}
