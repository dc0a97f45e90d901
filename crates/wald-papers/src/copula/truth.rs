//! True indices by draws from exact conditional laws.

use wald::simulate::Numbers;

use crate::copula::world::{Response, World};

/// No other study of this program draws this part.
const PART: u32 = 5_001;

/// Draws that true values rest on: per input, and per set of inputs for Shapley effects.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draws {
    pub(crate) per_input: usize,
    /// 0 where Shapley effects are not asked for.
    pub(crate) per_set: usize,
}

/// A function of the inputs.
pub(crate) type Signal<'a> = dyn Fn(&[f64]) -> f64 + 'a;

/// What is true of a design.
#[derive(Debug, Clone)]
pub(crate) struct Truth {
    /// Of the response.
    pub(crate) variance: f64,
    /// By input, as a share of the response's variance.
    pub(crate) total_sobol: Vec<f64>,
    /// The same; none where they are not asked for.
    pub(crate) shapley_effects: Vec<f64>,
}

impl Truth {
    pub(crate) fn of(world: &World, draws: Draws) -> Self {
        Self::of_signal(world, &world.signal, draws)
    }

    /// Of another signal at the inputs of a design; equal draws, so that what is similar cancels in
    /// differences.
    pub(crate) fn of_signal(world: &World, signal: &Signal<'_>, draws: Draws) -> Self {
        let (n, n_draws) = (world.n_inputs, draws.per_input);
        let left = |known, n_draws| left(world, signal, known, n_draws);
        let signals = signals(world, signal, n_draws);
        let mean = signals.iter().sum::<f64>() / n_draws as f64;
        let signal_variance =
            signals.iter().map(|signal| (signal - mean).powi(2)).sum::<f64>() / n_draws as f64;
        let variance = match world.response {
            Response::Number { noise } => signal_variance / (1.0 - noise),
            Response::Classes => mean * (1.0 - mean),
        };
        let all = (1_usize << n) - 1;
        let total_sobol =
            (0..n).map(|input| left(all ^ (1 << input), n_draws) / variance).collect();
        let shapley_effects = if draws.per_set == 0 {
            Vec::new()
        } else {
            // What is left to explain for those who know a set, of all sets.
            let left = |known| {
                if known == all { 0.0 } else { left(known, draws.per_set) / variance }
            };
            shapley(&(0..1_usize << n).map(left).collect::<Vec<f64>>(), n)
        };
        Self { variance, total_sobol, shapley_effects }
    }
}

fn signals(world: &World, signal: &Signal<'_>, n_draws: usize) -> Vec<f64> {
    let (mut numbers, root) = (Numbers::new(0, PART), world.root());
    let mut draw = || world.inputs_of(&World::draw_normal(&root, &mut numbers));
    (0..n_draws).map(|_| signal(&draw())).collect()
}

/// Variance of the signal given a set of inputs (its bits), in the mean: half the squared difference
/// of two draws that share them.
fn left(world: &World, signal: &Signal<'_>, known: usize, n_draws: usize) -> f64 {
    let (mut numbers, root) = (Numbers::new(1, PART), world.root());
    let known: Vec<usize> = (0..world.n_inputs).filter(|input| known >> input & 1 == 1).collect();
    let weights = regression(&world.correlation(), &known);
    let mut sum = 0.0;
    for _ in 0..n_draws {
        let one = World::draw_normal(&root, &mut numbers);
        // Matheron's rule: an independent draw, moved to where the known inputs are.
        let other = World::draw_normal(&root, &mut numbers);
        let moved: Vec<f64> = (0..world.n_inputs)
            .map(|input| {
                let by = known.iter().zip(&weights[input]);
                other[input] + by.map(|(&at, weight)| weight * (one[at] - other[at])).sum::<f64>()
            })
            .collect();
        let signal = |normal: &[f64]| signal(&world.inputs_of(normal));
        sum += (signal(&one) - signal(&moved)).powi(2);
    }
    0.5 * sum / n_draws as f64
}

/// By input, the coefficients of its regression on the known ones.
fn regression(correlation: &[Vec<f64>], known: &[usize]) -> Vec<Vec<f64>> {
    let solve = |input: usize| {
        let mut rows: Vec<Vec<f64>> = known
            .iter()
            .map(|&one| {
                let row = known.iter().map(|&other| correlation[one][other]);
                row.chain([correlation[one][input]]).collect()
            })
            .collect();
        for pivot in 0..known.len() {
            let scaled: Vec<f64> =
                rows[pivot].iter().map(|cell| cell / rows[pivot][pivot]).collect();
            for (at, row) in rows.iter_mut().enumerate() {
                if at == pivot {
                    row.clone_from(&scaled);
                } else {
                    let factor = row[pivot];
                    row.iter_mut().zip(&scaled).for_each(|(cell, other)| *cell -= factor * other);
                }
            }
        }
        rows.iter().map(|row| row[known.len()]).collect()
    };
    (0..correlation.len()).map(solve).collect()
}

/// Shapley values of n players, given what is left by set.
fn shapley(left: &[f64], n: usize) -> Vec<f64> {
    let factorial = |k: usize| (1..=k).map(|factor| factor as f64).product::<f64>();
    let weight = |size: usize| factorial(size) * factorial(n - 1 - size) / factorial(n);
    (0..n)
        .map(|player| {
            let without = (0..1_usize << n).filter(|set| set >> player & 1 == 0);
            without
                .map(|set| {
                    weight(set.count_ones() as usize) * (left[set] - left[set | 1 << player])
                })
                .sum()
        })
        .collect()
}
