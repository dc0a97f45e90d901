//! Walks with any number of places of a rule, each compiled for its number: padding to 4, 8 or 12
//! places takes up to 1.09 times as long, and changes the last bits of sums (docs/benchmarks.md, "Gains
//! of optimisations in measuring").

use crate::error::Error;
use crate::run::Progress;
use crate::tree_shap::block_walk::Walk;
use crate::tree_shap::factors::{Places, Records};
use crate::tree_shap::outline::OutlinedTree;
use crate::tree_shap::quadrature::PartOfRule;
use crate::tree_shap::regions::BlockCodes;
use crate::tree_shap::row_walk::{RowWalk, SketchedTree};

/// Most places of a rule that one walk sees; rules of more take several walks, because everything
/// is a sum over places.
pub(super) const MOST_PLACES: usize = 12;

macro_rules! walks {
    ($($name:ident => $n:literal),*) => {
        /// Walks with any number of places up to [`MOST_PLACES`].
        #[derive(Debug, Default)]
        pub(super) struct WalksOfAnyWidth {
            $($name: (Walk<$n>, RowWalk<$n>)),*
        }

        impl WalksOfAnyWidth {
            /// See [`Walk::walk`].
            pub(super) fn walk(
                &mut self,
                tree: OutlinedTree<'_>,
                block: &BlockCodes,
                part: PartOfRule<'_>,
                records: &mut Records<'_>,
                progress: &Progress,
            ) -> Result<(), Error> {
                $(if let Ok(places) = Places::<$n>::try_from(part) {
                    self.$name.0.walk(tree, block, places, records, progress)?;
                })*
                Ok(())
            }

            /// See [`RowWalk::walk`].
            pub(super) fn one_row(
                &mut self,
                tree: SketchedTree<'_>,
                part: PartOfRule<'_>,
                codes: &[u32],
                record: &mut Records<'_>,
            ) {
                $(if let Ok(places) = Places::<$n>::try_from(part) {
                    self.$name.1.walk(tree, &places, codes, record);
                })*
            }
        }
    };
}

walks!(
    one => 1, two => 2, three => 3, four => 4, five => 5, six => 6, seven => 7, eight => 8,
    nine => 9, ten => 10, eleven => 11, twelve => 12
);
