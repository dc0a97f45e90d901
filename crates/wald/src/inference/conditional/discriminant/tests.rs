//! Discriminants of small tables, against scipy and by what they explain.

use super::*;
use crate::data::{Column, Dataset, Target};
use crate::random::{Purpose, Stream};

fn classes(codes: Vec<u32>, n_classes: u32) -> Dataset {
    let x = Column::numeric("x", vec![0.0; codes.len()]).expect("finite");
    let names = (0..n_classes).map(|class| class.to_string()).collect();
    let target = Target::classification("y", names, codes).expect("classes");
    Dataset::new(vec![x], target).expect("consistent")
}

/// Probabilities of `scipy.stats.multivariate_normal`, with the covariance matrix of the means of classes by
/// `scipy.linalg.eigh(between, within)`: of weighted rows, where means vary on both axes, where they vary on one, and
/// without the rows of a fold.
#[test]
fn probabilities_are_those_of_normal_distributions() {
    let rows = [
        [0.0, 1.0],
        [1.0, 0.0],
        [2.0, 2.0],
        [4.0, 1.0],
        [5.0, 5.0],
        [3.0, 0.0],
        [1.0, 4.0],
        [6.0, 2.0],
        [2.0, 5.0],
    ];
    let terms: Vec<f64> = rows.iter().flat_map(|[x, z]| [1.0, *x, *z]).collect();
    let weights = vec![1.0, 2.0, 1.0, 1.0, 3.0, 1.0, 2.0, 1.0, 1.0];
    let both = [0, 1, 0, 2, 2, 1, 0, 2, 0];
    let one = [0, 0, 0, 2, 2, 1, 1, 2, 1];
    let cases = [
        (both, None, [1.0, 2.0], [0.711_066_125, 0.285_055_126, 0.003_878_748]),
        (both, None, [4.0, 3.0], [0.041_747_583, 0.110_069_448, 0.848_182_969]),
        (one, None, [1.0, 2.0], [0.606_530_576, 0.392_599_527, 0.000_869_897]),
        (one, None, [2.5, 1.0], [0.293_241_539, 0.670_514_218, 0.036_244_244]),
        (both, Some(0), [4.0, 3.0], [0.364_398_234, 0.088_756_762, 0.546_845_004]),
    ];
    for (codes, without, [x, z], expected) in cases {
        let data = classes(codes.to_vec(), 3).with_weights(weights.clone()).expect("positive");
        let truth = Truth::new(&data, &[0, 1, 1, 1, 0, 1, 1, 1, 1]);
        let known =
            Discriminant::new(&truth, (&terms, 0), &codes, without).expect("a discriminant");
        let mut made = [0.0; 3];
        known.predict(&[1.0, x, z], &mut made);
        for (made, expected) in made.iter().zip(expected) {
            assert!((made - expected).abs() < 1e-8, "{made} {expected}");
        }
    }
}

/// Twelve classes on the sum of three terms, ten rows each: most of what can be known of rows that are left out is
/// learned, with a term besides; of classes at random nothing is, though four terms are fitted to the rows.
#[test]
fn classes_of_few_rows_on_a_line_are_learned_and_noise_is_not() {
    let mut stream = Stream::new(5, 0, Purpose::Folds);
    let fold_of: Vec<u32> = (0..120).map(|row| row % 10).collect();
    let explained = |of_terms: &dyn Fn(&[f64], f64) -> f64, stream: &mut Stream| {
        let terms: Vec<f64> = (0..120)
            .flat_map(|_| [1.0, stream.unit(), stream.unit(), stream.unit(), stream.unit()])
            .collect();
        let places: Vec<f64> =
            terms.chunks_exact(5).map(|terms| of_terms(terms, stream.unit())).collect();
        let rank = |of: &f64| places.iter().filter(|place| *place < of).count() as u32;
        let data = classes(places.iter().map(|place| rank(place) / 10).collect(), 12);
        let found = learn(&Truth::new(&data, &fold_of), &terms, 0).expect("a fit");
        1.0 - found.error / (120.0 * 11.0 / 12.0)
    };
    let mut of_sum = 0.0;
    let mut of_noise = 0.0;
    for _ in 0..10 {
        let sum = |terms: &[f64], _: f64| terms[1] + terms[2] + terms[3];
        of_sum += explained(&sum, &mut stream) / 10.0;
        of_noise += explained(&|_, noise| noise, &mut stream) / 10.0;
    }
    assert!(of_sum > 0.3, "{of_sum}");
    assert!((-0.05..0.0).contains(&of_noise), "{of_noise}");
}

/// Codes of levels that follow classes are used, without any other term, too; those that show what others show as
/// well are left out.
#[test]
fn levels_of_other_columns_are_used_but_not_twice() {
    let mut stream = Stream::new(3, 0, Purpose::Folds);
    let fold_of: Vec<u32> = (0..300).map(|row| row % 10).collect();
    let mut noisy = |code: u32| {
        if stream.unit() < 0.7 { code } else { (12.0 * stream.unit()) as u32 }
    };
    let codes: Vec<u32> = (0..300).map(|row| row * 7 % 12).collect();
    let near: Vec<u32> = codes.iter().map(|&code| noisy(code)).collect();
    let far: Vec<u32> = near.iter().map(|&code| noisy(code)).collect();
    let data = classes(codes, 12);
    let truth = Truth::new(&data, &fold_of);
    let learned = |columns: &[&[u32]]| {
        let row = |row: usize| {
            let codes = columns.iter().map(move |column| f64::from(column[row]));
            std::iter::once(1.0).chain(codes)
        };
        let terms: Vec<f64> = (0..300).flat_map(row).collect();
        let fit = learn(&truth, &terms, columns.len()).expect("a fit");
        let Model::Discriminant(Discriminant { used, .. }) = fit.model else { panic!("linear") };
        (1.0 - fit.error / (300.0 * 11.0 / 12.0), used)
    };
    let (of_near, _) = learned(&[&near]);
    let (of_far, _) = learned(&[&far]);
    // Of the row's own class .73, else shares of .025: .5 of the variance with the true probabilities.
    assert!(of_near > 0.45 && of_far > 0.15 && of_far < 0.3, "{of_near} {of_far}");
    let (of_both, used) = learned(&[&far, &near]);
    assert_eq!(used, [false, true]);
    assert!((of_both - of_near).abs() < 1e-12, "{of_both} {of_near}");
}

/// A class whose only row is in a fold has no probability there; a term that is constant, or another one again, does
/// no harm; with as many terms as rows beyond classes nothing is learned.
#[test]
fn classes_without_rows_and_repeated_terms_are_allowed() {
    let codes: Vec<u32> =
        (0..40).map(|row| if row == 7 { 2 } else { u32::from(row >= 20) }).collect();
    let place = |row: u32| f64::from(row) / 20.0 - 1.0;
    let terms: Vec<f64> =
        (0..40).flat_map(|row| [1.0, place(row), 0.0, place(row) + 1.0]).collect();
    let data = classes(codes, 3);
    let fold_of: Vec<u32> = (0..40).map(|row| row % 10).collect();
    let truth = Truth::new(&data, &fold_of);
    let found = learn(&truth, &terms, 0).expect("a fit");
    assert_eq!(found.predictions[3 * 7 + 2], 0.0);
    assert!(found.predictions[3 * 7] > 0.8 && found.predictions[3 * 30 + 1] > 0.8);
    let wide: Vec<f64> = (0..40).flat_map(|_| [1.0; 40]).collect();
    assert!(learn(&truth, &wide, 0).is_none());
}
