//! Mean decrease in impurity: Louppe et al. 2013, Eq. 2; Li et al. 2019, Eq. 4.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::forest::Impurity;
use crate::importance::{DataUsed, Importance};
use crate::measure::definition::references::{BREIMAN_1984, LI_2019, LOUPPE_2013, Reference};
use crate::measure::definition::verdicts::{Judgement, Row, Validity, Verdicts};
use crate::measure::definition::{
    Kind, MeasureDef, MeasureOption, MeasureSettings, Normalise, Requirement, Scale, Term,
};
use crate::measure::impurity::kernel::degrees::{self, by_degree};
use crate::measure::impurity::kernel::node_terms::{check_impurity, unit};
use crate::measure::kernel::over_trees::over_trees;
use crate::pass::{Fold, Outcome, Plan, Subject, TreeView};

const BECAUSE: [&str; 3] = [
    "Consistent where variables are independent and effects add up; with deep trees it is above \
     zero for noise, and more so for variables of many values.",
    "Not well defined where variables depend on each other.",
    "Not well defined where effects interact or variables depend on each other.",
];

/// What the measure serves for.
const ROW: Row = Row {
    selection: Judgement {
        serves: [Validity::Careful, Validity::Invalid, Validity::Invalid],
        because: BECAUSE,
    },
    influence: Judgement {
        serves: [Validity::Careful, Validity::Invalid, Validity::Invalid],
        because: BECAUSE,
    },
    source: "Scornet 2023; Strobl et al. 2007; Li et al. 2019",
};

/// What the measure is.
pub(crate) struct Definition;

impl MeasureDef for Definition {
    const ID: &'static str = "mdi";
    const ALIASES: &'static [&'static str] = &["gini", "impurity", "mean_decrease_impurity"];
    const CALLED: &'static [&'static str] =
        &["meandecreasegini", "incnodepurity", "feature", "gain"];
    const NAME: &'static str = "Mean decrease in impurity";
    const ESTIMAND: &'static str = "\
        The decrease in impurity by the splits on a variable, weighted by the share of in-bag rows \
        at each split, averaged over trees; with totally randomized trees and much data, a Shapley \
        value of mutual information";
    const CAVEAT: &'static str = "\
        Biased towards variables with many distinct values and away from zero for irrelevant \
        variables; shares credit arbitrarily between dependent variables";
    const SOURCE: &'static str = "\
        Louppe et al. 2013, Eq. 2; Li et al. 2019, Eq. 4; Breiman et al. 1984";
    const REFERENCES: &'static [Reference] = &[LOUPPE_2013, LI_2019, BREIMAN_1984];
    const UNIT: &'static str =
        "impurity of the target: that of the forest (variance, Gini, bits of entropy, ...)";
    const SCALE: Scale = Scale::Loss;
    const COST: &'static str = "free while growing; otherwise O(nodes)";
    const DATA: DataUsed = DataUsed::Training;
    const REQUIREMENTS: &'static [Requirement] = &[Requirement::NodeStatistics];
    const NORMALISATIONS: &'static [Normalise] = &[Normalise::Sum];
    const OPTIONS: &'static [MeasureOption] = &[MeasureOption::Impurity, MeasureOption::ByDegree];
    const FROM_BAGS_ONLY: bool = true;
    const READS_ROWS: bool = false;
    const KIND: Kind = Kind::InBag;
    const HAS_LIMIT_WHERE_ADDITIVE: bool = true;
    const FAVOURS_MANY_VALUES: bool = true;
    const TERM: Option<Term> = Some(Term::InBag);
    const OF_SEVERAL_TARGETS: bool = true;
    const VERDICTS: Option<Verdicts> = Some(Verdicts { place: 13, row: &ROW });

    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error> {
        let (own, aggregation) = (subject.forest.impurity(), subject.forest.aggregation());
        let impurity = settings.impurity.unwrap_or(own);
        check_impurity(Definition::INFO.id, impurity, own, aggregation)?;
        let n_groups = subject.groups.n_groups();
        let MeasureSettings { normalise, by_degree, .. } = *settings;
        Ok(Plan::fold(Mdi { n_groups, impurity, normalise, by_degree }))
    }
}

/// Decreases below this share of the impurity of all rows are rounding.
const ROUNDING: f64 = 1e-14;

#[derive(Debug)]
struct Mdi {
    n_groups: usize,
    impurity: Impurity,
    normalise: Normalise,
    by_degree: bool,
}

/// One tree, by group.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Part {
    values: Vec<f64>,
    /// By degree, then group; none unless asked for.
    by_degree: Vec<Vec<f64>>,
}

/// The trees so far.
#[derive(Debug, Default)]
struct Trees {
    per_tree: Vec<Vec<f64>>,
    by_degree: degrees::OverTrees,
}

impl Fold for Mdi {
    type Part = Part;
    type Total = Trees;

    fn tree(&self, view: &TreeView<'_>) -> Part {
        // Stored in the forest's criterion; others follow from class proportions.
        let impurity = |node: usize, stored: f64| {
            if self.impurity == view.impurity {
                stored
            } else {
                self.impurity.of_proportions(&view.tree.value(node))
            }
        };
        let per_column = view.tree.decreases(view.groups.of_column().len(), impurity);
        let mut values = view.groups.sums(&per_column);
        if self.normalise == Normalise::Sum {
            // There are no shares of what is rounding.
            let root = view.tree.statistics().map_or(0.0, |nodes| impurity(0, nodes.impurity(0)));
            if values.iter().all(|value| value.abs() <= ROUNDING * root) {
                values.fill(0.0);
            }
        }
        Part {
            values,
            by_degree: if self.by_degree { by_degree(view, impurity) } else { Vec::new() },
        }
    }

    fn fits(&self, _: usize, part: &Part) -> bool {
        part.by_degree.iter().chain([&part.values]).all(|values| values.len() == self.n_groups)
    }

    fn merge(&self, total: &mut Trees, mut part: Part) {
        if self.normalise == Normalise::Sum {
            // scikit-learn leaves out trees that are a single leaf.
            if part.values.iter().all(|&value| value == 0.0) {
                return;
            }
            let sum: f64 = part.values.iter().sum();
            let all = part.by_degree.iter_mut().chain([&mut part.values]);
            all.flatten().for_each(|value| *value /= sum);
        }
        total.by_degree.add(&part.by_degree);
        total.per_tree.push(part.values);
    }

    fn finish(&self, total: Trees, _: Outcome<'_>) -> Importance {
        let Trees { per_tree, by_degree } = total;
        let summary = over_trees(&per_tree);
        let mut values = summary.as_ref().map_or(vec![0.0; self.n_groups], |s| s.means.clone());
        let mut errors = summary.and_then(|summary| summary.standard_errors);
        let mut divisor = 1.0;
        if self.normalise == Normalise::Sum {
            let sum: f64 = values.iter().sum();
            if sum != 0.0 {
                values.iter_mut().for_each(|value| *value /= sum);
                errors.iter_mut().flatten().for_each(|error| *error /= sum);
                divisor = sum;
            }
        }
        Importance {
            unit: match self.normalise {
                Normalise::Sum => "share of the sum over all variables",
                Normalise::None | Normalise::Variance | Normalise::StandardError => {
                    unit(self.impurity)
                }
            }
            .to_owned(),
            values: values.into_iter().map(Some).collect(),
            standard_errors: errors.map(|errors| errors.into_iter().map(Some).collect()),
            by_degree: self.by_degree.then(|| by_degree.result(self.n_groups, divisor)),
            per_tree,
            settings: BTreeMap::from([
                ("impurity", self.impurity.id().to_owned()),
                ("normalise", self.normalise.id().to_owned()),
            ]),
            ..Definition::INFO.importance()
        }
    }
}
