//! Tests of independence as textbooks write them: correlation, analysis of variance, Pearson's
//! chi-square.

use wald::Dataset;
use wald::data::{Column, ColumnData, MISSING_LEVEL};

use crate::support::weight;

/// The 20 % and 80 % points of chi-square with 1, 2, ... degrees of freedom (scipy's chi2.ppf).
const POINTS: [(f64, &[f64]); 2] = [
    (
        0.2,
        &[
            0.064_184_754_7,
            0.446_287_102_6,
            1.005_174_013_1,
            1.648_776_618_1,
            2.342_534_305_8,
            3.070_088_405_3,
            3.822_321_907_8,
            4.593_573_612_1,
            5.380_053_211_8,
            6.179_079_256,
            6.988_673_512_2,
            7.807_327_678_7,
        ],
    ),
    (
        0.8,
        &[
            1.642_374_415_1,
            3.218_875_824_9,
            4.641_627_676_1,
            5.988_616_694,
            7.289_276_126_6,
            8.558_059_720_3,
            9.803_249_900_2,
            11.030_091_430_3,
            12.242_145_469_8,
            13.441_957_575,
            14.631_420_508_9,
            15.811_986_221_9,
        ],
    ),
];

/// The value of a cell as a number or a level; `None` where missing.
fn cell(column: &Column, row: usize) -> Option<f64> {
    match column.data() {
        ColumnData::Numeric(values) => Some(values[row]).filter(|value| !value.is_nan()),
        ColumnData::Categorical(categories) => {
            Some(categories.codes()[row]).filter(|&code| code != MISSING_LEVEL).map(f64::from)
        }
    }
}

/// True when 1 - p is above a threshold of 0.2, 0.8 or 1; with N - 1 for N, and rows counting once
/// on average.
pub fn are_associated(data: &Dataset, (one, other): (usize, usize), threshold: f64) -> bool {
    let columns = data.features().columns();
    let (a, b) = (&columns[one], &columns[other]);
    let is_level = |column: &Column| matches!(column.data(), ColumnData::Categorical(_));
    if !is_level(a) && is_level(b) {
        return are_associated(data, (other, one), threshold);
    }
    let positive = (0..data.n_rows()).filter(|&row| weight(data, row) > 0.0).count() as f64;
    let scale = positive / (0..data.n_rows()).map(|row| weight(data, row)).sum::<f64>();
    let rows: Vec<(f64, f64, f64)> = (0..data.n_rows())
        .filter_map(|row| Some((scale * weight(data, row), cell(a, row)?, cell(b, row)?)))
        .filter(|row| row.0 > 0.0)
        .collect();
    let total: f64 = rows.iter().map(|row| row.0).sum();
    let sum = |term: &dyn Fn(&(f64, f64, f64)) -> f64| -> f64 {
        rows.iter().map(|row| row.0 * term(row)).sum()
    };
    let distinct = |of: &dyn Fn(&(f64, f64, f64)) -> f64| {
        let mut values: Vec<f64> = rows.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    let (mean_a, mean_b) = (sum(&|row| row.1) / total, sum(&|row| row.2) / total);
    let (in_a, in_b) = (distinct(&|row| row.1), distinct(&|row| row.2));
    if in_a.len() < 2 || in_b.len() < 2 || total <= 1.0 {
        return false;
    }
    let (statistic, degrees) = match (is_level(a), is_level(b)) {
        (false, _) => {
            let covariance = sum(&|row| (row.1 - mean_a) * (row.2 - mean_b));
            let squares =
                sum(&|row| (row.1 - mean_a).powi(2)) * sum(&|row| (row.2 - mean_b).powi(2));
            ((total - 1.0) * covariance.powi(2) / squares, 1)
        }
        (true, false) => {
            let mut within = 0.0;
            for level in &in_a {
                let of_level = |row: &&(f64, f64, f64)| row.1 == *level;
                let weights: f64 = rows.iter().filter(of_level).map(|row| row.0).sum();
                let mean: f64 =
                    rows.iter().filter(of_level).map(|row| row.0 * row.2).sum::<f64>() / weights;
                within += rows
                    .iter()
                    .filter(of_level)
                    .map(|row| row.0 * (row.2 - mean).powi(2))
                    .sum::<f64>();
            }
            let all = sum(&|row| (row.2 - mean_b).powi(2));
            ((total - 1.0) * (1.0 - within / all), in_a.len() - 1)
        }
        (true, true) => {
            let mut statistic = 0.0;
            for level in &in_a {
                for other in &in_b {
                    let count = |keep: &dyn Fn(&(f64, f64, f64)) -> bool| -> f64 {
                        rows.iter().filter(|row| keep(row)).map(|row| row.0).sum()
                    };
                    let expected =
                        count(&|row| row.1 == *level) * count(&|row| row.2 == *other) / total;
                    let observed = count(&|row| row.1 == *level && row.2 == *other);
                    statistic += (observed - expected).powi(2) / expected;
                }
            }
            (statistic * (total - 1.0) / total, (in_a.len() - 1) * (in_b.len() - 1))
        }
    };
    if threshold == 1.0 {
        return false;
    }
    let points = POINTS.iter().find(|(level, _)| *level == threshold).expect("tabulated").1;
    // Enough levels for the tables here; more would need more degrees of freedom.
    statistic > points[degrees - 1]
}
