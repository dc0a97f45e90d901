//! `benard-table-5`: the ten variables that measures put first in example 2.

use wald::simulate::BenardExample2;
use wald::{ForestConfig, MeasureId};

use crate::benard::SOURCE;
use crate::estimate::Estimate;
use crate::exhibit::{Claim, Comparison, Comparisons, Exhibit, Published};
use crate::failure::Failure;
use crate::measures;
use crate::study::{Found, Study};

/// A column of the table: variable numbers and values by rank, of one data set.
struct Column {
    name: &'static str,
    measure: MeasureId,
    published: [(usize, f64); 10],
}

const COLUMNS: [Column; 3] = [
    Column {
        name: "S-MDA",
        measure: MeasureId::SobolMda,
        published: [
            (1, 0.035),
            (161, 0.005),
            (81, 0.004),
            (121, 0.004),
            (41, 0.002),
            (179, 0.002),
            (13, 0.001),
            (25, 0.001),
            (73, 0.001),
            (155, 0.001),
        ],
    },
    Column {
        name: "BC-MDA/2V[Y]",
        measure: MeasureId::MdaBreimanCutler,
        published: [
            (1, 0.048),
            (25, 0.010),
            (31, 0.008),
            (14, 0.008),
            (40, 0.007),
            (3, 0.007),
            (17, 0.006),
            (26, 0.006),
            (41, 0.006),
            (121, 0.006),
        ],
    },
    Column {
        name: "IK-MDA/V[Y]",
        measure: MeasureId::MdaIshwaranKogalur,
        published: [
            (1, 0.056),
            (5, 0.009),
            (81, 0.007),
            (41, 0.005),
            (161, 0.005),
            (15, 0.005),
            (121, 0.005),
            (7, 0.005),
            (4, 0.004),
            (28, 0.004),
        ],
    },
];

/// The settings of the command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table5 {
    pub(crate) study: Study,
    pub(crate) mtry: Option<usize>,
}

pub(crate) fn run(table: &Table5) -> Result<Exhibit, Failure> {
    let design = BenardExample2::default();
    let relevant = design.relevant();
    let measures = measures::shares_of_variance(&COLUMNS.map(|column| column.measure))?;
    let config = ForestConfig { mtry: table.mtry, ..ForestConfig::default() };
    let draw = |n_rows, seed| design.draw(n_rows, seed);
    let found = table.study.run(draw, &config, &measures)?;
    let (mut by_rank, mut by_variable, mut claims) = (Vec::new(), Vec::new(), Vec::new());
    for (place, column) in COLUMNS.iter().enumerate() {
        by_rank.extend(rank_rows(&found, place, column));
        by_variable.extend(variable_rows(&found, place, column, &relevant));
        claims.push(top_claim(&found, place, column, &relevant));
    }
    let mut settings = table.study.settings();
    settings.push(("mtry", table.mtry.unwrap_or(14).to_string()));
    settings.push(("min_node_size", "5".to_owned()));
    settings.push(("permutations", "exact expectation".to_owned()));
    settings.push(("explained variance", {
        let explained = Estimate::of(&found.explained_variance);
        format!("{:.3}", explained.mean)
    }));
    Ok(Exhibit {
        title: "Table 5: the largest importances in example 2 (200 variables, 5 relevant)"
            .to_owned(),
        source: SOURCE,
        settings,
        comparisons: vec![
            Comparisons {
                title: "The relevant variables, means over repetitions".to_owned(),
                reference: "published",
                rows: by_variable,
            },
            Comparisons {
                title: "Values by rank, whatever the variable, means over repetitions".to_owned(),
                reference: "published",
                rows: by_rank,
            },
        ],
        claims,
        notes: vec![
            "The published values are those of one data set and forest. Their standard error is \
             therefore the standard deviation of one repetition, estimated from wald's \
             repetitions; the standard error shown is that of wald's mean."
                .to_owned(),
            "The published table lists values by rank: relevant variables that are not among the \
             ten first have no published value."
                .to_owned(),
        ],
        ..Exhibit::default()
    })
}

/// A published value of one repetition beside a mean over repetitions.
fn beside(quantity: &str, item: &str, value: f64, estimate: &Estimate) -> Comparison {
    let published = Published { value, decimals: 3, standard_error: estimate.deviation };
    Comparison::of_mean(quantity, item, published, estimate)
}

fn rank_rows(found: &Found, place: usize, column: &Column) -> Vec<Comparison> {
    let sorted: Vec<Vec<f64>> = found.values.iter().map(|all| decreasing(&all[place])).collect();
    let row = |(rank, (_, value)): (usize, (usize, f64))| {
        let at_rank: Vec<f64> = sorted.iter().map(|values| values[rank]).collect();
        beside(column.name, &format!("rank {}", rank + 1), value, &Estimate::of(&at_rank))
    };
    column.published.into_iter().enumerate().map(row).collect()
}

fn variable_rows(
    found: &Found,
    place: usize,
    column: &Column,
    relevant: &[usize],
) -> Vec<Comparison> {
    let published = |variable: usize| {
        column.published.iter().find(|(number, _)| *number == variable + 1).map(|(_, value)| *value)
    };
    let row = |&variable: &usize| {
        let estimate = found.estimate(place, variable);
        let item = format!("X{}", variable + 1);
        match published(variable) {
            Some(value) => beside(column.name, &item, value, &estimate),
            None => Comparison::without(column.name, &item, 3, &estimate),
        }
    };
    relevant.iter().map(row).collect()
}

fn decreasing(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    sorted
}

/// How many of the relevant variables are among the first as many.
fn hits(values: &[f64], relevant: &[usize]) -> usize {
    let least = decreasing(values)[relevant.len() - 1];
    relevant.iter().filter(|&&variable| values[variable] >= least).count()
}

fn top_claim(found: &Found, place: usize, column: &Column, relevant: &[usize]) -> Claim {
    let n = found.values.len();
    let all = found.count(place, |values| hits(values, relevant) == relevant.len());
    let hits: Vec<f64> =
        found.values.iter().map(|values| hits(&values[place], relevant) as f64).collect();
    let seen = format!(
        "all five in {all} of {n} repetitions, on average {:.2} of them",
        Estimate::of(&hits).mean
    );
    if column.name == "S-MDA" {
        let statement = "S-MDA puts the five relevant variables first (in most repetitions)";
        Claim::new(statement, 2 * all > n, seen)
    } else {
        let statement = format!("{} puts some noisy variable among the first five", column.name);
        Claim::new(statement, 2 * all <= n, seen)
    }
}
