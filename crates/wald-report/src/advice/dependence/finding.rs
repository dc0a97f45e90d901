//! The finding on dependence.

use super::{CLUSTER, Dependence, MATERIAL, Pair};
use crate::advice::words::{correlation, count, named};
use crate::advice::{Answer, Concern, Evidence, Finding};

impl Pair {
    /// Both names and how much they depend on each other.
    fn in_words(&self, names: &[String]) -> String {
        let [one, other] = self.groups.map(|group| named(&names[group]));
        let how = if self.is_not_monotone { ", not monotone" } else { "" };
        format!("{one} and {other} ({} {}{how})", self.how, correlation(self.size))
    }
}

impl Dependence {
    /// In words.
    pub(in crate::advice) fn finding(&self, names: &[String]) -> Finding {
        let n_material = self.material().count();
        let (concern, sentence, consequence) = match (self.answer, self.pairs.first()) {
            (Answer::Unknown, _) => (
                Concern::Unknown,
                format!("{}.", self.refusal.as_deref().unwrap_or("Dependence was not tested")),
                "Take variables as dependent: measures that are valid then are valid in any case.",
            ),
            (Answer::Yes, Some(first)) => (
                Concern::Serious,
                format!(
                    "{} of {} {} on each other by {MATERIAL} or more{} {}{}.",
                    n_material,
                    count(self.n_tested, "pair of variables", "pairs of variables"),
                    if n_material == 1 { "depends" } else { "depend" },
                    if n_material == 1 { ":" } else { ", most of all" },
                    first.in_words(names),
                    match self.n_clusters {
                        0 => String::new(),
                        1 => format!(
                            "; {} variables form a cluster, joined at a mean dependence of \
                             {CLUSTER} or more",
                            self.n_in_clusters
                        ),
                        n => format!(
                            "; {} variables form {n} clusters, joined at a mean dependence of \
                             {CLUSTER} or more",
                            self.n_in_clusters
                        ),
                    }
                ),
                "Permutation importances mix what a variable adds with what it shares with others \
                 (Proposition 2); they answer a question only where effects add up.",
            ),
            (_, Some(first)) => (
                Concern::Minor,
                format!(
                    "Of {} none depends on each other by {MATERIAL} or more; beyond chance \
                     depend{} {}.",
                    count(self.n_tested, "pair of variables", "pairs of variables"),
                    if self.pairs.len() == 1 { "" } else { ", most of all," },
                    first.in_words(names)
                ),
                "So weak a dependence hardly moves permutation importances.",
            ),
            (_, None) => (
                Concern::None,
                if self.n_tested == 0 {
                    "There are no two variables that vary.".to_owned()
                } else {
                    format!(
                        "No dependence was found among {}; with {} a rank correlation of {:.2} \
                         would be found with probability 0.8.",
                        count(self.n_tested, "pair of variables", "pairs of variables"),
                        count(self.n_rows, "row", "rows"),
                        self.detectable
                    )
                },
                "",
            ),
        };
        let share = |of: usize| of as f64;
        let evidence = vec![
            Evidence::new("rows used", Some(share(self.n_rows))),
            Evidence::new("pairs tested", Some(share(self.n_tested))),
            Evidence::new("dependent pairs", Some(share(n_material))),
            Evidence::new("significantly dependent pairs", Some(share(self.pairs.len()))),
            Evidence::new("largest dependence", self.pairs.first().map(|pair| pair.size)),
            Evidence::new(
                "logarithm of its p-value",
                self.pairs.first().map(|pair| pair.log_p).filter(|log_p| log_p.is_finite()),
            ),
            Evidence::new("clusters", Some(share(self.n_clusters))),
            Evidence::new("variables in clusters", Some(share(self.n_in_clusters))),
            Evidence::new(
                "detectable rank correlation",
                (self.n_tested > 0).then_some(self.detectable),
            ),
        ];
        Finding {
            id: "dependence".to_owned(),
            name: "Dependence between variables".to_owned(),
            concern,
            sentence,
            consequence: consequence.to_owned(),
            evidence,
            variables: self.variables(names),
            source: "Bénard, Da Veiga & Scornet 2022, Proposition 2 and Table 2; tests: Spearman \
                     1904, Kruskal & Wallis 1952, chi-square of cells; Holm 1979; level and power: \
                     simulation (wald's documentation, advice)"
                .to_owned(),
        }
    }

    /// Variables that depend on others, the most dependent first.
    fn variables(&self, names: &[String]) -> Vec<String> {
        let mut seen = vec![false; self.n_groups];
        let members = self.material().flat_map(|pair| pair.groups);
        let new = members.filter(|&group| !std::mem::replace(&mut seen[group], true));
        new.map(|group| names[group].clone()).collect()
    }

    /// How many variables depend on others, in words that begin a sentence.
    pub(in crate::advice) fn extent(&self, names: &[String]) -> String {
        match (self.variables(names).len(), self.n_groups) {
            (2, 2) => "Both variables depend on each other".to_owned(),
            (n, all) if n == all => format!("All {all} variables depend on others"),
            (n, all) => format!("{n} of {all} variables depend on others"),
        }
    }
}
