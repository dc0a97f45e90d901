//! Sobol-MDA with the projection of tree explainers (S-MDA_Ldg): Bénard, Da Veiga & Scornet 2022,
//! section 4; Lundberg, Erion & Lee 2018.
//!
//! Where a tree splits on the variable, both children are followed, and what they predict is
//! averaged by their shares of the in-bag rows. That is the conditional expectation only where
//! variables are independent.

use crate::error::Error;
use crate::forest::Aggregation;
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::references::{BENARD_2022, LUNDBERG_2018, Reference};
use crate::measure::definition::verdicts::{Judgement, Row, Validity, Verdicts};
use crate::measure::definition::{
    KeptAltered, Kind, MeasureDef, MeasureOption, MeasureSettings, Requirement, Scale,
};
use crate::measure::kernel::altered_predictions::{Altered, AlteredTree};
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::donors::in_bag_share;
use crate::measure::kernel::first_splits::first_uses;
use crate::measure::kernel::node_predictions::NodePredictions;
use crate::measure::kernel::row_sums::Shape;
use crate::measure::projection::kernel::projected_cart::vote;
use crate::measure::projection::sobol_mda::share_of_variance;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};

const WITHOUT_REGARD: &str = "\
    Averages over the variable without conditioning on the others: biased, the more the stronger \
    the dependence.";
const BECAUSE: [&str; 3] = [
    "With independent variables it estimates the total Sobol index.",
    WITHOUT_REGARD,
    WITHOUT_REGARD,
];

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Valid, Validity::Invalid, Validity::Invalid],
        because: BECAUSE,
    },
    influence: Judgement {
        serves: [Validity::Valid, Validity::Invalid, Validity::Invalid],
        because: BECAUSE,
    },
    source: "Bénard, Da Veiga & Scornet 2022, Table 3; Aas, Jullum & Løland 2021",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "sobol_mda_lundberg";
    const ALIASES: &'static [&'static str] = &["sobol_mda_path_dependent"];
    const NAME: &'static str = "Sobol-MDA with averaged splits";
    const ESTIMAND: &'static str = "\
        The share of the target's variance that is no longer explained when the splits on the \
        variable are averaged over, weighted by their shares of in-bag rows; the total Sobol index \
        if variables are independent";
    const CAVEAT: &'static str = "\
        With dependent variables it estimates something else, because averaging splits ignores the \
        information of the other variables about this one: use sobol_mda. For comparison only";
    const SOURCE: &'static str = "\
        Bénard, Da Veiga & Scornet 2022, section 4 (S-MDA_Ldg); Lundberg, Erion & Lee 2018";
    const REFERENCES: &'static [Reference] = &[BENARD_2022, LUNDBERG_2018];
    const UNIT: &'static str = "share of the variance of the target";
    const SCALE: Scale = Scale::Invariant;
    const COST: &'static str = "\
        usually about one pass of the out-of-bag rows per tree, for any number of variables";
    const DATA: DataUsed = DataUsed::OutOfBag;
    const REQUIREMENTS: &'static [Requirement] = &[
        Requirement::OutOfBagRows,
        Requirement::EqualTrees,
        Requirement::NodeStatistics,
        Requirement::MeansOfRows,
        Requirement::SharesOfClasses,
    ];
    const REGRESSION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const CLASSIFICATION_LOSSES: &'static [Loss] = &[Loss::Squared];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::PerClass];
    const KIND: Kind = Kind::TotalSobol;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 11, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        Ok(Plan::fold(SobolMdaLundberg {
            aggregation: subject.forest.aggregation(),
            n_rows: subject.training.n_rows(),
            n_groups: subject.groups.n_groups(),
            n_outputs: subject.training.n_outputs(),
            per_class: settings.per_class,
        }))
    }

    fn altered(settings: &MeasureSettings) -> Option<KeptAltered> {
        Some(KeptAltered::of_part(settings.part))
    }
}

#[derive(Debug)]
struct SobolMdaLundberg {
    aggregation: Aggregation,
    n_rows: usize,
    n_groups: usize,
    n_outputs: usize,
    per_class: bool,
}

impl SobolMdaLundberg {
    fn shape(&self) -> Shape {
        Shape { n_rows: self.n_rows, n_groups: self.n_groups, width: self.n_outputs }
    }
}

impl Fold for SobolMdaLundberg {
    type Part = AlteredTree;
    type Total = Altered;

    fn tree(&self, view: &TreeView<'_>) -> AlteredTree {
        let changes = Averaging::changes(view, self.aggregation);
        AlteredTree::new(view, self.aggregation, changes, Vec::new())
    }

    fn fits(&self, _: usize, part: &AlteredTree) -> bool {
        part.fits(self.shape(), false)
    }

    fn merge(&self, total: &mut Altered, part: AlteredTree) {
        total.add(part, self.shape());
    }

    fn finish(&self, total: Altered, outcome: Outcome<'_>) -> Importance {
        let found = total.increases(self.n_groups, outcome);
        share_of_variance(&Definition::INFO, &found, self.per_class, None, outcome)
    }
}

/// Averages the splits of one tree on one group after the other.
struct Averaging<'a> {
    view: &'a TreeView<'a>,
    /// Averages so far, by training row, less the value of the root, so that a large common
    /// offset costs no digits; zero outside of the rows that are worked on.
    means: Vec<f64>,
    rows: Vec<u32>,
    pending: Vec<Visit>,
}

/// Rows (a range) that meet a node, and the share of their average that is found below it.
struct Visit {
    node: usize,
    start: usize,
    end: usize,
    share: f64,
}

impl<'a> Averaging<'a> {
    fn changes(view: &'a TreeView<'a>, aggregation: Aggregation) -> Changes {
        let n_outputs = view.training.n_outputs();
        let mut averaging = Self {
            view,
            means: vec![0.0; view.training.n_rows() * n_outputs],
            rows: Vec::new(),
            pending: Vec::new(),
        };
        let predictions = NodePredictions::new(view, aggregation);
        // A number is no vote.
        let votes = aggregation == Aggregation::Vote && n_outputs > 1;
        let origin = view.tree.value(0);
        let mut changes = Changes::default();
        for (group, node) in first_uses(view) {
            if view.progress.is_cancelled() {
                break;
            }
            averaging.below(group, node as usize);
            for &row in view.out_of_bag.rows(node as usize) {
                let start = row as usize * n_outputs;
                let means = &mut averaging.means[start..start + n_outputs];
                let ordinary = predictions.by(predictions.leaf_of(row)).iter();
                changes.rows.push(row);
                changes.groups.push(group as u32);
                if votes {
                    means.iter_mut().zip(&*origin).for_each(|(mean, root)| *mean += root);
                    vote(means);
                    changes
                        .amounts
                        .extend(means.iter().zip(ordinary).map(|(mean, own)| mean - own));
                } else {
                    let pairs = means.iter().zip(ordinary).zip(&*origin);
                    changes.amounts.extend(pairs.map(|((mean, own), root)| mean - (own - root)));
                }
                means.fill(0.0);
            }
        }
        changes
    }

    /// Sends the out-of-bag rows below a node down together, both ways at splits on the group.
    fn below(&mut self, group: usize, node: usize) {
        let view = self.view;
        let router = view.router();
        self.rows.clear();
        self.rows.extend_from_slice(view.out_of_bag.rows(node));
        self.pending.push(Visit { node, start: 0, end: self.rows.len(), share: 1.0 });
        while let Some(Visit { node, start, end, share }) = self.pending.pop() {
            if start == end || share == 0.0 {
                continue;
            }
            let asked = view.ranked.nodes[node].column();
            let (Some(column), Some(split)) = (asked, router.split(node)) else {
                self.add(node, start..end, share);
                continue;
            };
            let pending = &mut self.pending;
            if view.group(column) == group {
                pending.extend(view.tree.children(split).map(|child| {
                    let share = share * in_bag_share(view.tree, split, child);
                    Visit { node: child, start, end, share }
                }));
            } else {
                router.partition(node, &mut self.rows[start..end], |node, part| {
                    let (start, end) = (start + part.start, start + part.end);
                    pending.push(Visit { node, start, end, share });
                });
            }
        }
    }

    fn add(&mut self, leaf: usize, range: std::ops::Range<usize>, share: f64) {
        let (values, origin) = (self.view.tree.value(leaf), self.view.tree.value(0));
        for &row in &self.rows[range] {
            let start = row as usize * values.len();
            let means = &mut self.means[start..start + values.len()];
            let pairs = means.iter_mut().zip(&*values).zip(&*origin);
            pairs.for_each(|((mean, value), root)| *mean += share * (value - root));
        }
    }
}
