//! Differences of importances between two tables or forests, against their definitions, and the level of
//! their test.

use wald::data::{Column, Response, Target};
use wald::inference::{
    Adjustment, ComparedSide, Comparison, ComparisonConfig, Confidence, SamplingErrors,
    Subsampling, Test, Uncertainty, UncertaintyConfig, compare, uncertainty,
};
use wald::simulate::Friedman1;
use wald::{Dataset, ForestConfig, Measure, MeasureId, Origin, Run};

use crate::support::{Shape, assert_close, dataset, threads};

fn run() -> Run {
    Run::on(threads())
}

fn asked(n_subsamples: usize) -> ComparisonConfig {
    ComparisonConfig {
        confidence: Confidence::new(0.9).expect("a probability"),
        subsampling: Subsampling { n_subsamples, ..Subsampling::default() },
        adjustment: Adjustment::Holm,
    }
}

fn config(seed: u64) -> ForestConfig {
    ForestConfig { n_trees: 20, seed, ..ForestConfig::default() }
}

fn friedman(n_rows: usize, seed: u64) -> Dataset {
    Friedman1 { n_columns: 5, noise: 1.0 }.draw(n_rows, seed).expect("rows")
}

fn compared(sides: [(&Dataset, &ForestConfig); 2], n_subsamples: usize) -> Comparison {
    let measures = [Measure::from(MeasureId::MdiOob)];
    let [first, second] =
        sides.map(|(data, config)| ComparedSide { data, origin: Origin::Settings(config) });
    let found = compare(first, second, &measures, &asked(n_subsamples), &run());
    found.expect("the same variables").remove(0)
}

fn alone(data: &Dataset, config: &ForestConfig, n_subsamples: usize) -> Uncertainty {
    let asked = UncertaintyConfig {
        confidence: Confidence::new(0.9).expect("a probability"),
        errors: SamplingErrors::Subsampling(asked(n_subsamples).subsampling),
        test: None,
        adjustment: Adjustment::None,
    };
    let measures = [Measure::from(MeasureId::MdiOob)];
    let found = uncertainty(data, Origin::Settings(config), &measures, &asked, &run());
    found.expect("valid settings").remove(0)
}

#[test]
fn errors_of_two_tables_add_up() {
    let (first, second) = (friedman(70, 1), friedman(90, 2));
    let (one, other) = (config(3), config(4));
    let found = compared([(&first, &one), (&second, &other)], 12);
    let sides = [alone(&first, &one, 12), alone(&second, &other, 12)];
    assert!(!found.is_paired);
    for at in 0..5 {
        let [first, second] = sides.each_ref().map(|side| side.importance.values[at]);
        let difference = second.expect("defined") - first.expect("defined");
        assert_close(found.differences[at].expect("defined"), difference, "difference");
        let variance: f64 = sides
            .iter()
            .map(|side| side.intervals.standard_errors[at].expect("defined").powi(2))
            .sum();
        let error = found.standard_errors[at].expect("defined");
        assert_close(error, variance.sqrt(), "error");
        let interval = found.intervals[at].expect("defined");
        // R: qnorm(.95).
        assert_close(interval.high - difference, 1.644_853_626_951_472_9 * error, "interval");
        assert_close(difference - interval.low, interval.high - difference, "interval");
        // A logistic curve is within .02 of the normal distribution.
        let z = (difference / error).abs();
        let near = 2.0 / (1.0 + (1.702 * z).exp());
        assert!((found.p_values[at].expect("defined") - near).abs() < 0.02, "{z}");
        assert!(found.adjusted[at] >= found.p_values[at]);
    }
}

#[test]
fn one_table_is_compared_with_itself_in_pairs() {
    let data = friedman(80, 5);
    let (one, other) = (config(1), ForestConfig { mtry: Some(1), ..config(2) });
    let found = compared([(&data, &one), (&data, &other)], 20);
    assert!(found.is_paired);
    let sides = [alone(&data, &one, 20), alone(&data, &other, 20)];
    let sum = |at: usize| -> f64 {
        let error = |side: &Uncertainty| side.intervals.standard_errors[at].expect("defined");
        sides.iter().map(|side| error(side).powi(2)).sum()
    };
    let paired: f64 =
        found.standard_errors.iter().map(|error| error.expect("defined").powi(2)).sum();
    let independent: f64 = (0..5).map(sum).sum();
    assert!(paired < 0.8 * independent, "{paired} {independent}");
    let same = compared([(&data, &one), (&data, &one)], 20);
    assert_eq!(same.differences, vec![Some(0.0); 5]);
    assert_eq!(same.p_values, vec![Some(1.0); 5]);
}

/// Trees of all but a few rows leave none out of the bag.
#[test]
fn notes_name_their_side() {
    let data = friedman(60, 1);
    let (usual, few) = (config(1), ForestConfig { n_trees: 3, ..config(1) });
    let with_weights = |n_weighing: usize| {
        let weights = (0..60).map(|row| f64::from(u8::from(row < n_weighing))).collect();
        data.clone().with_weights(weights).expect("weights")
    };
    let notes = |first: usize, second: usize| {
        let sides = [with_weights(first), with_weights(second)];
        compared([(&sides[0], &few), (&sides[1], &usual)], 3).notes
    };
    assert!(notes(60, 60).is_empty());
    let found = notes(60, 2);
    assert!(
        found[0].starts_with("second: ") && found[0].contains("of positive weight"),
        "{found:?}"
    );
}

#[test]
fn variables_are_matched_by_name() {
    let data = friedman(60, 1);
    let mut columns = friedman(60, 2).features().columns().to_vec();
    let target = friedman(60, 2).target().clone();
    let in_order = Dataset::new(columns.clone(), target.clone()).expect("consistent");
    columns.reverse();
    let reversed = Dataset::new(columns, target).expect("consistent");
    let one = config(1);
    let expected = compared([(&data, &one), (&in_order, &one)], 5);
    assert_eq!(compared([(&data, &one), (&reversed, &one)], 5), expected);
}

/// Neither the order of columns nor weights of 1 nor the unit of the target make other rows of them.
#[test]
fn the_same_rows_are_compared_in_pairs_whatever_their_target_and_weights() {
    let data = friedman(60, 1);
    let (one, other) = (config(1), config(2));
    let expected = compared([(&data, &one), (&data, &other)], 6);
    assert!(expected.is_paired);
    let mut columns = data.features().columns().to_vec();
    columns.reverse();
    let reversed = Dataset::new(columns, data.target().clone()).expect("consistent");
    assert_eq!(compared([(&data, &one), (&reversed, &other)], 6), expected);
    let weighted = data.clone().with_weights(vec![1.0; 60]).expect("weights");
    assert_eq!(compared([(&data, &one), (&weighted, &other)], 6), expected);
    let Response::Regression(y) = data.target().response() else { panic!("numbers") };
    let twice = Target::regression("y", y.iter().map(|y| 2.0 * y).collect()).expect("finite");
    let twice = Dataset::new(data.features().columns().to_vec(), twice).expect("consistent");
    assert!(compared([(&data, &one), (&twice, &other)], 6).is_paired);
    assert!(!compared([(&data, &one), (&friedman(60, 2), &other)], 6).is_paired);
}

#[test]
fn tables_of_other_variables_or_targets_are_refused() {
    let refused = |first: &Dataset, second: &Dataset| {
        let config = config(1);
        let side = |data| ComparedSide { data, origin: Origin::Settings(&config) };
        let measures = [Measure::from(MeasureId::Mdi)];
        let found = compare(side(first), side(second), &measures, &asked(5), &run());
        found.map(|_| ()).expect_err("refused").to_string()
    };
    let shape = Shape { n_rows: 40, n_classes: 2, missing: false, weights: false, seed: 1 };
    let other = dataset(shape);
    let message = refused(&friedman(40, 1), &other);
    assert!(message.contains("the second table has no variable x1, x2"), "{message}");
    let message = refused(&other, &dataset(Shape { n_classes: 0, ..shape }));
    assert!(message.contains("targets of the two tables"), "{message}");
}

/// Of tables from the same distribution, about a tenth of the tests reject at 10 %.
#[test]
fn the_test_keeps_its_level() {
    let config = config(1);
    let mut n_rejected = 0;
    for pair in 0..40 {
        let (first, second) = (friedman(80, 2 * pair), friedman(80, 2 * pair + 1));
        let found = compared([(&first, &config), (&second, &config)], 20);
        n_rejected += found.p_values.iter().filter(|p| p.expect("defined") < 0.1).count();
    }
    // 20 of 200 are expected, with a standard deviation of 4 to 8, as tests of a pair depend.
    assert!((4..=40).contains(&n_rejected), "{n_rejected} of 200");
}

/// Those of a comparison are of differences, and an uncertainty has those of a test, or none.
#[test]
fn notes_on_p_values_of_a_measure_stand_where_these_are_shown() {
    let (data, config) = (friedman(60, 8), config(9));
    let (origin, measures) = (Origin::Settings(&config), [Measure::from(MeasureId::Air)]);
    let is_on_p_values = |note: &String| note.contains("p-value");
    let sides = [(&data, &config); 2].map(|(data, _)| ComparedSide { data, origin });
    let found =
        compare(sides[0], sides[1], &measures, &asked(3), &run()).expect("the same variables");
    assert!(!found[0].notes.iter().any(is_on_p_values), "{:?}", found[0].notes);
    let of_test = |test| {
        let asked = UncertaintyConfig {
            confidence: Confidence::new(0.9).expect("a probability"),
            errors: SamplingErrors::Subsampling(asked(3).subsampling),
            test,
            adjustment: Adjustment::None,
        };
        let found = uncertainty(&data, origin, &measures, &asked, &run()).expect("valid settings");
        assert!(found[0].importance.notes.iter().any(is_on_p_values), "{:?}", found[0].importance);
        found[0].notes().filter(is_on_p_values).collect::<Vec<_>>()
    };
    assert_eq!(of_test(None), Vec::<String>::new());
    let of_mirrored = of_test(Some(Test::Mirrored));
    let sizes = of_mirrored.iter().filter(|note| note.starts_with("p-values by the values"));
    assert_eq!(sizes.count(), 1, "{of_mirrored:?}");
}

#[test]
fn tables_of_other_kinds_or_scales_are_noted() {
    let (data, config) = (friedman(60, 1), config(1));
    let Response::Regression(y) = data.target().response() else { panic!("numbers") };
    let times = |factor: f64| {
        let target = y.iter().map(|y| factor * y).collect();
        let target = Target::regression("y", target).expect("finite");
        Dataset::new(data.features().columns().to_vec(), target).expect("consistent")
    };
    let notes = |id: MeasureId, first: &Dataset, second: &Dataset| {
        let side = |data| ComparedSide { data, origin: Origin::Settings(&config) };
        let found = compare(side(first), side(second), &[Measure::from(id)], &asked(3), &run());
        found.expect("the same variables").remove(0).notes
    };
    let of_scales = notes(MeasureId::Mdi, &data, &times(1000.0));
    assert_eq!(of_scales.len(), 1, "{of_scales:?}");
    assert!(of_scales[0].starts_with("the targets vary on different scales"), "{of_scales:?}");
    assert_eq!(notes(MeasureId::Mdi, &times(1000.0), &data).len(), 1);
    assert_eq!(notes(MeasureId::Mdi, &data, &times(1.2)), Vec::<String>::new());
    // Shares of the variance and counts of splits do not depend on the unit.
    for id in [MeasureId::SobolMda, MeasureId::SplitCount] {
        assert_eq!(notes(id, &data, &times(1000.0)), Vec::<String>::new());
    }
    let mut columns = data.features().columns().to_vec();
    let codes = (0..60).map(|row| row % 3).collect();
    let levels = ["0", "1", "2"].map(str::to_owned).to_vec();
    columns[1] = Column::categorical("x2", levels, codes).expect("levels");
    let other = Dataset::new(columns, data.target().clone()).expect("consistent");
    let of_kinds = notes(MeasureId::Mdi, &data, &other);
    assert_eq!(of_kinds.len(), 1, "{of_kinds:?}");
    let words = "x2 is of another kind on each side: the first one holds numbers, the second one categories";
    assert!(of_kinds[0].starts_with(words), "{of_kinds:?}");
    let turned = notes(MeasureId::Mdi, &other, &data);
    assert!(
        turned[0].contains("the second one holds numbers, the first one categories"),
        "{turned:?}"
    );
    assert_eq!(notes(MeasureId::Mdi, &other, &other), Vec::<String>::new());
}

/// Two forests that differ by their seed alone: what their trees add to a difference is no signal, also where
/// errors of a measure are not those of trees.
#[test]
fn other_trees_on_the_same_rows_are_no_difference() {
    let data = friedman(80, 1);
    let ids = [
        MeasureId::TreeShap,
        MeasureId::TreeShapOob,
        MeasureId::DistributionRetrain,
        MeasureId::DepthWeightedSplits,
        MeasureId::Sage,
        MeasureId::Mdi,
    ];
    let (one, other) = (config(1), config(2));
    let [first, second] =
        [&one, &other].map(|config| ComparedSide { data: &data, origin: Origin::Settings(config) });
    let found = compare(first, second, &ids.map(Measure::from), &asked(10), &run());
    for (id, found) in ids.iter().zip(found.expect("the same variables")) {
        let is_of_trees = *id == MeasureId::Mdi;
        assert_eq!(found.is_paired, is_of_trees, "{id:?}");
        let noted = found.notes.iter().any(|note| note.contains("as independent samples"));
        assert_eq!(noted, !is_of_trees, "{id:?}: {:?}", found.notes);
        let least = found.p_values.iter().map(|p| p.expect("defined")).fold(1.0, f64::min);
        assert!(least > 0.01, "{id:?}: {:?}", found.p_values);
    }
}
