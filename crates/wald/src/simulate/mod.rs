//! The designs of the papers' simulations, drawn from a seed.
//!
//! Rows are drawn one after the other, so that a smaller sample is the beginning of a larger one
//! with the same seed. The bits do not depend on the platform: logarithm and sine are computed by
//! the `libm` crate, in software, and all else is arithmetic.

mod benard_example_1;
mod benard_example_2;
mod design;
mod friedman_1;
mod li_identification;
mod li_leaf_size;
mod normal;
mod numbers;
mod table;

pub use benard_example_1::BenardExample1;
pub use benard_example_2::BenardExample2;
pub use design::{Design, DesignInfo};
pub use friedman_1::Friedman1;
pub use li_identification::{LiIdentification, LiReading};
pub use li_leaf_size::LiLeafSize;
pub use numbers::Numbers;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{ColumnData, Dataset, Response, Task};
    use crate::error::Error;

    fn numbers(data: &Dataset, column: usize) -> &[f64] {
        match data.features().columns()[column].data() {
            ColumnData::Numeric(values) => values,
            ColumnData::Categorical(_) => &[],
        }
    }

    fn target(data: &Dataset) -> Vec<f64> {
        match data.target().response() {
            Response::Regression(values) => values.clone(),
            Response::Classification(classes) => {
                classes.codes().iter().map(|&code| f64::from(code)).collect()
            }
            Response::Several(_) => panic!("one target"),
        }
    }

    fn moments(x: &[f64], y: &[f64]) -> (f64, f64) {
        let n = x.len() as f64;
        let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
        (mean_x, x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / n)
    }

    #[test]
    fn samples_begin_alike_and_seeds_differ() {
        for &design in Design::ALL {
            let (few, more) = (
                design.draw(20, 3).expect("a valid design"),
                design.draw(50, 3).expect("a valid design"),
            );
            assert_eq!(numbers(&few, 4), &numbers(&more, 4)[..20]);
            assert_eq!(target(&few), target(&more)[..20]);
            let other = design.draw(20, 4).expect("a valid design");
            assert_ne!(numbers(&few, 4), numbers(&other, 4));
            assert_ne!(target(&few), target(&other));
        }
    }

    #[test]
    fn example_1_has_the_correlations_and_the_variance_of_the_paper() {
        // Standard errors at 200,000 rows: about .003 for moments of inputs; the target has heavy
        // tails (fourth central moment about 240), so .035 for its variance.
        let data = Design::BenardExample1.draw(200_000, 11).expect("a valid design");
        let expected = |a: usize, b: usize| match (a, b) {
            (0, 1) => 0.9,
            (3, 4) => 0.6,
            _ => f64::from(u8::from(a == b)),
        };
        for a in 0..5 {
            for b in a..5 {
                let (mean, covariance) = moments(numbers(&data, a), numbers(&data, b));
                assert!(mean.abs() < 0.01, "x{} has mean {mean}", a + 1);
                assert!((covariance - expected(a, b)).abs() < 0.015, "{a} {b}: {covariance}");
            }
        }
        let (mean, variance) = moments(&target(&data), &target(&data));
        assert!((mean - 0.975).abs() < 0.016, "{mean}");
        assert!((variance - 3.174_306).abs() < 0.14, "{variance}");
    }

    #[test]
    fn example_2_has_groups_of_equal_correlation() {
        let data = Design::BenardExample2.draw(20_000, 5).expect("a valid design");
        assert_eq!(data.n_features(), 200);
        for (a, b, expected) in [(0, 1, 0.8), (0, 39, 0.8), (0, 40, 0.0), (199, 160, 0.8)] {
            let covariance = moments(numbers(&data, a), numbers(&data, b)).1;
            assert!((covariance - expected).abs() < 0.04, "{a} {b}: {covariance}");
        }
        // V[Y] = 8 / .9; its standard error is V[Y] sqrt(2 / n) = .09.
        let variance = moments(&target(&data), &target(&data)).1;
        assert!((variance - 8.0 / 0.9).abs() < 0.36, "{variance}");
    }

    #[test]
    fn friedman_1_is_its_function_plus_noise_of_variance_1() {
        let data = Design::Friedman1.draw(50_000, 2).expect("a valid design");
        let design = Friedman1::default();
        let residuals: Vec<f64> = (0..data.n_rows())
            .map(|row| {
                let x: [f64; 5] = std::array::from_fn(|column| numbers(&data, column)[row]);
                assert!(x.iter().all(|value| (0.0..1.0).contains(value)));
                target(&data)[row] - design.signal(&x)
            })
            .collect();
        let (mean, variance) = moments(&residuals, &residuals);
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
        // 10 sin(pi / 4) + 20 / 16 + 2.5 + 1.25 at x = (.5, .5, .25, .25, .25).
        let signal = design.signal(&[0.5, 0.5, 0.25, 0.25, 0.25]);
        assert!((signal - (50.0_f64.sqrt() + 1.25 + 2.5 + 1.25)).abs() < 1e-12);
    }

    #[test]
    fn the_inputs_of_li_et_al_have_their_distributions() {
        let data = Design::LiLeafSize.draw(60_000, 3).expect("a valid design");
        // Means and variances of a normal number, and of 0, ..., k - 1.
        let expected = [(0.0, 1.0), (0.5, 0.25), (1.5, 1.25), (4.5, 8.25), (9.5, 33.25)];
        for (column, (mean, variance)) in expected.into_iter().enumerate() {
            let (found, spread) = moments(numbers(&data, column), numbers(&data, column));
            assert!((found - mean).abs() < 4.0 * (variance / 6e4_f64).sqrt(), "{column}: {found}");
            assert!((spread / variance - 1.0).abs() < 0.03, "{column}: {spread}");
        }
        let y = target(&data);
        for (coin, expected) in [(0.0, 1.0 / 3.0), (1.0, 2.0 / 3.0)] {
            let of_coin = numbers(&data, 1).iter().zip(&y).filter(|(x, _)| **x == coin);
            let ones = of_coin.clone().filter(|(_, y)| **y == 1.0).count() as f64;
            let share = ones / of_coin.count() as f64;
            assert!((share - expected).abs() < 0.012, "{share}");
        }
    }

    #[test]
    fn five_of_the_first_ten_inputs_matter_as_each_reading_says() {
        for reading in [LiReading::Program, LiReading::Text] {
            let design = LiIdentification { reading, ..LiIdentification::of(Task::Regression) };
            let relevant = design.relevant(8);
            assert!(relevant.len() == 5 && relevant.is_sorted() && relevant[4] < 10);
            assert_ne!(relevant, design.relevant(9));
            let data = design.draw(60_000, 8).expect("a valid design");
            let signal: Vec<f64> = (0..data.n_rows())
                .map(|row| {
                    let share = |&j: &usize| numbers(&data, j)[row] / (j as f64 + 1.0);
                    relevant.iter().map(share).sum::<f64>() / 5.0
                })
                .collect();
            let variance = moments(&signal, &signal).1;
            let y = target(&data);
            let noise: Vec<f64> = y.iter().zip(&signal).map(|(y, signal)| y - signal).collect();
            let spread = moments(&noise, &noise).1.sqrt();
            let expected = match reading {
                LiReading::Program => 100.0 * variance,
                LiReading::Text => 10.0 * variance.sqrt(),
            };
            assert!((spread / expected - 1.0).abs() < 0.03, "{spread} {expected}");
            let classes = LiIdentification { task: Task::Classification, ..design };
            let y = target(&classes.draw(60_000, 8).expect("a valid design"));
            let share = y.iter().sum::<f64>() / 6e4;
            // The mean of the relevant inputs is .5, about which the logistic function is odd.
            let expected = reading.probability(0.5, 2.0);
            assert!((share - expected).abs() < 0.01, "{share} {expected}");
        }
    }

    #[test]
    fn impossible_designs_are_refused() {
        let wrong = [
            BenardExample1 { rho_12: 1.1, ..BenardExample1::default() },
            BenardExample1 { noise_share: 1.0, ..BenardExample1::default() },
            BenardExample1 { sigma: [1.0, -1.0, 1.0, 1.0, 1.0], ..BenardExample1::default() },
        ];
        for design in wrong {
            assert!(matches!(design.draw(10, 0), Err(Error::Setting { .. })));
        }
        assert!(matches!(Design::Friedman1.draw(0, 0), Err(Error::Data { .. })));
        let wrong = LiLeafSize { effect: 2.5 }.draw(10, 0);
        assert!(matches!(wrong, Err(Error::Setting { .. })));
        let design = LiIdentification::of(Task::Regression);
        assert!(matches!(design.draw_with(&[50], 10, 0), Err(Error::Setting { .. })));
    }
}
