//! Whether the forest knows anything of the target, and whether its classes are balanced.

use std::collections::BTreeMap;

use crate::advice::words::{count, named};
use crate::advice::{Concern, Evidence, Finding};
use crate::study::Study;
use wald::Error;
use wald::data::{Response, Target};
use wald::forest::align_target;
use wald::message::{Value, Wording};
use wald::pass::Errors;
use wald::words::percent;
use wald::{message, setting};

/// A forest that explains less is weak evidence about the variables (definition of convenience).
pub(super) const WEAK: f64 = 0.1;

/// One-sided level of the test that it explains anything: 1.645 standard errors.
const HALF_WIDTH: f64 = 1.645;

/// What the forest explains out of bag.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strength {
    /// Share of the variance; `None` where no row was out of bag or the target is constant.
    pub(super) explained: Option<f64>,
    /// In standard errors over rows.
    distance: Option<f64>,
}

impl Strength {
    /// True where nothing is known to be explained.
    pub(crate) fn is_nothing(self) -> bool {
        self.distance.is_some_and(|distance| distance < HALF_WIDTH)
            || self.explained.is_some_and(|explained| explained <= 0.0)
    }

    /// True where little or nothing is explained.
    pub(super) fn is_weak(self) -> bool {
        self.is_nothing() || self.explained.is_some_and(|explained| explained < WEAK)
    }
}

/// # Errors
/// As [`align_target`], where the forest is foreign.
pub(crate) fn strength(study: &Study) -> Result<Strength, Error> {
    let explained = match &study.measured.errors {
        Some(
            Errors::Regression { explained_variance, .. }
            | Errors::Classification { explained_variance, .. },
        ) => *explained_variance,
        None => None,
    };
    let target = match study.target() {
        Some(info) => align_target(&study.data, info)?,
        None => study.data.target().clone(),
    };
    Ok(Strength { explained, distance: explained.and_then(|_| distance(study, &target)) })
}

/// The mean decrease of the squared error of a row against the mean of the target, in standard
/// errors; rows of a cluster vary together.
fn distance(study: &Study, target: &Target) -> Option<f64> {
    let n_outputs = target.n_outputs();
    let truth = |row: usize, output: usize| match target.response() {
        Response::Regression(values) => values[row],
        Response::Classification(classes) => {
            f64::from(u8::from(classes.codes()[row] as usize == output))
        }
        Response::Several(outputs) => outputs.row(row)[output],
    };
    let weight = |row: usize| study.data.weights().map_or(1.0, |weights| weights[row]);
    let predictions = |row: usize| {
        let prediction = study.measured.out_of_bag.prediction(row);
        prediction.filter(|_| weight(row) > 0.0).map(|prediction| (row, prediction))
    };
    let rows: Vec<(usize, Vec<f64>)> = (0..study.data.n_rows()).filter_map(predictions).collect();
    let total: f64 = rows.iter().map(|(row, _)| weight(*row)).sum();
    let means: Vec<f64> = (0..n_outputs)
        .map(|output| {
            rows.iter().map(|(row, _)| weight(*row) * truth(*row, output)).sum::<f64>() / total
        })
        .collect();
    let decrease = |(row, prediction): &(usize, Vec<f64>)| -> f64 {
        let of_output = |(output, prediction): (usize, &f64)| {
            let y = truth(*row, output);
            (y - means[output]).powi(2) - (y - prediction).powi(2)
        };
        prediction.iter().enumerate().map(of_output).sum()
    };
    let decreases: Vec<(u32, f64, f64)> = rows
        .iter()
        .map(|found| {
            let cluster = study.data.clusters().map_or(found.0 as u32, |of| of[found.0]);
            (cluster, weight(found.0), decrease(found))
        })
        .collect();
    let mean = decreases.iter().map(|(_, w, d)| w * d).sum::<f64>() / total;
    let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
    for (cluster, w, d) in decreases {
        *sums.entry(cluster).or_default() += w * (d - mean);
    }
    let squares: f64 = sums.values().map(|sum| sum.powi(2)).sum();
    (squares > 0.0).then(|| mean / (squares.sqrt() / total))
}

pub(super) fn weak_forest(strength: Strength) -> Finding {
    let (concern, sentence) = match strength.explained {
        None => (
            Concern::Unknown,
            "How well the forest predicts is not known: no rows are known to be out of bag, or the \
             target does not vary."
                .to_owned(),
        ),
        Some(explained) if strength.is_nothing() => (
            Concern::Serious,
            format!(
                "Nothing shows that the forest predicts better than the mean: out of bag it \
                 explains {} of the variance, which is not above zero beyond chance.",
                percent(explained)
            ),
        ),
        Some(explained) if strength.is_weak() => (
            Concern::Serious,
            format!("Out of bag the forest explains {} of the variance only.", percent(explained)),
        ),
        Some(explained) => (
            Concern::None,
            format!("Out of bag the forest explains {} of the variance.", percent(explained)),
        ),
    };
    let consequence = match concern {
        Concern::Serious => {
            "Importances describe what the forest has learned; the limits that define what they \
             estimate hold for forests that predict well (Theorem 1)."
        }
        Concern::Unknown => "Evaluate the forest on held-out rows.",
        _ => "",
    };
    Finding {
        id: "weak_forest".to_owned(),
        name: "How well the forest predicts".to_owned(),
        concern,
        sentence,
        consequence: consequence.to_owned(),
        evidence: vec![
            Evidence::new("explained variance, out of bag", strength.explained),
            Evidence::new("distance from zero in standard errors", strength.distance),
        ],
        variables: Vec::new(),
        source: "Bénard, Da Veiga & Scornet 2022, Theorem 1: the limits need a consistent forest; \
                 section 3.3: estimates fall short as the forest does"
            .to_owned(),
    }
}

/// Whether one class is rare.
pub(super) fn imbalance(study: &Study, wording: &dyn Wording) -> Finding {
    /// A class of fewer rows, or of a smaller share of them, is rare.
    const RARE: f64 = 0.1;
    const FEW: f64 = 20.0;
    let data = &*study.data;
    let mut finding = Finding {
        id: "imbalance".to_owned(),
        name: "Balance of classes".to_owned(),
        concern: Concern::None,
        sentence: "The target is a number.".to_owned(),
        consequence: String::new(),
        evidence: Vec::new(),
        variables: Vec::new(),
        source: "Janitza, Strobl & Boulesteix 2013 (importance by the area under the curve)"
            .to_owned(),
    };
    let Response::Classification(classes) = data.target().response() else { return finding };
    let mut sizes = vec![0.0_f64; classes.levels().len()];
    classes.codes().iter().for_each(|&code| sizes[code as usize] += 1.0);
    let present = sizes.iter().enumerate().filter(|(_, size)| **size > 0.0);
    let Some((rarest, &size)) = present.min_by(|a, b| a.1.total_cmp(b.1)) else { return finding };
    let share = size / data.n_rows() as f64;
    finding.evidence = vec![
        Evidence::new("share of the rarest class", Some(share)),
        Evidence::new("rows of the rarest class", Some(size)),
    ];
    let what = format!(
        "The rarest class, {}, has {} ({})",
        named(&classes.levels()[rarest]),
        count(size as usize, "row", "rows"),
        percent(share)
    );
    if share >= RARE && size >= FEW {
        finding.sentence = what + ": no class is rare.";
        return finding;
    }
    finding.concern = Concern::Minor;
    finding.sentence = what + ".";
    let auc = if sizes.len() == 2 { "auc" } else { "log" };
    let mut consequence = message!(
        "Losses are nearly those of the frequent classes. With the loss ",
        auc,
        setting::LOSS.word(auc).hint(),
        ", mda_ishwaran_kogalur looks at rare ones as well"
    );
    if auc == "auc" {
        // Other measures refuse such bags, whose shares of classes are not those of the table.
        consequence = message!(
            consequence,
            "; stratified draws",
            setting::STRATIFY.to(Value::Yes).hint(),
            " take them more often, but allow this loss and what describes the trees alone"
        );
    }
    finding.consequence = message!(consequence, ".").worded(wording);
    finding
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tenth of the variance, and 1.645 standard errors.
    #[test]
    fn a_forest_is_weak_below_a_tenth_or_what_chance_would_explain() {
        let of = |explained, distance| Strength { explained, distance };
        assert!(of(Some(0.09), Some(9.0)).is_weak() && !of(Some(0.11), Some(9.0)).is_weak());
        assert!(of(Some(0.5), Some(1.6)).is_nothing() && of(Some(0.5), Some(1.6)).is_weak());
        assert!(!of(Some(0.5), Some(1.7)).is_nothing());
        assert!(!of(None, None).is_weak(), "not known");
    }
}
