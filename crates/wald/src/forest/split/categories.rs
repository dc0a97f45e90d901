//! Divisions of the levels of a categorical variable.

use crate::forest::grow::Position;
use crate::forest::split::{Asked, Best, Cut, Group, GroupOrder, Limits, Scorer, Sequence};
use crate::forest::tree::Side;

/// Tries divisions of the levels present at the node, with missing rows on either side.
pub(super) fn search<S: Scorer, Q: Sequence, P: Position>(
    scorer: &mut S,
    node: &Asked<'_, Q, P>,
    (limits, best): (Limits, &mut Best),
) {
    let groups = group(node.sequence, node.codes);
    if groups.len() < 2 {
        return;
    }
    let levels = Levels { groups: &groups, node };
    match scorer.order_groups(node.sequence, &groups) {
        GroupOrder::Scan(order) => {
            for &missing in node.sides() {
                levels.scan(scorer, &order, missing, (limits, best));
            }
        }
        GroupOrder::Exhaustive => {
            for &missing in node.sides() {
                levels.try_all(scorer, missing, (limits, best));
            }
        }
    }
}

struct Levels<'a, Q, P> {
    groups: &'a [Group],
    node: &'a Asked<'a, Q, P>,
}

impl<Q, P: Position> Levels<'_, Q, P> {
    fn scan(
        &self,
        scorer: &mut impl Scorer,
        order: &[u32],
        missing: Option<Side>,
        (limits, best): (Limits, &mut Best),
    ) {
        let mut left = self.node.start(scorer, missing);
        let mut best_cut = None;
        for (cut, &group) in order[..order.len() - 1].iter().enumerate() {
            scorer.move_group(&mut left, group, Side::Left);
            if best.offer(scorer, &left, limits, self.node.column, (Cut::Levels, missing)) {
                best_cut = Some(cut + 1);
            }
        }
        if let Some(cut) = best_cut {
            let (left, right) = order.split_at(cut);
            self.record(best, left.iter().copied(), right.iter().copied());
        }
    }

    /// All 2^(g-1) - 1 divisions of g groups, the last one staying on the right, in the order
    /// of a Gray code: one group moves at a time.
    fn try_all(
        &self,
        scorer: &mut impl Scorer,
        missing: Option<Side>,
        (limits, best): (Limits, &mut Best),
    ) {
        let n_groups = self.groups.len() as u32;
        let mut best_mask = None;
        let mut on_left = 0_u32;
        let mut left = self.node.start(scorer, missing);
        for step in 1..1_u32 << (n_groups - 1) {
            let group = step.trailing_zeros();
            on_left ^= 1 << group;
            let to = if on_left >> group & 1 == 1 { Side::Left } else { Side::Right };
            scorer.move_group(&mut left, group, to);
            if best.offer(scorer, &left, limits, self.node.column, (Cut::Levels, missing)) {
                best_mask = Some(on_left);
            }
        }
        if let Some(mask) = best_mask {
            let is_left = |group: &u32| mask >> group & 1 == 1;
            let left = (0..n_groups).filter(is_left);
            let right = (0..n_groups).filter(|group| !is_left(group));
            self.record(best, left, right);
        }
    }

    fn record(
        &self,
        best: &mut Best,
        left: impl Iterator<Item = u32>,
        right: impl Iterator<Item = u32>,
    ) {
        let level = |group: u32| self.groups[group as usize].level;
        best.levels_left.clear();
        best.levels_left.extend(left.map(level));
        best.levels_left.sort_unstable();
        best.levels_right.clear();
        best.levels_right.extend(right.map(level));
        best.levels_right.sort_unstable();
    }
}

/// The runs of equal codes.
fn group(sequence: &impl Sequence, codes: &[u32]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut key = None;
    for (index, &item) in (0_u32..).zip(sequence.items()) {
        let here = Some(sequence.key(item));
        match groups.last_mut() {
            Some(group) if key == here => group.end = index + 1,
            _ => {
                let level = codes[sequence.row(item) as usize];
                groups.push(Group { level, start: index, end: index + 1 });
            }
        }
        key = here;
    }
    groups
}
