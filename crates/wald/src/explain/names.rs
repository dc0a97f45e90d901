//! What was meant by a name that no local measure has.

use crate::explain::ExplanationId;
use crate::measure::names::{meant, suggestion};

/// What other programs and papers call local measures.
const LOCAL: &[(&str, &[&str])] = &[
    ("shap", &["tree_shap", "tree_shap_interventional"]),
    ("shapley", &["tree_shap", "tree_shap_interventional"]),
    ("treeshap", &["tree_shap", "tree_shap_interventional"]),
    ("shapinteraction", &["tree_shap_interactions"]),
    ("interaction", &["tree_shap_interactions"]),
    ("partialdependence", &["pdp"]),
    ("individualconditionalexpectation", &["ice"]),
    ("treeinterpreter", &["saabas"]),
    ("contributions", &["saabas", "tree_shap"]),
    ("impurity", &["local_mdi", "mdi_oob"]),
    ("gini", &["local_mdi", "mdi_oob"]),
];

impl ExplanationId {
    /// What to use instead of a name that no local measure has: the nearest names, or all.
    pub fn suggestion(name: &str) -> String {
        let known: Vec<&str> = Self::ALL.iter().map(|id| id.info().id).collect();
        let words = LOCAL.iter().map(|&(word, ids)| (word.to_owned(), ids.to_vec()));
        suggestion(&meant(name, &known, &words.collect::<Vec<_>>()), &known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_lead_to_local_measures() {
        let starts =
            |help: String, measure: &str| help.starts_with(&format!("did you mean `{measure}`"));
        for (name, measure) in [
            ("shap", "tree_shap"),
            ("partial_dependence", "pdp"),
            ("shap_interaction_values", "tree_shap_interactions"),
            ("sabas", "saabas"),
            ("mdi", "mdi_oob"),
        ] {
            assert!(starts(ExplanationId::suggestion(name), measure), "{name}");
        }
        assert_eq!(ExplanationId::suggestion("pdd"), "did you mean `pdp`?");
        for (name, measures) in LOCAL {
            assert!(measures.iter().all(|id| ExplanationId::parse(id).is_some()), "{name}");
        }
    }
}
