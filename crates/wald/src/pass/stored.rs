//! What a tree leaves behind, as bytes: for machines that share the work.

use serde::{Deserialize, Serialize};

use crate::forest::{Bag, Tree};
use crate::pass::fold::ErasedFold;
use crate::pass::out_of_bag::OutOfBagPart;
use crate::pass::{Pass, TreeResult};

/// All but the parts of measures, which follow.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredTree {
    kept: Option<(Tree, Bag)>,
    n_leaves: usize,
    depth: u32,
    out_of_bag: OutOfBagPart,
    new_rows: Vec<f64>,
}

impl StoredTree {
    pub(super) fn write(
        result: TreeResult,
        folds: &[Box<dyn ErasedFold>],
    ) -> postcard::Result<Vec<u8>> {
        let TreeResult { kept, n_leaves, depth, out_of_bag, parts, new_rows } = result;
        let bytes = postcard::to_allocvec(&Self { kept, n_leaves, depth, out_of_bag, new_rows })?;
        folds.iter().zip(parts).try_fold(bytes, |bytes, (fold, part)| fold.write(part, bytes))
    }

    /// `None` where the bytes are not what a tree of this pass leaves behind.
    pub(super) fn read(
        bytes: &[u8],
        folds: &[Box<dyn ErasedFold>],
        pass: &Pass<'_>,
    ) -> Option<TreeResult> {
        let (stored, mut rest) = postcard::take_from_bytes::<Self>(bytes).ok()?;
        let mut parts = Vec::with_capacity(folds.len());
        for fold in folds {
            let (part, after) = fold.read(rest).ok()?;
            parts.push(part);
            rest = after;
        }
        let Self { kept, n_leaves, depth, out_of_bag, new_rows } = stored;
        let fits = rest.is_empty()
            && out_of_bag.fits(pass.subject.training)
            && (kept.is_some() || !pass.keep);
        let kept = kept.filter(|_| pass.keep);
        fits.then_some(TreeResult { kept, n_leaves, depth, out_of_bag, parts, new_rows })
    }
}
