//! What growing reads.

use crate::data::{Column, DrawOrder, Training};
use crate::forest::drawn::Drawn;
use crate::forest::grow::divide::has_vectors;
use crate::forest::position::Position;
use crate::forest::sample::Bag;
use crate::forest::settings::Settings;
use crate::forest::split::{Criterion, NumberScorer, Scorer, TIE};
use crate::forest::trends::{Bounds, Trend};
use crate::forest::ways::{Impurity, Sampling, Splitting};
use crate::random::Purpose;
use crate::run::{Progress, Threads};

/// The columns of a tree whose values are in bins are kept with the rows unless fewer than one in this many
/// is tried at a node.
const BINNED_COLUMNS_PER_TRY: usize = 16;

/// What is known of so many rows stays in the fastest memory.
const MOST_IN_CACHE: usize = 2048;

/// A tree of fewer rows is not worth the trouble of sharing it between threads.
const LEAST_SHARED: usize = 10_000;

/// What growing reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Growing<'a> {
    pub(super) training: &'a Training,
    /// The columns that the codes of `training` stand for, in the user's order.
    pub(super) columns: &'a [&'a Column],
    pub(super) settings: &'a Settings,
    pub(super) progress: &'a Progress,
    /// The canonical columns that may be used, where not all of them.
    pub(super) allowed: Option<&'a [u32]>,
    /// By canonical column: true where a drawn variable is passed over.
    pub(super) without: Option<&'a [bool]>,
    /// The order in which variables are drawn, where it is not the canonical one.
    pub(super) order: Option<&'a DrawOrder>,
    /// The weight of the bag of the tree, in units.
    pub(super) bag_weight: f64,
    pub(super) plan: Plan,
}

/// How the rows of nodes are arranged; changes no bit of a tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// True when all columns are kept sorted, or their bins with the rows; positions then number the
    /// in-bag rows.
    pub(super) keeps_sorted: bool,
    /// Nodes of at most this many rows are moved to arrangements of their own: where positions
    /// of 16 bits do, and where all that is known of the rows stays in the fastest memory.
    pub(super) smaller: [usize; 2],
    /// How many threads grow one tree, and the fewest rows for which they do.
    pub(super) together: (Threads, usize),
}

/// True when all columns of a tree are kept sorted, or their bins with the rows.
pub(crate) fn keeps_sorted(settings: &Settings, n_rows: usize) -> bool {
    let per_try = match settings.max_bins {
        Some(_) => BINNED_COLUMNS_PER_TRY,
        None => sorted_columns_per_try(n_rows, has_vectors()),
    };
    settings.splitting == Splitting::Best && settings.subspace <= per_try * settings.mtry
}

/// The columns of a tree are kept sorted unless fewer than one in this many is tried at a node: nodes of few
/// rows are soon sorted, and dividing all columns costs more where positions are not divided many at a time.
fn sorted_columns_per_try(n_rows: usize, has_vectors: bool) -> usize {
    match (has_vectors, n_rows) {
        (true, ..=875) => 5 + n_rows / 125,
        (true, ..=10_000) => 12,
        (true, _) => 16,
        (false, ..=24_000) => 4 + n_rows / 4_000,
        (false, _) => 10,
    }
}

impl<'a> Growing<'a> {
    pub(crate) fn new(
        training: &'a Training,
        columns: &'a [&'a Column],
        settings: &'a Settings,
        progress: &'a Progress,
        together: Threads,
    ) -> Self {
        let plan = Plan {
            keeps_sorted: keeps_sorted(settings, training.n_rows()),
            smaller: [usize::from(u16::MAX), MOST_IN_CACHE],
            together: (together, LEAST_SHARED),
        };
        // Bags that are drawn depend on where rows stand, and so may the rest.
        let by_content = settings.sampling == Sampling::All;
        let order = by_content.then(|| training.draw_order(together));
        Self {
            training,
            columns,
            settings,
            progress,
            allowed: None,
            without: None,
            order,
            bag_weight: 0.0,
            plan,
        }
    }

    /// Lets trees use some columns only (canonical positions, increasing), as if the table had no
    /// others. The settings must fit them.
    pub(crate) fn using(self, columns: &'a [u32]) -> Self {
        Self { allowed: Some(columns), ..self }
    }

    /// The rows of a bag with their weights.
    pub(super) fn drawn<'b>(&self, bag: &'b Bag) -> Drawn<'b>
    where
        'a: 'b,
    {
        Drawn::new(self.training, bag, self.settings.class_weight)
    }

    /// What the scorer of numbers makes of the target, where the impurity is its.
    pub(super) fn by_number(
        &self,
        scorer: impl FnOnce() -> Option<NumberScorer>,
    ) -> Option<NumberScorer> {
        match self.settings.impurity {
            Impurity::Variance | Impurity::Gini => scorer(),
            Impurity::Entropy | Impurity::Poisson | Impurity::AbsoluteError => None,
        }
    }

    /// What the scorer of classes compares splits by.
    pub(super) fn criterion(&self) -> Criterion {
        match self.settings.splitting {
            Splitting::Conditional => Criterion::ChiSquare,
            Splitting::Best | Splitting::RandomThreshold | Splitting::Multiway => {
                Criterion::of(self.settings.impurity)
            }
        }
    }

    /// The least weight of a child, in units.
    pub(super) fn least_weight(&self) -> f64 {
        // Weights of the same rows summed in another order must not decide what is allowed.
        (1.0 - TIE) * self.settings.min_weight_fraction_leaf * self.bag_weight
    }

    /// Whether a node may be divided, given its weight times the decrease of its impurity.
    pub(super) fn is_enough(&self, decrease: impl FnOnce() -> f64) -> bool {
        let least = self.settings.min_impurity_decrease;
        // As scikit-learn does, which compares up to rounding.
        least <= 0.0 || decrease() / self.bag_weight + f64::EPSILON >= least
    }

    /// The columns of a tree: all that may be used and are not constant, or a random subspace of them (Ho 1998). A
    /// constant one among the mtry that are drawn at a node would take the place of another one.
    pub(super) fn columns_of(self, index: usize) -> Vec<u32> {
        let features = self.training.features();
        let all = || (0..features.n_columns() as u32).collect();
        let mut columns: Vec<u32> = self.allowed.map_or_else(all, <[u32]>::to_vec);
        if columns.iter().any(|&column| features.column(column).varies()) {
            columns.retain(|&column| features.column(column).varies());
        }
        columns.sort_by_key(|&column| self.place(column));
        if self.settings.subspace < columns.len() {
            self.settings.stream(index, Purpose::Subspace).shuffle(&mut columns);
            columns.truncate(self.settings.subspace);
            columns.sort_by_key(|&column| self.place(column));
        }
        columns
    }

    /// Whether predictions may change in one direction only with some variable.
    pub(super) fn keeps_trends(&self) -> bool {
        !self.settings.trends.is_empty()
    }

    /// In which direction predictions may change with a canonical column, or with what it shows as a
    /// shadow.
    pub(super) fn trend(&self, column: u32) -> Option<Trend> {
        if !self.keeps_trends() {
            return None;
        }
        let original = self.training.features().original(column) as usize % self.columns.len();
        self.settings.trends.get(original).copied().flatten()
    }

    /// The bounds of both children, given those of the node and the trend of the variable that divides it
    /// by the order of its values. `None` where the values of the children break them, which scorers that
    /// sum up in another order than nodes do have taken for rounding. Cost O(rows) where anything binds.
    pub(super) fn bounds_below<P: Position>(
        scorer: &impl Scorer,
        bounds: Bounds,
        trend: Option<Trend>,
        [left, right]: [&[P]; 2],
    ) -> Option<[Bounds; 2]> {
        if trend.is_none() && bounds == Bounds::NONE {
            return Some([bounds; 2]);
        }
        bounds.below(trend, [scorer.value(left), scorer.value(right)])
    }

    /// The place of a canonical column in the order of drawing, which names its random numbers.
    pub(super) fn place(&self, column: u32) -> u32 {
        self.order.map_or(column, |order| order.place(column))
    }
}
