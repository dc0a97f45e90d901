//! What measures need of a forest, and the refusals where a forest lacks it.

use crate::message;
use crate::message::{Message, Setting};
use crate::setting::{self, drawn_by_fewer, leaving_rows_out};
use serde::Serialize;

use crate::data::Dataset;
use crate::error::Error;
use crate::forest::{
    Aggregation, ClassWeight, Forest, ForestConfig, Impurity, Rule, Sampling, Split, Splitting,
};
use crate::loss::Loss;
use crate::measure::definition::{MeasureInfo, MeasureSettings};

/// What a measure needs besides the splits of a forest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Requirement {
    /// Weight and impurity of the nodes, thus the training data or wald's own model file.
    NodeStatistics,
    /// Trees that each predict the target, and bags that leave rows out.
    OutOfBagRows,
    /// Trees that each predict the target, whatever their bags.
    AveragedTrees,
    /// Splits with two children.
    BinarySplits,
    /// Trees that count equally in a prediction: where leaves are weighted, a changed leaf would
    /// change the weights of the others.
    EqualTrees,
    /// How the forest was grown.
    KnownSettings,
    /// Trees that were not pruned, so that each branch is what growing gives.
    UnprunedTrees,
    /// Rows that weigh the same in all trees.
    FixedWeights,
    /// Nodes whose values are the means of their rows, which weigh the same in all trees.
    MeansOfRows,
    /// Bags that hold classes in the shares of the table, by weight, but for a loss that compares rows by
    /// the order of their predictions: nodes predict the shares of the bags, and other rows have those of
    /// the table.
    SharesOfClasses,
    /// A table of rows that the forest never saw.
    TestRows,
    /// Training rows that are not in clusters: shadows permute them.
    ExchangeableRows,
}

/// Why a measure does not apply, and what to do instead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unmet {
    why: &'static str,
    help: fn() -> Message,
}

impl Unmet {
    pub(crate) fn refusal(self, info: &MeasureInfo) -> Error {
        let Self { why, help } = self;
        Error::measure(info.id, why, help())
    }
}

const NO_STATISTICS: Unmet = Unmet {
    why: "needs the in-bag weight of every node, which this forest does not hold",
    help: || {
        "read the forest together with its training data and add `in_bag` to its file, or use \
         split_count or minimal_depth"
            .into()
    },
};
const SUMMED: Unmet = Unmet {
    why: "needs trees that each predict the target, but these are summed",
    help: || "use mdi".into(),
};
const SUMMED_WITHOUT_STATISTICS: Unmet =
    Unmet { help: || "use split_count or minimal_depth".into(), ..SUMMED };
const MULTIWAY: Unmet = Unmet {
    why: "needs splits with two children, but here levels have branches of their own",
    help: || message!("grow the forest with ", setting::SPLITTING.word("best"), ", or use mdi"),
};
const GROWN_ON_ALL: Unmet = Unmet {
    why: "needs out-of-bag rows, but every tree sees all rows",
    help: || leaving_rows_out(true, ", or use mdi"),
};
const OTHERS_GROWN_ON_ALL: Unmet =
    Unmet { help: || leaving_rows_out(false, ", or use mdi"), ..GROWN_ON_ALL };
/// Bags by which rows could have been left out, but were not.
const DREW_ALL: Unmet = Unmet {
    why: "needs out-of-bag rows, but every tree has drawn all rows",
    help: || drawn_by_fewer("use mdi"),
};
const NO_BAGS: Unmet = Unmet {
    why: "needs out-of-bag rows, but the forest file does not name the bags",
    help: || {
        "add `in_bag` to the forest file, or use a measure that needs no out-of-bag rows".into()
    },
};
const WEIGHTED_LEAVES: Unmet = Unmet {
    why: "needs a forest whose trees count equally, but here leaves are weighted",
    help: || "use mda_breiman_cutler".into(),
};
pub(crate) const UNKNOWN_SETTINGS: Unmet = Unmet {
    why: "grows the forest again, but how this one was grown is not known",
    help: || "grow a forest from the table".into(),
};
const UNKNOWN_SETTINGS_OUT_OF_BAG: Unmet = Unmet {
    help: || {
        "grow a forest from the table, or use sobol_mda or mdi_oob, which need out-of-bag rows only"
            .into()
    },
    ..UNKNOWN_SETTINGS
};
const PRUNED: Unmet = Unmet {
    why: "grows branches of the trees again, but the settings of these trees prune them",
    help: || {
        message!(
            "grow the forest without ",
            setting::MAX_LEAF_NODES,
            " and ",
            setting::CCP_ALPHA,
            ", or use total_sobol_retrain"
        )
    },
};
pub(crate) const WEIGHED_ANEW: Unmet = Unmet {
    why: "takes rows to weigh the same in all trees, but every tree of this forest weighs classes anew",
    help: || fair_without(setting::CLASS_WEIGHT),
};
/// What to do where all classes were not drawn alike, or not weighed alike.
fn fair_without(setting: Setting) -> Message {
    message!(
        "grow the forest without ",
        setting,
        ", or use mda_ishwaran_kogalur with the loss auc",
        setting::LOSS.word("auc").hint(),
        " where there are two classes, which takes the order of predictions alone, or mdi"
    )
}
const FAVOURED: Unmet = Unmet {
    why: "takes trees to draw classes as often as the table holds them, but those of this forest draw \
          some classes more often",
    help: || fair_without(setting::STRATIFY),
};
/// Draws that were weighed such that all classes weigh the same.
const FAVOURED_BY_WEIGHTS: Unmet = Unmet {
    why: "takes trees to predict classes as often as the table holds them, but every tree of this forest \
          weighs classes anew",
    ..WEIGHED_ANEW
};
/// Trees of another program.
const OTHERS_FAVOURED: Unmet = Unmet {
    why: "takes trees to draw and weigh classes as the table holds them, but those of this forest favour \
          some classes",
    help: || {
        message!(
            "grow it again with trees that draw and weigh all rows alike, or use mdi, or, where trees leave \
             rows out and there are two classes, mda_ishwaran_kogalur with the loss auc",
            setting::LOSS.word("auc").hint(),
            ", which takes the order of predictions alone"
        )
    },
};
const MEDIANS: Unmet = Unmet {
    why: "needs nodes that hold the means of their rows, but those of this forest hold medians",
    help: || {
        message!(
            "grow the forest by ",
            setting::IMPURITY.word("variance"),
            ", or use mda_breiman_cutler or mdi, which take the trees as they are"
        )
    },
};
pub(crate) const NO_TEST_ROWS: Unmet = Unmet {
    why: "needs rows that the forest never saw",
    help: || {
        message!(
            "give a table of them",
            setting::TEST.hint(),
            ", or use mda_breiman_cutler, which uses out-of-bag rows"
        )
    },
};

const CLUSTERED: Unmet = Unmet {
    why: "compares variables with copies whose rows are permuted, but rows in clusters are not \
          exchangeable",
    help: || {
        message!(
            "leave out ",
            setting::CLUSTER,
            ", aggregate each cluster to one row, or use mdi_oob, which leaves out whole clusters"
        )
    },
};

const SEVERAL_TARGETS: Unmet = Unmet {
    why: "is of one target, but this forest predicts several",
    help: || {
        "fit a forest for each target, or use sobol_mda, mdi or an importance by permutation".into()
    },
};

const LOSS_OF_SEVERAL_TARGETS: Unmet = Unmet {
    why: "has the squared loss alone where a forest predicts several targets",
    help: || message!("leave out ", setting::LOSS),
};

/// The refusal of a measure that lacks rows that the forest never saw; the forest has or has not
/// out-of-bag rows.
fn no_test_rows(has_out_of_bag: bool) -> Unmet {
    let help = || message!("give a table of them", setting::TEST.hint());
    if has_out_of_bag { NO_TEST_ROWS } else { Unmet { help, ..NO_TEST_ROWS } }
}

/// Refuses a forest of several targets; for local measures.
pub(crate) fn check_one_target(id: &'static str, forest: &Forest) -> Result<(), Error> {
    let Unmet { why, .. } = SEVERAL_TARGETS;
    let refusal = || Error::measure(id, why, "fit a forest for each target");
    if forest.target().outputs.is_none() { Ok(()) } else { Err(refusal()) }
}

/// Refuses a forest whose nodes do not hold the means of their rows; for local measures.
pub(crate) fn check_means(id: &'static str, forest: &Forest) -> Result<(), Error> {
    match Requirement::MeansOfRows.unmet(forest, &MeasureSettings::default()) {
        Some(Unmet { why, help }) => Err(Error::measure(id, why, help())),
        None => Ok(()),
    }
}

/// Refuses a forest whose bags favour classes of the training rows; for local measures.
pub(crate) fn check_shares(id: &'static str, forest: &Forest, data: &Dataset) -> Result<(), Error> {
    let shares = Requirement::SharesOfClasses;
    match shares.unmet_by_favoured(&MeasureSettings::default(), forest.config()) {
        Some(Unmet { why, help }) if forest.favours_classes(data) => {
            Err(Error::measure(id, why, help()))
        }
        _ => Ok(()),
    }
}

impl MeasureInfo {
    /// What the forest must have, in words.
    pub fn needs_in_words(&self) -> String {
        let needs: Vec<&str> = self.needs.iter().map(|needs| needs.describe()).collect();
        if needs.is_empty() { "the splits alone: any forest".to_owned() } else { needs.join("; ") }
    }
}

impl MeasureInfo {
    /// Why it does not apply to the targets of a forest; `None` if it does.
    pub(in crate::measure) fn unmet_by_targets(
        &self,
        forest: &Forest,
        settings: &MeasureSettings,
    ) -> Option<Unmet> {
        forest.target().outputs.as_ref()?;
        if !self.facts.of_several_targets {
            return Some(SEVERAL_TARGETS);
        }
        let is_other = settings.loss.is_some_and(|loss| loss != Loss::Squared);
        is_other.then_some(LOSS_OF_SEVERAL_TARGETS)
    }
}

impl Requirement {
    /// What is needed, in words.
    fn describe(self) -> &'static str {
        match self {
            Self::NodeStatistics => {
                "weight and impurity of the nodes: a wald model file, or a forest file with \
                 `in_bag` beside its training data"
            }
            Self::OutOfBagRows => {
                "trees that each leave rows out: bootstrap or subsample, `in_bag` in a forest file"
            }
            Self::AveragedTrees => "trees that each predict the target: averaged, not summed",
            Self::BinarySplits => "splits with two children: no multiway splits",
            Self::EqualTrees => "trees that count equally: no weighted leaves",
            Self::KnownSettings => "a forest that wald has grown",
            Self::UnprunedTrees => "trees that were not pruned",
            Self::FixedWeights => "rows that weigh the same in all trees",
            Self::MeansOfRows => {
                "nodes that hold the means of their rows, which weigh the same in all trees"
            }
            Self::SharesOfClasses => {
                "trees that draw and weigh classes as the table holds them (not for the loss `auc`)"
            }
            Self::TestRows => "a table of rows that the forest never saw (`test`)",
            Self::ExchangeableRows => "training rows that are not in clusters",
        }
    }

    /// Why a forest that is to be grown will not do; `None` if it will.
    pub(in crate::measure) fn unmet_when_grown(
        self,
        config: &ForestConfig,
        settings: &MeasureSettings,
    ) -> Option<Unmet> {
        match self {
            Self::OutOfBagRows => (config.sampling == Sampling::All).then_some(GROWN_ON_ALL),
            Self::TestRows => {
                let has_others = config.sampling != Sampling::All;
                settings.test.is_none().then_some(no_test_rows(has_others))
            }
            Self::BinarySplits => (config.splitting == Splitting::Multiway).then_some(MULTIWAY),
            Self::UnprunedTrees => config.prunes().then_some(PRUNED),
            Self::MeansOfRows if config.impurity == Some(Impurity::AbsoluteError) => Some(MEDIANS),
            Self::FixedWeights | Self::MeansOfRows => {
                (config.class_weight != ClassWeight::Equal).then_some(WEIGHED_ANEW)
            }
            Self::NodeStatistics
            | Self::AveragedTrees
            | Self::EqualTrees
            | Self::KnownSettings
            | Self::SharesOfClasses
            | Self::ExchangeableRows => None,
        }
    }

    /// Why trees that favour classes will not do, of wald's settings or of other programs (`None`);
    /// `None` if they will.
    pub(in crate::measure) fn unmet_by_favoured(
        self,
        settings: &MeasureSettings,
        config: Option<&ForestConfig>,
    ) -> Option<Unmet> {
        let is_needed = self == Self::SharesOfClasses && settings.loss != Some(Loss::Auc);
        is_needed.then_some(match config {
            Some(config) if config.class_weight != ClassWeight::Equal => FAVOURED_BY_WEIGHTS,
            Some(_) => FAVOURED,
            None => OTHERS_FAVOURED,
        })
    }

    /// Why training rows will not do; `None` if they will.
    pub(in crate::measure) fn unmet_by_rows(self, data: &Dataset) -> Option<Unmet> {
        (self == Self::ExchangeableRows && data.clusters().is_some()).then_some(CLUSTERED)
    }

    /// Why a forest will not do; `None` if it will. One that is being grown has no trees yet.
    pub(in crate::measure) fn unmet(
        self,
        forest: &Forest,
        settings: &MeasureSettings,
    ) -> Option<Unmet> {
        let when_grown = forest.config().and_then(|config| self.unmet_when_grown(config, settings));
        match self {
            _ if when_grown.is_some() => when_grown,
            Self::NodeStatistics => {
                let are_known = forest.trees().iter().all(|tree| tree.statistics().is_some());
                (!are_known).then_some(NO_STATISTICS)
            }
            Self::BinarySplits => {
                let is_multiway = |split: &Split| matches!(split.rule, Rule::Multiway { .. });
                let mut trees = forest.trees().iter();
                trees
                    .any(|tree| tree.splits().any(|(_, split)| is_multiway(split)))
                    .then_some(MULTIWAY)
            }
            Self::AveragedTrees if forest.aggregation() == Aggregation::Sum => {
                let lacks = Self::NodeStatistics.unmet(forest, settings).is_some();
                Some(if lacks { SUMMED_WITHOUT_STATISTICS } else { SUMMED })
            }
            Self::MeansOfRows if forest.impurity() == Impurity::AbsoluteError => Some(MEDIANS),
            Self::AveragedTrees
            | Self::UnprunedTrees
            | Self::FixedWeights
            | Self::MeansOfRows
            | Self::SharesOfClasses
            | Self::ExchangeableRows => None,
            Self::OutOfBagRows if forest.aggregation() == Aggregation::Sum => {
                Self::AveragedTrees.unmet(forest, settings)
            }
            Self::OutOfBagRows => {
                let Some(bags) = forest.bags() else { return Some(NO_BAGS) };
                let leaves_out = bags.iter().any(|bag| bag.counts().contains(&0));
                let is_own = forest.config().is_some();
                let unmet = if is_own { DREW_ALL } else { OTHERS_GROWN_ON_ALL };
                (!bags.is_empty() && !leaves_out).then_some(unmet)
            }
            Self::EqualTrees => {
                (forest.aggregation() == Aggregation::LeafWeighted).then_some(WEIGHTED_LEAVES)
            }
            // wald's own trees are averaged.
            Self::KnownSettings => {
                let is_own = forest.config().is_some() && forest.aggregation() == Aggregation::Mean;
                let others_apply = Self::OutOfBagRows.unmet(forest, settings).is_none();
                let refusal =
                    if others_apply { UNKNOWN_SETTINGS_OUT_OF_BAG } else { UNKNOWN_SETTINGS };
                (!is_own).then_some(refusal)
            }
            Self::TestRows => {
                let has_others = Self::OutOfBagRows.unmet(forest, settings).is_none();
                settings.test.is_none().then_some(no_test_rows(has_others))
            }
        }
    }
}
