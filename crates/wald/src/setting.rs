//! The settings that messages name, by the identifiers that fronts word.

use crate::message::Setting;

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
    CATEGORICAL = "categorical",
    CLUSTER = "cluster",
    CONDITIONING_THRESHOLD = "conditioning_threshold",
    CONFIDENCE = "confidence",
    ERROR = "error",
    EXCLUDE = "exclude",
    EXCLUDE_SELF = "exclude_self",
    FOLDS = "folds",
    GRID = "grid",
    GROUP = "group",
    GROUP_BY = "group_by",
    IMPURITY = "impurity",
    INFINITE = "infinite",
    LEVEL = "level",
    LOSS = "loss",
    MAX_DEPTH = "max_depth",
    MEASURE = "measure",
    MIN_CHILD_FRACTION = "min_child_fraction",
    MIN_CRITERION = "min_criterion",
    MIN_IMPURITY_DECREASE = "min_impurity_decrease",
    MIN_LEAF_SIZE = "min_leaf_size",
    MIN_NODE_SIZE = "min_node_size",
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
    PERMUTATIONS = "permutations",
    PER_CLASS = "per_class",
    PRECISION = "precision",
    P_VALUES = "p_values",
    REPEATS = "repeats",
    SAMPLES = "samples",
    SAMPLE_FRACTION = "sample_fraction",
    SAMPLING = "sampling",
    SMALLEST = "smallest",
    SPLITTING = "splitting",
    SPLIT_PURE = "split_pure",
    STEP = "step",
    STRATIFY = "stratify",
    SUBSAMPLES = "subsamples",
    SUBSAMPLE_FRACTION = "subsample_fraction",
    SUBSAMPLE_TREES = "subsample_trees",
    SUBSPACE = "subspace",
    TARGET = "target",
    TASK = "task",
    TEST = "test",
    THREADS = "threads",
    TIME_BUDGET = "time_budget",
    TREES = "trees",
    VALUES = "values",
    VARIABLES = "variables",
    VARIANCE = "variance",
}
