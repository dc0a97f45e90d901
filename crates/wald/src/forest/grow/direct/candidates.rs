//! Variables drawn without replacement, and what is known of them on the way to a node.

use crate::random::NodeStream;

/// The variables of a tree.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// In the order of the tree before the draws of the current node.
    columns: Vec<u32>,
    exchanged: Vec<(u32, u32)>,
    /// By column: what is known at the current node.
    known: Vec<Known>,
    /// Depth and column of what was noted at the nodes above, and what was known before.
    notes: Vec<(u32, u32, Known)>,
}

/// What is known of a variable, because what held at a node holds below it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Known {
    #[default]
    Nothing,
    /// All rows agree on it.
    Constant,
    /// A node above splits on it, and has a child for each of its levels.
    Used,
}

impl Candidates {
    /// Starts a tree that uses some of the columns.
    pub(super) fn start(&mut self, n_columns: usize, columns: impl Iterator<Item = u32>) {
        self.columns.clear();
        self.columns.extend(columns);
        self.known.clear();
        self.known.resize(n_columns, Known::Nothing);
        self.notes.clear();
    }

    /// Goes to a node at this depth. Nodes are met depth first, so that notes made at its depth
    /// or below are not about nodes above it.
    pub(super) fn enter(&mut self, depth: u32) {
        while let Some(&(noted, column, before)) = self.notes.last()
            && noted >= depth
        {
            self.known[column as usize] = before;
            self.notes.pop();
        }
    }

    /// What is known of a column at the current node.
    pub(super) fn known(&self, column: u32) -> Known {
        self.known[column as usize]
    }

    /// Notes what holds from the current node on, which is at this depth.
    pub(super) fn note(&mut self, depth: u32, column: u32, known: Known) {
        let before = std::mem::replace(&mut self.known[column as usize], known);
        self.notes.push((depth, column, before));
    }

    /// The next variable drawn; `None` after all of them.
    pub(super) fn draw(&mut self, stream: &mut NodeStream) -> Option<u32> {
        let drawn = self.exchanged.len();
        if drawn == self.columns.len() {
            return None;
        }
        let other = drawn + stream.below((self.columns.len() - drawn) as u32) as usize;
        self.columns.swap(drawn, other);
        self.exchanged.push((drawn as u32, other as u32));
        Some(self.columns[drawn])
    }

    /// Undoes the draws, which makes the next node's draws independent of this one's.
    pub(super) fn put_back(&mut self) {
        for (one, other) in self.exchanged.drain(..).rev() {
            self.columns.swap(one as usize, other as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{NodeKey, Purpose, Stream};

    #[test]
    fn every_variable_is_drawn_once_and_put_back() {
        let mut candidates = Candidates::default();
        candidates.start(9, [1, 4, 7, 8].into_iter());
        let mut stream = NodeKey::root(&mut Stream::new(3, 0, Purpose::Splits)).stream();
        let mut drawn: Vec<u32> = std::iter::from_fn(|| candidates.draw(&mut stream)).collect();
        drawn.sort_unstable();
        assert_eq!(drawn, [1, 4, 7, 8]);
        candidates.put_back();
        assert_eq!(candidates.columns, [1, 4, 7, 8]);
    }

    #[test]
    fn notes_hold_below_the_node_where_they_were_made() {
        let mut candidates = Candidates::default();
        candidates.start(3, 0..3);
        candidates.enter(0);
        candidates.note(0, 0, Known::Used);
        candidates.enter(1);
        candidates.note(1, 0, Known::Constant);
        candidates.note(1, 1, Known::Constant);
        candidates.note(1, 2, Known::Constant);
        candidates.note(1, 2, Known::Used);
        candidates.enter(2);
        assert_eq!((candidates.known(1), candidates.known(2)), (Known::Constant, Known::Used));
        // The second child of the root.
        candidates.enter(1);
        assert_eq!((candidates.known(0), candidates.known(1)), (Known::Used, Known::Nothing));
        assert_eq!(candidates.known(2), Known::Nothing);
    }
}
