//! What an edge does to the products at the places of a quadrature rule.

use std::array::TryFromSliceError;

use crate::tree_shap::outline::Edge;
use crate::tree_shap::quadrature::PartOfRule;

/// How a row meets an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtEdge {
    /// It did not satisfy the column above, so that only shares of rows count.
    Unsatisfied,
    /// It takes the edge.
    Takes,
    /// It satisfied the column above, but does not take the edge.
    Leaves,
}

/// `Q` places and weights of a rule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places<const Q: usize> {
    pub(super) at: [f64; Q],
    pub(super) weights: [f64; Q],
}

impl<const Q: usize> Default for Places<Q> {
    fn default() -> Self {
        Self { at: [0.0; Q], weights: [0.0; Q] }
    }
}

impl<const Q: usize> TryFrom<PartOfRule<'_>> for Places<Q> {
    type Error = TryFromSliceError;

    fn try_from(part: PartOfRule<'_>) -> Result<Self, TryFromSliceError> {
        Ok(Self { at: part.places.try_into()?, weights: part.weights.try_into()? })
    }
}

/// The values of rows, row after row.
#[derive(Debug)]
pub(super) struct Records<'a> {
    /// One per place or, with pairs, one per [`pair`](super::pairs::pair) of places.
    pub(super) values: &'a mut [f64],
    pub(super) pairs: bool,
}

impl<const Q: usize> Places<Q> {
    /// (o - z) by its own factor, of a column of which the row satisfies all edges, whose shares
    /// multiply to z.
    pub(super) fn gain(&self, share: f64) -> [f64; Q] {
        self.at.map(|t| (1.0 - share) / (t + (1.0 - t) * share))
    }

    /// The same of a column that the row does not satisfy.
    pub(super) fn gain_of_left(&self) -> [f64; Q] {
        self.at.map(|t| -1.0 / (1.0 - t))
    }
}

/// What an edge does to the rows of a region.
#[derive(Debug, Clone, Copy)]
pub(super) struct RegionFactors<const Q: usize> {
    pub(super) product: [f64; Q],
    pub(super) value: [f64; Q],
    /// Whether the rows satisfy the column above, and whether they take the edge then.
    pub(super) satisfied: bool,
    pub(super) takes: bool,
}

impl<const Q: usize> RegionFactors<Q> {
    /// Where there is no edge.
    pub(super) const NOTHING: Self =
        Self { product: [1.0; Q], value: [0.0; Q], satisfied: false, takes: false };
}

/// By [`AtEdge`]: what an edge multiplies the product above with, and what the sums below are
/// multiplied with to be added to the value of the column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Factors<const Q: usize> {
    pub(super) product: [[f64; Q]; 3],
    pub(super) value: [[f64; Q]; 3],
}

impl<const Q: usize> Factors<Q> {
    /// Those of no edge.
    pub(super) const NONE: Self = Self { product: [[1.0; Q]; 3], value: [[0.0; Q]; 3] };

    /// A column of which the row satisfies all edges down to here, whose shares multiply to z, is
    /// the factor t + (1 - t) z of the product; else it is (1 - t) z. The value of a column is the
    /// integral over t of (o - z) times the product of all other columns, o being 1 or 0, so the
    /// sum below times (o - z) / (its own factor). An edge corrects what an edge on the same column
    /// above would count here. Of two factors (1 - t) z, z is no part of the second quotient.
    pub(super) fn new(edge: &Edge, places: &Places<Q>) -> Self {
        let mut factors = Self { product: [[edge.share; Q]; 3], value: [[0.0; Q]; 3] };
        for at in 0..Q {
            let (t, weight) = (places.at[at], places.weights[at]);
            let rest = 1.0 - t;
            let above = 1.0 / (t + rest * edge.before);
            let taken = t + rest * edge.after;
            let counted = (1.0 - edge.before) * above;
            factors.product[AtEdge::Takes as usize][at] = taken * above;
            factors.product[AtEdge::Leaves as usize][at] = rest * edge.after * above;
            factors.value[AtEdge::Takes as usize][at] =
                weight * ((1.0 - edge.after) / taken - counted);
            factors.value[AtEdge::Leaves as usize][at] = weight * (-1.0 / rest - counted);
        }
        factors
    }

    /// Those of one meeting.
    pub(super) fn met(&self, meeting: AtEdge) -> RegionFactors<Q> {
        RegionFactors {
            product: self.product[meeting as usize],
            value: self.value[meeting as usize],
            satisfied: meeting != AtEdge::Unsatisfied,
            takes: meeting == AtEdge::Takes,
        }
    }
}

// Loops, because the compiler does not put closures over arrays in place where there are many.

/// The sum of products; two at a time, which the processor does at once.
#[inline]
pub(super) fn dot<const Q: usize>(one: &[f64; Q], other: &[f64; Q]) -> f64 {
    let mut sums = [0.0; 2];
    for at in 0..Q / 2 {
        sums[0] += one[2 * at] * other[2 * at];
        sums[1] += one[2 * at + 1] * other[2 * at + 1];
    }
    let left = if Q % 2 == 1 { one[Q - 1] * other[Q - 1] } else { 0.0 };
    sums[0] + sums[1] + left
}

#[inline]
pub(super) fn product<const Q: usize>(one: &[f64; Q], other: &[f64; Q]) -> [f64; Q] {
    let mut products = *one;
    for at in 0..Q {
        products[at] *= other[at];
    }
    products
}

#[inline]
pub(super) fn times<const Q: usize>(factor: f64, terms: &[f64; Q]) -> [f64; Q] {
    product(&[factor; Q], terms)
}

#[inline]
pub(super) fn add<const Q: usize>(sums: &mut [f64; Q], terms: &[f64; Q]) {
    for at in 0..Q {
        sums[at] += terms[at];
    }
}

#[inline]
pub(super) fn sum<const Q: usize>(terms: &[f64; Q]) -> f64 {
    dot(terms, &[1.0; Q])
}
