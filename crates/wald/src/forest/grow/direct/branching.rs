//! A child for every level at a node: the exhaustive splits of Louppe et al. 2013.

use crate::data::MISSING_CODE;

/// Stands for a level that was not met.
const UNMET: u32 = u32::MAX;

/// Working memory, and the branches looked at last.
#[derive(Debug, Default)]
pub(super) struct Branching {
    pub(super) found: Found,
    /// By level.
    child_of_level: Vec<u32>,
}

/// The branches of the rows of a node.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Levels that occur, increasing; each has the child at its place.
    pub(super) levels: Vec<u32>,
    /// Whether missing values occur; they have the last child.
    pub(super) has_missing: bool,
    /// By row.
    pub(super) children: Vec<u32>,
}

impl Found {
    pub(super) fn n_children(&self) -> usize {
        self.levels.len() + usize::from(self.has_missing)
    }
}

impl Branching {
    /// Finds the branches of the rows, given the codes of all rows of a column with so many
    /// levels.
    pub(super) fn find(&mut self, n_levels: usize, codes: &[u32], members: &[u32]) {
        if self.child_of_level.len() < n_levels {
            self.child_of_level.resize(n_levels, UNMET);
        }
        let Found { levels, has_missing, children } = &mut self.found;
        levels.clear();
        *has_missing = false;
        for &row in members {
            let code = codes[row as usize];
            if code == MISSING_CODE {
                *has_missing = true;
                continue;
            }
            let child = &mut self.child_of_level[code as usize];
            if *child == UNMET {
                *child = 0;
                levels.push(code);
            }
        }
        levels.sort_unstable();
        for (child, &level) in (0_u32..).zip(&*levels) {
            self.child_of_level[level as usize] = child;
        }
        let last = levels.len() as u32;
        children.clear();
        children.extend(members.iter().map(|&row| match codes[row as usize] {
            MISSING_CODE => last,
            level => self.child_of_level[level as usize],
        }));
        for &level in &*levels {
            self.child_of_level[level as usize] = UNMET;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_present_have_children_in_their_order() {
        let mut branching = Branching::default();
        let codes = [5, 0, MISSING_CODE, 5, 2, 1];
        branching.find(7, &codes, &[0, 2, 3, 4]);
        assert_eq!(branching.found.levels, [2, 5]);
        assert_eq!(branching.found.children, [1, 2, 1, 0]);
        assert_eq!(branching.found.n_children(), 3);
        // Nothing is left of the last node.
        branching.find(7, &codes, &[1, 5]);
        assert_eq!(branching.found.levels, [0, 1]);
        assert_eq!(branching.found.children, [0, 1]);
        assert_eq!(branching.found.n_children(), 2);
    }
}
