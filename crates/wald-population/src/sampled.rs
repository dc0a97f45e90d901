//! Importances estimated from random orders of the variables, or from random paths through trees.
//!
//! In a totally randomized tree every path tests the variables in a uniformly random order, so that
//! what the variables gain one after the other, over all points, is an unbiased estimate of their
//! importances and of their terms by degree; its sum is I(V; Y) in every order. Trees that take
//! the best of K variables ask for single nodes: a random point is followed down a random tree, and
//! what the nodes gain that it meets is unbiased.

use std::collections::HashMap;
use wald::message;
use wald::setting;

use wald::work::{Purpose, Stream, ordered};
use wald::{Error, Run};

use crate::importances::{Importances, Relevance};
use crate::layer::divided;
use crate::population::{Population, TOLERANCE};

/// How much is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleSettings {
    /// Random orders of the variables (K = 1), or random paths.
    pub samples: usize,
    /// The number of variables to choose from at each node, K.
    pub mtry: usize,
    /// Levels of splits, where trees are not fully developed ([`Importances::pruned`]).
    pub depth: Option<usize>,
    /// Seed of all draws.
    pub seed: u64,
}

/// Estimated importances.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// Means over samples.
    pub importances: Importances,
    /// Of [`Importances::values`].
    pub standard_errors: Vec<f64>,
    /// Of [`Importances::by_degree`].
    pub by_degree_errors: Vec<Vec<f64>>,
    /// What each variable is to the target; `None` where it is not strongly relevant and no sample
    /// has shown that it is relevant at all. What is strong, is so exactly.
    pub relevance: Vec<Option<Relevance>>,
    /// Exactly as [`super::Exact::is_marginally_relevant`].
    pub is_marginally_relevant: Vec<bool>,
}

/// Sums over samples.
struct Sums {
    by_degree: Vec<Vec<[f64; 2]>>,
    squares: Vec<f64>,
    largest: Vec<f64>,
}

/// The variables of one sample in their order, and what they gain.
type Gains = Vec<(u32, f64)>;

impl Population {
    /// Unbiased estimates of [`Population::exact`] (K = 1) or [`Population::best_of`] with their
    /// standard errors, for populations that are too large for exact work.
    ///
    /// Cost: per order, all points and variables; per path, the points of its nodes and K
    /// variables. For relevance, all points and variables twice.
    ///
    /// # Errors
    /// [`Error::Setting`] for fewer than two samples or a K that is not between 1 and p,
    /// [`Error::Cancelled`] when the progress is cancelled, [`Error::Inconsistent`] when orders do
    /// not add up to I(V; Y).
    pub fn sampled(&self, settings: SampleSettings, run: &Run) -> Result<Sampled, Error> {
        let SampleSettings { samples, mtry, depth, seed } = settings;
        let depth = depth.unwrap_or(self.n_variables());
        if samples < 2 {
            return Err(Error::bad_setting(
                setting::SAMPLES,
                format!("{samples} samples were requested"),
                message!("a standard error needs at least two", setting::SAMPLES.hint()),
            ));
        }
        self.check_mtry(mtry)?;
        let mut sums = Sums::new(self.n_variables());
        let (cumulative, root) = (self.cumulative(), self.root_impurity());
        ordered(
            samples,
            run,
            || (),
            |sample, ()| {
                let mut stream = Stream::new(seed, sample, Purpose::Population);
                Ok(if mtry == 1 {
                    self.random_order(depth, &mut stream)
                } else {
                    self.random_path(mtry, depth, &cumulative, &mut stream)
                })
            },
            |_, gains: Gains| sums.add(&gains),
        )?;
        let n = samples as f64;
        let importances = Importances {
            by_degree: sums
                .by_degree
                .iter()
                .map(|degrees| degrees.iter().map(|[sum, _]| sum / n).collect())
                .collect(),
        };
        if mtry == 1 && depth >= self.n_variables() {
            importances.check_sum(self.total(), root)?;
        }
        let (strong, marginal) = (self.gained_last(), self.gained_first());
        let tolerance = TOLERANCE * root;
        let relevance = |variable: usize| {
            if strong[variable] > tolerance {
                Some(Relevance::Strong)
            } else {
                let seen = sums.largest[variable].max(marginal[variable]);
                (seen > tolerance).then_some(Relevance::Weak)
            }
        };
        let errors = |degrees: &Vec<[f64; 2]>| {
            degrees.iter().map(|&[sum, squares]| standard_error(sum, squares, n)).collect()
        };
        Ok(Sampled {
            standard_errors: importances
                .values()
                .iter()
                .zip(&sums.squares)
                .map(|(mean, squares)| standard_error(mean * n, *squares, n))
                .collect(),
            by_degree_errors: sums.by_degree.iter().map(errors).collect(),
            relevance: (0..self.n_variables()).map(relevance).collect(),
            is_marginally_relevant: marginal.iter().map(|gained| *gained > tolerance).collect(),
            importances,
        })
    }

    /// What the variables gain in a random order.
    fn random_order(&self, depth: usize, stream: &mut Stream) -> Gains {
        let mut order: Vec<u32> = (0..self.n_variables() as u32).collect();
        stream.shuffle(&mut order);
        let (mut cells, mut n_cells) = (vec![0; self.n_points()], 1);
        let mut left = self.root_impurity();
        let mut gains = Gains::new();
        for variable in order.into_iter().take(depth) {
            let points;
            (cells, points) =
                divided(self, |point: usize| cells[point], n_cells, variable as usize);
            n_cells = points.len();
            let now = self.left_of(&cells, n_cells);
            gains.push((variable, left - now));
            left = now;
        }
        gains
    }

    /// What the nodes gain that a random point meets in a random tree.
    fn random_path(
        &self,
        mtry: usize,
        depth: usize,
        cumulative: &[f64],
        stream: &mut Stream,
    ) -> Gains {
        let draw = stream.unit() * cumulative.last().copied().unwrap_or_default();
        let point = cumulative.partition_point(|sum| *sum <= draw).min(self.n_points() - 1);
        let mut unused: Vec<u32> = (0..self.n_variables() as u32).collect();
        let mut node: Vec<u32> = (0..self.n_points() as u32).collect();
        let mut gains = Gains::new();
        while !unused.is_empty() && gains.len() < depth {
            let (left, weight) = self.node(&node);
            if left <= 0.0 {
                break;
            }
            let drawn = mtry.min(unused.len());
            for place in 0..drawn {
                let other = place + stream.below((unused.len() - place) as u32) as usize;
                unused.swap(place, other);
            }
            let candidates: Vec<f64> = unused[..drawn]
                .iter()
                .map(|&variable| left - self.left_below(&node, variable as usize))
                .collect();
            let best = candidates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let tied: Vec<usize> =
                (0..drawn).filter(|&at| best - candidates[at] <= TOLERANCE * left).collect();
            let taken = tied[stream.below(tied.len() as u32) as usize];
            let variable = unused.swap_remove(taken);
            gains.push((variable, candidates[taken] / weight));
            let code = self.code(point, variable as usize);
            node.retain(|&other| self.code(other as usize, variable as usize) == code);
        }
        gains
    }

    /// The impurity of some points times their probability, and that probability.
    fn node(&self, points: &[u32]) -> (f64, f64) {
        let mut state = vec![0.0; self.response.stride];
        for &point in points {
            self.response.merge(&mut state, self.state(point as usize));
        }
        (self.response.left(&state), self.response.weight(&state))
    }

    /// What is left of the impurity of some points when a variable is known.
    fn left_below(&self, points: &[u32], variable: usize) -> f64 {
        let stride = self.response.stride;
        let mut states = vec![0.0; self.n_categories[variable] as usize * stride];
        for &point in points {
            let code = self.code(point as usize, variable) as usize;
            let state = &mut states[code * stride..][..stride];
            self.response.merge(state, self.state(point as usize));
        }
        self.response.left_of_all(&states)
    }

    fn cumulative(&self) -> Vec<f64> {
        let mut sum = 0.0;
        let add = |probability: &f64| {
            sum += probability;
            sum
        };
        self.probabilities().iter().map(add).collect()
    }

    /// I(X; Y) of every variable.
    fn gained_first(&self) -> Vec<f64> {
        let all: Vec<u32> = (0..self.n_points() as u32).collect();
        let root = self.root_impurity();
        (0..self.n_variables()).map(|variable| root - self.left_below(&all, variable)).collect()
    }

    /// I(X; Y | all others) of every variable: cells of the others are pairs of a cell of the
    /// variables before and one of those behind.
    fn gained_last(&self) -> Vec<f64> {
        let p = self.n_variables();
        let mut behind = vec![(vec![0; self.n_points()], 1)];
        for variable in (1..p).rev() {
            let (cells, n_cells): &(Vec<u32>, usize) = &behind[behind.len() - 1];
            let (cells, points) = divided(self, |point: usize| cells[point], *n_cells, variable);
            behind.push((cells, points.len()));
        }
        let left = self.response.left_of_all(&self.states);
        let (mut before, mut n_before) = (vec![0; self.n_points()], 1);
        let mut gained = Vec::with_capacity(p);
        for variable in 0..p {
            let Some((behind, _)) = behind.pop() else { break };
            let mut known: HashMap<(u32, u32), u32> = HashMap::new();
            let pairs = before.iter().zip(&behind);
            let cells: Vec<u32> = pairs
                .map(|(&before, &behind)| {
                    let next = known.len() as u32;
                    *known.entry((before, behind)).or_insert(next)
                })
                .collect();
            gained.push(self.left_of(&cells, known.len()) - left);
            let points;
            (before, points) = divided(self, |point: usize| before[point], n_before, variable);
            n_before = points.len();
        }
        gained
    }
}

impl Sums {
    fn new(n_variables: usize) -> Self {
        Self {
            by_degree: vec![vec![[0.0; 2]; n_variables]; n_variables],
            squares: vec![0.0; n_variables],
            largest: vec![0.0; n_variables],
        }
    }

    fn add(&mut self, gains: &Gains) {
        for (degree, &(variable, gain)) in gains.iter().enumerate() {
            let variable = variable as usize;
            let [sum, squares] = &mut self.by_degree[variable][degree];
            *sum += gain;
            *squares += gain * gain;
            self.squares[variable] += gain * gain;
            self.largest[variable] = self.largest[variable].max(gain);
        }
    }
}

/// Of the mean of n values with the given sum and sum of squares.
fn standard_error(sum: f64, squares: f64, n: f64) -> f64 {
    ((squares - sum * sum / n).max(0.0) / (n - 1.0) / n).sqrt()
}
