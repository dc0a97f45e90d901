//! Quick versions of the tables and figures of Li et al.: few repetitions, small forests.

use crate::{cell, found, holds, program};

#[test]
fn a_small_table_1_tells_measures_apart() {
    let found = found("li-table-1 --repetitions 2 --rows 400 --trees 20");
    // Deep trees: MDI puts what has few values last, and out-of-bag rows correct that.
    let pairs = [("MDI", "MDI-oob"), ("naive-oob", "UFI"), ("MDI", "ranger"), ("MDI", "cforest")];
    for (biased, corrected) in pairs {
        let biased = cell(&found, biased, "deep, simulated, C").0;
        let corrected = cell(&found, corrected, "deep, simulated, C").0;
        assert!(biased + 0.2 < corrected, "{biased} {corrected}");
    }
    // Shapley values of training rows are biased in the same way, but less.
    let area = |row: &str| cell(&found, row, "deep, simulated, C").0;
    let areas = ["MDI", "SHAP", "MDI-oob"].map(area);
    assert!(areas.is_sorted_by(|one, other| one < other), "{areas:?}");
    let tables = found["comparisons"].as_array().expect("tables");
    let title = |table: usize| tables[table]["title"].as_str().expect("a title");
    assert!(title(0).contains("program") && title(1).contains("text"));
    // Eight rows of four cells without the ChIP data.
    assert_eq!(tables[0]["rows"].as_array().expect("rows").len(), 32);
    assert_eq!(tables[2]["rows"].as_array().expect("rows").len(), 4);
}

#[test]
fn a_missing_file_is_told_with_its_origin() {
    let output = program().args(["li-table-1", "--data", "nowhere"]).assert().code(5);
    let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(error.contains("enhancer_chip.csv.gz") && error.contains("enhancer.Rdata"), "{error}");
}

#[test]
fn small_figures_have_the_shape_of_the_paper() {
    let figure = found("li-figure-1 --repetitions 3 --trees 40");
    assert!(holds(&figure, "falls to a tenth"));
    assert_eq!(figure["listings"][0]["rows"].as_array().expect("rows").len(), 25);
    assert!(holds(&found("li-figure-2 --repetitions 3 --trees 40"), "grows with depth"));
    assert!(holds(&found("li-figure-3 --repetitions 6 --trees 60"), "at every smallest leaf"));
}

#[test]
fn a_small_theorem_1_is_inversely_proportional_to_the_leaf() {
    let found = found("li-theorem-1 --repetitions 6 --rows 600 --trees 30");
    assert!(holds(&found, "falls about as 1 / m"));
    assert!(holds(&found, "MDI-oob is zero"));
}

#[test]
fn small_honest_trees_are_less_biased() {
    let found = found("li-honest --repetitions 8 --rows 400 --trees 30");
    for sampling in ["bootstrap", "halves"] {
        let area = |measure: &str| cell(&found, &format!("{measure}, {sampling}"), "deep, C").0;
        let (biased, honest, corrected) =
            (area("MDI"), area("MDI of the other rows"), area("MDI-oob"));
        assert!(biased < honest && honest + 0.2 < corrected, "{biased} {honest} {corrected}");
    }
    assert!(holds(&found, "MDI-oob, which uses both halves"));
    // Three measures, two ways to sample, four columns.
    assert_eq!(found["comparisons"][0]["rows"].as_array().expect("rows").len(), 24);
}

/// In deep trees, Shapley values against the response separate relevant inputs; their size does
/// not.
#[test]
fn covariances_of_shapley_values_tell_noise() {
    let found = found("li-shapley --repetitions 6 --rows 300 --trees 30");
    let area = |measure: &str| cell(&found, measure, "deep, C").0;
    let (size, covariance) =
        (area("Shapley, mean absolute, training rows"), area("Shapley, covariance, out of bag"));
    assert!(size + 0.1 < covariance, "{size} {covariance}");
    assert!((covariance - area("MDI-oob, centred")).abs() < 0.1, "{covariance}");
    // Six measures, four columns.
    assert_eq!(found["comparisons"][0]["rows"].as_array().expect("rows").len(), 24);
}
