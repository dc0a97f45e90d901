//! What must hold of a forest that was read from a file, whoever wrote it.

use crate::message::Message;
use std::collections::HashSet;

use crate::data::LARGEST_TARGET;
use crate::error::Error;
use crate::forest::info::{Aggregation, FeatureInfo, FeatureKind};
use crate::forest::model::Forest;
use crate::forest::resolve::IMPURITIES_OF_TARGETS;
use crate::forest::tree::{Branches, LevelSet, Node, Rule, Split, Tree};
use crate::words::there_are;

/// A parent's weight is that of its children, up to the digits that other programs print.
const WEIGHT_TOLERANCE: f64 = 1e-4;

/// Where leaves count by their weights, sums of larger weights times values would overflow.
const LARGEST_LEAF_WEIGHT: f64 = 1e150;

/// Checks that every position is in range, every number finite, and the counts consistent.
///
/// # Errors
/// [`Error::ForestFile`] with the tree and node concerned.
pub(crate) fn check(forest: &Forest) -> Result<(), Error> {
    check_outline(forest)?;
    if forest.trees.is_empty() {
        return Err(wrong("the forest has no trees", "give at least one tree"));
    }
    check_bags(forest)?;
    for (index, tree) in forest.trees.iter().enumerate() {
        check_tree(forest, tree, index)?;
    }
    Ok(())
}

/// Checks a tree of a forest, which need not hold it.
///
/// # Errors
/// [`Error::ForestFile`] with the tree and node concerned.
pub(crate) fn check_tree(forest: &Forest, tree: &Tree, index: usize) -> Result<(), Error> {
    Checking { forest, tree, index }.check()
}

/// Checks everything but the trees and bags.
///
/// # Errors
/// [`Error::ForestFile`] with the name or setting concerned.
pub(crate) fn check_outline(forest: &Forest) -> Result<(), Error> {
    check_names(forest)?;
    if forest.impurity.task() != forest.task() {
        return Err(wrong(
            format!("the impurity `{}` does not fit the target", forest.impurity.id()),
            IMPURITIES_OF_TARGETS,
        ));
    }
    if let Some(config) = &forest.config {
        config
            .validate()
            .map_err(|error| wrong(format!("the settings are wrong: {error}"), error.help()))?;
    }
    let n_features = forest.features.len();
    match forest.mtry.filter(|mtry| !(1..=n_features).contains(mtry)) {
        Some(mtry) => Err(wrong(
            format!("`mtry` is {mtry}, but {}", there_are(n_features, "feature")),
            format!("write a number between 1 and {n_features}, or leave `mtry` out"),
        )),
        None => Ok(()),
    }
}

fn check_names(forest: &Forest) -> Result<(), Error> {
    if forest.features.is_empty() {
        return Err(wrong("the forest has no features", "name at least one feature"));
    }
    let names = || forest.features.iter().map(|feature| &feature.name);
    if let Some(name) = first_double(names()) {
        return Err(wrong(
            format!("two features are called \"{name}\""),
            "give every feature a name of its own",
        ));
    }
    for feature in &forest.features {
        if let FeatureKind::Categorical { levels } = &feature.kind
            && let Some(level) = first_double(levels.iter())
        {
            return Err(wrong(
                format!("the feature \"{}\" names the level \"{level}\" twice", feature.name),
                "give every level a name of its own",
            ));
        }
    }
    if let Some(outputs) = &forest.target.outputs {
        if forest.target.classes.is_some()
            || !(1..=outputs.names.len()).contains(&outputs.n_targets)
        {
            return Err(wrong(
                format!(
                    "the forest has {} targets of {} outputs",
                    outputs.n_targets,
                    outputs.names.len()
                ),
                "write the file again",
            ));
        }
        if let Some(name) = first_double(outputs.names.iter()) {
            return Err(wrong(
                format!("two outputs are called \"{name}\""),
                "give every output a name of its own",
            ));
        }
    }
    let classes = forest.target.classes.as_deref();
    if classes.is_some_and(<[String]>::is_empty) {
        return Err(wrong("the list of classes is empty", "name the classes"));
    }
    match first_double(classes.unwrap_or_default().iter()) {
        Some(class) => Err(wrong(
            format!("two classes are called \"{class}\""),
            "give every class a name of its own",
        )),
        None => Ok(()),
    }
}

fn first_double<'a>(names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let mut seen = HashSet::new();
    let mut names = names;
    names.find(|name| !seen.insert(*name))
}

fn check_bags(forest: &Forest) -> Result<(), Error> {
    let Some(bags) = &forest.bags else {
        return Ok(());
    };
    if bags.len() != forest.trees.len() {
        return Err(wrong(
            format!("there are {} bags for {} trees", bags.len(), forest.trees.len()),
            "give one bag per tree",
        ));
    }
    let n_rows = bags.first().map_or(0, |bag| bag.counts().len());
    if n_rows == 0 {
        return Err(wrong("tree 0 has an empty `in_bag`", "give one count per training row"));
    }
    match bags.iter().position(|bag| bag.counts().len() != n_rows) {
        Some(tree) => Err(wrong(
            format!(
                "tree {tree} has {} entries in `in_bag`, but tree 0 has {n_rows}",
                bags[tree].counts().len()
            ),
            "give one count per training row in every tree",
        )),
        None => Ok(()),
    }
}

/// A value that is larger than any response may be: sums over trees, and their squares, would not
/// be finite.
pub(super) fn too_large(value: &[f64]) -> Option<f64> {
    value.iter().copied().find(|value| value.abs() > LARGEST_TARGET)
}

fn wrong(what: impl Into<Message>, help: impl Into<Message>) -> Error {
    Error::forest_file(what, help)
}

/// One tree of a forest.
struct Checking<'a> {
    forest: &'a Forest,
    tree: &'a Tree,
    index: usize,
}

impl Checking<'_> {
    fn check(&self) -> Result<(), Error> {
        let tree = self.tree;
        let n_nodes = tree.nodes.len();
        if n_nodes == 0 || n_nodes >= u32::MAX as usize {
            return Err(self.wrong(format!("has {n_nodes} nodes")));
        }
        let n_outputs = self.forest.target.n_outputs();
        let has_values = match &tree.met {
            Some(met) => met.is_sound() && met.n_nodes() == n_nodes && met.n_classes() == n_outputs,
            None => tree.values.len() == n_nodes * n_outputs,
        };
        if !has_values {
            return Err(self.wrong("has too few or too many node values"));
        }
        for node in 0..n_nodes {
            let value = tree.value(node);
            if value.iter().any(|value| !value.is_finite()) {
                return Err(self.wrong_node(node, "has a value that is not finite"));
            }
            if let Some(value) = too_large(&value) {
                let what = format!("has the value {value:e}, too large for sums and squares");
                return Err(self.wrong_node(node, what));
            }
        }
        let mut is_child = vec![false; n_nodes];
        for (node, content) in tree.nodes.iter().enumerate() {
            if let Node::Split(split) = content {
                self.check_split(node, split)?;
                for child in tree.children(split) {
                    if child <= node || child >= n_nodes || is_child[child] {
                        return Err(self.wrong_node(node, format!("has a wrong child {child}")));
                    }
                    is_child[child] = true;
                }
            }
        }
        if let Some(node) = (1..n_nodes).find(|&node| !is_child[node]) {
            return Err(self.wrong_node(node, "is the child of no node"));
        }
        self.check_statistics()
    }

    fn check_split(&self, node: usize, split: &Split) -> Result<(), Error> {
        let fail = |what: &str| Err(self.wrong_node(node, what));
        let Some(feature) = self.forest.features.get(split.feature as usize) else {
            return fail("splits on a feature that does not exist");
        };
        let is_numeric = feature.kind == FeatureKind::Numeric;
        match split.rule {
            Rule::AtMost { threshold, .. } if is_numeric && threshold.is_finite() => Ok(()),
            Rule::AtMost { .. } => fail("has a threshold that is not finite, or levels"),
            Rule::Levels { .. } | Rule::Multiway { .. } if is_numeric => {
                fail("splits the levels of a number")
            }
            Rule::Levels { set, .. } => match self.tree.level_sets.get(set as usize) {
                Some(set) if is_sound_set(set, feature) => Ok(()),
                _ => fail("has a wrong set of levels"),
            },
            Rule::Present => Ok(()),
            Rule::Multiway { table } => match self.tree.branches.get(table as usize) {
                Some(branches) if are_sound_branches(branches, feature) => Ok(()),
                _ => fail("has a wrong list of branches"),
            },
        }
    }

    fn check_statistics(&self) -> Result<(), Error> {
        let Some(known) = &self.tree.statistics else {
            return Ok(());
        };
        let n_nodes = self.tree.nodes.len();
        if known.weights.len() != n_nodes || known.impurities.len() != n_nodes {
            return Err(self.wrong("has too few or too many node weights or impurities"));
        }
        let largest = match self.forest.aggregation {
            Aggregation::LeafWeighted => LARGEST_LEAF_WEIGHT,
            Aggregation::Mean | Aggregation::Vote | Aggregation::Sum => f64::MAX,
        };
        for node in 0..n_nodes {
            let (weight, impurity) = (known.weights[node], known.impurities[node]);
            if !((0.0..=largest).contains(&weight) && impurity.is_finite()) {
                return Err(self.wrong_node(node, "has a wrong weight or impurity"));
            }
            if let Node::Split(split) = &self.tree.nodes[node] {
                let below: f64 = self.tree.children(split).map(|child| known.weights[child]).sum();
                // Written so that a sum which is not a number fails, too.
                let agrees = (below - weight).abs() <= WEIGHT_TOLERANCE * weight;
                if !agrees {
                    let what = format!("weighs {weight}, but its children {below} together");
                    return Err(self.wrong_node(node, what));
                }
            }
        }
        Ok(())
    }

    fn wrong(&self, what: impl std::fmt::Display) -> Error {
        let help = "write the file again; trees are counted from 0";
        Error::forest_file(format!("tree {} {what}", self.index), help)
    }

    fn wrong_node(&self, node: usize, what: impl std::fmt::Display) -> Error {
        let help = "write the file again; trees and nodes are counted from 0";
        Error::forest_file(format!("tree {}, node {node} {what}", self.index), help)
    }
}

fn is_sound_set(set: &LevelSet, feature: &FeatureInfo) -> bool {
    let n_levels = feature.n_levels();
    match set {
        LevelSet::Bits(words) => words.len() == (n_levels as usize).div_ceil(64),
        LevelSet::Listed(levels) | LevelSet::Excepted(levels) => are_levels(levels, n_levels),
    }
}

fn are_levels(levels: &[u32], n_levels: u32) -> bool {
    levels.is_sorted_by(|a, b| a < b) && levels.last().is_none_or(|&last| last < n_levels)
}

fn are_sound_branches(branches: &Branches, feature: &FeatureInfo) -> bool {
    let is_child = |child: u32| child < branches.n_children;
    is_child(branches.missing)
        && is_child(branches.others)
        && are_levels(&branches.levels, feature.n_levels())
        && branches.children.len() == branches.levels.len()
        && branches.children.iter().all(|&child| is_child(child))
}
