//! A *twig*: a small subtree at the end of a way, whose leaves are credited together.
//!
//! Below its root a row matters only through the answers that it gives to the few questions of the
//! twig, and through those whose columns it has violated above and no longer answers. Rows that agree
//! in this are a *class*. Whatever group it belongs to, a class comes to the same leaves by the same
//! background rows, among those that the group has left.

use std::ops::Range;

use crate::forest::Router;
use crate::shapley::interventional::paths::Path;
use crate::shapley::interventional::sets::{TOGETHER, each_place};

/// Most questions of a twig; they are bits of a byte.
pub(super) const MOST_QUESTIONS: usize = 7;

/// Ways to answer all questions, or not to.
const N_STATES: usize = 3_usize.pow(MOST_QUESTIONS as u32);

/// Not yet known.
const NONE: u32 = u32::MAX;

/// By answers as bits: the same digits to base three.
const TERNARY: [u16; 1 << MOST_QUESTIONS] = {
    let mut ternary = [0; 1 << MOST_QUESTIONS];
    let mut bits = 1;
    while bits < ternary.len() {
        ternary[bits] = 3 * ternary[bits / 2] + (bits % 2) as u16;
        bits += 1;
    }
    ternary
};

/// What the way to a leaf asks about one column.
#[derive(Debug, Clone, Copy)]
struct Asked {
    /// The column, by its position among those asked about.
    column: u32,
    /// The questions, as bits, and the answers that lead to the leaf.
    questions: u8,
    answers: u8,
    /// The background rows that give these answers, and those that also satisfy the column above.
    inside: u128,
    all: u128,
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
    /// Those of the columns asked about that the rows violate here and not above, as bits.
    pub(super) violated: u32,
    /// The background rows that violate none of what the rows violate here.
    pub(super) background: u128,
}

/// What a background row violates at a leaf: how many columns of the whole way, and which of those
/// asked about here it satisfies above, as bits.
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

/// An edge of the twig.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    question: u32,
    is_right: bool,
    child: u32,
    column: u32,
}

/// A way down the twig.
#[derive(Debug, Clone, Copy)]
struct Way {
    node: u32,
    /// How many edges, and these.
    n_steps: usize,
    steps: [Step; MOST_QUESTIONS],
}

/// The twig at hand.
#[derive(Debug, Default)]
pub(super) struct Twig {
    /// The nodes that ask.
    pub(super) questions: Vec<u32>,
    /// By slot, the place of its column: those of the path, then those asked about here only.
    pub(super) places: Vec<u32>,
    /// The columns asked about: slots, which are behind those of the path for columns that it does not
    /// know, and questions as bits.
    pub(super) columns: Vec<(u32, u8)>,
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

impl Twig {
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
        self.places.clear();
        self.places.extend_from_slice(&path.columns);
        let steps = [Step::default(); MOST_QUESTIONS];
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
            let slot = self.slot(path, place_of[column as usize]);
            let known = self.columns.iter().position(|(other, _)| *other == slot);
            let column = known.unwrap_or_else(|| {
                self.columns.push((slot, 0));
                self.columns.len() - 1
            });
            self.columns[column].1 |= 1 << question;
            for is_right in [false, true] {
                let child = split.first_child + u32::from(is_right);
                let Way { n_steps, mut steps, .. } = way;
                steps[n_steps] = Step { question, is_right, child, column: column as u32 };
                self.ways.push(Way { node: child, n_steps: n_steps + 1, steps });
            }
        }
    }

    /// The slot of a column, a new one if neither the path nor the twig has one yet.
    fn slot(&mut self, path: &Path, place: u32) -> u32 {
        if let Some(slot) = path.slot(place) {
            return slot;
        }
        let n_above = path.columns.len();
        let known = self.places[n_above..].iter().position(|other| *other == place);
        (n_above
            + known.unwrap_or_else(|| {
                self.places.push(place);
                self.places.len() - 1 - n_above
            })) as u32
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
        each_place(background, |row| {
            violations[row] = Violations { n: path.n_violated(row) as u32, here: 0 };
        });
        for asked in &mut self.asked[start..] {
            let (slot, _) = self.columns[asked.column as usize];
            let is_known = (slot as usize) < path.columns.len();
            let above = if is_known { path.reach(slot) } else { path.all() };
            asked.all = asked.inside & above;
            each_place(above & !asked.inside & background, |row| {
                violations[row].n += 1;
                violations[row].here |= 1 << asked.column;
            });
        }
        let asked = start as u32..self.asked.len() as u32;
        self.leaves.push(Leaf { node: way.node, asked });
    }

    /// The questions that rows do not answer, because they violate the column.
    pub(super) fn unanswered(&self, violates: impl Fn(u32) -> bool) -> u8 {
        let known = self.columns.iter().filter(|(slot, _)| violates(*slot));
        known.fold(0, |all, (_, questions)| all | questions)
    }

    /// The class of rows that answer so, bits of questions that they do not answer aside.
    #[inline]
    pub(super) fn class(&mut self, answers: u8, unanswered: u8) -> usize {
        let answers = answers & !unanswered;
        let state = TERNARY[answers as usize] + 2 * TERNARY[unanswered as usize];
        match self.class_of[state as usize] {
            NONE => self.add_class(state, answers, unanswered),
            class => class as usize,
        }
    }

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
