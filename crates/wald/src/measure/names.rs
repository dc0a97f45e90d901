//! What was meant by a name that no measure has.

use crate::measure::MeasureId;

/// Names at least this similar are taken for misspelt.
const SIMILAR: f64 = 0.8;

/// More than so many suggestions are a list again.
const MOST: usize = 3;

/// A word in small letters, without punctuation and without "importance", and the measures that it
/// may mean.
pub(crate) type Word = (String, Vec<&'static str>);

impl MeasureId {
    /// What to use instead of a name that no measure has: the nearest names, or all.
    ///
    /// ```
    /// use wald::MeasureId;
    ///
    /// assert_eq!(MeasureId::suggestion("sobolmda"), "did you mean `sobol_mda`?");
    /// assert_eq!(MeasureId::suggestion("%IncMSE"), "did you mean `mda_breiman_cutler`?");
    /// ```
    pub fn suggestion(name: &str) -> String {
        let known: Vec<&str> = Self::ALL.iter().map(|id| id.info().id).collect();
        suggestion(&meant(name, &known, &words()), &known)
    }
}

/// What other programs and papers call measures, as the measures state it.
fn words() -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for info in MeasureId::ALL.iter().map(|id| id.info()) {
        let aliases = info.aliases.iter().map(|alias| folded(alias));
        for word in aliases.chain(info.called.iter().map(|&word| word.to_owned())) {
            match words.iter_mut().find(|(known, _)| *known == word) {
                Some((_, ids)) => ids.push(info.id),
                None => words.push((word, vec![info.id])),
            }
        }
    }
    words
}

pub(crate) fn suggestion(near: &[&str], known: &[&str]) -> String {
    let quoted = |names: &[&str]| {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    match near {
        [] => format!("use one of: {}", known.join(", ")),
        [only] => format!("did you mean `{only}`?"),
        [first @ .., last] => format!("did you mean {} or `{last}`?", quoted(first)),
    }
}

/// The names that were probably meant, the nearest first; at most three.
pub(crate) fn meant(name: &str, known: &[&'static str], others: &[Word]) -> Vec<&'static str> {
    let name = folded(name);
    if let Some(same) = known.iter().find(|one| folded(one) == name) {
        return vec![same];
    }
    let bare = ["values", "importances", "importance", "s"];
    let plain = bare.iter().fold(name.as_str(), |rest, end| match rest.strip_suffix(end) {
        Some(shorter) if shorter.len() > 2 => shorter,
        _ => rest,
    });
    let of = others.iter().find(|(word, _)| word == plain || *word == name);
    if let Some((_, measures)) = of {
        return measures.clone();
    }
    let score = |one: &str| {
        let one = folded(one);
        if plain.len() > 2 && one.starts_with(plain) {
            3.0
        } else if plain.len() > 2 && one.contains(plain) {
            2.0
        } else {
            // A misspelt synonym of a measure is as good as its name.
            strsim::jaro_winkler(&name, &one)
        }
    };
    let mut scored: Vec<(f64, &[&'static str])> =
        known.iter().map(|one| (score(one), std::slice::from_ref(one))).collect();
    scored
        .extend(others.iter().map(|(word, of)| (strsim::jaro_winkler(plain, word), of.as_slice())));
    scored.retain(|(score, _)| *score >= SIMILAR);
    // What was only begun is a surer guess than what is misspelt.
    let best = scored.iter().map(|(score, _)| *score).fold(0.0, f64::max);
    scored.retain(|(score, _)| best < 1.0 || *score > 1.0);
    scored.sort_by(|left, right| right.0.total_cmp(&left.0));
    let mut found = Vec::new();
    for name in scored.iter().flat_map(|(_, names)| names.iter()) {
        if !found.contains(name) {
            found.push(*name);
        }
    }
    found.truncate(MOST);
    found
}

/// Small letters and digits alone.
fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_lead_to_measures() {
        let starts =
            |help: String, measure: &str| help.starts_with(&format!("did you mean `{measure}`"));
        for (name, measure) in [
            ("permutation", "mda_breiman_cutler"),
            ("permutation_importance", "mda_breiman_cutler"),
            ("permutaton", "mda_breiman_cutler"),
            ("Mean Decrease Accuracy", "mda_breiman_cutler"),
            ("mda", "mda_breiman_cutler"),
            ("%IncMSE", "mda_breiman_cutler"),
            ("gini", "mdi"),
            ("impurity", "mdi"),
            ("feature_importances_", "mdi"),
            ("shap", "tree_shap"),
            ("SHAP values", "tree_shap"),
            ("sobolmda", "sobol_mda"),
            ("sobol_mba", "sobol_mda"),
            ("sobol", "sobol_mda"),
            ("shapley", "shapley_effects"),
            ("ishwaran", "mda_ishwaran_kogalur"),
            ("min_depth", "minimal_depth"),
            ("minimal_dept", "minimal_depth"),
            ("oob", "mdi_oob"),
        ] {
            assert!(starts(MeasureId::suggestion(name), measure), "{name}");
        }
        assert!(MeasureId::suggestion("zebra").starts_with("use one of: mdi, "));
        assert!(MeasureId::suggestion("").starts_with("use one of: mdi, "));
    }

    #[test]
    fn other_names_are_of_measures_that_there_are() {
        for info in MeasureId::ALL.iter().map(|id| id.info()) {
            for word in info.called {
                assert_eq!(*word, folded(word), "{}", info.id);
            }
            for alias in info.aliases {
                let id = MeasureId::parse(alias).map(|id| id.info().id);
                assert_eq!(id, Some(info.id), "{alias}");
            }
        }
    }
}
