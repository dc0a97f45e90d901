//! Why measures disagree: the terms that the papers distinguish, for every variable.

use crate::making::compared::Compared;
use crate::making::masked::Masked;
use crate::making::partners::{Pair, Pairs, one_sided};
use crate::making::sentences::{
    Apart, Cause, Facts, Overfit, Shared, Standing, Third, apart, ordinal, sentence,
};
use crate::making::terms::{Term, Terms};
use crate::parts::{Decomposition, Disagreement, Overfitting, Partner, VariableDisagreement};
use wald::grouping::Dependences;
use wald::words::listed;

/// Dependence of less than this is never named as a cause.
const LEAST_DEPENDENCE: f64 = 0.2;

/// For splits that remove less of the target's impurity, redundancy is not reported.
const LEAST_SHARE: f64 = 0.005;

/// Rows that dependence is looked at on.
const MOST_ROWS: usize = 2000;

/// Everything that disagreement is based on.
#[derive(Debug)]
pub(super) struct Found<'a> {
    /// Names of the variables, in the order of the values of measures.
    pub(super) names: &'a [String],
    /// Places of the variables, in the order of the leading measure.
    pub(super) order: &'a [usize],
    pub(super) measures: Vec<Compared>,
    pub(super) terms: Terms<'a>,
    /// Places of variables, and their dependences.
    pub(super) dependences: Option<(Vec<usize>, Dependences)>,
    pub(super) masked: Option<Masked>,
    pub(super) pairs: Pairs,
    pub(super) n_rows: usize,
    /// What is missing, and why.
    pub(super) missing: Vec<String>,
}

impl Found<'_> {
    pub(super) fn result(self) -> Disagreement {
        let facts: Vec<Facts> = self.order.iter().map(|&variable| self.facts(variable)).collect();
        let one = |(&variable, facts): (&usize, &Facts)| self.variable(variable, facts);
        Disagreement {
            summary: self.summary(&facts),
            measures: self.measures.iter().map(|measure| measure.id.to_owned()).collect(),
            correlations: self.correlations(),
            variables: self.order.iter().zip(&facts).map(one).collect(),
            about: self.about(),
        }
    }

    fn correlations(&self) -> Vec<Vec<Option<f64>>> {
        let row =
            |one: &Compared| self.measures.iter().map(|other| one.correlation(other)).collect();
        self.measures.iter().map(row).collect()
    }

    fn variable(&self, at: usize, facts: &Facts) -> VariableDisagreement {
        let name = &self.names[at];
        let ranks = || self.measures.iter().filter_map(|measure| measure.ranks[at]);
        let spread = ranks().max().zip(ranks().min()).map_or(0, |(worst, best)| worst - best);
        let terms = &self.terms;
        let overfitting = terms.in_bag(at).zip(terms.out_of_bag(at));
        let partner = |pair: &Pair| {
            let other = usize::from(pair.names[0] == *name);
            Partner {
                name: pair.names[other].clone(),
                alone: pair.alone[other],
                together: pair.together,
            }
        };
        VariableDisagreement {
            name: name.clone(),
            sentence: sentence(&self.measures, at, facts),
            rank_spread: spread,
            overfitting: overfitting.map(|(in_bag, unseen)| Overfitting {
                in_bag: in_bag.value,
                out_of_bag: unseen.value,
            }),
            decomposition: terms.decomposition(at).map(|terms| Decomposition {
                total_sobol: terms.total_sobol.value,
                full_total_sobol: terms.full_total_sobol.value,
                third: terms.third.value,
            }),
            masking: self.masked.as_ref().map(|masked| masked.points(name)).unwrap_or_default(),
            partners: self.partners_of(name).map(partner).collect(),
        }
    }

    fn partners_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Pair> {
        self.pairs.redundant().filter(move |pair| pair.names.iter().any(|of| of == name))
    }

    /// What is significant for a variable: 5 % for all variables together, one-sided.
    fn facts(&self, at: usize) -> Facts {
        let z = one_sided(self.names.len(), self.terms.n_units());
        let name = &self.names[at];
        let strongest = self.partners_of(name).max_by(|a, b| a.shared().total_cmp(&b.shared()));
        let partner = strongest.map(|pair| {
            let own = usize::from(pair.names[1] == *name);
            Standing {
                name: pair.names[1 - own].clone(),
                own: pair.alone[own],
                alone: pair.alone[1 - own],
                together: pair.together,
            }
        });
        Facts {
            overfitting: self.overfit(at, z),
            partner,
            shared: self.shared(at, z),
            third: self.third(at, z),
            hidden: self.masked.as_ref().and_then(|masked| masked.hidden(name, z)),
        }
    }

    /// A variable that keeps a smaller share of its impurity decrease on rows that trees have not seen
    /// than all variables do together.
    fn overfit(&self, at: usize, z: f64) -> Option<Overfit> {
        let (in_bag, unseen) = (self.terms.in_bag(at)?, self.terms.out_of_bag(at)?);
        let all = 0..self.names.len();
        let sum = |of: &dyn Fn(usize) -> Option<Term>| -> f64 {
            all.clone().filter_map(of).map(|term| term.value).sum()
        };
        let in_all = sum(&|at| self.terms.in_bag(at));
        let usual = if in_all > 0.0 { sum(&|at| self.terms.out_of_bag(at)) / in_all } else { 0.0 };
        let missing = usual.max(0.0) * in_bag.value - unseen.value;
        let error = (usual * in_bag.error).hypot(unseen.error);
        (missing > z * error).then_some(Overfit {
            in_bag: in_bag.value,
            out_of_bag: unseen.value,
            is_something: unseen.value > z * unseen.error,
        })
    }

    fn third(&self, at: usize, z: f64) -> Option<Third> {
        let third = self.terms.decomposition(at)?.third;
        let (with, dependence) = self.most_dependent(at)?;
        let is_real = third.value > z * third.error;
        is_real.then_some(Third { share: third.value, with, dependence })
    }

    /// A variable of whose splits, which are worth something, less than half is lost when it is left
    /// out.
    fn shared(&self, at: usize, z: f64) -> Option<Shared> {
        let (unseen, lost) = (self.terms.out_of_bag(at)?, self.terms.total_sobol(at)?);
        let is_something = unseen.value > z * unseen.error && unseen.value >= LEAST_SHARE;
        let is_more = unseen.value - lost.value > z * unseen.error.hypot(lost.error);
        (is_something && is_more && lost.value < unseen.value / 2.0).then(|| Shared {
            out_of_bag: unseen.value,
            lost: lost.value,
            with: self.most_dependent(at),
        })
    }

    /// The variable that another one depends on most, and how much; `None` where that may be chance.
    fn most_dependent(&self, at: usize) -> Option<(String, f64)> {
        let (shown, found) = self.dependences.as_ref()?;
        let n = shown.len();
        let row = shown.iter().position(|&variable| variable == at)?;
        let others = (0..n).filter(|&other| other != row);
        let strongest = others.max_by(|&a, &b| {
            found.values[row * n + a].total_cmp(&found.values[row * n + b]).then(b.cmp(&a))
        })?;
        let dependence = found.values[row * n + strongest];
        let n_rows = self.n_rows.min(MOST_ROWS) as f64;
        // Of independent ranks, the correlation has the standard error 1 / sqrt(n - 1), to both sides. That
        // is known and not estimated from rows.
        let by_chance = one_sided(2 * (n - 1), usize::MAX) / (n_rows - 1.0).max(1.0).sqrt();
        let name = || self.names[shown[strongest]].clone();
        (dependence > by_chance.max(LEAST_DEPENDENCE)).then(|| (name(), dependence))
    }

    /// At most three sentences.
    fn summary(&self, facts: &[Facts]) -> Vec<String> {
        let mut sentences: Vec<String> = self.likeness().into_iter().collect();
        let apart: Vec<(usize, Vec<Apart<'_>>)> = self
            .order
            .iter()
            .map(|&variable| (variable, apart(&self.measures, variable)))
            .collect();
        let causes: Vec<Vec<Cause>> =
            apart.iter().zip(facts).map(|((_, pairs), facts)| facts.causes(pairs)).collect();
        let n_apart = apart.iter().filter(|(_, pairs)| !pairs.is_empty()).count();
        let gap =
            |pairs: &[Apart<'_>]| pairs.first().map_or(0, |pair| pair.ranks[1] - pair.ranks[0]);
        // Of equal gaps the one of the more important variable.
        let farthest = apart.iter().rev().max_by_key(|(_, pairs)| gap(pairs));
        let Some((variable, pair)) = farthest.and_then(|(at, pairs)| Some((at, pairs.first()?)))
        else {
            sentences.push(if self.has_errors() {
                format!(
                    "No variable has ranks that differ by more than their errors explain: other \
                     trees and rows might give equal ranks{}.",
                    self.without_errors()
                )
            } else {
                "Too few of these measures have errors to decide whether their ranks differ by \
                 chance."
                    .to_owned()
            });
            sentences.extend(reasons(&causes));
            return sentences;
        };
        let (n, name) = (self.names.len(), &self.names[*variable]);
        let differ = "differ by more than their errors explain";
        let which = match n_apart {
            1 => format!("one of {n} variables, \"{name}\", {differ}"),
            _ => format!("{n_apart} of {n} variables {differ}, most those of \"{name}\""),
        };
        sentences.push(format!(
            "The ranks of {which}: {} by {}, {} by {}.",
            ordinal(pair.ranks[0]),
            pair.better.name,
            ordinal(pair.ranks[1]),
            pair.worse.name
        ));
        sentences.extend(reasons(&causes));
        sentences
    }

    fn has_errors(&self) -> bool {
        self.measures.iter().filter(|measure| measure.has_errors()).count() > 1
    }

    /// The measures that are not compared.
    fn without_errors(&self) -> String {
        let without = self.measures.iter().filter(|measure| !measure.has_errors());
        let names: Vec<String> = without.map(|measure| measure.name.to_owned()).collect();
        match names.as_slice() {
            [] => String::new(),
            [name] => format!(" ({name} has no errors and is not compared)"),
            _ => format!(" ({} have no errors and are not compared)", listed(&names, "and")),
        }
    }

    /// Which rankings are most and which are least alike.
    fn likeness(&self) -> Option<String> {
        let mut pairs: Vec<(f64, &str, &str)> = Vec::new();
        for (at, one) in self.measures.iter().enumerate() {
            for other in &self.measures[..at] {
                pairs.extend(other.correlation(one).map(|found| (found, other.name, one.name)));
            }
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (first, last) = (pairs.first()?, pairs.last()?);
        let between = |pair: &(f64, &str, &str)| format!("{} and {}", pair.1, pair.2);
        Some(if pairs.len() == 1 {
            format!(
                "The rankings by {} have the Spearman correlation {:.2}.",
                between(first),
                first.0
            )
        } else if first.0 - last.0 < 0.005 {
            format!("All rankings are equally alike (Spearman correlation {:.2}).", first.0)
        } else {
            format!(
                "The rankings by {} are most alike (Spearman correlation {:.2}), those by {} \
                 least ({:.2}).",
                between(first),
                first.0,
                between(last),
                last.0
            )
        })
    }

    fn about(&self) -> Vec<String> {
        let mut about = vec![
            "Two measures disagree about a variable if its rank intervals do not overlap; \
             intervals cover all variables at once with 90 % probability."
                .to_owned(),
            self.terms.about_errors().to_owned(),
        ];
        about.extend(self.terms.about());
        if let Some(masked) = &self.masked {
            about.push(format!(
                "Masking: shares of the positive impurity decreases on out-of-bag rows in forests \
                 {} in which other numbers of variables are tried at a node. Their \
                 errors are those over trees.",
                masked.words
            ));
        }
        if !self.pairs.all.is_empty() {
            about.push(format!(
                "Partners: {} pairs of variables that depend on each other were left out \
                 together, by projecting trees (Sobol-MDA{}). Named are those that lose more \
                 together than alone, by more than the error.",
                self.pairs.all.len(),
                self.pairs.sample.as_ref().map_or(String::new(), |sample| format!(", {sample}"))
            ));
        }
        about.extend(self.missing.iter().cloned());
        about
    }
}

/// How often which cause was found.
fn reasons(of_variables: &[Vec<Cause>]) -> Option<String> {
    let words = [
        (Cause::Redundancy, "other variables carry the same information"),
        (Cause::Overfitting, "trees overfit it more than usual"),
        (Cause::Third, "permuting adds a term that is not an importance"),
        (Cause::Masking, "others are chosen before it"),
    ];
    let count = |cause: Cause| of_variables.iter().filter(|causes| causes.contains(&cause)).count();
    let mut counts: Vec<(usize, &str)> =
        words.iter().map(|&(cause, words)| (count(cause), words)).filter(|(n, _)| *n > 0).collect();
    counts.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    let part = |(place, &(n, words)): (usize, &(usize, &str))| match (place, n) {
        (0, 1) => format!("{words} (1 variable)"),
        (0, _) => format!("{words} ({n} variables)"),
        _ => format!("{words} ({n})"),
    };
    let parts: Vec<String> = counts.iter().enumerate().map(part).collect();
    (!parts.is_empty()).then(|| format!("Causes that exceed their errors: {}.", parts.join(", ")))
}
