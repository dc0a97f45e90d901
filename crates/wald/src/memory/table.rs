//! What the parts of a size are made of, as formulas of the numbers that they depend on.

use crate::counterfactual::rows_at_a_time;
use crate::data::{ColumnData, Dataset, Response};
use crate::forest::{
    Bag, Branches, ClassWeight, ENTRY, Expected, FEWEST_CLASSES, Impurity, LEAST_ROWS, LevelSet,
    MOST_FREE_LEVELS, Node, RankedNode, Settings, Splitting, Tree, keeps_sorted,
};
use crate::measure::kernel::altered_predictions::MOST_KEPT;
use crate::measure::kernel::row_sums::is_dense;
use crate::measure::{
    BACKGROUND, CostClass, KeptAltered, MOST_AT_A_TIME, Measure, MeasureOption, MeasureSettings,
    Permutations, Requirement, TreeShape,
};
use crate::memory::columns;
use crate::memory::size::{LIST, SPREAD, Size, bytes};
use crate::tree_shap::{block_bytes, tree_bytes};

/// How many times as deep trees are as those whose splits are even.
const UNEVEN: f64 = 1.5;

/// The numbers that sizes depend on.
pub(super) struct Table {
    pub(super) rows: f64,
    columns: f64,
    /// What importances are given for.
    groups: f64,
    /// Columns of levels.
    categorical: f64,
    /// Levels of the column with most.
    levels: f64,
    classes: Option<f64>,
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
            is_weighted: data.weights().is_some(),
        }
    }

    /// Bytes of a node's value: a number, or one for every class.
    fn value(&self) -> f64 {
        8.0 * self.classes.unwrap_or(1.0)
    }

    fn tree_shape(&self, rows: f64, nodes: f64) -> TreeShape {
        let outputs = self.classes.unwrap_or(1.0);
        TreeShape { rows, nodes, columns: self.columns, groups: self.groups, outputs }
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
        arranged + scored + 100.0 * present + of_classes + drawn + 12.0 * self.columns
    }

    /// What a thread holds while it looks at the rows and nodes of one tree.
    pub(super) fn looking(&self, rows: f64, nodes: f64, measures: &[Measure]) -> f64 {
        let of_measure = |measure: &Measure| {
            // Of a tree by degree, and means and squares over trees; paths of random splits are
            // about four times as long as in a tree whose splits are even.
            let highest = (4.0 * nodes.max(2.0).log2()).min(self.groups);
            let degrees = if measure.settings().by_degree { 3.0 * highest } else { 0.0 };
            // Of a tree, means, squares and both orders over trees; and what every group explains of the
            // in-bag rows, with their cells.
            let pairs = if measure.settings().second_order {
                28.0 * self.groups * self.groups + self.rows * (self.groups * self.value() + 16.0)
            } else {
                0.0
            };
            let importances = 8.0 * self.columns * (1.0 + n_repeats(measure) + degrees) + pairs;
            // Those that explain rows by all trees have their part in `explaining`.
            let walked = if measure.explains_rows() {
                0.0
            } else {
                measure.id().thread_bytes(&self.tree_shape(self.rows, nodes))
            };
            if !measure.id().info().needs.contains(&Requirement::OutOfBagRows) {
                return importances + 4.0 * nodes + walked;
            }
            // Losses of rows and leaves, donors, rows that go down, first uses.
            let per_node = 16.0 + self.value();
            let of_rows = 12.0 * self.rows + 12.0 * rows;
            importances + of_rows + nodes * per_node + 17.0 * self.levels + walked
        };
        // Measures share the codes of out-of-bag rows.
        let copied = measures.iter().map(|measure| measure.n_rows_copied(rows, self.rows));
        // Slices of nodes, depths; rows with the tree's predictions, until its turn comes.
        12.0 * nodes
            + rows * (4.0 + 2.0 * (12.0 + self.value()))
            + 4.0 * self.columns * copied.fold(0.0, f64::max)
            + measures.iter().map(of_measure).sum::<f64>()
    }

    /// What a thread holds for measures that grow every tree again.
    pub(super) fn growing_again(
        &self,
        settings: &Settings,
        bag: Expected,
        nodes: f64,
        measures: &[Measure],
    ) -> f64 {
        let of_measure = |measure: &Measure| {
            // Columns and their shadows, and who shows whose cells.
            let is_shadowed = measure.id().info().facts.grows_shadows;
            let (factor, donors) = if is_shadowed { (2, 8.0 * self.rows) } else { (1, 0.0) };
            let settings = Settings { subspace: factor * settings.subspace, ..settings.clone() };
            let level_sets = self.level_sets(&settings, bag, nodes);
            self.growing(&settings, bag) + nodes * self.growing_node() + level_sets + donors
        };
        let refit =
            measures.iter().filter(|measure| measure.id().info().effort == CostClass::Refits);
        refit.map(of_measure).sum()
    }

    /// What measures keep of altered predictions, of trees with so many out-of-bag rows and nodes.
    pub(super) fn altered(
        &self,
        n_trees: f64,
        out_of_bag: f64,
        nodes: f64,
        measures: &[Measure],
    ) -> f64 {
        let outputs = self.classes.unwrap_or(1.0);
        // Paths are about twice as long as in a tree whose splits are even.
        let asked = (2.0 * nodes.max(2.0).log2()).min(self.groups);
        let sums = |(groups, asked): (f64, f64), width: f64| {
            if is_dense(self.rows as usize, groups as usize, width as usize) {
                return 8.0 * self.rows * groups * width;
            }
            // A row meets the variables on its paths. Lists have room to grow.
            let met = (n_trees * out_of_bag / self.rows * asked).min(groups);
            self.rows * (2.0 * LIST + 2.0 * met * (4.0 + 8.0 * width))
        };
        let of_measure = |kept: KeptAltered| {
            let (groups, asked) = kept.sets.map_or((self.groups, asked), |sets| (sets, sets));
            let sums = |width: f64| sums((groups, asked), width);
            let variances = if kept.has_variances { 1.0 } else { 0.0 };
            let changes = asked * (8.0 + 8.0 * (outputs + variances));
            let tree = out_of_bag * (4.0 + 8.0 * outputs + changes);
            let trees = if kept.keeps_trees {
                (n_trees * tree).min(MOST_KEPT as f64) + n_trees * (8.0 * groups + LIST)
            } else {
                0.0
            };
            // Predictions, what they miss, and sums of their own.
            let predictions = self.rows * (12.0 + 3.0 * self.value());
            kept.repeats * sums(outputs) + variances * sums(1.0) + trees + predictions
        };
        let shape = self.tree_shape(self.rows, nodes);
        let kept = measures.iter().map(|measure| measure.id().kept_bytes(&shape, n_trees));
        let altered = measures.iter().filter_map(Measure::keeps_altered).map(of_measure);
        altered.chain(kept).sum()
    }

    /// The largest of what measures on test rows hold, all threads together.
    pub(super) fn held_out(
        &self,
        measures: &[Measure],
        n_trees: f64,
        n_nodes: f64,
        n_threads: f64,
    ) -> f64 {
        let of_measure = |measure: &Measure| {
            let looks_at_test = measure.id().info().needs.contains(&Requirement::TestRows);
            let test = measure.settings().test.as_ref().filter(|_| looks_at_test)?;
            let (rows, value) = (test.n_rows() as f64, self.value());
            // All trees in codes of the test rows, and what their nodes vote for; the table in
            // ranks; cells of codes, and shares of donors.
            let common = n_nodes * (size_of::<RankedNode>() as f64 + value)
                + columns::ranks(test)
                + rows * self.columns * (8.0 + 16.0);
            // A row changes its leaf a few times on the way down every tree; sums of donors.
            let depth = 2.0 * (n_nodes / n_trees).max(2.0).log2();
            // Several rows walk together, fewer where they hold sums for many donors.
            let several = self.groups - self.columns;
            let points = rows * (self.categorical + several.max(0.0));
            let together = rows_at_a_time(points as usize, self.classes.unwrap_or(1.0) as usize);
            let row = n_trees * 3.0 * depth * (12.0 + value)
                + rows * 3.0 * (8.0 + value)
                + points * (8.0 + value)
                + 32.0 * self.columns;
            let thread = together as f64 * row;
            // Donors and scores of permuted rows.
            let at_a_time = 12.0 * MOST_AT_A_TIME as f64;
            let permuted = at_a_time.min(12.0 * n_repeats(measure) * rows * self.columns);
            Some(common + n_threads * thread + permuted)
        };
        measures.iter().filter_map(of_measure).fold(0.0, f64::max)
    }

    /// The largest of what measures that explain rows hold, all threads together.
    pub(super) fn explaining(
        &self,
        measures: &[Measure],
        n_trees: f64,
        n_nodes: f64,
        n_threads: f64,
    ) -> f64 {
        if !measures.iter().any(Measure::explains_rows) {
            return 0.0;
        }
        // All trees in codes, what their nodes vote for, and shares of nodes.
        let common = n_nodes * (size_of::<RankedNode>() as f64 + self.value() + 8.0);
        let tests = measures.iter().filter_map(|measure| measure.settings().test.as_ref());
        let (rows, tables) = tests.fold((self.rows, 0.0), |(rows, tables), test| {
            (rows.max(test.n_rows() as f64), tables + columns::ranks(test))
        });
        let width = self.columns * self.classes.unwrap_or(1.0);
        let mut thread = block_bytes(rows, width) + tree_bytes(n_nodes / n_trees, width);
        let mut behind: f64 = 0.0;
        for measure in measures.iter().filter(|measure| measure.explains_rows()) {
            thread += measure.id().thread_bytes(&self.tree_shape(rows, n_nodes / n_trees));
            if measure.id().info().takes(MeasureOption::Background) {
                // The trees again, in the codes of the background rows, and these.
                let MeasureSettings { background, background_rows, .. } = measure.settings();
                let drawn = background_rows.unwrap_or(BACKGROUND).min(self.rows as usize);
                let n_rows = background.as_ref().map_or(drawn, |rows| rows.n_rows());
                behind = behind.max(common + 20.0 * n_rows as f64 * self.columns);
            }
        }
        common + behind + tables + n_threads * thread
    }

    /// What does not depend on how trees are grown.
    pub(super) fn measuring(&self, data: &Dataset, n_trees: f64, measures: &[Measure]) -> Size {
        // Sums, weights and counts; of two classes, all rows are then sorted by their scores.
        let scores = if self.classes == Some(2.0) { 36.0 } else { 0.0 };
        let predictions = self.rows * (12.0 + self.value() + scores);
        let confusion = 16.0 * self.classes.map_or(0.0, |classes| classes * classes);
        // The codes row by row, for measures that copy rows.
        let copies = measures.iter().any(|m| m.n_rows_copied(1.0, 1.0) > 0.0);
        let row_codes = if copies { 4.0 * self.rows * self.columns } else { 0.0 };
        Size {
            table: bytes(columns::cells(data)),
            ranks: bytes(columns::ranks(data) + row_codes),
            out_of_bag: bytes(predictions + confusion),
            per_tree: bytes(SPREAD * measures.len() as f64 * n_trees * (8.0 * self.columns + LIST)),
            ..Size::default()
        }
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
        Response::Regression(_) | Response::Classification(_) => bag.rows,
    };
    let deepest = match settings.splitting {
        Splitting::Multiway => f64::INFINITY,
        Splitting::Best | Splitting::RandomThreshold | Splitting::Conditional => {
            2.0_f64.powf(settings.max_depth.min(1000) as f64)
        }
    };
    runs.min(bag.draws / least).min(2.5 * bag.draws / (ends_at + 1.0)).min(deepest).max(1.0)
}

fn n_repeats(measure: &Measure) -> f64 {
    match measure.settings().permutations {
        Permutations::Random(repeats) => f64::from(repeats),
        Permutations::Exact | Permutations::Given(_) => 0.0,
    }
}

/// A tree without its nodes, and its bag: two bytes for every row.
pub(super) fn tree_and_bag(rows: f64) -> f64 {
    (size_of::<Tree>() + size_of::<Bag>()) as f64 + 6.0 * LIST + 2.0 * rows
}
