//! `wald-forest` JSON: the forest of any program, as parallel arrays over the nodes of a tree.
//!
//! One object: `format` ("wald-forest"), `version` (1), `task`, `features` (names), `trees`;
//! `classes` for classification; optionally `target` (its name), `feature_levels` (per feature
//! null or its level names), `float32_inputs`, `aggregation`, `impurity` (the criterion),
//! `row_weights`, `config` (how wald grew it), `mtry` (what is known of how another program grew
//! it), `table` (a hash of the table that wald grew it on) and `comment` (ignored).
//!
//! A tree: `feature` (-1 on leaves), `threshold`, `left`, `right`; node 0 is the root, other
//! nodes stand in any order. Optionally, one entry per node or null:
//! `split`: `le` (left iff x <= threshold, the default), `lt` (x < threshold), `levels` (the
//! level codes listed in `levels` go left), `levels_right` (they go right), `present` (left
//! iff the value is not missing), `multiway` (to the nodes listed in `children`: `branches` has
//! the position in `children` of every level in `levels`, or of every level of the feature
//! without that list; without `branches` there is a child for each; `others` is the position for
//! levels that are not listed, by default the heaviest child for unknown ones);
//! `missing`: `left`, `right` or a position among the children; without it missing values
//! follow the heavier child, by `weight` or the bag, and the first child where neither is known;
//! `value`: a number, or a list of one number per class; `weight` and `impurity` in bag.
//! And `in_bag`, the multiplicity of every training row.
//!
//! Values and statistics that are not given are computed from `in_bag` and the training data.
//! A node without in-bag rows has weight and impurity 0 and the value of its parent.

mod arrays;
mod document;
mod draft;
mod entry;
mod finish;
mod format;
mod order;
mod read;
mod rules;
mod write;

pub use arrays::TreeArrays;
