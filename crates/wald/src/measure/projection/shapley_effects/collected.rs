//! What blocks of trees add up to.
//!
//! A block is reduced as soon as its last tree is there: to the loss that each of its sets adds, and to
//! what every tree contributes. The squared loss of a row with the prediction m + d instead of m, the
//! out-of-bag mean of all trees, grows by |d|^2 - 2 d (Y - m), where d is the mean change of the trees
//! of the block. Its square is too large by what the mean over so few trees varies more than that over
//! all, which is estimated from the trees themselves and taken out.

use super::known::Known;
use super::losses::{Block, RatioMoments, added};
use crate::measure::kernel::altered_predictions::{AlteredTree, MOST_KEPT};
use crate::measure::kernel::row_sums::{RowSums, Shape};

/// Trees of a block that are kept in any case.
const LEAST_KEPT: usize = 5;

/// What a tree contributes by its own changes.
#[derive(Debug)]
pub(super) struct Contribution {
    /// The pairs of its block, and what it adds to what their sets are worth more than their complements.
    pub(super) pairs: Vec<usize>,
    pub(super) of_pairs: Vec<f64>,
    /// What it adds to what players get.
    pub(super) of_players: Vec<f64>,
}

/// What a tree predicts for its out-of-bag rows.
#[derive(Debug)]
struct Predicted {
    rows: Vec<u32>,
    values: Vec<f64>,
}

/// What a tree adds to players by the predictions of the forest.
struct Through {
    added: Vec<f64>,
    /// By how much its square is too large on average, because some rows stand for all: for independent draws
    /// of one of s rows, the square of s times their sum has the expectation of that of the sum of all
    /// rows, and (s - 1) times the sum of all squares.
    by_rows: Vec<f64>,
}

/// Sums over the blocks so far.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// Trees so far.
    pub(super) n_trees: usize,
    /// Trees of the block, as long as they take little memory, and the trees that each row is out of bag of.
    block: Vec<AlteredTree>,
    block_bytes: usize,
    n_of_block: usize,
    counts: Vec<u32>,
    sums: Option<RowSums>,
    /// By set of the block: squares of changes, weighted.
    squares: Vec<f64>,
    /// By set: how much of the variance is no longer explained.
    pub(super) lost: Vec<f64>,
    /// For every `stride`-th row, player and output: how players change with the prediction of the row.
    lines: Vec<f64>,
    /// By the same rows and players, where rows stand for others.
    of_rows: Vec<f64>,
    /// By player, the square of the error of the rows that no tree of a block leaves out.
    pub(super) of_absent: Vec<f64>,
    pub(super) contributions: Vec<Contribution>,
    /// Of the first trees, as many as take little memory.
    predicted: Vec<Predicted>,
    predicted_bytes: usize,
    /// Whether no block shows how far its trees differ.
    pub(super) lacks_errors: bool,
}

impl Collected {
    pub(super) fn add(&mut self, tree: AlteredTree, n_sets: usize, known: &Known) {
        let (n_rows, width) = (known.truth.n_rows(), known.truth.n_outputs());
        let shape = Shape { n_rows, n_groups: n_sets, width };
        let sums = self.sums.get_or_insert_with(|| RowSums::new(n_rows, shape.n_groups, width));
        self.squares.resize(n_sets, 0.0);
        let entries = tree.changes.rows.iter().zip(&tree.changes.groups);
        for ((&row, &set), change) in entries.zip(tree.changes.amounts.chunks_exact(width)) {
            sums.add(row, set, change);
            let square: f64 = change.iter().map(|change| change * change).sum();
            self.squares[set as usize] += known.truth.weight(row) * square;
        }
        self.counts.resize(n_rows, 0);
        tree.rows.iter().for_each(|&row| self.counts[row as usize] += 1);
        self.n_trees += 1;
        self.n_of_block += 1;
        self.block_bytes += tree.bytes();
        if self.block_bytes <= MOST_KEPT || self.block.len() < LEAST_KEPT {
            self.block.push(tree);
        }
    }

    /// Reduces the block of these pairs of sets, whose trees are all there.
    pub(super) fn end_block(&mut self, pairs: &[usize], known: &Known) {
        let trees = std::mem::take(&mut self.block);
        let squares = std::mem::take(&mut self.squares);
        let counts = std::mem::take(&mut self.counts);
        let n_of_block = std::mem::take(&mut self.n_of_block);
        self.block_bytes = 0;
        let Some(sums) = self.sums.take() else { return };
        let truth = &known.truth;
        let mut found = Block::new(2 * pairs.len());
        for row in (0..truth.n_rows() as u32).filter(|&row| counts[row as usize] > 0) {
            found.add(row, f64::from(counts[row as usize]), &sums, known);
        }
        self.lost.resize(2 * known.of_pairs.len(), 0.0);
        for (&pair, sets) in pairs.iter().zip(found.lost(&squares).chunks_exact(2)) {
            let scaled = sets.iter().map(|lost| lost / (known.variance * found.weight));
            self.lost[2 * pair..2 * pair + 2].iter_mut().zip(scaled).for_each(|(to, x)| *to = x);
        }
        self.add_rows(pairs, &sums, &counts, found.weight, known);
        self.lacks_errors |= found.within <= 0.0;
        // Trees that are kept stand for those of the block that are not.
        let of_kept = (n_of_block as f64 / trees.len() as f64).sqrt();
        let scale = of_kept * (found.of_means / found.within).sqrt();
        let scale = -scale / (known.variance * found.weight);
        for tree in trees {
            let added = added(&tree, 2 * pairs.len(), &sums, &counts, known);
            let of_pairs = added.chunks_exact(2).map(|sets| scale * (sets[0] - sets[1]));
            let of_pairs: Vec<f64> = of_pairs.collect();
            let mut of_players = vec![0.0; known.of_all.len()];
            for (&pair, more) in pairs.iter().zip(&of_pairs) {
                let shares = of_players.iter_mut().zip(&known.of_pairs[pair]);
                shares.for_each(|(sum, share)| *sum += share * more);
            }
            self.contributions.push(Contribution { pairs: pairs.to_vec(), of_pairs, of_players });
            let predicted = Predicted { rows: tree.rows, values: tree.values };
            self.predicted_bytes += 4 * predicted.rows.len() + 8 * predicted.values.len();
            if self.predicted_bytes <= MOST_KEPT || self.predicted.len() < LEAST_KEPT {
                self.predicted.push(predicted);
            }
        }
    }

    /// What rows add to players by the sets of a block: with the out-of-bag predictions, by which changes
    /// are multiplied, and with the losses, which differ over rows.
    fn add_rows(
        &mut self,
        pairs: &[usize],
        sums: &RowSums,
        counts: &[u32],
        weight: f64,
        known: &Known,
    ) {
        let (n_players, width) = (known.of_all.len(), known.truth.n_outputs());
        let n_rows = counts.len();
        let n_lines = n_rows.div_ceil(known.stride);
        self.lines.resize(n_lines * n_players * width, 0.0);
        self.of_rows.resize(if known.has_part { n_lines * n_players } else { 0 }, 0.0);
        self.of_absent.resize(n_players, 0.0);
        let mut moments = vec![RatioMoments::default(); n_players];
        let mut more = vec![0.0; pairs.len() * width];
        let mut of_loss = vec![0.0; pairs.len()];
        let mut of_row = vec![0.0; n_players];
        for row in (0..n_rows).step_by(known.stride).filter(|&row| counts[row] > 0) {
            more.fill(0.0);
            of_loss.fill(0.0);
            of_row.fill(0.0);
            let n_trees = f64::from(counts[row]);
            let residuals = known.residuals.of(row as u32);
            for (set, sums) in sums.row(row as u32) {
                let sign = if set.is_multiple_of(2) { 1.0 } else { -1.0 } / weight;
                let of_pair = more[set / 2 * width..(set / 2 + 1) * width].iter_mut();
                for ((more, sum), residual) in of_pair.zip(sums).zip(residuals) {
                    let mean = sum / n_trees;
                    *more += sign * mean;
                    of_loss[set / 2] += sign * mean * (mean - 2.0 * residual);
                }
            }
            let start = row / known.stride * n_players * width;
            let lines = &mut self.lines[start..start + n_players * width];
            for (at, &pair) in pairs.iter().enumerate() {
                let more = &more[at * width..(at + 1) * width];
                let of_players = known.of_pairs[pair].iter().zip(lines.chunks_exact_mut(width));
                for ((share, line), of_row) in of_players.zip(&mut of_row) {
                    line.iter_mut().zip(more).for_each(|(sum, more)| *sum += share * more);
                    *of_row += share * of_loss[at];
                }
            }
            let weight = known.truth.weight(row as u32);
            for (player, of_row) in of_row.iter().enumerate() {
                let term = weight * of_row / known.variance;
                moments[player].add(term, weight);
                if known.has_part {
                    self.of_rows[row / known.stride * n_players + player] += term;
                }
            }
        }
        // A simple random sample of the rows, of a finite number of them.
        let absent = (1.0 - weight / known.weight).max(0.0);
        for (sum, moments) in self.of_absent.iter_mut().zip(&moments) {
            *sum += known.stride as f64 * absent * moments.square();
        }
    }

    /// What a tree adds to players by the predictions of the forest, which all sets are compared with.
    fn through(&self, tree: &Predicted, known: &Known) -> Through {
        let (truth, n_players) = (&known.truth, known.of_all.len());
        let (width, stride) = (truth.n_outputs(), known.stride as f64);
        let mut found = Through { added: vec![0.0; n_players], by_rows: vec![0.0; n_players] };
        let mut explained = 0.0;
        for (&row, values) in tree.rows.iter().zip(tree.values.chunks_exact(width)) {
            let n_trees = f64::from(known.out_of_bag.n_trees(row as usize));
            let factor = 2.0 * truth.weight(row) / (n_trees * known.variance);
            let away = values.iter().zip(known.residuals.prediction(row));
            let away: Vec<f64> = away.map(|(value, mean)| factor * (value - mean)).collect();
            let missed = away.iter().zip(known.residuals.of(row));
            explained += missed.map(|(away, missed)| away * missed).sum::<f64>() / known.weight;
            if !(row as usize).is_multiple_of(known.stride) {
                continue;
            }
            let start = row as usize / known.stride * n_players * width;
            let lines = self.lines[start..start + n_players * width].chunks_exact(width);
            let of_players = found.added.iter_mut().zip(&mut found.by_rows);
            for ((added, by_rows), line) in of_players.zip(lines) {
                let moved: f64 = line.iter().zip(&away).map(|(line, away)| line * away).sum();
                *added -= stride * moved;
                *by_rows += stride * (stride - 1.0) * moved * moved;
            }
        }
        let shares = found.added.iter_mut().zip(&known.of_all);
        shares.for_each(|(added, share)| *added += share * explained);
        found
    }

    /// Squares of the standard errors of the trees: of their own changes, and of the predictions of the
    /// forest. Of the latter, the first trees and some rows stand for all. Some rows of many have a square
    /// that is too large, on average by what `by_rows` estimates; what is left is no less than the standard
    /// error of the sum of as many squares.
    pub(super) fn squares_over_trees(&self, known: &Known) -> Vec<f64> {
        let n_players = known.of_all.len();
        let through: Vec<Through> =
            self.predicted.iter().map(|tree| self.through(tree, known)).collect();
        // Trees of which both are known contribute both together; the rest is as large as that of these.
        let all = (known.n_trees as f64 / through.len() as f64).sqrt();
        let n_trees = self.contributions.len().max(through.len());
        let least = (2.0 / n_trees as f64).sqrt().min(1.0);
        let square = |player: usize| {
            let of_tree = |tree: usize| {
                let direct = self.contributions.get(tree).map_or(0.0, |of| of.of_players[player]);
                let through = through.get(tree).map_or(0.0, |of| all * of.added[player]);
                (direct + through).powi(2)
            };
            let square: f64 = (0..n_trees).map(of_tree).sum();
            let by_rows = through.iter().map(|of| all * all * of.by_rows[player]).sum::<f64>();
            if by_rows > 0.0 { (square - by_rows).max(least * square) } else { square }
        };
        (0..n_players).map(square).collect()
    }

    /// Squares of the standard errors of a sample of rows, without allowance for those that are not in it.
    pub(super) fn squares_over_rows(&self, known: &Known) -> Vec<f64> {
        let n_players = known.of_all.len();
        let of_player = |player: usize| {
            let mut moments = RatioMoments::default();
            let of_rows = self.of_rows.iter().skip(player).step_by(n_players);
            for (line, &term) in of_rows.enumerate().filter(|(_, term)| **term != 0.0) {
                moments.add(term, known.truth.weight((line * known.stride) as u32));
            }
            known.stride as f64 * moments.square()
        };
        (0..n_players).map(of_player).collect()
    }
}
