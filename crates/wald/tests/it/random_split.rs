//! Splits met at random, against all ways in which the splits of a tree can send rows: ties,
//! levels, missing values, case weights, groups, classes, multiway splits.

use wald::data::{Response, Task};
use wald::forest::{Bag, Node, Tree};
use wald::measure::{Loss, MeasureSettings};
use wald::{Dataset, Forest, Importance, MeasureId, Run, Threads};

use crate::permutation::row_loss;
use crate::support::{
    self, Shape, assert_close, best_and_multiway, child, grow, in_bag_weight, n_that_count,
    response, weight,
};

/// Ways of sending rows: a child for every split on a group, with the probability of all of them.
struct Ways {
    is_member: Vec<bool>,
    /// Nodes that split on the group, with the shares of their children.
    nodes: Vec<(usize, Vec<f64>)>,
}

impl Ways {
    fn new(data: &Dataset, tree: &Tree, bag: &Bag, members: &[u32]) -> Self {
        let is_member: Vec<bool> =
            (0..data.n_features() as u32).map(|column| members.contains(&column)).collect();
        // Weights of the in-bag rows that reach each node.
        let mut reached = vec![0.0; tree.n_nodes()];
        for row in 0..data.n_rows() {
            let mut node = 0;
            loop {
                reached[node] += in_bag_weight(data, bag, row);
                let Node::Split(split) = &tree.nodes()[node] else { break };
                node = split.first_child as usize + child(data, tree, split, row, None);
            }
        }
        let mut nodes = Vec::new();
        for (node, content) in tree.nodes().iter().enumerate() {
            if let Node::Split(split) = content
                && is_member[split.feature as usize]
            {
                let shares = tree.children(split).map(|child| reached[child] / reached[node]);
                nodes.push((node, shares.collect()));
            }
        }
        Self { is_member, nodes }
    }

    fn number(&self) -> usize {
        self.nodes.iter().map(|(_, shares)| shares.len()).product()
    }

    /// Calls `each` with the leaf of a row and the probability of every way.
    fn leaves(&self, data: &Dataset, tree: &Tree, row: usize, mut each: impl FnMut(usize, f64)) {
        for way in 0..self.number() {
            let (mut rest, mut probability) = (way, 1.0);
            let mut chosen = vec![0; tree.n_nodes()];
            for (node, shares) in &self.nodes {
                chosen[*node] = rest % shares.len();
                rest /= shares.len();
                probability *= shares[chosen[*node]];
            }
            let mut node = 0;
            while let Node::Split(split) = &tree.nodes()[node] {
                let side = if self.is_member[split.feature as usize] {
                    chosen[node]
                } else {
                    child(data, tree, split, row, None)
                };
                node = split.first_child as usize + side;
            }
            each(node, probability);
        }
    }
}

fn out_of_bag(bag: &Bag) -> Vec<usize> {
    (0..bag.counts().len()).filter(|&row| bag.counts()[row] == 0).collect()
}

fn forests() -> Vec<(String, Dataset, Forest)> {
    let mut all = Vec::new();
    for n_classes in [0, 2, 3] {
        for (missing, weights) in [(false, false), (true, false), (true, true)] {
            let shape = Shape { n_rows: 40, n_classes, missing, weights, seed: 5 };
            for (data, config) in best_and_multiway(shape, 2, 4) {
                let forest = grow(&data, &config);
                all.push((
                    format!("{shape:?} {:?}", config.splitting),
                    data.clone(),
                    forest.clone(),
                ));
                let members = ["two", "few"].map(str::to_owned).to_vec();
                let grouped = data.with_groups(&[("both".to_owned(), members)]).expect("columns");
                all.push((format!("{shape:?} {:?} groups", config.splitting), grouped, forest));
            }
        }
    }
    all
}

fn measure(data: &Dataset, forest: &Forest, id: MeasureId, loss: Option<Loss>) -> Importance {
    support::measure(data, forest, id, MeasureSettings { loss, ..MeasureSettings::default() })
}

#[test]
fn random_splits_equal_all_random_paths() {
    for (name, data, forest) in forests() {
        let losses: &[Loss] = match data.target().task() {
            Task::Regression => &[Loss::Squared, Loss::Absolute],
            Task::Classification => &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote],
        };
        for &loss in losses {
            let found = measure(&data, &forest, MeasureId::MdaRandomSplit, Some(loss));
            let mut largest = 0.0_f64;
            for (group, members) in data.groups().members().iter().enumerate() {
                let mut expected = 0.0;
                for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
                    let ways = Ways::new(&data, tree, bag, members);
                    let rows = out_of_bag(bag);
                    let total: f64 = rows.iter().map(|&row| weight(&data, row)).sum();
                    for &row in &rows {
                        let mut increase = 0.0;
                        let own = crate::support::leaf(&data, tree, row, None);
                        let base = row_loss(&data, tree, own, row, loss);
                        ways.leaves(&data, tree, row, |leaf, probability| {
                            increase +=
                                probability * (row_loss(&data, tree, leaf, row, loss) - base);
                        });
                        expected += weight(&data, row) / total * increase / 4.0;
                    }
                }
                let value = found.values[group].expect("defined");
                assert_close(value, expected, &format!("{name} {loss:?} group {group}"));
                largest = largest.max(expected.abs());
            }
            assert!(largest > 0.005, "no effect in {name}: {largest}");
        }
    }
}

/// (1 / (n sigma^2)) times the increase of the squared loss of the forest's predictions.
#[test]
fn averaged_splits_equal_all_random_paths() {
    for (name, data, forest) in forests() {
        let found = measure(&data, &forest, MeasureId::SobolMdaLundberg, None);
        let n_outputs = response(&data, 0).len();
        let predict = |members: Option<&[u32]>| -> Vec<Option<Vec<f64>>> {
            let mut sums = vec![vec![0.0; n_outputs]; data.n_rows()];
            let mut counts = vec![0.0; data.n_rows()];
            for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
                let ways = Ways::new(&data, tree, bag, members.unwrap_or_default());
                for row in out_of_bag(bag) {
                    counts[row] += 1.0;
                    ways.leaves(&data, tree, row, |leaf, probability| {
                        let value = tree.value(leaf);
                        let pairs = sums[row].iter_mut().zip(&*value);
                        pairs.for_each(|(sum, value)| *sum += probability * value);
                    });
                }
            }
            let mean = |(sums, count): (Vec<f64>, f64)| {
                (count > 0.0).then(|| sums.iter().map(|sum| sum / count).collect())
            };
            sums.into_iter().zip(counts).map(mean).collect()
        };
        let error = |predictions: &[Option<Vec<f64>>]| -> f64 {
            let row_error = |(row, prediction): (usize, &Option<Vec<f64>>)| {
                let truth = response(&data, row);
                let squares = |p: &Vec<f64>| -> f64 {
                    truth.iter().zip(p).map(|(y, p)| (y - p).powi(2)).sum()
                };
                weight(&data, row) * prediction.as_ref().map_or(0.0, squares)
            };
            let total: f64 = (0..data.n_rows()).map(|row| weight(&data, row)).sum();
            predictions.iter().enumerate().map(row_error).sum::<f64>() / total
        };
        let base = error(&predict(None));
        for (group, members) in data.groups().members().iter().enumerate() {
            let expected = (error(&predict(Some(members))) - base) / variance(&data);
            let value = found.values[group].expect("defined");
            assert_close(value, expected, &format!("{name} group {group}"));
        }
    }
}

/// Variance of the response, divisor n - 1, summed over classes.
pub fn variance(data: &Dataset) -> f64 {
    let n = n_that_count(data);
    let total: f64 = (0..data.n_rows()).map(|row| weight(data, row)).sum();
    let one_hot = matches!(data.target().response(), Response::Classification(_));
    let n_outputs = response(data, 0).len();
    assert!(one_hot || n_outputs == 1);
    (0..n_outputs)
        .map(|k| {
            let rows = || (0..data.n_rows()).map(|row| (weight(data, row), response(data, row)[k]));
            let mean = rows().map(|(w, y)| w * y).sum::<f64>() / total;
            rows().map(|(w, y)| w * (y - mean).powi(2)).sum::<f64>() / total * n / (n - 1.0)
        })
        .sum()
}

/// A forest of another program may know nodes that no row of the bag reaches.
#[test]
fn children_that_no_row_in_the_bag_reaches_count_alike() {
    let file = serde_json::json!({
        "format": "wald-forest", "version": 1, "task": "regression", "features": ["x", "z"],
        "classes": null,
        "trees": [{
            "feature": [1, -1, 0, -1, -1], "threshold": [0.5, 0.0, 0.5, 0.0, 0.0],
            "left": [1, -1, 3, -1, -1], "right": [2, -1, 4, -1, -1],
            "value": [[1.0], [1.0], [1.0], [3.0], [7.0]],
            "in_bag": [1, 1, 0, 0],
        }],
    });
    let column = |name: &str, values: [f64; 4]| {
        wald::data::Column::numeric(name, values.to_vec()).expect("finite")
    };
    let columns = vec![column("x", [0.0, 1.0, 0.0, 1.0]), column("z", [0.0, 0.0, 1.0, 1.0])];
    let target = wald::data::Target::regression("y", vec![0.0, 2.0, 4.0, 6.0]).expect("finite");
    let data = Dataset::new(columns, target).expect("consistent");
    let threads = Threads::new(1).expect("one thread");
    let bytes = file.to_string();
    let forest = Forest::from_json(bytes.as_bytes(), Some(&data), &Run::on(threads));
    let forest = forest.expect("a forest");
    // Rows 2 and 3 reach the leaves 3 and 4, which have the values in the file or else what their
    // ancestors do; x sends them to both, as often to one as to the other.
    let values: Vec<f64> = (0..5).map(|node| forest.trees()[0].value(node)[0]).collect();
    let half = |y: f64| 0.5 * ((y - values[3]).powi(2) + (y - values[4]).powi(2));
    let base = (4.0 - values[3]).powi(2) + (6.0 - values[4]).powi(2);
    let found = measure(&data, &forest, MeasureId::MdaRandomSplit, None);
    let expected = (half(4.0) + half(6.0) - base) / 2.0;
    assert_close(found.values[0].expect("defined"), expected, "x");
}
