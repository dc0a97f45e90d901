//! Local measures that add up amounts of the nodes on a row's path, by the variable that led there,
//! and over trees.

use std::borrow::Cow;
use std::ops::Range;

use crate::data::Column;
use crate::error::Error;
use crate::explain::arrivals::{Arrivals, Steps, Way, leaves_before};
use crate::explain::curves::{bags, wanted};
use crate::explain::{ExplanationSettings, Layout, Local, Shape, Sink, ToExplain};
use crate::forest::{Bag, Forest, TOGETHER, Tree, Walk, align, rows_at_a_time};
use crate::monitor::Monitor;
use crate::shapley::Sums;
use crate::threads::{Threads, ordered};

/// Most sums of rows that go together.
const MOST_SUMS: usize = 1 << 20;

/// What the nodes of a tree add.
pub(super) struct Amounts {
    /// One per node and output, for the step that leads to it; those of the root are not used.
    pub(super) steps: Vec<f64>,
    /// What the steps to a node add up to.
    pub(super) sums: Option<Known>,
}

/// What is known of sums without adding up.
pub(super) struct Known {
    /// One per node and output.
    pub(super) sums: Vec<f64>,
    /// The size of the numbers whose differences these are.
    pub(super) spread: f64,
}

/// The amounts of a tree.
type OfTree = Box<dyn Fn(&Tree) -> Amounts + Send + Sync>;

/// Rows on their ways through all trees. Cost of a run: that of predicting the rows, and the
/// numbers written.
pub(super) struct AlongPaths<'a> {
    measure: &'static str,
    forest: &'a Forest,
    columns: Vec<Cow<'a, Column>>,
    /// Bags, where only trees that did not see a row explain it.
    bags: Option<&'a [Bag]>,
    amounts: OfTree,
    /// What values are counted from, if they add up.
    base: Option<Vec<f64>>,
    /// Of every variable, its place in a record; that of those not wanted is behind the others.
    places: Vec<usize>,
    layout: Layout,
}

/// The amounts of a tree, and where there are several outputs, the order of its leaves.
struct Ordered {
    amounts: Amounts,
    leaves_before: Vec<u32>,
    n_leaves: usize,
}

/// Working memory of a thread: rows on their way down one tree.
#[derive(Default)]
struct Down {
    nodes: Vec<u32>,
    arrivals: Arrivals,
    way: Way,
}

/// Sums of the rows of a block.
struct Block {
    first_row: usize,
    /// By row, place and output.
    sums: Vec<f64>,
    n_trees: Vec<u32>,
    /// By row and output, what is known of all sums; by row, the spreads.
    known: Vec<f64>,
    spreads: Vec<f64>,
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
        amounts: impl Fn(&Tree) -> Vec<f64> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        if subject.forest.trees().iter().any(|tree| tree.statistics().is_none()) {
            return Err(Error::Measure {
                measure,
                why: "needs the in-bag rows of the nodes, which this forest does not name"
                    .to_owned(),
                help: "write the bags into the file, and read it with its training data".to_owned(),
            });
        }
        let amounts = Box::new(move |tree: &Tree| Amounts { steps: amounts(tree), sums: None });
        Self::of_outputs(measure, settings, subject, (None, amounts))
    }

    /// A measure with a number per row, variable and output, that add up to the prediction, which
    /// the forest makes of its trees; `expected` is what they are counted from.
    ///
    /// # Errors
    /// As [`Forest::explainer`].
    pub(super) fn adding_up(
        measure: &'static str,
        settings: &ExplanationSettings,
        subject: ToExplain<'a>,
        (expected, amounts): (Vec<f64>, OfTree),
    ) -> Result<Self, Error> {
        Self::of_outputs(measure, settings, subject, (Some(expected), amounts))
    }

    fn of_outputs(
        measure: &'static str,
        settings: &ExplanationSettings,
        subject: ToExplain<'a>,
        (base, amounts): (Option<Vec<f64>>, OfTree),
    ) -> Result<Self, Error> {
        settings.validate()?;
        let ToExplain { forest, training, rows } = subject;
        let bags = if settings.out_of_bag {
            Some(bags((measure, "leave out `--out-of-bag`"), subject)?)
        } else {
            None
        };
        let wanted = wanted(forest, &settings.variables)?;
        let mut places = vec![wanted.len(); forest.features().len()];
        wanted.iter().enumerate().for_each(|(place, &feature)| places[feature] = place);
        let rows = rows.features(training);
        let layout = Layout {
            variables: wanted.iter().map(|&index| forest.features()[index].name.clone()).collect(),
            classes: base.as_ref().and_then(|_| forest.target().classes.clone()),
            shape: Shape::Values(wanted.len()),
            is_mean: false,
            n_rows: rows.n_rows(),
        };
        let columns = align(rows, forest.features())?;
        Ok(Self { measure, forest, columns, bags, amounts, base, places, layout })
    }

    /// Records of a block of rows, one after the other.
    fn block(
        &self,
        rows: Range<usize>,
        trees: &[Ordered],
        ((own, down), monitor): (&mut (Vec<u32>, Down), &Monitor),
    ) -> Result<Vec<f64>, Error> {
        let n_outputs = self.layout.n_outputs();
        let all = rows.start as u32..rows.end as u32;
        own.clear();
        own.extend(all.clone());
        let mut block = Block {
            first_row: rows.start,
            sums: vec![0.0; rows.len() * self.stride()],
            n_trees: vec![0; rows.len()],
            known: vec![0.0; rows.len() * n_outputs],
            spreads: vec![0.0; rows.len()],
        };
        for (index, ordered) in trees.iter().enumerate() {
            monitor.check()?;
            if let Some(bags) = self.bags {
                let counts = bags[index].counts();
                own.clear();
                own.extend(all.clone().filter(|&row| counts[row as usize] == 0));
            }
            self.add_tree((index, ordered), own, &mut block, down);
        }
        self.finish(&block)
    }

    /// Numbers of a row: what is not wanted is added to one more variable, which costs less than to
    /// decide.
    fn stride(&self) -> usize {
        self.layout.n_values() + self.layout.n_outputs()
    }

    /// Sends rows down a tree. One number is added at every step; several numbers cost less where they
    /// are added up along the way to a leaf, once for its rows.
    fn add_tree(
        &self,
        (index, ordered): (usize, &Ordered),
        rows: &[u32],
        block: &mut Block,
        down: &mut Down,
    ) {
        let tree = &self.forest.trees()[index];
        let walk = Walk::new(self.forest, &self.columns);
        let (n_outputs, stride) = (self.layout.n_outputs(), self.stride());
        let amounts = &ordered.amounts;
        down.nodes.clear();
        down.nodes.resize(rows.len(), 0);
        let first_row = block.first_row;
        let at = |row: u32| row as usize - first_row;
        for (nodes, rows) in down.nodes.chunks_mut(TOGETHER).zip(rows.chunks(TOGETHER)) {
            let row_of = |place: usize| rows[place] as usize;
            if n_outputs == 1 {
                walk.descend(tree, row_of, nodes, |place, split, child| {
                    let place = at(rows[place]) * stride + self.places[split.feature as usize];
                    block.sums[place] += amounts.steps[child as usize];
                });
            } else {
                walk.descend(tree, row_of, nodes, |_, _, _| {});
            }
        }
        if n_outputs > 1 {
            self.add_by_leaf((tree, ordered), rows, block, down);
        }
        for (&node, &row) in down.nodes.iter().zip(rows) {
            let at = at(row);
            block.n_trees[at] += 1;
            if let Some(known) = &amounts.sums {
                let known_sums = &known.sums[node as usize * n_outputs..][..n_outputs];
                let sums = &mut block.known[at * n_outputs..][..n_outputs];
                sums.iter_mut().zip(known_sums).for_each(|(sum, known)| *sum += known);
                block.spreads[at] += known.spread;
            }
        }
    }

    /// Adds the amounts of the ways of rows whose leaves are known.
    fn add_by_leaf(
        &self,
        (tree, ordered): (&Tree, &Ordered),
        rows: &[u32],
        block: &mut Block,
        down: &mut Down,
    ) {
        let (n_outputs, stride) = (self.layout.n_outputs(), self.stride());
        let Ordered { amounts, leaves_before, n_leaves } = ordered;
        let leaves = down.nodes.iter().map(|&node| leaves_before[node as usize]);
        down.arrivals.sort(leaves, *n_leaves);
        down.way.begin(*n_leaves, (stride / n_outputs, n_outputs));
        let of = Steps { tree, leaves_before, amounts: &amounts.steps, places: &self.places };
        let mut last = u32::MAX;
        for (leaf, row) in down.arrivals.iter() {
            if leaf != last {
                last = leaf;
                down.way.go_to(leaf, of);
            }
            let at = rows[row] as usize - block.first_row;
            down.way.add_to(&mut block.sums[at * stride..][..stride]);
        }
    }

    /// Checks sums, and divides them by what the forest divides by.
    fn finish(&self, block: &Block) -> Result<Vec<f64>, Error> {
        let (n_values, n_outputs) = (self.layout.n_values(), self.layout.n_outputs());
        let mut records = Vec::with_capacity(block.n_trees.len() * n_values);
        for (at, sums) in block.sums.chunks_exact(self.stride()).enumerate() {
            if self.base.is_some() {
                let (measure, row) = (self.measure, block.first_row + at);
                let known = &block.known[at * n_outputs..][..n_outputs];
                Sums { measure, row, known, spread: block.spreads[at] }.check(sums)?;
            }
            let n_trees = f64::from(block.n_trees[at]);
            let divisor = match self.base {
                Some(_) => self.forest.aggregation().divisor(n_trees),
                None => n_trees,
            };
            // Without trees, 0 / 0 is what is not defined.
            records.extend(sums[..n_values].iter().map(|sum| sum / divisor));
        }
        Ok(records)
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

    fn run(&self, (threads, monitor): (Threads, &Monitor), each: Sink<'_>) -> Result<(), Error> {
        let trees = self.forest.trees();
        let mut known = Vec::with_capacity(trees.len());
        ordered(
            trees.len(),
            threads,
            monitor,
            || (),
            |index, ()| {
                let tree = &trees[index];
                let (amounts, n_leaves) = ((self.amounts)(tree), tree.n_leaves());
                let is_one = self.layout.n_outputs() == 1;
                let leaves_before = if is_one { Vec::new() } else { leaves_before(tree) };
                Ok(Ordered { amounts, leaves_before, n_leaves })
            },
            |_, found| known.push(found),
        )?;
        let (n_rows, n_values) = (self.layout.n_rows, self.layout.n_values());
        let n_together =
            rows_at_a_time(n_rows, threads).min(MOST_SUMS / self.stride()).max(TOGETHER);
        ordered(
            n_rows.div_ceil(n_together),
            threads,
            monitor,
            Default::default,
            |block, working| {
                let rows = block * n_together..n_rows.min((block + 1) * n_together);
                self.block(rows, &known, (working, monitor))
            },
            |block, records: Vec<f64>| {
                let records = records.chunks_exact(n_values);
                (block * n_together..).zip(records).for_each(|(row, record)| each(row, record));
            },
        )
    }
}
