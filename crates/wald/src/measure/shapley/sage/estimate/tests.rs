//! Means and errors, by hand.

use super::*;

/// A visit of a block in which no row differs from the mean over all rows.
fn visit(block: usize, weight: f64, means: [Vec<Observed>; 2]) -> Visit {
    let products = vec![0.0; means[0].len()];
    let (gap, gap_squares, total_squares) = (0.0, 0.0, 1.0);
    let n_samples = 2;
    Visit { block, n_samples, weight, gap, gap_squares, total_squares, means, products }
}

fn assert_all(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found}, {expected}");
    }
}

/// Two blocks, one of three times the weight: two sets of the first, four of the second.
fn estimate(observed: impl Fn(f64, f64) -> [Observed; 2]) -> Estimate {
    let mut estimate = Estimate::new(2, 2, 4.0);
    for (block, weight, noises) in
        [(0, 1.0, [(0.1, 0.7), (-0.5, 0.2)]), (1, 3.0, [(0.3, -0.4), (0.9, 0.3)])]
    {
        estimate.add(&visit(block, weight, noises.map(|(a, b)| observed(a, b).to_vec())));
    }
    let noises = [(-0.2, 0.6), (0.4, -0.9)];
    estimate.add(&visit(1, 3.0, noises.map(|(a, b)| observed(a, b).to_vec())));
    estimate
}

/// Without control variates: weighted means of blocks, and the pooled variance of their sets, by
/// hand.
#[test]
fn errors_are_those_of_weighted_means_of_sets() {
    let found = estimate(|a, b| [[1.0 + a, 0.0, 0.0], [2.0 + b, 0.0, 0.0]]);
    let mean = |sets: &[f64]| sets.iter().sum::<f64>() / sets.len() as f64;
    for (player, base, first, second) in
        [(0, 1.0, [0.1, -0.5], [0.3, 0.9, -0.2, 0.4]), (1, 2.0, [0.7, 0.2], [-0.4, 0.3, 0.6, -0.9])]
    {
        let value = base + 0.25 * mean(&first) + 0.75 * mean(&second);
        assert_all(&found.values()[player..=player], &[value]);
        // By the share of its weight, a block counts for so many times its own.
        let squares = |sets: &[f64], share: f64| -> f64 {
            let of_set = |set: &f64| (share * (set - mean(sets))).powi(2);
            sets.iter().map(of_set).sum()
        };
        let pooled = (squares(&first, 0.5) + squares(&second, 1.5)) / 4.0;
        let error = (pooled * (1.0 / 2.0 + 1.0 / 4.0) / 4.0).sqrt();
        let errors = found.standard_errors().expect("four degrees of freedom");
        assert_all(&errors[player..=player], &[error]);
    }
}

/// Control variates that explain everything leave no error, and values that are off by nothing.
#[test]
fn what_control_variates_tell_is_taken_away() {
    let exact = vec![[4.0, -1.0], [5.0, 3.0]];
    let observed = |a: f64, b: f64| {
        let value = |base: f64, first: f64, second: f64| base + 2.0 * first - 3.0 * second;
        [[value(1.0, a, b), 4.0 + a, -1.0 + b], [value(2.0, -a, a * b), 5.0 - a, 3.0 + a * b]]
    };
    let mut found = estimate(observed);
    assert!(found.left_by_controls() < 1e-12, "{}", found.left_by_controls());
    assert!(found.values()[0] > 1.1, "not yet: {:?}", found.values());
    found.control(exact);
    assert_all(&found.values(), &[1.0, 2.0]);
    let errors = found.standard_errors().expect("four degrees of freedom");
    assert!(errors.iter().all(|error| *error < 1e-6), "{errors:?}");
}

/// One control variate that explains half: slope, squares and degrees of freedom by hand.
#[test]
fn slopes_take_degrees_of_freedom() {
    let mut found = Estimate::new(3, 1, 1.0);
    let sets = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
    for pair in sets.chunks_exact(2) {
        let of_set = |(known, unknown): (f64, f64)| {
            let value = 3.0 * known + unknown;
            vec![[value, known, 0.0], [-value, -known, 0.0], [0.0; 3]]
        };
        found.add(&visit(0, 1.0, [of_set(pair[0]), of_set(pair[1])]));
    }
    let error = |found: &Estimate| found.standard_errors().expect("three degrees")[0];
    // Squares of 3 k + u over four sets, and of u alone.
    assert_all(&[error(&found)], &[(40.0 / 3.0 / 4.0_f64).sqrt()]);
    assert_all(&[found.left_by_controls()], &[0.1]);
    found.control(vec![[0.5, 0.0], [-0.5, 0.0], [0.0, 0.0]]);
    assert_all(&found.values(), &[1.5, -1.5, 0.0]);
    // Three degrees, of which two slopes take one from each player: two players are free.
    assert_all(&[error(&found)], &[(4.0 / 2.0 / 4.0_f64).sqrt()]);
}

/// Four of eight blocks, of half of the weight, by hand: what differs between blocks counts by the
/// share that was not seen, what differs within them by the share that was.
#[test]
fn blocks_not_seen_leave_errors_between_blocks() {
    let mut found = Estimate::new(1, 8, 20.0);
    let blocks = [(1.0, 3.0, 0.2), (4.0, 1.0, 0.6), (2.0, 2.0, 0.1), (3.0, 5.0, 0.4)];
    for (block, (weight, mean, half)) in blocks.into_iter().enumerate() {
        let set = |value: f64| vec![[value, 0.0, 0.0]];
        found.add(&visit(block, weight, [set(mean - half), set(mean + half)]));
    }
    let mean = (3.0 + 4.0 + 4.0 + 15.0) / 10.0;
    assert_all(&found.values(), &[mean]);
    let without = |weight: f64, of_block: f64| (26.0 - weight * of_block) / (10.0 - weight);
    let between = blocks.map(|(weight, of_block, _)| (without(weight, of_block) - mean).powi(2));
    let within = blocks.map(|(weight, _, half)| {
        let half: f64 = weight / 20.0 * 8.0 * half;
        2.0 * half.powi(2)
    });
    let between = 0.5 * between.iter().sum::<f64>() * 3.0 / 4.0;
    let within = 0.5 * within.iter().sum::<f64>() / 4.0 * (4.0 * 0.5) / 4.0;
    let errors = found.standard_errors().expect("enough blocks");
    assert_all(&errors, &[(between + within / 4.0).sqrt()]);
}
