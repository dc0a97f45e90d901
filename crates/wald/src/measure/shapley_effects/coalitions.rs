//! The sets of variables that the forest is projected onto.

use std::collections::BTreeMap;

use statrs::function::factorial::ln_binomial;

use crate::error::Error;
use crate::forest::{Node, Tree};
use crate::measure::Subject;
use crate::measure::players::Players;
use crate::monitor::Monitor;
use crate::random::{Purpose, Stream};

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

    fn insert(&mut self, player: u32) {
        self.0[player as usize / 64] |= 1 << (player % 64);
    }

    fn remove(&mut self, player: u32) {
        self.0[player as usize / 64] &= !(1 << (player % 64));
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
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
/// solution are Shapley values.
#[derive(Debug)]
pub(super) struct Coalitions {
    /// Different ones; where they were drawn, each is followed by its complement.
    pub(super) sets: Vec<Coalition>,
    /// Relative to the largest.
    pub(super) weights: Vec<f64>,
    /// False where these are all there are.
    pub(super) are_drawn: bool,
    /// How often each pair was drawn, for its share in the error of drawing.
    pub(super) times: Vec<f64>,
}

impl Coalitions {
    /// All coalitions where there are at most `samples` of them, and else so many drawn with the
    /// frequency with which sets of variables occur on the paths of the forest, every one with its
    /// complement. A coalition that was drawn as often as it is likely counts as if it was one of
    /// all: its weight is divided by the probability that it or its complement is drawn.
    pub(super) fn new(
        subject: Subject<'_>,
        players: &Players,
        (samples, seed): (usize, u64),
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let n = players.len();
        if n < 2 {
            return Ok(Self {
                sets: Vec::new(),
                weights: Vec::new(),
                are_drawn: false,
                times: Vec::new(),
            });
        }
        if n < usize::BITS as usize - 1 && 1_usize << n <= samples {
            let sets: Vec<Coalition> =
                (1..(1_u64 << n) - 1).map(|bits| Coalition([bits].into())).collect();
            let weights = relative(sets.iter().map(|set| ln_kernel(set.len(), n)).collect());
            let times = vec![1.0; sets.len()];
            return Ok(Self { sets, weights, are_drawn: false, times });
        }
        Ok(Self::drawn(on_paths(subject, players, monitor)?, n, (samples, seed)))
    }

    /// So many draws of `counts`, each with its complement.
    fn drawn(counts: BTreeMap<Coalition, u64>, n: usize, (samples, seed): (usize, u64)) -> Self {
        // By their place in this order, which no order of columns changes.
        let (sets, counts): (Vec<Coalition>, Vec<u64>) = counts.into_iter().unzip();
        let mut ends = Vec::with_capacity(counts.len());
        let mut total = 0;
        for count in &counts {
            total += count;
            ends.push(total);
        }
        let mut stream = Stream::new(seed, 0, Purpose::Coalitions);
        let mut drawn: BTreeMap<usize, f64> = BTreeMap::new();
        for _ in 0..samples {
            let at = (stream.unit() * total as f64) as u64;
            let place = ends.partition_point(|&end| end <= at).min(sets.len() - 1);
            // A set and its complement are one pair, whichever of them is drawn.
            let other = sets.binary_search(&sets[place].complement(n)).unwrap_or(place);
            *drawn.entry(place.min(other)).or_default() += 1.0;
        }
        let mut found =
            Self { sets: Vec::new(), weights: Vec::new(), are_drawn: true, times: Vec::new() };
        let mut logarithms = Vec::new();
        for (place, times) in drawn {
            let complement = sets[place].complement(n);
            let other = sets.binary_search(&complement).map_or(0, |other| counts[other]);
            let probability = (counts[place] + other) as f64;
            let logarithm = ln_kernel(sets[place].len(), n) + (times / probability).ln();
            found.sets.extend([sets[place].clone(), complement]);
            found.times.extend([times; 2]);
            logarithms.extend([logarithm; 2]);
        }
        found.weights = relative(logarithms);
        found
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

/// How often every set of variables is the one that leads to a node, over the nodes of all trees;
/// without the empty set and that of all variables.
fn on_paths(
    subject: Subject<'_>,
    players: &Players,
    monitor: &Monitor,
) -> Result<BTreeMap<Coalition, u64>, Error> {
    let player = |tree: &Tree, node: usize| match &tree.nodes()[node] {
        Node::Leaf => None,
        Node::Split(split) => {
            let group = subject.groups.of_column()[split.feature as usize];
            players.of_group(group as usize).map(|player| (player, tree.children(split)))
        }
    };
    let mut counts = BTreeMap::new();
    for tree in subject.forest.trees() {
        monitor.check()?;
        let mut path = Coalition::empty(players.len());
        let mut pending = vec![Step::Node(0)];
        while let Some(step) = pending.pop() {
            let node = match step {
                Step::Node(node) => node,
                Step::Forget(player) => {
                    path.remove(player);
                    continue;
                }
            };
            if (1..players.len()).contains(&path.len()) {
                match counts.get_mut(&path) {
                    Some(count) => *count += 1,
                    None => {
                        counts.insert(path.clone(), 1);
                    }
                }
            }
            let Some((player, children)) = player(tree, node) else { continue };
            if !path.contains(player) {
                path.insert(player);
                pending.push(Step::Forget(player));
            }
            pending.extend(children.map(Step::Node));
        }
    }
    Ok(counts)
}

enum Step {
    Node(usize),
    /// All nodes below the first split on the player were met.
    Forget(u32),
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Sets with their weights and how often they were drawn, each followed by its complement.
    pub(in super::super) fn pairs(n: usize, drawn: &[(&[u32], f64, f64)]) -> Coalitions {
        let sets = drawn.iter().flat_map(|(players, _, _)| {
            let one = set(players, n);
            let complement = one.complement(n);
            [one, complement]
        });
        Coalitions {
            sets: sets.collect(),
            weights: drawn.iter().flat_map(|&(_, weight, _)| [weight; 2]).collect(),
            times: drawn.iter().flat_map(|&(_, _, times)| [times; 2]).collect(),
            are_drawn: true,
        }
    }

    fn set(players: &[u32], n: usize) -> Coalition {
        let mut set = Coalition::empty(n);
        players.iter().for_each(|&player| set.insert(player));
        set
    }

    /// With 70 players, of which some are in the second word of the bits. The pair of a set and its
    /// complement is drawn as often as both occur, and then counts as the kernel says, whatever its
    /// probability: on average over draws every pair has the weight of the kernel.
    #[test]
    fn pairs_are_drawn_as_they_occur_and_count_as_the_kernel_says() {
        let n = 70;
        let one = set(&[0, 69], n);
        let (other, third) = (one.complement(n), set(&[3, 64, 65], n));
        assert_eq!((other.len(), third.complement(n).len()), (68, 67));
        let counts = BTreeMap::from([(one.clone(), 3), (other.clone(), 2), (third.clone(), 5)]);
        let samples = 4000;
        let found = Coalitions::drawn(counts, n, (samples, 1));
        assert!(found.are_drawn);
        assert_eq!(found.sets.len(), 4, "two pairs");
        let at = |set: &Coalition| found.sets.iter().position(|one| one == set).expect("drawn");
        for (set, complement) in [(&one, other), (&third, third.complement(n))] {
            let (at, of_complement) = (at(set), at(&complement));
            assert!(at.min(of_complement).is_multiple_of(2));
            assert_eq!(at.abs_diff(of_complement), 1);
            assert_eq!(found.times[at], found.times[of_complement]);
            assert_eq!(found.weights[at], found.weights[of_complement]);
        }
        let (first, second) = (at(&one), at(&third));
        // Both pairs occur five times in ten; 4000 draws have a standard deviation of 32.
        assert_eq!(found.times[first] + found.times[second], samples as f64);
        assert!((found.times[first] - 2000.0).abs() < 130.0, "{:?}", found.times);
        // The kernel: 69 / (binomial * size * others).
        let kernel = |binomial: f64, size: f64| 69.0 / (binomial * size * (70.0 - size));
        let expected =
            kernel(2415.0, 2.0) * found.times[first] / (kernel(54740.0, 3.0) * found.times[second]);
        let ratio = found.weights[first] / found.weights[second];
        assert!((ratio / expected - 1.0).abs() < 1e-10, "{ratio} instead of {expected}");
    }
}
