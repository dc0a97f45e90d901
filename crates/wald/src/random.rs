//! Random streams keyed by (seed, tree, purpose), so that no two trees or seeds share one.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// What a stream is used for; each purpose of each tree has a stream of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Which rows are in the bag of a tree.
    Bag,
    /// Which variables and thresholds a tree tries.
    Splits,
    /// Which variables a tree uses.
    Subspace,
    /// The row permutation that gives columns their shadows; of the first tree, for all.
    Shadows,
    /// The rows of a subsample, and the seed of its forest; keyed by the subsample instead of the
    /// tree.
    Subsample,
    /// A permutation of the response, and the seed of the forest that meets it; keyed by the
    /// permutation instead of the tree.
    PermutedResponse,
    /// The row permutation of shadows that p-values rest on, and the seed of the forest that meets
    /// them; keyed by the draw instead of the tree.
    ShadowDraw,
    /// Random signs of what single rows add to an error; keyed by the replicate instead of the
    /// tree.
    Signs,
    /// Which rows are in which fold; keyed by the repetition instead of the tree.
    Folds,
    /// The seed of a forest of a selection; keyed by the repetition instead of the tree.
    Selection {
        /// Counted from 0; `u32::MAX` for all rows.
        fold: u32,
        /// Counted from 0.
        step: u32,
    },
    /// Seeds and draws of a test of conditional independence; keyed by the variable instead of the tree.
    Conditional {
        /// Counted from 0.
        fold: u32,
        /// 0 for the forest on all variables, 1 for what lacks one.
        step: u32,
    },
    /// The seed of a forest with shadows by which variables are selected; keyed by the run instead
    /// of the tree.
    BorutaRun,
    /// The rows whose cells a shadow shows; keyed by the run instead of the tree.
    BorutaShadow {
        /// Canonical position of the first column of the variable.
        column: u32,
        /// Counted from 0.
        copy: u32,
    },
    /// The seed of a forest on half of the rows; keyed by the pair of halves instead of the tree.
    HalfSample {
        /// 0 or 1.
        half: u32,
    },
    /// Which paths a tree of intersections draws; keyed by that tree.
    Intersections {
        /// Which class of leaves.
        label: u32,
    },
    /// The rows of a bootstrap sample on which interactions are searched for again, and the seed of
    /// its forest; keyed by the sample instead of the tree.
    InteractionResample,
    /// A random permutation of a column's out-of-bag values.
    Permutation {
        /// Canonical position of the column.
        column: u32,
        /// Counted from 0.
        repeat: u32,
    },
    /// Rows over which variables that are not known are averaged; of the first tree.
    BackgroundRows,
    /// The rows whose loss is explained, in random order; of the first tree.
    ExplainedRows,
    /// Training rows that the pictures of a report show; of the first tree.
    PicturedRows,
    /// Training rows that stand for all where a measure looks at some; of the first tree.
    PartOfRows,
    /// What advice draws: rows, signs and responses; keyed by the repetition instead of the tree.
    Advice {
        /// Which of its tests draws.
        part: u32,
    },
    /// The order in which variables become known; keyed by the sample instead of the tree.
    OrderOfPlayers,
    /// Sets of variables, drawn as they occur on the paths of a forest; of the first tree.
    Coalitions,
    /// Simulated data; all of the first tree.
    Simulation {
        /// Which design, or what else draws.
        part: u32,
    },
    /// What a surrogate of a model draws; of the first tree.
    Surrogate {
        /// What it draws.
        part: u32,
    },
    /// A random order of a population's variables, or a random path; keyed by the sample instead of
    /// the tree.
    Population,
    /// A random permutation of a column's values among test rows, common to all trees; of the
    /// first tree.
    TestPermutation {
        /// Canonical position of the column.
        column: u32,
        /// Counted from 0.
        repeat: u32,
    },
}

impl Purpose {
    fn words(self) -> [u64; 2] {
        match self {
            Self::Bag => [1, 0],
            Self::Splits => [2, 0],
            Self::Subspace => [4, 0],
            Self::Shadows => [5, 0],
            Self::BackgroundRows => [30, 0],
            Self::ExplainedRows => [31, 0],
            Self::OrderOfPlayers => [32, 0],
            Self::PicturedRows => [33, 0],
            Self::Coalitions => [34, 0],
            Self::PartOfRows => [35, 0],
            Self::Subsample => [50, 0],
            Self::PermutedResponse => [51, 0],
            Self::Advice { part } => [60, u64::from(part)],
            Self::ShadowDraw => [52, 0],
            Self::Signs => [53, 0],
            Self::Conditional { fold, step } => [54, u64::from(fold) << 32 | u64::from(step)],
            Self::Folds => [20, 0],
            Self::Selection { fold, step } => [21, u64::from(fold) << 32 | u64::from(step)],
            Self::BorutaRun => [22, 0],
            Self::BorutaShadow { column, copy } => [23, u64::from(column) << 32 | u64::from(copy)],
            Self::HalfSample { half } => [24, u64::from(half)],
            Self::Intersections { label } => [25, u64::from(label)],
            Self::InteractionResample => [26, 0],
            Self::Population => [40, 0],
            Self::Surrogate { part } => [70, u64::from(part)],
            Self::Simulation { part } => [16, u64::from(part)],
            Self::Permutation { column, repeat } => {
                [3, u64::from(column) << 32 | u64::from(repeat)]
            }
            Self::TestPermutation { column, repeat } => {
                [12, u64::from(column) << 32 | u64::from(repeat)]
            }
        }
    }
}

/// A stream of random numbers (xoshiro256++, Blackman & Vigna 2019), its 256-bit state being
/// the BLAKE3 hash of its key.
#[derive(Debug, Clone)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of a tree, or of what counts as one, for a purpose.
    pub fn new(seed: u64, tree: usize, purpose: Purpose) -> Self {
        let [kind, part] = purpose.words();
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"wald random stream 1");
        for word in [seed, tree as u64, kind, part] {
            hasher.update(&word.to_le_bytes());
        }
        Self(Xoshiro256PlusPlus::from_seed(*hasher.finalize().as_bytes()))
    }

    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform on 0..bound. The multiply-high method favours no value by more than 2^-32.
    pub fn below(&mut self, bound: u32) -> u32 {
        scale(self.word(), bound)
    }

    /// Uniform on [0, 1).
    pub fn unit(&mut self) -> f64 {
        unit(self.word())
    }

    /// Moves every item to the place of another one: a random cycle through all of them (Sattolo 1986).
    pub fn cycle(&mut self, items: &mut [u32]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32) as usize);
        }
    }

    /// Shuffles uniformly over all orders (Fisher & Yates).
    pub fn shuffle(&mut self, items: &mut [u32]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// A number that reveals nothing of the given one: different ones give different ones (Vigna's
/// variant 13 of Stafford's mixers, as in `SplitMix64`).
pub(crate) fn mixed(number: u64) -> u64 {
    SplitMix64::seed_from_u64(number).next_u64()
}

/// All rows, or of more about as many as are wanted and never more, increasing. They are scattered over the table
/// by a number of each row, so that values which alternate or repeat in the order of the table do not decide
/// which are taken. Cost O(rows).
pub fn scattered_rows(n_rows: usize, most: usize) -> Vec<u32> {
    let one_of = (n_rows / most.max(1)).max(1) as u64;
    let keyed = (0..n_rows as u32).map(|row| (mixed(u64::from(row)), row));
    let mut keyed: Vec<(u64, u32)> = keyed.filter(|(key, _)| key.is_multiple_of(one_of)).collect();
    if keyed.len() > most {
        keyed.sort_unstable();
        keyed.truncate(most);
    }
    let mut rows: Vec<u32> = keyed.into_iter().map(|(_, row)| row).collect();
    rows.sort_unstable();
    rows
}

/// The stream of one node: its key depends on the path from the root alone, so that the
/// order in which nodes are grown does not matter.
#[derive(Debug, Clone)]
pub(crate) struct NodeStream(SplitMix64);

/// Names a node's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeKey(u64);

impl NodeKey {
    pub(crate) fn root(stream: &mut Stream) -> Self {
        Self(stream.word())
    }

    /// The key of the child with the given index.
    pub(crate) fn child(self, index: u32) -> Self {
        let mixed =
            self.0.rotate_left(17) ^ (u64::from(index) + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        Self(SplitMix64::seed_from_u64(mixed).next_u64())
    }

    /// The stream of the random division of the node by a variable: it does not depend on what
    /// else the node tries, or when.
    pub(crate) fn division(self, column: u32) -> NodeStream {
        let mixed =
            self.0.rotate_left(41) ^ (u64::from(column) + 1).wrapping_mul(0xA24B_AED4_963E_E407);
        NodeStream(SplitMix64::seed_from_u64(SplitMix64::seed_from_u64(mixed).next_u64()))
    }

    pub(crate) fn stream(self) -> NodeStream {
        NodeStream(SplitMix64::seed_from_u64(self.0))
    }
}

impl NodeStream {
    /// Uniform on 0..bound.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        scale(self.0.next_u64(), bound)
    }

    /// Uniform on [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        unit(self.0.next_u64())
    }

    /// 64 tosses of a fair coin.
    pub(crate) fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// One toss of a fair coin.
    pub(crate) fn coin(&mut self) -> bool {
        self.word() >> 63 == 1
    }
}

fn unit(word: u64) -> f64 {
    (word >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

fn scale(word: u64, bound: u32) -> u32 {
    ((u128::from(word) * u128::from(bound)) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_between_seeds_trees_and_purposes() {
        let purposes = [
            Purpose::Bag,
            Purpose::Splits,
            Purpose::Subspace,
            Purpose::Shadows,
            Purpose::Folds,
            Purpose::Selection { fold: 0, step: 0 },
            Purpose::Selection { fold: 0, step: 1 },
            Purpose::Selection { fold: 1, step: 0 },
            Purpose::Intersections { label: 0 },
            Purpose::Intersections { label: 1 },
            Purpose::InteractionResample,
            Purpose::Permutation { column: 0, repeat: 0 },
            Purpose::Permutation { column: 0, repeat: 1 },
            Purpose::TestPermutation { column: 0, repeat: 0 },
            Purpose::TestPermutation { column: 0, repeat: 1 },
            Purpose::Permutation { column: 1, repeat: 0 },
            Purpose::Population,
            Purpose::Advice { part: 0 },
            Purpose::Advice { part: 1 },
            Purpose::Simulation { part: 0 },
            Purpose::Simulation { part: 1 },
        ];
        let mut first_words = std::collections::HashSet::new();
        let seeds = [0, 1, 2, 3, 1 << 24, 1 << 30, 1 << 63, u64::MAX];
        for seed in seeds {
            for tree in 0..500 {
                for purpose in purposes {
                    first_words.insert(Stream::new(seed, tree, purpose).word());
                }
            }
        }
        assert_eq!(first_words.len(), seeds.len() * 500 * purposes.len());
    }

    #[test]
    fn scattered_rows_follow_no_pattern_of_the_table() {
        assert_eq!(scattered_rows(50, 50), (0..50).collect::<Vec<u32>>());
        for (n_rows, most, fewest) in [(1000, 600, 600), (10_000, 2000, 1850), (100_000, 300, 240)]
        {
            let rows = scattered_rows(n_rows, most);
            assert!((fewest..=most).contains(&rows.len()), "{}", rows.len());
            assert!(rows.is_sorted_by(|one, next| one < next));
            // Shares of rows by their place among 2, 5 and 10 that follow each other, to four standard errors.
            for period in [2, 5, 10] {
                let first = rows.iter().filter(|row| row.is_multiple_of(period)).count() as f64;
                let (share, n) = (1.0 / f64::from(period), rows.len() as f64);
                let error = (share * (1.0 - share) / n).sqrt();
                assert!(
                    (first / n - share).abs() < 4.0 * error,
                    "{n_rows} {period}: {first} of {n}"
                );
            }
        }
    }

    #[test]
    fn bounded_numbers_are_uniform() {
        // Chi-square with 9 degrees of freedom: 27.9 is the 99.9 % point.
        let mut stream = Stream::new(7, 0, Purpose::Bag);
        let mut counts = [0_u32; 10];
        for _ in 0..100_000 {
            counts[stream.below(10) as usize] += 1;
        }
        let chi_square: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi_square < 27.9, "{counts:?}");
    }

    #[test]
    fn sibling_nodes_have_their_own_streams() {
        let root = NodeKey::root(&mut Stream::new(0, 0, Purpose::Splits));
        let draws: Vec<u32> =
            [root, root.child(0), root.child(1), root.child(0).child(1), root.child(1).child(0)]
                .iter()
                .map(|key| key.stream().below(u32::MAX))
                .collect();
        let distinct: std::collections::HashSet<_> = draws.iter().collect();
        assert_eq!(distinct.len(), draws.len());
    }

    #[test]
    fn the_divisions_of_a_node_have_their_own_streams() {
        let root = NodeKey::root(&mut Stream::new(0, 0, Purpose::Splits));
        let mut words = std::collections::HashSet::new();
        for key in [root, root.child(0), root.child(1)] {
            words.insert(key.stream().word());
            words.extend((0..1000).map(|column| key.division(column).word()));
            words.extend((0..1000).map(|child| key.child(child).stream().word()));
        }
        // The streams of the two children were met twice.
        assert_eq!(words.len(), 3 * 2001 - 2);
    }
}
