//! Mean decrease in accuracy of single trees on their out-of-bag rows: Breiman 2001;
//! Bénard, Da Veiga & Scornet 2022, section 2.2.

use crate::error::Error;
use crate::forest::{Fold, Outcome, Plan, TreeView};
use crate::importance::{DataUsed, Importance};
use crate::measure::donors::Donors;
use crate::measure::exact::ExpectedLoss;
use crate::measure::increase::{Increase, IncreasePart, IncreaseTotal};
use crate::measure::random::{PermutedLoss, shuffled};
use crate::measure::references::{BENARD_2022, BREIMAN_2001};
use crate::measure::{
    Loss, MeasureInfo, MeasureSettings, Needs, Normalise, Permutations, Scale, Subject,
};
use crate::random::{Purpose, Stream};

pub(crate) const INFO: MeasureInfo = MeasureInfo {
    id: "mda_breiman_cutler",
    name: "Permutation importance (Breiman-Cutler)",
    estimand: "By how much the error of a tree on its out-of-bag rows grows when the variable's \
               values are permuted among them, averaged over trees; by default the exact \
               expectation over all permutations",
    caveat: "With dependent variables it adds two further terms to the total Sobol index, so it \
             overstates variables that others can replace, and looks at permuted rows where \
             there may be no data",
    source: "Breiman 2001; Bénard, Da Veiga & Scornet 2022, section 2.2 and Proposition 2",
    references: &[BREIMAN_2001, BENARD_2022],
    unit: "loss (squared: squared units of the target, or Brier score)",
    scale: Scale::Loss,
    cost: "usually about one pass of the out-of-bag rows per tree, whatever the number of \
           variables; more where one variable is split again and again below others",
    refits: false,
    data: DataUsed::OutOfBag,
    small_is_important: false,
    needs: Needs::OutOfBagRows,
    regression_losses: &[Loss::Squared, Loss::Absolute],
    classification_losses: &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote],
    normalisations: &[Normalise::Variance, Normalise::StandardError],
};

#[derive(Debug)]
struct MdaBreimanCutler {
    increase: Increase,
    permutations: Permutations,
    seed: u64,
}

pub(crate) fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
    if let Permutations::Given(given) = &settings.permutations {
        check_given(given, subject)?;
    }
    Ok(Plan::fold(MdaBreimanCutler {
        increase: Increase::new(&INFO, settings, subject),
        permutations: settings.permutations.clone(),
        seed: settings.seed,
    }))
}

fn check_given(given: &[Vec<Vec<u32>>], subject: Subject<'_>) -> Result<(), Error> {
    let refuse = |what: String| {
        Err(Error::setting(what, "give one permutation per tree, variable and out-of-bag row"))
    };
    let bags = subject.forest.bags().unwrap_or_default();
    if given.len() != bags.len() {
        return refuse(format!("permutations for {} trees were given", given.len()));
    }
    for (tree, (columns, bag)) in given.iter().zip(bags).enumerate() {
        let n_rows = bag.out_of_bag().count();
        if columns.len() != subject.forest.features().len() {
            return refuse(format!("tree {tree} has permutations for {} variables", columns.len()));
        }
        for order in columns {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if !sorted.iter().copied().eq(0..n_rows as u32) {
                return refuse(format!("tree {tree} has an order that is no permutation"));
            }
        }
    }
    Ok(())
}

impl MdaBreimanCutler {
    fn random_order(&self, view: &TreeView<'_>, repeat: u32, group: usize) -> Vec<u32> {
        let column = view.key_column(group);
        let mut stream =
            Stream::new(self.seed, view.index, Purpose::Permutation { column, repeat });
        let mut rows = view.out_of_bag.all().to_vec();
        rows.sort_unstable();
        let places: Vec<u32> = (0..rows.len() as u32).collect();
        shuffled(view, (&rows, &places), &mut stream)
    }
}

impl Fold for MdaBreimanCutler {
    type Part = IncreasePart;
    type Total = IncreaseTotal;

    fn tree(&self, view: &TreeView<'_>) -> IncreasePart {
        let losses = self.increase.losses(view)?;
        let with_orders = |order_of: &dyn Fn(usize) -> Vec<u32>| {
            self.increase.of_tree(
                &losses,
                |group| PermutedLoss::new(view, &losses.loss, group, &order_of(group)),
                |permuted, node| permuted.below(node),
            )
        };
        Some(match &self.permutations {
            Permutations::Exact => vec![self.increase.of_tree(
                &losses,
                |group| ExpectedLoss::new(view, &losses.loss, group, Donors::new(view, group)),
                |expected, node| expected.below(node) / losses.mass,
            )],
            Permutations::Random(repeats) => {
                let repeat = |repeat| with_orders(&|group| self.random_order(view, repeat, group));
                (0..*repeats).map(repeat).collect()
            }
            Permutations::Given(given) => vec![with_orders(&|group| {
                // The columns of a group are permuted together.
                let first = view.groups.members()[group][0];
                given[view.index][first as usize].clone()
            })],
        })
    }

    fn merge(&self, total: &mut IncreaseTotal, part: IncreasePart) {
        self.increase.merge(total, part);
    }

    fn finish(&self, total: IncreaseTotal, _: Outcome<'_>) -> Importance {
        let mut importance = self.increase.finish(total);
        let permutations = self.permutations.describe();
        if self.permutations == Permutations::Exact {
            importance.repeats.clear();
        }
        importance.settings.insert("permutations", permutations);
        importance
    }
}
