//! The split of one inner node, from the arrays of its tree.

use super::document::{SplitKind, TreeDocument};
use super::entry::NONE;
use crate::forest::info::{FeatureInfo, FeatureKind};
use crate::forest::tree::{Branches, LevelSet, Rule, Side, Tree};

/// A rule, and whether the file defines where missing values and levels that it does not list go.
pub(super) struct Read {
    pub(super) rule: Rule,
    pub(super) has_missing_side: bool,
    pub(super) has_others: bool,
}

/// The kind of split of the file's node.
pub(super) fn kind(tree: &TreeDocument, node: usize) -> SplitKind {
    let kinds = tree.split.as_deref().unwrap_or_default();
    kinds.get(node).copied().flatten().unwrap_or(SplitKind::Le)
}

/// The rule of the file's inner node; its level set or branch table is added to `built`.
/// The error in words that follow "tree 0, node 0".
pub(super) fn read(
    document: &TreeDocument,
    node: usize,
    feature: &FeatureInfo,
    n_children: u32,
    built: &mut Tree,
) -> Result<Read, String> {
    let kind = kind(document, node);
    let side = document.missing.as_ref().map_or(NONE, |missing| missing[node].0);
    if side != NONE && side >= n_children {
        return Err(format!(
            "sends missing values to child {side}, but its children are 0 to {}",
            n_children - 1
        ));
    }
    let has_missing_side = side != NONE || kind == SplitKind::Present;
    // Until the heavier child is known, the first one stands in.
    let missing = Side::from_index(if side == NONE { 0 } else { side });
    let rule = match kind {
        SplitKind::Le | SplitKind::Lt => {
            let threshold = threshold(document, node, kind, feature)?;
            Rule::AtMost { threshold, missing }
        }
        SplitKind::Levels | SplitKind::LevelsRight => {
            let set = level_set(document, node, kind, feature)?;
            built.level_sets.push(set);
            Rule::Levels { set: built.level_sets.len() as u32 - 1, missing }
        }
        SplitKind::Present => Rule::Present,
        SplitKind::Multiway => {
            let missing = if side == NONE { 0 } else { side };
            built.branches.push(branches(document, node, feature, n_children, missing)?);
            Rule::Multiway { table: built.branches.len() as u32 - 1 }
        }
    };
    let has_others = kind != SplitKind::Multiway || others(document, node) != NONE;
    Ok(Read { rule, has_missing_side, has_others })
}

fn threshold(
    document: &TreeDocument,
    node: usize,
    kind: SplitKind,
    feature: &FeatureInfo,
) -> Result<f64, String> {
    if feature.kind != FeatureKind::Numeric {
        return Err(format!("compares the levels of \"{}\" with a threshold", feature.name));
    }
    let threshold = document.threshold.as_ref().map_or(f64::NAN, |list| list[node].0);
    if !threshold.is_finite() {
        return Err("has no finite threshold".to_owned());
    }
    if kind == SplitKind::Le {
        return Ok(threshold);
    }
    // x < t and x <= the largest number below t are the same split.
    let below = threshold.next_down();
    if below.is_finite() { Ok(below) } else { Err("requires less than every number".to_owned()) }
}

fn level_set(
    document: &TreeDocument,
    node: usize,
    kind: SplitKind,
    feature: &FeatureInfo,
) -> Result<LevelSet, String> {
    let n_levels = n_levels(feature)?;
    let Some(listed) = levels(document, node) else {
        return Err("splits levels but has no list in `levels`".to_owned());
    };
    let mut sorted = listed.to_vec();
    sorted.sort_unstable();
    check_levels(&sorted, feature)?;
    Ok(LevelSet::new(&sorted, kind == SplitKind::Levels, n_levels as usize))
}

fn levels(document: &TreeDocument, node: usize) -> Option<&[u32]> {
    document.levels.as_ref().and_then(|levels| levels[node].as_deref())
}

/// The child of levels that are not listed.
fn others(document: &TreeDocument, node: usize) -> u32 {
    document.others.as_ref().map_or(NONE, |others| others[node].0)
}

/// Checks sorted levels.
fn check_levels(sorted: &[u32], feature: &FeatureInfo) -> Result<(), String> {
    let n_levels = feature.n_levels();
    if let Some(&level) = sorted.last().filter(|&&level| level >= n_levels) {
        return Err(format!(
            "names level {level}, but the levels of \"{}\" are 0 to {}",
            feature.name,
            n_levels - 1
        ));
    }
    match sorted.iter().zip(sorted.iter().skip(1)).find(|(a, b)| a == b) {
        Some((level, _)) => Err(format!("names level {level} twice")),
        None => Ok(()),
    }
}

fn branches(
    document: &TreeDocument,
    node: usize,
    feature: &FeatureInfo,
    n_children: u32,
    missing: u32,
) -> Result<Branches, String> {
    let n_levels = n_levels(feature)?;
    let (levels, words) = match levels(document, node) {
        Some(levels) => (levels.to_vec(), "levels in `levels`".to_owned()),
        None => ((0..n_levels).collect(), format!("levels of \"{}\"", feature.name)),
    };
    let listed = document.branches.as_ref().and_then(|branches| branches[node].as_deref());
    let children = match listed {
        Some(children) if children.len() == levels.len() => children.to_vec(),
        Some(children) => {
            let n_entries = children.len();
            let n_levels = levels.len();
            return Err(format!(
                "has {n_entries} entries in `branches` for the {n_levels} {words}"
            ));
        }
        None if levels.len() == n_children as usize => (0..n_children).collect(),
        None => {
            let n_levels = levels.len();
            return Err(format!(
                "has {n_children} children for the {n_levels} {words} and no list in `branches`"
            ));
        }
    };
    let others = match others(document, node) {
        NONE if levels.len() < n_levels as usize => {
            return Err(
                "does not define in `others` where levels that are not listed go".to_owned()
            );
        }
        // Until the heaviest child is known, the first one stands in.
        NONE => 0,
        others => others,
    };
    if let Some(child) = children.iter().chain([&others]).find(|&&child| child >= n_children) {
        return Err(format!(
            "sends a level to child {child}, but its children are 0 to {}",
            n_children - 1
        ));
    }
    let mut pairs: Vec<(u32, u32)> = levels.into_iter().zip(children).collect();
    pairs.sort_unstable();
    let (levels, children): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
    check_levels(&levels, feature)?;
    Ok(Branches { levels: levels.into(), children: children.into(), others, missing, n_children })
}

fn n_levels(feature: &FeatureInfo) -> Result<u32, String> {
    match feature.n_levels() {
        0 => Err(format!(
            "splits the levels of \"{}\", which has no list in `feature_levels`",
            feature.name
        )),
        n_levels => Ok(n_levels),
    }
}
