//! The forest as the arrays of `wald-forest` JSON.

use std::borrow::Cow;
use std::io::Write;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::format::{FORMAT, VERSION};
use crate::error::Error;
use crate::forest::info::{FeatureInfo, FeatureKind};
use crate::forest::model::Forest;
use crate::forest::sample::Bag;
use crate::forest::tree::{LevelSet, Node, Rule, Side, Tree};

impl Forest {
    /// Writes `wald-forest` JSON, from which [`Forest::from_json`] makes an equal forest.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let mut json = Vec::new();
    /// forest.to_json(&mut json)?;
    /// assert_eq!(Forest::from_json(&json, Some(&data), &Run::all())?, forest);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of the writer, and [`ErrorKind::Unsupported`](std::io::ErrorKind::Unsupported) for a
    /// forest of several targets, which the format does not have: its model file is
    /// [`Forest::to_bytes`].
    pub fn to_json(&self, writer: impl Write) -> std::io::Result<()> {
        self.check_json().map_err(|error| {
            std::io::Error::new(std::io::ErrorKind::Unsupported, error.to_string())
        })?;
        let mut writer = std::io::BufWriter::new(writer);
        serde_json::to_writer(&mut writer, &ForestOut(self))?;
        writer.flush()
    }

    /// Refuses a forest that `wald-forest` JSON does not have: one of several targets.
    ///
    /// # Errors
    /// [`Error::ForestFile`] for such a forest.
    pub fn check_json(&self) -> Result<(), Error> {
        if self.target.outputs.is_none() {
            return Ok(());
        }
        Err(Error::forest_file(
            "wald-forest JSON is of one target, but this forest predicts several",
            "write it as a model file",
        ))
    }
}

struct ForestOut<'a>(&'a Forest);

impl Serialize for ForestOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let forest = self.0;
        let mut object = serializer.serialize_struct("forest", 14)?;
        object.serialize_field("format", FORMAT)?;
        object.serialize_field("version", &VERSION)?;
        object.serialize_field("task", &forest.task())?;
        object.serialize_field("target", &forest.target.name)?;
        let names: Vec<&str> =
            forest.features.iter().map(|feature| feature.name.as_str()).collect();
        object.serialize_field("features", &names)?;
        let levels: Vec<Option<&[String]>> = forest.features.iter().map(levels).collect();
        if levels.iter().any(Option::is_some) {
            object.serialize_field("feature_levels", &levels)?;
        }
        object.serialize_field("classes", &forest.target.classes)?;
        object.serialize_field("float32_inputs", &forest.float32_inputs)?;
        object.serialize_field("aggregation", &forest.aggregation)?;
        object.serialize_field("impurity", &forest.impurity)?;
        if let Some(config) = &forest.config {
            object.serialize_field("config", config)?;
        }
        if let Some(mtry) = &forest.mtry {
            object.serialize_field("mtry", mtry)?;
        }
        if let Some(table) = forest.table {
            object.serialize_field("table", &*blake3::Hash::from_bytes(table).to_hex())?;
        }
        let trees = List(|| {
            forest.trees.iter().enumerate().map(|(index, tree)| TreeOut {
                tree,
                features: &forest.features,
                bag: forest.bags.as_ref().map(|bags| &bags[index]),
            })
        });
        object.serialize_field("trees", &trees)?;
        object.end()
    }
}

fn levels(feature: &FeatureInfo) -> Option<&[String]> {
    match &feature.kind {
        FeatureKind::Numeric => None,
        FeatureKind::Categorical { levels } => Some(levels),
    }
}

/// A list written entry by entry, so that no copy of a tree is made.
struct List<F>(F);

impl<F, I> Serialize for List<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}

struct TreeOut<'a> {
    tree: &'a Tree,
    features: &'a [FeatureInfo],
    bag: Option<&'a Bag>,
}

impl Serialize for TreeOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tree = self.tree;
        let nodes = || tree.nodes.iter();
        let has_other = nodes().any(
            |node| matches!(node, Node::Split(split) if !matches!(split.rule, Rule::AtMost { .. })),
        );
        let mut object = serializer.serialize_struct("tree", 14)?;
        object.serialize_field("feature", &List(|| nodes().map(feature)))?;
        object.serialize_field("threshold", &List(|| nodes().map(threshold)))?;
        object.serialize_field("left", &List(|| nodes().map(|node| side_child(node, 0))))?;
        object.serialize_field("right", &List(|| nodes().map(|node| side_child(node, 1))))?;
        if has_other {
            let entries: Vec<Entry> = nodes().map(|node| self.entry(node)).collect();
            let all = || entries.iter();
            object.serialize_field("split", &List(|| all().map(|entry| entry.kind)))?;
            object.serialize_field("levels", &List(|| all().map(|entry| &entry.levels)))?;
            if !tree.branches.is_empty() {
                object.serialize_field("children", &List(|| all().map(|entry| &entry.children)))?;
                object.serialize_field("branches", &List(|| all().map(|entry| entry.branches)))?;
                object.serialize_field("others", &List(|| all().map(|entry| entry.others)))?;
            }
        }
        object.serialize_field("missing", &List(|| nodes().map(|node| self.missing(node))))?;
        object
            .serialize_field("value", &List(|| (0..tree.n_nodes()).map(|node| tree.value(node))))?;
        if let Some(known) = &tree.statistics {
            object.serialize_field("weight", &known.weights)?;
            object.serialize_field("impurity", &known.impurities)?;
        }
        if let Some(bag) = self.bag {
            object.serialize_field("in_bag", bag.counts())?;
        }
        object.end()
    }
}

/// What a node has besides a threshold.
#[derive(Default)]
struct Entry<'a> {
    kind: Option<&'static str>,
    levels: Option<Cow<'a, [u32]>>,
    children: Option<Vec<usize>>,
    branches: Option<&'a [u32]>,
    others: Option<u32>,
}

/// Where missing values go.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum Missing {
    Side(&'static str),
    Child(u32),
}

fn feature(node: &Node) -> i64 {
    match node {
        Node::Leaf => -1,
        Node::Split(split) => i64::from(split.feature),
    }
}

fn threshold(node: &Node) -> Option<f64> {
    match node {
        Node::Split(split) => match split.rule {
            Rule::AtMost { threshold, .. } => Some(threshold),
            Rule::Levels { .. } | Rule::Present | Rule::Multiway { .. } => None,
        },
        Node::Leaf => None,
    }
}

fn side_child(node: &Node, offset: u32) -> i64 {
    match node {
        Node::Split(split) if !matches!(split.rule, Rule::Multiway { .. }) => {
            i64::from(split.first_child + offset)
        }
        Node::Leaf | Node::Split(_) => -1,
    }
}

impl TreeOut<'_> {
    fn missing(&self, node: &Node) -> Option<Missing> {
        let Node::Split(split) = node else {
            return None;
        };
        match split.rule {
            Rule::AtMost { missing, .. } | Rule::Levels { missing, .. } => {
                let side = if missing == Side::Left { "left" } else { "right" };
                Some(Missing::Side(side))
            }
            Rule::Present => None,
            Rule::Multiway { table } => {
                Some(Missing::Child(self.tree.branches[table as usize].missing))
            }
        }
    }

    fn entry(&self, node: &Node) -> Entry<'_> {
        let Node::Split(split) = node else {
            return Entry::default();
        };
        match split.rule {
            Rule::AtMost { .. } => Entry { kind: Some("le"), ..Entry::default() },
            Rule::Present => Entry { kind: Some("present"), ..Entry::default() },
            Rule::Levels { set, .. } => {
                let n_levels = self.features[split.feature as usize].n_levels();
                let (levels, inside) = listed(&self.tree.level_sets[set as usize], n_levels);
                let kind = Some(if inside { "levels" } else { "levels_right" });
                Entry { kind, levels: Some(levels.into()), ..Entry::default() }
            }
            Rule::Multiway { table } => {
                let branches = &self.tree.branches[table as usize];
                Entry {
                    kind: Some("multiway"),
                    levels: Some(Cow::Borrowed(&branches.levels)),
                    children: Some(self.tree.children(split).collect()),
                    branches: Some(&branches.children),
                    others: Some(branches.others),
                }
            }
        }
    }
}

/// The levels inside the set, or those outside, whichever list gives the same form back.
fn listed(set: &LevelSet, n_levels: u32) -> (Vec<u32>, bool) {
    match set {
        LevelSet::Listed(levels) => (levels.to_vec(), true),
        LevelSet::Excepted(levels) => (levels.to_vec(), false),
        LevelSet::Bits(_) => {
            let side = |inside: bool| -> Vec<u32> {
                (0..n_levels).filter(|&level| set.contains(level) == inside).collect()
            };
            let outside = side(false);
            if LevelSet::new(&outside, false, n_levels as usize) == *set {
                (outside, false)
            } else {
                (side(true), true)
            }
        }
    }
}
