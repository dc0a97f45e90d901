//! Variables of many levels: what they are charged, and what becomes of rare levels.

use wald::data::{Column, Target};
use wald::forest::{Impurity, Node, Rule, Sampling};
use wald::measure::MeasureSettings;
use wald::{Dataset, ForestConfig, MeasureId};

use crate::support::{Numbers, grow, measure};

fn levels(name: &str, n_levels: u32, codes: Vec<u32>) -> Column {
    let names = (0..n_levels).map(|level| format!("L{level}")).collect();
    Column::categorical(name, names, codes).expect("known levels")
}

/// A tree of one split of all rows.
fn stump(impurity: Option<Impurity>) -> ForestConfig {
    ForestConfig {
        n_trees: 1,
        mtry: Some(2),
        sampling: Sampling::All,
        max_depth: Some(1),
        min_node_size: Some(1),
        impurity,
        ..ForestConfig::default()
    }
}

/// The impurity of responses of 0 and 1, or their variance.
fn impurity_of(responses: &[f64], impurity: Impurity) -> f64 {
    let n = responses.len() as f64;
    let mean = responses.iter().sum::<f64>() / n;
    let term = |share: f64| if share > 0.0 { -share * share.log2() } else { 0.0 };
    match impurity {
        Impurity::Variance => {
            responses.iter().map(|response| (response - mean).powi(2)).sum::<f64>() / n
        }
        Impurity::Gini => 2.0 * mean * (1.0 - mean),
        Impurity::Entropy => term(mean) + term(1.0 - mean),
        Impurity::Poisson | Impurity::AbsoluteError => panic!("of numbers alone"),
    }
}

/// The largest decrease of rows times impurity by a cut between different keys.
fn best_cut(keys: &[f64], responses: &[f64], impurity: Impurity) -> f64 {
    let mut rows: Vec<(f64, f64)> = keys.iter().copied().zip(responses.iter().copied()).collect();
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    let responses: Vec<f64> = rows.iter().map(|row| row.1).collect();
    let total = |part: &[f64]| part.len() as f64 * impurity_of(part, impurity);
    (1..rows.len())
        .filter(|&cut| rows[cut - 1].0 < rows[cut].0)
        .map(|cut| total(&responses) - total(&responses[..cut]) - total(&responses[cut..]))
        .fold(0.0, f64::max)
}

/// The root splits on the levels if what they gain, less a row's share of the impurity for each
/// level but two, is above what the number gains.
#[test]
fn levels_are_charged_for() {
    let mut numbers = Numbers(5);
    let (n_rows, n_levels) = (120, 20);
    let mut n_of_levels = [0, 0, 0];
    for round in 0..90 {
        let impurity = [Impurity::Variance, Impurity::Gini, Impurity::Entropy][round % 3];
        let effect = f64::from(numbers.below(100)) / 100.0;
        let codes: Vec<u32> = (0..n_rows).map(|row| row % n_levels).collect();
        let number: Vec<f64> = (0..n_rows).map(|_| f64::from(numbers.below(1 << 20))).collect();
        let signal = |row: usize| {
            let level = f64::from(codes[row] % 5) / 2.0 - 1.0;
            effect * level + number[row] / f64::from(1 << 20)
        };
        let noisy: Vec<f64> = (0..n_rows as usize)
            .map(|row| signal(row) + f64::from(numbers.below(1000)) / 500.0)
            .collect();
        let responses: Vec<f64> = match impurity {
            Impurity::Variance => noisy,
            _ => noisy.iter().map(|value| f64::from(u8::from(*value > 1.4))).collect(),
        };
        let mean = |level: u32| -> f64 {
            let here = (level..n_rows).step_by(n_levels as usize);
            here.map(|row| responses[row as usize]).sum()
        };
        let keys: Vec<f64> = codes.iter().map(|&level| mean(level)).collect();
        let share = impurity_of(&responses, impurity);
        let of_levels = best_cut(&keys, &responses, impurity) - f64::from(n_levels - 2) * share;
        let of_number = best_cut(&number, &responses, impurity);
        let target = if impurity == Impurity::Variance {
            Target::regression("y", responses)
        } else {
            let classes = responses.iter().map(|response| *response as u32).collect();
            Target::classification("y", vec!["no".to_owned(), "yes".to_owned()], classes)
        };
        let columns = vec![
            levels("levels", n_levels, codes),
            Column::numeric("number", number).expect("finite"),
        ];
        let data = Dataset::new(columns, target.expect("finite")).expect("consistent");
        let forest = grow(&data, &stump(Some(impurity)));
        let Node::Split(split) = &forest.trees()[0].nodes()[0] else { panic!("a leaf") };
        assert_eq!(split.feature == 0, of_levels > of_number, "{of_levels} {of_number}");
        n_of_levels[round % 3] += u32::from(split.feature == 0);
    }
    assert!(n_of_levels.iter().all(|count| (3..=27).contains(count)), "{n_of_levels:?}");
}

/// Levels of one or two rows, and those that only other rows have, go where one division sends
/// them all.
#[test]
fn rare_levels_stay_together() {
    // Twenty levels of ten rows, of which half are high, 40 of two rows and 40 without a row.
    let codes: Vec<u32> =
        (0..280).map(|row| if row < 200 { row / 10 } else { row / 2 - 80 }).collect();
    let mut numbers = Numbers(8);
    let mut response = |level: u32| {
        let signal = if level < 20 { f64::from(level % 2) * 5.0 } else { 1.0 };
        signal + f64::from(numbers.below(1000)) / 1000.0
    };
    let target = Target::regression("y", codes.iter().map(|&level| response(level)).collect());
    let column = levels("levels", 100, codes);
    let data = Dataset::new(vec![column], target.expect("finite")).expect("consistent");
    let forest = grow(&data, &ForestConfig { mtry: None, ..stump(None) });
    let tree = &forest.trees()[0];
    let Node::Split(split) = &tree.nodes()[0] else { panic!("a leaf") };
    let Rule::Levels { set, .. } = split.rule else { panic!("levels") };
    let is_left = |level: u32| tree.level_sets()[set as usize].contains(level);
    for level in 0..100 {
        let is_high = level < 20 && level % 2 == 1;
        assert_eq!(is_left(level), !is_high, "{level}");
    }
}

/// Without meaning, hundreds of levels get no more importance than a number without meaning, and
/// the forest predicts no worse than without them.
#[test]
fn levels_without_meaning_are_of_no_importance() {
    let mut numbers = Numbers(2);
    let n_rows = 600;
    let mut uniform = || -> Vec<f64> {
        (0..n_rows).map(|_| f64::from(numbers.below(1 << 20)) / f64::from(1 << 20)).collect()
    };
    let (signal, noise, other) = (uniform(), uniform(), uniform());
    for n_classes in [0, 2, 3] {
        let y: Vec<f64> = signal.iter().zip(&other).map(|(x, noise)| 2.0 * x + noise).collect();
        let target = if n_classes == 0 {
            Target::regression("y", y)
        } else {
            let class = |value: &f64| (value / 3.0 * f64::from(n_classes)) as u32;
            let names = (0..n_classes).map(|class| class.to_string()).collect();
            Target::classification("y", names, y.iter().map(class).collect())
        };
        let codes = (0..n_rows).map(|row| row * 7 % 400).collect();
        let columns = vec![
            Column::numeric("signal", signal.clone()).expect("finite"),
            Column::numeric("noise", noise.clone()).expect("finite"),
            levels("levels", 400, codes),
        ];
        let data = Dataset::new(columns, target.expect("finite")).expect("consistent");
        let config = ForestConfig { n_trees: 60, mtry: Some(2), ..ForestConfig::default() };
        let forest = grow(&data, &config);
        let values = |id| -> Vec<f64> {
            let found = measure(&data, &forest, id, MeasureSettings::default());
            found.values.iter().map(|value| value.expect("defined")).collect()
        };
        let (mdi, mda) = (values(MeasureId::Mdi), values(MeasureId::MdaBreimanCutler));
        assert!(mdi[2] < mdi[1], "{mdi:?}");
        assert!(mdi[2] < 0.2 * mdi[0], "{mdi:?}");
        assert!(mda[2].abs() < 0.02 * mda[0], "{mda:?}");
    }
}
