//! Importances of totally randomized trees: Equation 3 of Louppe et al. (2013) and its terms.
//!
//! Relevance, terms, depth and subspaces are read off the same list of impurities that `left.rs`
//! finds. Sums are made of parts of fixed size, merged in order. Identities of the theory
//! (importances sum to I(V; Y), means of local values equal global ones) are checked at the end of
//! the work; `Error::Inconsistent` reports one that fails. Exchanging columns exchanges importances
//! up to rounding, because variables keep the order of the table.

use wald::setting;
use wald::work::ordered;
use wald::{Error, Run};

use crate::cost::Work;
use crate::importances::{Importances, Relevance, check_equal};
use crate::left::left_by_set;
use crate::limits::Limits;
use crate::population::{Population, TOLERANCE};
use crate::set::{VariableSet, choose};

/// Sets whose terms are added up together, so that sums do not depend on the number of threads.
const SETS_TOGETHER: usize = 1 << 12;

/// Exact importances of totally randomized trees, with every term of Equation 3.
#[derive(Debug, Clone)]
pub struct Exact {
    n_variables: usize,
    /// By set: the impurity that is left when its variables are known.
    left: Vec<f64>,
    /// By variable and degree: the sum of I(X; Y | B) over all B of that size.
    sums: Vec<Vec<f64>>,
    importances: Importances,
    relevance: Vec<Relevance>,
}

/// One term of Equation 3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// What is known, B.
    pub known: VariableSet,
    /// I(X; Y | B).
    pub information: f64,
    /// The information times its weight in Equation 3; the sum of these is the importance.
    pub contribution: f64,
}

/// What a part of the sets adds up to.
struct Sums {
    by_degree: Vec<Vec<f64>>,
    largest: Vec<f64>,
}

impl Population {
    /// The importances of fully developed totally randomized trees, exactly.
    ///
    /// They are the Shapley values of the game I(S; Y) (Sutera et al. 2021, Theorem 1), add up to
    /// I(V; Y) (Louppe et al. 2013, Equation 4, which is checked), and are 0 for irrelevant
    /// variables and no others.
    ///
    /// Cost: see [`Limits`]; the result keeps 2^p numbers.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with an estimate when the work is beyond the limits,
    /// [`Error::Cancelled`] when the progress is cancelled, [`Error::Inconsistent`] when an
    /// identity fails.
    pub fn exact(&self, limits: &Limits, run: &Run) -> Result<Exact, Error> {
        self.check(Work::Exact, limits, run.threads)?;
        let left = left_by_set(self, run)?;
        let n_variables = self.n_variables();
        let mut sums = Sums::new(n_variables);
        ordered(
            left.len().div_ceil(SETS_TOGETHER),
            run,
            || (),
            |part, ()| {
                let start = part * SETS_TOGETHER;
                let end = (start + SETS_TOGETHER).min(left.len());
                Ok(Sums::of(&left, start..end, n_variables))
            },
            |_, part| sums.add(&part),
        )?;
        let tolerance = TOLERANCE * left[0];
        let all = VariableSet::first(n_variables);
        let relevance: Vec<Relevance> = (0..n_variables)
            .map(|variable| {
                if gained(&left, all.without(variable), variable) > tolerance {
                    Relevance::Strong
                } else if sums.largest[variable] > tolerance {
                    Relevance::Weak
                } else {
                    Relevance::Irrelevant
                }
            })
            .collect();
        // What is smaller than any rounding error is none (Theorem 3).
        for (sums, relevance) in sums.by_degree.iter_mut().zip(&relevance) {
            if *relevance == Relevance::Irrelevant {
                sums.fill(0.0);
            }
        }
        let weighed = |sums: &Vec<f64>| {
            let terms = sums.iter().enumerate();
            terms.map(|(degree, sum)| sum * weight(n_variables, degree)).collect()
        };
        let importances = Importances { by_degree: sums.by_degree.iter().map(weighed).collect() };
        importances.check_sum(left[0] - left[all.index()], left[0])?;
        Ok(Exact { n_variables, left, sums: sums.by_degree, importances, relevance })
    }
}

impl Exact {
    /// The importances by degree.
    pub fn importances(&self) -> &Importances {
        &self.importances
    }

    /// I(V; Y).
    pub fn total(&self) -> f64 {
        self.information(VariableSet::first(self.n_variables))
    }

    /// I(S; Y): the information of the variables of a set about the target. Variables that the
    /// population does not have are uninformative.
    pub fn information(&self, set: VariableSet) -> f64 {
        let set = set.and(VariableSet::first(self.n_variables));
        (self.left[0] - self.left[set.index()]).max(0.0)
    }

    /// I(X; Y | B): the information of a variable given those of a set; 0 where it is among
    /// them, and where the population does not have it.
    pub fn conditional(&self, variable: usize, known: VariableSet) -> f64 {
        let known = known.and(VariableSet::first(self.n_variables));
        if variable < self.n_variables { gained(&self.left, known, variable).max(0.0) } else { 0.0 }
    }

    /// The terms of a variable's importance in Equation 3, one per set of other variables; in the
    /// order of the sets' sizes. There are 2^(p-1) of them.
    pub fn terms(&self, variable: usize) -> impl Iterator<Item = Term> {
        let n_variables = self.n_variables;
        let sets = (0..n_variables).flat_map(move |k| VariableSet::all_of_size(n_variables, k));
        sets.filter(move |known| !known.contains(variable)).map(move |known| {
            let information = self.conditional(variable, known);
            let contribution = information * weight(n_variables, known.len());
            Term { known, information, contribution }
        })
    }

    /// The terms that contribute most to a variable's importance, at most `n` of them, the largest
    /// first, of equal ones the smaller sets first.
    pub fn largest_terms(&self, variable: usize, n: usize) -> Vec<Term> {
        let mut terms: Vec<Term> =
            self.terms(variable).filter(|term| term.contribution > 0.0).collect();
        terms.sort_by(|one, other| other.contribution.total_cmp(&one.contribution));
        terms.truncate(n);
        terms
    }

    /// The importances of fully developed totally randomized trees, each of which uses `size`
    /// variables that are drawn for it (Proposition 7, by which they equal
    /// [`Importances::pruned`]; that is checked).
    ///
    /// # Errors
    /// [`Error::Setting`] when there are not so many variables, or none is asked for,
    /// [`Error::Inconsistent`] when the identity fails.
    pub fn subspace(&self, size: usize) -> Result<Importances, Error> {
        let p = self.n_variables;
        if !(1..=p).contains(&size) {
            return Err(Error::bad_setting(
                setting::SUBSPACE,
                format!("a subspace of {size} variables was requested, but there are {p}"),
                format!("give a number of variables between 1 and {p}"),
            ));
        }
        // Of the subspaces that hold m and B, and the trees in them that split on m below B.
        let share = |degree: usize| {
            choose(p - degree - 1, size - degree - 1) / choose(p, size) * weight(size, degree)
        };
        let of_variable =
            |sums: &Vec<f64>| (0..size).map(|degree| sums[degree] * share(degree)).collect();
        let found = Importances { by_degree: self.sums.iter().map(of_variable).collect() };
        let pruned = self.importances.pruned(size).values();
        for (one, other) in found.values().into_iter().zip(pruned) {
            let is = "an importance in subspaces is";
            check_equal(is, one, "by pruned trees it is", other, self.left[0])?;
        }
        Ok(found)
    }

    /// What each variable is to the target.
    pub fn relevance(&self) -> &[Relevance] {
        &self.relevance
    }

    /// Whether each variable is informative about the target when nothing else is known.
    pub fn is_marginally_relevant(&self) -> Vec<bool> {
        let is_relevant =
            |variable| self.conditional(variable, VariableSet::EMPTY) > TOLERANCE * self.left[0];
        (0..self.n_variables).map(is_relevant).collect()
    }
}

/// The weight of the terms of a degree in Equation 3: 1 / (C(p, k) (p - k)).
pub(crate) fn weight(n_variables: usize, degree: usize) -> f64 {
    1.0 / choose(n_variables, degree) / (n_variables - degree) as f64
}

fn gained(left: &[f64], known: VariableSet, variable: usize) -> f64 {
    left[known.index()] - left[known.with(variable).index()]
}

impl Sums {
    fn new(n_variables: usize) -> Self {
        Self {
            by_degree: vec![vec![0.0; n_variables]; n_variables],
            largest: vec![0.0; n_variables],
        }
    }

    fn of(left: &[f64], sets: std::ops::Range<usize>, n_variables: usize) -> Self {
        let mut sums = Self::new(n_variables);
        for set in sets.map(VariableSet::from_bits) {
            let degree = set.len();
            for variable in (0..n_variables).filter(|&variable| !set.contains(variable)) {
                let gained = gained(left, set, variable);
                sums.by_degree[variable][degree] += gained;
                sums.largest[variable] = sums.largest[variable].max(gained);
            }
        }
        sums
    }

    fn add(&mut self, other: &Self) {
        for (sums, others) in self.by_degree.iter_mut().zip(&other.by_degree) {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        }
        for (largest, other) in self.largest.iter_mut().zip(&other.largest) {
            *largest = largest.max(*other);
        }
    }
}
