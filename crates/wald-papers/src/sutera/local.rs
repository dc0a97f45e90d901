//! `sutera-figure-3`: local scores of single rows, as coloured segments and pixels.

use wald::data::{ColumnData, Response, Task};
use wald::{Dataset, ExplanationId, Forest, Run};
use wald_html::chart::{Cell, Cells, Outline};

use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::sutera::forests::{Forests, SOURCE, led};
use crate::sutera::scores::{left_out, measures, scores};
use crate::sutera::shapes::{pixels, segments};
use crate::tables::DIGITS;

/// Scores of some rows, by measure and K.
struct Found {
    /// Measure and K.
    columns: Vec<String>,
    /// `[column][row][variable]`.
    scores: Vec<Vec<Vec<f64>>>,
    /// By K, the largest gap between the sum of a row's local MDI and the entropy of the target.
    gaps: Vec<f64>,
}

pub(crate) fn run(forests: &Forests) -> Result<Exhibit, Failure> {
    let led = led()?;
    let digits = DIGITS.load_as(Task::Classification, None)?;
    let firsts = first_of_classes(&digits);
    let of_led = find(forests, &led, &[1, 2, 7], &(0..10).collect::<Vec<u32>>())?;
    let of_digits = find(forests, &digits, &[1, 8, 64], &firsts)?;
    let images: Vec<Vec<Outline>> =
        firsts.iter().map(|&row| pixels(&numbers(&digits, row as usize))).collect();
    let parts = [
        of_led.cells("led", [40.0, 64.0], (0..10).map(segments).collect()),
        of_digits.cells("digits", [64.0, 64.0], images),
    ];
    let gap = of_led.gaps.iter().chain(&of_digits.gaps).copied().fold(0.0, f64::max);
    let mut notes = vec![
        "The paper shows two rows of each table; here are all digits of led and the first image of \
         every digit. Red is above zero, blue below, each picture on a scale of its own; segments \
         that are lit and pixels that are dark have a dark border."
            .to_owned(),
        "Numbers of the examples in the appendices are not in the paper's main text, and are not \
         compared."
            .to_owned(),
    ];
    notes.extend(left_out());
    Ok(Exhibit {
        title: "Figure 3: local importances of single rows".to_owned(),
        source: SOURCE,
        settings: forests.settings(),
        listings: vec![of_led.listing()],
        claims: vec![Claim::new(
            "efficiency (Section 4.3): local MDI of all variables adds up to the entropy of the \
             target where leaves are pure, in every row, for every K",
            gap < 1e-9,
            format!("largest gap {gap:.1e} bits"),
        )],
        notes,
        figure: Some(Cells::file(&parts)),
        ..Exhibit::default()
    })
}

fn find(forests: &Forests, data: &Dataset, mtry: &[usize], rows: &[u32]) -> Result<Found, Failure> {
    let mut found = Found { columns: Vec::new(), scores: Vec::new(), gaps: Vec::new() };
    let (chosen, entropy) = (data.select(rows)?, entropy(data));
    let grown = mtry
        .iter()
        .map(|&mtry| Forest::grow(data, &forests.config(mtry), &Run::on(forests.threads)))
        .collect::<Result<Vec<_>, _>>()?;
    for (name, id) in measures() {
        for (forest, mtry) in grown.iter().zip(mtry) {
            let of = |rows| scores(data, forest, rows, id, forests.threads);
            if id == ExplanationId::LocalMdi {
                let gap = |scores: &Vec<f64>| (scores.iter().sum::<f64>() - entropy).abs();
                found.gaps.push(of(data.features())?.iter().map(gap).fold(0.0, f64::max));
            }
            found.columns.push(format!("{name}, K = {mtry}"));
            found.scores.push(of(chosen.features())?);
        }
    }
    Ok(found)
}

/// The first row of every class.
fn first_of_classes(data: &Dataset) -> Vec<u32> {
    match data.target().response() {
        Response::Classification(classes) => (0..classes.levels().len() as u32)
            .filter_map(|class| (0_u32..).zip(classes.codes()).find(|(_, code)| **code == class))
            .map(|(row, _)| row)
            .collect(),
        Response::Regression(_) | Response::Several(_) => Vec::new(),
    }
}

/// Of the target, in bits.
fn entropy(data: &Dataset) -> f64 {
    let Response::Classification(classes) = data.target().response() else { return f64::NAN };
    let n_rows = classes.codes().len() as f64;
    (0..classes.levels().len() as u32)
        .map(|class| classes.codes().iter().filter(|&&code| code == class).count() as f64 / n_rows)
        .filter(|&share| share > 0.0)
        .map(|share| -share * share.log2())
        .sum()
}

/// The numbers of a row.
fn numbers(data: &Dataset, row: usize) -> Vec<f64> {
    let columns = data.features().columns().iter();
    let number = |column: &wald::data::Column| match column.data() {
        ColumnData::Numeric(values) => values[row],
        ColumnData::Categorical(categories) => f64::from(categories.codes()[row]),
    };
    columns.map(number).collect()
}

impl Found {
    fn cells(&self, title: &str, size: [f64; 2], outlines: Vec<Vec<Outline>>) -> Cells {
        let row = |(row, outlines): (usize, Vec<Outline>)| {
            let cell =
                |of: &Vec<Vec<f64>>| Cell { outlines: outlines.clone(), values: of[row].clone() };
            (row.to_string(), self.scores.iter().map(cell).collect())
        };
        Cells {
            title: title.to_owned(),
            columns: self.columns.clone(),
            rows: outlines.into_iter().enumerate().map(row).collect(),
            size,
        }
    }

    fn listing(&self) -> Listing {
        let rows = self.columns.iter().zip(&self.scores).flat_map(|(column, of)| {
            of.iter().enumerate().map(move |(digit, scores)| {
                let cells = scores.iter().map(|score| format!("{score:.3}"));
                [column.clone(), digit.to_string()].into_iter().chain(cells).collect()
            })
        });
        let head = ["measure", "digit"].map(str::to_owned).into_iter();
        Listing {
            title: "led: scores of the segments".to_owned(),
            head: head.chain((1..=7).map(|index| format!("X{index}"))).collect(),
            rows: rows.collect(),
        }
    }
}
