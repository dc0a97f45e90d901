//! Random joint distributions, and impurities and Shapley values by their definitions.

use std::collections::BTreeMap;

use wald::Dataset;
use wald::data::{Column, Target};
use wald::forest::Impurity;
use wald_population::Population;

use crate::support::Numbers;

/// A joint distribution: levels of the variables, the target's value, and a weight, by row.
#[derive(Debug, Clone)]
pub struct Joint {
    pub rows: Vec<(Vec<u32>, u32, f64)>,
}

pub const IMPURITIES: [Impurity; 3] = [Impurity::Entropy, Impurity::Gini, Impurity::Variance];

impl Joint {
    /// Variables of so many levels, three values of the target, and random weights that do not add
    /// up to one; some are zero.
    pub fn random(n_levels: &[u32], seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let mut cells = vec![Vec::new()];
        for &n in n_levels {
            let longer = |cell: &Vec<u32>| {
                (0..n).map(|level| [cell.as_slice(), &[level]].concat()).collect::<Vec<_>>()
            };
            cells = cells.iter().flat_map(longer).collect();
        }
        let rows = cells.iter().flat_map(|cell| (0..3).map(move |y| (cell.clone(), y)));
        let weighed = rows.map(|(cell, y)| {
            let weight = (numbers.unit() - 0.3).max(0.0);
            (cell, y, weight * weight)
        });
        Self { rows: weighed.collect() }
    }

    pub fn data(&self) -> Dataset {
        self.data_for(Impurity::Entropy)
    }

    pub fn data_for(&self, impurity: Impurity) -> Dataset {
        let column = |variable: usize| {
            let codes: Vec<u32> = self.rows.iter().map(|(levels, ..)| levels[variable]).collect();
            let names = (0..10).map(|level| format!("level {level}")).collect();
            Column::categorical(format!("x{variable}"), names, codes).expect("codes")
        };
        let y = self.rows.iter().map(|(_, y, _)| *y);
        let target = if impurity == Impurity::Variance {
            Target::regression("y", y.map(|y| f64::from(y * y)).collect())
        } else {
            Target::classification("y", (0..6).map(|y| y.to_string()).collect(), y.collect())
        };
        let columns = (0..self.n_variables()).map(column).collect();
        let data = Dataset::new(columns, target.expect("valid")).expect("consistent");
        data.with_weights(self.rows.iter().map(|(.., weight)| *weight).collect()).expect("positive")
    }

    pub fn population(&self, impurity: Impurity) -> Population {
        Population::new(&self.data_for(impurity), Some(impurity)).expect("categories")
    }

    pub fn n_variables(&self) -> usize {
        self.rows[0].0.len()
    }

    /// Rows that agree with a row in some variables.
    pub fn cell(&self, levels: &[u32], known: &[usize]) -> Vec<(u32, f64)> {
        let agrees = |other: &Vec<u32>| known.iter().all(|&v| other[v] == levels[v]);
        let rows = self.rows.iter().filter(|(other, ..)| agrees(other));
        rows.map(|(_, y, weight)| (*y, *weight)).collect()
    }

    /// The impurity that is left when some variables are known, by definition.
    pub fn left(&self, known: &[usize], impurity: Impurity) -> f64 {
        let mut cells = BTreeMap::<Vec<u32>, Vec<(u32, f64)>>::new();
        for (levels, y, weight) in &self.rows {
            let key = known.iter().map(|&variable| levels[variable]).collect();
            cells.entry(key).or_default().push((*y, *weight));
        }
        let total: f64 = self.rows.iter().map(|(.., weight)| weight).sum();
        let weight = |cell: &[(u32, f64)]| cell.iter().map(|(_, weight)| weight).sum::<f64>();
        let of_cell = |cell: &Vec<(u32, f64)>| weight(cell) / total * impure(cell, impurity);
        cells.values().filter(|cell| weight(cell) > 0.0).map(of_cell).sum()
    }
}

/// The impurity of weighted values of the target, by definition.
pub fn impure(cell: &[(u32, f64)], impurity: Impurity) -> f64 {
    let total: f64 = cell.iter().map(|(_, weight)| weight).sum();
    let value = |y: u32| f64::from(y * y);
    let mean = cell.iter().map(|&(y, weight)| weight * value(y)).sum::<f64>() / total;
    let squares = cell.iter().map(|&(y, weight)| weight * (value(y) - mean).powi(2));
    let share = |class: u32| {
        cell.iter().filter(|(y, _)| *y == class).map(|(_, weight)| weight / total).sum::<f64>()
    };
    let shares = (0..6).map(share).filter(|share| *share > 0.0);
    match impurity {
        Impurity::Variance => squares.sum::<f64>() / total,
        Impurity::Gini => 1.0 - shares.map(|share| share * share).sum::<f64>(),
        Impurity::Entropy => -shares.map(|share| share * share.log2()).sum::<f64>(),
        Impurity::Poisson | Impurity::AbsoluteError => panic!("of forests alone"),
    }
}

/// All orders of the numbers below n.
pub fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let longer = |order: Vec<usize>| {
        (0..=order.len()).map(move |place| {
            let mut longer = order.clone();
            longer.insert(place, n - 1);
            longer
        })
    };
    orders(n - 1).into_iter().flat_map(longer).collect()
}

/// Shapley values of a game, by brute force.
pub fn shapley(n: usize, game: impl Fn(&[usize]) -> f64) -> Vec<f64> {
    let mut values = vec![0.0; n];
    let orders = orders(n);
    for order in &orders {
        for (place, &player) in order.iter().enumerate() {
            let (mut before, mut after) = (order[..place].to_vec(), order[..=place].to_vec());
            before.sort_unstable();
            after.sort_unstable();
            values[player] += (game(&after) - game(&before)) / orders.len() as f64;
        }
    }
    values
}
