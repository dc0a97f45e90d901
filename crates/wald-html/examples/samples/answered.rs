//! A made-up answer: the first variables are a group.

use wald_report::{Adds, Answer, AnswerEntry, FirstOrder};

pub(super) fn answer(target: &str, names: &[String], n_together: usize) -> Answer {
    let entry = |(at, name): (usize, &String)| {
        let share = 0.2 / (1.0 + at as f64) - 0.04;
        AnswerEntry {
            name: name.clone(),
            members: Vec::new(),
            share: Some(share),
            masked_share: None,
            too_large_by: None,
            standard_error: Some(0.01),
            low: Some(share - 0.0196),
            high: Some(share + 0.0196),
            finding: if share > 0.0196 { Adds::Something } else { Adds::Nothing },
            first_order: Some(FirstOrder {
                share: 0.7 * share,
                low: Some(0.7 * share - 0.01),
                high: Some(0.7 * share + 0.01),
            }),
        }
    };
    let all: Vec<AnswerEntry> = names.iter().enumerate().map(entry).collect();
    let (members, singles) = all.split_at(n_together);
    let group = AnswerEntry {
        name: names[..n_together].join(", "),
        members: members.to_vec(),
        share: Some(0.512_3),
        low: Some(0.481_2),
        high: Some(0.543_4),
        first_order: None,
        ..members[0].clone()
    };
    let first = &names[0];
    Answer {
        sentences: vec![
            format!(
                "Of the variance of {target}, the group of {first} and more accounts for 0.512 [0.481, 0.543]."
            ),
            "Of these each alone adds little.".to_owned(),
            "The shares come from 20,000 of 53,940 rows, 150 of 500 trees.".to_owned(),
        ],
        measure: "sobol_mda".to_owned(),
        unit: "share of the variance of the target".to_owned(),
        sample: Some("20,000 of 53,940 rows, 150 of 500 trees".to_owned()),
        interval: Some("share ± 1.96 standard errors".to_owned()),
        entries: std::iter::once(group).chain(singles.iter().cloned()).collect(),
    }
}
