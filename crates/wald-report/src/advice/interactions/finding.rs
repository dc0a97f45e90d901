//! The finding on interactions.

use super::{Compared, Interactions, TREES};
use crate::advice::words::p_value;
use crate::advice::{Answer, Concern, Evidence, Finding};
use wald::words::percent;

impl Interactions {
    pub(in crate::advice) fn finding(&self) -> Finding {
        let scale = if self.has_classes { " on the scale of probabilities" } else { "" };
        let (concern, sentence) = match (self.answer, self.measured) {
            (Answer::Yes, Some(found)) => (
                Concern::Serious,
                format!(
                    "Effects are not additive{scale}: {}, and what the forest adds to an \
                     additive function explains {} of the variance ({}).",
                    found.both(),
                    percent(found.added),
                    p_value(found.p_value)
                ),
            ),
            (Answer::No, Some(found)) if found.p_value <= found.level => (
                Concern::Minor,
                format!(
                    "Interactions are small: {}, and what the forest adds to an \
                     additive function explains {} of the variance ({}).",
                    found.both(),
                    // What is found is not none.
                    if found.added < 0.0005 {
                        "less than 0.1 %".to_owned()
                    } else {
                        percent(found.added)
                    },
                    p_value(found.p_value)
                ),
            ),
            (Answer::No, Some(found)) => (
                Concern::None,
                format!(
                    "No evidence against additivity: {}, and what the forest adds to \
                     an additive function explains no more than chance does ({}).",
                    found.both(),
                    p_value(found.p_value)
                ),
            ),
            (answer, _) => (
                if answer == Answer::No { Concern::None } else { Concern::Unknown },
                format!("{}.", self.refusal.as_deref().unwrap_or("Additivity was not tested")),
            ),
        };
        let consequence = match self.answer {
            Answer::Yes if self.has_groups => {
                "With dependent variables permutation importances contain a term that is not an \
                 importance (the third term of Proposition 2). Columns of a group were looked at \
                 one by one, so that interactions inside of a group count here, too."
            }
            Answer::Yes => {
                "With dependent variables permutation importances contain a term that is not an \
                 importance (the third term of Proposition 2)."
            }
            Answer::No if concern == Concern::Minor => {
                "Where there are data, the third term of Proposition 2 is small; permuted rows \
                 outside of the data may differ."
            }
            Answer::No => {
                "Without interactions the third term of Proposition 2 vanishes: permutation \
                 importances are well defined."
            }
            Answer::Unknown => {
                "Take effects as interacting: measures that are valid then are valid \
                                in any case."
            }
        };
        let of = |value: fn(&Compared) -> f64| self.measured.as_ref().map(value);
        Finding {
            id: "interactions".to_owned(),
            name: "Interactions".to_owned(),
            concern,
            sentence,
            consequence: consequence.to_owned(),
            evidence: vec![
                Evidence::new("rows used", of(|found| found.n_rows as f64)),
                Evidence::new("explained by an additive fit, out of fold", of(|f| f.additive)),
                Evidence::new("explained by a forest of 100 trees, out of bag", of(|f| f.forest)),
                Evidence::new("added by interactions", of(|found| found.added)),
                Evidence::new("variance of predictions that is not additive", of(|f| f.left)),
                Evidence::new("the same where the truth is additive", of(|f| f.left_by_chance)),
                Evidence::new("p-value of additivity", of(|found| found.p_value)),
                Evidence::new(
                    "forests that it is based on, where the truth is additive",
                    of(|found| found.n_references as f64),
                ),
            ],
            variables: Vec::new(),
            source:
                "Bénard, Da Veiga & Scornet 2022, Corollary 2 and section 3.3 (Prostate); wild \
                     bootstrap: Härdle & Mammen 1993; level and power: simulation (wald's \
                     documentation, advice)"
                    .to_owned(),
        }
    }
}

impl Compared {
    fn both(self) -> String {
        format!(
            "on {} rows an additive fit explains {} of the variance out of fold, a forest of \
             {TREES} trees {} out of bag",
            self.n_rows,
            percent(self.additive.max(0.0)),
            percent(self.forest.max(0.0))
        )
    }
}
