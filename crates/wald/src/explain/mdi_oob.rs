//! The terms of MDI-oob by row: Li et al. 2019, Eq. 14.

use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::explain::curves::{NoBags, bags, wanted};
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, Layout, Local, Shape, Sink, ToExplain,
};
use crate::forest::{Bag, Forest, Node, Placement, RankedTree, Router, Tree, aligned_training};
use crate::measure::references::LI_2019;
use crate::measure::{check_means, check_shares};
use crate::message::Message;
use crate::run::{Run, Threads};
use crate::setting::{drawn_by_fewer, leaving_rows_out};
use crate::threads::ordered;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "mdi_oob",
    name: "MDI-oob, row by row",
    estimand: "The contribution of a row to the MDI-oob of a variable: the contribution of the \
               splits on it to the predictions for the row by the trees that did not see it, \
               times the deviation of the row's response from the in-bag mean of the tree. The \
               mean over all rows, weighted by case weights, is mdi_oob; positive if the variable \
               moves predictions in the right direction",
    caveat: "Training rows only, because it needs their responses. The value of one row is mostly \
             noise of its response; rows that every tree saw have no value and count as zero in \
             the mean",
    unit: "impurity of the target",
    source: "Li et al. 2019, Proposition 1 and Eq. 14, responses centred",
    references: &[LI_2019],
    cost: "one pass of the out-of-bag rows through the forest, and the numbers written",
    options: &[ExplanationOption::Variables],
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
    let ToExplain { forest, training, .. } = subject;
    let bags = bags(INFO.id, help, subject)?;
    check_means(INFO.id, forest)?;
    check_shares(INFO.id, forest, training)?;
    if forest.trees().iter().any(|tree| tree.statistics().is_none()) {
        let why = "needs the in-bag means of the nodes, which this forest lacks";
        let help = "read the forest together with its training data";
        return Err(Error::measure(INFO.id, why, help));
    }
    let wanted = wanted(forest, &settings.variables)?;
    let shape = Shape::Values(wanted.len());
    let layout = Layout::of_rows(forest, &wanted, shape, training.n_rows());
    Ok(Box::new(MdiOob { forest, data: training, bags, wanted, layout }))
}

/// What to do without out-of-bag trees.
fn help(cause: NoBags) -> Message {
    match cause {
        NoBags::OtherRows => "leave out other rows, or use local_mdi".into(),
        NoBags::Summed => "use tree_shap_interventional, which explains predictions".into(),
        NoBags::NotNamed => {
            "add `in_bag` to the forest file, or use tree_shap_interventional".into()
        }
        NoBags::AllRows { is_own } => leaving_rows_out(is_own, ", or use local_mdi"),
        NoBags::DrewAll => drawn_by_fewer("use local_mdi"),
    }
}

/// What the out-of-bag rows of one tree add: row, place among the numbers of its record, amount. A
/// pair of row and place is there once.
type Terms = Vec<(u32, u32, f64)>;

/// By how much the splits on each variable have changed the prediction on the path from the root: one
/// sum per variable and output, which a step down changes and the step back up restores.
struct Changes {
    n_outputs: usize,
    sums: Vec<f64>,
    /// Splits above on each variable.
    uses: Vec<u32>,
    /// The variables used above, in the order of their first use.
    used: Vec<u32>,
    /// The sums before every step.
    before: Vec<f64>,
}

impl Changes {
    fn new(n_places: usize, n_outputs: usize) -> Self {
        let sums = vec![0.0; n_places * n_outputs];
        Self { n_outputs, sums, uses: vec![0; n_places], used: Vec::new(), before: Vec::new() }
    }

    fn sums_of(&mut self, place: u32) -> &mut [f64] {
        let start = place as usize * self.n_outputs;
        &mut self.sums[start..start + self.n_outputs]
    }

    fn down(&mut self, place: u32, steps: impl Iterator<Item = f64>) {
        let start = place as usize * self.n_outputs;
        self.before.extend_from_slice(&self.sums[start..start + self.n_outputs]);
        self.sums_of(place).iter_mut().zip(steps).for_each(|(sum, step)| *sum += step);
        if self.uses[place as usize] == 0 {
            self.used.push(place);
        }
        self.uses[place as usize] += 1;
    }

    fn up(&mut self, place: u32) {
        let kept = self.before.len() - self.n_outputs;
        let before = self.before.split_off(kept);
        self.sums_of(place).copy_from_slice(&before);
        self.uses[place as usize] -= 1;
        if self.uses[place as usize] == 0 {
            // The last step down is the first one back up.
            self.used.pop();
        }
    }
}

/// A step of a walk over a tree.
enum Step {
    /// To a node, from the one above.
    Down(usize, Option<usize>),
    /// Back from below a split on the variable of a place.
    Up(u32),
}

impl Local for MdiOob<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The sums of all rows, and what trees add that are looked at or wait for their turn: rows and
    /// variables, however deep the trees are. Lists have room to grow.
    fn working_bytes(&self, threads: Threads) -> u64 {
        let n_outputs = self.layout.n_outputs();
        let deepest = self.forest.trees().iter().filter_map(|tree| tree.depths().into_iter().max());
        let n_used = self.wanted.len().min(deepest.max().unwrap_or(0) as usize);
        let n_out = self.bags.iter().map(|bag| bag.out_of_bag().count()).max().unwrap_or(0);
        let of_tree = 2 * size_of::<(u32, u32, f64)>() * n_used * n_outputs * n_out;
        let sums = size_of::<f64>() * self.layout.n_rows * self.layout.n_values();
        (2 * threads.get() * of_tree + sums) as u64
    }

    fn run(&self, run: &Run, each: Sink<'_>) -> Result<(), Error> {
        let training = &aligned_training(self.forest, self.data, run.threads)?;
        let n_values = self.layout.n_values();
        let n_rows = self.layout.n_rows;
        let mut places = vec![None; self.forest.features().len()];
        (0..).zip(&self.wanted).for_each(|(place, &feature)| places[feature] = Some(place));
        let mut sums = vec![0.0; n_rows * n_values];
        let mut is_explained = vec![false; n_rows];
        let mut n_trees = 0.0;
        ordered(
            self.bags.len(),
            run,
            Placement::default,
            |index, placement| Ok(self.of_tree(index, training, placement, &places)),
            |index, terms: Option<Terms>| {
                let Some(terms) = terms else { return };
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
        Some(terms(tree, placement, training, total, places))
    }
}

/// The deviation of a row is the same at all nodes of its path, so that the steps of a variable are
/// added up first.
fn terms(
    tree: &Tree,
    placement: &Placement,
    training: &Training,
    total: f64,
    places: &[Option<u32>],
) -> Terms {
    let root = tree.value(0);
    let n_outputs = root.len();
    let n_places = places.iter().flatten().count();
    let mut changes = Changes::new(n_places, n_outputs);
    let mut terms = Terms::new();
    let mut steps = vec![Step::Down(0, None)];
    while let Some(step) = steps.pop() {
        let (node, above) = match step {
            Step::Down(node, above) => (node, above),
            Step::Up(place) => {
                changes.up(place);
                continue;
            }
        };
        let rows = placement.rows(node);
        if rows.is_empty() {
            continue;
        }
        if let Some((above, Node::Split(split))) = above.map(|above| (above, &tree.nodes()[above]))
            && let Some(place) = places[split.feature as usize]
        {
            let (below, above) = (tree.value(node), tree.value(above));
            let added = below.iter().zip(&*above);
            changes.down(place, added.map(|(below, above)| (below - above) / total));
            steps.push(Step::Up(place));
        }
        if let Node::Split(split) = &tree.nodes()[node] {
            steps.extend(tree.children(split).map(|child| Step::Down(child, Some(node))));
            continue;
        }
        for &row in rows {
            let deviations: Vec<f64> = (0..n_outputs)
                .map(|output| training.response_at(row, output) - root[output])
                .collect();
            for &place in &changes.used {
                let start = place as usize * n_outputs;
                let sums = changes.sums[start..start + n_outputs].iter().zip(&deviations);
                let amounts = (start as u32..).zip(sums.map(|(sum, deviation)| sum * deviation));
                terms.extend(amounts.map(|(place, amount)| (row, place, amount)));
            }
        }
    }
    terms
}
