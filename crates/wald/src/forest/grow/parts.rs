//! The rows of a node in the orders of columns.

/// The rows of a node in the orders of some columns.
#[derive(Debug, Clone)]
pub(crate) struct Parts<'a> {
    pub(crate) columns: &'a [u32],
    /// How far the orders of two neighbouring columns lie apart.
    pub(crate) stride: usize,
    /// The part of an order that holds the node.
    pub(crate) span: std::ops::Range<usize>,
}

impl Parts<'_> {
    /// The part of a column among the orders of all.
    pub(crate) fn of<'a, P>(&self, orders: &'a mut [P], column: u32) -> &'a mut [P] {
        &mut orders[column as usize * self.stride..][self.span.clone()]
    }
}
