//! What a measure states of itself.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Error;
use crate::importance::{DataUsed, Importance};
use crate::loss::Loss;
use crate::measure::definition::memory_facts::{Copies, KeptAltered, TreeShape};
use crate::measure::definition::verdicts::Verdicts;
use crate::measure::definition::{
    ClassMeaning, MeasureOption, MeasureSettings, Normalise, Reference, Requirement,
};
use crate::pass::{Plan, Subject};

/// All facts of a measure: what it is in words, what it needs and offers, how its values behave, and
/// how it is computed. A measure implements this once, in its own file, and states only what differs
/// from the defaults; everything else reads it from here.
pub(crate) trait MeasureDef {
    /// The name users type.
    const ID: &'static str;
    /// Other names users may type: those of other programs.
    const ALIASES: &'static [&'static str] = &[];
    /// Words of other programs and papers that may mean it or another measure, in small letters and
    /// without punctuation: for suggestions.
    const CALLED: &'static [&'static str] = &[];
    /// Its name in words.
    const NAME: &'static str;
    /// What it estimates.
    const ESTIMAND: &'static str;
    /// What to beware of.
    const CAVEAT: &'static str;
    /// Paper and equation.
    const SOURCE: &'static str;
    /// The works to cite.
    const REFERENCES: &'static [Reference];
    /// Unit of the values.
    const UNIT: &'static str;
    /// What multiplying a numeric target does to the values.
    const SCALE: Scale;
    /// What it costs, in words.
    const COST: &'static str;
    /// What it costs, compared with one pass over trees and rows.
    const COST_CLASS: CostClass = CostClass::Pass;
    /// Which rows it is computed on.
    const DATA: DataUsed;
    /// True when small values mean important.
    const SMALL_IS_IMPORTANT: bool = false;
    /// What the forest must have besides splits.
    const REQUIREMENTS: &'static [Requirement] = &[];
    /// Losses it offers for a number; the first is the default; empty if it has no loss.
    const REGRESSION_LOSSES: &'static [Loss] = &[];
    /// Losses it offers for classes; the first is the default; empty if it has no loss.
    const CLASSIFICATION_LOSSES: &'static [Loss] = &[];
    /// Normalisations it offers besides none.
    const NORMALISATIONS: &'static [Normalise] = &[];
    /// Further settings it offers.
    const OPTIONS: &'static [MeasureOption] = &[];

    /// How the values of trees make that of the forest.
    const AGGREGATION: OverTrees = OverTrees::Mean;
    /// Whether a value is the difference between a variable and its shadow, which is as likely above
    /// zero as below if the variable is irrelevant; mirrored p-values take it as it is.
    const IS_DIFFERENCE_FROM_SHADOW: bool = false;
    /// Whether the value of a tree depends on the rows in its bag alone.
    const FROM_BAGS_ONLY: bool = false;
    /// Whether out-of-bag rows receive values of one another, those of their own cluster included.
    const PERMUTES_CLUSTERS: bool = false;
    /// Whether it looks at rows, and not at trees alone.
    const READS_ROWS: bool = true;
    /// Whether values of irrelevant variables depend on how much there is for others to split.
    const SHAPED_BY_OTHERS: bool = false;
    /// Whether irrelevant variables of many values are favoured, because trees overfit them.
    const FAVOURS_MANY_VALUES: bool = false;
    /// Whether its limit is known only where effects add up, as that of decreases in impurity.
    const HAS_LIMIT_WHERE_ADDITIVE: bool = false;
    /// What explains that it ranks variables otherwise than another measure.
    const KIND: Kind = Kind::Other;
    /// What it is in formulas that take other measures apart; `None` where no formula has it.
    const TERM: Option<Term> = None;
    /// What its values of single classes are, where it offers them.
    const CLASS_VALUES: ClassMeaning = ClassMeaning::OfRows;
    /// Whether it is defined where a forest predicts several targets, by sums over their outputs.
    const OF_SEVERAL_TARGETS: bool = false;
    /// Which objectives it serves; `None` where it is not judged.
    const VERDICTS: Option<Verdicts> = None;

    /// Whether all trees must be there at once.
    const NEEDS_ALL_TREES: bool = false;
    /// Whether it explains row after row by all trees.
    const EXPLAINS_ROWS: bool = false;
    /// Whether a report computes it on as many trees as take about as long as growing.
    const STANDS_FOR_PART: bool = false;
    /// Whether it grows trees on columns and their shadows.
    const GROWS_SHADOWS: bool = false;
    /// Of which rows it copies all codes for every tree.
    const COPIES: Copies = Copies::Nothing;

    /// All of this as data.
    const INFO: MeasureInfo = MeasureInfo {
        id: Self::ID,
        aliases: Self::ALIASES,
        called: Self::CALLED,
        name: Self::NAME,
        estimand: Self::ESTIMAND,
        caveat: Self::CAVEAT,
        source: Self::SOURCE,
        references: Self::REFERENCES,
        unit: Self::UNIT,
        scale: Self::SCALE,
        cost: Self::COST,
        effort: Self::COST_CLASS,
        data: Self::DATA,
        small_is_important: Self::SMALL_IS_IMPORTANT,
        needs: Self::REQUIREMENTS,
        regression_losses: Self::REGRESSION_LOSSES,
        classification_losses: Self::CLASSIFICATION_LOSSES,
        normalisations: Self::NORMALISATIONS,
        options: Self::OPTIONS,
        facts: Facts {
            aggregation: Self::AGGREGATION,
            is_difference_from_shadow: Self::IS_DIFFERENCE_FROM_SHADOW,
            from_bags_only: Self::FROM_BAGS_ONLY,
            permutes_clusters: Self::PERMUTES_CLUSTERS,
            reads_rows: Self::READS_ROWS,
            shaped_by_others: Self::SHAPED_BY_OTHERS,
            favours_many_values: Self::FAVOURS_MANY_VALUES,
            has_limit_where_additive: Self::HAS_LIMIT_WHERE_ADDITIVE,
            kind: Self::KIND,
            term: Self::TERM,
            class_values: Self::CLASS_VALUES,
            of_several_targets: Self::OF_SEVERAL_TARGETS,
            verdicts: Self::VERDICTS,
            needs_all_trees: Self::NEEDS_ALL_TREES || Self::EXPLAINS_ROWS,
            explains_rows: Self::EXPLAINS_ROWS,
            stands_for_part: Self::STANDS_FOR_PART,
            grows_shadows: Self::GROWS_SHADOWS,
            copies: Self::COPIES,
        },
    };

    /// How it is computed on a forest that meets its requirements.
    ///
    /// # Errors
    /// [`Error::Setting`] and [`Error::Measure`] where the settings do not fit the forest.
    fn plan(settings: &MeasureSettings, subject: Subject<'_>) -> Result<Plan, Error>;

    /// What it keeps of altered predictions for every row and group that a tree changes, if
    /// anything.
    fn altered(_settings: &MeasureSettings) -> Option<KeptAltered> {
        None
    }

    /// Bytes that it keeps of all trees besides altered predictions.
    fn kept_bytes(_tree: &TreeShape, _n_trees: f64) -> f64 {
        0.0
    }

    /// Bytes that a thread needs while it explains rows by one tree, besides what all measures need.
    fn thread_bytes(_tree: &TreeShape) -> f64 {
        0.0
    }
}

/// What a measure is; feeds the help, the documentation and the report.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeasureInfo {
    /// The name users type.
    pub id: &'static str,
    /// Other names users may type.
    pub aliases: &'static [&'static str],
    #[serde(skip)]
    pub(crate) called: &'static [&'static str],
    /// Its name in words.
    pub name: &'static str,
    /// What it estimates.
    pub estimand: &'static str,
    /// What to beware of.
    pub caveat: &'static str,
    /// Paper and equation.
    pub source: &'static str,
    /// The works to cite.
    pub references: &'static [Reference],
    /// Unit of the values.
    pub unit: &'static str,
    /// What multiplying a numeric target does to the values.
    pub scale: Scale,
    /// What it costs, in words.
    pub cost: &'static str,
    /// What it costs, compared with one pass over trees and rows.
    pub effort: CostClass,
    /// Which rows it is computed on.
    pub data: DataUsed,
    /// True when small values mean important.
    pub small_is_important: bool,
    /// What the forest must have besides splits.
    pub needs: &'static [Requirement],
    /// Losses it offers for a number; the first is the default; empty if it has no loss.
    pub regression_losses: &'static [Loss],
    /// Losses it offers for classes; the first is the default; empty if it has no loss.
    pub classification_losses: &'static [Loss],
    /// Normalisations it offers besides none.
    pub normalisations: &'static [Normalise],
    /// Further settings it offers.
    pub options: &'static [MeasureOption],
    /// How the values behave; for the crates beside the engine.
    #[doc(hidden)]
    #[serde(skip)]
    pub facts: Facts,
}

/// How the values of a measure behave, and how it is computed; see `MeasureDef`.
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facts {
    pub(crate) aggregation: OverTrees,
    pub(crate) is_difference_from_shadow: bool,
    pub(crate) from_bags_only: bool,
    pub(crate) permutes_clusters: bool,
    pub(crate) reads_rows: bool,
    pub(crate) shaped_by_others: bool,
    /// Whether irrelevant variables of many values are favoured, because trees overfit them.
    pub favours_many_values: bool,
    /// Whether its limit is known only where effects add up.
    pub has_limit_where_additive: bool,
    /// What explains that it ranks variables otherwise than another measure.
    pub kind: Kind,
    /// What it is in formulas that take other measures apart.
    pub term: Option<Term>,
    /// What its values of single classes are, where it offers them.
    pub class_values: ClassMeaning,
    pub(crate) of_several_targets: bool,
    /// Which objectives it serves; `None` where it is not judged.
    pub verdicts: Option<Verdicts>,
    pub(crate) needs_all_trees: bool,
    pub(crate) explains_rows: bool,
    /// Whether a report computes it on as many trees as take about as long as growing.
    pub stands_for_part: bool,
    pub(crate) grows_shadows: bool,
    pub(crate) copies: Copies,
}

impl MeasureInfo {
    /// An importance by this measure whose values are to be filled in.
    pub fn importance(&self) -> Importance {
        Importance {
            id: self.id,
            data: self.data,
            loss: None,
            unit: self.unit.to_owned(),
            names: Vec::new(),
            small_is_important: self.small_is_important,
            errors_over: self.errors_over(),
            values: Vec::new(),
            standard_errors: None,
            total_errors: None,
            excesses: None,
            p_values: None,
            per_class: None,
            by_degree: None,
            second_order: None,
            per_tree: Vec::new(),
            repeats: Vec::new(),
            settings: BTreeMap::new(),
            notes: Vec::new(),
            notes_on_p_values: Vec::new(),
        }
    }

    /// True when values exist only where rows that the forest never saw are given.
    pub fn needs_test_rows(&self) -> bool {
        self.needs.contains(&Requirement::TestRows)
    }

    /// True when the measure computes its values on test rows, or can.
    pub fn takes_test_rows(&self) -> bool {
        self.takes(MeasureOption::TestRows)
    }

    /// True when the measure reads an option; of losses and normalisations, some of them.
    pub fn takes(&self, option: MeasureOption) -> bool {
        match option {
            MeasureOption::Loss => {
                !self.regression_losses.is_empty() || !self.classification_losses.is_empty()
            }
            MeasureOption::Normalise => !self.normalisations.is_empty(),
            MeasureOption::TestRows if self.needs_test_rows() => true,
            _ => self.options.contains(&option),
        }
    }
}

/// What a measure costs; by default reports and `all` compute only those of one pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CostClass {
    /// Looks at trees and rows.
    Pass,
    /// Sends all rows to all leaves.
    AllLeaves,
    /// Samples until its values are precise.
    Samples,
    /// Fits a regression to every tree.
    Regressions,
    /// Divides all rows by all trees for many sets of variables.
    Coalitions,
    /// Grows forests again.
    Refits,
}

impl CostClass {
    /// Why it should be asked for by name; `None` where it need not.
    pub fn warning(self) -> Option<&'static str> {
        match self {
            Self::Pass => None,
            Self::AllLeaves => Some("sends all rows to all leaves"),
            Self::Samples => Some("samples until its values are precise"),
            Self::Regressions => Some("fits a regression to every tree"),
            Self::Coalitions => Some("projects the forest onto many sets of variables"),
            Self::Refits => Some("grows forests again"),
        }
    }
}

/// What multiplying a numeric target does to the values of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// They change as the loss or impurity does.
    Loss,
    /// They change as the target does.
    Prediction,
    /// Nothing: they are counts, or shares of the target's variance, which a constant target
    /// has not.
    Invariant,
}

/// How the values of trees make that of a forest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OverTrees {
    Mean,
    Sum,
}

/// What explains that a measure ranks variables otherwise than another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Impurity on rows that trees have seen.
    InBag,
    /// Errors after permuting.
    Permuted,
    /// What only this variable explains.
    TotalSobol,
    /// Anything else.
    Other,
}

/// What a measure is in formulas that take other measures apart (Li et al. 2019, Equation 4; Bénard,
/// Da Veiga & Scornet 2022, Proposition 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// The decrease in impurity in the rows in the bag.
    InBag,
    /// The decrease in impurity in the rows out of the bag.
    OutOfBag,
    /// The increase of the errors of trees after permuting.
    ErrorOfTrees,
    /// The increase of the error of the forest after permuting.
    ErrorOfForest,
    /// The total Sobol index.
    TotalSobol,
}
