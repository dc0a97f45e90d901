//! By how much the loss of a forest grows when values are exchanged between the rows of a table.
//!
//! The prediction for a row is a step function of the values put in (`counterfactual/`). Steps weighted by
//! the frequencies of the values in the table give the expectation over all permutations, for every
//! loss that is a mean over rows.

use crate::counterfactual::{Axes, Axis, Block, Bound, Walker};
use crate::data::{Groups, MISSING_CODE, Training, TrainingResponse, weighted_donors};
use crate::error::Error;
use crate::loss::{Loss, prediction_loss};
use crate::measure::definition::Permutations;
use crate::pass::area_under_curve;
use crate::random::{Purpose, Stream};
use crate::run::Run;
use crate::threads::ordered;

/// Donors and predictions of this many permuted rows are held at a time.
pub(crate) const MOST_AT_A_TIME: usize = 4 << 20;

/// A table that the forest never saw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeldOut<'a> {
    pub(crate) rows: &'a Training,
    pub(crate) bound: &'a Bound<'a>,
    pub(crate) groups: &'a Groups,
    pub(crate) loss: Loss,
    pub(crate) seed: u64,
}

/// Mean loss with a group permuted minus mean loss.
#[derive(Debug, Default)]
pub(crate) struct Increases {
    /// One row per permutation, one value per group; a single row for the expectation.
    pub(crate) repeats: Vec<Vec<f64>>,
    /// True where there is no such loss: the area under the curve of a single class.
    pub(crate) is_undefined: bool,
}

/// What share of the donors lies before each place of an axis, and is missing.
struct Shares {
    before: Vec<f64>,
    missing: f64,
}

/// Which rows give their values to the rows of the table.
struct Donors {
    /// The groups at hand, and for every repeat and group one donor per row.
    groups: std::ops::Range<usize>,
    rows: Vec<Vec<Vec<u32>>>,
}

impl HeldOut<'_> {
    /// The increase of the loss for every group, over all permutations or for some.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn increases(
        self,
        permutations: &Permutations,
        run: &Run,
    ) -> Result<Increases, Error> {
        let n_repeats = match permutations {
            Permutations::Exact => return self.expected(run),
            Permutations::Random(repeats) => *repeats as usize,
            Permutations::Given(given) => given.len(),
        };
        let n_groups = self.groups.n_groups();
        let mut found =
            Increases { repeats: vec![vec![0.0; n_groups]; n_repeats], is_undefined: false };
        let at_a_time = (MOST_AT_A_TIME / (n_repeats * self.rows.n_rows()).max(1)).max(1);
        for start in (0..n_groups).step_by(at_a_time) {
            let groups = start..n_groups.min(start + at_a_time);
            let donors = self.donors(permutations, n_repeats, groups);
            if self.loss == Loss::Auc {
                self.by_scores(&donors, &mut found, run)?;
            } else {
                self.by_rows(&donors, &mut found, run)?;
            }
        }
        Ok(found)
    }

    /// Weight of all rows.
    fn mass(self) -> f64 {
        (0..self.rows.n_rows() as u32).map(|row| self.rows.weight(row)).sum()
    }

    /// The loss of a row when its predictions over the trees sum up to `sums`.
    fn loss_of(self, row: u32, sums: &[f64], n_trees: usize, prediction: &mut [f64]) -> f64 {
        self.bound.predict(sums, n_trees, prediction);
        prediction_loss(self.loss, self.rows.response(), row as usize, prediction)
    }

    /// Walks all rows and calls `merge` with what `work` makes of each, in the order of the rows.
    fn each_row<T: Send>(
        self,
        axes: &Axes,
        run: &Run,
        prepare: impl Fn(u32, &mut Walker<'_>) + Sync,
        work: impl Fn(u32, &mut Walker<'_>, &mut [f64]) -> T + Sync,
        mut merge: impl FnMut(usize, T) + Send,
    ) -> Result<(), Error> {
        let (n_rows, together) = (self.rows.n_rows(), Block::n_rows(self.bound, axes));
        ordered(
            n_rows.div_ceil(together),
            run,
            || (Block::new(self.bound, axes), vec![0.0; self.bound.n_outputs()]),
            |index, (block, prediction)| {
                let rows = index * together..n_rows.min((index + 1) * together);
                let rows = rows.start as u32..rows.end as u32;
                let walked = block.walk(rows, &run.progress, &prepare, |_, _| true)?;
                Ok(walked.map(|(row, walker)| work(row, walker, prediction)).collect::<Vec<T>>())
            },
            |index, results| {
                (index * together..).zip(results).for_each(|(row, result)| merge(row, result));
            },
        )
    }

    /// Every donor is as likely as its weight among all rows.
    fn expected(self, run: &Run) -> Result<Increases, Error> {
        let n_rows = self.rows.n_rows() as u32;
        let axes = Axes::new(self.bound, self.groups, |_| 0..n_rows);
        let shares: Vec<Shares> =
            (0..axes.n_groups()).map(|group| self.shares(&axes, group)).collect();
        let mut sums = vec![0.0; axes.n_groups()];
        self.each_row(
            &axes,
            run,
            |_, _| {},
            |row, walker, prediction| self.expected_of_row(row, walker, &shares, prediction),
            |_, increases| increases.iter().for_each(|&(group, value)| sums[group] += value),
        )?;
        let mass = self.mass();
        sums.iter_mut().for_each(|sum| *sum /= mass);
        Ok(Increases { repeats: vec![sums], is_undefined: false })
    }

    fn expected_of_row(
        self,
        row: u32,
        walker: &mut Walker<'_>,
        shares: &[Shares],
        prediction: &mut [f64],
    ) -> Vec<(usize, f64)> {
        let weight = self.rows.weight(row);
        if weight == 0.0 {
            return Vec::new();
        }
        let n_trees = walker.n_trees();
        let unpermuted = self.loss_of(row, walker.base(), n_trees, prediction);
        let touched: Vec<u32> = walker.touched().to_vec();
        let increase = |&group: &u32| {
            let group = group as usize;
            let Shares { before, missing } = &shares[group];
            let profile = walker.profile(group);
            let mut sum = 0.0;
            let ends = profile.starts.iter().skip(1).map(|&end| end as usize);
            let ends = ends.chain([before.len() - 1]);
            for ((start, sums), end) in profile.pieces().zip(ends) {
                let share = before[end] - before[start as usize];
                if share > 0.0 {
                    sum += share * (self.loss_of(row, sums, n_trees, prediction) - unpermuted);
                }
            }
            if *missing > 0.0 {
                let loss = self.loss_of(row, profile.missing(), n_trees, prediction);
                sum += missing * (loss - unpermuted);
            }
            (group, weight * sum)
        };
        touched.iter().map(increase).collect()
    }

    fn shares(self, axes: &Axes, group: usize) -> Shares {
        let mut before = vec![0.0; axes.axis(group).n_places() + 1];
        let (mut missing, mut total) = (0.0, 0.0);
        for row in 0..self.rows.n_rows() as u32 {
            let weight = self.rows.weight(row);
            total += weight;
            match axes.place(self.bound, group, row) {
                MISSING_CODE => missing += weight,
                place => before[place as usize + 1] += weight,
            }
        }
        let mut sum = 0.0;
        for share in &mut before {
            sum += *share;
            *share = sum / total;
        }
        Shares { before, missing: missing / total }
    }

    fn donors(
        self,
        permutations: &Permutations,
        n_repeats: usize,
        groups: std::ops::Range<usize>,
    ) -> Donors {
        let of_group = |repeat: usize, group: usize| {
            let members = &self.groups.members()[group];
            if let Permutations::Given(given) = permutations {
                // The columns of a group are permuted together.
                return given[repeat][members[0] as usize].clone();
            }
            let features = self.rows.features();
            let key = members.iter().map(|&column| features.canonical(column)).min();
            let purpose =
                Purpose::TestPermutation { column: key.unwrap_or(0), repeat: repeat as u32 };
            let mut stream = Stream::new(self.seed, 0, purpose);
            let n_rows = self.rows.n_rows() as u32;
            let mut donors: Vec<u32> = (0..n_rows).collect();
            if self.rows.is_weighted() {
                let weights = (0..n_rows).map(|row| self.rows.weight(row));
                donors = weighted_donors(weights, stream.unit());
            }
            stream.shuffle(&mut donors);
            donors
        };
        let of_repeat = |repeat| groups.clone().map(|group| of_group(repeat, group)).collect();
        Donors { rows: (0..n_repeats).map(of_repeat).collect(), groups }
    }

    /// Axes on which the groups at hand have donors.
    fn axes(self, donors: &Donors) -> Axes {
        let n_rows = self.rows.n_rows() as u32;
        Axes::new(self.bound, self.groups, |group| {
            if donors.groups.contains(&group) { 0..n_rows } else { 0..0 }
        })
    }

    /// Lets a walker look at no other points than those of its row's donors.
    fn prepare(self, row: u32, walker: &mut Walker<'_>, axes: &Axes, donors: &Donors) {
        for (index, group) in donors.groups.clone().enumerate() {
            if matches!(axes.axis(group), Axis::Points { .. }) {
                let places = donors
                    .rows
                    .iter()
                    .map(|repeat| axes.place(self.bound, group, repeat[index][row as usize]));
                walker.choose(group, places);
            }
        }
    }

    /// Losses that are means over rows.
    fn by_rows(self, donors: &Donors, found: &mut Increases, run: &Run) -> Result<(), Error> {
        let axes = &self.axes(donors);
        let first = donors.groups.start;
        let increases_of = |row: u32, walker: &mut Walker<'_>, prediction: &mut [f64]| {
            let mut increases: Vec<(usize, usize, f64)> = Vec::new();
            let weight = self.rows.weight(row);
            if weight == 0.0 {
                return increases;
            }
            let n_trees = walker.n_trees();
            let unpermuted = self.loss_of(row, walker.base(), n_trees, prediction);
            for group in walker.touched().to_vec() {
                let group = group as usize;
                let profile = walker.profile(group);
                for (repeat, donors) in donors.rows.iter().enumerate() {
                    let donor = donors[group - first][row as usize];
                    let sums = profile.at(axes.place(self.bound, group, donor));
                    let loss = self.loss_of(row, sums, n_trees, prediction);
                    increases.push((repeat, group, weight * (loss - unpermuted)));
                }
            }
            increases
        };
        self.each_row(
            axes,
            run,
            |row, walker| self.prepare(row, walker, axes, donors),
            increases_of,
            |_, increases| {
                for (repeat, group, value) in increases {
                    found.repeats[repeat][group] += value;
                }
            },
        )?;
        let mass = self.mass();
        for repeat in &mut found.repeats {
            repeat[donors.groups.clone()].iter_mut().for_each(|sum| *sum /= mass);
        }
        Ok(())
    }

    /// One minus the area under the curve: the scores of all rows are compared.
    fn by_scores(self, donors: &Donors, found: &mut Increases, run: &Run) -> Result<(), Error> {
        let axes = &self.axes(donors);
        let (first, n_groups) = (donors.groups.start, donors.groups.len());
        let n_rows = self.rows.n_rows();
        // As it is, then by repeat and group.
        let n_scores = 1 + donors.rows.len() * n_groups;
        let mut scores = vec![0.0; n_scores * n_rows];
        let scores_of = |row: u32, walker: &mut Walker<'_>, prediction: &mut [f64]| {
            let n_trees = walker.n_trees();
            self.bound.predict(walker.base(), n_trees, prediction);
            let mut scores = vec![prediction[1]; n_scores];
            for group in walker.touched().to_vec() {
                let group = group as usize;
                let profile = walker.profile(group);
                for (repeat, donors) in donors.rows.iter().enumerate() {
                    let donor = donors[group - first][row as usize];
                    let sums = profile.at(axes.place(self.bound, group, donor));
                    self.bound.predict(sums, n_trees, prediction);
                    scores[1 + repeat * n_groups + group - first] = prediction[1];
                }
            }
            scores
        };
        self.each_row(
            axes,
            run,
            |row, walker| self.prepare(row, walker, axes, donors),
            scores_of,
            |row, of_row: Vec<f64>| {
                for (index, score) in of_row.into_iter().enumerate() {
                    scores[index * n_rows + row] = score;
                }
            },
        )?;
        let area = |index: usize| self.area(&scores[index * n_rows..(index + 1) * n_rows]);
        let Some(unpermuted) = area(0) else {
            found.is_undefined = true;
            return Ok(());
        };
        for (repeat, values) in found.repeats.iter_mut().enumerate() {
            for group in 0..n_groups {
                run.progress.check()?;
                let permuted = area(1 + repeat * n_groups + group);
                values[first + group] = unpermuted - permuted.unwrap_or(unpermuted);
            }
        }
        Ok(())
    }

    fn area(self, scores: &[f64]) -> Option<f64> {
        let TrainingResponse::Classes { codes, .. } = self.rows.response() else { return None };
        let scored = (0_u32..).zip(scores).filter_map(|(row, &score)| {
            let weight = self.rows.weight(row);
            (weight > 0.0).then_some((score, weight, codes[row as usize] == 1))
        });
        area_under_curve(scored.collect())
    }
}
