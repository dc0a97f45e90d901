//! Variables as the players of a game, in an order that does not depend on that of the columns.

use crate::data::{Groups, Training};
use crate::forest::{Node, Tree};
use crate::pass::Subject;

/// The place of every group in the order of the groups' first canonical columns.
pub(crate) fn places(groups: &Groups, training: &Training) -> Vec<u32> {
    let features = training.features();
    let mut places = vec![u32::MAX; groups.n_groups()];
    let mut next = 0;
    for column in 0..features.n_columns() as u32 {
        let group = groups.of_column()[features.original(column) as usize] as usize;
        if places[group] == u32::MAX {
            places[group] = next;
            next += 1;
        }
    }
    places
}

/// The groups that some tree splits on; the others add nothing to any coalition.
#[derive(Debug)]
pub(crate) struct Players {
    /// The player of every group; `None` for groups that no tree splits on.
    of_group: Vec<Option<u32>>,
    n_players: usize,
}

impl Players {
    /// Finds the groups that trees split on. Cost O(nodes).
    pub(crate) fn in_splits(subject: Subject<'_>) -> Self {
        let Subject { forest, training, groups, .. } = subject;
        let mut is_asked = vec![false; groups.n_groups()];
        for node in forest.trees().iter().flat_map(Tree::nodes) {
            if let Node::Split(split) = node {
                is_asked[groups.of_column()[split.feature as usize] as usize] = true;
            }
        }
        let places = places(groups, training);
        let mut order: Vec<usize> = (0..places.len()).filter(|&group| is_asked[group]).collect();
        order.sort_by_key(|&group| places[group]);
        let mut of_group = vec![None; groups.n_groups()];
        (0..).zip(&order).for_each(|(player, &group)| of_group[group] = Some(player));
        Self { of_group, n_players: order.len() }
    }

    pub(crate) fn of_group(&self, group: usize) -> Option<u32> {
        self.of_group[group]
    }

    pub(crate) fn len(&self) -> usize {
        self.n_players
    }
}
