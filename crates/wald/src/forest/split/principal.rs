//! Groups of rows by class or output, and their order along the principal component.

use crate::forest::split::scorer::Group;
use crate::forest::split::sequence::Sequence;

/// The principal component settles long before this many rounds, or ties do not matter.
const POWER_ROUNDS: usize = 60;

/// Groups of rows (levels) by class. Only classes that occur in a group are listed: with many
/// levels and many classes, most groups hold few of them.
#[derive(Debug, Default)]
pub(super) struct ClassGroups {
    /// Class and its weight, group after group, classes increasing.
    pub(super) entries: Vec<(u32, f64)>,
    /// Where the entries of each group end.
    ends: Vec<u32>,
    /// Weight and draws of each group.
    pub(super) totals: Vec<(f64, f64)>,
    /// Class weights of the group that is being summed up; else zero.
    sums: Vec<f64>,
    /// Classes of that group.
    present: Vec<u32>,
}

impl ClassGroups {
    pub(super) fn new(n_classes: usize) -> Self {
        Self { sums: vec![0.0; n_classes], ..Self::default() }
    }

    /// Groups that are summed up: numbers of all outputs, group after group, and weight and draws.
    pub(super) fn of_sums(sums: &[f64], totals: &[(f64, f64)]) -> Self {
        let n_outputs = sums.len() / totals.len();
        let entries = sums.iter().enumerate().map(|(at, &sum)| ((at % n_outputs) as u32, sum));
        let ends = (1..=totals.len()).map(|group| (group * n_outputs) as u32);
        Self {
            entries: entries.collect(),
            ends: ends.collect(),
            totals: totals.to_vec(),
            ..Self::default()
        }
    }

    /// Sums up ranges of a sequence, given class and weight, and draws where they differ from
    /// weights, by position.
    pub(super) fn sum_up(
        &mut self,
        sequence: &impl Sequence,
        groups: &[Group],
        rows: &[(u32, f64)],
        all_draws: &[u16],
    ) {
        self.entries.clear();
        self.ends.clear();
        self.totals.clear();
        for group in groups {
            let (mut weight, mut draws) = (0.0, 0.0);
            for &item in &sequence.items()[group.start as usize..group.end as usize] {
                let position = sequence.position(item);
                let (class, row_weight) = rows[position];
                let sum = &mut self.sums[class as usize];
                if *sum == 0.0 {
                    self.present.push(class);
                }
                *sum += row_weight;
                weight += row_weight;
                draws += all_draws.get(position).map_or(0.0, |&draws| f64::from(draws));
            }
            self.present.sort_unstable();
            for class in self.present.drain(..) {
                self.entries.push((class, std::mem::take(&mut self.sums[class as usize])));
            }
            self.ends.push(self.entries.len() as u32);
            self.totals.push((weight, draws));
        }
    }

    pub(super) fn range(&self, group: usize) -> std::ops::Range<usize> {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[group] as usize
    }

    /// Weight and entries of every group.
    pub(super) fn iter(&self) -> impl Iterator<Item = (f64, &[(u32, f64)])> {
        let weights = self.totals.iter().map(|&(weight, _)| weight);
        weights.enumerate().map(|(group, weight)| (weight, &self.entries[self.range(group)]))
    }
}

/// Projections of the groups on the leading axis of their weighted covariance, by power
/// iteration without forming the matrix, every class measured in its unit. Cost O(rounds *
/// (entries + classes)).
pub(super) fn principal_scores(groups: &ClassGroups, units: &[f64]) -> Vec<f64> {
    let n_classes = units.len();
    let total: f64 = groups.iter().map(|(weight, _)| weight).sum();
    let mut mean = vec![0.0; n_classes];
    for &(class, weight) in &groups.entries {
        mean[class as usize] += units[class as usize] * weight / total;
    }
    let dot = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
    // The projection of a group's proportions; `middle` is that of the mean.
    let project = |axis: &[f64], middle: f64, (weight, entries): (f64, &[(u32, f64)])| -> f64 {
        let part =
            |&(class, part): &(u32, f64)| part * units[class as usize] * axis[class as usize];
        entries.iter().map(part).sum::<f64>() / weight - middle
    };
    // Unequal entries, so that the start is not orthogonal to the axis by symmetry.
    let mut axis: Vec<f64> = (0..n_classes).map(|class| 1.0 / (class as f64 + 1.5)).collect();
    for _ in 0..POWER_ROUNDS {
        let middle = dot(&mean, &axis);
        let mut next = vec![0.0; n_classes];
        let mut balance = 0.0;
        for (weight, entries) in groups.iter() {
            let score = project(&axis, middle, (weight, entries));
            balance += weight * score;
            for &(class, part) in entries {
                next[class as usize] += score * part * units[class as usize];
            }
        }
        for (entry, mean) in next.iter_mut().zip(&mean) {
            *entry -= balance * mean;
        }
        let length = dot(&next, &next).sqrt();
        if length == 0.0 {
            break;
        }
        next.iter_mut().for_each(|entry| *entry /= length);
        let moved: f64 = next.iter().zip(&axis).map(|(new, old)| (new - old).abs()).sum();
        axis = next;
        if moved < 1e-12 {
            break;
        }
    }
    let middle = dot(&mean, &axis);
    groups.iter().map(|group| project(&axis, middle, group)).collect()
}
