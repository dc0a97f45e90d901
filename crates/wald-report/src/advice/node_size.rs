//! Whether nodes are divided further than a large table with little noise needs.

use crate::advice::words::count;
use crate::advice::{Concern, Evidence, Finding};
use crate::study::Study;
use wald::Error;
use wald::data::Response;
use wald::message::{Value, Wording};
use wald::words::percent;
use wald::{message, setting};

/// With fewer rows, sums of total Sobol indices fall short of the truth at any node size.
const MANY_ROWS: usize = 10_000;

/// A forest that explains less of the variance follows noise in small nodes, too, which balances.
const NEARLY_ALL: f64 = 0.9;

/// Nodes of at least so many rows do not overshoot on the designs of the study.
const LARGE: usize = 20;

/// A numeric target, many rows, little noise and small nodes: what only one variable explains is
/// noise to trees that may not use it, and small leaves follow it.
///
/// # Errors
/// Those of [`ForestConfig::resolve`].
pub(super) fn node_size(
    study: &Study,
    explained: Option<f64>,
    wording: &dyn Wording,
) -> Result<Finding, Error> {
    let (data, config) = (&*study.data, study.config.as_ref());
    let is_number = matches!(data.target().response(), Response::Regression(_));
    let least = match config {
        Some(config) if is_number => Some(config.resolve(data)?.min_node_size),
        _ => None,
    };
    Ok(finding(data.n_rows(), least, explained, wording))
}

fn finding(
    n_rows: usize,
    least: Option<usize>,
    explained: Option<f64>,
    wording: &dyn Wording,
) -> Finding {
    let is_small = least.is_some_and(|least| least < LARGE);
    let is_noiseless = explained.is_some_and(|explained| explained >= NEARLY_ALL);
    let is_found = n_rows >= MANY_ROWS && is_small && is_noiseless;
    let rows = count(n_rows, "row", "rows");
    let sentence = match (least, explained) {
        (Some(least), Some(explained)) if is_found => format!(
            "Nodes of {} and more are divided on {rows} with little noise ({} of the variance is \
             explained out of bag).",
            count(least + 1, "row", "rows"),
            percent(explained)
        ),
        (Some(_), Some(_)) => "Small nodes do no harm here.".to_owned(),
        _ => "The size of nodes is checked for regression forests that wald has grown.".to_owned(),
    };
    let consequence = if is_found {
        message!(
            "Total Sobol indices may be too large by about a tenth of their value: compare them with \
             those of a forest whose smallest divided node has ",
            LARGE,
            " rows",
            setting::MIN_NODE_SIZE.to(Value::Number(LARGE)).hint(),
            "."
        )
        .worded(wording)
    } else {
        String::new()
    };
    Finding {
        id: "node_size".to_owned(),
        name: "Size of nodes".to_owned(),
        concern: if is_found { Concern::Minor } else { Concern::None },
        sentence,
        consequence,
        evidence: vec![
            Evidence::new("rows", Some(n_rows as f64)),
            Evidence::new("smallest node size", least.map(|least| least as f64)),
            Evidence::new("explained variance, out of bag", explained),
        ],
        variables: Vec::new(),
        source:
            "Simulation (wald's documentation, papers: errors against the size of nodes); Bénard, Da Veiga & \
                 Scornet 2022, assumption (A2'): nodes grow with the number of rows"
                .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::message::Neutral;

    #[test]
    fn small_nodes_matter_on_large_tables_with_little_noise_only() {
        let concern =
            |n_rows, least, explained| finding(n_rows, least, explained, &Neutral).concern;
        assert_eq!(concern(10_000, Some(5), Some(0.9)), Concern::Minor);
        assert_eq!(concern(9_999, Some(5), Some(0.9)), Concern::None, "few rows");
        assert_eq!(concern(10_000, Some(20), Some(0.9)), Concern::None, "large nodes");
        assert_eq!(concern(10_000, Some(5), Some(0.89)), Concern::None, "noise");
        assert_eq!(
            concern(10_000, None, Some(0.99)),
            Concern::None,
            "classes, or a foreign forest"
        );
    }
}
