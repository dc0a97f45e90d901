//! Shadows against columns that hold the permuted cells themselves.

use crate::data::{Column, ColumnData, Dataset, Training};
use crate::forest::config::ForestConfig;
use crate::forest::grow::context::{Growing, Plan};
use crate::forest::grow::tests::dataset;
use crate::forest::grow::workspace::Workspace;
use crate::forest::sample::{Bag, Sampler};
use crate::forest::settings::Settings;
use crate::forest::tree::{Node, Tree};
use crate::forest::ways::Splitting;
use crate::random::{Purpose, Stream};
use crate::run::{Progress, Threads};

struct Case {
    data: Dataset,
    training: Training,
    /// The columns, then the cells of their shadows.
    explicit: Dataset,
    settings: Settings,
    bag: Bag,
}

fn threads(n: usize) -> Threads {
    Threads::new(n).expect("few")
}

impl Case {
    fn new(n_rows: usize, n_classes: u32, seed: u64, config: &ForestConfig) -> Self {
        let data = dataset(n_rows, n_classes, seed);
        let mut donors: Vec<u32> = (0..n_rows as u32).collect();
        Stream::new(seed, 0, Purpose::Shadows).shuffle(&mut donors);
        let columns: Vec<&Column> = data.features().columns().iter().collect();
        let shadow = |column: &&Column| {
            let name = format!("shadow of {}", column.name());
            let cells = column.select(&donors);
            match cells.data() {
                ColumnData::Numeric(values) => Column::numeric(name, values.to_vec()),
                ColumnData::Categorical(categories) => {
                    let levels = categories.levels().to_vec();
                    Column::categorical(name, levels, categories.codes().to_vec())
                }
            }
        };
        let all = columns.iter().map(|column| (*column).clone());
        let all = all.chain(columns.iter().map(|column| shadow(column).expect("as before")));
        let explicit = Dataset::new(all.collect(), data.target().clone()).expect("consistent");
        let known = [0, 0, 0, 0, 0, 9];
        let training = Training::new(&columns, &known, data.target(), data.weights(), threads(1))
            .with_shadows(donors);
        let mut settings = config.resolve(&data).expect("settings that fit");
        settings.subspace = 2 * columns.len();
        settings.mtry = config.mtry.map_or(2 * columns.len(), |_| settings.mtry);
        let bag = Sampler::new(&data, &settings).bag(0);
        Self { data, training, explicit, settings, bag }
    }

    fn grow(&self, change: impl Fn(Plan) -> Plan) -> Tree {
        let columns: Vec<&Column> = self.data.features().columns().iter().collect();
        let progress = Progress::new();
        let growing = Growing::new(&self.training, &columns, &self.settings, &progress, threads(1));
        let growing = Growing { plan: change(growing.plan), ..growing };
        growing.grow(0, &self.bag, &mut Workspace::default()).expect("not cancelled").0
    }

    /// The tree of an ordinary forest on the explicit columns.
    fn grow_explicit(&self) -> Tree {
        let columns: Vec<&Column> = self.explicit.features().columns().iter().collect();
        let known = [0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 9];
        let (target, weights) = (self.data.target(), self.data.weights());
        let training = Training::new(&columns, &known, target, weights, threads(1));
        let progress = Progress::new();
        let growing = Growing::new(&training, &columns, &self.settings, &progress, threads(1));
        growing.grow(0, &self.bag, &mut Workspace::default()).expect("not cancelled").0
    }

    /// The in-bag weight that reaches each node by the explicit cells.
    fn weights(&self, tree: &Tree) -> Vec<f64> {
        let mut weights = vec![0.0; tree.n_nodes()];
        for row in self.bag.in_bag() {
            let weight = f64::from(self.bag.counts()[row as usize])
                * self.data.weights().map_or(1.0, |weights| weights[row as usize]);
            let mut node = 0;
            weights[node] += weight;
            while let Node::Split(split) = &tree.nodes()[node] {
                let column = &self.explicit.features().columns()[split.feature as usize];
                let child = match column.data() {
                    ColumnData::Numeric(values) => {
                        tree.child_of_number(split, values[row as usize])
                    }
                    ColumnData::Categorical(categories) => {
                        tree.child_of_level(split, categories.codes()[row as usize], u32::MAX)
                    }
                };
                node = (split.first_child + child) as usize;
                weights[node] += weight;
            }
        }
        weights
    }

    fn check_weights(&self, tree: &Tree) {
        let known = tree.statistics().expect("grown trees know their statistics");
        let splits_shadow = |node: &Node| matches!(node, Node::Split(split) if split.feature >= 6);
        assert!(tree.nodes().iter().any(splits_shadow));
        for (node, weight) in self.weights(tree).into_iter().enumerate() {
            assert!((known.weight(node) - weight).abs() < 1e-9 * weight, "node {node}");
        }
    }
}

#[test]
fn shadows_are_split_like_columns_that_hold_their_cells() {
    for n_classes in [0, 2, 4] {
        for seed in 0..2 {
            // All columns are tried, and nodes are so large that no two divisions tie.
            let config = ForestConfig { max_depth: Some(3), seed, ..Default::default() };
            let case = Case::new(600, n_classes, seed, &config);
            assert_eq!(case.grow(|plan| plan), case.grow_explicit());
        }
    }
}

#[test]
fn the_arrangement_of_rows_changes_no_bit() {
    for n_classes in [0, 2, 4] {
        for seed in 0..3 {
            let config = ForestConfig { mtry: Some(3), seed, ..Default::default() };
            let case = Case::new(700, n_classes, seed, &config);
            let tree = |keeps_sorted: bool, smaller: [usize; 2]| {
                case.grow(|plan| Plan { keeps_sorted, smaller, ..plan })
            };
            let expected = tree(true, [700, 0]);
            case.check_weights(&expected);
            assert_eq!(tree(true, [700, 100]), expected, "a smaller arrangement");
            assert_eq!(tree(true, [200, 20]), expected, "a large one and two smaller ones");
            assert_eq!(tree(true, [0, 0]), expected, "a large one");
            assert_eq!(tree(false, [0, 0]), expected, "sorted when asked");
            let together = (threads(2), 0);
            let shared = case.grow(|plan| Plan { keeps_sorted: true, together, ..plan });
            assert_eq!(shared, expected, "two threads for one tree");
        }
    }
}

#[test]
fn bins_of_shadows_are_those_of_their_cells() {
    for n_classes in [0, 2, 4] {
        let seed = u64::from(n_classes / 2);
        let config = ForestConfig { mtry: Some(3), max_bins: Some(60), seed, ..Default::default() };
        let case = Case::new(700, n_classes, seed, &config);
        let tree = |keeps_sorted: bool| case.grow(|plan| Plan { keeps_sorted, ..plan });
        let expected = tree(true);
        case.check_weights(&expected);
        assert_eq!(tree(false), expected, "rows that stay where they are");
    }
}

#[test]
fn random_divisions_of_shadows_divide_their_cells() {
    for n_classes in [0, 4] {
        for (seed, mtry) in [(0, 1), (1, 3), (2, 6)] {
            let splitting = Splitting::RandomThreshold;
            let config = ForestConfig { splitting, mtry: Some(mtry), seed, ..Default::default() };
            let case = Case::new(500, n_classes, seed, &config);
            case.check_weights(&case.grow(|plan| plan));
        }
    }
}
