//! What a pass over the trees finds.

use crate::data::Groups;
use crate::forest::Forest;
use crate::importance::Importance;
use crate::pass::out_of_bag::{Errors, OutOfBag};

/// What one pass over the trees found.
///
/// ```
/// use wald::pass::Errors;
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let measured = wald::fit(data, &config, &Run::all())?.measure(&[], &Run::all())?;
/// let Some(Errors::Regression { squared, explained_variance, .. }) = measured.errors else {
///     panic!("the target is a number");
/// };
/// println!("out-of-bag error {squared:.2}, explained variance {explained_variance:.2?}");
/// assert!(explained_variance.is_some_and(|share| share < 1.0));
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// One entry per measure asked for, in that order.
    pub importances: Vec<Importance>,
    /// What the importances are given for, in their order.
    pub groups: Groups,
    /// Out-of-bag predictions.
    pub out_of_bag: OutOfBag,
    /// Losses of the out-of-bag predictions; `None` if no row was out of bag.
    pub errors: Option<Errors>,
    /// Number of trees.
    pub n_trees: usize,
    /// Mean number of leaves of a tree.
    pub mean_leaves: f64,
    /// Mean depth of a tree's deepest leaf, the root having depth 0.
    pub mean_depth: f64,
}

impl Measured {
    /// Whether any tree has a split.
    pub(crate) fn has_splits(&self) -> bool {
        self.mean_leaves > 1.0
    }

    /// The same without importances: what is known of the forest, whatever is measured.
    pub(crate) fn of_forest(&self) -> Self {
        Self { importances: Vec::new(), ..self.clone() }
    }
}

/// A forest that was grown and measured in one pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Grown {
    /// The forest; `None` if its trees were not to be kept.
    pub forest: Option<Forest>,
    /// What was measured.
    pub measured: Measured,
}
