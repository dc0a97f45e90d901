//! The nodes that a set of variables makes.

use crate::layer::Cells;
use crate::set::VariableSet;

/// One set of a layer with the sets of one variable more.
pub(crate) struct Node<'a> {
    pub(crate) set: VariableSet,
    pub(crate) cells: &'a Cells,
    /// By K and cell: the probability that a tree gets there.
    pub(crate) reach: &'a [f64],
    /// The variables that are not in the set, and the cells they make.
    pub(crate) children: Vec<(usize, &'a Cells)>,
}

impl Node<'_> {
    /// By cell and unused variable: by how much the variable reduces the impurity, times the
    /// probability of the cell.
    pub(crate) fn gains(&self) -> Vec<f64> {
        let n_unused = self.children.len();
        let mut gains = Vec::with_capacity(self.cells.len() * n_unused);
        for left in &self.cells.left {
            gains.extend(std::iter::repeat_n(*left, n_unused));
        }
        for (at, (_, children)) in self.children.iter().enumerate() {
            for (&point, left) in children.points.iter().zip(&children.left) {
                gains[self.cells.of(point as usize) as usize * n_unused + at] -= left;
            }
        }
        gains
    }
}
