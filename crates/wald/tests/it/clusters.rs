//! Errors of shares where rows belong together: what rows of one cluster add counts once.

use wald::data::{Column, Target};
use wald::inference::{
    Adjustment, ComparedSide, ComparisonConfig, Confidence, SamplingErrors, Subsampling,
    UncertaintyConfig, compare, uncertainty,
};
use wald::measure::{MeasureSettings, Part};
use wald::{Dataset, ForestConfig, Importance, Measure, MeasureId, Origin, Run};

use crate::support::{Numbers, assert_close, grow, measure, threads};

const N_ROWS: usize = 64;

/// Whole numbers as targets, so that sums over repeated rows are exact.
fn repeated(times: usize) -> Dataset {
    let mut numbers = Numbers(4);
    let columns: Vec<Vec<f64>> =
        (0..2).map(|_| (0..N_ROWS).map(|_| numbers.unit()).collect()).collect();
    let signal = columns[0].iter().zip(&columns[1]).map(|(a, b)| 4000.0 * a + 2000.0 * b);
    let target: Vec<f64> =
        signal.map(|signal| (signal + 1000.0 * numbers.unit()).floor()).collect();
    let again = |values: &[f64]| -> Vec<f64> {
        values.iter().flat_map(|&value| vec![value; times]).collect()
    };
    let columns = ["a", "b"].into_iter().zip(&columns);
    let columns =
        columns.map(|(name, values)| Column::numeric(name, again(values)).expect("finite"));
    let target = Target::regression("y", again(&target)).expect("finite");
    Dataset::new(columns.collect(), target).expect("consistent")
}

fn in_clusters(data: Dataset, times: usize) -> Dataset {
    let clusters = (0..data.n_rows()).map(|row| 3 + 2 * (row / times) as u32).collect();
    data.with_clusters(clusters).expect("a code per row")
}

fn shares(data: &Dataset, smallest: usize) -> Importance {
    let config = ForestConfig {
        n_trees: 40,
        mtry: Some(2),
        min_node_size: Some(5 * smallest),
        min_leaf_size: smallest,
        ..ForestConfig::default()
    };
    measure(data, &grow(data, &config), MeasureId::SobolMda, MeasureSettings::default())
}

/// The square of the error over rows or clusters, in squares of the share.
fn of_rows(found: &Importance, at: usize) -> f64 {
    let value = found.values[at].expect("defined");
    let error = |errors: &Option<Vec<Option<f64>>>| {
        errors.as_ref().and_then(|errors| errors[at]).expect("defined") / value
    };
    error(&found.total_errors).powi(2) - error(&found.standard_errors).powi(2)
}

#[test]
fn a_cluster_per_row_is_as_good_as_none() {
    let data = repeated(1);
    let (alone, clustered) = (shares(&data, 1), shares(&in_clusters(data.clone(), 1), 1));
    assert_eq!(alone.values, clustered.values);
    assert_eq!(alone.standard_errors, clustered.standard_errors);
    for at in 0..2 {
        let expected = of_rows(&alone, at) * N_ROWS as f64 / (N_ROWS - 1) as f64;
        assert_close(of_rows(&clustered, at), expected, "64 / 63 of the square");
    }
}

#[test]
fn rows_that_are_repeated_add_no_knowledge() {
    let once = shares(&in_clusters(repeated(1), 1), 1);
    let four_times = shares(&in_clusters(repeated(4), 4), 4);
    let as_rows = shares(&repeated(1), 1);
    for at in 0..2 {
        assert_close(of_rows(&four_times, at), of_rows(&once, at), "the same");
        assert!(of_rows(&once, at) > of_rows(&as_rows, at));
    }
}

/// Rows that stand for all are drawn one by one, so that the error of drawing them is that of rows.
#[test]
fn clusters_do_not_change_the_error_of_drawing_rows() {
    let data = in_clusters(repeated(4), 4);
    let forest = grow(&data, &ForestConfig { n_trees: 40, ..ForestConfig::default() });
    let part = Part { n_trees: 40, n_rows: 128 };
    let drawn = Measure::new(MeasureId::SobolMda, MeasureSettings::default()).expect("valid");
    let drawn = [drawn.with_part(part)];
    let run = &Run::on(threads());
    let of =
        |data: &Dataset| forest.measure(data, &drawn, run).expect("applies").importances.remove(0);
    let (clustered, alone) = (of(&data), of(&repeated(4)));
    assert_eq!(clustered.values, alone.values);
    assert_eq!(clustered.standard_errors, alone.standard_errors);
    for at in 0..2 {
        assert!(of_rows(&clustered, at) > 1.5 * of_rows(&alone, at));
    }
}

/// A stored forest shows by its bags that rows were drawn by clusters, which a table read without them lacks.
#[test]
fn rows_are_not_taken_to_be_independent_where_the_forest_shows_clusters() {
    let (data, alone) = (in_clusters(repeated(4), 4), repeated(4));
    let config = ForestConfig { n_trees: 60, ..ForestConfig::default() };
    let forest = std::sync::Arc::new(grow(&data, &config));
    let run = &Run::on(threads());
    let measures = [MeasureId::SobolMda.into(), MeasureId::Mdi.into()];
    let noted = |data: &Dataset| -> Vec<bool> {
        let found = forest.measure(data, &measures, run).expect("applies").importances;
        found.iter().map(|one| one.notes.iter().any(|note| note.contains("64 clusters"))).collect()
    };
    assert_eq!(noted(&data), [false, false]);
    assert_eq!(noted(&alone), [true, false], "errors of mdi are those of trees");
    let subsampling = Subsampling { n_subsamples: 4, n_trees: Some(5), ..Subsampling::default() };
    let (confidence, adjustment) = (Confidence::new(0.9).expect("a probability"), Adjustment::Holm);
    let errors = SamplingErrors::Subsampling(subsampling);
    let asked = UncertaintyConfig { confidence, errors, test: None, adjustment };
    let origin = Origin::Forest(&forest);
    let words = "the trees of this forest drew rows by 64 clusters, but the table names none: errors over \
                 single rows would be too small";
    let refusal = uncertainty(&alone, origin, &measures, &asked, run).expect_err("refused");
    assert_eq!(refusal.to_string(), words);
    let side = |data| ComparedSide { data, origin };
    let comparison = ComparisonConfig { confidence, subsampling, adjustment };
    let compared = |other| compare(side(&data), side(other), &measures[1..], &comparison, run);
    assert_eq!(compared(&alone).expect_err("refused").to_string(), words);
    let found = uncertainty(&data, origin, &measures, &asked, run).expect("clusters are given");
    assert_eq!(found[0].sampled.n_clusters, Some(64));
    assert!(compared(&data).is_ok());
}
