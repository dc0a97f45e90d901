//! Local measures that add up amounts of the nodes on a row's path, by the variable that led there,
//! and over trees.
//!
//! The rows of a block go through a tree branch by branch, so that a node is read once for all rows
//! that reach it, and the rows of a leaf share their path (`path_sums.rs`).

use std::borrow::Cow;
use std::ops::Range;

use crate::data::Column;
use crate::error::Error;
use crate::explain::curves::{bags, wanted, without_out_of_bag};
use crate::explain::path_sums::{PathSums, Steps, TreeSteps};
use crate::explain::{ExplanationSettings, Layout, Local, Shape, Sink, ToExplain};
use crate::forest::{Bag, Forest, Node, Tree, Walk, align};
use crate::run::{Progress, Run};
use crate::threads::ordered;
use crate::tree_shap::Sums;

/// Most rows that go together: the more, the more of them share a step.
const MOST_ROWS: usize = 16_384;

/// Most sums of rows that go together.
const MOST_SUMS: usize = 1 << 20;

/// What the steps of a tree add.
type OfTree = Box<dyn Fn(&Tree) -> Steps + Send + Sync>;

/// Rows on their ways through all trees. Cost of a run: that of predicting the rows, and the
/// numbers written.
pub(super) struct AlongPaths<'a> {
    measure: &'static str,
    forest: &'a Forest,
    columns: Vec<Cow<'a, Column>>,
    /// Bags, where only trees that did not see a row explain it.
    bags: Option<&'a [Bag]>,
    steps: OfTree,
    /// What values are counted from, if they add up.
    base: Option<Vec<f64>>,
    /// Of every variable, its place in a record; that of those not wanted is behind the others.
    places: Vec<u32>,
    layout: Layout,
}

/// What is known of a tree before rows go down.
struct Known {
    steps: Steps,
    /// The size of the numbers whose differences the steps are.
    spread: f64,
}

/// Working memory of a thread.
#[derive(Default)]
struct Working<const N: usize> {
    /// The rows of the tree, counted from the first one of the block.
    rows: Vec<u32>,
    pending: Vec<Pending>,
    path: PathSums<N>,
    /// By row of the block, place and output; then, where values add up, what to.
    sums: Vec<f64>,
    /// By row of the block, where not all trees explain it.
    n_trees: Vec<u32>,
    spreads: Vec<f64>,
}

/// A node that rows have been sent to, and how many steps lead to the one above.
#[derive(Debug, Clone, Copy)]
struct Pending {
    node: u32,
    start: u32,
    end: u32,
    place: u32,
    n_steps: u32,
}

impl<'a> AlongPaths<'a> {
    /// A measure with one number per row and variable, the mean over trees.
    ///
    /// # Errors
    /// As [`Forest::explainer`], and [`Error::Measure`] for a forest whose nodes know nothing of
    /// their in-bag rows.
    pub(super) fn new(
        measure: &'static str,
        settings: &ExplanationSettings,
        subject: ToExplain<'a>,
        numbers: impl Fn(&Tree) -> Vec<f64> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        if subject.forest.trees().iter().any(|tree| tree.statistics().is_none()) {
            return Err(Error::measure(
                measure,
                "needs the in-bag rows of the nodes, which this forest does not name",
                "write the bags into the file, and read it with its training data",
            ));
        }
        let steps = Box::new(move |tree: &Tree| Steps::Numbers(numbers(tree)));
        Self::of_outputs(measure, settings, subject, None, steps)
    }

    /// A measure with a number per row, variable and output: by how much node predictions change at
    /// the steps of a path. They add up to the prediction; `expected` is what they are counted from.
    ///
    /// # Errors
    /// As [`Forest::explainer`].
    pub(super) fn adding_up(
        measure: &'static str,
        settings: &ExplanationSettings,
        subject: ToExplain<'a>,
        expected: Vec<f64>,
    ) -> Result<Self, Error> {
        let aggregation = subject.forest.aggregation();
        let steps = Box::new(move |_: &Tree| Steps::Predictions(aggregation));
        Self::of_outputs(measure, settings, subject, Some(expected), steps)
    }

    fn of_outputs(
        measure: &'static str,
        settings: &ExplanationSettings,
        subject: ToExplain<'a>,
        base: Option<Vec<f64>>,
        steps: OfTree,
    ) -> Result<Self, Error> {
        let ToExplain { forest, training, rows } = subject;
        let bags = if settings.out_of_bag {
            Some(bags(measure, without_out_of_bag, subject)?)
        } else {
            None
        };
        let wanted = wanted(forest, &settings.variables)?;
        let mut places = vec![wanted.len() as u32; forest.features().len()];
        (0..).zip(&wanted).for_each(|(place, &feature)| places[feature] = place);
        let rows = rows.features(training);
        let shape = Shape::Values(wanted.len());
        let mut layout = Layout::of_rows(forest, &wanted, shape, rows.n_rows());
        layout.classes = layout.classes.filter(|_| base.is_some());
        let columns = align(rows, forest.features())?;
        Ok(Self { measure, forest, columns, bags, steps, base, places, layout })
    }

    /// Places of a record, and one more where not all variables are wanted: what is not wanted is
    /// added there, which costs less than to decide.
    fn n_places(&self) -> usize {
        let n_wanted = self.layout.variables.len();
        n_wanted + usize::from(n_wanted < self.places.len())
    }

    /// Numbers of a row.
    fn stride(&self) -> usize {
        (self.n_places() + usize::from(self.base.is_some())) * self.layout.n_outputs()
    }

    /// Records of a block of rows, one after the other.
    fn block<const N: usize>(
        &self,
        rows: Range<usize>,
        trees: &[Known],
        working: &mut Working<N>,
        progress: &Progress,
    ) -> Result<Vec<f64>, Error> {
        working.sums.clear();
        working.sums.resize(rows.len() * self.stride(), 0.0);
        working.n_trees.clear();
        working.n_trees.resize(rows.len(), 0);
        working.spreads.clear();
        working.spreads.resize(rows.len(), 0.0);
        for (index, known) in trees.iter().enumerate() {
            progress.check()?;
            working.rows.clear();
            let all = 0..rows.len() as u32;
            if let Some(bags) = self.bags {
                let counts = &bags[index].counts()[rows.clone()];
                working.rows.extend(all.filter(|&row| counts[row as usize] == 0));
            } else {
                working.rows.extend(all);
            }
            for &row in &working.rows {
                working.n_trees[row as usize] += 1;
                working.spreads[row as usize] += known.spread;
            }
            let tree = TreeSteps { tree: &self.forest.trees()[index], steps: &known.steps };
            self.add_tree(tree, rows.start, working);
        }
        self.finish(rows.start, working)
    }

    /// Sends rows down a tree, branch by branch, and adds the sums along the path to a leaf to those of
    /// its rows.
    fn add_tree<const N: usize>(
        &self,
        of: TreeSteps<'_>,
        first_row: usize,
        working: &mut Working<N>,
    ) {
        let tree = of.tree;
        let walk = Walk::new(self.forest, &self.columns);
        let Working { rows, pending, path, sums, .. } = working;
        path.begin(of, self.n_places(), self.layout.n_outputs());
        pending.clear();
        let mut next = (!rows.is_empty()).then_some((0, 0..rows.len()));
        loop {
            if next.is_none()
                && let Some(Pending { node, start, end, place, n_steps }) = pending.pop()
            {
                path.go_back_to(n_steps as usize);
                path.step(place, of, node as usize);
                next = Some((node as usize, start as usize..end as usize));
            }
            let Some((node, part)) = next.take() else { return };
            let Node::Split(split) = &tree.nodes()[node] else {
                path.add_to(&rows[part], sums);
                continue;
            };
            let (start, n_steps) = (part.start as u32, path.len() as u32);
            let place = self.places[split.feature as usize];
            walk.divide(tree, split, first_row, &mut rows[part], |node, part| {
                let (start, end) = (start + part.start as u32, start + part.end as u32);
                pending.push(Pending { node, start, end, place, n_steps });
            });
        }
    }

    /// Checks sums, and divides them by what the forest divides by.
    fn finish<const N: usize>(
        &self,
        first_row: usize,
        working: &Working<N>,
    ) -> Result<Vec<f64>, Error> {
        let (n_values, n_outputs) = (self.layout.n_values(), self.layout.n_outputs());
        let mut records = Vec::with_capacity(working.n_trees.len() * n_values);
        for (at, sums) in working.sums.chunks_exact(self.stride()).enumerate() {
            let (sums, known) = sums.split_at(self.n_places() * n_outputs);
            let n_trees = f64::from(working.n_trees[at]);
            let mut divisor = n_trees;
            if self.base.is_some() {
                let (measure, row) = (self.measure, first_row + at);
                Sums { measure, row, known, spread: working.spreads[at] }.check(sums)?;
                divisor = self.forest.aggregation().divisor(n_trees);
            }
            // Without trees, 0 / 0 is what is not defined.
            records.extend(sums[..n_values].iter().map(|sum| sum / divisor));
        }
        Ok(records)
    }

    /// Explains all rows.
    fn rows<const N: usize>(&self, run: &Run, each: Sink<'_>) -> Result<(), Error> {
        let trees = self.forest.trees();
        let mut known = Vec::with_capacity(trees.len());
        ordered(
            trees.len(),
            run,
            || (),
            |index, ()| {
                let steps = (self.steps)(&trees[index]);
                let spread = steps.spread(&trees[index]);
                Ok(Known { steps, spread })
            },
            |_, found| known.push(found),
        )?;
        let (n_rows, n_values) = (self.layout.n_rows, self.layout.n_values());
        let most_rows = MOST_ROWS.min(MOST_SUMS / self.stride()).max(1);
        let n_together = most_rows.min(n_rows.div_ceil(run.threads.get())).max(1);
        ordered(
            n_rows.div_ceil(n_together),
            run,
            Default::default,
            |block, working: &mut Working<N>| {
                let rows = block * n_together..n_rows.min((block + 1) * n_together);
                self.block(rows, &known, working, &run.progress)
            },
            |block, records: Vec<f64>| {
                let records = records.chunks_exact(n_values);
                (block * n_together..).zip(records).for_each(|(row, record)| each(row, record));
            },
        )
    }
}

impl Local for AlongPaths<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn expected_value(&self) -> Option<&[f64]> {
        // Rows that are explained by trees of their own have expectations of their own.
        self.base.as_deref().filter(|_| self.bags.is_none())
    }

    fn adds_up(&self) -> bool {
        self.base.is_some()
    }

    fn run(&self, run: &Run, each: Sink<'_>) -> Result<(), Error> {
        match self.layout.n_outputs() {
            1 => self.rows::<1>(run, each),
            2 => self.rows::<2>(run, each),
            3 => self.rows::<3>(run, each),
            4 => self.rows::<4>(run, each),
            5 => self.rows::<5>(run, each),
            _ => self.rows::<0>(run, each),
        }
    }
}
