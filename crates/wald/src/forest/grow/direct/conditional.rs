//! The split of a node of a conditional inference tree: first the variable that depends most
//! significantly on the response, then its division (Hothorn, Hornik & Zeileis 2006, Section 3).
//!
//! The test of a variable reads the node's rows once (`split/dependence.rs`); only the variable
//! chosen is sorted, for one scan. With numbers and two classes the two-sample statistic is the
//! decrease in variance, so that the ordinary scan finds the division; with more classes it is
//! chi-square.
//!
//! Rows where a variable is missing are left out of its test and of the choice of the division, and
//! then go where the statistic of all rows is larger. Thresholds are values of the table, as in
//! party.

use crate::association::Independence;
use crate::data::{MISSING_CODE, number_of_bits};
use crate::error::Error;
use crate::forest::grow::direct::candidates::Known;
use crate::forest::grow::direct::memory::Conditional;
use crate::forest::grow::direct::present::Sorted;
use crate::forest::grow::direct::random_division::{Drawn, DrawnKind};
use crate::forest::grow::direct::rows::{Asked, Cells};
use crate::forest::grow::direct::search::Search;
use crate::forest::split::{Cut, Limits, Mask, TestScorer, mask, search_present};
use crate::forest::tree::Side;
use crate::forest::ways::PValues;

/// Variables whose divisions are tried, as party and partykit do: limits on the children may allow
/// none of the first one.
const MOST_TRIED: usize = 2;

/// Logarithms of p-values that differ by less than this share differ by rounding only.
const TIE: f64 = 1e-10;

impl<S: TestScorer> Search<'_, '_, S> {
    /// Tests `mtry` variables and divides the node by the most significant one.
    pub(super) fn divide_by_test(&mut self, mtry: usize, weight_scale: f64) -> Result<(), Error> {
        self.memory.conditional.tests.clear();
        self.memory.conditional.present.start();
        for _ in 0..mtry {
            let Some(column) = self.memory.candidates.draw(self.stream) else { break };
            self.growing.progress.check()?;
            if self.memory.candidates.known(column) == Known::Constant {
                continue;
            }
            if let Some(test) = self.test(column, weight_scale) {
                self.memory.conditional.tests.push((column, test.log_p));
            }
        }
        let n_tested = self.memory.conditional.tests.len();
        for _ in 0..MOST_TRIED {
            let Some((column, log_p)) = most_significant(&mut self.memory.conditional.tests) else {
                break;
            };
            if !self.is_significant(log_p, n_tested) {
                break;
            }
            self.growing.progress.check()?;
            if self.divide(column) {
                self.memory.best.column = Some(column);
                break;
            }
        }
        Ok(())
    }

    /// 1 - p, or (1 - p)^m, against the criterion; logarithms keep small differences from 1.
    fn is_significant(&self, log_p: f64, n_tested: usize) -> bool {
        let settings = self.growing.settings;
        let factor = match settings.p_values {
            PValues::Univariate => 1.0,
            PValues::Bonferroni => n_tested as f64,
        };
        factor * (-log_p.exp()).ln_1p() > settings.min_criterion.ln()
    }

    /// Tests a variable over the rows where it is present.
    fn test(&mut self, column: u32, weight_scale: f64) -> Option<Independence> {
        let asked = self.place.table[column as usize];
        let rows = self.place.rows.members(self.node.span);
        let present = &mut self.memory.conditional.present;
        present.read(asked, rows);
        if !present.varies(asked) {
            self.memory.candidates.note(self.node.depth, column, Known::Constant);
            return None;
        }
        present.show(self.place.scorer, rows);
        let found = present.dependence(asked, self.place.scorer)?;
        Independence::new(found.weight * weight_scale, found.share, found.degrees)
    }

    /// Finds the division of a variable whose two-sample statistic is largest among the rows where
    /// it is present, then a side for the others; false if the limits allow none.
    fn divide(&mut self, column: u32) -> bool {
        let asked = self.place.table[column as usize];
        let rows = self.place.rows.members(self.node.span);
        let scorer = &mut *self.place.scorer;
        let Conditional { present, best, .. } = &mut self.memory.conditional;
        present.read(asked, rows);
        present.show(scorer, rows);
        present.sort(asked);
        let total = scorer.draws(&present.rows);
        let least = self.growing.settings.least_draws(self.node.draws);
        let cell_row = |row: u32| asked.cell_row(row);
        let sequence = Sorted { keys: &present.keys, cell_row };
        let levels = match asked.cells {
            Cells::Numbers(_) => None,
            Cells::Levels(levels) => Some(levels),
        };
        best.start(Limits::new(least, total, self.growing.least_weight()));
        search_present(scorer, levels, &sequence, best);
        let drawn = &mut self.memory.best.drawn;
        match best.cut {
            Cut::Between { n_low, .. } => {
                let (bits, _) = present.keys[n_low as usize - 1];
                drawn.kind = DrawnKind::Threshold(number_of_bits(bits));
            }
            Cut::Levels => {
                drawn.kind = DrawnKind::Levels;
                let [left, right] = &mut drawn.levels;
                std::mem::swap(left, &mut best.levels_left);
                std::mem::swap(right, &mut best.levels_right);
            }
            Cut::None | Cut::Present => return false,
        }
        drawn.missing = None;
        send(asked, rows, drawn);
        if present.rows.len() < rows.len() {
            // Without the missing rows all scores would speak of other rows.
            present.show_all(scorer, rows);
            let right = scorer.score_sides(&drawn.left).score;
            drawn.missing = Some(Side::Left);
            send(asked, rows, drawn);
            let left = scorer.score_sides(&drawn.left).score;
            if left <= right + scorer.tolerance() {
                drawn.missing = Some(Side::Right);
                send(asked, rows, drawn);
            }
        }
        true
    }
}

/// Takes the most significant test out; of ties the first.
fn most_significant(tests: &mut Vec<(u32, f64)>) -> Option<(u32, f64)> {
    let mut best = 0;
    for (index, (_, log_p)) in tests.iter().enumerate() {
        let (_, least) = tests[best];
        if *log_p < least - TIE * least.abs() {
            best = index;
        }
    }
    // The order of the others shows which of them were drawn first.
    (best < tests.len()).then(|| tests.remove(best))
}

/// Sends rows to their sides.
fn send(asked: Asked<'_>, rows: &[u32], drawn: &mut Drawn) {
    let Drawn { kind, missing, left, levels } = drawn;
    let missing = mask(*missing == Some(Side::Left));
    let cells = rows.iter().map(|&row| asked.cell_row(row) as usize);
    left.clear();
    match (asked.cells, *kind) {
        (Cells::Numbers(numbers), DrawnKind::Threshold(threshold)) => {
            let side = |number: f64| -> Mask {
                mask(number <= threshold) | (mask(number.is_nan()) & missing)
            };
            left.extend(cells.map(|row| side(numbers[row])));
        }
        (Cells::Levels(codes), _) => {
            let side = |code: u32| -> Mask {
                if code == MISSING_CODE {
                    missing
                } else {
                    mask(levels[0].binary_search(&code).is_ok())
                }
            };
            left.extend(cells.map(|row| side(codes[row])));
        }
        (Cells::Numbers(_), DrawnKind::Levels | DrawnKind::Present) => {}
    }
}
