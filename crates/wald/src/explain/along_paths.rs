//! Local measures that add up amounts of the nodes on a row's path, by the variable that led there,
//! and take the mean over trees.

use std::borrow::Cow;
use std::ops::Range;

use crate::data::Column;
use crate::error::Error;
use crate::explain::curves::{bags, wanted};
use crate::explain::{ExplanationSettings, Layout, Local, Rows, Shape, Sink, ToExplain};
use crate::forest::{Bag, Forest, TOGETHER, Tree, Walk, align, rows_at_a_time};
use crate::monitor::Monitor;
use crate::threads::{Threads, ordered};

/// Most sums of rows that go together.
const MOST_SUMS: usize = 1 << 20;

/// The amounts of a tree: one per node, for the step that leads to it; the root's is not used.
type Amounts = Box<dyn Fn(&Tree) -> Vec<f64> + Send + Sync>;

/// Rows on their ways through all trees. Cost of a run: that of predicting the rows, and the
/// numbers written.
pub(super) struct AlongPaths<'a> {
    forest: &'a Forest,
    columns: Vec<Cow<'a, Column>>,
    /// Bags, where only trees that did not see a row explain it.
    bags: Option<&'a [Bag]>,
    amounts: Amounts,
    /// Of every variable, its place in a record; that of those not wanted is behind the others.
    places: Vec<usize>,
    layout: Layout,
}

impl<'a> AlongPaths<'a> {
    /// A measure with one number per row and variable.
    ///
    /// # Errors
    /// As [`Forest::explainer`], and [`Error::Measure`] for a forest whose nodes know nothing of
    /// their in-bag rows.
    pub(super) fn new(
        measure: &'static str,
        settings: &ExplanationSettings,
        subject: ToExplain<'a>,
        amounts: Amounts,
    ) -> Result<Self, Error> {
        settings.validate()?;
        let ToExplain { forest, training, rows } = subject;
        if forest.trees().iter().any(|tree| tree.statistics().is_none()) {
            return Err(Error::Measure {
                measure,
                why: "needs the in-bag rows of the nodes, which this forest does not name"
                    .to_owned(),
                help: "write the bags into the file, and read it with its training data".to_owned(),
            });
        }
        let bags = if settings.out_of_bag {
            Some(bags((measure, "leave out `--out-of-bag`"), subject)?)
        } else {
            None
        };
        let wanted = wanted(forest, &settings.variables)?;
        let mut places = vec![wanted.len(); forest.features().len()];
        wanted.iter().enumerate().for_each(|(place, &feature)| places[feature] = place);
        let rows = match rows {
            Rows::Training => training.features(),
            Rows::Other(features) => features,
        };
        let layout = Layout {
            variables: wanted.iter().map(|&index| forest.features()[index].name.clone()).collect(),
            classes: None,
            shape: Shape::Values(wanted.len()),
            is_mean: false,
            n_rows: rows.n_rows(),
        };
        let columns = align(rows, forest.features())?;
        Ok(Self { forest, columns, bags, amounts, places, layout })
    }

    /// Records of a block of rows, one after the other.
    fn block(
        &self,
        rows: Range<usize>,
        amounts: &[Vec<f64>],
        (own, monitor): (&mut Vec<u32>, &Monitor),
    ) -> Result<Vec<f64>, Error> {
        let walk = Walk::new(self.forest, &self.columns);
        let n_values = self.layout.n_values();
        // What is not wanted is added to one more number, which costs less than to decide.
        let stride = n_values + 1;
        let mut sums = vec![0.0; rows.len() * stride];
        let mut n_trees = vec![0_u32; rows.len()];
        let all = rows.start as u32..rows.end as u32;
        own.clear();
        own.extend(all.clone());
        for (index, (tree, amounts)) in self.forest.trees().iter().zip(amounts).enumerate() {
            monitor.check()?;
            if let Some(bags) = self.bags {
                let counts = bags[index].counts();
                own.clear();
                own.extend(all.clone().filter(|&row| counts[row as usize] == 0));
            }
            for rows_together in own.chunks(TOGETHER) {
                let mut nodes = [0; TOGETHER];
                let start = |place: usize| rows_together[place] as usize - rows.start;
                walk.descend(
                    tree,
                    |place| rows_together[place] as usize,
                    &mut nodes[..rows_together.len()],
                    |place, split, child| {
                        let place = start(place) * stride + self.places[split.feature as usize];
                        sums[place] += amounts[child as usize];
                    },
                );
            }
            own.iter().for_each(|&row| n_trees[row as usize - rows.start] += 1);
        }
        let mut records = Vec::with_capacity(rows.len() * n_values);
        for (sums, n_trees) in sums.chunks_exact(stride).zip(n_trees) {
            // Without trees, 0 / 0 is what is not defined.
            records.extend(sums[..n_values].iter().map(|sum| sum / f64::from(n_trees)));
        }
        Ok(records)
    }
}

impl Local for AlongPaths<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn run(&self, (threads, monitor): (Threads, &Monitor), each: Sink<'_>) -> Result<(), Error> {
        let trees = self.forest.trees();
        let mut amounts = Vec::with_capacity(trees.len());
        ordered(
            trees.len(),
            threads,
            monitor,
            || (),
            |index, ()| Ok((self.amounts)(&trees[index])),
            |_, found| amounts.push(found),
        )?;
        let (n_rows, n_values) = (self.layout.n_rows, self.layout.n_values());
        let n_together =
            rows_at_a_time(n_rows, threads).min(MOST_SUMS / (n_values + 1)).max(TOGETHER);
        ordered(
            n_rows.div_ceil(n_together),
            threads,
            monitor,
            Vec::new,
            |block, own| {
                let rows = block * n_together..n_rows.min((block + 1) * n_together);
                self.block(rows, &amounts, (own, monitor))
            },
            |block, records: Vec<f64>| {
                let records = records.chunks_exact(n_values);
                (block * n_together..).zip(records).for_each(|(row, record)| each(row, record));
            },
        )
    }
}
