//! What makes measures disagree about a variable, in plain words. Every claim is made of numbers that
//! differ by more than their errors.

use crate::advice::correlation;
use crate::making::compared::Compared;
use crate::making::masked::Hidden;
use wald::association::compared::MATERIAL;
use wald::inference::Interval;
use wald::work::Kind;

/// All that is known of one variable.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// Shares of the target's impurity that hold neither for other trees nor for other rows.
    pub(super) overfitting: Option<Overfit>,
    /// The variable that stands in for it.
    pub(super) partner: Option<Standing>,
    /// That others are redundant with it.
    pub(super) shared: Option<Shared>,
    /// What permuting adds beyond the total Sobol index, and the variable it depends on most.
    pub(super) third: Option<Third>,
    pub(super) hidden: Option<Hidden>,
}

/// Impurity decreases, as shares of the target's impurity, of a variable that keeps less of them on
/// rows that trees have not seen than variables do on the whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Overfit {
    pub(super) in_bag: f64,
    pub(super) out_of_bag: f64,
    /// Whether the second is above zero by more than its error.
    pub(super) is_something: bool,
}

/// A redundant variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Standing {
    pub(super) name: String,
    pub(super) own: f64,
    pub(super) alone: f64,
    pub(super) together: f64,
}

/// A variable that the forest owes more to than is lost without it. Of independent variables, none has
/// a larger share of the impurity than its total Sobol index.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shared {
    pub(super) out_of_bag: f64,
    pub(super) lost: f64,
    /// The variable it depends on most, and how much, where that is beyond chance.
    pub(super) with: Option<(String, f64)>,
}

/// What permuting adds without meaning.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Third {
    pub(super) share: f64,
    pub(super) with: String,
    pub(super) dependence: f64,
}

/// Two measures that put a variable at ranks which their errors do not explain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Apart<'a> {
    pub(super) better: &'a Compared,
    pub(super) worse: &'a Compared,
    pub(super) ranks: [usize; 2],
}

/// The pairs of measures whose errors do not explain where they put a variable, the farthest apart
/// first.
pub(super) fn apart(measures: &[Compared], variable: usize) -> Vec<Apart<'_>> {
    let mut found = Vec::new();
    for better in measures {
        for worse in measures {
            let (Some(high), Some(low)) = (better.within[variable], worse.within[variable]) else {
                continue;
            };
            let (Some(one), Some(other)) = (better.ranks[variable], worse.ranks[variable]) else {
                continue;
            };
            if high.high < low.low && one < other {
                found.push(Apart { better, worse, ranks: [one, other] });
            }
        }
    }
    found.sort_by_key(|apart| std::cmp::Reverse(apart.ranks[1] - apart.ranks[0]));
    found
}

/// Why measures differ, where that can be determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    Overfitting,
    Redundancy,
    Third,
    Masking,
}

impl Facts {
    /// What is reported with these pairs of measures that a variable's ranks are apart in: what
    /// some measures count and others do not only where these are apart, what no measure shows by
    /// itself always.
    pub(super) fn causes(&self, apart: &[Apart<'_>]) -> Vec<Cause> {
        let is_better = |kind| apart.iter().any(|pair| pair.better.kind == kind);
        let mut causes = Vec::new();
        if self.overfitting.is_some() && is_better(Kind::InBag) {
            causes.push(Cause::Overfitting);
        }
        if self.partner.is_some() || self.shared.is_some() {
            causes.push(Cause::Redundancy);
        }
        let is_permuted_better = apart
            .iter()
            .any(|pair| (pair.better.kind, pair.worse.kind) == (Kind::Permuted, Kind::TotalSobol));
        if self.third.is_some() && is_permuted_better {
            causes.push(Cause::Third);
        }
        if self.hidden.is_some() {
            causes.push(Cause::Masking);
        }
        causes
    }

    fn words(&self, cause: Cause) -> Option<String> {
        match cause {
            Cause::Overfitting => self.overfitting.as_ref().map(|found| {
                let unseen = if found.is_something {
                    format!("{} in rows they have not seen", percent(found.out_of_bag))
                } else {
                    "nothing beyond error in rows they have not seen".to_owned()
                };
                format!(
                    "Its splits remove {} of the target's impurity in rows that trees have seen, \
                     but {unseen}: the rest is overfitting.",
                    percent(found.in_bag)
                )
            }),
            Cause::Redundancy => self
                .partner
                .as_ref()
                .map(Standing::words)
                .or_else(|| self.shared.as_ref().map(Shared::words)),
            Cause::Third => self.third.as_ref().map(|found| {
                format!(
                    "Permuting it costs {} of the variance more than leaving it out: a term that \
                     is not an importance and arises from dependence (by ranks it depends most on \
                     \"{}\": {}).",
                    percent(found.share),
                    found.with,
                    correlation(found.dependence)
                )
            }),
            Cause::Masking => self.hidden.map(|found| {
                format!(
                    "Others are chosen before it: it has {} of all positive importances together \
                     where {} tried at a node, and {} where {} are.",
                    percent(found.first.share / 100.0),
                    variables(found.first.mtry),
                    percent(found.last.share / 100.0),
                    found.last.mtry
                )
            }),
        }
    }
}

impl Standing {
    fn words(&self) -> String {
        format!(
            "\"{}\" can replace it: leaving it out {} of the variance, leaving out \"{}\" {}, but \
             leaving out both {}.",
            self.name,
            costs(self.own),
            self.name,
            costs(self.alone),
            costs(self.together)
        )
    }
}

impl Shared {
    fn words(&self) -> String {
        let with = self.with.as_ref().map_or(String::new(), |(name, dependence)| {
            format!(" (by ranks it depends most on \"{name}\": {})", correlation(*dependence))
        });
        let lost = if self.lost > 0.0 {
            format!("only {} of the variance", percent(self.lost))
        } else {
            "nothing".to_owned()
        };
        let why = if self.with.as_ref().is_some_and(|(_, dependence)| *dependence >= MATERIAL) {
            "other variables carry the same information"
        } else {
            "without it, the trees predict as well by other splits"
        };
        format!(
            "Its splits remove {} of the target's impurity in rows that trees have not seen, but \
             leaving it out costs {lost}: {why}{with}.",
            percent(self.out_of_bag)
        )
    }
}

fn variables(mtry: usize) -> String {
    if mtry == 1 { "1 variable is".to_owned() } else { format!("{mtry} variables are") }
}

/// The sentence on one variable.
pub(super) fn sentence(measures: &[Compared], variable: usize, facts: &Facts) -> String {
    let apart = apart(measures, variable);
    let causes = facts.causes(&apart);
    let mut text = vec![position(measures, variable, &apart)];
    text.extend(causes.iter().filter_map(|&cause| facts.words(cause)));
    if !apart.is_empty() && causes.is_empty() {
        text.push("None of the tested causes exceeds its error.".to_owned());
    }
    text.join(" ")
}

fn position(measures: &[Compared], variable: usize, apart: &[Apart<'_>]) -> String {
    let ranks: Vec<usize> = measures.iter().filter_map(|measure| measure.ranks[variable]).collect();
    let (Some(&best), Some(&worst)) = (ranks.iter().min(), ranks.iter().max()) else {
        return "No measure has a value of it.".to_owned();
    };
    if let Some(Apart { better, worse, ranks }) = apart.first() {
        return format!(
            "{} ranks it {} and {} {}, which is more than their errors explain.",
            better.name,
            ordinal(ranks[0]),
            worse.name,
            ordinal(ranks[1])
        );
    }
    let within: Vec<&Interval<usize>> =
        measures.iter().filter_map(|measure| measure.within[variable].as_ref()).collect();
    if best == worst {
        let who = if ranks.len() == 2 { "Both".to_owned() } else { format!("All {}", ranks.len()) };
        return format!("{who} measures rank it {}.", ordinal(best));
    }
    if within.len() == ranks.len() {
        format!("Its ranks, {best} to {worst}, differ by no more than their errors allow.")
    } else {
        format!(
            "Its ranks, {best} to {worst}, come without all their errors, and may differ by chance."
        )
    }
}

/// 1st, 2nd, 3rd, 4th.
pub(super) fn ordinal(rank: usize) -> String {
    let ending = match (rank % 10, rank % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{rank}{ending}")
}

/// What is lost of the variance that the forest explains.
fn costs(share: f64) -> String {
    if share < 0.0 {
        format!("gains {}", percent(-share))
    } else {
        format!("costs {}", percent(share))
    }
}

/// A share in percent, with enough digits to be distinguished from others.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent.abs() < 0.005 {
        // No sign before a zero.
        return "0 %".to_owned();
    }
    if percent.abs() >= 9.95 {
        format!("{percent:.0} %")
    } else if percent.abs() >= 0.95 {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.2} %")
    }
}
