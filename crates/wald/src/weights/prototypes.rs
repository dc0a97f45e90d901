//! Prototypes of classes: the middle of rows that the forest finds alike.

use std::cmp::Ordering;

use crate::data::Response;
use crate::error::Error;
use crate::run::Run;
use crate::weights::centre::Centre;
use crate::weights::of_rows::Weights;
use crate::weights::sums::{Sums, TIE};
use crate::weights::weigher::{Rows, Summed, TOGETHER};

/// The prototype of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Prototype {
    /// The class.
    pub class: String,
    /// The training row with most neighbours of the class, counted from 0.
    pub row: u32,
    /// Its neighbours of the class, nearest first.
    pub neighbours: Vec<u32>,
    /// The middle of these neighbours, by variable.
    pub centre: Vec<Centre>,
}

/// A row's neighbours of one class.
#[derive(Debug, Clone, Default)]
struct Near {
    row: u32,
    neighbours: Vec<u32>,
    /// Of their weights.
    sum: f64,
}

impl Near {
    fn is_better_than(&self, other: &Self) -> bool {
        match self.neighbours.len().cmp(&other.neighbours.len()) {
            // Sums that differ by rounding are equal, so that the first row stays.
            Ordering::Equal => self.sum > other.sum + TIE,
            order => order == Ordering::Greater,
        }
    }
}

impl Weights {
    /// The prototype of each class (Breiman & Cutler; `classCenter` of the R package randomForest):
    /// of all training rows, the one that has most of the class among its `n_neighbours` nearest
    /// rows, which are those with the largest weights, and the middle of these neighbours. Of rows
    /// with equally many, the one counts whose neighbours have the largest weights, and then the
    /// first. Without a number, it is one less than the size of the smallest class. A class that is
    /// nobody's neighbour has no prototype.
    ///
    /// ```
    /// use wald::simulate::Design;
    /// use wald::{ForestConfig, Run};
    ///
    /// let data = Design::LiLeafSize.draw(80, 1)?; // two classes
    /// let config = ForestConfig { n_trees: 50, ..ForestConfig::default() };
    /// let fitted = wald::fit(data, &config, &Run::all())?;
    /// let found = fitted.weights(&Run::all())?.prototypes(Some(10), &Run::all())?;
    /// assert_eq!(found.len(), 2);
    /// assert!(found[0].neighbours.len() <= 10);
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] where the target is a number or every tree has drawn all rows, and
    /// [`Error::Cancelled`].
    pub fn prototypes(
        &self,
        n_neighbours: Option<usize>,
        run: &Run,
    ) -> Result<Vec<Prototype>, Error> {
        let data = self.weigher.data();
        let Response::Classification(classes) = data.target().response() else {
            return Err(Error::data(
                "prototypes are those of classes, but the forest predicts a number",
                "leave out the prototypes, or make classes of the target",
            ));
        };
        self.weigher.check_out_of_bag()?;
        let (codes, levels) = (classes.codes(), classes.levels());
        let n_neighbours = n_neighbours.unwrap_or_else(|| smallest(codes, levels.len()) - 1).max(1);
        let of_row = |row: usize, sums: &mut Sums| {
            let mut found = vec![Near { row: row as u32, ..Near::default() }; levels.len()];
            for (other, weight) in nearest(sums, n_neighbours) {
                let near = &mut found[codes[other as usize] as usize];
                near.neighbours.push(other);
                near.sum += weight;
            }
            found
        };
        let mut best = vec![Near::default(); levels.len()];
        self.weigher.each(
            (Rows::OutOfBag, Summed::Weights, TOGETHER),
            run,
            of_row,
            |_, found| {
                for (best, found) in best.iter_mut().zip(found) {
                    if found.is_better_than(best) {
                        *best = found;
                    }
                }
            },
        )?;
        let found = levels.iter().zip(best).filter(|(_, best)| !best.neighbours.is_empty());
        let columns = data.features().columns();
        let prototype = |(class, near): (&String, Near)| Prototype {
            class: class.clone(),
            row: near.row,
            centre: columns.iter().map(|column| Centre::of(column, &near.neighbours)).collect(),
            neighbours: near.neighbours,
        };
        Ok(found.map(prototype).collect())
    }
}

/// The size of the smallest class that has rows.
fn smallest(codes: &[u32], n_classes: usize) -> usize {
    let mut counts = vec![0; n_classes];
    codes.iter().for_each(|&code| counts[code as usize] += 1);
    counts.into_iter().filter(|count| *count > 0).min().unwrap_or(1)
}

/// The rows with the largest weights, largest first; of equal ones the first.
fn nearest(sums: &mut Sums, n_neighbours: usize) -> Vec<(u32, f64)> {
    let mut rows = Vec::new();
    sums.take(|other, weight| rows.push((other, weight)));
    rows.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    rows.truncate(n_neighbours);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_rows_that_differ_by_rounding_the_first_stays() {
        let near = |n: usize, sum| Near { row: 0, neighbours: vec![0; n], sum };
        assert!(near(3, 0.1).is_better_than(&near(2, 0.9)));
        assert!(near(2, 0.9).is_better_than(&near(2, 0.8)));
        assert!(!near(2, 0.1 + 0.2).is_better_than(&near(2, 0.3)));
        assert!(!near(2, 0.9).is_better_than(&near(3, 0.1)));
    }
}
