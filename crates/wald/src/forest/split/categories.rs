//! Divisions of the levels of a categorical variable.

use crate::forest::split::sort::{Sorter, code_of, row_of};
use crate::forest::split::{Best, Cut, Group, GroupOrder, Limits, Scorer};
use crate::forest::tree::Side;

/// Tries divisions of the levels present at the node, with missing rows on either side.
pub(crate) fn search(
    scorer: &mut impl Scorer,
    column: u32,
    sorter: &Sorter,
    (limits, best): (Limits, &mut Best),
) {
    let groups = group(&sorter.keys);
    if groups.len() < 2 {
        return;
    }
    let sorted: Vec<u32> = sorter.keys.iter().map(|&key| row_of(key)).collect();
    let levels = Levels { groups: &groups, missing: &sorter.missing, column };
    let sides: &[Option<Side>] =
        if sorter.missing.is_empty() { &[None] } else { &[Some(Side::Right), Some(Side::Left)] };
    match scorer.order_groups(&sorted, &groups) {
        GroupOrder::Scan(order) => {
            for &missing in sides {
                levels.scan(scorer, &order, missing, (limits, best));
            }
        }
        GroupOrder::Exhaustive => {
            for &missing in sides {
                levels.try_all(scorer, missing, (limits, best));
            }
        }
    }
}

struct Levels<'a> {
    groups: &'a [Group],
    missing: &'a [u32],
    column: u32,
}

impl Levels<'_> {
    fn start(&self, scorer: &mut impl Scorer, missing: Option<Side>) {
        scorer.start();
        if missing == Some(Side::Left) {
            self.missing.iter().for_each(|&row| scorer.push(row));
        }
    }

    fn scan(
        &self,
        scorer: &mut impl Scorer,
        order: &[u32],
        missing: Option<Side>,
        (limits, best): (Limits, &mut Best),
    ) {
        self.start(scorer, missing);
        let mut best_cut = None;
        for (cut, &group) in order[..order.len() - 1].iter().enumerate() {
            scorer.move_group(group, Side::Left);
            if best.offer(scorer, limits, self.column, (Cut::Levels, missing)) {
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
        self.start(scorer, missing);
        for step in 1..1_u32 << (n_groups - 1) {
            let group = step.trailing_zeros();
            on_left ^= 1 << group;
            let to = if on_left >> group & 1 == 1 { Side::Left } else { Side::Right };
            scorer.move_group(group, to);
            if best.offer(scorer, limits, self.column, (Cut::Levels, missing)) {
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
fn group(keys: &[u64]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, &key) in keys.iter().enumerate() {
        let level = code_of(key);
        match groups.last_mut() {
            Some(group) if group.level == level => group.end = index as u32 + 1,
            _ => groups.push(Group { level, start: index as u32, end: index as u32 + 1 }),
        }
    }
    groups
}
