//! Every loss of the forest's prediction, permutation by permutation, against predictions put
//! together by hand.

use std::sync::Arc;

use wald::forest::argmax;
use wald::measure::{Loss, MeasureSettings, Permutations};
use wald::{Dataset, ForestConfig, MeasureId};

use crate::ishwaran_kogalur::{leaf, out_of_bag};
use crate::support::{Numbers, Shape, assert_close, dataset, grow, measure, response, weight};

/// Mean loss, given the means of proportions or votes, judged anew.
fn mean_loss(data: &Dataset, predictions: &[Option<Vec<f64>>], loss: Loss) -> f64 {
    let rows: Vec<(usize, &Vec<f64>)> =
        predictions.iter().enumerate().filter_map(|(row, p)| Some((row, p.as_ref()?))).collect();
    let is_second = |row: usize| response(data, row)[1] == 1.0;
    if loss == Loss::Auc {
        let (mut area, mut pairs) = (0.0, 0.0);
        for &(one, p) in rows.iter().filter(|(row, _)| is_second(*row)) {
            for &(other, q) in rows.iter().filter(|(row, _)| !is_second(*row)) {
                let share = weight(data, one) * weight(data, other);
                let gap = p[1] - q[1];
                pairs += share;
                area +=
                    share * if gap.abs() < 1e-11 { 0.5 } else { f64::from(u8::from(gap > 0.0)) };
            }
        }
        return 1.0 - area / pairs;
    }
    let (mut sum, mut total) = (0.0, 0.0);
    for (row, prediction) in rows {
        let truth = response(data, row);
        let class = truth.iter().position(|y| *y == 1.0).unwrap_or(0);
        let of_row = match loss {
            Loss::Squared => truth.iter().zip(prediction).map(|(y, p)| (y - p).powi(2)).sum(),
            Loss::Absolute => (truth[0] - prediction[0]).abs(),
            Loss::ZeroOne | Loss::ZeroOneVote => f64::from(u8::from(argmax(prediction) != class)),
            Loss::Log => -prediction[class].max(1e-15).ln(),
            Loss::Auc => panic!("no loss of rows"),
        };
        sum += weight(data, row) * of_row;
        total += weight(data, row);
    }
    sum / total
}

/// Every loss with given permutations, against predictions put together by hand.
#[test]
fn all_losses_follow_their_definitions() {
    for n_classes in [0, 2, 3] {
        let data = dataset(Shape { n_rows: 70, n_classes, missing: true, weights: true, seed: 12 });
        let config = ForestConfig { n_trees: 5, mtry: Some(3), ..ForestConfig::default() };
        let forest = grow(&data, &config);
        let bags = forest.bags().expect("own bags");
        let mut numbers = Numbers(3);
        let mut shuffled = |n: u32| {
            let mut order: Vec<u32> = (0..n).collect();
            for last in (1..n).rev() {
                order.swap(last as usize, numbers.below(last + 1) as usize);
            }
            order
        };
        let given: Vec<Vec<Vec<u32>>> = bags
            .iter()
            .map(|bag| (0..6).map(|_| shuffled(out_of_bag(bag).len() as u32)).collect())
            .collect();
        let losses: &[Loss] = match n_classes {
            0 => &[Loss::Squared, Loss::Absolute],
            2 => &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote, Loss::Log, Loss::Auc],
            _ => &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote, Loss::Log],
        };
        for &loss in losses {
            // Predictions with a column permuted, or none.
            let predictions = |column: Option<usize>| -> Vec<Option<Vec<f64>>> {
                let mut sums: Vec<Option<(f64, Vec<f64>)>> = vec![None; data.n_rows()];
                for ((tree, bag), given) in forest.trees().iter().zip(bags).zip(&given) {
                    let rows = out_of_bag(bag);
                    for (place, &row) in rows.iter().enumerate() {
                        let (group, donor) = match column {
                            Some(column) => {
                                (vec![column as u32], rows[given[column][place] as usize])
                            }
                            None => (Vec::new(), row),
                        };
                        let value = tree.value(leaf(&data, tree, row, &group, donor));
                        let predictions = match loss {
                            Loss::ZeroOneVote => {
                                let winner = argmax(&value);
                                (0..value.len()).map(|c| f64::from(u8::from(c == winner))).collect()
                            }
                            _ => value.to_vec(),
                        };
                        let (n, sums) =
                            sums[row].get_or_insert_with(|| (0.0, vec![0.0; value.len()]));
                        *n += 1.0;
                        sums.iter_mut().zip(predictions).for_each(|(sum, value)| *sum += value);
                    }
                }
                let mean = |(n, sums): (f64, Vec<f64>)| sums.iter().map(|sum| sum / n).collect();
                sums.into_iter().map(|sums| sums.map(mean)).collect()
            };
            let permutations = Permutations::Given(Arc::new(given.clone()));
            let settings =
                MeasureSettings { loss: Some(loss), permutations, ..MeasureSettings::default() };
            let found = measure(&data, &forest, MeasureId::MdaIshwaranKogalur, settings);
            let base = mean_loss(&data, &predictions(None), loss);
            let mut largest = 0.0_f64;
            for column in 0..data.n_features() {
                let expected = mean_loss(&data, &predictions(Some(column)), loss) - base;
                let what = format!("{n_classes} classes, {loss:?}, column {column}");
                assert_close(found.values[column].expect("defined"), expected, &what);
                largest = largest.max(expected.abs());
            }
            assert!(largest > 0.01, "{loss:?}: {largest}");
        }
    }
}
