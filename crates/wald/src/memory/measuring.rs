//! What measures hold, as formulas of the numbers that it depends on.

use crate::counterfactual::rows_at_a_time;
use crate::data::Dataset;
use crate::forest::{Expected, RankedNode, Settings};
use crate::measure::kernel::altered_predictions::MOST_KEPT;
use crate::measure::kernel::row_sums::is_dense;
use crate::measure::{
    BACKGROUND, CostClass, KeptAltered, MOST_AT_A_TIME, Measure, MeasureOption, MeasureSettings,
    Permutations, Requirement,
};
use crate::memory::columns;
use crate::memory::size::{LIST, SPREAD, Size, bytes};
use crate::memory::table::Table;
use crate::tree_shap::{block_bytes, tree_bytes};

impl Table {
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
        let outputs = self.outputs;
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
            let together = rows_at_a_time(points as usize, self.outputs as usize);
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
        let width = self.columns * self.outputs;
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

fn n_repeats(measure: &Measure) -> f64 {
    match measure.settings().permutations {
        Permutations::Random(repeats) => f64::from(repeats),
        Permutations::Exact | Permutations::Given(_) => 0.0,
    }
}
