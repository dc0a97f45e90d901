//! The out-of-bag values of a group of columns, and which of them lead to a node.
//!
//! Values are donors: under a permutation every row receives one of them. A set of donors is
//! kept in a form whose division at a split costs little: an interval for ordered columns;
//! for levels, a short list, or all levels but the marked ones; for several columns together,
//! the rows themselves. Where rows meet splits at random, donors are mere shares.

use crate::data::{MISSING_CODE, RankedKind};
use crate::forest::{Branches, LevelSet, RankedNode, Router, Rule, Split, Tree, split_rows};
use crate::pass::TreeView;

/// The donors of one group in one tree, as masses (case weights summed).
pub(crate) enum Donors {
    /// Values in order: the mass below each split's threshold, by node.
    Ordered {
        below: Vec<f64>,
        present: f64,
        missing: f64,
    },
    Levels(LevelDonors),
    /// Rows whose values stay together, in ranges that divisions narrow.
    Rows(Vec<u32>),
    /// No values: a split sends each side the share of its in-bag weight.
    Shares,
}

/// Levels in no order.
pub(crate) struct LevelDonors {
    /// By level.
    masses: Vec<f64>,
    present: f64,
    missing: f64,
    /// Levels that [`Reach::Unmarked`] leaves out.
    marked: Vec<bool>,
    /// The lists of [`Reach::Listed`].
    listed: Vec<u32>,
}

/// A set of donors. Missing values are kept apart: they go one way all together.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reach {
    /// Present values between two cumulated masses.
    Interval { low: f64, high: f64, missing: f64 },
    /// All levels that are not marked.
    Unmarked { mass: f64, missing: f64 },
    /// A range of the lists.
    Listed { start: usize, end: usize, mass: f64, missing: f64 },
    /// A range of the rows.
    Rows { start: usize, end: usize, mass: f64 },
    /// A part of one.
    Share { mass: f64 },
}

/// Levels to unmark once everything below the split was visited: a range of the lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Marks {
    start: usize,
    end: usize,
}

impl Reach {
    /// Weight of the donors in the set.
    pub(crate) fn mass(self) -> f64 {
        match self {
            Self::Interval { low, high, missing } => (high - low).max(0.0) + missing,
            Self::Unmarked { mass, missing } | Self::Listed { mass, missing, .. } => mass + missing,
            Self::Rows { mass, .. } | Self::Share { mass } => mass,
        }
    }
}

impl Donors {
    /// The out-of-bag values of a group. Cost O(out-of-bag rows * log splits), or O(out-of-bag
    /// rows + levels).
    pub(crate) fn new(view: &TreeView<'_>, group: usize) -> Self {
        let column = match view.groups.members()[group].as_slice() {
            [column] => view.training.features().canonical(*column),
            _ => return Self::Rows(view.out_of_bag.all().to_vec()),
        };
        let ranked = view.training.features().column(column);
        let codes = ranked.codes();
        let rows = view.out_of_bag.all();
        let values = rows.iter().map(|&row| (codes[row as usize], view.training.weight(row)));
        match ranked.kind() {
            RankedKind::Ordered(_) => ordered(view, column, values),
            RankedKind::Unordered { n_levels } => {
                let mut masses = vec![0.0; *n_levels];
                let mut missing = 0.0;
                for (code, weight) in values {
                    let mass = if code == MISSING_CODE {
                        &mut missing
                    } else {
                        &mut masses[code as usize]
                    };
                    *mass += weight;
                }
                Self::Levels(LevelDonors {
                    present: masses.iter().sum(),
                    missing,
                    marked: vec![false; *n_levels],
                    listed: Vec::new(),
                    masses,
                })
            }
        }
    }

    /// The set of all donors; forgets earlier lists.
    pub(crate) fn all(&mut self, view: &TreeView<'_>) -> Reach {
        match self {
            Self::Rows(rows) => Reach::Rows { start: 0, end: rows.len(), mass: weight(view, rows) },
            Self::Shares => Reach::Share { mass: 1.0 },
            Self::Ordered { present, missing, .. } => {
                Reach::Interval { low: 0.0, high: *present, missing: *missing }
            }
            Self::Levels(levels) => {
                levels.listed.clear();
                Reach::Unmarked { mass: levels.present, missing: levels.missing }
            }
        }
    }

    /// Divides donors at a split on their column: calls `each` with every child and the set
    /// that goes there. Where levels were marked (the returned marks), they must be unmarked
    /// after everything below the children was visited and before anything else is.
    pub(crate) fn split(
        &mut self,
        reach: Reach,
        node: usize,
        view: &TreeView<'_>,
        mut each: impl FnMut(usize, Reach),
    ) -> Option<Marks> {
        let router = view.router();
        let split = router.split(node)?;
        let first = split.first_child as usize;
        match (self, reach) {
            (Self::Rows(rows), Reach::Rows { start, end, .. }) => {
                // Most splits have two children and need no list.
                let (mut two, mut more, mut n_parts) = ([(0, 0, 0); 2], Vec::new(), 0);
                router.partition(node, &mut rows[start..end], |child, part| {
                    let part = (child, start + part.start, start + part.end);
                    match two.get_mut(n_parts) {
                        Some(place) => *place = part,
                        None => more.push(part),
                    }
                    n_parts += 1;
                });
                for (child, start, end) in two.into_iter().take(n_parts).chain(more) {
                    each(child, Reach::Rows { start, end, mass: weight(view, &rows[start..end]) });
                }
                None
            }
            (Self::Shares, Reach::Share { mass }) => {
                for child in view.tree.children(split) {
                    let share = in_bag_share(view.tree, split, child);
                    each(child, Reach::Share { mass: mass * share });
                }
                None
            }
            (Self::Ordered { below, .. }, Reach::Interval { low, high, missing }) => {
                let cut = match router.ranked.nodes[node] {
                    RankedNode::Below { .. } => below[node],
                    // Present values go left together.
                    RankedNode::Leaf | RankedNode::Other { .. } => f64::INFINITY,
                };
                let missing_child = router.child_of_code(node, MISSING_CODE);
                let share = |child| if child == missing_child { missing } else { 0.0 };
                let left = Reach::Interval { low, high: high.min(cut), missing: share(0) };
                let right = Reach::Interval { low: low.max(cut), high, missing: share(1) };
                each(first, left);
                each(first + 1, right);
                None
            }
            (Self::Levels(levels), reach) => levels.split(reach, node, router, split, each),
            // Sets are made by the donors that divide them.
            (Self::Ordered { .. } | Self::Rows(_) | Self::Shares, _) => None,
        }
    }

    pub(crate) fn unmark(&mut self, marks: Marks) {
        if let Self::Levels(levels) = self {
            for &level in &levels.listed[marks.start..marks.end] {
                levels.marked[level as usize] = false;
            }
        }
    }
}

impl LevelDonors {
    fn split(
        &mut self,
        reach: Reach,
        node: usize,
        router: Router<'_>,
        split: &Split,
        mut each: impl FnMut(usize, Reach),
    ) -> Option<Marks> {
        let first = split.first_child as usize;
        if let Rule::Multiway { table } = split.rule {
            let branches = &router.tree.branches()[table as usize];
            return self
                .branch(reach, branches, |child, reach| each(first + child as usize, reach));
        }
        let (mass, missing) = match reach {
            Reach::Unmarked { mass, missing } | Reach::Listed { mass, missing, .. } => {
                (mass, missing)
            }
            Reach::Interval { .. } | Reach::Rows { .. } | Reach::Share { .. } => return None,
        };
        let missing_child = router.child_of_code(node, MISSING_CODE);
        let share = |child: u32| if child == missing_child { missing } else { 0.0 };
        let few = match split.rule {
            Rule::Levels { set, .. } => match &router.tree.level_sets()[set as usize] {
                LevelSet::Listed(levels) => Some((levels, 0)),
                LevelSet::Excepted(levels) => Some((levels, 1)),
                LevelSet::Bits(_) => None,
            },
            _ => None,
        };
        // The usual case deep in a tree: few levels go one way, all others the other way.
        if let (Reach::Unmarked { .. }, Some((few, child))) = (reach, few) {
            let start = self.listed.len();
            for &level in few {
                if !std::mem::replace(&mut self.marked[level as usize], true) {
                    self.listed.push(level);
                }
            }
            let end = self.listed.len();
            let minor = self.mass_of(start, end);
            let other = 1 - child;
            let rest = Reach::Unmarked { mass: (mass - minor).max(0.0), missing: share(other) };
            each(
                first + child as usize,
                Reach::Listed { start, end, mass: minor, missing: share(child) },
            );
            each(first + other as usize, rest);
            return Some(Marks { start, end });
        }
        let (start, end) = match reach {
            Reach::Listed { start, end, .. } => (start, end),
            _ => self.list_unmarked(),
        };
        let cut = start
            + split_rows(&mut self.listed[start..end], |level| {
                router.child_of_code(node, level) == 0
            });
        for (child, start, end) in [(0, start, cut), (1, cut, end)] {
            let mass = self.mass_of(start, end);
            each(first + child as usize, Reach::Listed { start, end, mass, missing: share(child) });
        }
        None
    }

    /// Divides donors among branches. A child whose donors come in two sets is met twice.
    fn branch(
        &mut self,
        reach: Reach,
        branches: &Branches,
        mut each: impl FnMut(u32, Reach),
    ) -> Option<Marks> {
        let (start, end, missing) = match reach {
            Reach::Interval { .. } | Reach::Rows { .. } | Reach::Share { .. } => return None,
            Reach::Listed { start, end, missing, .. } => {
                let child = |level: &u32| branches.child_of_level(*level);
                self.listed[start..end].sort_by_key(child);
                self.each_branch(start, end, child, &mut each);
                (0, 0, missing)
            }
            Reach::Unmarked { mass, missing } => {
                // The levels listed are marked, unless they go the way of all others.
                let start = self.listed.len();
                for (&level, &child) in branches.levels.iter().zip(&branches.children) {
                    if child != branches.others
                        && self.masses[level as usize] > 0.0
                        && !std::mem::replace(&mut self.marked[level as usize], true)
                    {
                        self.listed.push(level);
                    }
                }
                let end = self.listed.len();
                let child = |level: &u32| branches.child_of_level(*level);
                self.listed[start..end].sort_by_key(child);
                self.each_branch(start, end, child, &mut each);
                let mass = (mass - self.mass_of(start, end)).max(0.0);
                each(branches.others, Reach::Unmarked { mass, missing: 0.0 });
                (start, end, missing)
            }
        };
        if missing > 0.0 {
            each(branches.missing, Reach::Listed { start: 0, end: 0, mass: 0.0, missing });
        }
        (start < end).then_some(Marks { start, end })
    }

    /// Calls `each` with the branches of a list that is ordered by them.
    fn each_branch(
        &self,
        mut start: usize,
        end: usize,
        child: impl Fn(&u32) -> u32,
        each: &mut impl FnMut(u32, Reach),
    ) {
        for part in self.listed[start..end].chunk_by(|one, other| child(one) == child(other)) {
            let stop = start + part.len();
            let mass = self.mass_of(start, stop);
            each(child(&part[0]), Reach::Listed { start, end: stop, mass, missing: 0.0 });
            start = stop;
        }
    }

    fn list_unmarked(&mut self) -> (usize, usize) {
        let start = self.listed.len();
        let levels = (0_u32..).zip(&self.marked).zip(&self.masses);
        let wanted = levels.filter(|((_, marked), mass)| !**marked && **mass > 0.0);
        self.listed.extend(wanted.map(|((level, _), _)| level));
        (start, self.listed.len())
    }

    fn mass_of(&self, start: usize, end: usize) -> f64 {
        self.listed[start..end].iter().map(|&level| self.masses[level as usize]).sum()
    }
}

/// The share of the in-bag weight of a split that goes to one of its children.
///
/// A tree of another program may know nodes that none of its rows reach: there, and where no
/// weights are known, all children are alike.
pub(crate) fn in_bag_share(tree: &Tree, split: &Split, child: usize) -> f64 {
    let children = tree.children(split);
    let equal = 1.0 / children.len() as f64;
    tree.statistics().map_or(equal, |known| {
        let total: f64 = children.map(|child| known.weight(child)).sum();
        if total > 0.0 { known.weight(child) / total } else { equal }
    })
}

fn weight(view: &TreeView<'_>, rows: &[u32]) -> f64 {
    rows.iter().map(|&row| view.training.weight(row)).sum()
}

fn ordered(view: &TreeView<'_>, column: u32, values: impl Iterator<Item = (u32, f64)>) -> Donors {
    let below_of = |node: &RankedNode| match *node {
        RankedNode::Below { column: asked, below, .. } if asked == column => Some(below),
        _ => None,
    };
    let mut thresholds: Vec<u32> = view.ranked.nodes.iter().filter_map(below_of).collect();
    thresholds.sort_unstable();
    thresholds.dedup();
    let mut masses = vec![0.0; thresholds.len() + 1];
    let mut missing = 0.0;
    for (code, weight) in values {
        if code == MISSING_CODE {
            missing += weight;
        } else {
            masses[thresholds.partition_point(|&below| below <= code)] += weight;
        }
    }
    for index in 1..masses.len() {
        masses[index] += masses[index - 1];
    }
    let mass_below = |below: u32| masses[thresholds.partition_point(|&other| other < below)];
    let nodes = view.ranked.nodes.iter();
    let below = nodes.map(|node| below_of(node).map_or(0.0, mass_below)).collect();
    Donors::Ordered { below, present: masses[masses.len() - 1], missing }
}
