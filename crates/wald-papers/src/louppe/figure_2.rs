//! `louppe-figure-2`: importances by degree of interaction, for every K.

use wald::Threads;
use wald_population::Population;

use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::louppe::digits::{NAMES, every_digit};
use crate::louppe::{SOURCE, all_mtry};
use wald_html::chart::{COLOURS, Line, Panel, Part, Picture, Point, Stacks, file};

/// `[K - 1][variable][degree]`.
type Degrees = Vec<Vec<Vec<f64>>>;

pub(crate) fn run(threads: Threads) -> Result<Exhibit, Failure> {
    let population = Population::new(&every_digit()?, None)?;
    let found = all_mtry(&population, threads)?;
    let degrees: Degrees = found.into_iter().map(|trees| trees.importances.by_degree).collect();
    Ok(Exhibit {
        title: "Figure 2: importances of the segments by degree, for every K".to_owned(),
        source: SOURCE,
        settings: vec![("trees", "infinitely many: exact values in bits".to_owned())],
        listings: degrees.iter().enumerate().map(|(at, degrees)| listing(at, degrees)).collect(),
        claims: claims(&degrees),
        notes: vec![
            "Degree k: what a variable adds at nodes where k others are known. The paper shows the \
             values of K = 1 and K = 7 as shades, without numbers."
                .to_owned(),
        ],
        figure: Some(picture(&degrees)),
        ..Exhibit::default()
    })
}

fn listing(at: usize, by_degree: &[Vec<f64>]) -> Listing {
    let head = std::iter::once(String::new()).chain((0..7).map(|degree| format!("k = {degree}")));
    let row = |(name, degrees): (&&str, &Vec<f64>)| {
        let sum: f64 = degrees.iter().sum();
        let values = degrees.iter().copied().chain([sum]).map(|value| format!("{value:.6}"));
        std::iter::once((*name).to_owned()).chain(values).collect()
    };
    Listing {
        title: format!("K = {}", at + 1),
        head: head.chain(["importance".to_owned()]).collect(),
        rows: NAMES.iter().zip(by_degree).map(row).collect(),
    }
}

fn claims(degrees: &Degrees) -> Vec<Claim> {
    let (random, chosen) = (&degrees[0], &degrees[6]);
    let listed = |values: &[f64]| {
        values.iter().map(|value| format!("{value:.4}")).collect::<Vec<_>>().join(" ")
    };
    let of_degree =
        |by_degree: &[Vec<f64>], k: usize| by_degree.iter().map(|of| of[k]).collect::<Vec<_>>();
    let first = of_degree(chosen, 0);
    let late: f64 = chosen.iter().flat_map(|of| &of[4..]).sum();
    let bound = 10_f64.log2() / 7.0;
    let (five, six, seven) = (&random[4], &random[5], &random[6]);
    let larger = |k: usize| random.iter().enumerate().all(|(at, of)| at == 5 || of[k] >= six[k]);
    vec![
        Claim::new(
            "K = 1: every degree contributes at most H(Y) / 7",
            random.iter().flatten().all(|value| *value <= bound),
            format!(
                "at most {:.4} of {bound:.4}",
                random.iter().flatten().copied().fold(0.0, f64::max)
            ),
        ),
        Claim::new(
            "K = 1: all terms of X5 are significantly larger than 0",
            five.iter().all(|value| *value > 0.05),
            listed(five),
        ),
        Claim::new(
            "K = 1: X6 is least informative, alone and with others, up to degree 5",
            (0..6).all(larger),
            listed(six),
        ),
        Claim::new(
            "K = 1: X7 is informative alone, and hardly when many others are known",
            seven[0] > 0.1 && seven[5] < 0.01 && seven[6] < 1e-12,
            listed(seven),
        ),
        Claim::new(
            "K = 7: only X2 and X5 are ever taken at the root",
            first.iter().enumerate().all(|(at, value)| (*value > 0.0) == (at == 1 || at == 4)),
            listed(&first),
        ),
        Claim::new(
            "K = 7: nodes are pure before 4 variables are known",
            late == 0.0,
            format!("{late}"),
        ),
    ]
}

fn picture(degrees: &Degrees) -> String {
    let stacks = |mtry: usize| Stacks {
        title: format!("K = {mtry}"),
        x_label: String::new(),
        y_label: "importance by degree (bits)".to_owned(),
        names: NAMES.map(str::to_owned).into(),
        parts: (0..7)
            .map(|degree| Part {
                name: degree.to_string(),
                values: degrees[mtry - 1].iter().map(|of| of[degree]).collect(),
            })
            .collect(),
    };
    let line = |(variable, name): (usize, &&str)| Line {
        name: (*name).to_owned(),
        colour: COLOURS[variable % COLOURS.len()],
        points: (1..)
            .zip(degrees)
            .map(|(mtry, of)| Point {
                x: f64::from(mtry),
                y: of[variable].iter().sum(),
                spread: 0.0,
            })
            .collect(),
        reference: None,
    };
    let lines = Panel {
        title: "Masking: importance against K".to_owned(),
        x_label: "K".to_owned(),
        y_label: "importance (bits)".to_owned(),
        is_x_log: false,
        lines: NAMES.iter().enumerate().map(line).collect(),
        has_legend: true,
    };
    let stacks = [stacks(1), stacks(7)];
    let panels: [&dyn Picture; 3] = [&stacks[0], &stacks[1], &lines];
    file(&panels, 3)
}
