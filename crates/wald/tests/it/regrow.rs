//! Growing branches again without a variable, against growing whole trees again, and the truth.

use wald::data::{Column, Target};
use wald::forest::{Keep, Splitting};
use wald::measure::MeasureSettings;
use wald::simulate::{Friedman1, Numbers};
use wald::{Dataset, Forest, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::support::{Shape, assert_close, dataset, levels_only};

fn values(data: &Dataset, config: &ForestConfig, ids: &[MeasureId]) -> Vec<Vec<f64>> {
    let measure = |&id| Measure::new(id, MeasureSettings::default()).expect("valid");
    let measures: Vec<Measure> = ids.iter().map(measure).collect();
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let grown = Forest::grow_and_measure(data, config, &measures, Keep::Nothing, run);
    let of = |importance: wald::Importance| {
        importance.values.into_iter().map(|value| value.expect("defined")).collect()
    };
    grown.expect("applies").measured.importances.into_iter().map(of).collect()
}

const BOTH: [MeasureId; 2] = [MeasureId::TotalSobolRegrow, MeasureId::TotalSobolRetrain];

/// Where all variables compete at every node, which ones are drawn first decides ties only, and
/// numbers in large leaves have none: the branches are those of the whole tree without the variable.
#[test]
fn branches_are_those_of_whole_trees_where_all_variables_compete() {
    let data = Friedman1::default().draw(300, 1).expect("a valid design");
    let members = ["x4", "x7"].map(str::to_owned).to_vec();
    let grouped = data.clone().with_groups(&[("both".to_owned(), members)]).expect("columns");
    // Random thresholds are those of the tree, whatever its number.
    for (data, splitting, first_tree) in [
        (&data, Splitting::Best, 0),
        (&grouped, Splitting::Best, 0),
        (&data, Splitting::RandomThreshold, 5),
    ] {
        let config = ForestConfig {
            n_trees: 8,
            mtry: Some(10),
            min_leaf_size: 15,
            max_depth: Some(5),
            splitting,
            first_tree,
            seed: 2,
            ..ForestConfig::default()
        };
        let found = values(data, &config, &BOTH);
        for (group, (again, whole)) in found[0].iter().zip(&found[1]).enumerate() {
            assert_close(*again, *whole, &format!("group {group}"));
        }
        assert!(found[0][0] > 0.1, "x1 matters");
    }
}

/// The total index of x1 is the share of its own noise; the last variable stands in for the rest of
/// it, and is hidden where all compete.
#[test]
fn a_hidden_stand_in_is_found_at_any_mtry() {
    const P: usize = 8;
    let mut numbers = Numbers::new(5, 77);
    let mut columns = vec![Vec::new(); P];
    let mut target = Vec::new();
    for _ in 0..800 {
        let mut x: Vec<f64> = (0..P).map(|_| numbers.normal()).collect();
        x[P - 1] = 0.85 * x[0] + (1.0_f64 - 0.85 * 0.85).sqrt() * x[P - 1];
        target.push(2.0 * x[0] + x[1] + 0.7 * numbers.normal());
        columns.iter_mut().zip(x).for_each(|(column, x)| column.push(x));
    }
    let named = (1..).zip(columns).map(|(at, values)| Column::numeric(format!("x{at}"), values));
    let columns = named.collect::<Result<_, _>>().expect("numbers");
    let data = Dataset::new(columns, Target::regression("y", target).expect("numbers"));
    let data = data.expect("a data set");
    let truth = 4.0 * (1.0 - 0.85 * 0.85) / 5.49;
    let errors = |mtry: usize| {
        let config = ForestConfig { n_trees: 80, mtry: Some(mtry), ..ForestConfig::default() };
        let ids = [MeasureId::TotalSobolRegrow, MeasureId::SobolMda];
        let found = values(&data, &config, &ids);
        [found[0][0] - truth, found[1][0] - truth]
    };
    let [again, projected] = errors(P);
    assert!(again.abs() < 0.08 && projected > 0.2, "{again} {projected}");
    let [again, projected] = errors(1);
    assert!(again.abs() < 0.08 && projected.abs() < 0.08, "{again} {projected}");
}

/// Five of eight variables are copies of one with noise, and four of them are left out together: another variable is
/// drawn for each, so that as many compete at a node as in forests that are grown without them.
#[test]
fn as_many_variables_compete_as_in_forests_without_the_group() {
    let mut numbers = Numbers::new(3, 78);
    let mut columns = vec![Vec::new(); 8];
    let mut target = Vec::new();
    for _ in 0..400 {
        let z = numbers.normal();
        target.push(z);
        for (at, column) in columns.iter_mut().enumerate() {
            column.push(
                numbers.normal() * if at < 5 { 0.2 } else { 1.0 } + if at < 5 { z } else { 0.0 },
            );
        }
    }
    let named = (1..).zip(columns).map(|(at, values)| Column::numeric(format!("x{at}"), values));
    let columns = named.collect::<Result<_, _>>().expect("numbers");
    let data = Dataset::new(columns, Target::regression("y", target).expect("numbers"));
    let members = ["x1", "x2", "x3", "x4"].map(str::to_owned).to_vec();
    let grouped = data.expect("a data set").with_groups(&[("four".to_owned(), members)]);
    let grouped = grouped.expect("columns");
    for mtry in [2, 3, 8] {
        let config = ForestConfig { n_trees: 150, mtry: Some(mtry), ..ForestConfig::default() };
        let found = values(&grouped, &config, &BOTH);
        let [again, whole] = [found[0][0], found[1][0]];
        assert!((again - whole).abs() < 0.01, "mtry {mtry}: {again} {whole}");
    }
}

#[test]
fn every_way_of_growing_grows_branches_again() {
    let shape = Shape { n_rows: 90, n_classes: 3, missing: true, weights: true, seed: 6 };
    for (data, splitting) in [
        (dataset(shape), Splitting::Best),
        (dataset(shape), Splitting::RandomThreshold),
        (dataset(shape), Splitting::Conditional),
        (levels_only(shape), Splitting::Multiway),
    ] {
        let config = ForestConfig { n_trees: 10, splitting, ..ForestConfig::default() };
        let found = &values(&data, &config, &BOTH[..1])[0];
        assert!(found.iter().any(|value| value.abs() > 0.001), "{splitting:?}: {found:?}");
    }
}
