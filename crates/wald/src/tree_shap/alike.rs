//! Rows that are alike: they met all edges above a level in the same way, so that they have the same
//! product.

use crate::tree_shap::factors::{RegionFactors, product};

const NONE: u32 = u32::MAX;

/// How a row may meet an edge: without satisfying the column above, or else taking it or not.
const WAYS: usize = 3;

/// The rows at a level, in groups that are alike.
#[derive(Debug, Default)]
pub(super) struct Alike<const Q: usize> {
    /// By row.
    pub(super) groups: Vec<u32>,
    /// By group: the product of the edges above.
    pub(super) products: Vec<[f64; Q]>,
    /// By group above and way: the group.
    known: Vec<u32>,
}

impl<const Q: usize> Alike<Q> {
    /// Above all edges, all rows are alike.
    pub(super) fn begin(&mut self, n_rows: usize) {
        self.groups.clear();
        self.groups.resize(n_rows, 0);
        self.products.clear();
        self.products.push([1.0; Q]);
    }

    /// Goes down an edge, which rows meet by their regions.
    pub(super) fn down(&mut self, above: &Self, met: &[RegionFactors<Q>], regions: &[u32]) {
        self.known.clear();
        self.known.resize(above.products.len() * WAYS, NONE);
        self.products.clear();
        self.groups.clear();
        self.groups.extend(above.groups.iter().zip(regions).map(|(&group, &region)| {
            let met = &met[region as usize];
            let way = usize::from(met.satisfied) + usize::from(met.takes);
            let known = &mut self.known[group as usize * WAYS + way];
            if *known == NONE {
                *known = self.products.len() as u32;
                self.products.push(product(&above.products[group as usize], &met.product));
            }
            *known
        }));
    }
}
