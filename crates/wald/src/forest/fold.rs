//! What a measure is to a forest: a fold over its trees, or a look at all of them.

use std::any::Any;
use std::cell::OnceCell;

use crate::data::{Groups, RowCodes, Training};
use crate::error::Error;
use crate::forest::Impurity;
use crate::forest::out_of_bag::OutOfBag;
use crate::forest::out_of_bag_tally::OutOfBagTally;
use crate::forest::placement::Placement;
use crate::forest::ranked::{RankedNode, RankedTree, Router};
use crate::forest::sample::Bag;
use crate::forest::tree::Tree;
use crate::importance::Importance;
use crate::measure::Subject;
use crate::run::{Progress, Run};

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
        Router {
            tree: self.tree,
            ranked: self.ranked,
            features: self.training.features(),
            known_levels: self.training.known_levels(),
        }
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

    /// What the out-of-bag rows say about the nodes.
    pub(crate) fn out_of_bag_tally(&self) -> &OutOfBagTally {
        self.asked_for.out_of_bag_tally.get_or_init(|| OutOfBagTally::new(self))
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

/// A measure as a fold over trees: a part per tree, merged in the order of the trees.
pub(crate) trait Fold: Sync + 'static {
    /// What one tree contributes.
    type Part: Send + 'static;
    /// What the trees so far add up to.
    type Total: Default + Send + 'static;

    fn tree(&self, view: &TreeView<'_>) -> Self::Part;

    fn merge(&self, total: &mut Self::Total, part: Self::Part);

    fn finish(&self, total: Self::Total, outcome: Outcome<'_>) -> Importance;
}

/// What is known when all trees were seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome<'a> {
    pub(crate) training: &'a Training,
    pub(crate) groups: &'a Groups,
    pub(crate) out_of_bag: &'a OutOfBag,
    /// Names of the classes; none for numbers.
    pub(crate) classes: &'a [String],
}

/// A measure that looks at the whole forest at once.
pub(crate) trait Whole {
    fn measure(&self, subject: Subject<'_>, run: &Run) -> Result<Importance, Error>;
}

/// How a measure is computed.
pub(crate) enum Plan {
    /// In one pass over the trees, which need not be kept.
    Fold(Folder),
    /// From all trees together.
    Whole(Box<dyn Whole>),
}

impl Plan {
    pub(crate) fn fold<F: Fold>(fold: F) -> Self {
        Self::Fold(Folder { total: Box::new(F::Total::default()), fold: Box::new(fold) })
    }

    pub(crate) fn whole<W: Whole + 'static>(whole: W) -> Self {
        Self::Whole(Box::new(whole))
    }
}

/// A [`Fold`] of any kind, with its total.
pub(crate) struct Folder {
    pub(super) total: Box<dyn Any + Send>,
    pub(super) fold: Box<dyn ErasedFold>,
}

pub(super) type ErasedPart = Box<dyn Any + Send>;

pub(super) trait ErasedFold: Sync {
    fn tree(&self, view: &TreeView<'_>) -> ErasedPart;
    fn merge(&self, total: &mut dyn Any, part: ErasedPart);
    fn finish(&self, total: Box<dyn Any + Send>, outcome: Outcome<'_>) -> Importance;
}

// A folder pairs every fold with parts and totals of its own type, so that the casts hold.
impl<F: Fold> ErasedFold for F {
    fn tree(&self, view: &TreeView<'_>) -> ErasedPart {
        Box::new(Fold::tree(self, view))
    }

    fn merge(&self, total: &mut dyn Any, part: ErasedPart) {
        if let (Some(total), Ok(part)) = (total.downcast_mut(), part.downcast()) {
            Fold::merge(self, total, *part);
        }
    }

    fn finish(&self, total: Box<dyn Any + Send>, outcome: Outcome<'_>) -> Importance {
        let total = total.downcast().map(|total| *total).unwrap_or_default();
        Fold::finish(self, total, outcome)
    }
}
