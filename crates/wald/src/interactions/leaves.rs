//! The leaves of a forest as a table: the variables on their paths, their classes and their rows.

use std::collections::{BTreeMap, HashMap};

use crate::data::{Column, Dataset, Groups, Response};
use crate::error::Error;
use crate::fitted::Fitted;
use crate::forest::{
    Bag, Forest, Node, RankedTree, Router, Rule, Split, Tree, align_target, argmax,
};
use crate::interactions::output::Sign;
use crate::quantile::quantile_of;
use crate::run::Run;
use crate::setting;
use crate::threads::ordered;
use crate::words::shortest;

/// The classes of rows and leaves.
#[derive(Debug)]
pub(super) struct Labels {
    /// By row; of a numeric target 1 above the cut, else 0.
    rows: Vec<u32>,
    /// What each is called.
    pub(super) names: Vec<String>,
    /// The value that divides a numeric target.
    pub(super) cut: Option<f64>,
}

/// The leaves of all trees that have rows, one after the other.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    /// The signed variables of each path, increasing, as [`Sign::code`] makes them.
    codes: Vec<u32>,
    /// Where the path of each leaf ends.
    ends: Vec<usize>,
    /// What each leaf predicts.
    pub(super) labels: Vec<u32>,
    /// The weight of the rows in each leaf.
    pub(super) weights: Vec<f64>,
    /// Rows that judge sets: label and weight, by leaf and then label.
    judging: Vec<(u32, f64)>,
    judging_ends: Vec<usize>,
    /// Whether sets are judged by rows that are out of bag, instead of by all.
    pub(super) is_out_of_bag: bool,
}

impl Labels {
    /// The median of a numeric target, in rows of positive weight, is its cut unless one is given, as in
    /// the R package iRF.
    pub(super) fn new(fitted: &Fitted, cut: Option<f64>) -> Result<Self, Error> {
        let target = align_target(fitted.data(), fitted.forest().target())?;
        let values = match target.response() {
            Response::Classification(classes) => {
                let names = target.classes().unwrap_or_default().to_vec();
                return Ok(Self { rows: classes.codes().to_vec(), names, cut: None });
            }
            Response::Regression(values) => values,
            Response::Several(_) => return Err(target.not_one()),
        };
        let weighing = || fitted.data().rows_of_positive_weight().into_iter();
        let usual = || quantile_of(weighing().map(|row| values[row as usize]).collect(), 0.5);
        let Some(cut) = cut.or_else(usual) else {
            return Err(Error::data("there are no rows", "give a table with rows"));
        };
        let rows: Vec<u32> = values.iter().map(|&value| u32::from(value > cut)).collect();
        if rows.iter().all(|label| *label == rows[0]) {
            return Err(Error::bad_setting(
                setting::CUT,
                format!("all values of the target are on one side of the cut {}", shortest(cut)),
                "give a cut with values of the target above it and others that are not",
            ));
        }
        let names = vec![format!("<= {}", shortest(cut)), format!("> {}", shortest(cut))];
        Ok(Self { rows, names, cut: Some(cut) })
    }

    /// Those of rows that were drawn from these.
    pub(super) fn select(&self, rows: &[u32]) -> Self {
        let rows = rows.iter().map(|&row| self.rows[row as usize]).collect();
        Self { rows, names: self.names.clone(), cut: self.cut }
    }

    pub(super) fn n_labels(&self) -> usize {
        self.names.len()
    }

    /// What a leaf predicts: its class, or whether the mean is above the cut. `classes` has the label of
    /// each class of the forest.
    fn of_leaf(&self, tree: &Tree, leaf: usize, classes: &[u32]) -> u32 {
        let value = tree.value(leaf);
        if let Some(cut) = self.cut {
            return u32::from(value[0] > cut);
        }
        classes[argmax(&value)]
    }

    /// The label of each class of a forest, which may list them in another order.
    fn of_classes(&self, forest: &Forest) -> Vec<u32> {
        let classes = forest.target().classes.as_deref().unwrap_or_default();
        let label = |class: &String| self.names.iter().position(|name| name == class);
        classes.iter().map(|class| label(class).unwrap_or(0) as u32).collect()
    }
}

/// The variables of a forest in the order of the table, in which the forest need not have them.
struct Variables<'a> {
    groups: &'a Groups,
    /// By column of the forest.
    of_column: Vec<u32>,
}

impl<'a> Variables<'a> {
    fn new(fitted: &'a Fitted) -> Self {
        let groups = fitted.data().groups();
        let columns = fitted.data().features().columns().iter().map(Column::name);
        let variable: HashMap<&str, u32> =
            columns.zip(groups.of_column().iter().copied()).collect();
        let of_column =
            fitted.forest().features().iter().map(|info| variable[info.name.as_str()]).collect();
        Self { groups, of_column }
    }

    /// A variable with the side on which a split sends its rows to a child.
    fn signed(&self, split: &Split, place: usize) -> (u32, Sign) {
        let variable = self.of_column[split.feature as usize];
        let is_column = self.groups.members()[variable as usize].len() == 1;
        (variable, if is_column { sign(split, place) } else { Sign::None })
    }
}

impl Leaves {
    /// Cost O(trees * rows * depth).
    pub(super) fn of(fitted: &Fitted, labels: &Labels, run: &Run) -> Result<Self, Error> {
        let forest = fitted.forest();
        let (variables, classes) = (Variables::new(fitted), labels.of_classes(forest));
        let has_rows_out = |bag: &Bag| bag.counts().contains(&0);
        let is_out_of_bag = forest.bags().is_some_and(|bags| bags.iter().any(has_rows_out));
        let mut all = Self { is_out_of_bag, ..Self::default() };
        let work = |index: usize, (): &mut ()| {
            Ok(Self::of_tree(fitted, index, &variables, (labels, &classes), is_out_of_bag))
        };
        ordered(forest.trees().len(), run, || (), work, |_, leaves| all.append(&leaves))?;
        if is_out_of_bag && forest.favours_classes(fitted.data()) {
            all.restore_shares(fitted.data(), labels);
        }
        Ok(all)
    }

    /// Weighs the rows that judge sets such that classes have their shares of the table: rows of classes that
    /// bags favour are rarely out of bag.
    fn restore_shares(&mut self, data: &Dataset, labels: &Labels) {
        let (mut table, mut judging) = (vec![0.0; labels.n_labels()], vec![0.0; labels.n_labels()]);
        for (row, &label) in labels.rows.iter().enumerate() {
            table[label as usize] += data.weights().map_or(1.0, |weights| weights[row]);
        }
        self.judging.iter().for_each(|&(label, weight)| judging[label as usize] += weight);
        for (label, weight) in &mut self.judging {
            *weight *= table[*label as usize] / judging[*label as usize];
        }
    }

    fn of_tree(
        fitted: &Fitted,
        index: usize,
        variables: &Variables<'_>,
        (labels, classes): (&Labels, &[u32]),
        is_out_of_bag: bool,
    ) -> Self {
        let (forest, data, training) = (fitted.forest(), fitted.data(), fitted.training());
        let tree = &*forest.trees()[index].unpacked();
        let ranked = RankedTree::bind(tree, training.features(), forest.float32_inputs());
        let router = Router::new(tree, &ranked, training);
        let out = forest.bags().filter(|_| is_out_of_bag).map(|bags| bags[index].counts());
        let mut weights = vec![0.0; tree.n_nodes()];
        let mut judging: BTreeMap<(usize, u32), f64> = BTreeMap::new();
        for (row, &label) in labels.rows.iter().enumerate() {
            let code_of = |column| training.features().column(column).codes()[row];
            let leaf = router.descend(0, code_of);
            let weight = data.weights().map_or(1.0, |weights| weights[row]);
            weights[leaf] += weight;
            if out.is_none_or(|counts| counts[row] == 0) {
                *judging.entry((leaf, label)).or_insert(0.0) += weight;
            }
        }
        let above = Above::new(tree);
        let mut leaves = Self::default();
        for (leaf, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            let rows = judging.range((leaf, 0)..=(leaf, u32::MAX));
            let rows: Vec<(u32, f64)> = rows.map(|((_, label), sum)| (*label, *sum)).collect();
            let path = above.path(tree, leaf, variables);
            leaves.push(&path, labels.of_leaf(tree, leaf, classes), weight, &rows);
        }
        leaves
    }

    /// Adds a leaf; the path is increasing.
    pub(super) fn push(&mut self, path: &[u32], label: u32, weight: f64, rows: &[(u32, f64)]) {
        self.codes.extend_from_slice(path);
        self.ends.push(self.codes.len());
        self.labels.push(label);
        self.weights.push(weight);
        self.judging.extend_from_slice(rows);
        self.judging_ends.push(self.judging.len());
    }

    fn append(&mut self, others: &Self) {
        for leaf in 0..others.len() {
            let (path, rows) = (others.path(leaf), others.judging(leaf));
            self.push(path, others.labels[leaf], others.weights[leaf], rows);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The signed variables on the path to a leaf, increasing.
    pub(super) fn path(&self, leaf: usize) -> &[u32] {
        part(&self.codes, &self.ends, leaf)
    }

    /// The rows by which sets are judged: labels, and their weights.
    pub(super) fn judging(&self, leaf: usize) -> &[(u32, f64)] {
        part(&self.judging, &self.judging_ends, leaf)
    }
}

fn part<'a, T>(all: &'a [T], ends: &[usize], at: usize) -> &'a [T] {
    let start = at.checked_sub(1).map_or(0, |before| ends[before]);
    &all[start..ends[at]]
}

/// The node above every node, and which of its children a node is.
struct Above(Vec<Option<(usize, usize)>>);

impl Above {
    fn new(tree: &Tree) -> Self {
        let mut above = vec![None; tree.n_nodes()];
        for (node, split) in tree.splits() {
            for (place, child) in tree.children(split).enumerate() {
                above[child] = Some((node, place));
            }
        }
        Self(above)
    }

    /// The path to a leaf. On the way up, the split nearest to the root is met last, and its sign
    /// stays.
    fn path(&self, tree: &Tree, leaf: usize, variables: &Variables<'_>) -> Vec<u32> {
        let mut signs = BTreeMap::new();
        let mut at = leaf;
        while let Some((node, place)) = self.0[at] {
            at = node;
            // A multiway split with a single child divides no rows.
            if let Node::Split(split) = &tree.nodes()[node]
                && tree.n_children(split) > 1
            {
                let (variable, sign) = variables.signed(split, place);
                signs.insert(variable, sign);
            }
        }
        signs.into_iter().map(|(variable, sign)| sign.code(variable)).collect()
    }
}

fn sign(split: &Split, place: usize) -> Sign {
    match split.rule {
        Rule::AtMost { .. } if place == 0 => Sign::AtMost,
        Rule::AtMost { .. } => Sign::Above,
        Rule::Levels { .. } | Rule::Present | Rule::Multiway { .. } => Sign::None,
    }
}
