//! The distribution of one input.

/// The distribution of one input, as a function from probabilities to values.
#[derive(Debug, Clone, PartialEq)]
pub enum Margin {
    /// Uniform between two numbers.
    Uniform {
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
    },
    /// Normal.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its standard deviation.
        standard_deviation: f64,
    },
    /// Between observed values, in increasing order, as if all intervals were equally probable.
    Between(Vec<f64>),
    /// The observed values alone, in increasing order, all equally probable.
    Observed(Vec<f64>),
}

/// With more observations of a value than this, on average, other values are not drawn.
const REPEATED: f64 = 1.5;

impl Margin {
    /// The distribution of observed values: of those that hardly repeat, all values between the
    /// smallest and the largest; otherwise the observed ones.
    pub fn observed(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let n_distinct = values.chunk_by(|one, other| one == other).count();
        if values.len() as f64 > REPEATED * n_distinct as f64 {
            Self::Observed(values)
        } else {
            Self::Between(values)
        }
    }

    /// The value below which a share of the distribution is.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        match self {
            Self::Uniform { low, high } => low + (high - low) * share,
            Self::Normal { mean, standard_deviation } => {
                mean + standard_deviation * super::score(share)
            }
            Self::Between(values) => {
                let place = share * (values.len() - 1) as f64;
                let below = (place as usize).min(values.len().saturating_sub(2));
                let (low, high) = (values[below], values[(below + 1).min(values.len() - 1)]);
                low + (high - low) * (place - below as f64)
            }
            Self::Observed(values) => {
                values[((share * values.len() as f64) as usize).min(values.len() - 1)]
            }
        }
    }

    /// Whether values have gaps between them.
    pub(crate) fn is_discrete(&self) -> bool {
        matches!(self, Self::Observed(_))
    }
}
