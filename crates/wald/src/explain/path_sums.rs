//! The path from the root of a tree to a node, and what its steps add up to.
//!
//! A tree is gone through branch by branch, with the rows that reach them. Ways to neighbouring
//! leaves are nearly the same, so that only the steps which differ are taken back and taken anew,
//! and the rows of a leaf get the sums of its path at once. Taking back restores the numbers that
//! were there, so that the sums are those of the steps of a path in their order, whatever rows and
//! ways came before.

use crate::forest::{Aggregation, Tree};

/// Where so many times the variables of a path are fewer than all, their sums are added one by one.
const MOST_UNUSED: usize = 4;

/// What the steps of a tree add.
pub(super) enum Steps {
    /// One number per node, for the step that leads to it; that of the root is not used.
    Numbers(Vec<f64>),
    /// By how much the node prediction, by output, differs from that of the node above.
    Predictions(Aggregation),
}

impl Steps {
    /// The size of the numbers whose differences the steps are.
    pub(super) fn spread(&self, tree: &Tree) -> f64 {
        let Self::Predictions(aggregation) = self else { return 0.0 };
        let mut predictions = vec![0.0; tree.n_outputs()];
        (0..tree.n_nodes()).fold(0.0, |spread, node| {
            predictions.fill(0.0);
            aggregation.add(tree, node, &mut predictions);
            predictions.iter().fold(spread, |spread: f64, value| spread.max(value.abs()))
        })
    }
}

/// A step taken.
#[derive(Debug, Clone, Copy)]
struct Taken {
    place: u32,
    /// Whether no step above is of this place.
    is_first: bool,
}

/// A tree, and the numbers of its steps.
#[derive(Clone, Copy)]
pub(super) struct TreeSteps<'a> {
    pub(super) tree: &'a Tree,
    pub(super) steps: &'a Steps,
}

/// The path to a node. `N` is the number of outputs, where that is known when this is compiled, which
/// makes short loops cheap, else 0.
#[derive(Debug, Default)]
pub(super) struct PathSums<const N: usize> {
    taken: Vec<Taken>,
    /// By step and output, the sums that were there before; what is behind the last step is old.
    before: Vec<f64>,
    /// By node on the path and output, where nodes have predictions.
    predictions: Vec<f64>,
    /// By place and output; then, where nodes have predictions, their changes.
    sums: Vec<f64>,
    /// The places of the steps, each once.
    places: Vec<u32>,
    is_there: Vec<bool>,
    n_outputs: usize,
    has_predictions: bool,
}

impl<const N: usize> PathSums<N> {
    /// At the root of a tree.
    pub(super) fn begin(&mut self, of: TreeSteps<'_>, n_places: usize, n_outputs: usize) {
        let TreeSteps { tree, steps } = of;
        self.n_outputs = n_outputs;
        self.taken.clear();
        self.sums.clear();
        self.sums.resize(n_places * n_outputs, 0.0);
        self.places.clear();
        self.is_there.clear();
        self.is_there.resize(n_places, false);
        self.predictions.clear();
        self.predictions.resize(n_outputs, 0.0);
        self.has_predictions = matches!(steps, Steps::Predictions(_));
        if let Steps::Predictions(aggregation) = steps {
            self.sums.resize((n_places + 1) * n_outputs, 0.0);
            aggregation.add(tree, 0, &mut self.predictions);
        }
    }

    fn n_outputs(&self) -> usize {
        if N == 0 { self.n_outputs } else { N }
    }

    /// Number of steps.
    pub(super) fn len(&self) -> usize {
        self.taken.len()
    }

    /// Takes a step to a node, by a split on the variable of a place.
    #[inline]
    pub(super) fn step(&mut self, place: u32, of: TreeSteps<'_>, node: usize) {
        let TreeSteps { tree, steps } = of;
        let (n_outputs, start) = (self.n_outputs(), self.taken.len() * self.n_outputs());
        let is_first = !self.is_there[place as usize];
        if is_first {
            self.is_there[place as usize] = true;
            self.places.push(place);
        }
        self.taken.push(Taken { place, is_first });
        if self.before.len() < start + n_outputs {
            self.before.resize(start + n_outputs, 0.0);
        }
        let sums = &mut self.sums[place as usize * n_outputs..][..n_outputs];
        self.before[start..][..n_outputs].copy_from_slice(sums);
        match steps {
            Steps::Numbers(numbers) => sums[0] += numbers[node],
            Steps::Predictions(aggregation) => {
                if self.predictions.len() < start + 2 * n_outputs {
                    self.predictions.resize(start + 2 * n_outputs, 0.0);
                }
                let (above, predictions) =
                    self.predictions[start..][..2 * n_outputs].split_at_mut(n_outputs);
                predictions.fill(0.0);
                aggregation.add(tree, node, predictions);
                let changes =
                    predictions.iter().zip(above).map(|(predictions, above)| *predictions - *above);
                sums.iter_mut().zip(changes).for_each(|(sum, change)| *sum += change);
            }
        }
    }

    /// Takes back all steps but the first ones.
    #[inline]
    pub(super) fn go_back_to(&mut self, n_steps: usize) {
        let n_outputs = self.n_outputs();
        while self.taken.len() > n_steps
            && let Some(Taken { place, is_first }) = self.taken.pop()
        {
            let before = &self.before[self.taken.len() * n_outputs..][..n_outputs];
            self.sums[place as usize * n_outputs..][..n_outputs].copy_from_slice(before);
            if is_first {
                self.is_there[place as usize] = false;
                self.places.pop();
            }
        }
    }

    /// Adds the sums of the path to those of the rows that end here.
    #[inline]
    pub(super) fn add_to(&mut self, rows: &[u32], sums: &mut [f64]) {
        let (n_places, n_outputs) = (self.is_there.len(), self.n_outputs());
        let known = n_places * n_outputs;
        if self.has_predictions {
            let own = &self.predictions[self.taken.len() * n_outputs..][..n_outputs];
            let changes = own.iter().zip(&self.predictions).map(|(own, root)| own - root);
            self.sums[known..].iter_mut().zip(changes).for_each(|(known, change)| *known = change);
        }
        let stride = self.sums.len();
        let add = |row: &mut [f64], own: &[f64]| {
            row.iter_mut().zip(own).for_each(|(row, own)| *row += own);
        };
        let is_dense = MOST_UNUSED * self.places.len() >= n_places;
        for &row in rows {
            let row = &mut sums[row as usize * stride..][..stride];
            if is_dense {
                // Sums of places without a step are zero.
                add(row, &self.sums);
                continue;
            }
            for &place in &self.places {
                let start = place as usize * n_outputs;
                add(&mut row[start..][..n_outputs], &self.sums[start..][..n_outputs]);
            }
            add(&mut row[known..], &self.sums[known..]);
        }
    }
}
