//! A *leaf subtree*: a small subtree at the end of a path, whose leaves are credited together.
//!
//! Below its root a row matters only through its sides at the few splits of the leaf subtree, and
//! through those whose columns it has violated above and no longer answers. Rows that agree in this
//! are a *class*. Whatever group it belongs to, a class comes to the same leaves by the same
//! background rows, among those that the group has left.

use std::ops::Range;

use crate::forest::Router;
use crate::tree_shap::interventional::paths::Path;
use crate::tree_shap::interventional::sets::{TOGETHER, places};

/// Most splits of a leaf subtree; they are bits of a byte.
pub(super) const MOST_SPLITS: usize = 7;

/// Combinations of sides at all splits, or of no side.
const N_STATES: usize = 3_usize.pow(MOST_SPLITS as u32);

/// Not yet known.
const NONE: u32 = u32::MAX;

/// By answers as bits: the same digits to base three.
const TERNARY: [u16; 1 << MOST_SPLITS] = {
    let mut ternary = [0; 1 << MOST_SPLITS];
    let mut bits = 1;
    while bits < ternary.len() {
        ternary[bits] = 3 * ternary[bits / 2] + (bits % 2) as u16;
        bits += 1;
    }
    ternary
};

/// The conditions on one column along the path to a leaf.
#[derive(Debug, Clone, Copy)]
struct Asked {
    /// The column, by its position among those split on.
    column: u32,
    /// The splits, as bits, and the answers that lead to the leaf.
    questions: u8,
    answers: u8,
    /// The background rows that give these answers, and those that also satisfy the column above.
    inside: u128,
    all: u128,
}

/// A column that a leaf subtree splits on.
#[derive(Debug, Clone, Copy)]
pub(super) struct SubtreeColumn {
    pub(super) place: u32,
    /// Its slot, where it is split on above.
    above: Option<u32>,
    /// Its slot, if it has one at all.
    pub(super) slot: Option<u32>,
    /// The splits, as bits.
    questions: u8,
}

#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) node: u32,
    asked: Range<u32>,
}

/// A leaf as a class of rows comes to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ending {
    pub(super) leaf: u32,
    /// Those of the columns split on that the rows violate here and not above, as bits.
    pub(super) violated: u32,
    /// The background rows that violate none of what the rows violate here.
    pub(super) background: u128,
}

/// What a background row violates at a leaf: how many columns of the whole way, and which of those
/// split on here it satisfies above, as bits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Violations {
    pub(super) n: u32,
    pub(super) here: u32,
}

/// Rows of a group that end alike.
#[derive(Debug, Clone)]
pub(super) struct Class {
    endings: Range<u32>,
    /// The background rows that it meets at any leaf.
    pub(super) background: u128,
}

/// An edge of the leaf subtree.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    question: u32,
    is_right: bool,
    child: u32,
    column: u32,
}

/// A path down the leaf subtree.
#[derive(Debug, Clone, Copy)]
struct Way {
    node: u32,
    /// How many edges, and these.
    n_steps: usize,
    steps: [Step; MOST_SPLITS],
}

/// The leaf subtree at hand.
#[derive(Debug, Default)]
pub(super) struct LeafSubtree {
    /// The nodes that ask.
    pub(super) questions: Vec<u32>,
    pub(super) columns: Vec<SubtreeColumn>,
    /// Of the columns without a slot: the place, and the position among the credits of the leaf
    /// subtree.
    pub(super) apart: Vec<(u32, u32)>,
    leaves: Vec<Leaf>,
    asked: Vec<Asked>,
    /// By leaf and background row.
    violations: Vec<[Violations; TOGETHER]>,
    pub(super) classes: Vec<Class>,
    endings: Vec<Ending>,
    /// By state to base three: 0 or 1 is an answer, 2 that there is none.
    class_of: Vec<u32>,
    states: Vec<u16>,
    ways: Vec<Way>,
}

impl LeafSubtree {
    /// Looks at the subtree below a node, for groups that have some of the background rows left.
    pub(super) fn look(
        &mut self,
        (router, root): (&Router<'_>, u32),
        (path, takers): (&Path, &[u128]),
        (place_of, background): (&[u32], u128),
    ) {
        self.class_of.resize(N_STATES, NONE);
        self.states.drain(..).for_each(|state| self.class_of[state as usize] = NONE);
        self.questions.clear();
        self.columns.clear();
        self.leaves.clear();
        self.asked.clear();
        self.classes.clear();
        self.endings.clear();
        let steps = [Step::default(); MOST_SPLITS];
        self.ways.push(Way { node: root, n_steps: 0, steps });
        while let Some(way) = self.ways.pop() {
            let split = router.split(way.node as usize);
            let column = router.ranked.nodes[way.node as usize].column();
            let (Some(split), Some(column)) = (split, column) else {
                self.end(way, (path, takers), background);
                continue;
            };
            let question = self.questions.len() as u32;
            self.questions.push(way.node);
            let place = place_of[column as usize];
            let known = self.columns.iter().position(|other| other.place == place);
            let column = known.unwrap_or_else(|| {
                let (above, slot) = (path.slot(place), path.slot_anyway(place));
                self.columns.push(SubtreeColumn { place, above, slot, questions: 0 });
                self.columns.len() - 1
            });
            self.columns[column].questions |= 1 << question;
            for is_right in [false, true] {
                let child = split.first_child + u32::from(is_right);
                let Way { n_steps, mut steps, .. } = way;
                steps[n_steps] = Step { question, is_right, child, column: column as u32 };
                self.ways.push(Way { node: child, n_steps: n_steps + 1, steps });
            }
        }
        let without = |(at, column): (u32, &SubtreeColumn)| {
            column.slot.is_none().then_some((column.place, at))
        };
        self.apart.clear();
        self.apart.extend((1..).zip(&self.columns).filter_map(without));
    }

    /// A way has come to a leaf.
    fn end(&mut self, way: Way, (path, takers): (&Path, &[u128]), background: u128) {
        let start = self.asked.len();
        for step in &way.steps[..way.n_steps] {
            let known = self.asked[start..].iter().position(|asked| asked.column == step.column);
            let at = known.map_or(self.asked.len(), |at| start + at);
            if known.is_none() {
                let (column, inside) = (step.column, path.all());
                self.asked.push(Asked { column, questions: 0, answers: 0, inside, all: inside });
            }
            let asked = &mut self.asked[at];
            asked.questions |= 1 << step.question;
            asked.answers |= u8::from(step.is_right) << step.question;
            asked.inside &= takers[step.child as usize];
        }
        let leaf = self.leaves.len();
        if self.violations.len() == leaf {
            self.violations.push([Violations::default(); TOGETHER]);
        }
        let violations = &mut self.violations[leaf];
        for row in places(background) {
            violations[row] = Violations { n: path.n_violated(row) as u32, here: 0 };
        }
        for asked in &mut self.asked[start..] {
            let above = self.columns[asked.column as usize].above;
            let above = above.map_or(path.all(), |slot| path.reach(slot));
            asked.all = asked.inside & above;
            for row in places(above & !asked.inside & background) {
                violations[row].n += 1;
                violations[row].here |= 1 << asked.column;
            }
        }
        let asked = start as u32..self.asked.len() as u32;
        self.leaves.push(Leaf { node: way.node, asked });
    }

    /// The splits that rows do not answer, because they violate the column.
    pub(super) fn unanswered(&self, violates: impl Fn(u32) -> bool) -> u8 {
        let known = self.columns.iter().filter(|column| column.above.is_some_and(&violates));
        known.fold(0, |all, column| all | column.questions)
    }

    /// The class of rows that answer so, bits of splits that they do not answer aside.
    #[inline(always)]
    pub(super) fn class(&mut self, answers: u8, unanswered: u8) -> usize {
        let answers = answers & !unanswered;
        let state = TERNARY[answers as usize] + 2 * TERNARY[unanswered as usize];
        match self.class_of[state as usize] {
            NONE => self.add_class(state, answers, unanswered),
            class => class as usize,
        }
    }

    #[inline(never)]
    fn add_class(&mut self, state: u16, answers: u8, unanswered: u8) -> usize {
        let (start, mut background) = (self.endings.len() as u32, 0);
        for (leaf, Leaf { asked, .. }) in (0..).zip(&self.leaves) {
            let mut ending = Ending { leaf, violated: 0, background: u128::MAX };
            let asked = &self.asked[asked.start as usize..asked.end as usize];
            for asked in asked {
                if asked.questions & unanswered != 0 {
                    ending.background &= asked.inside;
                } else if (answers ^ asked.answers) & asked.questions != 0 {
                    ending.background &= asked.all;
                    ending.violated |= 1 << asked.column;
                }
            }
            if ending.background != 0 {
                background |= ending.background;
                self.endings.push(ending);
            }
        }
        let class = self.classes.len();
        let endings = start..self.endings.len() as u32;
        self.classes.push(Class { endings, background });
        self.class_of[state as usize] = class as u32;
        self.states.push(state);
        class
    }

    /// Where a class ends.
    pub(super) fn endings(&self, class: usize) -> &[Ending] {
        let Range { start, end } = self.classes[class].endings;
        &self.endings[start as usize..end as usize]
    }

    /// The node of a leaf, and by background row what that violates.
    pub(super) fn leaf(&self, leaf: u32) -> (u32, &[Violations; TOGETHER]) {
        let at = leaf as usize;
        (self.leaves[at].node, &self.violations[at])
    }
}
