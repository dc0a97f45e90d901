//! Divisions of the levels of a categorical variable.
//!
//! Of few levels, the best division that is known of is taken as it is. Many levels divide any node
//! well by chance: in the order of their mean responses, levels of a row each separate the small
//! responses from the large ones, and do not generalise to other rows. A variable of more than
//! [`MOST_FREE_LEVELS`] levels therefore
//!
//! * keeps the levels of fewer than [`LEAST_ROWS`] rows at the node together, as one level, which
//!   levels without a row follow; and
//! * is charged for the others: under independence, k levels take up k - 1 shares of the impurity,
//!   a share being that of one row. Two sides are free, as they are of a number, so that k - 2
//!   shares are taken from the score of its divisions before they compete; what is left must be
//!   above zero.
//!
//! `docs/benchmarks.md` compares this with other ways.

use crate::forest::position::Position;
use crate::forest::split::asked::Asked;
use crate::forest::split::best::{Best, Cut};
use crate::forest::split::limits::Limits;
use crate::forest::split::scorer::{Group, GroupOrder, Scorer};
use crate::forest::split::sequence::Sequence;
use crate::forest::tree::Side;

/// Variables of at most so many levels are not charged for them. All divisions of as many are tried
/// where there are more than two classes, and at nodes of some hundred rows the charge would be small.
pub(crate) const MOST_FREE_LEVELS: usize = 12;

/// Levels of fewer rows at a node are kept together.
pub(crate) const LEAST_ROWS: u32 = 3;

/// Tries divisions of the levels present at the node, with missing rows on either side.
pub(super) fn search<S: Scorer, Q: Sequence, P: Position>(
    scorer: &mut S,
    node: &Asked<'_, Q, P>,
    best: &mut Best,
) {
    let groups = group(node.sequence, node.codes);
    if groups.len() > 1 {
        let order = scorer.order_groups(node.sequence, &groups);
        search_order(scorer, node, Levels { groups: &groups, rare: &[] }, &order, best);
    }
}

/// The same for a variable of many levels.
pub(super) fn search_many<S: Scorer, Q: Sequence, P: Position>(
    scorer: &mut S,
    node: &Asked<'_, Q, P>,
    best: &mut Best,
) {
    let groups = group(node.sequence, node.codes);
    if groups.len() < 2 {
        return;
    }
    let n_rows = node.sequence.items().len() + node.missing.len();
    let share = scorer.spread() / n_rows as f64;
    let limits = best.limits;
    let charged = |n_groups: usize| {
        let charge = n_groups.saturating_sub(2) as f64 * share;
        Limits { charge, floor: scorer.undivided(), ..limits }
    };
    let before = best.score;
    if groups.iter().all(|group| group.end - group.start >= LEAST_ROWS) {
        best.limits = charged(groups.len());
        let order = scorer.order_groups(node.sequence, &groups);
        search_order(scorer, node, Levels { groups: &groups, rare: &[] }, &order, best);
    } else {
        let (sequence, groups, rare) = Pooled::new(node.sequence, &groups);
        if groups.len() > 1 {
            best.limits = charged(groups.len());
            let order = scorer.order_groups(&sequence, &groups);
            search_order(scorer, node, Levels { groups: &groups, rare: &rare }, &order, best);
        }
    }
    best.limits = limits;
    best.n_in_vain += u32::from(best.score <= before);
}

/// Tries the divisions that an order of groups stands for.
fn search_order<S: Scorer, Q, P: Position>(
    scorer: &mut S,
    node: &Asked<'_, Q, P>,
    levels: Levels<'_>,
    order: &GroupOrder,
    best: &mut Best,
) {
    for &missing in node.sides() {
        let left = node.start(scorer, missing);
        match order {
            GroupOrder::Scan(order) => levels.scan(scorer, left, order, missing, best),
            GroupOrder::Exhaustive => levels.try_all(scorer, left, missing, best),
        }
    }
}

/// Groups of rows to be divided. What divides them does not depend on how rows are stored, so that it is
/// compiled once for every scorer.
#[derive(Clone, Copy)]
struct Levels<'a> {
    groups: &'a [Group],
    /// The levels that the last group stands for, where it stands for several.
    rare: &'a [u32],
}

impl Levels<'_> {
    fn scan<S: Scorer>(
        self,
        scorer: &mut S,
        mut left: S::Left,
        order: &[u32],
        missing: Option<Side>,
        best: &mut Best,
    ) {
        let mut best_cut = None;
        for (cut, &group) in order[..order.len() - 1].iter().enumerate() {
            scorer.move_group(&mut left, group, Side::Left);
            if best.offer(scorer, &left, Cut::Levels, missing) {
                best_cut = Some(cut + 1);
            }
        }
        if let Some(cut) = best_cut {
            let (left, right) = order.split_at(cut);
            self.record(best, left, right);
        }
    }

    /// All 2^(g-1) - 1 divisions of g groups, the last one staying on the right, in the order
    /// of a Gray code: one group moves at a time.
    fn try_all<S: Scorer>(
        self,
        scorer: &mut S,
        mut left: S::Left,
        missing: Option<Side>,
        best: &mut Best,
    ) {
        let n_groups = self.groups.len() as u32;
        let mut best_mask = None;
        let mut on_left = 0_u32;
        for step in 1..1_u32 << (n_groups - 1) {
            let group = step.trailing_zeros();
            on_left ^= 1 << group;
            let to = if on_left >> group & 1 == 1 { Side::Left } else { Side::Right };
            scorer.move_group(&mut left, group, to);
            if best.offer(scorer, &left, Cut::Levels, missing) {
                best_mask = Some(on_left);
            }
        }
        if let Some(mask) = best_mask {
            let (left, right): (Vec<u32>, Vec<u32>) =
                (0..n_groups).partition(|group| mask >> group & 1 == 1);
            self.record(best, &left, &right);
        }
    }

    fn record(self, best: &mut Best, left: &[u32], right: &[u32]) {
        best.others = None;
        let sides = [
            (Side::Left, &mut best.levels_left, left),
            (Side::Right, &mut best.levels_right, right),
        ];
        for (side, levels, groups) in sides {
            levels.clear();
            for &group in groups {
                if !self.rare.is_empty() && group as usize == self.groups.len() - 1 {
                    levels.extend_from_slice(self.rare);
                    best.others = Some(side);
                } else {
                    levels.push(self.groups[group as usize].level);
                }
            }
            levels.sort_unstable();
        }
    }
}

/// The rows of a node, those of rare levels last.
struct Pooled<'a, Q: Sequence> {
    items: Vec<Q::Item>,
    of: &'a Q,
}

impl<'a, Q: Sequence> Pooled<'a, Q> {
    /// With its groups, of which the last one holds the rare levels, and these.
    fn new(of: &'a Q, groups: &[Group]) -> (Self, Vec<Group>, Vec<u32>) {
        let is_rare = |group: &&Group| group.end - group.start < LEAST_ROWS;
        let mut items = Vec::with_capacity(of.items().len());
        let mut append = |start: u32, end: u32| {
            let first = items.len() as u32;
            items.extend_from_slice(&of.items()[start as usize..end as usize]);
            (first, items.len() as u32)
        };
        let mut kept = Vec::new();
        for group in groups.iter().filter(|group| !is_rare(group)) {
            let (start, end) = append(group.start, group.end);
            kept.push(Group { level: group.level, start, end });
        }
        let rare: Vec<&Group> = groups.iter().filter(is_rare).collect();
        let mut pool = Group { level: rare[0].level, start: items_before(&kept), end: 0 };
        for group in &rare {
            pool.end = append(group.start, group.end).1;
        }
        kept.push(pool);
        let rare = rare.iter().map(|group| group.level).collect();
        (Self { items, of }, kept, rare)
    }
}

fn items_before(groups: &[Group]) -> u32 {
    groups.last().map_or(0, |group| group.end)
}

impl<Q: Sequence> Sequence for Pooled<'_, Q> {
    type Item = Q::Item;
    type Key = Q::Key;

    const ALL_DIFFER: bool = false;

    fn items(&self) -> &[Q::Item] {
        &self.items
    }

    fn position(&self, item: Q::Item) -> usize {
        self.of.position(item)
    }

    fn key(&self, item: Q::Item) -> Q::Key {
        self.of.key(item)
    }

    fn row(&self, item: Q::Item) -> u32 {
        self.of.row(item)
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
