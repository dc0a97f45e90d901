//! MDI+: ridge regression on the stumps of every tree, each row predicted without itself (Agarwal et al.
//! 2023).

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::references::{AGARWAL_2023, LI_2019, Reference};
use crate::measure::definition::verdicts::{Judgement, Row, Validity, Verdicts};
use crate::measure::definition::{
    CostClass, MeasureDef, MeasureSettings, Requirement, Scale, TreeShape,
};
use crate::measure::kernel::over_trees::mean_over_trees;
use crate::measure::kernel::part::{SomeTrees, Taken};
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};
use crate::stump_ridge::{Design, fit, responses};

const ALONE: &str = "\
    Measures what the columns of the variable predict alone, with credit that the regression \
    divides between dependent variables.";

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Careful, Validity::Invalid, Validity::Invalid],
        because: [
            "Near zero for noise; what the variable explains through interactions counts where it is \
             split below others only.",
            ALONE,
            ALONE,
        ],
    },
    influence: Judgement {
        serves: [Validity::Careful, Validity::Careful, Validity::Careful],
        because: ["Separates relevant variables from noise in simulations; no limit is known."; 3],
    },
    source: "Agarwal et al. 2023, Sections 4 to 6 (simulations)",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "mdi_plus";
    const ALIASES: &'static [&'static str] = &["mdi+"];
    const CALLED: &'static [&'static str] = &["mdiplus", "gmdi"];
    const NAME: &'static str = "MDI+ by ridge regression";
    const ESTIMAND: &'static str = "\
        The share of the variance of the response that the splits on a variable, and the variable \
        itself as a number, explain alone: a ridge regression of the response on one column for \
        every split of the tree, and the values of the variables that it splits on, predicts each \
        row without having seen it, all columns of other variables being at their means. 1 minus \
        the squared error over the variance, averaged over trees; of classes, the mean over the \
        indicators of all classes";
    const CAVEAT: &'static str = "\
        Shares credit between dependent variables as the regression does; values of irrelevant \
        variables scatter around zero or are slightly negative. Copies of a row make leaving one \
        out no protection. Levels have no column of their own besides their splits";
    const SOURCE: &'static str = "\
        Agarwal et al. 2023, Section 4, with ridge regression and R squared, the choices of their \
        program for numbers";
    const REFERENCES: &'static [Reference] = &[AGARWAL_2023, LI_2019];
    const UNIT: &'static str = "share of the variance of the target";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "\
        per tree, for 100 penalties: O(nodes * (depth + variables used)^2 + rows * variables used^2), \
        once for all classes";
    const COST_CLASS: CostClass = CostClass::Regressions;
    const DATA: DataUsed = DataUsed::Training;
    const REQUIREMENTS: &'static [Requirement] =
        &[Requirement::NodeStatistics, Requirement::AveragedTrees, Requirement::BinarySplits];
    const STANDS_FOR_PART: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 16, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let fold = MdiPlus { n_groups: subject.groups.n_groups() };
        Ok(match Taken::of_trees(settings, subject) {
            Some(taken) => Plan::fold(SomeTrees { fold, taken }),
            None => Plan::fold(fold),
        })
    }

    /// Products of columns, twice; the columns of all rows, twice; what means are solved to.
    fn thread_bytes(tree: &TreeShape) -> f64 {
        let stumps = (tree.nodes / 2.0).max(1.0);
        let width = tree.columns.min(stumps) + 1.0;
        let depth = 2.0 * stumps.max(2.0).log2();
        let products = 2.0 * stumps * (depth + width) + 2.0 * width * width;
        let rows = tree.rows * (2.0 * width + 4.0 + tree.outputs);
        8.0 * (products + rows + width * (stumps + width) + stumps * (depth + 6.0))
    }
}

#[derive(Debug)]
struct MdiPlus {
    n_groups: usize,
}

impl Fold for MdiPlus {
    type Part = Vec<f64>;
    type Total = Vec<Vec<f64>>;

    /// A tree without splits explains nothing.
    fn tree(&self, view: &TreeView<'_>) -> Vec<f64> {
        let mut values = vec![0.0; self.n_groups];
        let Some(design) = Design::new(&view.router(), view.training) else { return values };
        let of_column = view.groups.of_column();
        let groups: Vec<usize> =
            design.features.iter().map(|&feature| of_column[feature as usize] as usize).collect();
        let mut used = groups.clone();
        used.sort_unstable();
        used.dedup();
        let responses = responses(view.training, &design);
        let fits = fit(&design, &responses);
        let mut sums = vec![0.0; self.n_groups];
        for (fit, response) in fits.iter().zip(&responses) {
            let square = |(value, weight): (&f64, &f64)| weight * value * value;
            let squares: f64 = response.iter().zip(&design.weights).map(square).sum();
            if squares <= 0.0 {
                continue;
            }
            let mut errors = vec![0.0; self.n_groups];
            fit.without_each_row(&design, response, |row, intercept, parts| {
                used.iter().for_each(|&group| sums[group] = intercept);
                groups.iter().zip(parts).for_each(|(&group, part)| sums[group] += part);
                for &group in &used {
                    errors[group] += design.weights[row] * (response[row] - sums[group]).powi(2);
                }
            });
            for &group in &used {
                values[group] += (1.0 - errors[group] / squares) / fits.len() as f64;
            }
        }
        values
    }

    fn fits(&self, _: usize, part: &Vec<f64>) -> bool {
        part.len() == self.n_groups
    }

    fn merge(&self, total: &mut Vec<Vec<f64>>, part: Vec<f64>) {
        total.push(part);
    }

    fn finish(&self, per_tree: Vec<Vec<f64>>, outcome: Outcome<'_>) -> Importance {
        // There are no shares of nothing.
        if outcome.training.response_variance() <= 0.0 {
            return Importance {
                values: vec![None; self.n_groups],
                notes: vec!["undefined, because the target is constant".to_owned()],
                ..Definition::INFO.importance()
            };
        }
        mean_over_trees(&Definition::INFO, per_tree, self.n_groups)
    }
}
