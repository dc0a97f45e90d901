//! True indices by draws from exact conditional laws.

use wald::simulate::Numbers;

use crate::masking::worlds::{Response, World};

/// No other study of this program draws this part.
const PART: u32 = 5_001;

/// Draws that true values rest on: per input, and per set of inputs for Shapley effects.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draws {
    pub(crate) per_input: usize,
    /// 0 where Shapley effects are not asked for.
    pub(crate) per_set: usize,
}

/// What is true of a design.
#[derive(Debug, Clone)]
pub(super) struct Truth {
    /// Of the response.
    pub(super) variance: f64,
    /// By input, as a share of the response's variance.
    pub(super) total_sobol: Vec<f64>,
    /// The same; none where they are not asked for.
    pub(super) shapley_effects: Vec<f64>,
}

impl Truth {
    pub(super) fn of(world: &World, draws: Draws) -> Self {
        let (n, n_draws) = (world.n_inputs, draws.per_input);
        let signals = signals(world, n_draws);
        let mean = signals.iter().sum::<f64>() / n_draws as f64;
        let signal_variance =
            signals.iter().map(|signal| (signal - mean).powi(2)).sum::<f64>() / n_draws as f64;
        let variance = match world.response {
            Response::Number { noise } => signal_variance / (1.0 - noise),
            Response::Classes => mean * (1.0 - mean),
        };
        let all = (1_usize << n) - 1;
        let total_sobol =
            (0..n).map(|input| left(world, all ^ (1 << input), n_draws) / variance).collect();
        let shapley_effects = if draws.per_set == 0 {
            Vec::new()
        } else {
            // What is left to explain for those who know a set, of all sets.
            let left = |known| {
                if known == all { 0.0 } else { left(world, known, draws.per_set) / variance }
            };
            shapley(&(0..1_usize << n).map(left).collect::<Vec<f64>>(), n)
        };
        Self { variance, total_sobol, shapley_effects }
    }
}

fn signals(world: &World, n_draws: usize) -> Vec<f64> {
    let (mut numbers, root) = (Numbers::new(0, PART), world.root());
    (0..n_draws).map(|_| world.signal_of(&World::draw_normal(&root, &mut numbers))).collect()
}

/// Variance of the signal given a set of inputs (its bits), in the mean: half the squared difference
/// of two draws that share them.
fn left(world: &World, known: usize, n_draws: usize) -> f64 {
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
        sum += (world.signal_of(&one) - world.signal_of(&moved)).powi(2);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masking::worlds::{FRIEDMAN, G, WORLDS};

    fn truth(name: &str, per_set: usize) -> Truth {
        let world = WORLDS.iter().find(|world| world.name.starts_with(name)).expect("a design");
        Truth::of(world, Draws { per_input: 20_000, per_set })
    }

    /// Of 20,000 draws: four standard errors of half a squared difference are about 4 % of it.
    fn is_near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 0.05 * expected + 1e-12
    }

    #[test]
    fn draws_agree_with_closed_forms() {
        // Of x4 given its stand-in: the variance of a uniform number less that of its mean given the
        // stand-in, whose normal numbers are correlated by the square of the correlation.
        let found = truth("Friedman", 0);
        let of_x4 =
            100.0 / 12.0 - 100.0 / (2.0 * std::f64::consts::PI) * (FRIEDMAN.powi(2) / 2.0).asin();
        assert!(is_near(found.total_sobol[3] * found.variance, of_x4));
        assert!(is_near(found.total_sobol[4] * found.variance, 25.0 / 12.0));
        assert!(found.total_sobol[5..].iter().all(|value| *value < 1e-20));

        // Of normal inputs: the squared coefficient times the variance given all others. Among three
        // of correlation .7 that is 1 - 2 * .49 / 1.7.
        let found = truth("linear", 2_000);
        let variance = (2.0 + 2.0 * 0.7 + 1.0) / 0.9;
        assert!(is_near(found.variance, variance));
        let expected = [1.0 - 0.98 / 1.7, 1.0 - 0.98 / 1.7, 0.0, 1.0 - 0.64, 0.0, 0.0];
        for (found, expected) in found.total_sobol.iter().zip(expected) {
            assert!(is_near(found * variance, expected), "{found} {expected}");
        }
        // Shapley effects: the pair x4, x5 shares what x4 explains of x5 equally (Owen & Prieur 2017).
        assert!((found.shapley_effects[3] * variance - (1.0 - 0.32)).abs() < 0.1);
        assert!((found.shapley_effects[4] * variance - 0.32).abs() < 0.1);
        let sum: f64 = found.shapley_effects.iter().sum();
        assert!((sum - 0.9).abs() < 0.08, "{sum}");

        // The g-function (Saltelli & Sobol' 1995).
        let found = truth("g-function", 0);
        let own = G.map(|a| 1.0 / (3.0 * (1.0 + a) * (1.0 + a)));
        let all: f64 = own.iter().map(|own| 1.0 + own).product();
        assert!(is_near(0.9 * found.variance, all - 1.0));
        for (found_of, own) in found.total_sobol.iter().zip(own) {
            let expected = own * all / (1.0 + own);
            assert!(is_near(found_of * found.variance, expected), "{found_of} {expected}");
        }
    }

    #[test]
    fn example_1_has_the_limits_of_its_paper() {
        let found = truth("interaction", 0);
        // Table 3 of Bénard et al. 2022, in closed form.
        let expected = [0.0673, 0.0673, 0.4722, 0.1008, 0.1008];
        for (found, expected) in found.total_sobol.iter().zip(expected) {
            assert!((found - expected).abs() < 0.1 * expected, "{found} {expected}");
        }
    }
}
