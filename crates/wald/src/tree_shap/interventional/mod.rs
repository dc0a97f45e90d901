//! Shapley values of one tree against background rows, for many rows.
//!
//! A coalition S of columns keeps the values of the row x that is explained, all others are those
//! of a background row z. Down to a leaf, x *violates* a column if it does not take all edges on
//! that column, and so does z. The leaf is reached if x satisfies the columns of S and z the
//! others: with M violated by x and N by z, if S holds all of N and nothing of M. Where M and N
//! have a column in common nobody gets there; else Lundberg et al. 2020 (Algorithm 3) give every
//! column of N
//!
//! `(|N| - 1)! |M|! / (|N| + |M|)!` times the prediction of the leaf, and every column of M minus
//! `|N|! (|M| - 1)! / (|N| + |M|)!` times that.
//!
//! So a row matters to a leaf only through M. All rows of a block go down the tree together, in
//! groups of equal M, each with the set of background rows that have no violated column in common
//! with it. A group without background rows has nothing to do below.
//!
//! Each path ends at a *leaf subtree* of at most seven splits. There a row matters only through the
//! answers it gives to these, how many columns it violates above, and its group's background rows.
//! What a background row is worth to those who agree in the first two is found once; every group
//! adds up its own background rows, once for all its rows that agree.

#![expect(
    clippy::inline_always,
    clippy::needless_range_loop,
    reason = "what is not inlined is not compiled for wide registers, and loops over fixed places \
              are what the compiler turns into them"
)]

mod credits;
mod ends;
mod groups;
mod lanes;
mod leaf_subtree;
mod paths;
mod row_groups_at_leaf;
mod sets;
mod walk;

pub(super) use lanes::Lanes;
pub(crate) use sets::Background;
pub(crate) use walk::walk_bytes;
pub(super) use walk::{MOST_ROWS, Walk};

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::Ordering::Relaxed;

    use crate::data::{Column, Target};
    use crate::data::{Dataset, Features};
    use crate::explain::Rows;
    use crate::explain::{ExplanationId, ExplanationSettings};
    use crate::forest::MOST_BITS;
    use crate::forest::{Forest, ForestConfig};
    use crate::run::{Run, Threads};

    /// A table of numbers whose response depends on products of neighbours, without chance.
    fn table(n_rows: usize, n_columns: usize) -> Dataset {
        let at = |row: usize, column: usize| {
            ((row * (2 * column + 3) + column * column) as f64 * 0.618_033_988_75).fract()
        };
        let values = |column| (0..n_rows).map(|row| at(row, column)).collect();
        let columns = (0..n_columns)
            .map(|column| Column::numeric(format!("x{column}"), values(column)).expect("finite"));
        let response = |row| {
            let products = (1..n_columns).map(|column| at(row, column - 1) * at(row, column));
            at(row, 0) + products.sum::<f64>()
        };
        let target = Target::regression("y", (0..n_rows).map(response).collect());
        Dataset::new(columns.collect(), target.expect("finite")).expect("consistent")
    }

    /// The bits of all values, computed in registers of at most so many bits.
    fn explain(data: &Dataset, forest: &Forest, background: &Features, bits: u32) -> Vec<u64> {
        MOST_BITS.store(bits, Relaxed);
        let background = Some(Arc::new(background.clone()));
        let settings = ExplanationSettings { background, ..ExplanationSettings::default() };
        let id = ExplanationId::TreeShapInterventional;
        let explainer = forest.explainer(data, Rows::Training, (id, &settings)).expect("applies");
        let run = &Run::on(Threads::new(1).expect("one"));
        let mut found = Vec::new();
        explainer
            .run(run, |_, record| found.extend(record.iter().map(|value| value.to_bits())))
            .expect("adds up");
        found
    }

    /// Few columns, whose slots are their places, and more columns than that.
    #[test]
    fn registers_of_every_width_give_the_same_bits() {
        for n_columns in [1, 7, 20, 32, 33, 90] {
            let data = table(160, n_columns);
            let config = ForestConfig { n_trees: 3, seed: 5, ..ForestConfig::default() };
            let run = &Run::on(Threads::new(1).expect("one"));
            let forest = Forest::grow(&data, &config, run).expect("valid settings");
            let background = table(40, n_columns).features().clone();
            let [widest, narrower, plain] =
                [512, 256, 0].map(|bits| explain(&data, &forest, &background, bits));
            assert!(plain.iter().any(|bits| f64::from_bits(*bits) != 0.0), "{n_columns}");
            assert_eq!(widest, plain, "{n_columns} columns");
            assert_eq!(narrower, plain, "{n_columns} columns");
        }
        MOST_BITS.store(512, Relaxed);
    }
}
