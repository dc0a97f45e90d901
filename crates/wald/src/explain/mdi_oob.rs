//! The terms of MDI-oob by row: Li et al. 2019, Eq. 14.

use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::explain::curves::{bags, wanted};
use crate::explain::{ExplanationInfo, ExplanationSettings, Layout, Local, Shape, Sink, ToExplain};
use crate::forest::{Bag, Forest, Placement, RankedTree, Router, aligned_training};
use crate::measure::references::LI_2019;
use crate::monitor::Monitor;
use crate::threads::{Threads, ordered};

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "mdi_oob",
    name: "MDI-oob, row by row",
    estimand: "What a row adds to the MDI-oob of a variable: what the splits on it add to the \
               predictions for the row by the trees that did not see it, times the deviation of \
               the row's response from the in-bag mean of the tree. The mean over all rows, \
               weighted by case weights, is mdi_oob; positive where the variable moves predictions \
               the right way",
    caveat: "Training rows only, because it needs their responses. The value of one row is mostly \
             noise of its response; rows that every tree saw have none and count as zero in the \
             mean",
    source: "Li et al. 2019, Proposition 1 and Eq. 14, responses centred",
    references: &[LI_2019],
    cost: "one pass of the out-of-bag rows through the forest, and the numbers written",
    has_grid: false,
    has_background: false,
    regression_losses: &[],
    classification_losses: &[],
};

struct MdiOob<'a> {
    forest: &'a Forest,
    data: &'a Dataset,
    bags: &'a [Bag],
    wanted: Vec<usize>,
    layout: Layout,
}

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    let refuse = |why: &str, help: &str| Error::Measure {
        measure: INFO.id,
        why: why.to_owned(),
        help: help.to_owned(),
    };
    let ToExplain { forest, training, rows } = subject;
    if !rows.are_training() {
        return Err(refuse("tells of training rows only", "leave out `--rows`"));
    }
    let bags = bags((INFO.id, "grow it with bootstrap or subsample"), subject)?;
    if forest.trees().iter().any(|tree| tree.statistics().is_none()) {
        let help = "read the forest together with its training data";
        return Err(refuse("needs the in-bag means of the nodes, which this forest lacks", help));
    }
    let wanted = wanted(forest, &settings.variables)?;
    let name = |&feature: &usize| forest.features()[feature].name.clone();
    let layout = Layout {
        variables: wanted.iter().map(name).collect(),
        classes: forest.target().classes.clone(),
        shape: Shape::Values(wanted.len()),
        is_mean: false,
        n_rows: training.n_rows(),
    };
    Ok(Box::new(MdiOob { forest, data: training, bags, wanted, layout }))
}

/// What the out-of-bag rows of one tree add: row, place among the numbers of its record, amount.
#[derive(Debug, Default)]
struct Terms(Vec<(u32, u32, f64)>);

impl Local for MdiOob<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn run(&self, (threads, monitor): (Threads, &Monitor), each: Sink<'_>) -> Result<(), Error> {
        let training = &aligned_training(self.forest, self.data, threads)?;
        let n_values = self.layout.n_values();
        let n_rows = self.layout.n_rows;
        let mut places = vec![None; self.forest.features().len()];
        (0..).zip(&self.wanted).for_each(|(place, &feature)| places[feature] = Some(place));
        let mut sums = vec![0.0; n_rows * n_values];
        let mut is_explained = vec![false; n_rows];
        let mut n_trees = 0.0;
        ordered(
            self.bags.len(),
            threads,
            monitor,
            Placement::default,
            |index, placement| Ok(self.of_tree(index, training, placement, &places)),
            |index, terms: Option<Terms>| {
                let Some(Terms(terms)) = terms else { return };
                n_trees += 1.0;
                self.bags[index].out_of_bag().for_each(|row| is_explained[row as usize] = true);
                for (row, place, amount) in terms {
                    sums[row as usize * n_values + place as usize] += amount;
                }
            },
        )?;
        let weight: f64 = (0..n_rows as u32).map(|row| training.weight(row)).sum();
        for (row, record) in sums.chunks_exact_mut(n_values).enumerate() {
            let scale = if is_explained[row] { weight / n_trees } else { f64::NAN };
            record.iter_mut().for_each(|value| *value *= scale);
            each(row, record);
        }
        Ok(())
    }
}

impl MdiOob<'_> {
    /// `None` where no out-of-bag row weighs anything.
    fn of_tree(
        &self,
        index: usize,
        training: &Training,
        placement: &mut Placement,
        places: &[Option<u32>],
    ) -> Option<Terms> {
        let tree = &self.forest.trees()[index];
        let float32 = self.forest.float32_inputs();
        let ranked = &RankedTree::bind(tree, training.features(), float32);
        let (features, known_levels) = (training.features(), training.known_levels());
        placement
            .place(&Router { tree, ranked, features, known_levels }, self.bags[index].out_of_bag());
        let total: f64 = placement.all().iter().map(|&row| training.weight(row)).sum();
        if total <= 0.0 {
            return None;
        }
        let root = tree.value(0);
        let n_outputs = root.len() as u32;
        let mut terms = Terms::default();
        for (node, split) in tree.splits() {
            let Some(place) = places[split.feature as usize] else { continue };
            for child in tree.children(split) {
                let added = tree.value(child).iter().zip(tree.value(node));
                for (output, (below, above)) in (0..).zip(added) {
                    let step = (below - above) / total;
                    let terms = &mut terms.0;
                    terms.extend(placement.rows(child).iter().map(|&row| {
                        let deviation =
                            training.response_at(row, output as usize) - root[output as usize];
                        (row, place * n_outputs + output, step * deviation)
                    }));
                }
            }
        }
        Some(terms)
    }
}
