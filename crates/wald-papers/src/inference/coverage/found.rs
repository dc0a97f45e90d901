//! Whether intervals cover, and whether errors are honest, over data sets.

use wald::inference::Confidence;
use wald::{Importance, MeasureId};

use crate::estimate::Estimate;
use crate::exhibit::Claim;
use crate::inference::coverage::sample::{CONFIDENCE, Sample};

/// Equally relevant variables of Friedman 1 share a number; those from `NOISE` on are
/// irrelevant.
const ALIKE: [usize; 10] = [0, 0, 1, 2, 3, 4, 4, 4, 4, 4];
const NOISE: usize = 4;

/// Shares further away than so many standard errors are outside of their band.
const BAND: f64 = 3.0;

/// What forests find on average, and how far they are from it, by variable.
pub(super) struct Real {
    /// Of one tree, where values are sums over trees.
    means: Vec<f64>,
    /// Variances over rows, of forests of infinitely many trees.
    of_rows: Vec<f64>,
    /// Variances over trees, times their number.
    of_trees: Vec<f64>,
    is_sum: bool,
}

impl Real {
    /// From forests on many data sets, and pairs of forests on the same rows, all of so many trees.
    pub(super) fn new(
        population: &crate::study::Found,
        measure: usize,
        pairs: &[(&Importance, &Importance)],
        n_trees: usize,
        id: MeasureId,
    ) -> Self {
        let is_sum = id == MeasureId::SplitCount;
        let n_trees = n_trees as f64;
        let unit = if is_sum { n_trees } else { 1.0 };
        let (mut means, mut variances, mut of_trees) = (Vec::new(), Vec::new(), Vec::new());
        for variable in 0..ALIKE.len() {
            let estimate = population.estimate(measure, variable);
            means.push(estimate.mean / unit);
            variances.push((estimate.deviation / unit).powi(2));
            let half_squares = pairs.iter().map(|(one, other)| {
                let value = |of: &Importance| of.values[variable].unwrap_or(f64::NAN) / unit;
                (value(one) - value(other)).powi(2) / 2.0
            });
            of_trees.push(n_trees * half_squares.sum::<f64>() / pairs.len() as f64);
        }
        let (means, variances, of_trees) = (alike(&means), alike(&variances), alike(&of_trees));
        let of_rows = variances.iter().zip(&of_trees).map(|(all, of)| all - of / n_trees).collect();
        Self { means, of_rows, of_trees, is_sum }
    }

    fn unit(&self, sample: &Sample) -> f64 {
        if self.is_sum { sample.n_trees as f64 } else { 1.0 }
    }
}

/// Means over variables that matter alike.
fn alike(values: &[f64]) -> Vec<f64> {
    let of = |kind: usize| {
        let same = values.iter().zip(ALIKE).filter(|(_, of)| *of == kind);
        let values: Vec<f64> = same.map(|(value, _)| *value).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    ALIKE.iter().map(|&kind| of(kind)).collect()
}

/// Of one measure, how often intervals cover, by data set, and how large errors are.
pub(super) struct Found {
    way: &'static str,
    measure: &'static str,
    /// Shares of the variables that matter, and of those that do not, which have an interval.
    each: [Vec<f64>; 2],
    together: Vec<f64>,
    ranks: Vec<f64>,
    trees_alone: Vec<f64>,
    no_interval: f64,
    /// Reported over real standard errors of trees, rows and both; of the variables that matter, and
    /// of those that do not.
    ratios: [[Option<f64>; 2]; 3],
}

impl Found {
    pub(super) fn new(
        way: &'static str,
        id: MeasureId,
        samples: &[&Sample],
        real: &Real,
        confidence: Confidence,
    ) -> Self {
        let info = id.info();
        let all = || 0..ALIKE.len();
        let kinds = [true, false].map(|matters| -> Vec<usize> {
            all().filter(|&index| (ALIKE[index] < NOISE) == matters).collect()
        });
        let truth = |sample: &Sample, index: usize| real.unit(sample) * real.means[index];
        let covers = |sample: &Sample, index: usize, together: bool| {
            let all = if together { &sample.intervals.together } else { &sample.intervals.each };
            let truth = truth(sample, index);
            all[index].map(|found| (found.low..=found.high).contains(&truth))
        };
        let is_above = |a: f64, b: f64| if info.small_is_important { a < b } else { a > b };
        // Those that matter alike share the first of their ranks (Mogstad et al. 2024).
        let rank = |index: usize| {
            let means = &real.means;
            1 + all().filter(|&other| is_above(means[other], means[index])).count()
        };
        let ranks_cover = |sample: &&Sample| {
            let found = sample.intervals.ranks.as_deref().unwrap_or_default();
            all().all(|index| {
                found[index].is_none_or(|of| (of.low..=of.high).contains(&rank(index)))
            })
        };
        let trees_cover = |sample: &Sample, index: usize| {
            let error = sample.importance.standard_errors.as_ref()?[index]?;
            let away = sample.importance.values[index]? - truth(sample, index);
            Some(away.abs() <= confidence.normal() * error)
        };
        let by_sample = |variables: &[usize], covers: &dyn Fn(&Sample, usize) -> Option<bool>| {
            let of = |sample: &&Sample| share(variables.iter().filter_map(|&i| covers(sample, i)));
            samples.iter().filter_map(of).collect::<Vec<f64>>()
        };
        let every: Vec<usize> = all().collect();
        let n_missing: usize = samples
            .iter()
            .map(|sample| sample.intervals.each.iter().filter(|one| one.is_none()).count())
            .sum();
        let ratios = [Part::Trees, Part::Rows, Part::Both].map(|part| {
            [0, 1].map(|kind| {
                let of = |&index: &usize| part.ratio(samples, real, index);
                let found: Option<Vec<f64>> = kinds[kind].iter().map(of).collect();
                found.map(|found| found.iter().sum::<f64>() / found.len() as f64)
            })
        });
        Self {
            way,
            measure: info.id,
            each: [0, 1].map(|kind| by_sample(&kinds[kind], &|of, index| covers(of, index, false))),
            together: by_sample(&every, &|of, index| covers(of, index, true))
                .into_iter()
                .map(|share| f64::from(u8::from(share == 1.0)))
                .collect(),
            ranks: samples.iter().map(|of| f64::from(u8::from(ranks_cover(of)))).collect(),
            trees_alone: by_sample(&every, &trees_cover),
            no_interval: n_missing as f64 / (samples.len() * ALIKE.len()) as f64,
            ratios,
        }
    }

    /// Shares with their standard errors: the larger one of that over data sets, whose variables
    /// share a forest, and the binomial one; and how many of them they are away from the promise.
    fn cells(&self) -> [(f64, f64, f64); 4] {
        let of = |(shares, per_sample): (&Vec<f64>, usize)| {
            let estimate = Estimate::of(shares);
            let n = (estimate.n * per_sample) as f64;
            let binomial = (CONFIDENCE * (1.0 - CONFIDENCE) / n).sqrt();
            let error = binomial.max(estimate.standard_error());
            (estimate.mean, error, (estimate.mean - CONFIDENCE) / error)
        };
        let [signal, noise] = &self.each;
        [(signal, 5), (noise, 5), (&self.together, 1), (&self.ranks, 1)].map(of)
    }

    pub(super) fn coverage_row(&self) -> Vec<String> {
        let cell = |(share, error, away): (f64, f64, f64)| {
            let mark = match away {
                away if away > BAND => " +",
                away if away < -BAND => " -",
                _ => "",
            };
            format!("{share:.3} ± {error:.3}{mark}")
        };
        let alone = Estimate::of(&self.trees_alone);
        let alone = if self.trees_alone.is_empty() {
            "not reported".to_owned()
        } else {
            format!("{:.3} ± {:.3}", alone.mean, alone.standard_error())
        };
        let first = [self.way.to_owned(), self.measure.to_owned()];
        let last = [alone, format!("{:.3}", self.no_interval)];
        first.into_iter().chain(self.cells().map(cell)).chain(last).collect()
    }

    pub(super) fn errors_row(&self) -> Vec<String> {
        let cell = |ratio: &Option<f64>| {
            ratio.map_or_else(|| "not reported".to_owned(), |ratio| format!("{ratio:.2}"))
        };
        let first = [self.way.to_owned(), self.measure.to_owned()];
        first.into_iter().chain(self.ratios.iter().flatten().map(cell)).collect()
    }
}

/// The share of what is true; `None` of nothing.
fn share(hits: impl Iterator<Item = bool>) -> Option<f64> {
    let hits: Vec<bool> = hits.collect();
    let n_true = hits.iter().filter(|hit| **hit).count();
    (!hits.is_empty()).then(|| n_true as f64 / hits.len() as f64)
}

/// A part of the error.
#[derive(Clone, Copy)]
enum Part {
    Trees,
    Rows,
    Both,
}

impl Part {
    /// The root of the mean square of what is reported, over what is real; `None` where nothing is
    /// reported.
    fn ratio(self, samples: &[&Sample], real: &Real, index: usize) -> Option<f64> {
        let reported = |sample: &&Sample| {
            let error = match self {
                Self::Trees => sample.importance.standard_errors.as_ref()?[index],
                Self::Rows => sample.of_rows[index],
                Self::Both => sample.intervals.standard_errors[index],
            };
            Some((error? / real.unit(sample)).powi(2))
        };
        let squares: Vec<f64> = samples.iter().filter_map(reported).collect();
        let of_trees = real.of_trees[index] / samples.first()?.n_trees as f64;
        let variance = match self {
            Self::Trees => of_trees,
            Self::Rows => real.of_rows[index],
            Self::Both => of_trees + real.of_rows[index],
        };
        (!squares.is_empty()).then(|| (Estimate::of(&squares).mean / variance).sqrt())
    }
}

/// One claim per measure, on the variables that matter, and which other cells are outside.
pub(super) fn claims(all: &[Found]) -> (Vec<Claim>, Vec<String>) {
    let claim = |found: &Found| {
        let (share, error, away) = found.cells()[0];
        Claim::new(
            format!(
                "{}, {}: intervals of variables that matter cover in {CONFIDENCE} of the data sets",
                found.way, found.measure
            ),
            away.abs() <= BAND,
            format!("{share:.3} ± {error:.3}"),
        )
    };
    let outside = |is_out: &dyn Fn(f64) -> bool| -> String {
        let names = ["signal", "noise", "all at once", "ranks at once"];
        let cells: Vec<String> = all
            .iter()
            .flat_map(|found| {
                let cells = found.cells().into_iter().zip(names);
                cells
                    .filter(|((_, _, away), _)| is_out(*away))
                    .map(|(_, name)| format!("{} by {} ({name})", found.measure, found.way))
            })
            .collect();
        if cells.is_empty() { "none".to_owned() } else { cells.join(", ") }
    };
    let notes = vec![
        format!(
            "covering too seldom, by {BAND} standard errors: {}",
            outside(&|away| away < -BAND)
        ),
        format!("covering too often: {}", outside(&|away| away > BAND)),
    ];
    (all.iter().map(claim).collect(), notes)
}
