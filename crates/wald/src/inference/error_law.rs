//! How values scatter in units of their standard errors.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The distribution of a value less its expectation, divided by its standard error: normal where errors are
/// those of many rows, and Student's where they are those of clusters, of which there may be few.
#[derive(Debug, Clone, Copy)]
pub(super) enum ErrorLaw {
    Normal(Normal),
    Student(StudentsT),
}

impl ErrorLaw {
    /// Of a mean over so many clusters; `None` for rows.
    pub(super) fn of_clusters(n_clusters: Option<usize>) -> Self {
        n_clusters.map_or_else(Self::normal, |n_clusters| Self::student(freedom(n_clusters)))
    }

    /// Of a sum of independent values, given by their variances and clusters, to which a variance is added
    /// that is known: degrees of freedom are those of Welch (1938) and Satterthwaite (1946).
    pub(super) fn of_sum(parts: &[(f64, Option<usize>)], known: f64) -> Self {
        let total = known + parts.iter().map(|(variance, _)| variance).sum::<f64>();
        let of_clusters = parts.iter().filter_map(|(variance, n)| Some((variance, (*n)?)));
        let doubt: f64 = of_clusters.map(|(variance, n)| variance * variance / freedom(n)).sum();
        if doubt > 0.0 { Self::student(total * total / doubt) } else { Self::normal() }
    }

    fn normal() -> Self {
        Self::Normal(Normal::standard())
    }

    fn student(freedom: f64) -> Self {
        StudentsT::new(0.0, 1.0, freedom).map_or_else(|_| Self::normal(), Self::Student)
    }

    /// How many standard errors reach to both sides as far as a value is with this probability.
    pub(super) fn reach(self, probability: f64) -> f64 {
        let below = f64::midpoint(1.0, probability);
        match self {
            Self::Normal(law) => law.inverse_cdf(below),
            Self::Student(law) => law.inverse_cdf(below),
        }
    }

    /// The probability that a value is so many standard errors from its expectation, or more.
    pub(super) fn two_sided(self, errors: f64) -> f64 {
        let below = -errors.abs();
        2.0 * match self {
            Self::Normal(law) => law.cdf(below),
            Self::Student(law) => law.cdf(below),
        }
    }
}

fn freedom(n_clusters: usize) -> f64 {
    n_clusters.saturating_sub(1).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_clusters_have_students_distribution() {
        // R: qnorm(.95), qt(.95, 5), 2 * pt(-2, 5).
        assert!((ErrorLaw::of_clusters(None).reach(0.9) - 1.644_853_626_951_472_9).abs() < 1e-9);
        let of_six = ErrorLaw::of_clusters(Some(6));
        assert!((of_six.reach(0.9) - 2.015_048_373_333_023).abs() < 1e-9);
        assert!((of_six.two_sided(2.0) - 0.101_939_478_985_302_68).abs() < 1e-9);
    }

    /// Two samples of six clusters with equal variances have ten degrees of freedom.
    #[test]
    fn degrees_of_freedom_of_sums_are_those_of_welch() {
        let both = ErrorLaw::of_sum(&[(2.0, Some(6)), (2.0, Some(6))], 0.0);
        assert!((both.reach(0.9) - 1.812_461_122_811_676_4).abs() < 1e-9, "R: qt(.95, 10)");
        // What is known for certain adds no doubt: (2 + 2)^2 / (2^2 / 5) = 20.
        let with_known = ErrorLaw::of_sum(&[(2.0, Some(6))], 2.0);
        assert!((with_known.reach(0.9) - 1.724_718_242_920_787_3).abs() < 1e-9, "R: qt(.95, 20)");
        let of_rows = ErrorLaw::of_sum(&[(2.0, None), (2.0, None)], 1.0);
        assert_eq!(of_rows.reach(0.9), ErrorLaw::of_clusters(None).reach(0.9));
        assert_eq!(ErrorLaw::of_sum(&[(0.0, Some(6))], 0.0).two_sided(0.0), 1.0);
    }
}
