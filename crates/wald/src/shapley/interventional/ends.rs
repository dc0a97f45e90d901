//! Where the ways of rows and background rows end.

use std::ops::Range;

use crate::forest::{RankedNode, Router, Side};
use crate::shapley::interventional::walk::{Says, Walk};

/// Where fewer than one in so many rows of a block come to a twig, the others are not looked at.
const FEW: usize = 4;

impl Walk {
    /// Whether the way ends at a node, because a twig begins there. Then credits the rows.
    pub(super) fn end(
        &mut self,
        router: &Router<'_>,
        (node, groups): (u32, Range<usize>),
        (n_rows, says): (usize, Says<'_>),
    ) -> bool {
        if !self.is_twig[node as usize] {
            return false;
        }
        let of_groups = groups.clone().map(|index| self.groups.group(index).background);
        let background = of_groups.fold(0, |all, some| all | some);
        let (path, takers) = (&self.path, self.takers.as_slice());
        self.twig.look((router, node), (path, takers), (&self.places, background));
        let n_here: usize = groups.clone().map(|index| self.groups.rows_of(index).len()).sum();
        let is_few = FEW * n_here < n_rows;
        self.ask(router, groups.clone(), (n_rows, is_few));
        self.credit(groups, (n_rows, is_few), says);
        true
    }

    /// Asks the rows of groups the questions of the twig.
    fn ask(&mut self, router: &Router<'_>, at_node: Range<usize>, (n_rows, is_few): (usize, bool)) {
        let Self { block, takes, twig, groups, answers, places, is_plain, .. } = self;
        answers.resize(n_rows, 0);
        let here = || at_node.clone().flat_map(|index| groups.rows_of(index));
        if is_few {
            here().for_each(|&row| answers[row as usize] = 0);
        } else {
            answers.fill(0);
        }
        for (question, &node) in twig.questions.iter().enumerate() {
            let ranked = router.ranked.nodes[node as usize];
            let Some(column) = ranked.column() else { continue };
            let place = places[column as usize] as usize;
            let codes = &block.codes[place * n_rows..][..n_rows];
            let mut ask = |is_right: &dyn Fn(u32) -> bool| {
                here().for_each(|&row| {
                    let is_right = is_right(codes[row as usize]);
                    answers[row as usize] |= u8::from(is_right) << question;
                });
            };
            match ranked {
                RankedNode::Below { below, missing, .. } if is_plain[place] => {
                    // The code of a missing value is larger than every threshold, and wraps to 0.
                    let shift = u32::from(missing == Side::Left);
                    let limit = below + shift;
                    if is_few {
                        ask(&|code| code.wrapping_add(shift) >= limit);
                    } else {
                        // Many are asked at once.
                        for (answer, code) in answers.iter_mut().zip(codes) {
                            *answer |= u8::from(code.wrapping_add(shift) >= limit) << question;
                        }
                    }
                }
                _ => {
                    let child_of = |&code: &u32| router.child_of_code(node as usize, code);
                    takes.clear();
                    takes.extend(block.distinct[place].iter().map(|code| child_of(code) == 1));
                    ask(&|code| takes[code as usize]);
                }
            }
        }
    }

    /// Credits the rows of groups at the twig.
    fn credit(
        &mut self,
        at_node: Range<usize>,
        (n_rows, is_few): (usize, bool),
        (known, says): Says<'_>,
    ) {
        let n_above = self.path.columns.len();
        self.encounters.begin(n_rows, is_few);
        self.encounters.gather(
            (&mut self.twig, &self.groups),
            at_node.clone(),
            (&self.answers, n_above),
        );
        let Self { columns, path, groups, weights, twig, credits, values, encounters, .. } = self;
        let (n_columns, n_outputs) = (columns.len(), known.n_outputs());
        for (output, values) in values.chunks_exact_mut(n_rows * n_columns).enumerate() {
            credits.begin(twig.places.len(), encounters.all.len());
            for (meeting, first) in encounters.meetings() {
                credits.meet((twig, weights), meeting, |node| {
                    known.deviation(output, says[node as usize * n_outputs + output])
                });
                for (at, group) in encounters.chain(first) {
                    let background = groups.group(group).background & meeting.background;
                    credits.sum((path, twig), (at, background), groups.violated(group));
                }
            }
            let add = |values: &mut [f64], encounter: u32| {
                let credits = credits.of(encounter).unwrap_or_default();
                for (&place, credit) in twig.places.iter().zip(credits) {
                    values[place as usize] += credit;
                }
            };
            let of_row = encounters.of_row.as_slice();
            if is_few {
                for &row in at_node.clone().flat_map(|index| groups.rows_of(index)) {
                    let values = &mut values[row as usize * n_columns..][..n_columns];
                    add(values, of_row[row as usize]);
                }
            } else {
                // Row after row, so that the processor fetches their values in time.
                let of_rows = values.chunks_exact_mut(n_columns).zip(of_row);
                of_rows.for_each(|(values, &encounter)| add(values, encounter));
            }
        }
    }
}
