//! One tree, as the measures see it.

use std::cell::OnceCell;

use crate::data::{Groups, RowCodes, Training};
use crate::forest::{Bag, Impurity, Placement, RankedNode, RankedTree, Router, Tree};
use crate::pass::out_of_bag_tally::OutOfBagTally;
use crate::run::Progress;

/// What a fold sees of one tree.
#[derive(Debug)]
pub(crate) struct TreeView<'a> {
    /// Position of the tree in the forest.
    pub(crate) index: usize,
    pub(crate) tree: &'a Tree,
    pub(crate) ranked: &'a RankedTree,
    pub(crate) training: &'a Training,
    /// What importances are given for.
    pub(crate) groups: &'a Groups,
    /// The out-of-bag rows, by node; empty where the bag is unknown.
    pub(crate) out_of_bag: &'a Placement,
    /// The tree's bag, where it is known.
    pub(crate) bag: Option<&'a Bag>,
    /// Filled when a measure asks for them.
    pub(super) asked_for: AskedFor,
    /// The criterion of the nodes' impurities.
    pub(crate) impurity: Impurity,
    pub(crate) progress: &'a Progress,
}

/// What several measures want to know of a tree, and others do not.
#[derive(Debug, Default)]
pub(super) struct AskedFor {
    in_bag: OnceCell<Placement>,
    out_of_bag_codes: OnceCell<RowCodes>,
    out_of_bag_tally: OnceCell<OutOfBagTally>,
}

impl<'a> TreeView<'a> {
    /// The same tree where other out-of-bag rows are looked at.
    pub(crate) fn with_rows<'b>(&'b self, out_of_bag: &'b Placement) -> TreeView<'b> {
        TreeView { out_of_bag, asked_for: AskedFor::default(), ..*self }
    }

    /// Routes codes of the training rows.
    pub(crate) fn router(&self) -> Router<'a> {
        Router::new(self.tree, self.ranked, self.training)
    }

    /// The rows in the bag that have a positive weight, by node; none where the bag is unknown.
    pub(crate) fn in_bag(&self) -> &Placement {
        self.asked_for.in_bag.get_or_init(|| {
            let mut placement = Placement::default();
            let rows = self.bag.iter().flat_map(|bag| bag.in_bag());
            let counted = rows.filter(|&row| self.training.weight(row) > 0.0);
            placement.place(&self.router(), counted);
            placement
        })
    }

    /// The codes of the out-of-bag rows, in the order of their placement.
    pub(crate) fn out_of_bag_codes(&self) -> &RowCodes {
        let codes = || self.training.row_codes().of(self.out_of_bag.all());
        self.asked_for.out_of_bag_codes.get_or_init(codes)
    }

    /// Out-of-bag statistics of the nodes.
    pub(crate) fn out_of_bag_tally(&self) -> &OutOfBagTally {
        self.asked_for
            .out_of_bag_tally
            .get_or_init(|| OutOfBagTally::new(&self.router(), self.training, self.out_of_bag))
    }

    /// The group of a canonical column.
    pub(crate) fn group(&self, column: u32) -> usize {
        self.groups.of_column()[self.training.features().original(column) as usize] as usize
    }

    /// The canonical column that names the random streams of a group.
    pub(crate) fn key_column(&self, group: usize) -> u32 {
        let columns = self.groups.members()[group].iter();
        let canonical = columns.map(|&column| self.training.features().canonical(column));
        canonical.min().unwrap_or_default()
    }

    /// Positions of the leaves.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = usize> + 'a {
        let nodes = self.ranked.nodes.iter().enumerate();
        nodes.filter(|(_, node)| **node == RankedNode::Leaf).map(|(index, _)| index)
    }
}
