//! The search for the best of the divisions that a node tries.

use crate::error::Error;
use crate::forest::grow::context::Growing;
use crate::forest::grow::direct::candidates::Known;
use crate::forest::grow::direct::memory::{Memory, Pending, Place};
use crate::forest::grow::direct::random_division::DrawnKind;
use crate::forest::grow::direct::rows::Cells;
use crate::forest::split::{ChildScorer, Divided};
use crate::random::NodeStream;

/// The search for the best division of one node.
pub(super) struct Search<'a, 'b, S> {
    pub(super) growing: Growing<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) node: &'a Pending,
    pub(super) place: &'a mut Place<'b, S>,
    pub(super) is_scored: bool,
    /// Draws variables.
    pub(super) stream: &'a mut NodeStream,
}

impl<S: ChildScorer> Search<'_, '_, S> {
    /// Tries a random division by each of `mtry` variables that are not constant.
    pub(super) fn divide_at_random(&mut self, mtry: usize) -> Result<(), Error> {
        let mut n_tried = 0;
        while n_tried < mtry
            && let Some(column) = self.memory.candidates.draw(self.stream)
        {
            if self.memory.candidates.known(column) != Known::Constant {
                n_tried += usize::from(self.try_one(column)?);
            }
        }
        Ok(())
    }

    /// Tries one column; returns whether it is not constant.
    fn try_one(&mut self, column: u32) -> Result<bool, Error> {
        self.growing.progress.check()?;
        let asked = self.place.table[column as usize];
        let Memory { division, seen, .. } = &mut *self.memory;
        let members = asked.seen(self.place.rows.members(self.node.span), seen);
        let mut stream = self.node.key.division(self.growing.place(column));
        if !division.draw(asked, members, &mut stream) {
            self.memory.candidates.note(self.node.depth, column, Known::Constant);
            return Ok(false);
        }
        if self.growing.keeps_trends() {
            let is_ordered = division.drawn.kind != DrawnKind::Present;
            let trend = self.growing.trend(column).filter(|_| is_ordered);
            self.place.scorer.constrain(self.node.bounds, trend);
        }
        let divided = self.is_scored.then(|| self.place.scorer.score_sides(&division.drawn.left));
        if self.is_better(divided) {
            let Memory { best, division, .. } = &mut *self.memory;
            best.column = Some(column);
            std::mem::swap(&mut best.drawn, &mut division.drawn);
        }
        Ok(true)
    }

    /// Tries the branches of `mtry` variables that no node above splits on.
    pub(super) fn branch(&mut self, mtry: usize) -> Result<(), Error> {
        let (mut n_tried, mut divides) = (0, false);
        // Without a variable that divides the node it stays a leaf, so one is looked for.
        while (n_tried < mtry || !divides)
            && let Some(column) = self.memory.candidates.draw(self.stream)
        {
            let known = self.memory.candidates.known(column);
            let is_candidate = n_tried < mtry;
            if known == Known::Used || (known == Known::Constant && !is_candidate) {
                continue;
            }
            self.growing.progress.check()?;
            let asked = self.place.table[column as usize];
            let Cells::Levels(codes) = asked.cells else {
                // Columns of numbers are refused before a tree is grown.
                continue;
            };
            let Memory { branching, seen, candidates, .. } = &mut *self.memory;
            let members = asked.seen(self.place.rows.members(self.node.span), seen);
            branching.find(asked.n_levels, codes, members);
            let n_children = branching.found.n_children();
            if n_children == 1 {
                candidates.note(self.node.depth, column, Known::Constant);
            }
            divides |= n_children > 1;
            if !is_candidate {
                continue;
            }
            n_tried += 1;
            let children = &branching.found.children;
            let divided =
                self.is_scored.then(|| self.place.scorer.score_children(children, n_children));
            if self.is_better(divided) {
                let Memory { best, branching, .. } = &mut *self.memory;
                best.column = Some(column);
                std::mem::swap(&mut best.found, &mut branching.found);
            }
        }
        if !divides {
            self.memory.best.column = None;
        }
        Ok(())
    }

    /// Whether a division is allowed and beats the best one by more than rounding; of ties the
    /// first stays. Without a score, the first division is the only one.
    fn is_better(&mut self, divided: Option<Divided>) -> bool {
        let Some(Divided { score, least_draws, least_weight }) = divided else {
            return true;
        };
        let least = self.growing.settings.least_draws(self.node.draws);
        let best = &mut self.memory.best.score;
        let is_better = score > *best + self.place.scorer.tolerance()
            && least_draws >= least
            && least_weight >= self.growing.least_weight();
        if is_better {
            *best = score;
        }
        is_better
    }
}
