//! Whether case weights depend on what is averaged in small leaves.

use crate::advice::{Concern, Evidence, Finding};
use crate::study::Study;
use wald::association::case_weights::{LARGE_LEAVES, weights_follow};
use wald::message::{Value, Wording};
use wald::{message, setting};

/// Case weights that depend on the target or a variable, and leaves of few rows, whose means by weight
/// are biased then. `None` of tables without weights.
pub(super) fn case_weights(study: &Study, wording: &dyn Wording) -> Option<Finding> {
    let data = &*study.data;
    data.weights()?;
    let n_rows = data.rows_of_positive_weight().len() as f64;
    let leaf_size = n_rows / study.measured.mean_leaves;
    let follow = weights_follow(data);
    let what = follow.in_words(data.target().name());
    let is_found = what.is_some() && leaf_size < LARGE_LEAVES;
    let sentence = match &what {
        Some(what) if is_found => format!(
            "Case weights depend on {what}, and a leaf holds {leaf_size:.0} rows on average, too few for means \
             by weight: shares of the variance and p-values are wrong."
        ),
        Some(what) => format!(
            "Case weights depend on {what}; a leaf holds {leaf_size:.0} rows on average, enough for means by \
             weight."
        ),
        None => {
            "Case weights are seen to depend neither on the target nor on a variable.".to_owned()
        }
    };
    let consequence = if is_found {
        message!(
            "Means by weight of few rows are biased then: grow trees with larger leaves",
            setting::MIN_LEAF_SIZE.to(Value::Number(LARGE_LEAVES as usize)).hint(),
            "."
        )
        .worded(wording)
    } else {
        String::new()
    };
    Some(Finding {
        id: "case_weights".to_owned(),
        name: "Case weights".to_owned(),
        concern: if is_found { Concern::Serious } else { Concern::None },
        sentence,
        consequence,
        evidence: vec![Evidence::new("rows of a leaf, on average", Some(leaf_size))],
        variables: follow.columns,
        source: "Kruskal & Wallis 1952; Cochran 1977, Section 6.8 (means by weight of few rows); \
                 simulation (wald's documentation, uncertainty: case weights)"
            .to_owned(),
    })
}
