//! Made-up advice.

use wald_report::advice::{
    Advice, Concern, Evidence, Finding, FurtherQuestion, ObjectiveAdvice, Validity, Verdict,
};

pub(super) fn advice(names: &[String]) -> Advice {
    let words = |text: &str| text.to_owned();
    let finding = |id: &str, name: &str, concern, sentence: &str, consequence: &str| Finding {
        id: words(id),
        name: words(name),
        concern,
        sentence: words(sentence),
        consequence: words(consequence),
        evidence: vec![
            Evidence { name: "largest rank correlation".into(), value: Some(0.9312) },
            Evidence { name: "adjusted p-value".into(), value: Some(1.3e-9) },
            Evidence { name: "explained by additive fit".into(), value: None },
        ],
        variables: names.iter().take(if id == "dependence" { 11 } else { 0 }).cloned().collect(),
        source: words("Bénard, Da Veiga & Scornet (2022), Table 2"),
    };
    Advice {
        summary: vec![
            words("To find few variables with the best accuracy, rank by Sobol-MDA."),
            words(
                "To find all influential variables, no measure here is proven; Shapley effects (SAGE) come closest.",
            ),
            words(
                "Variables depend strongly on each other, so permutation importances and impurity decreases mislead.",
            ),
        ],
        findings: vec![
            finding(
                "dependence",
                "Dependence between variables",
                Concern::Serious,
                "Of 78 pairs, 31 depend on each other; the largest rank correlation is 0.93.",
                "Permutation importances mix three terms.",
            ),
            finding(
                "interactions",
                "Interactions",
                Concern::None,
                "An additive fit explains 96 % of what the forest does.",
                "",
            ),
            finding(
                "cardinality",
                "Bias by number of values",
                Concern::Minor,
                "Variables have between 2 and 544 distinct values.",
                "Impurity decreases favour those with many.",
            ),
            finding(
                "leakage",
                "Leakage",
                Concern::None,
                "No variable predicts the target almost alone.",
                "",
            ),
            finding(
                "support",
                "Support",
                Concern::Unknown,
                "The table is too small to determine how many permuted rows fall where no data is.",
                "",
            ),
        ],
        objectives: objectives(),
        further: vec![FurtherQuestion {
            id: "test".to_owned(),
            question: "Does a variable add anything to all others, with which p-value?".to_owned(),
            answer: "Held-out predictions are compared with those on values that are drawn given \
                     the other variables."
                .to_owned(),
            command: "wald conditional table.csv --target y --trees 500 --seed 1".to_owned(),
        }],
    }
}

fn objectives() -> Vec<ObjectiveAdvice> {
    let words = |text: &str| text.to_owned();
    let verdict = |measure: &str, name: &str, validity, reason: &str| Verdict {
        measure: words(measure),
        name: words(name),
        validity,
        reason: words(reason),
        source: words("Bénard, Da Veiga & Scornet (2022), Theorem 1"),
    };
    let verdicts = vec![
        verdict(
            "sobol_mda",
            "Sobol-MDA",
            Validity::Valid,
            "It estimates what is lost without the variable, whatever depends on it.",
        ),
        verdict(
            "mda_breiman_cutler",
            "Permutation importance",
            Validity::Careful,
            "Inputs depend on each other, and permuted rows fall where no data is.",
        ),
        verdict(
            "mdi",
            "Mean decrease in impurity",
            Validity::Invalid,
            "It is computed on the rows that trees were grown on, and favours variables of many values.",
        ),
    ];
    let objective = |id: &str, question: &str, recommended: &str, is_thin| ObjectiveAdvice {
        id: words(id),
        question: words(question),
        recommended: Some(words(recommended)),
        reason: words(
            "Variables depend on each other, and only a measure of what a variable adds to the others finds the fewest that suffice.",
        ),
        is_thin,
        command: format!(
            "wald importance table.csv --target y --measure {recommended} --trees 500 --seed 1"
        ),
        verdicts: verdicts.clone(),
    };
    vec![
        objective("selection", "Few variables with the best accuracy", "sobol_mda", false),
        objective("influence", "All influential variables", "sage", true),
    ]
}
