//! Designs in which a variable has a stand-in, and two in which none has.

use std::f64::consts::PI;

use crate::copula::{Margin, Response, World};

/// The number behind an input that stands in for x4 is correlated so with that behind x4.
pub(super) const FRIEDMAN: f64 = 0.8;

/// Two harmless designs are among them: near copies, which nothing hides, and independent inputs.
pub(crate) const WORLDS: [World; 8] = [
    World {
        name: "Friedman 1, stand-in for x4",
        n_inputs: 10,
        correlations: &[(3, 5, FRIEDMAN)],
        margins: &[Margin::Uniform(0.0, 1.0)],
        signal: friedman,
        response: Response::Number { noise: 0.1 },
    },
    World {
        name: "linear",
        n_inputs: 6,
        correlations: &[(0, 1, 0.7), (0, 2, 0.7), (1, 2, 0.7), (3, 4, 0.8)],
        margins: &[Margin::Normal],
        signal: |x| x[0] + x[1] + x[3],
        response: Response::Number { noise: 0.1 },
    },
    World {
        name: "interaction (Bénard's example 1)",
        n_inputs: 5,
        correlations: &[(0, 1, 0.9), (3, 4, 0.6)],
        margins: &[Margin::Normal],
        signal: |x| if x[2] > 0.0 { 1.5 * x[0] * x[1] } else { x[3] * x[4] },
        response: Response::Number { noise: 0.1 },
    },
    World {
        name: "near copy",
        n_inputs: 6,
        correlations: &[(0, 1, 0.98), (3, 5, 0.6)],
        margins: &[Margin::Normal],
        signal: |x| 2.0 * x[0] + x[2] + x[3] * x[4],
        response: Response::Number { noise: 0.1 },
    },
    World {
        name: "Ishigami, x1 with x3",
        n_inputs: 3,
        // A rank correlation of .6.
        correlations: &[(0, 2, 0.618)],
        margins: &[Margin::Uniform(-PI, PI)],
        signal: |x| x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin(),
        response: Response::Number { noise: 0.0 },
    },
    World {
        name: "two classes",
        n_inputs: 6,
        correlations: &[(0, 3, 0.8), (1, 2, 0.5)],
        margins: &[Margin::Normal],
        signal: |x| 1.0 / (1.0 + (-(3.0 * x[0] + 2.0 * x[1] * x[2])).exp()),
        response: Response::Classes,
    },
    World {
        name: "steps",
        n_inputs: 8,
        correlations: &[(0, 4, 0.9), (1, 5, 0.7)],
        margins: &[Margin::Uniform(0.0, 1.0)],
        signal: |x| {
            let step = |is_above: bool| f64::from(u8::from(is_above));
            2.0 * step(x[0] > 0.5) + step(x[1] > 0.3) + 2.0 * (x[2] - 0.5).abs()
        },
        response: Response::Number { noise: 0.3 },
    },
    World {
        name: "g-function, independent",
        n_inputs: 6,
        correlations: &[],
        margins: &[Margin::Uniform(0.0, 1.0)],
        signal: g_function,
        response: Response::Number { noise: 0.1 },
    },
];

/// The factors' weights: the smaller, the more important.
pub(super) const G: [f64; 6] = [0.0, 1.0, 4.5, 9.0, 99.0, 99.0];

fn g_function(x: &[f64]) -> f64 {
    x.iter().zip(G).map(|(x, a)| ((4.0 * x - 2.0).abs() + a) / (1.0 + a)).product()
}

fn friedman(x: &[f64]) -> f64 {
    10.0 * (PI * x[0] * x[1]).sin() + 20.0 * (x[2] - 0.5).powi(2) + 10.0 * x[3] + 5.0 * x[4]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copula::{Draws, Truth};

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
