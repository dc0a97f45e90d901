//! One tree of the file in the form in which trees are stored, as far as the file has it.

use super::document::{SplitKind, TreeDocument};
use super::entry::{Index, NONE, Number};
use super::order::{Children, Fault, Order};
use super::rules;
use crate::error::Error;
use crate::forest::info::FeatureInfo;
use crate::forest::sample::Bag;
use crate::forest::tree::{Node, Split, Tree};
use crate::forest::validate;

/// A tree whose values and statistics may still have to be computed.
#[derive(Debug)]
pub(super) struct Draft {
    /// Without statistics; values are NaN where the file has none.
    pub(super) tree: Tree,
    pub(super) weights: Option<Vec<f64>>,
    pub(super) impurities: Option<Vec<f64>>,
    /// Splits for which the file does not define where missing values go.
    pub(super) sideless: Vec<u32>,
    /// Splits for which it does not define where unlisted levels go.
    pub(super) otherless: Vec<u32>,
    pub(super) bag: Option<Bag>,
    /// Per stored node, its number in the file.
    pub(super) names: Vec<u32>,
}

/// What all trees share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) features: &'a [FeatureInfo],
    pub(super) n_outputs: usize,
}

/// An error about one tree.
pub(super) fn tree_error(tree: usize, what: impl std::fmt::Display) -> Error {
    Error::forest_file(format!("tree {tree} {what}"), "correct the tree; counting starts at 0")
}

/// An error about one node.
pub(super) fn node_error(tree: usize, node: u32, what: impl std::fmt::Display) -> Error {
    let help = "correct the node; trees and nodes are counted from 0";
    Error::forest_file(at_node(tree, node, what), help)
}

/// Describes what is wrong with a node.
pub(super) fn at_node(tree: usize, node: u32, what: impl std::fmt::Display) -> String {
    format!("tree {tree}, node {node} {what}")
}

impl Draft {
    pub(super) fn new(
        index: usize,
        document: TreeDocument,
        shared: Shared<'_>,
    ) -> Result<Self, Error> {
        let fail = |node: usize, what: String| node_error(index, node as u32, what);
        let n_nodes = check_lengths(index, &document)?;
        let children = children(&document, n_nodes).map_err(|(node, what)| fail(node, what))?;
        let order = Order::new(&children).map_err(|fault| describe(index, &fault))?;
        let mut names = vec![0; n_nodes];
        for (name, &position) in (0_u32..).zip(&order.position) {
            names[position as usize] = name;
        }
        let position = |name: u32| order.position[name as usize];
        // Level sets are numbered in the order in which splits were made, that of children.
        let mut splits: Vec<u32> =
            (0..n_nodes as u32).filter(|&name| !children.of(name as usize).is_empty()).collect();
        splits.sort_unstable_by_key(|&name| position(children.of(name as usize)[0]));
        let mut tree = Tree {
            nodes: vec![Node::Leaf; n_nodes],
            values: Vec::new(),
            statistics: None,
            level_sets: Vec::new(),
            branches: Vec::new(),
            met: None,
        };
        let (mut sideless, mut otherless) = (Vec::new(), Vec::new());
        for name in splits {
            let node = name as usize;
            let feature = document.feature.as_ref().map_or(NONE, |list| list[node].0);
            let Some(info) = shared.features.get(feature as usize) else {
                let last = shared.features.len() - 1;
                let what = format!("splits on feature {feature}; the features are 0 to {last}");
                return Err(fail(node, what));
            };
            let children = children.of(node);
            let n_children = children.len() as u32;
            let read = rules::read(&document, node, info, n_children, &mut tree)
                .map_err(|what| fail(node, what))?;
            if !read.has_missing_side {
                sideless.push(position(name));
            }
            if !read.has_others {
                otherless.push(position(name));
            }
            tree.nodes[position(name) as usize] =
                Node::Split(Split { feature, first_child: position(children[0]), rule: read.rule });
        }
        tree.values = arrange_values(&document, &names, shared.n_outputs)
            .map_err(|(node, what)| fail(node, what))?;
        let weights = arrange(document.weight.as_deref(), &names, |weight| weight >= 0.0)
            .map_err(|node| fail(node, "has no weight of 0 or more".to_owned()))?;
        let impurities = arrange(document.impurity.as_deref(), &names, |_| true)
            .map_err(|node| fail(node, "has no finite impurity".to_owned()))?;
        let bag = document
            .in_bag
            .map(|counts| Bag::from_counts(counts.into_iter().map(|count| count.0).collect()));
        Ok(Self { tree, weights, impurities, sideless, otherless, bag, names })
    }
}

/// The number of nodes, which all arrays share.
fn check_lengths(index: usize, document: &TreeDocument) -> Result<usize, Error> {
    fn length<T>(list: Option<&Vec<T>>) -> Option<usize> {
        list.map(Vec::len)
    }
    let required = [
        ("feature", length(document.feature.as_ref())),
        ("threshold", length(document.threshold.as_ref())),
        ("left", length(document.left.as_ref())),
        ("right", length(document.right.as_ref())),
    ];
    let optional = [
        ("split", length(document.split.as_ref())),
        ("levels", length(document.levels.as_ref())),
        ("children", length(document.children.as_ref())),
        ("branches", length(document.branches.as_ref())),
        ("others", length(document.others.as_ref())),
        ("missing", length(document.missing.as_ref())),
        ("value", document.value.as_ref().map(|values| values.lengths.len())),
        ("weight", length(document.weight.as_ref())),
        ("impurity", length(document.impurity.as_ref())),
    ];
    if let Some((name, _)) = required.iter().find(|(_, length)| length.is_none()) {
        return Err(tree_error(index, format_args!("has no `{name}`")));
    }
    let n_nodes = document.feature.as_ref().map_or(0, Vec::len);
    if n_nodes == 0 {
        return Err(tree_error(index, "has no nodes"));
    }
    if n_nodes >= NONE as usize {
        return Err(tree_error(index, format_args!("has {n_nodes} nodes; too many to number")));
    }
    let given = required.iter().chain(&optional);
    for &(name, length) in given {
        if let Some(length) = length.filter(|&length| length != n_nodes) {
            let what = format_args!(
                "has {length} entries in `{name}`, but {n_nodes} in `feature`: one per node"
            );
            return Err(tree_error(index, what));
        }
    }
    Ok(n_nodes)
}

/// The children of every node, and that leaves have none.
fn children(document: &TreeDocument, n_nodes: usize) -> Result<Children, (usize, String)> {
    let id = |list: &Option<Vec<Index>>, node: usize| {
        list.as_ref().map_or(NONE, |list: &Vec<Index>| list[node].0)
    };
    let mut children = Children { starts: vec![0], list: Vec::new() };
    for node in 0..n_nodes {
        let fail = |what: &str| Err((node, what.to_owned()));
        let (left, right) = (id(&document.left, node), id(&document.right, node));
        let listed = document.children.as_ref().and_then(|children| children[node].as_deref());
        let is_leaf = id(&document.feature, node) == NONE;
        let is_multiway = rules::kind(document, node) == SplitKind::Multiway;
        let has_sides = left != NONE || right != NONE;
        let listed = listed.unwrap_or_default();
        if is_leaf && (has_sides || !listed.is_empty()) {
            return fail("is a leaf (feature -1) but has children");
        }
        if !is_leaf && is_multiway {
            if has_sides {
                return fail("is a multiway split but has a left or right child");
            }
            if listed.is_empty() {
                return fail("is a multiway split but has no `children`");
            }
            children.list.extend_from_slice(listed);
        } else if !is_leaf {
            if !listed.is_empty() {
                return fail("has `children` but is not a multiway split");
            }
            if left == NONE || right == NONE {
                return fail("is a split but lacks a left or right child");
            }
            children.list.extend([left, right]);
        }
        if children.list.len() >= NONE as usize {
            return fail("has more children than can be numbered");
        }
        children.starts.push(children.list.len() as u32);
    }
    Ok(children)
}

fn describe(tree: usize, fault: &Fault) -> Error {
    match *fault {
        Fault::OutOfRange { node, child } => {
            node_error(tree, node, format_args!("has the child {child}, which does not exist"))
        }
        Fault::TwoParents { child, parents: [one, other] } => node_error(
            tree,
            child,
            format_args!("is the child of two nodes or twice of one: {one} and {other}"),
        ),
        Fault::RootIsChild { parent } => {
            node_error(tree, parent, "has node 0, the root, as its child")
        }
        Fault::Orphan { node } => node_error(tree, node, "is the child of no node"),
        Fault::Cycle { node } => node_error(tree, node, "is not reached from the root: a cycle"),
    }
}

/// Node values in stored order, NaN where there are none.
fn arrange_values(
    document: &TreeDocument,
    names: &[u32],
    n_outputs: usize,
) -> Result<Vec<f64>, (usize, String)> {
    let mut arranged = vec![f64::NAN; names.len() * n_outputs];
    let Some(values) = &document.value else {
        return Ok(arranged);
    };
    let mut starts = Vec::with_capacity(names.len());
    let mut start = 0;
    for (node, &length) in values.lengths.iter().enumerate() {
        let length = length as usize;
        if length != 0 && length != n_outputs {
            return Err((node, format!("has a value of length {length}, not {n_outputs}")));
        }
        if values.flat[start..start + length].iter().any(|value| !value.is_finite()) {
            return Err((node, "has a value that is not a finite number".to_owned()));
        }
        if let Some(value) = validate::too_large(&values.flat[start..start + length]) {
            return Err((node, format!("has the value {value:e}, too large for sums and squares")));
        }
        starts.push(start);
        start += length;
    }
    for (target, &name) in arranged.chunks_exact_mut(n_outputs).zip(names) {
        let (start, length) = (starts[name as usize], values.lengths[name as usize] as usize);
        if length > 0 {
            target.copy_from_slice(&values.flat[start..start + length]);
        }
    }
    Ok(arranged)
}

/// Numbers per node in stored order; the node whose number is not finite or not allowed.
fn arrange(
    list: Option<&[Number]>,
    names: &[u32],
    is_allowed: impl Fn(f64) -> bool,
) -> Result<Option<Vec<f64>>, usize> {
    let Some(list) = list else {
        return Ok(None);
    };
    let wrong = |number: &Number| !(number.0.is_finite() && is_allowed(number.0));
    match list.iter().position(wrong) {
        Some(node) => Err(node),
        None => Ok(Some(names.iter().map(|&name| list[name as usize].0).collect())),
    }
}
