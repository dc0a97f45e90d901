//! What a measure is to a forest: a fold over its trees, or a look at all of them.

use std::any::Any;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::data::{Groups, Training};
use crate::error::Error;
use crate::importance::Importance;
use crate::pass::out_of_bag::OutOfBag;
use crate::pass::subject::Subject;
use crate::pass::tree_view::TreeView;
use crate::run::{Run, Threads};

/// A measure as a fold over trees: a part per tree, merged in the order of the trees.
pub(crate) trait Fold: Sync + 'static {
    /// What one tree contributes; other machines may write it down.
    type Part: Send + Serialize + DeserializeOwned + 'static;
    /// What the trees so far add up to.
    type Total: Default + Send + 'static;

    fn tree(&self, view: &TreeView<'_>) -> Self::Part;

    /// Whether a part that was read can be that of a tree, by its position: its lengths and positions are those that
    /// merging relies on.
    fn fits(&self, tree: usize, part: &Self::Part) -> bool;

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
    /// Threads that may be used once all trees are merged.
    pub(crate) threads: Threads,
}

/// A measure that looks at the whole forest at once.
pub(crate) trait Whole {
    /// With the out-of-bag predictions of all trees.
    fn measure(
        &self,
        subject: Subject<'_>,
        out_of_bag: &OutOfBag,
        run: &Run,
    ) -> Result<Importance, Error>;

    /// Whether several machines can share the work, once all trees are there.
    fn is_divided(&self) -> bool {
        false
    }
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
    /// Adds a part to bytes.
    fn write(&self, part: ErasedPart, to: Vec<u8>) -> postcard::Result<Vec<u8>>;
    /// Reads the part of a tree, and what follows it; `None` where it is none of this fold.
    fn read<'b>(&self, tree: usize, bytes: &'b [u8]) -> Option<(ErasedPart, &'b [u8])>;
}

/// A folder pairs every fold with parts and totals of its own type.
const OF_ITS_OWN: &str = "a fold has parts and a total of its own type";

impl<F: Fold> ErasedFold for F {
    fn tree(&self, view: &TreeView<'_>) -> ErasedPart {
        Box::new(Fold::tree(self, view))
    }

    fn merge(&self, total: &mut dyn Any, part: ErasedPart) {
        let total = total.downcast_mut().expect(OF_ITS_OWN);
        let part = part.downcast().map_err(|_| ()).expect(OF_ITS_OWN);
        Fold::merge(self, total, *part);
    }

    fn finish(&self, total: Box<dyn Any + Send>, outcome: Outcome<'_>) -> Importance {
        let total = total.downcast().map_err(|_| ()).expect(OF_ITS_OWN);
        Fold::finish(self, *total, outcome)
    }

    fn write(&self, part: ErasedPart, to: Vec<u8>) -> postcard::Result<Vec<u8>> {
        let part: Box<F::Part> = part.downcast().map_err(|_| ()).expect(OF_ITS_OWN);
        postcard::to_extend(&*part, to)
    }

    fn read<'b>(&self, tree: usize, bytes: &'b [u8]) -> Option<(ErasedPart, &'b [u8])> {
        let (part, rest) = postcard::take_from_bytes::<F::Part>(bytes).ok()?;
        self.fits(tree, &part).then(|| (Box::new(part) as ErasedPart, rest))
    }
}
