//! The sets of variables that the forest is projected onto.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use statrs::function::factorial::ln_binomial;

use crate::random::{Purpose, Stream};

/// A stratum of fewer draws is joined with the next: its spread would not be known.
const LEAST_OF_STRATUM: usize = 8;

/// Up to here, numbers of sets are whole numbers in spite of rounding.
const MOST_COUNTED: f64 = 1e9;

/// A set of players, as bits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Coalition(Box<[u64]>);

impl Coalition {
    fn empty(n_players: usize) -> Self {
        Self(vec![0; n_players.div_ceil(64)].into())
    }

    pub(super) fn contains(&self, player: u32) -> bool {
        self.0[player as usize / 64] >> (player % 64) & 1 == 1
    }

    /// The players, where they are at most 64.
    pub(super) fn bits(&self) -> u64 {
        self.0.first().copied().unwrap_or(0)
    }

    fn insert(&mut self, player: u32) {
        self.0[player as usize / 64] |= 1 << (player % 64);
    }

    fn of(players: &[u32], n_players: usize) -> Self {
        let mut set = Self::empty(n_players);
        players.iter().for_each(|&player| set.insert(player));
        set
    }

    fn complement(&self, n_players: usize) -> Self {
        let mut other = Self::empty(n_players);
        (0..n_players as u32).filter(|&player| !self.contains(player)).for_each(|player| {
            other.insert(player);
        });
        other
    }
}

/// Coalitions, neither empty nor whole, and how much each counts in the least squares whose
/// solution are Shapley values. Each is followed by its complement: they are a pair.
#[derive(Debug)]
pub(super) struct Coalitions {
    pub(super) sets: Vec<Coalition>,
    /// Relative to the largest.
    pub(super) weights: Vec<f64>,
    /// The pairs that were drawn from more; none where these are all there are.
    pub(super) drawn: Vec<Stratum>,
}

/// Pairs that were drawn from pairs of about the same sizes, without replacement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stratum {
    pub(super) pairs: Range<usize>,
    /// The share of all such pairs that were drawn.
    pub(super) share: f64,
}

/// Pairs of one size.
struct OfSize {
    size: usize,
    /// How many there are.
    n_pairs: f64,
    /// Their part in the kernel.
    mass: f64,
}

impl Coalitions {
    /// All coalitions where there are at most `samples` pairs of them. Else so many pairs, of which
    /// those of the smallest sets (and their complements) are all that there are, and the others are
    /// drawn with the frequency that the Shapley kernel gives them, so that all drawn ones count
    /// alike.
    ///
    /// Sets must not be drawn among those on the paths of the forest only (Algorithm 1 of Bénard et al.
    /// 2022): shallow trees, and trees on many variables, never name most sets, and the least squares
    /// over those that they name are not Shapley values, however many are drawn.
    pub(super) fn new(n: usize, samples: usize, seed: u64) -> Self {
        let mut found = Self { sets: Vec::new(), weights: Vec::new(), drawn: Vec::new() };
        let mut logarithms = Vec::new();
        let mut sizes: VecDeque<OfSize> = (1..=n / 2).map(|size| OfSize::new(size, n)).collect();
        let mut mass: f64 = sizes.iter().map(|of| of.mass).sum();
        let mut left = samples;
        // All of a size where drawing would take as many.
        while let Some(of) = sizes.front() {
            let is_enough = sizes.len() == 1 || left as f64 * of.mass >= of.n_pairs * mass;
            if of.n_pairs > left as f64 || !is_enough {
                break;
            }
            of.all(n, &mut found.sets);
            logarithms.resize(found.sets.len(), ln_kernel(of.size, n));
            left -= of.n_pairs as usize;
            mass -= of.mass;
            sizes.pop_front();
        }
        if !sizes.is_empty() && left > 0 {
            let mut stream = Stream::new(seed, 0, Purpose::Coalitions);
            let start = stream.unit();
            let per_draw = mass / left as f64;
            let mut before = 0.0;
            let mut open: Option<(usize, f64)> = None;
            for of in sizes {
                let end = before + of.mass / per_draw;
                // Systematic sampling: a size is drawn as often as expected, up or down to a whole number.
                let places = |until: f64| (until - start).ceil().clamp(0.0, left as f64);
                let n_drawn = places(end) - places(before);
                before = end;
                let (first, n_pairs) = open.unwrap_or((found.sets.len() / 2, 0.0));
                of.draw(
                    (n_drawn as usize).min(of.n_pairs as usize),
                    n,
                    &mut stream,
                    &mut found.sets,
                );
                let pairs = first..found.sets.len() / 2;
                // Neighbouring sizes of few draws are one stratum.
                open = Some((first, n_pairs + of.n_pairs));
                if pairs.len() >= LEAST_OF_STRATUM {
                    let share = pairs.len() as f64 / (n_pairs + of.n_pairs);
                    found.drawn.push(Stratum { pairs, share });
                    open = None;
                }
            }
            let n_pairs = found.sets.len() / 2;
            match (open, found.drawn.last_mut()) {
                (Some((first, _)), Some(last)) if first < n_pairs => last.pairs.end = n_pairs,
                (Some((first, of)), None) if first < n_pairs => {
                    let share = (n_pairs - first) as f64 / of;
                    found.drawn.push(Stratum { pairs: first..n_pairs, share });
                }
                _ => {}
            }
            logarithms.resize(found.sets.len(), (per_draw / 2.0).ln());
        }
        found.weights = relative(logarithms);
        found
    }

    pub(super) fn are_drawn(&self) -> bool {
        !self.drawn.is_empty()
    }
}

impl OfSize {
    fn new(size: usize, n: usize) -> Self {
        let half = if 2 * size == n { 0.5 } else { 1.0 };
        let n_pairs = half * ln_binomial(n as u64, size as u64).exp();
        Self {
            size,
            // Exact where it is small enough to be counted.
            n_pairs: if n_pairs < MOST_COUNTED { n_pairs.round() } else { n_pairs },
            mass: half * 2.0 / (size as f64 * (n - size) as f64),
        }
    }

    /// All sets of the size, each with its complement; of halves, those with the first player.
    fn all(&self, n: usize, sets: &mut Vec<Coalition>) {
        let mut members: Vec<u32> = (0..self.size as u32).collect();
        loop {
            if 2 * self.size == n && members[0] != 0 {
                return;
            }
            let set = Coalition::of(&members, n);
            let complement = set.complement(n);
            sets.extend([set, complement]);
            // The next choice in lexicographic order.
            let can_grow = |&at: &usize| (members[at] as usize) < n - self.size + at;
            let Some(at) = (0..self.size).rev().find(can_grow) else { return };
            let first = members[at] + 1;
            members[at..].iter_mut().zip(first..).for_each(|(member, next)| *member = next);
        }
    }

    /// Different sets of the size, each with its complement.
    fn draw(&self, n_drawn: usize, n: usize, stream: &mut Stream, sets: &mut Vec<Coalition>) {
        let mut players: Vec<u32> = (0..n as u32).collect();
        let mut drawn = BTreeSet::new();
        while drawn.len() < n_drawn {
            for at in 0..self.size {
                let other = at + stream.below((n - at) as u32) as usize;
                players.swap(at, other);
            }
            let mut set = Coalition::of(&players[..self.size], n);
            if 2 * self.size == n && !set.contains(0) {
                set = set.complement(n);
            }
            if drawn.insert(set.clone()) {
                let complement = set.complement(n);
                sets.extend([set, complement]);
            }
        }
    }
}

/// The Shapley kernel of a coalition of some of n players, as a logarithm, without (n - 1), which
/// all have.
fn ln_kernel(size: usize, n: usize) -> f64 {
    let (some, others) = (size as f64, (n - size) as f64);
    -(ln_binomial(n as u64, size as u64) + some.ln() + others.ln())
}

fn relative(logarithms: Vec<f64>) -> Vec<f64> {
    let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logarithms.into_iter().map(|logarithm| (logarithm - largest).exp()).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Sets with their weights, each followed by its complement, drawn from so many pairs.
    pub(in super::super) fn pairs(n: usize, drawn: &[(&[u32], f64)], of: f64) -> Coalitions {
        let sets = drawn.iter().flat_map(|(players, _)| {
            let one = Coalition::of(players, n);
            let complement = one.complement(n);
            [one, complement]
        });
        Coalitions {
            sets: sets.collect(),
            weights: drawn.iter().flat_map(|&(_, weight)| [weight; 2]).collect(),
            drawn: vec![Stratum { pairs: 0..drawn.len(), share: drawn.len() as f64 / of }],
        }
    }

    fn n_members(set: &Coalition, n: u32) -> usize {
        (0..n).filter(|&player| set.contains(player)).count()
    }

    /// The kernel of a set: (n - 1) / (binomial * size * others).
    fn kernel(n: usize, size: usize) -> f64 {
        let binomial = (0..size).fold(1.0, |sum, k| sum * (n - k) as f64 / (k + 1) as f64);
        (n - 1) as f64 / (binomial * (size * (n - size)) as f64)
    }

    #[test]
    fn all_sets_are_taken_where_they_are_few() {
        for n in 0..=10_u32 {
            let found = Coalitions::new(n as usize, 511, 1);
            assert!(!found.are_drawn());
            let different: BTreeSet<&Coalition> = found.sets.iter().collect();
            let expected = if n < 2 { 0 } else { (1 << n) - 2 };
            assert_eq!((found.sets.len(), different.len()), (expected, expected));
            for (pair, weights) in found.sets.chunks(2).zip(found.weights.chunks(2)) {
                assert_eq!(pair[0].complement(n as usize), pair[1]);
                let size = n_members(&pair[0], n);
                let expected = kernel(n as usize, size) / kernel(n as usize, 1);
                for weight in weights {
                    assert!((weight / expected - 1.0).abs() < 1e-10, "{weight}, not {expected}");
                }
            }
        }
    }

    /// Over seeds, a set has the weight of the kernel of all sets: with 12 players every set is looked at,
    /// with 70, of which some are in the second word of the bits, the sizes.
    #[test]
    fn drawn_sets_count_as_the_kernel_on_average() {
        let (n, samples, seeds) = (12_u32, 300, 400);
        let mut sums = std::collections::BTreeMap::new();
        let mut totals = 0.0;
        for seed in 0..seeds {
            let found = Coalitions::new(n as usize, samples, seed);
            assert!(found.are_drawn());
            assert_eq!(found.sets.len(), 2 * samples);
            assert_eq!(found.drawn.last().expect("some").pairs.end, samples);
            for (set, weight) in found.sets.into_iter().zip(found.weights) {
                *sums.entry(set).or_insert(0.0) += weight;
                totals += weight;
            }
        }
        assert_eq!(sums.len(), (1 << n) - 2, "every set is drawn at some time");
        let all: f64 = sums.keys().map(|set| kernel(12, n_members(set, n))).sum();
        let mut largest = 0.0_f64;
        for (set, sum) in &sums {
            let expected = kernel(12, n_members(set, n)) / all;
            largest = largest.max((sum / totals / expected - 1.0).abs());
        }
        // A set of six of twelve is drawn in a seventeenth of the seeds: 23 times, give or take 4.7;
        // the largest deviation of 2000 pairs is below five standard deviations.
        assert!(largest < 5.0 * 4.7 / 23.0, "{largest}");
        let mut of_size = vec![0.0; 71];
        for seed in 0..40 {
            let found = Coalitions::new(70, 500, seed);
            for (set, weight) in found.sets.iter().zip(&found.weights) {
                of_size[n_members(set, 70)] += weight / found.weights.iter().sum::<f64>() / 40.0;
            }
        }
        let all: f64 = (1..70).map(|size| 1.0 / f64::from(size * (70 - size))).sum();
        for (size, found) in of_size.iter().enumerate().take(70).skip(1) {
            let expected = 1.0 / (size * (70 - size)) as f64 / all;
            // Of 500 draws at least two are of each size, up or down to a whole number in each seed.
            assert!((found / expected - 1.0).abs() < 0.2, "{size}: {found}, not {expected}");
        }
    }
}
