//! What a tree leaves behind, as bytes: for machines that share the work.

use serde::{Deserialize, Serialize};

use crate::forest::{Bag, Tree, check_tree};
use crate::pass::fold::ErasedFold;
use crate::pass::out_of_bag::OutOfBagPart;
use crate::pass::{Pass, Source, TreeResult};

/// All but the parts of measures, which follow, and the bag, which whoever reads draws again.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredTree {
    kept: Option<Tree>,
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
        let kept = kept.map(|(tree, _)| tree);
        let bytes = postcard::to_allocvec(&Self { kept, n_leaves, depth, out_of_bag, new_rows })?;
        folds.iter().zip(parts).try_fold(bytes, |bytes, (fold, part)| fold.write(part, bytes))
    }

    /// `None` where the bytes are not what a tree of this pass leaves behind.
    pub(super) fn read(
        tree: usize,
        bytes: &[u8],
        folds: &[Box<dyn ErasedFold>],
        pass: &Pass<'_>,
    ) -> Option<TreeResult> {
        let (stored, mut rest) = postcard::take_from_bytes::<Self>(bytes).ok()?;
        let mut parts = Vec::with_capacity(folds.len());
        for fold in folds {
            let (part, after) = fold.read(tree, rest)?;
            parts.push(part);
            rest = after;
        }
        let training = pass.subject.training;
        let n_new_rows = pass.new_rows.first().map_or(0, |column| column.len());
        let is_tree = |grown: &Tree| check_tree(pass.subject.forest, grown, tree).is_ok();
        let Self { kept, n_leaves, depth, out_of_bag, new_rows } = stored;
        let fits = rest.is_empty()
            && out_of_bag.fits(training.n_rows(), training.n_outputs())
            && new_rows.len() == n_new_rows * training.n_outputs()
            && (kept.is_some() || !pass.keep)
            && kept.iter().all(is_tree);
        let kept = kept.filter(|_| pass.keep).and_then(|grown| Some((grown, bag(pass, tree)?)));
        fits.then_some(TreeResult { kept, n_leaves, depth, out_of_bag, parts, new_rows })
    }
}

/// The bag of a tree that is grown, or was grown before.
fn bag(pass: &Pass<'_>, tree: usize) -> Option<Bag> {
    match pass.source {
        Source::Grow { before: Some(before), .. } if tree < before.trees.len() => {
            before.bags.as_ref().map(|bags| bags[tree].clone())
        }
        Source::Grow { sampler, .. } => Some(sampler.bag(tree)),
        Source::Stored => None,
    }
}
