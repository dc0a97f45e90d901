//! How well a conditional distribution, the weights of training rows, predicts a response.

use crate::weights::quantiles::quantiles_of;
use crate::weights::sums::{Sums, TIE};

/// A proper score of distributions of a number; smaller is better.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Score {
    /// The continuous ranked probability score: the integral over z of (F(z) - 1{y <= z})^2, which is
    /// twice the integral of the quantile loss over all levels (Gneiting & Raftery 2007, eqs. 20, 21).
    Distribution,
    /// The Brier score of classes, whose numbers are the responses: the sum over classes of
    /// (p - 1{y is of the class})^2.
    Classes,
    /// The quantile loss of a level a: (a - 1{y < q}) (y - q), with q the quantile of F.
    Quantile(f64),
}

impl Score {
    /// Of the distribution of `sums`, whose labels are the ranks of the responses, where y is the
    /// response. Begins the sums anew.
    pub(crate) fn of(self, sums: &mut Sums, responses: &[f64], y: f64) -> f64 {
        match self {
            Self::Distribution => ranked_probability(sums, responses, y),
            Self::Classes => brier(sums, responses, y),
            Self::Quantile(level) => {
                let mut quantile = f64::NAN;
                quantiles_of(sums, responses, &[level], |_, value| quantile = value);
                quantile_loss(level, y - quantile)
            }
        }
    }

    /// Of every response by the distribution of all, which have weights: by rank. Cost O(rows).
    pub(crate) fn of_all(self, responses: &[f64], weights: &[f64]) -> Vec<f64> {
        let whole: f64 = weights.iter().sum();
        match self {
            Self::Distribution => {
                // Of two independent responses, E|Y - y| minus half of E|Y - Y'|.
                let from = responses.first().copied().unwrap_or(0.0);
                let moment = |(value, weight): (&f64, &f64)| weight / whole * (value - from);
                let mean: f64 = responses.iter().zip(weights).map(moment).sum();
                let (mut below, mut moments) = (0.0, 0.0);
                let distance = |(value, weight): (&f64, &f64)| {
                    below += weight / whole;
                    moments += moment((value, weight));
                    (value - from) * (2.0 * below - 1.0) + mean - 2.0 * moments
                };
                let distances: Vec<f64> = responses.iter().zip(weights).map(distance).collect();
                let of_two = |(distance, weight): (&f64, &f64)| weight / whole * distance;
                let apart: f64 = distances.iter().zip(weights).map(of_two).sum();
                distances.iter().map(|distance| distance - apart / 2.0).collect()
            }
            Self::Classes => {
                let mut shares: Vec<(f64, f64)> = Vec::new();
                for (&class, weight) in responses.iter().zip(weights) {
                    match shares.last_mut().filter(|(last, _)| *last == class) {
                        Some((_, share)) => *share += weight / whole,
                        None => shares.push((class, weight / whole)),
                    }
                }
                let squares: f64 = shares.iter().map(|(_, share)| share * share).sum();
                let mut at = 0;
                let score = |&class: &f64| {
                    while shares[at].0 != class {
                        at += 1;
                    }
                    squares - 2.0 * shares[at].1 + 1.0
                };
                responses.iter().map(score).collect()
            }
            Self::Quantile(level) => {
                let mut below = 0.0;
                let is_reached = |weight: &f64| {
                    below += weight / whole;
                    below >= level - TIE
                };
                let last = responses.len().saturating_sub(1);
                let at = weights.iter().position(is_reached).unwrap_or(last);
                responses.iter().map(|y| quantile_loss(level, y - responses[at])).collect()
            }
        }
    }
}

fn quantile_loss(level: f64, error: f64) -> f64 {
    if error >= 0.0 { level * error } else { (level - 1.0) * error }
}

/// F is constant between neighbouring responses, so that the integral is a sum.
fn ranked_probability(sums: &mut Sums, responses: &[f64], y: f64) -> f64 {
    let (mut score, mut below, mut last) = (0.0, 0.0, None::<f64>);
    sums.take(|rank, weight| {
        let value = responses[rank as usize];
        // Below the smallest value F is 0: only what is above y counts.
        let from = last.unwrap_or_else(|| y.min(value));
        let at = y.clamp(from, value);
        let above: f64 = 1.0 - below;
        score += below * below * (at - from) + above * above * (value - at);
        below += weight;
        last = Some(value);
    });
    // Above the largest value F is 1.
    score + last.map_or(0.0, |last| (y - last).max(0.0))
}

/// Ranks of one class follow one another.
fn brier(sums: &mut Sums, classes: &[f64], y: f64) -> f64 {
    let (mut squares, mut of_y, mut of_class, mut last) = (0.0, 0.0, 0.0, None);
    sums.take(|rank, weight| {
        let class = classes[rank as usize];
        if last != Some(class) {
            squares += of_class * of_class;
            of_class = 0.0;
            last = Some(class);
        }
        of_class += weight;
        if class == y {
            of_y += weight;
        }
    });
    squares + of_class * of_class - 2.0 * of_y + 1.0
}
