//! Trees of random divisions against the plainest way to grow them: every node draws its
//! candidates again from its own stream, and the division it took is one of the best.

use crate::data::{Column, ColumnData, Dataset, MISSING_LEVEL, Training};
use crate::forest::config::ForestConfig;
use crate::forest::grow::context::Growing;
use crate::forest::grow::tests::dataset;
use crate::forest::grow::workspace::Workspace;
use crate::forest::sample::{Bag, Sampler};
use crate::forest::settings::Settings;
use crate::forest::tree::{Node, Rule, Tree};
use crate::forest::ways::{Impurity, Splitting};
use crate::random::{NodeKey, NodeStream, Purpose, Stream};
use crate::run::{Progress, Threads};

/// One random division: which rows go left, and the threshold if it has one.
#[derive(Debug, Clone, PartialEq)]
struct Division {
    feature: u32,
    threshold: Option<f64>,
    left: Vec<u32>,
}

struct Case<'a> {
    data: &'a Dataset,
    training: &'a Training,
    settings: &'a Settings,
    bag: &'a Bag,
}

impl Case<'_> {
    fn weight(&self, row: u32) -> f64 {
        f64::from(self.bag.counts()[row as usize]) * self.training.weight(row)
    }

    fn draws(&self, rows: &[u32]) -> f64 {
        rows.iter().map(|&row| f64::from(self.bag.counts()[row as usize])).sum()
    }

    /// Weight times impurity, by definition.
    fn term(&self, rows: &[u32]) -> f64 {
        let total: f64 = rows.iter().map(|&row| self.weight(row)).sum();
        let mean = |value: &dyn Fn(u32) -> f64| -> f64 {
            rows.iter().map(|&row| self.weight(row) * value(row)).sum::<f64>() / total
        };
        let impurity = match self.data.target().response() {
            crate::data::Response::Regression(values) => {
                let middle = mean(&|row| values[row as usize]);
                mean(&|row| (values[row as usize] - middle).powi(2))
            }
            crate::data::Response::Classification(classes) => {
                let share = |class: usize| {
                    mean(&|row| {
                        f64::from(u8::from(classes.codes()[row as usize] as usize == class))
                    })
                };
                let shares: Vec<f64> = (0..classes.levels().len()).map(share).collect();
                self.settings.impurity.of_proportions(&shares)
            }
            crate::data::Response::Several(_) => panic!("one target"),
        };
        total * impurity
    }

    /// A random division by a column; `None` if all rows agree on it.
    fn divide(&self, feature: u32, rows: &[u32], stream: &mut NodeStream) -> Option<Division> {
        let mut threshold = None;
        let (present, missing): (Vec<u32>, Vec<u32>) =
            rows.iter().copied().partition(|&row| !self.is_missing(feature, row));
        let mut left: Vec<u32> = match self.data.features().columns()[feature as usize].data() {
            ColumnData::Numeric(values) => {
                let value = |row: u32| values[row as usize];
                let low = present.iter().map(|&row| value(row)).fold(f64::INFINITY, f64::min);
                let high = present.iter().map(|&row| value(row)).fold(f64::NEG_INFINITY, f64::max);
                if low < high {
                    let drawn = low + stream.unit() * (high - low);
                    threshold = Some(drawn);
                    present.iter().copied().filter(|&row| value(row) <= drawn).collect()
                } else {
                    present.clone()
                }
            }
            ColumnData::Categorical(categories) => {
                let level = |row: u32| categories.codes()[row as usize];
                let levels: std::collections::BTreeSet<u32> =
                    present.iter().map(|&row| level(row)).collect();
                let mut chosen = levels.clone();
                while levels.len() > 1 && (chosen.is_empty() || chosen.len() == levels.len()) {
                    assert!(levels.len() <= 64, "one word of coins is enough for the tests");
                    let word = stream.word();
                    let coins = levels.iter().enumerate();
                    chosen = coins
                        .filter(|(place, _)| word >> place & 1 == 1)
                        .map(|(_, &level)| level)
                        .collect();
                }
                present.iter().copied().filter(|&row| chosen.contains(&level(row))).collect()
            }
        };
        if left.len() == present.len() {
            // Present values agree, and can only be divided from missing ones.
            return (!present.is_empty() && !missing.is_empty()).then_some(Division {
                feature,
                threshold: None,
                left,
            });
        }
        if !missing.is_empty() && stream.coin() {
            left.extend(missing);
            left.sort_unstable();
        }
        Some(Division { feature, threshold, left })
    }

    fn is_missing(&self, feature: u32, row: u32) -> bool {
        match self.data.features().columns()[feature as usize].data() {
            ColumnData::Numeric(values) => values[row as usize].is_nan(),
            ColumnData::Categorical(categories) => {
                categories.codes()[row as usize] == MISSING_LEVEL
            }
        }
    }

    /// The divisions that a node tries, with their decrease of impurity, if they are allowed.
    fn candidates(&self, rows: &[u32], key: NodeKey) -> Vec<(Division, f64)> {
        let features = self.training.features();
        let mut stream = key.stream();
        let mut mtry = self.settings.mtry;
        if self.settings.mtry_one_probability > 0.0
            && stream.unit() < self.settings.mtry_one_probability
        {
            mtry = 1;
        }
        let varies = |column: &u32| features.column(*column).varies();
        let mut columns: Vec<u32> = (0..features.n_columns() as u32).filter(varies).collect();
        let mut tried = Vec::new();
        let mut n_drawn = 0;
        while tried.len() < mtry && n_drawn < columns.len() {
            let other = n_drawn + stream.below((columns.len() - n_drawn) as u32) as usize;
            columns.swap(n_drawn, other);
            let column = columns[n_drawn];
            let mut own = key.division(column);
            tried.extend(self.divide(features.original(column), rows, &mut own));
            n_drawn += 1;
        }
        let least = self.settings.least_draws(self.draws(rows));
        let decrease = |division: Division| {
            let (left, right): (Vec<u32>, Vec<u32>) =
                rows.iter().copied().partition(|row| division.left.contains(row));
            let is_allowed = self.draws(&left) >= least && self.draws(&right) >= least;
            let decrease = self.term(rows) - self.term(&left) - self.term(&right);
            is_allowed.then_some((division, decrease))
        };
        tried.into_iter().filter_map(decrease).collect()
    }

    /// Checks all nodes; returns the number of splits.
    fn check(&self, tree: &Tree, root: NodeKey) -> usize {
        let rows: Vec<u32> = self.bag.in_bag().filter(|&row| self.weight(row) > 0.0).collect();
        let mut pending = vec![(0, rows, root)];
        let mut n_splits = 0;
        while let Some((node, rows, key)) = pending.pop() {
            let draws = self.draws(&rows);
            let is_pure = self.term(&rows) < 1e-9;
            let candidates = if is_pure || draws <= self.settings.min_node_size as f64 {
                Vec::new()
            } else {
                self.candidates(&rows, key)
            };
            let Node::Split(split) = &tree.nodes()[node] else {
                assert!(candidates.is_empty(), "leaf {node} has {candidates:?}");
                continue;
            };
            n_splits += 1;
            let goes_left = |&&row: &&u32| {
                let column = &self.data.features().columns()[split.feature as usize];
                0 == match column.data() {
                    ColumnData::Numeric(values) => {
                        tree.child_of_number(split, values[row as usize])
                    }
                    ColumnData::Categorical(categories) => {
                        tree.child_of_level(split, categories.codes()[row as usize], u32::MAX)
                    }
                }
            };
            let left: Vec<u32> = rows.iter().filter(goes_left).copied().collect();
            let threshold = match split.rule {
                Rule::AtMost { threshold, .. } => Some(threshold),
                _ => None,
            };
            let taken = Division { feature: split.feature, threshold, left };
            let found = candidates.iter().find(|(division, _)| *division == taken);
            let best = candidates.iter().map(|one| one.1).fold(f64::NEG_INFINITY, f64::max);
            let (_, decrease) = found.unwrap_or_else(|| panic!("{taken:?} {candidates:?}"));
            assert!(*decrease >= best - 1e-9, "node {node} took {decrease}, not {best}");
            let (left, right) = rows.iter().partition(|row| taken.left.contains(row));
            pending.push((split.first_child as usize, left, key.child(0)));
            pending.push((split.first_child as usize + 1, right, key.child(1)));
        }
        n_splits
    }
}

/// Checks two trees; returns the number of their splits.
fn check(data: &Dataset, config: &ForestConfig) -> usize {
    let config = ForestConfig { splitting: Splitting::RandomThreshold, ..config.clone() };
    let settings = config.resolve(data).expect("settings that fit");
    let columns: Vec<&Column> = data.features().columns().iter().collect();
    let known = [0, 0, 0, 0, 0, 9];
    let training = Training::new(&columns, &known, data.target(), data.weights(), Threads::all());
    let progress = Progress::new();
    let growing = Growing::new(&training, &columns, &settings, &progress, Threads::all());
    let check_tree = |index: usize| {
        let bag = Sampler::new(data, &settings).bag(index);
        let (tree, _) =
            growing.grow(index, &bag, &mut Workspace::default()).expect("not cancelled");
        let root = NodeKey::root(&mut Stream::new(settings.seed, index, Purpose::Splits));
        let case = Case { data, training: &training, settings: &settings, bag: &bag };
        case.check(&tree, root)
    };
    check_tree(0) + check_tree(1)
}

#[test]
fn the_best_of_the_random_divisions_is_taken() {
    let mut n_splits = 0;
    for (n_classes, impurity) in [
        (0, Impurity::Variance),
        (2, Impurity::Gini),
        (2, Impurity::Entropy),
        (5, Impurity::Gini),
        (5, Impurity::Entropy),
    ] {
        // Odd seeds have weights.
        for seed in 0..2 {
            for mtry in [1, 3, 6] {
                let data = dataset(150, n_classes, seed);
                let impurity = Some(impurity);
                let config =
                    ForestConfig { mtry: Some(mtry), seed, impurity, ..Default::default() };
                n_splits += check(&data, &config);
                n_splits += check(&data, &ForestConfig { min_leaf_size: 4, ..config.clone() });
                let delta = ForestConfig { mtry_one_probability: 0.4, ..config.clone() };
                n_splits += check(&data, &ForestConfig { min_child_fraction: 0.2, ..delta });
            }
        }
    }
    assert!(n_splits > 5000, "{n_splits}");
}
