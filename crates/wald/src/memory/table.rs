//! What trees take while they grow and when they are kept, as formulas of the numbers that it depends on.

use crate::data::{ColumnData, Dataset, Response};
use crate::forest::{
    Bag, Branches, ClassWeight, ENTRY, Expected, FEWEST_CLASSES, Impurity, LEAST_ROWS, LevelSet,
    MOST_FREE_LEVELS, Node, RankedNode, Settings, Splitting, Tree, keeps_sorted,
};
use crate::measure::TreeShape;
use crate::memory::size::LIST;

/// How many times as deep trees are as those whose splits are even.
const UNEVEN: f64 = 1.5;

/// The numbers that sizes depend on.
pub(super) struct Table {
    pub(super) rows: f64,
    pub(super) columns: f64,
    /// What importances are given for.
    pub(super) groups: f64,
    /// Columns of levels.
    pub(super) categorical: f64,
    /// Levels of the column with most.
    pub(super) levels: f64,
    pub(super) classes: Option<f64>,
    /// Numbers of a prediction.
    pub(super) outputs: f64,
    is_weighted: bool,
}

impl Table {
    pub(super) fn of(data: &Dataset) -> Self {
        let levels = data.features().columns().iter().filter_map(|column| match column.data() {
            ColumnData::Numeric(_) => None,
            ColumnData::Categorical(categories) => Some(categories.levels().len()),
        });
        Self {
            rows: data.n_rows() as f64,
            columns: data.n_features() as f64,
            groups: data.groups().n_groups() as f64,
            categorical: levels.clone().count() as f64,
            levels: levels.max().unwrap_or(0) as f64,
            classes: data.target().classes().map(|classes| classes.len() as f64),
            outputs: data.target().n_outputs() as f64,
            is_weighted: data.weights().is_some(),
        }
    }

    /// Bytes of a node's value: a number, or one for every class or output.
    pub(super) fn value(&self) -> f64 {
        8.0 * self.outputs
    }

    pub(super) fn tree_shape(&self, rows: f64, nodes: f64) -> TreeShape {
        let (columns, groups, outputs) = (self.columns, self.groups, self.outputs);
        TreeShape { rows, nodes, columns, groups, outputs }
    }

    /// A node of a finished tree: split, weight and impurity, value.
    pub(super) fn node(&self) -> f64 {
        size_of::<Node>() as f64 + 16.0 + self.value()
    }

    /// The nodes of a tree that is kept, of which those of many classes list the classes that they have
    /// met: all rows of the bag are met on every floor where nodes have fewer rows than classes.
    pub(super) fn kept_nodes(&self, nodes: f64, bag: Expected) -> f64 {
        let all = nodes * self.node();
        match self.classes {
            Some(classes) if classes >= FEWEST_CLASSES as f64 => {
                let floors = 1.0 + UNEVEN * classes.min(bag.rows).max(2.0).log2();
                let listed = 4.0 * nodes + ENTRY as f64 * bag.rows * floors;
                all - nodes * self.value() + listed.min(nodes * self.value())
            }
            Some(_) | None => all,
        }
    }

    /// A copy of a tree of many classes, while it is looked at.
    pub(super) fn unpacked(&self, nodes: f64) -> f64 {
        let has_many = self.classes.is_some_and(|classes| classes >= FEWEST_CLASSES as f64);
        if has_many { nodes * self.node() } else { 0.0 }
    }

    /// A node of a growing tree: also its split in codes, and half a cut to look up later.
    pub(super) fn growing_node(&self) -> f64 {
        self.node() + size_of::<RankedNode>() as f64 + 10.0
    }

    /// The level sets or branches of one tree. A split lists the levels of its lighter side, thus half a
    /// level per row where splits are even, on as many floors of the tree as halve the levels; of many
    /// levels, rare ones are not listed.
    pub(super) fn level_sets(&self, settings: &Settings, bag: Expected, nodes: f64) -> f64 {
        if settings.splitting == Splitting::Multiway {
            // A table lists the levels of a node with the child of each.
            return 8.0 * nodes + nodes / 2.0 * (size_of::<Branches>() as f64 + 2.0 * LIST);
        }
        if self.categorical == 0.0 {
            return 0.0;
        }
        let is_drawn = (settings.mtry as f64 * self.categorical / self.columns).min(1.0);
        let floors = self.levels.min(bag.rows).max(1.0).log2() + 2.0;
        let set = size_of::<LevelSet>() as f64 + 32.0;
        let is_many = self.levels > MOST_FREE_LEVELS as f64;
        let keeps_rare_together = settings.splitting == Splitting::Best && is_many;
        let rows_per_level = if keeps_rare_together { f64::from(LEAST_ROWS) } else { 1.0 };
        is_drawn * (nodes / 2.0 * set + 4.0 * bag.rows / (2.0 * rows_per_level) * floors)
    }

    /// While columns are ranked: values and rows to sort, twice, and where they are few single numbers
    /// that are sorted instead; codes and order of the column, before they are put with the others.
    pub(super) fn ranking(&self, n_threads: f64) -> f64 {
        let numbers = self.columns - self.categorical;
        let column = if numbers > 0.0 { 48.0 * self.rows } else { 12.0 * self.rows };
        n_threads.min(self.columns) * (column + 4.0 * self.levels)
    }

    /// What a thread holds of rows and classes while it grows one tree.
    pub(super) fn growing(&self, settings: &Settings, bag: Expected) -> f64 {
        let entropy = settings.impurity == Impurity::Entropy;
        let columns = settings.subspace as f64;
        let keeps_sorted = keeps_sorted(settings, self.rows as usize);
        let (short, tiny) = (f64::from(u16::MAX), 2048.0);
        // Rows, places, orders of all columns and of the members, ranks, room for dividing.
        let sorted = |position: f64, rows: f64, places: f64| {
            rows * (4.0 + position * (2.0 * columns + 2.0)) + places * position
        };
        let (arranged, positions) = if settings.max_bins.is_some() && keeps_sorted {
            // Rows with their bins and places, sides, and room for dividing rows and what is scored.
            let bins = 8.0 * (columns / 8.0).ceil();
            (bag.rows * (13.0 + 2.0 * bins), 2.0 * bag.rows)
        } else if settings.max_bins.is_some() {
            // Members, sides and room for dividing.
            (9.0 * bag.rows, self.rows)
        } else if keeps_sorted {
            let large = if bag.rows > short { sorted(4.0, bag.rows, self.rows) } else { 0.0 };
            let small = sorted(2.0, bag.rows.min(short), self.rows);
            let smallest = sorted(2.0, bag.rows.min(tiny), bag.rows.min(short));
            (large + small + smallest, bag.rows)
        } else if settings.splitting != Splitting::Best {
            // Members, room for dividing, what is read of a node's rows; where thresholds lie
            // among the values.
            // Rows to sort, twice where they are many, with their numbers.
            let sorted = match settings.splitting {
                Splitting::Conditional => 48.0 * bag.rows,
                Splitting::Best | Splitting::RandomThreshold | Splitting::Multiway => 0.0,
            };
            let read = 72.0 * bag.rows + sorted;
            // The columns that a node may split on, and what is known of them there.
            let of_columns = 96.0 * self.columns;
            let placed = self.rows * (4.0 + columns);
            (read + placed + of_columns, self.rows)
        } else {
            // Members, room for dividing, marks; keys to sort.
            (8.0 * bag.rows + 8.0 * self.rows + 8.0 * bag.rows, self.rows)
        };
        let is_weighted = self.is_weighted || settings.class_weight != ClassWeight::Equal;
        let by_number = !entropy && self.classes.is_none_or(|classes| classes == 2.0);
        // Of other losses, also the rows of a node as they are sorted: responses with places and with
        // weights, partial sums, and where divisions read them.
        let of_loss = if settings.impurity.is_other_loss() { 100.0 } else { 0.0 };
        let row =
            of_loss + if by_number { 24.0 } else { 16.0 } + if is_weighted { 2.0 } else { 0.0 };
        let scored = row * (positions + bag.rows.min(short) + bag.rows.min(tiny))
            + if entropy { 16.0 * bag.draws } else { 0.0 };
        // Levels present, their sums and order; of classes, as many as occur in every level.
        let present = self.levels.min(bag.rows);
        let of_classes = self
            .classes
            .map_or(0.0, |classes| 64.0 * classes + 24.0 * bag.rows.min(present * classes));
        // The bag with its draws, and the list of its rows; trends of columns.
        let drawn = 6.0 * self.rows + 4.0 * bag.rows + settings.trends.len() as f64;
        // Of several targets, their sums in every level, and of the node.
        let of_outputs = 8.0 * self.outputs * (present + 3.0);
        arranged + scored + 100.0 * present + of_classes + of_outputs + drawn + 12.0 * self.columns
    }
}

/// About the most leaves that a tree has.
///
/// If a node of up to m draws is a leaf and all cuts of larger ones are equally likely, there
/// are 2 / (m + 1) leaves per draw; on noise, cuts near the ends are likelier, and leaves more.
/// A tree on one column that ends at pure nodes has a leaf for every run of equal classes, of
/// which there are, per row, as many as two random rows differ; several columns need fewer.
pub(super) fn leaves(data: &Dataset, settings: &Settings, bag: Expected) -> f64 {
    let least = settings.min_leaf_size as f64;
    let ends_at = (settings.min_node_size as f64).max(2.0 * least - 1.0);
    let ends_at_runs = settings.splitting == Splitting::Best && !settings.stratify;
    let runs = match data.target().response() {
        Response::Classification(classes) if ends_at_runs => {
            let mut counts = vec![0.0; classes.levels().len()];
            classes.codes().iter().for_each(|&class| counts[class as usize] += 1.0);
            let n_rows = data.n_rows() as f64;
            let impurity = 1.0 - counts.iter().map(|n: &f64| (n / n_rows).powi(2)).sum::<f64>();
            1.0 + bag.rows * impurity
        }
        Response::Regression(_) | Response::Classification(_) | Response::Several(_) => bag.rows,
    };
    let deepest = match settings.splitting {
        Splitting::Multiway => f64::INFINITY,
        Splitting::Best | Splitting::RandomThreshold | Splitting::Conditional => {
            2.0_f64.powf(settings.max_depth.min(1000) as f64)
        }
    };
    runs.min(bag.draws / least).min(2.5 * bag.draws / (ends_at + 1.0)).min(deepest).max(1.0)
}

/// A tree without its nodes, and its bag: two bytes for every row.
pub(super) fn tree_and_bag(rows: f64) -> f64 {
    (size_of::<Tree>() + size_of::<Bag>()) as f64 + 6.0 * LIST + 2.0 * rows
}
