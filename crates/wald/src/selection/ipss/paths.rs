//! Stability paths, their integrals, and the bound on false positives.
//!
//! Notation of the paper: B pairs of halves, p variables, `pi_j(a)` the share of the 2B halves whose
//! importance of variable j is above the threshold a, q(a) the mean number of variables that a half
//! selects, and `h_m(x) = (2 x - 1)^m` above 1/2, else 0. With the measure a^-delta da on the
//! thresholds, the score of a variable is the integral of `h_m(pi_j(a))`, and the expected number of
//! irrelevant variables with a score of at least t is at most the integral of
//!
//! * q^2 / (p B) + (B - 1) q^4 / (B p^3) for m = 2, and
//! * q^2 / (p B^2) + 3 (B - 1) q^4 / (p^3 B^2) + (B - 1) (B - 2) q^6 / (p^5 B^2) for m = 3,
//!
//! divided by t. Score and bound are integrals over the same thresholds: from the largest importance
//! down to where the mean of the bound would exceed a cutoff.

use crate::selection::ipss::settings::Power;

/// Thresholds, evenly spaced in their logarithms.
const THRESHOLDS: usize = 100;

/// The smallest threshold as a share of the largest importance.
const SMALLEST: f64 = 1e-8;

/// The exponent of the measure, for importances of forests.
const DELTA: f64 = 1.25;

/// The mean of the bound ends there.
const CUTOFF: f64 = 0.05;

/// The selections of all halves at all thresholds.
#[derive(Debug)]
pub(super) struct Paths {
    /// Decreasing.
    pub(super) thresholds: Vec<f64>,
    /// By threshold and variable, the share of halves that select it.
    pub(super) shares: Vec<Vec<f64>>,
    n_pairs: f64,
    /// Variables that compete in a half.
    n_competing: f64,
}

/// What is integrated.
#[derive(Debug)]
pub(super) struct Integrals {
    /// The bound.
    pub(super) bound: f64,
    /// By variable, its score.
    pub(super) scores: Vec<f64>,
    /// How many thresholds were integrated over.
    pub(super) n_thresholds: usize,
}

impl Paths {
    /// `importances` of every variable by half; they are shifted so that none is negative. So many of
    /// the variables compete in a half: they are p of the bound, which is the larger the fewer there
    /// are, and ends the integrals where forests no longer distinguish variables. With all variables
    /// as p, thresholds would count at which a half selects all that were kept before it grew a
    /// forest, and two to four irrelevant ones of 5,000 would have a bound below 1.
    pub(super) fn new(mut importances: Vec<Vec<f64>>, n_competing: usize) -> Self {
        let n_variables = importances.first().map_or(0, Vec::len);
        let all = || importances.iter().flatten().copied();
        let least = all().fold(0.0, f64::min);
        let largest = all().fold(0.0, f64::max) - least;
        let step = SMALLEST.ln() / (THRESHOLDS - 1) as f64;
        let threshold = |index: usize| largest * (step * index as f64).exp();
        let thresholds: Vec<f64> = (0..THRESHOLDS).map(threshold).collect();
        let mut counts = vec![vec![0_u32; n_variables]; THRESHOLDS];
        for half in &mut importances {
            for (variable, value) in half.iter_mut().enumerate() {
                *value -= least;
                // Thresholds decrease: from the first that is exceeded on, all are.
                let first = thresholds.partition_point(|threshold| *threshold >= *value);
                if let Some(counts) = counts.get_mut(first) {
                    counts[variable] += 1;
                }
            }
        }
        let mut selected = vec![0_u32; n_variables];
        let n_halves = importances.len() as f64;
        let share = |new: Vec<u32>| {
            selected.iter_mut().zip(new).for_each(|(all, new)| *all += new);
            selected.iter().map(|&count| f64::from(count) / n_halves).collect()
        };
        let shares = counts.into_iter().map(share).collect();
        Self { thresholds, shares, n_pairs: n_halves / 2.0, n_competing: n_competing as f64 }
    }

    /// The integrals up to the cutoff.
    pub(super) fn integrals(&self, power: Power) -> Integrals {
        self.integrals_until(CUTOFF, power)
    }

    /// Sums over the cells between neighbouring thresholds, with what is selected at the upper one.
    pub(super) fn integrals_until(&self, cutoff: f64, power: Power) -> Integrals {
        let n_variables = self.shares.first().map_or(0, Vec::len);
        let mut found = Integrals { bound: 0.0, scores: vec![0.0; n_variables], n_thresholds: 0 };
        let mut mass = 0.0;
        for (shares, lower) in self.shares.iter().zip(self.thresholds.iter().skip(1)) {
            // a^-delta da, where cells are as wide as their lower ends.
            let weight = lower.powf(1.0 - DELTA);
            let n_selected: f64 = shares.iter().sum();
            let bound = found.bound + weight * self.bound_at(n_selected, power);
            mass += weight;
            // Without any importance, all thresholds are 0, and nothing is selected.
            if bound.is_nan() || bound > cutoff * mass {
                break;
            }
            found.bound = bound;
            found.n_thresholds += 1;
            for (score, share) in found.scores.iter_mut().zip(shares) {
                *score += weight * (2.0 * share - 1.0).max(0.0).powi(power.exponent());
            }
        }
        found
    }

    /// What the bound is the integral of, where halves select so many variables on average.
    fn bound_at(&self, n_selected: f64, power: Power) -> f64 {
        let (b, p) = (self.n_pairs, self.n_competing);
        // q^2 / p, and what a further factor q^2 / p^2 makes of it.
        let (first, ratio) = (n_selected.powi(2) / p, (n_selected / p).powi(2));
        match power {
            Power::Squared => first / b * (1.0 + (b - 1.0) * ratio),
            Power::Cubed => {
                let terms = 1.0 + 3.0 * (b - 1.0) * ratio + (b - 1.0) * (b - 2.0) * ratio.powi(2);
                first / b.powi(2) * terms
            }
        }
    }
}

impl Integrals {
    /// By variable, the bound when it and all with a larger score are selected; never more than
    /// there are variables.
    pub(super) fn efp_scores(&self) -> Vec<f64> {
        let n_variables = self.scores.len() as f64;
        let efp = |&score: &f64| {
            if score * n_variables > self.bound { self.bound / score } else { n_variables }
        };
        self.scores.iter().map(efp).collect()
    }
}

/// The smallest rate of false discoveries at which a variable is selected: over all sets that
/// contain it, the bound over the number of variables.
pub(super) fn q_values(efp_scores: &[f64]) -> Vec<f64> {
    let mut sorted = efp_scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut smallest = vec![f64::INFINITY; sorted.len()];
    let mut best = f64::INFINITY;
    for (place, &efp) in sorted.iter().enumerate().rev() {
        let n_selected = sorted.partition_point(|other| *other <= efp);
        best = best.min(efp / n_selected as f64);
        smallest[place] = best;
    }
    let place = |efp: &f64| sorted.partition_point(|other| other < efp);
    efp_scores.iter().map(|efp| smallest[place(efp)]).collect()
}
