//! Walks with any number of places of a rule.

use crate::error::Error;
use crate::forest::Router;
use crate::run::Progress;
use crate::tree_shap::factors::Places;
use crate::tree_shap::outline::Outline;
use crate::tree_shap::regions::BlockCodes;
use crate::tree_shap::single::{Single, Sketch};
use crate::tree_shap::walk::Walk;

/// Most places of a rule that one walk sees; rules of more take several walks, because everything
/// is a sum over places.
pub(super) const MOST_PLACES: usize = 12;

macro_rules! walks {
    ($($name:ident => $n:literal),*) => {
        /// Walks with any number of places up to [`MOST_PLACES`].
        #[derive(Debug, Default)]
        pub(super) struct Walks {
            $($name: (Walk<$n>, Single<$n>)),*
        }

        impl Walks {
            /// See [`Walk::walk`].
            pub(super) fn walk(
                &mut self,
                tree: (&Router<'_>, &Outline),
                block: &BlockCodes,
                ((at, weights), node_values, pairs): ((&[f64], &[f64]), &[f64], bool),
                (values, progress): (&mut [f64], &Progress),
            ) -> Result<(), Error> {
                $(if let (Ok(&at), Ok(&weights)) = (at.try_into(), weights.try_into()) {
                    let places = Places::<$n> { at, weights };
                    self.$name.0.walk(tree, block, (&places, node_values, pairs), (values, progress))?;
                })*
                Ok(())
            }

            /// See [`Single::walk`].
            pub(super) fn one_row(
                &mut self,
                tree: (&Router<'_>, &Outline, &Sketch),
                ((at, weights), shares, pairs): ((&[f64], &[f64]), &[f64], bool),
                codes: &[u32],
                values: &mut [f64],
            ) {
                $(if let (Ok(&at), Ok(&weights)) = (at.try_into(), weights.try_into()) {
                    let places = Places::<$n> { at, weights };
                    self.$name.1.walk(tree, (&places, shares, pairs), codes, values);
                })*
            }
        }
    };
}

walks!(
    one => 1, two => 2, three => 3, four => 4, five => 5, six => 6, seven => 7, eight => 8,
    nine => 9, ten => 10, eleven => 11, twelve => 12
);
