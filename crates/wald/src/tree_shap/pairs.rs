//! What pairs of columns add together.
//!
//! A leaf of value v adds to the columns i and j together, half to each order of the pair,
//!
//! `v (o_i - z_i) (o_j - z_j)` times the integral of the product of the factors of all other columns,
//!
//! which is what is integrated over the leaf for column j, times the *gain* of i: (o - z) divided by
//! its own factor. An edge that corrects the value of its column so corrects the pairs of its column
//! and every other column above, whose gains are known there.

use crate::tree_shap::factors::{Places, RegionFactors, dot};
use crate::tree_shap::outline::Edge;

/// Position of a pair among those of a lower triangle; of a column with itself, on its diagonal.
pub(crate) fn pair(one: usize, other: usize) -> usize {
    let (less, more) = (one.min(other), one.max(other));
    n_pairs(more) + less
}

/// Pairs of so many columns, of each with itself too.
pub(crate) fn n_pairs(n_columns: usize) -> usize {
    n_columns * (n_columns + 1) / 2
}

/// The columns split on above, and whether the rows of a block satisfy them.
#[derive(Debug, Default)]
pub(super) struct Above<const Q: usize> {
    columns: Vec<u32>,
    /// By place, how many edges above are on it.
    n_edges: Vec<u32>,
    /// By place: the gain for rows that do not satisfy the column, and for rows that do.
    gains: Vec<Gains<Q>>,
    /// Row after row, by place: 1 if the row satisfies the column, else 0.
    satisfied: Vec<u8>,
    places: Places<Q>,
    others: Vec<Gains<Q>>,
    other_places: Vec<u32>,
    /// Of the columns at hand with the others, the first of these first.
    pairs: Vec<u32>,
}

type Gains<const Q: usize> = [[f64; Q]; 2];

impl<const Q: usize> Above<Q> {
    /// Begins above all edges.
    pub(super) fn begin(&mut self, n_rows: usize, n_columns: usize, places: &Places<Q>) {
        self.places = *places;
        self.columns.clear();
        self.n_edges.clear();
        self.n_edges.resize(n_columns, 0);
        self.gains.clear();
        self.gains.resize(n_columns, [places.gain_of_left(), [0.0; Q]]);
        self.satisfied.clear();
        self.satisfied.resize(n_rows * n_columns, 1);
    }

    /// Takes an edge, which rows meet by their regions.
    pub(super) fn down(&mut self, edge: &Edge, met: &[RegionFactors<Q>], regions: &[u32]) {
        let place = edge.place as usize;
        if self.n_edges[place] == 0 {
            self.columns.push(edge.place);
        }
        self.n_edges[place] += 1;
        self.gains[place][1] = self.places.gain(edge.after);
        let satisfied = self.satisfied[place..].iter_mut().step_by(self.n_edges.len());
        for (satisfied, &region) in satisfied.zip(regions) {
            *satisfied = u8::from(met[region as usize].takes);
        }
    }

    /// Goes back over an edge.
    pub(super) fn up(&mut self, edge: &Edge, met: &[RegionFactors<Q>], regions: &[u32]) {
        let place = edge.place as usize;
        self.n_edges[place] -= 1;
        if self.n_edges[place] == 0 {
            self.columns.pop();
        }
        self.gains[place][1] = self.places.gain(edge.before);
        let satisfied = self.satisfied[place..].iter_mut().step_by(self.n_edges.len());
        for (satisfied, &region) in satisfied.zip(regions) {
            *satisfied = u8::from(met[region as usize].satisfied);
        }
    }

    /// Prepares [`Self::add`] for some columns: their pairs with all others above.
    pub(super) fn choose(&mut self, columns: &[u32]) {
        self.others.clear();
        self.other_places.clear();
        self.pairs.clear();
        for &other in self.columns.iter().filter(|&other| !columns.contains(other)) {
            self.other_places.push(other);
            self.others.push(self.gains[other as usize]);
            let pairs = columns.iter().map(|&column| pair(column as usize, other as usize) as u32);
            self.pairs.extend(pairs);
        }
    }

    /// Adds the pairs of the columns chosen, of which `terms` are integrated, to the record of a row.
    #[inline]
    pub(super) fn add(&self, row: usize, terms: &[[f64; Q]], record: &mut [f64]) {
        let satisfied = &self.satisfied[row * self.n_edges.len()..][..self.n_edges.len()];
        let others = self.other_places.iter().zip(&self.others);
        for ((&place, gains), pairs) in others.zip(self.pairs.chunks_exact(terms.len().max(1))) {
            let gain = &gains[usize::from(satisfied[place as usize] & 1)];
            for (&pair, term) in pairs.iter().zip(terms) {
                record[pair as usize] += dot(term, gain);
            }
        }
    }
}
