//! The rows of a node as divisions among children read them.

/// Rows in the order of their children: those of child c are `order[starts[c]..starts[c + 1]]`.
#[derive(Debug, Clone, Default)]
pub(crate) struct ByChild {
    pub(crate) starts: Vec<u32>,
    pub(crate) order: Vec<u32>,
}

impl ByChild {
    /// Counts rows rather than comparing them; keeps their order within a child.
    pub(crate) fn sort(&mut self, children: &[u32], n_children: usize) {
        self.starts.clear();
        self.starts.resize(n_children + 2, 0);
        for &child in children {
            self.starts[child as usize + 2] += 1;
        }
        for child in 2..self.starts.len() {
            self.starts[child] += self.starts[child - 1];
        }
        self.order.clear();
        self.order.resize(children.len(), 0);
        for (row, &child) in (0_u32..).zip(children) {
            let place = &mut self.starts[child as usize + 1];
            self.order[*place as usize] = row;
            *place += 1;
        }
        self.starts.pop();
    }

    pub(super) fn rows(&self, child: usize) -> &[u32] {
        &self.order[self.starts[child] as usize..self.starts[child + 1] as usize]
    }
}

/// The rows of a node as the scorer of numbers reads them.
#[derive(Debug, Clone, Default)]
pub(crate) struct NumberRows {
    pub(super) weights: Vec<f64>,
    /// Weight times deviation from the node's mean.
    pub(super) deviations: Vec<f64>,
    /// Draws; empty where they equal the weights.
    pub(super) draws: Vec<f64>,
    /// Weight, deviations and draws by child.
    pub(super) sums: Vec<[f64; 3]>,
}

/// The rows of a node as the scorer of classes reads them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClassRows {
    /// Class and weight.
    pub(super) pairs: Vec<(u32, f64)>,
    /// Draws; empty where they equal the weights.
    pub(super) draws: Vec<f64>,
    /// The classes that occur.
    pub(super) classes: Vec<u32>,
    pub(super) by_child: ByChild,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_grouped_by_child_in_their_order() {
        let mut by_child = ByChild::default();
        by_child.sort(&[2, 0, 2, 1, 0], 3);
        assert_eq!(by_child.starts, [0, 2, 3, 5]);
        assert_eq!(by_child.order, [1, 4, 3, 0, 2]);
    }
}
