//! The settings that messages name, by the identifiers that fronts word.

use crate::message;
use crate::message::{Message, Setting};

macro_rules! settings {
    ($($name:ident = $id:literal,)*) => {
        $(#[doc = concat!("`", $id, "`")] pub const $name: Setting = Setting::new($id);)*

        /// All of them.
        pub const ALL: &[Setting] = &[$($name),*];
    };
}

settings! {
    AGGREGATE = "aggregate",
    BACKGROUND = "background",
    BACKGROUND_ROWS = "background_rows",
    BLOCKS = "blocks",
    BY_DEGREE = "by_degree",
    SECOND_ORDER = "second_order",
    CATEGORICAL = "categorical",
    CCP_ALPHA = "ccp_alpha",
    CHILDREN = "children",
    CLASS_WEIGHT = "class_weight",
    CLUSTER = "cluster",
    CONDITIONING_THRESHOLD = "conditioning_threshold",
    CONFIDENCE = "confidence",
    CUT = "cut",
    DECREASING = "decreasing",
    DEPTH = "depth",
    DRAWS = "draws",
    ERROR = "error",
    EXCLUDE = "exclude",
    EXCLUDE_SELF = "exclude_self",
    FIRST_TREE = "first_tree",
    FOLDS = "folds",
    GRID = "grid",
    GROUP = "group",
    GROUP_BY = "group_by",
    IMPURITY = "impurity",
    INCREASING = "increasing",
    INFINITE = "infinite",
    INTERSECTION_TREES = "intersection_trees",
    LEVEL = "level",
    LOSS = "loss",
    MAX_BINS = "max_bins",
    MAX_DEPTH = "max_depth",
    MAX_LEAF_NODES = "max_leaf_nodes",
    MAX_RUNS = "max_runs",
    MEASURE = "measure",
    METHOD = "method",
    MIN_CHILD_FRACTION = "min_child_fraction",
    MIN_CRITERION = "min_criterion",
    MIN_IMPURITY_DECREASE = "min_impurity_decrease",
    MIN_LEAF_SIZE = "min_leaf_size",
    MIN_NODE_SIZE = "min_node_size",
    MIN_PREVALENCE = "min_prevalence",
    MIN_SIZE = "min_size",
    MIN_WEIGHT_FRACTION_LEAF = "min_weight_fraction_leaf",
    MISSING = "missing",
    MTRY = "mtry",
    MTRY_ONE_PROBABILITY = "mtry_one_probability",
    MULTIPLE_TESTING = "multiple_testing",
    NORMALISE = "normalise",
    NULL_DISTRIBUTION = "null_distribution",
    NULL_FORESTS = "null_forests",
    NUMERIC = "numeric",
    OUT_OF_BAG = "out_of_bag",
    PAIRS = "pairs",
    PERMUTATIONS = "permutations",
    PERCENTILE = "percentile",
    PER_CLASS = "per_class",
    POWER = "power",
    PRECISION = "precision",
    PRESELECT = "preselect",
    P_VALUES = "p_values",
    QUANTILE = "quantile",
    QUANTILES = "quantiles",
    REPEATS = "repeats",
    RESAMPLES = "resamples",
    ROWS = "rows",
    SAMPLES = "samples",
    SAMPLE_FRACTION = "sample_fraction",
    SAMPLING = "sampling",
    SMALLEST = "smallest",
    SPLITTING = "splitting",
    SPLIT_PURE = "split_pure",
    STARTS = "starts",
    STEP = "step",
    STRATIFY = "stratify",
    SUBSAMPLES = "subsamples",
    SUBSAMPLE_FRACTION = "subsample_fraction",
    SUBSAMPLE_TREES = "subsample_trees",
    SUBSPACE = "subspace",
    TARGET = "target",
    TARGET_FDR = "target_fdr",
    TARGET_FP = "target_fp",
    TASK = "task",
    TEST = "test",
    THREADS = "threads",
    TIME_BUDGET = "time_budget",
    TREES = "trees",
    VALUES = "values",
    VARIABLES = "variables",
    VARIANCE = "variance",
}

/// What to do where every tree of a forest sees all rows. Other programs have other names of settings.
pub(crate) fn leaving_rows_out(is_own: bool, otherwise: &str) -> Message {
    if is_own {
        message!("grow the forest with ", SAMPLING.word("bootstrap"), otherwise)
    } else {
        message!("grow it again on bootstrap samples or parts of the rows", otherwise)
    }
}

/// What to do where no tree has left a row out, though its settings would have allowed it: all rows
/// are one row or one cluster, or so many are drawn that none is left.
pub(crate) fn drawn_by_fewer(otherwise: &str) -> Message {
    message!(
        "give more rows, of at least two clusters where there are any",
        CLUSTER.hint(),
        "; of many rows, have trees draw fewer",
        SAMPLE_FRACTION.hint(),
        "; or ",
        otherwise
    )
}
