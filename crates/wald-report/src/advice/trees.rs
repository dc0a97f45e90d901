//! Whether the trees are enough, for predictions and for ranks.

use crate::advice::words::count;
use crate::advice::{Concern, Evidence, Finding};
use crate::study::Study;
use wald::importance::DataUsed;
use wald::inference::{Confidence, separations};
use wald::measure::MeasureId;
use wald::words::percent;

/// More trees would lower the error by more than this share of it.
const MATERIAL: f64 = 0.01;

/// More than so many times the trees are no advice.
const MOST_TIMES: u64 = 100;

/// Variables whose order is looked at.
const LEADING: usize = 10;

/// Whether more trees would help.
pub(super) fn too_few_trees(study: &Study) -> Finding {
    let measured = &study.measured;
    let curve =
        Curve::of(measured.out_of_bag.convergence(), study.data.target().classes().is_some());
    let order = Order::of(study);
    let n_trees = measured.n_trees as f64;
    let gain = curve.map(|curve| curve.falling / n_trees / curve.limit);
    let rows = study.data.n_rows() as f64;
    let is_seen = |curve: &Curve| curve.is_seen(n_trees, rows);
    let is_falling =
        gain.is_some_and(|gain| gain > MATERIAL) && curve.as_ref().is_some_and(is_seen);
    let needed = curve.filter(|_| is_falling).map(|curve| curve.falling / (MATERIAL * curve.limit));
    let (unsettled, pairs, most) =
        order.as_ref().map_or((0, 0, None), |order| (order.unsettled, order.pairs, order.most));
    let of_error = match (gain, needed) {
        (Some(gain), Some(needed)) => Some(OfError::Falls { by: gain / (1.0 + gain), needed }),
        _ => curve.map(|_| OfError::Settled),
    };
    let concern = match (curve, order.is_some()) {
        (None, false) => Concern::Unknown,
        _ if is_falling || unsettled > 0 => Concern::Minor,
        _ => Concern::None,
    };
    Finding {
        id: "too_few_trees".to_owned(),
        name: "Number of trees".to_owned(),
        concern,
        sentence: enough(measured.n_trees, of_error, order.as_ref().filter(|_| pairs > 0)),
        consequence: match concern {
            Concern::Minor => {
                "More trees make values and ranks depend less on the seed; they do not help \
                 against the error of the rows sampled."
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
            Evidence::new("neighbours not separated", order.as_ref().map(|_| unsettled as f64)),
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

/// What more trees would do to the out-of-bag error.
enum OfError {
    /// It would fall by so large a share of it, nearly all of that with so many trees.
    Falls {
        by: f64,
        needed: f64,
    },
    Settled,
}

/// Whether so many trees are enough, in one sentence.
fn enough(n_trees: usize, of_error: Option<OfError>, order: Option<&Order>) -> String {
    let trees = count(n_trees, "tree", "trees");
    let settled = order.is_none_or(|order| order.unsettled == 0);
    let ranks = order.map(|order| order.words(n_trees));
    match (of_error, ranks) {
        (Some(OfError::Falls { by, needed }), ranks) => format!(
            "{trees} are not enough for the predictions: with ever more of them the out-of-bag \
             error would fall by another {}, and about {} would come within {} of its limit{}.",
            percent(by),
            rounded_up(needed.ceil() as u64),
            percent(MATERIAL).replace(".0", ""),
            ranks.map_or(String::new(), |ranks| format!("; {ranks}"))
        ),
        (Some(OfError::Settled), Some(ranks)) if !settled => {
            format!("{trees} are enough for the predictions, but not for all ranks: {ranks}.")
        }
        (Some(OfError::Settled), Some(ranks)) => format!(
            "{trees} are enough: more would hardly change the out-of-bag error, and {ranks}."
        ),
        (Some(OfError::Settled), None) => format!(
            "{trees} are enough for the predictions: more would hardly change the out-of-bag error."
        ),
        (None, Some(ranks)) if !settled => {
            format!("{trees} are not enough for all ranks: {ranks}.")
        }
        (None, Some(ranks)) => format!("{trees} are enough for the ranks: {ranks}."),
        (None, None) => {
            "Whether there are enough trees is not known: no rows are known to be out of bag."
                .to_owned()
        }
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
    /// Whether the fall from so many trees on is more than chance: counts of wrong rows change by whole rows,
    /// and scatter by the square root of the count.
    fn is_seen(&self, n_trees: f64, rows: f64) -> bool {
        let scatter = (self.limit * rows).sqrt().max(1.0);
        !self.is_share || self.falling / n_trees * rows >= 2.0 * scatter
    }

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

/// Whether the trees separate the leading variables of a measure.
struct Order {
    measure: &'static str,
    n_variables: usize,
    pairs: usize,
    unsettled: usize,
    /// Trees for the last of them; `None` where two are equal.
    most: Option<u64>,
    names: Vec<String>,
}

impl Order {
    /// Of the first measure that is a mean over trees; one of rows that trees have seen only where there
    /// is no other.
    fn of(study: &Study) -> Option<Self> {
        let confidence = Confidence::new(0.95).ok()?;
        let means = || study.measured.importances.iter().filter(|one| one.per_tree.len() > 1);
        let found =
            means().find(|one| one.data != DataUsed::Training).or_else(|| means().next())?;
        let info = MeasureId::parse(found.id)?.info();
        let all = separations(found, confidence);
        let leading = &all[..all.len().min(LEADING - 1)];
        let n_trees = found.per_tree.len() as u64;
        let is_open = |needed: Option<u64>| needed.is_none_or(|needed| needed > n_trees);
        let open: Vec<_> = leading.iter().filter(|pair| is_open(pair.n_trees)).collect();
        let most = open.iter().map(|pair| pair.n_trees).collect::<Option<Vec<u64>>>();
        let names = study.names();
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
            n_variables: names.len(),
            pairs: leading.len(),
            unsettled: open.len(),
            most: most.and_then(|all| all.into_iter().max()),
            names: named,
        })
    }

    /// What is known of the order, in words that go on after a colon.
    fn words(&self, n_trees: usize) -> String {
        let (among, of) = match self.pairs {
            1 => {
                let which = if self.n_variables == 2 { "only" } else { "first" };
                (format!("the order of the {which} two variables"), String::new())
            }
            pairs => {
                let among = format!("among the {} most important variables", pairs + 1);
                (among, format!("{} of {pairs} neighbours", self.unsettled))
            }
        };
        let measure = self.measure;
        let seed = "another seed";
        match (self.unsettled, self.pairs) {
            (0, 1) => format!("{among} by {measure} is settled"),
            (0, _) => format!("{among} by {measure}, all neighbours are separated"),
            (_, 1) => format!("{seed} may change {among} by {measure}{}", self.more(n_trees)),
            _ => format!(
                "{among} by {measure}, {seed} may change the order of {of}{}",
                self.more(n_trees)
            ),
        }
    }

    /// Whether more trees would help.
    fn more(&self, n_trees: usize) -> String {
        let it = if self.unsettled == 1 { "that" } else { "all of them" };
        match self.most {
            Some(most) if most <= MOST_TIMES * n_trees as u64 => {
                format!(", and about {} trees would settle {it}", rounded_up(most))
            }
            _ => format!(", and even {MOST_TIMES} times as many trees would hardly settle {it}"),
        }
    }
}

/// To two digits: more are not known.
fn rounded_up(number: u64) -> u64 {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    number.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_fall_as_the_inverse_of_the_number_of_trees() {
        let points: Vec<(usize, f64)> =
            (1..=20).map(|at| (10 * at, 0.1 + 2.0 / (10 * at) as f64)).collect();
        let curve = Curve::of(&points, true).expect("enough points");
        assert!((curve.limit - 0.1).abs() < 1e-12 && (curve.falling - 2.0).abs() < 1e-10);
        // With 100 trees, 2 of 100 rows: less than twice the square root of 10 wrong ones.
        assert!(!curve.is_seen(100.0, 100.0) && curve.is_seen(100.0, 4000.0));
        assert!(Curve { is_share: false, ..curve }.is_seen(100.0, 100.0));
    }

    #[test]
    fn numbers_of_trees_have_two_digits() {
        assert_eq!(
            [7, 99, 100, 101, 11_342, 99_001].map(rounded_up),
            [7, 99, 100, 110, 12_000, 100_000]
        );
    }

    fn order(pairs: usize, unsettled: usize, most: Option<u64>) -> Order {
        let (measure, n_variables) = ("mda_breiman_cutler", pairs + 1);
        Order { measure, n_variables, pairs, unsettled, most, names: Vec::new() }
    }

    #[test]
    fn one_sentence_tells_whether_trees_are_enough() {
        let settled = || Some(OfError::Settled);
        assert_eq!(
            enough(500, settled(), Some(&order(9, 8, None))),
            "500 trees are enough for the predictions, but not for all ranks: among the 10 most \
             important variables by mda_breiman_cutler, another seed may change the order of 8 of \
             9 neighbours, and even 100 times as many trees would hardly settle all of them."
        );
        assert_eq!(
            enough(500, settled(), Some(&order(9, 1, Some(2000)))),
            "500 trees are enough for the predictions, but not for all ranks: among the 10 most \
             important variables by mda_breiman_cutler, another seed may change the order of 1 of \
             9 neighbours, and about 2000 trees would settle that."
        );
        assert_eq!(
            enough(500, settled(), Some(&order(3, 0, None))),
            "500 trees are enough: more would hardly change the out-of-bag error, and among the 4 \
             most important variables by mda_breiman_cutler, all neighbours are separated."
        );
        assert_eq!(
            enough(500, settled(), None),
            "500 trees are enough for the predictions: more would hardly change the out-of-bag \
             error."
        );
        assert_eq!(
            enough(
                20,
                Some(OfError::Falls { by: 0.07, needed: 160.2 }),
                Some(&order(1, 1, Some(50)))
            ),
            "20 trees are not enough for the predictions: with ever more of them the out-of-bag \
             error would fall by another 7 %, and about 170 would come within 1 % of its limit; another \
             seed may change the order of the only two variables by mda_breiman_cutler, and about \
             50 trees would settle that."
        );
        assert_eq!(
            enough(20, None, Some(&order(1, 0, None))),
            "20 trees are enough for the ranks: the order of the only two variables by \
             mda_breiman_cutler is settled."
        );
        assert!(enough(20, None, None).contains("not known"));
    }
}
