//! Which subtrees are so small that the rows fall into few states there.

use crate::forest::{RankedNode, Router};
use crate::tree_shap::tree_columns::TreeColumns;

/// Most states of a piece. What a state costs once, its rows need not do one by one; more states
/// mean larger pieces, but fewer rows in each.
pub(super) const MOST_STATES: usize = 512;

/// Most columns of a piece.
pub(super) const MOST_COLUMNS: usize = 8;

/// The columns that a subtree splits on, and into how many regions it divides the values of each.
#[derive(Debug, Clone, Copy)]
struct Small {
    n: usize,
    places: [u32; MOST_COLUMNS],
    regions: [u32; MOST_COLUMNS],
}

const LEAF: Small = Small { n: 0, places: [0; MOST_COLUMNS], regions: [1; MOST_COLUMNS] };

/// How splits on a column add to each other.
#[derive(Clone, Copy, PartialEq)]
enum Joined {
    /// Every threshold adds one region.
    Sum,
    /// Any combination of children may be a region.
    Product,
}

impl Small {
    /// `None` where there are too many columns.
    fn with(mut self, place: u32, regions: u32, joined: Joined) -> Option<Self> {
        let at = self.places[..self.n].iter().position(|of| *of == place).unwrap_or(self.n);
        if at == self.n {
            self.n += 1;
            *self.places.get_mut(at)? = place;
        }
        self.regions[at] = match joined {
            Joined::Sum => self.regions[at].saturating_add(regions - 1),
            Joined::Product => self.regions[at].saturating_mul(regions),
        };
        Some(self)
    }
}

struct Frame {
    node: u32,
    place: u32,
    children: std::ops::Range<u32>,
    /// What the children visited so far are together; `None` if one is not small.
    joined: Option<Small>,
}

/// By node, whether its subtree is small; only nodes that count are looked at.
pub(super) fn small_subtrees(
    router: &Router<'_>,
    columns: &TreeColumns,
    counts: &[bool],
) -> Vec<bool> {
    let nodes = &router.ranked.nodes;
    let mut is_small = vec![true; nodes.len()];
    // By place, how often the path splits on it.
    let mut above = vec![0_u32; columns.used.len()];
    let joined = |place: u32| {
        if columns.is_plain[place as usize] { Joined::Sum } else { Joined::Product }
    };
    let has_missing: Vec<bool> =
        columns.used.iter().map(|&column| router.features.column(column).has_missing()).collect();
    let frame = |node: u32| -> Option<Frame> {
        let place = columns.place(&nodes[node as usize])?;
        let split = router.split(node as usize)?;
        let children = split.first_child..split.first_child + router.tree.n_children(split);
        Some(Frame { node, place, children, joined: Some(LEAF) })
    };
    let mut frames: Vec<Frame> = frame(0).into_iter().collect();
    above.iter_mut().zip(0..).for_each(|(n, place)| {
        *n = u32::from(frames.first().is_some_and(|frame| frame.place == place));
    });
    while let Some(top) = frames.last_mut() {
        if let Some(child) = top.children.next() {
            if nodes[child as usize] != RankedNode::Leaf
                && counts[child as usize]
                && let Some(frame) = frame(child)
            {
                above[frame.place as usize] += 1;
                frames.push(frame);
            }
            continue;
        }
        let Some(Frame { node, place, joined: children, .. }) = frames.pop() else { break };
        above[place as usize] -= 1;
        let n_children =
            router.split(node as usize).map_or(1, |split| router.tree.n_children(split));
        let small = children.and_then(|small| small.with(place, n_children, joined(place)));
        let small = small.filter(|small| {
            let radix = |at: usize| {
                let place = small.places[at] as usize;
                let missing = has_missing[place] && columns.is_plain[place];
                let more = u32::from(above[place] > 0) + u32::from(missing);
                u64::from(small.regions[at].saturating_add(more))
            };
            let n_states = (0..small.n).map(radix).fold(1_u64, u64::saturating_mul);
            n_states <= MOST_STATES as u64
        });
        is_small[node as usize] = small.is_some();
        if let Some(parent) = frames.last_mut() {
            parent.joined = parent.joined.zip(small).and_then(|(mut all, small)| {
                for at in 0..small.n {
                    let place = small.places[at];
                    all = all.with(place, small.regions[at], joined(place))?;
                }
                Some(all)
            });
        }
    }
    is_small
}
