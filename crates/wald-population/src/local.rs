//! Local importances: the information of variables about the target at single points (Sutera et al.
//! 2021).

use crate::node::Node;
use crate::population::{Population, TOLERANCE};

/// Importances and relevance at every point of positive probability.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalImportances {
    /// By point and variable, in the unit of the impurity: Sutera et al., Equation 10, for totally
    /// randomized trees; the limit of local MDI for others. Values can be negative, where a
    /// variable makes the target less certain.
    pub values: Vec<Vec<f64>>,
    /// By point and variable: whether knowing the variable's category never changes the
    /// distribution of the target there, whatever else is known (Definition 2).
    pub is_irrelevant: Vec<Vec<bool>>,
}

/// What is known of all points so far.
pub(crate) struct Locals {
    /// By K, point and variable.
    pub(crate) values: Vec<Vec<f64>>,
    /// By point and variable: a set was found where the variable matters, or that is settled
    /// otherwise.
    known: Vec<bool>,
    /// What the present layer adds.
    found: Vec<bool>,
    pub(crate) is_relevant: Vec<bool>,
}

/// What some sets contribute at all points.
pub(crate) struct Differences {
    n_variables: usize,
    /// By K, point and variable.
    values: Vec<Vec<f64>>,
    /// Places in the list of points and variables.
    relevant: Vec<u32>,
}

/// By cell and value of the target: probabilities.
struct Distributions {
    masses: Vec<f64>,
    n_outcomes: usize,
}

impl Locals {
    /// `is_irrelevant` names variables that are irrelevant everywhere.
    pub(crate) fn new(population: &Population, n_mtry: usize, is_irrelevant: &[bool]) -> Self {
        let n_values = population.n_points() * population.n_variables();
        let known = is_irrelevant.iter().copied().cycle().take(n_values).collect();
        Self {
            values: vec![vec![0.0; n_values]; n_mtry],
            known,
            found: vec![false; n_values],
            is_relevant: vec![false; n_values],
        }
    }

    /// What need not be looked at any more.
    pub(crate) fn known(&self) -> &[bool] {
        &self.known
    }

    pub(crate) fn add(&mut self, part: Differences) {
        for (all, values) in self.values.iter_mut().zip(part.values) {
            all.iter_mut().zip(values).for_each(|(all, value)| *all += value);
        }
        part.relevant.into_iter().for_each(|place| self.found[place as usize] = true);
    }

    /// Notes what a layer has found, once it is complete.
    pub(crate) fn settle(&mut self) {
        let places = self.known.iter_mut().zip(&mut self.is_relevant).zip(&self.found);
        for ((known, is_relevant), _) in places.filter(|(_, found)| **found) {
            (*known, *is_relevant) = (true, true);
        }
    }
}

impl Differences {
    pub(crate) fn new(population: &Population, n_mtry: usize) -> Self {
        let n_variables = population.n_variables();
        let values = vec![vec![0.0; population.n_points() * n_variables]; n_mtry];
        Self { n_variables, values, relevant: Vec::new() }
    }

    /// Adds the differences of impurity at the nodes of one set, which trees divide with the
    /// probabilities `splits` (by K, cell and unused variable).
    pub(crate) fn add(&mut self, node: &Node<'_>, splits: &[f64]) {
        let (n_cells, n_unused) = (node.cells.len(), node.children.len());
        let n_points = self.values.first().map_or(0, |values| values.len() / self.n_variables);
        for point in 0..n_points {
            let cell = node.cells.of(point) as usize;
            let impurity = node.cells.impurity(cell);
            for (at, (variable, children)) in node.children.iter().enumerate() {
                let difference = impurity - children.impurity(children.of(point) as usize);
                for (k, values) in self.values.iter_mut().enumerate() {
                    let split = splits[(k * n_cells + cell) * n_unused + at];
                    values[point * self.n_variables + variable] += split * difference;
                }
            }
        }
    }

    /// Finds the points where a variable changes the distribution of the target, given one set.
    pub(crate) fn find_relevant(
        &mut self,
        population: &Population,
        node: &Node<'_>,
        known: &[bool],
    ) {
        let (n_points, n_variables) = (population.n_points(), self.n_variables);
        let mut before = None;
        for (variable, children) in &node.children {
            let is_open = |point: &usize| !known[point * n_variables + variable];
            let mut open = (0..n_points).filter(is_open).peekable();
            if open.peek().is_none() {
                continue;
            }
            let before = before.get_or_insert_with(|| {
                Distributions::of(population, |point| node.cells.of(point), node.cells.len())
            });
            let after = Distributions::of(population, |point| children.of(point), children.len());
            let weights = (&node.cells.weights, &children.weights);
            for point in open {
                let (parent, child) = (node.cells.of(point) as usize, children.of(point) as usize);
                let share = 1.0 / weights.1[child];
                let share_before = 1.0 / weights.0[parent];
                let mut pairs = before.row(parent).iter().zip(after.row(child));
                if pairs.any(|(one, other)| (one * share_before - other * share).abs() > TOLERANCE)
                {
                    self.relevant.push((point * n_variables + variable) as u32);
                }
            }
        }
    }
}

impl Distributions {
    fn of(population: &Population, cell_of: impl Fn(usize) -> u32, n_cells: usize) -> Self {
        let n_outcomes = population.n_outcomes;
        let mut masses = vec![0.0; n_cells * n_outcomes];
        for &(point, outcome, mass) in &population.outcomes {
            masses[cell_of(point as usize) as usize * n_outcomes + outcome as usize] += mass;
        }
        Self { masses, n_outcomes }
    }

    fn row(&self, cell: usize) -> &[f64] {
        &self.masses[cell * self.n_outcomes..][..self.n_outcomes]
    }
}
