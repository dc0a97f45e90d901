//! LMDI+: what the columns of each variable add to the regressions of MDI+ (Liang et al. 2025).

use std::borrow::Cow;
use std::ops::Range;

use crate::data::{Column, ColumnData, Dataset, Training};
use crate::error::Error;
use crate::explain::curves::wanted;
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, Layout, Local, Shape, Sink, ToExplain,
    UNITS_OF_PREDICTION,
};
use crate::forest::{Forest, RankedTree, Router, Tree, Walk, align, aligned_training};
use crate::measure::references::{AGARWAL_2023, LIANG_2025};
use crate::measure::{Measure, MeasureId};
use crate::run::{Run, Threads};
use crate::stump_ridge::{Design, fit, responses};
use crate::threads::ordered;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "mdi_plus",
    name: "Local MDI+ (LMDI+)",
    estimand: "What the columns of a variable add to the prediction for a row by the regressions of \
               mdi_plus, all rows taken in, compared with these columns at their means; averaged \
               over trees. All values and the mean response add up to the mean prediction of the \
               regressions, which is not that of the forest",
    caveat: "Explains the regressions on the forest's splits, not the forest. Dependent variables \
             share credit as the regression divides it; levels have no column of their own besides \
             their splits",
    unit: UNITS_OF_PREDICTION,
    source: "Liang et al. 2025, with ridge regression, as mdi_plus",
    references: &[LIANG_2025, AGARWAL_2023],
    cost: "the regressions of mdi_plus, and one pass of the rows through the forest",
    options: &[ExplanationOption::Variables],
    regression_losses: &[],
    classification_losses: &[],
};

/// Rows that go through all trees together.
const MOST_ROWS: usize = 1024;

struct LocalMdiPlus<'a> {
    forest: &'a Forest,
    training: &'a Dataset,
    columns: Vec<Cow<'a, Column>>,
    wanted: Vec<usize>,
    layout: Layout,
}

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    let ToExplain { forest, training, rows } = subject;
    // The same regressions, thus the same needs.
    Measure::from(MeasureId::MdiPlus).check(forest)?;
    let wanted = wanted(forest, &settings.variables)?;
    let rows = rows.features(training);
    let shape = Shape::Values(wanted.len());
    let layout = Layout::of_rows(forest, &wanted, shape, rows.n_rows());
    let columns = align(rows, forest.features())?;
    Ok(Box::new(LocalMdiPlus { forest, training, columns, wanted, layout }))
}

/// The regressions of one tree, as what steps and values add; nothing for a tree without splits.
#[derive(Debug, Default)]
struct OfTree {
    /// By node and output, what the step to it adds.
    steps: Vec<f64>,
    /// By node, the one above, and the variable of the split there.
    above: Vec<(u32, u32)>,
    /// By variable and output, what the stumps add on average.
    means: Vec<f64>,
    /// By variable and output, what a value that is larger by 1 adds.
    slopes: Vec<f64>,
    /// By variable, the mean of the values.
    centres: Vec<f64>,
}

/// The sums over trees of what does not depend on the nodes that rows pass.
#[derive(Debug)]
struct Sums {
    means: Vec<f64>,
    slopes: Vec<f64>,
    /// The same for all trees, which look at all rows.
    centres: Vec<f64>,
}

impl OfTree {
    fn new(forest: &Forest, index: usize, training: &Training) -> Self {
        let tree = &forest.trees()[index];
        let ranked = &RankedTree::bind(tree, training.features(), forest.float32_inputs());
        let (features, known_levels) = (training.features(), training.known_levels());
        let router = Router { tree, ranked, features, known_levels };
        let Some(design) = Design::new(&router, training) else { return Self::default() };
        let fits = fit(&design, &responses(training, &design));
        let n_outputs = training.n_outputs();
        // Of two classes, one is the mirror image of the other.
        let by_output = |of_fit: &dyn Fn(usize) -> f64| -> Vec<f64> {
            if fits.len() == n_outputs {
                (0..n_outputs).map(of_fit).collect()
            } else {
                vec![of_fit(0), -of_fit(0)]
            }
        };
        let n_features = forest.features().len();
        let mut found = Self {
            steps: vec![0.0; tree.n_nodes() * n_outputs],
            above: vec![(0, 0); tree.n_nodes()],
            means: vec![0.0; n_features * n_outputs],
            slopes: vec![0.0; n_features * n_outputs],
            centres: vec![0.0; n_features],
        };
        for (node, split) in tree.splits() {
            tree.children(split)
                .for_each(|child| found.above[child] = (node as u32, split.feature));
        }
        for (at, stump) in design.stumps.iter().enumerate() {
            for (child, value) in (stump.first_child..).zip(stump.values) {
                let added = by_output(&|output| fits[output].stumps[at] * value);
                found.steps[child * n_outputs..][..n_outputs].copy_from_slice(&added);
            }
        }
        let at_means: Vec<Vec<f64>> = fits.iter().map(|fit| fit.at_means(&design)).collect();
        for (place, &feature) in design.features.iter().enumerate() {
            let means = by_output(&|output| at_means[output][place]);
            found.means[feature as usize * n_outputs..][..n_outputs].copy_from_slice(&means);
        }
        for (at, raw) in design.raw.iter().enumerate() {
            let feature = design.features[raw.place] as usize;
            let slopes = by_output(&|output| fits[output].border[at] * raw.scale);
            found.slopes[feature * n_outputs..][..n_outputs].copy_from_slice(&slopes);
            found.centres[feature] = raw.mean;
        }
        found
    }
}

impl Sums {
    fn new(n_features: usize, n_outputs: usize) -> Self {
        let zeros = vec![0.0; n_features * n_outputs];
        Self { means: zeros.clone(), slopes: zeros, centres: vec![0.0; n_features] }
    }

    fn add(&mut self, tree: &OfTree) {
        self.means.iter_mut().zip(&tree.means).for_each(|(sum, mean)| *sum += mean);
        self.slopes.iter_mut().zip(&tree.slopes).for_each(|(sum, slope)| *sum += slope);
        for (centre, of_tree) in self.centres.iter_mut().zip(&tree.centres) {
            // A tree that does not split on the variable has none.
            if *of_tree != 0.0 {
                *centre = *of_tree;
            }
        }
    }
}

impl LocalMdiPlus<'_> {
    /// Records of consecutive rows.
    fn block(&self, rows: Range<usize>, trees: &[OfTree], sums: &Sums) -> Vec<f64> {
        let n_outputs = self.layout.n_outputs();
        let n_features = self.forest.features().len();
        let mut values = vec![0.0; rows.len() * n_features * n_outputs];
        let mut leaves = vec![0; rows.len()];
        let walk = Walk::of_rows(self.forest, self.forest.trees(), &self.columns, rows.clone());
        for (tree, of_tree) in self.forest.trees().iter().zip(trees) {
            if of_tree.steps.is_empty() {
                continue;
            }
            walk.leaves(tree, rows.start, &mut leaves);
            for (&leaf, values) in
                leaves.iter().zip(values.chunks_exact_mut(n_features * n_outputs))
            {
                let mut node = leaf as usize;
                while node > 0 {
                    let (above, feature) = of_tree.above[node];
                    let steps = &of_tree.steps[node * n_outputs..][..n_outputs];
                    let values = &mut values[feature as usize * n_outputs..][..n_outputs];
                    values.iter_mut().zip(steps).for_each(|(value, step)| *value += step);
                    node = above as usize;
                }
            }
        }
        let n_trees = trees.len() as f64;
        let mut records = Vec::with_capacity(rows.len() * self.layout.n_values());
        for (row, values) in rows.zip(values.chunks_exact(n_features * n_outputs)) {
            for &feature in &self.wanted {
                let deviation = match self.columns[feature].data() {
                    ColumnData::Numeric(values) if !values[row].is_nan() => {
                        values[row] - sums.centres[feature]
                    }
                    ColumnData::Numeric(_) | ColumnData::Categorical(_) => 0.0,
                };
                let of_feature = feature * n_outputs..(feature + 1) * n_outputs;
                let means = &sums.means[of_feature.clone()];
                let slopes = &sums.slopes[of_feature.clone()];
                for ((value, mean), slope) in values[of_feature].iter().zip(means).zip(slopes) {
                    records.push((value - mean + slope * deviation) / n_trees);
                }
            }
        }
        records
    }
}

impl Local for LocalMdiPlus<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What is known of all trees, and the sums of the rows that go together.
    fn working_bytes(&self, threads: Threads) -> u64 {
        let n_nodes: usize = self.forest.trees().iter().map(Tree::n_nodes).sum();
        let width = self.forest.features().len() * self.layout.n_outputs();
        let of_trees = 8 * n_nodes * (self.layout.n_outputs() + 1);
        (of_trees
            + 8 * self.forest.trees().len() * 2 * width
            + 16 * threads.get() * MOST_ROWS * width) as u64
    }

    fn run(&self, run: &Run, each: Sink<'_>) -> Result<(), Error> {
        let training = &aligned_training(self.forest, self.training, run.threads)?;
        let n_trees = self.forest.trees().len();
        let mut trees = Vec::with_capacity(n_trees);
        let mut sums = Sums::new(self.forest.features().len(), self.layout.n_outputs());
        ordered(
            n_trees,
            run,
            || (),
            |index, ()| Ok(OfTree::new(self.forest, index, training)),
            |_, tree: OfTree| {
                sums.add(&tree);
                trees.push(tree);
            },
        )?;
        let (n_rows, n_values) = (self.layout.n_rows, self.layout.n_values());
        ordered(
            n_rows.div_ceil(MOST_ROWS),
            run,
            || (),
            |block, ()| {
                let rows = block * MOST_ROWS..n_rows.min((block + 1) * MOST_ROWS);
                Ok(self.block(rows, &trees, &sums))
            },
            |block, records: Vec<f64>| {
                let records = records.chunks_exact(n_values);
                (block * MOST_ROWS..).zip(records).for_each(|(row, record)| each(row, record));
            },
        )
    }
}
