//! What blocks of trees add up to.
//!
//! A block is reduced as soon as its last tree is there: to the loss that each of its sets adds, and to
//! what every tree contributes. The squared loss of a row with the prediction m + d instead of m, the
//! out-of-bag mean of all trees, grows by |d|^2 - 2 d (Y - m), where d is the mean change of the trees
//! of the block. Its square is too large by what the mean over so few trees varies more than that over
//! all, which is estimated from the trees themselves and taken out.

use crate::data::Truth;
use crate::measure::kernel::altered_predictions::{AlteredTree, MOST_KEPT};
use crate::measure::kernel::residuals::Residuals;
use crate::measure::kernel::row_sums::{RowSums, Shape};
use crate::pass::OutOfBag;

/// Numbers of all rows and players, up to which every row counts for standard errors.
const MOST_LINES: usize = 1 << 24;

/// The forest that is projected, and what players get of a pair of sets.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) truth: Truth,
    pub(super) out_of_bag: OutOfBag,
    pub(super) residuals: Residuals,
    /// The variance of the response over rows out of bag.
    pub(super) variance: f64,
    /// The weight of all rows out of bag, and of those of them that are looked at.
    pub(super) all: f64,
    pub(super) weight: f64,
    /// By pair: what every player gets of what its set is worth more than the complement.
    pub(super) of_pairs: Vec<Vec<f64>>,
    /// What every player gets of what all of them explain.
    pub(super) of_all: Vec<f64>,
    /// Whether rows stand for others, so that their error is needed.
    pub(super) has_part: bool,
}

/// A tree's contributions.
#[derive(Debug)]
pub(super) struct Contribution {
    /// The pairs of its block, and what it adds to what their sets are worth more than their complements.
    pub(super) pairs: Vec<usize>,
    pub(super) of_pairs: Vec<f64>,
    /// What it adds to what players get.
    pub(super) of_players: Vec<f64>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

/// Sums over the blocks so far.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// Trees so far.
    pub(super) n_trees: usize,
    block: Vec<AlteredTree>,
    sums: Option<RowSums>,
    /// By set of the block: squares of changes, weighted.
    squares: Vec<f64>,
    /// By set: how much of the variance is no longer explained.
    pub(super) lost: Vec<f64>,
    /// For every `stride`-th row, player and output: how players change with the prediction of the row.
    lines: Vec<f64>,
    stride: usize,
    /// By row and player, where rows stand for others.
    of_rows: Vec<f64>,
    /// By player, the square of the error of the rows that no tree of a block leaves out.
    pub(super) of_absent: Vec<f64>,
    pub(super) contributions: Vec<Contribution>,
    kept_bytes: usize,
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
        self.block.push(tree);
        self.n_trees += 1;
    }

    /// Reduces the block of these pairs of sets, whose trees are all there.
    pub(super) fn end_block(&mut self, pairs: &[usize], known: &Known) {
        let trees = std::mem::take(&mut self.block);
        let squares = std::mem::take(&mut self.squares);
        let Some(sums) = self.sums.take() else { return };
        let (truth, n_players) = (&known.truth, known.of_all.len());
        let mut counts = vec![0_u32; truth.n_rows()];
        trees.iter().flat_map(|tree| &tree.rows).for_each(|&row| counts[row as usize] += 1);
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
        for tree in trees {
            let mut added = Added::new(2 * pairs.len());
            added.add(&tree, &sums, &counts, known);
            let Added { direct, through } = added;
            let scale = -1.0 / (known.variance * found.weight);
            let more = |of_set: &[f64], at: usize| scale * (of_set[2 * at] - of_set[2 * at + 1]);
            let mut of_players = vec![0.0; n_players];
            for (at, &pair) in pairs.iter().enumerate() {
                let more = more(&direct, at);
                let shares = of_players.iter_mut().zip(&known.of_pairs[pair]);
                shares.for_each(|(sum, share)| *sum += share * more);
            }
            let of_pairs = (0..pairs.len()).map(|at| more(&direct, at) + more(&through, at));
            let contribution = Contribution {
                of_pairs: of_pairs.collect(),
                pairs: pairs.to_vec(),
                of_players,
                rows: tree.rows,
                values: tree.values,
            };
            self.kept_bytes += contribution.bytes();
            if self.kept_bytes <= MOST_KEPT || self.contributions.len() < 2 {
                self.contributions.push(contribution);
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
        self.stride = (n_rows * n_players * width).div_ceil(MOST_LINES).max(1);
        self.lines.resize(n_rows.div_ceil(self.stride) * n_players * width, 0.0);
        self.of_rows.resize(if known.has_part { n_rows * n_players } else { 0 }, 0.0);
        self.of_absent.resize(n_players, 0.0);
        let (mut n, mut totals, mut squares) = (0.0, vec![0.0; n_players], vec![0.0; n_players]);
        let mut more = vec![0.0; pairs.len() * width];
        let mut of_loss = vec![0.0; pairs.len()];
        let mut of_row = vec![0.0; n_players];
        for row in (0..n_rows).step_by(self.stride).filter(|&row| counts[row] > 0) {
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
            let start = row / self.stride * n_players * width;
            let lines = &mut self.lines[start..start + n_players * width];
            for (at, &pair) in pairs.iter().enumerate() {
                let more = &more[at * width..(at + 1) * width];
                let of_players = known.of_pairs[pair].iter().zip(lines.chunks_exact_mut(width));
                for ((share, line), of_row) in of_players.zip(&mut of_row) {
                    line.iter_mut().zip(more).for_each(|(sum, more)| *sum += share * more);
                    *of_row += share * of_loss[at];
                }
            }
            n += 1.0;
            for (player, of_row) in of_row.iter().enumerate() {
                let term = known.truth.weight(row as u32) * of_row / known.variance;
                totals[player] += term;
                squares[player] += term * term;
                if known.has_part {
                    self.of_rows[row * n_players + player] += term;
                }
            }
        }
        // A simple random sample of the rows, of a finite number of them.
        let absent = (1.0 - weight / known.weight).max(0.0);
        let scale = self.stride as f64 * absent * n / (n - 1.0_f64).max(1.0);
        for ((sum, square), total) in self.of_absent.iter_mut().zip(&squares).zip(&totals) {
            *sum += scale * (square - total * total / n);
        }
    }

    /// By kept tree: what it adds to what players get, also by the predictions of the forest, which all
    /// sets are compared with.
    pub(super) fn influences(&self, known: &Known) -> Vec<Vec<f64>> {
        let (truth, n_players) = (&known.truth, known.of_all.len());
        let width = truth.n_outputs();
        let of_tree = |tree: &Contribution| {
            let mut influence = tree.of_players.clone();
            let mut explained = 0.0;
            for (&row, values) in tree.rows.iter().zip(tree.values.chunks_exact(width)) {
                let n_trees = f64::from(known.out_of_bag.n_trees(row as usize));
                let factor = 2.0 * truth.weight(row) / (n_trees * known.variance);
                let away = values.iter().zip(known.residuals.prediction(row));
                let away: Vec<f64> = away.map(|(value, mean)| factor * (value - mean)).collect();
                let missed = away.iter().zip(known.residuals.of(row));
                explained += missed.map(|(away, missed)| away * missed).sum::<f64>() / known.all;
                if !(row as usize).is_multiple_of(self.stride) {
                    continue;
                }
                let start = row as usize / self.stride * n_players * width;
                let lines = self.lines[start..start + n_players * width].chunks_exact(width);
                for (influence, line) in influence.iter_mut().zip(lines) {
                    let moved: f64 = line.iter().zip(&away).map(|(line, away)| line * away).sum();
                    *influence -= self.stride as f64 * moved;
                }
            }
            let shares = influence.iter_mut().zip(&known.of_all);
            shares.for_each(|(influence, share)| *influence += share * explained);
            influence
        };
        self.contributions.iter().map(of_tree).collect()
    }

    /// Squares of the standard errors of a sample of rows of which `n_rows` are looked at, without
    /// allowance for those that are not.
    pub(super) fn squares_over_rows(&self, known: &Known, n_rows: usize) -> Vec<f64> {
        let n_players = known.of_all.len();
        let n = n_rows as f64;
        let of_player = |player: usize| {
            let terms = self.of_rows.iter().skip(player).step_by(n_players);
            let mean = terms.clone().sum::<f64>() / n;
            let squares: f64 = terms.map(|term| term * term).sum();
            (squares - n * mean * mean) * n / (n - 1.0).max(1.0)
        };
        (0..n_players).map(of_player).collect()
    }
}

impl Contribution {
    fn bytes(&self) -> usize {
        let numbers = self.of_pairs.len() + self.of_players.len() + self.values.len();
        8 * (self.pairs.len() + numbers) + 4 * self.rows.len()
    }
}

/// Sums over the rows of a block, by its sets.
struct Block {
    /// Losses, and what of the squares of changes is between rows.
    losses: Vec<f64>,
    between: Vec<f64>,
    weight: f64,
    /// Weights times degrees of freedom of the trees, and times 1 / trees of the block - 1 / all trees.
    freedom: f64,
    gaps: f64,
}

impl Block {
    fn new(n_sets: usize) -> Self {
        let zeros = || vec![0.0; n_sets];
        Self { losses: zeros(), between: zeros(), weight: 0.0, freedom: 0.0, gaps: 0.0 }
    }

    fn add(&mut self, row: u32, n_trees: f64, sums: &RowSums, known: &Known) {
        let weight = known.truth.weight(row);
        self.weight += weight;
        self.freedom += weight * (n_trees - 1.0);
        self.gaps += weight * (1.0 / n_trees - 1.0 / f64::from(known.out_of_bag.n_trees(row as usize)));
        let residual = known.residuals.of(row);
        for (set, sums) in sums.row(row) {
            let mut square = 0.0;
            let increase = |(sum, residual): (&f64, &f64)| {
                let mean = sum / n_trees;
                square += mean * mean;
                mean * (mean - 2.0 * residual)
            };
            self.losses[set] += weight * sums.iter().zip(residual).map(increase).sum::<f64>();
            self.between[set] += weight * n_trees * square;
        }
    }

    /// By set, what is lost without it. How far trees differ in a row does not depend on how many of the
    /// block are out of its bag, so that it is averaged over rows.
    fn lost(&self, squares: &[f64]) -> Vec<f64> {
        let more = if self.freedom > 0.0 { self.gaps / self.freedom } else { 0.0 };
        let of_set = self.losses.iter().zip(squares).zip(&self.between);
        of_set.map(|((loss, square), between)| loss - more * (square - between)).collect()
    }
}

/// What a tree adds to the losses of the sets of its block.
struct Added {
    /// By its own changes.
    direct: Vec<f64>,
    /// By its part in the predictions that changes are added to.
    through: Vec<f64>,
}

impl Added {
    fn new(n_sets: usize) -> Self {
        Self { direct: vec![0.0; n_sets], through: vec![0.0; n_sets] }
    }

    fn add(&mut self, tree: &AlteredTree, sums: &RowSums, counts: &[u32], known: &Known) {
        let width = known.truth.n_outputs();
        for (&row, values) in tree.rows.iter().zip(tree.values.chunks_exact(width)) {
            let own = f64::from(counts[row as usize]);
            let all = f64::from(known.out_of_bag.n_trees(row as usize));
            let factor = 2.0 * known.truth.weight(row);
            let (residual, prediction) = (known.residuals.of(row), known.residuals.prediction(row));
            for (set, sums) in sums.row(row) {
                for (output, sum) in sums.iter().enumerate() {
                    let mean = sum / own;
                    self.direct[set] -= factor / own * (mean - residual[output]) * mean;
                    self.through[set] += factor / all * mean * (values[output] - prediction[output]);
                }
            }
        }
        let entries = tree.changes.rows.iter().zip(&tree.changes.groups);
        for ((&row, &set), change) in entries.zip(tree.changes.amounts.chunks_exact(width)) {
            let own = f64::from(counts[row as usize]);
            let factor = 2.0 * known.truth.weight(row) / own;
            let Some(sums) = sums.get(row, set) else { continue };
            for ((change, sum), residual) in change.iter().zip(sums).zip(known.residuals.of(row)) {
                self.direct[set as usize] += factor * (sum / own - residual) * change;
            }
        }
    }
}
