//! A game near that of the forest, all of whose sets are known.
//!
//! Least squares over sets that were drawn have an error of what sets are worth beyond the sum of
//! their players, which is large where players can replace each other. What a linear regression on
//! scores of the columns explains is much like it, costs nothing, and has Shapley values over all
//! sets (LMG; Grömping 2007). So only the difference between the two games is left to the draws,
//! which is without bias, however unlike they are.

use super::coalitions::Coalition;
use crate::data::{RankedKind, Training, TrainingResponse};
use crate::measure::kernel::used_features::Players;
use crate::pass::Subject;

/// All sets of more players take long, and covariances of more columns.
const MOST_PLAYERS: usize = 14;
const MOST_COLUMNS: usize = 60;

/// Of more classes, every one would need scores of its own.
const MOST_CLASSES: usize = 10;

/// A number's score is the mean response of the rows of so many equal parts of its values.
const PARTS: usize = 16;

/// Means of few rows are drawn to the mean of all, by so many rows.
const SHRINKING: f64 = 5.0;

/// A column of less own variance than this share adds nothing but rounding.
const NOTHING: f64 = 1e-9;

/// What sets of players explain in linear regressions on scores.
#[derive(Debug)]
pub(super) struct Likeness {
    /// By set, as bits.
    worth: Vec<f64>,
    pub(super) shares: Vec<f64>,
}

impl Likeness {
    /// `None` of too many players, columns or classes. Cost O(rows * columns^2 + sets * columns^3) for
    /// every class.
    pub(super) fn new(subject: Subject<'_>, players: &Players) -> Option<Self> {
        let (training, groups) = (subject.training, subject.groups);
        let n = players.len();
        let player = |column: u32| {
            let group = groups.of_column()[training.features().original(column) as usize];
            players.of_group(group as usize)
        };
        let columns = (0..training.features().n_columns() as u32)
            .filter_map(|column| Some((column, player(column)?)));
        let columns: Vec<(u32, u32)> = columns.collect();
        if n > MOST_PLAYERS || columns.len() > MOST_COLUMNS {
            return None;
        }
        let outputs = match training.response() {
            TrainingResponse::Numbers { .. } => 0..1,
            TrainingResponse::Classes { n_classes: 2, .. } => 1..2,
            TrainingResponse::Classes { n_classes, .. } if *n_classes <= MOST_CLASSES => {
                0..*n_classes
            }
            TrainingResponse::Classes { .. } | TrainingResponse::Several(_) => return None,
        };
        let (mut worth, mut variance) = (vec![0.0; 1 << n], 0.0);
        for output in outputs {
            let game = Game::new(training, &columns, output);
            worth.iter_mut().enumerate().for_each(|(set, worth)| *worth += game.explained(set));
            variance += game.variance;
        }
        if variance <= 0.0 {
            return None;
        }
        worth.iter_mut().for_each(|worth| *worth /= variance);
        let shares = shapley(n, &worth);
        Some(Self { worth, shares })
    }

    pub(super) fn of_set(&self, set: &Coalition) -> f64 {
        self.worth[set.bits() as usize]
    }

    pub(super) fn of_all(&self) -> f64 {
        self.worth[self.worth.len() - 1]
    }
}

/// The regression of one output.
struct Game {
    /// The player of every column.
    players: Vec<u32>,
    /// Of scores with each other, columns * columns, and with the output.
    covariances: Vec<f64>,
    with_output: Vec<f64>,
    variance: f64,
}

impl Game {
    fn new(training: &Training, columns: &[(u32, u32)], output: usize) -> Self {
        let rows = || 0..training.n_rows() as u32;
        let weight: f64 = rows().map(|row| training.weight(row)).sum();
        let sum: f64 = rows().map(|row| training.weight(row) * at(training, row, output)).sum();
        let mean = sum / weight;
        let response: Vec<f64> = rows().map(|row| at(training, row, output) - mean).collect();
        let weights: Vec<f64> = rows().map(|row| training.weight(row) / weight).collect();
        let scores: Vec<Vec<f64>> =
            columns.iter().map(|(column, _)| scores(training, *column, &response)).collect();
        let product = |one: &[f64], other: &[f64]| -> f64 {
            one.iter().zip(other).zip(&weights).map(|((a, b), weight)| weight * a * b).sum()
        };
        let mut covariances = Vec::with_capacity(columns.len() * columns.len());
        for one in &scores {
            covariances.extend(scores.iter().map(|other| product(one, other)));
        }
        Self {
            players: columns.iter().map(|(_, player)| *player).collect(),
            covariances,
            with_output: scores.iter().map(|scores| product(scores, &response)).collect(),
            variance: product(&response, &response),
        }
    }

    /// The variance that the columns of a set explain: the sum of squares of what every column adds to
    /// those before it (Cholesky).
    fn explained(&self, set: usize) -> f64 {
        let n = self.players.len();
        let members: Vec<usize> = (0..n).filter(|&at| set >> self.players[at] & 1 == 1).collect();
        let mut factors: Vec<Vec<f64>> = Vec::with_capacity(members.len());
        let mut added: Vec<f64> = Vec::with_capacity(members.len());
        let mut kept: Vec<usize> = Vec::with_capacity(members.len());
        for column in members {
            let mut factor: Vec<f64> = Vec::with_capacity(kept.len() + 1);
            for (&other, before) in kept.iter().zip(&factors) {
                let common: f64 = factor.iter().zip(before).map(|(a, b)| a * b).sum();
                let covariance = self.covariances[column * n + other];
                factor.push((covariance - common) / before[before.len() - 1]);
            }
            let variance = self.covariances[column * n + column];
            let own = variance - factor.iter().map(|a| a * a).sum::<f64>();
            if own <= NOTHING * variance {
                continue;
            }
            let known: f64 = factor.iter().zip(&added).map(|(a, b)| a * b).sum();
            added.push((self.with_output[column] - known) / own.sqrt());
            factor.push(own.sqrt());
            factors.push(factor);
            kept.push(column);
        }
        added.iter().map(|a| a * a).sum()
    }
}

/// The output of a row, far from no digit of which is lost to a common offset.
fn at(training: &Training, row: u32, output: usize) -> f64 {
    match training.response() {
        TrainingResponse::Numbers { centred, .. } => centred[row as usize],
        TrainingResponse::Classes { .. } => training.response_at(row, output),
        TrainingResponse::Several(several) => several.centred_row(row)[output],
    }
}

/// The mean response of the rows of the same part or level, of mean zero.
fn scores(training: &Training, column: u32, response: &[f64]) -> Vec<f64> {
    let ranked = training.features().column(column);
    let n_codes = ranked.n_codes();
    let n_parts = match ranked.kind() {
        RankedKind::Ordered(_) => PARTS.min(n_codes),
        RankedKind::Unordered { .. } => n_codes,
    };
    // Missing values are a part of their own.
    let part = |code: u32| ((code as usize).min(n_codes) * n_parts) / n_codes.max(1);
    let mut sums = vec![(0.0, 0.0); n_parts + 1];
    for (row, (&code, response)) in ranked.codes().iter().zip(response).enumerate() {
        let weight = training.weight(row as u32);
        let (sum, total) = &mut sums[part(code)];
        *sum += weight * response;
        *total += weight;
    }
    let means: Vec<f64> = sums.iter().map(|(sum, total)| sum / (total + SHRINKING)).collect();
    let total: f64 = sums.iter().map(|(_, total)| total).sum();
    let parts = means.iter().zip(&sums);
    let mean = parts.map(|(mean, (_, of_part))| mean * of_part).sum::<f64>() / total;
    ranked.codes().iter().map(|&code| means[part(code)] - mean).collect()
}

/// Shapley values of a game, by sets as bits.
fn shapley(n: usize, worth: &[f64]) -> Vec<f64> {
    // 1 / (n * (n - 1 choose size)).
    let mut share = vec![1.0 / n as f64; n];
    for size in 1..n {
        share[size] = share[size - 1] * size as f64 / (n - size) as f64;
    }
    let of_player = |player: usize| -> f64 {
        let without = (0..worth.len()).filter(|set| set >> player & 1 == 0);
        without
            .map(|set| share[set.count_ones() as usize] * (worth[set | 1 << player] - worth[set]))
            .sum()
    };
    (0..n).map(of_player).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_two_players_and_one_that_adds_nothing() {
        // By hand: the players 0 and 1 are worth 1 and 2 alone and 5 together.
        let worth = [0.0, 1.0, 2.0, 5.0, 0.0, 1.0, 2.0, 5.0];
        let found = shapley(3, &worth);
        for (found, expected) in found.iter().zip([2.0, 3.0, 0.0]) {
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn regression_explains_what_normal_equations_say() {
        // Two columns of correlation 0.5 with covariances 1 and 0.2 with the output: c' C^-1 c by hand is
        // (1 + 0.04 - 2 * 0.5 * 0.2) / 0.75; a copy of the first adds nothing.
        let game = Game {
            players: vec![0, 1, 2],
            covariances: vec![1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0],
            with_output: vec![1.0, 0.2, 1.0],
            variance: 2.0,
        };
        for (set, expected) in [(0, 0.0), (1, 1.0), (2, 0.04), (3, 0.84 / 0.75), (7, 0.84 / 0.75)] {
            assert!((game.explained(set) - expected).abs() < 1e-12, "{set}");
        }
    }
}
