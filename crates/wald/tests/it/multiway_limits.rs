//! Importances of infinitely many trees on infinitely many rows of a distribution (Louppe et al.
//! 2013), by enumeration.

use wald::data::{Column, Response, Target};
use wald::forest::{Impurity, Keep};
use wald::measure::MeasureSettings;
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId, Run};

use crate::support::{digit, segments, threads};

/// A distribution: equally likely rows of levels, and their responses.
pub struct Distribution {
    pub rows: Vec<Vec<u32>>,
    pub target: Target,
    pub impurity: Impurity,
}

/// Table 1: the segments of a digit's display.
pub fn digits() -> Distribution {
    Distribution {
        rows: (0..10).map(|digit| segments(digit).to_vec()).collect(),
        target: digit(),
        impurity: Impurity::Entropy,
    }
}

/// y is the exclusive or of two columns plus a share of a third, which has three levels, one of
/// them rarer; a fourth column is a noisy copy of the third.
pub fn exclusive_or(impurity: Impurity) -> Distribution {
    let (mut rows, mut y) = (Vec::new(), Vec::new());
    for (a, b, c, noise) in (0..2_u32)
        .flat_map(|a| (0..2_u32).map(move |b| (a, b)))
        .flat_map(|(a, b)| [0_u32, 0, 1, 2, 2].map(|c| (a, b, c)))
        .flat_map(|(a, b, c)| (0..2_u32).map(move |noise| (a, b, c, noise)))
    {
        rows.push(vec![a, b, c, if noise == 0 { c } else { 1 }]);
        y.push(2 * (a ^ b) + u32::from(c == 1));
    }
    let target = if impurity == Impurity::Variance {
        Target::regression("y", y.iter().map(|&y| f64::from(y)).collect())
    } else {
        let names = (0..4).map(|class| class.to_string()).collect();
        Target::classification("y", names, y)
    };
    Distribution { rows, target: target.expect("valid"), impurity }
}

impl Distribution {
    pub fn n_columns(&self) -> usize {
        self.rows[0].len()
    }

    pub fn data(&self) -> Dataset {
        let column = |index: usize| {
            let codes = self.rows.iter().map(|row| row[index]).collect();
            let names = (0..3).map(|level| level.to_string()).collect();
            Column::categorical(format!("x{}", index + 1), names, codes).expect("codes")
        };
        let columns = (0..self.n_columns()).map(column).collect();
        Dataset::new(columns, self.target.clone()).expect("consistent")
    }

    /// Impurity of some rows, by definition.
    pub fn impurity(&self, rows: &[usize]) -> f64 {
        let n = rows.len() as f64;
        match self.target.response() {
            Response::Regression(y) => {
                let mean = rows.iter().map(|&row| y[row]).sum::<f64>() / n;
                rows.iter().map(|&row| (y[row] - mean).powi(2)).sum::<f64>() / n
            }
            Response::Several(_) => panic!("one target"),
            Response::Classification(classes) => {
                let share = |class: usize| {
                    let of_class = |&&row: &&usize| classes.codes()[row] as usize == class;
                    rows.iter().filter(of_class).count() as f64 / n
                };
                let shares = (0..classes.levels().len()).map(share).filter(|share| *share > 0.0);
                match self.impurity {
                    Impurity::Gini => 1.0 - shares.map(|share| share * share).sum::<f64>(),
                    _ => shares.map(|share| -share * share.log2()).sum(),
                }
            }
        }
    }

    /// The rows in the cells that a set of columns, given as bits, divides some rows into.
    pub fn cells(&self, rows: &[usize], columns: u32) -> Vec<Vec<usize>> {
        let mut cells = std::collections::BTreeMap::<Vec<u32>, Vec<usize>>::new();
        for &row in rows {
            let of_set = (0..self.n_columns()).filter(|column| columns >> column & 1 == 1);
            let key = of_set.map(|column| self.rows[row][column]).collect();
            cells.entry(key).or_default().push(row);
        }
        cells.into_values().collect()
    }

    /// The impurity that is left when some columns are known.
    pub fn conditional(&self, rows: &[usize], columns: u32) -> f64 {
        let share = |cell: &Vec<usize>| cell.len() as f64 / rows.len() as f64;
        self.cells(rows, columns).iter().map(|cell| share(cell) * self.impurity(cell)).sum()
    }

    /// Equation 3 with its first `depth` terms, which is Proposition 6.
    pub fn exact(&self, depth: usize) -> Vec<f64> {
        let p = self.n_columns();
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let choose = |k: usize| (0..k).fold(1.0, |c, i| c * (p - i) as f64 / (i + 1) as f64);
        let importance = |m: usize| -> f64 {
            (0..1_u32 << p)
                .filter(|set| set >> m & 1 == 0 && (set.count_ones() as usize) < depth)
                .map(|set| {
                    let k = set.count_ones() as usize;
                    let gained = self.conditional(&all, set) - self.conditional(&all, set | 1 << m);
                    gained / choose(k) / (p - k) as f64
                })
                .sum()
        };
        (0..p).map(importance).collect()
    }

    /// Importances when the best of K variables is taken that are drawn among those not yet used
    /// on the branch, locally constant ones included; ties are equally likely.
    pub fn best_of(&self, k: usize) -> Vec<f64> {
        let mut importances = vec![0.0; self.n_columns()];
        let all = (0..self.rows.len()).collect();
        self.add_best_of(k, (all, 0), 1.0, &mut importances);
        importances
    }

    pub fn add_best_of(
        &self,
        k: usize,
        (rows, used): (Vec<usize>, u32),
        reach: f64,
        importances: &mut [f64],
    ) {
        let p = self.n_columns();
        let unused: Vec<usize> = (0..p).filter(|column| used >> column & 1 == 0).collect();
        let before = self.impurity(&rows);
        if unused.is_empty() || before < 1e-12 {
            return;
        }
        let gain = |column: usize| before - self.conditional(&rows, 1 << column);
        let pools: Vec<u32> = (0..1_u32 << p)
            .filter(|pool| pool & used == 0 && pool.count_ones() as usize == k.min(unused.len()))
            .collect();
        let mut taken = vec![0.0; p];
        for pool in &pools {
            let drawn: Vec<usize> = (0..p).filter(|column| pool >> column & 1 == 1).collect();
            let best = drawn.iter().map(|&column| gain(column)).fold(0.0, f64::max);
            let ties: Vec<usize> =
                drawn.into_iter().filter(|&column| gain(column) >= best - 1e-12).collect();
            for &column in &ties {
                taken[column] += 1.0 / ties.len() as f64 / pools.len() as f64;
            }
        }
        for column in unused.into_iter().filter(|&column| taken[column] > 0.0) {
            let here = reach * taken[column];
            importances[column] += here * gain(column);
            for cell in self.cells(&rows, 1 << column) {
                let reach = here * cell.len() as f64 / rows.len() as f64;
                self.add_best_of(k, (cell, used | 1 << column), reach, importances);
            }
        }
    }

    /// The importances by a forest that lists the distribution.
    pub fn grown(&self, config: &ForestConfig) -> Importance {
        let config = ForestConfig { impurity: Some(self.impurity), ..config.clone() };
        let mdi = Measure::new(MeasureId::Mdi, MeasureSettings::default()).expect("defaults");
        let around = &Run::on(threads());
        let grown = Forest::grow_and_measure(&self.data(), &config, &[mdi], Keep::Nothing, around);
        grown.expect("valid").measured.importances.remove(0)
    }
}
