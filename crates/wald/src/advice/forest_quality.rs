//! Whether the forest knows anything of the target, and whether its trees are enough.

use crate::advice::words::{count, named, percent};
use crate::advice::{AdviceInput, Concern, Evidence, Finding};
use crate::data::{Response, Target};
use crate::error::Error;
use crate::forest::{Errors, align_target};
use crate::inference::{Confidence, separations};
use crate::measure::MeasureId;

/// A forest that explains less says little about the variables (definition of convenience).
pub(super) const WEAK: f64 = 0.1;

/// One-sided level of the test that it explains anything: 1.645 standard errors.
const HALF_WIDTH: f64 = 1.645;

/// More trees would lower the error by more than this share of it.
const MATERIAL: f64 = 0.01;

/// More than so many times the trees are no advice.
const MOST_TIMES: u64 = 100;

/// Variables whose order is looked at.
const LEADING: usize = 10;

/// What the forest explains out of bag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strength {
    /// Share of the variance; `None` where no row was out of bag or the target is constant.
    pub(super) explained: Option<f64>,
    /// In standard errors over rows.
    distance: Option<f64>,
}

impl Strength {
    /// True where nothing is known to be explained.
    pub(super) fn is_nothing(self) -> bool {
        self.distance.is_some_and(|distance| distance < HALF_WIDTH)
    }

    /// True where little or nothing is explained.
    pub(super) fn is_weak(self) -> bool {
        self.is_nothing() || self.explained.is_some_and(|explained| explained < WEAK)
    }
}

/// # Errors
/// As [`align_target`], where the forest is foreign.
pub(super) fn strength(input: &AdviceInput<'_>) -> Result<Strength, Error> {
    let explained = match &input.measured.errors {
        Some(
            Errors::Regression { explained_variance, .. }
            | Errors::Classification { explained_variance, .. },
        ) => *explained_variance,
        None => None,
    };
    let target = match input.target {
        Some(info) => align_target(input.data, info)?,
        None => input.data.target().clone(),
    };
    Ok(Strength { explained, distance: explained.and_then(|_| distance(input, &target)) })
}

/// The mean decrease of the squared error of a row against the mean of the target, in standard
/// errors.
fn distance(input: &AdviceInput<'_>, target: &Target) -> Option<f64> {
    let n_outputs = target.n_outputs();
    let truth = |row: usize, output: usize| match target.response() {
        Response::Regression(values) => values[row],
        Response::Classification(classes) => {
            f64::from(u8::from(classes.codes()[row] as usize == output))
        }
    };
    let weight = |row: usize| input.data.weights().map_or(1.0, |weights| weights[row]);
    let said = |row: usize| {
        let prediction = input.measured.out_of_bag.prediction(row);
        prediction.filter(|_| weight(row) > 0.0).map(|prediction| (row, prediction))
    };
    let rows: Vec<(usize, Vec<f64>)> = (0..input.data.n_rows()).filter_map(said).collect();
    let total: f64 = rows.iter().map(|(row, _)| weight(*row)).sum();
    let means: Vec<f64> = (0..n_outputs)
        .map(|output| {
            rows.iter().map(|(row, _)| weight(*row) * truth(*row, output)).sum::<f64>() / total
        })
        .collect();
    let decrease = |(row, prediction): &(usize, Vec<f64>)| -> f64 {
        let of_output = |(output, said): (usize, &f64)| {
            let y = truth(*row, output);
            (y - means[output]).powi(2) - (y - said).powi(2)
        };
        prediction.iter().enumerate().map(of_output).sum()
    };
    let decreases: Vec<(f64, f64)> =
        rows.iter().map(|found| (weight(found.0), decrease(found))).collect();
    let mean = decreases.iter().map(|(w, d)| w * d).sum::<f64>() / total;
    let squares: f64 = decreases.iter().map(|(w, d)| (w * (d - mean)).powi(2)).sum();
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
            "Importances describe what the forest has learned; the limits that say what they \
             estimate hold for forests that predict well (Theorem 1)."
        }
        Concern::Unknown => "Judge the forest on rows that it has not seen.",
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

/// Whether more trees would help.
pub(super) fn too_few_trees(input: &AdviceInput<'_>) -> Finding {
    let measured = input.measured;
    let curve =
        Curve::of(measured.out_of_bag.convergence(), input.data.target().classes().is_some());
    let order = Order::of(input);
    let n_trees = measured.n_trees as f64;
    let gain = curve.map(|curve| curve.falling / n_trees / curve.limit);
    let rows = input.data.n_rows() as f64;
    // Shares of wrong rows change by whole rows.
    let is_counted = |curve: &Curve| !curve.is_share || curve.falling / n_trees * rows >= 2.0;
    let is_falling =
        gain.is_some_and(|gain| gain > MATERIAL) && curve.as_ref().is_some_and(is_counted);
    let needed = curve.filter(|_| is_falling).map(|curve| curve.falling / (MATERIAL * curve.limit));
    let (unsettled, pairs, most) =
        order.as_ref().map_or((0, 0, None), |order| (order.unsettled, order.pairs, order.most));
    let mut sentences = Vec::new();
    if let (Some(gain), Some(needed)) = (gain, needed) {
        sentences.push(format!(
            "With more than {} the out-of-bag error would fall by another {}; {:.0} trees would \
             come within {} of its limit",
            count(measured.n_trees, "tree", "trees"),
            percent(gain / (1.0 + gain)),
            needed,
            percent(MATERIAL)
        ));
    } else if curve.is_some() {
        sentences.push(format!(
            "{} are enough for the predictions: more would hardly change the out-of-bag error",
            count(measured.n_trees, "tree", "trees")
        ));
    }
    if let Some(order) = order.as_ref().filter(|_| pairs > 0) {
        let more = match most {
            _ if unsettled == 0 => String::new(),
            Some(most) if most <= MOST_TIMES * measured.n_trees as u64 => {
                format!("; {most} trees would tell them apart")
            }
            _ => "; more trees would hardly tell all of them apart".to_owned(),
        };
        sentences.push(format!(
            "of the {} most important variables by {}, {unsettled} of {pairs} neighbours are not \
             told apart{more}",
            pairs + 1,
            order.measure
        ));
    }
    if !is_falling && unsettled > 0 {
        // What calls for more trees comes first.
        sentences.reverse();
    }
    let concern = match (curve, order.is_some()) {
        (None, false) => Concern::Unknown,
        _ if is_falling || unsettled > 0 => Concern::Minor,
        _ => Concern::None,
    };
    let mut sentence = sentences.join("; ");
    if sentence.is_empty() {
        "Whether there are enough trees is not known: no rows are known to be out of bag"
            .clone_into(&mut sentence);
    }
    if let Some(first) = sentence.get(..1) {
        let first = first.to_uppercase();
        sentence.replace_range(..1, &first);
    }
    Finding {
        id: "too_few_trees".to_owned(),
        name: "Number of trees".to_owned(),
        concern,
        sentence: sentence + ".",
        consequence: match concern {
            Concern::Minor => {
                "Ranks that are not told apart may change with the seed; more trees help against \
                 that, not against the error of the rows sampled."
                    .to_owned()
            }
            _ => String::new(),
        },
        evidence: vec![
            Evidence::new("trees", Some(n_trees)),
            Evidence::new(
                "share of the error that more trees would remove",
                gain.map(|g| g / (1.0 + g)),
            ),
            Evidence::new("trees needed for the error", needed.map(f64::ceil)),
            Evidence::new("neighbours not told apart", order.as_ref().map(|_| unsettled as f64)),
            Evidence::new(
                "trees needed for their order",
                most.filter(|_| unsettled > 0).map(|n| n as f64),
            ),
        ],
        variables: order.map(|order| order.names).unwrap_or_default(),
        source: "The variance of a mean over trees falls as 1 / trees (Breiman 2001); order: \
                 Monte-Carlo intervals of differences over trees, 95 %"
            .to_owned(),
    }
}

/// The error of so many trees as a limit and what falls as 1 / trees.
#[derive(Debug, Clone, Copy)]
struct Curve {
    limit: f64,
    falling: f64,
    /// A share of wrong rows instead of a mean of squares.
    is_share: bool,
}

impl Curve {
    /// By least squares, from a tenth of the trees on, so that every row has predictions.
    fn of(convergence: &[(usize, f64)], is_share: bool) -> Option<Self> {
        let last = convergence.last()?.0;
        let from = (last / 10).max(10);
        let points: Vec<(f64, f64)> = convergence
            .iter()
            .filter(|(trees, _)| *trees >= from)
            .map(|&(trees, error)| (1.0 / trees as f64, error))
            .collect();
        if points.len() < 4 {
            return None;
        }
        let n = points.len() as f64;
        let (x, y) = points.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0 / n, sum.1 + at.1 / n));
        let products = |of: fn((f64, f64)) -> f64| -> f64 {
            points.iter().map(|at| of((at.0 - x, at.1 - y))).sum()
        };
        let falling = (products(|(x, y)| x * y) / products(|(x, _)| x * x)).max(0.0);
        let limit = y - falling * x;
        (limit > 0.0).then_some(Self { limit, falling, is_share })
    }
}

/// Whether the trees tell the leading variables of a measure apart.
struct Order {
    measure: &'static str,
    pairs: usize,
    unsettled: usize,
    /// Trees for the last of them; `None` where two are equal.
    most: Option<u64>,
    names: Vec<String>,
}

impl Order {
    /// Of the first measure that is a mean over trees.
    fn of(input: &AdviceInput<'_>) -> Option<Self> {
        let confidence = Confidence::new(0.95).ok()?;
        let found = input.measured.importances.iter().find(|one| one.per_tree.len() > 1)?;
        let info = MeasureId::parse(found.id)?.info();
        let all = separations(found, info.small_is_important, confidence);
        let leading = &all[..all.len().min(LEADING - 1)];
        let n_trees = found.per_tree.len() as u64;
        let is_open = |needed: Option<u64>| needed.is_none_or(|needed| needed > n_trees);
        let open: Vec<_> = leading.iter().filter(|pair| is_open(pair.n_trees)).collect();
        let most = open.iter().map(|pair| pair.n_trees).collect::<Option<Vec<u64>>>();
        let names = input.measured.groups.names();
        let mut named: Vec<String> = Vec::new();
        for pair in &open {
            for group in [pair.first, pair.second] {
                if named.last() != Some(&names[group]) {
                    named.push(names[group].clone());
                }
            }
        }
        Some(Self {
            measure: info.id,
            pairs: leading.len(),
            unsettled: open.len(),
            most: most.and_then(|all| all.into_iter().max()),
            names: named,
        })
    }
}

/// Whether one class is rare.
pub(super) fn imbalance(data: &crate::data::Dataset) -> Finding {
    /// A class of fewer rows, or of a smaller share of them, is rare.
    const RARE: f64 = 0.1;
    const FEW: f64 = 20.0;
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
    finding.consequence = format!(
        "Losses are nearly those of the frequent classes: with --loss {auc} \
         mda_ishwaran_kogalur looks at rare ones as well, and --stratify draws them more often."
    );
    finding
}
