//! Whether few rows show a smooth function, which a Gaussian process predicts far better than a
//! forest: Bénard, Da Veiga & Scornet 2022, abstract.

use crate::advice::{Concern, Evidence, Finding};
use wald::data::{ColumnData, Task};
use wald::message::{Procedure, Wording};
use wald::words::percent;
use wald::work::{Purpose, Stream};
use wald::{Dataset, Error, Run, message};
use wald_gp::FitSettings;
use wald_surrogate::{Judged, Model, Way};

/// Tables for which a process is fitted.
const LEAST_ROWS: usize = 20;
const MOST_ROWS: usize = 500;
const MOST_INPUTS: usize = 50;

/// Rows that it is fitted to, at random: a fit takes time of the order of their cube.
const ROWS_FITTED: usize = 100;

/// Starts of each fit. One that ends in a lesser maximum makes the process seem worse, not better.
const STARTS: usize = 1;

/// What the process leaves unexplained is at most this part of what the forest does.
const CLEARLY_LESS: f64 = 0.5;

/// A forest that explains less of the variance misleads, if a process explains much more.
const FOREST_FALLS_SHORT: f64 = 0.8;

/// Fits a process, and judges it beside the forest. Cost: a fit to at most 100 rows, and ten more if
/// that one predicts much better than the forest.
///
/// # Errors
/// [`Error::Cancelled`].
pub(super) fn small_and_smooth(
    data: &Dataset,
    forest: Option<f64>,
    seed: u64,
    wording: &dyn Wording,
    run: &Run,
) -> Result<Finding, Error> {
    let mut finding = Finding {
        id: "small_and_smooth".to_owned(),
        name: "Small and smooth".to_owned(),
        concern: Concern::None,
        sentence: format!(
            "A Gaussian process is fitted to numeric targets of {LEAST_ROWS} to {MOST_ROWS} rows \
             without missing values, weights and clusters, with at most {MOST_INPUTS} variables, \
             each level of a categorical one counted."
        ),
        consequence: String::new(),
        evidence: vec![Evidence::new("explained variance, out of bag", forest)],
        variables: Vec::new(),
        source: "Bénard, Da Veiga & Scornet 2022, abstract; simulation (wald's documentation, \
                 papers: a Gaussian process before the forest)"
            .to_owned(),
    };
    let Some(forest) = forest.filter(|_| is_suitable(data)) else { return Ok(finding) };
    let unexplained = |explained: f64| 1.0 - explained;
    let is_clear = |process| unexplained(process) <= CLEARLY_LESS * unexplained(forest);
    let mut rows: Vec<u32> = (0..data.n_rows() as u32).collect();
    Stream::new(seed, 0, Purpose::Advice { part: 12 }).shuffle(&mut rows);
    rows.truncate(ROWS_FITTED);
    let settings = FitSettings { n_starts: STARTS, seed, ..FitSettings::default() };
    // Where the rows allow no process, such as those of a constant target, it explains nothing.
    let model = match Model::fit(&data.select(&rows)?, &settings, &run.part()) {
        Ok(model) => model,
        Err(Error::Cancelled) => return Err(Error::Cancelled),
        Err(_) => {
            finding.sentence = String::from("No Gaussian process could be fitted.");
            return Ok(finding);
        }
    };
    let leave_one_out = model.judgement().q2;
    let mut number = |name, value| finding.evidence.push(Evidence::new(name, Some(value)));
    number("rows of the process", rows.len() as f64);
    number("explained by the process, leaving out one row at a time", leave_one_out);
    // Closed-form predictions flatter the process: if they are not clearly better, none are.
    if !is_clear(leave_one_out) {
        finding.sentence = format!(
            "A Gaussian process does not predict much better than the forest: leaving out one row \
             at a time it explains {} of the variance, the forest {} out of bag.",
            at_least_none(leave_one_out),
            at_least_none(forest),
        );
        return Ok(finding);
    }
    let Judged { explained, verdict, .. } = model.judge(Some(forest), &run.part())?;
    number("explained by the process, fitted without a tenth", explained.cross_validated);
    let process = at_least_none(explained.cross_validated);
    let is_found = verdict.believed == Way::TwoStep && is_clear(explained.cross_validated);
    if !is_found {
        finding.sentence = match verdict.believed {
            Way::Direct | Way::Neither => {
                format!("A Gaussian process is not to be believed: {}.", verdict.reason)
            }
            Way::TwoStep => format!(
                "A Gaussian process explains {process} of the variance of rows that it was not \
                 fitted to, not much more than the forest ({} out of bag).",
                at_least_none(forest)
            ),
        };
        return Ok(finding);
    }
    finding.concern = if forest < FOREST_FALLS_SHORT { Concern::Serious } else { Concern::Minor };
    finding.sentence = format!(
        "The table is small and the target smooth: a Gaussian process explains {process} of the \
         variance of rows that it was not fitted to, the forest {} out of bag.",
        at_least_none(forest)
    );
    finding.consequence = message!(
        "Importances show what the forest has learned, which is less than the rows show. Draw a large \
         sample from the process, and measure the forest of that sample: ",
        Procedure::new("surrogate"),
        "."
    )
    .worded(wording);
    Ok(finding)
}

/// Whether the process is for such a table, and cheap.
fn is_suitable(data: &Dataset) -> bool {
    let columns = || data.features().columns().iter();
    let n_inputs = |column: &ColumnData| match column {
        ColumnData::Numeric(_) => 1,
        ColumnData::Categorical(categories) => categories.levels().len(),
    };
    data.target().task() == Task::Regression
        && (LEAST_ROWS..=MOST_ROWS).contains(&data.n_rows())
        && columns().map(|column| n_inputs(column.data())).sum::<usize>() <= MOST_INPUTS
        && columns().all(|column| column.n_missing() == 0)
        && data.weights().is_none()
        && data.clusters().is_none()
}

/// A share in percent; predictions that are worse than the mean explain nothing.
fn at_least_none(share: f64) -> String {
    percent(share.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;
    use wald::data::{Column, Target};
    use wald::message::Neutral;
    use wald::simulate::Friedman1;

    fn found(data: &Dataset, forest: f64) -> Finding {
        small_and_smooth(data, Some(forest), 0, &Neutral, &Run::all()).expect("is not cancelled")
    }

    fn friedman(n_rows: usize, noise: f64, seed: u64) -> Dataset {
        Friedman1 { n_columns: 10, noise }.draw(n_rows, seed).expect("a design")
    }

    /// Columns between 0 and 1, and a target that is made of their values.
    fn table(n_rows: usize, seed: u64, y: impl Fn([f64; 4]) -> f64) -> Dataset {
        let mut stream = Stream::new(seed, 0, Purpose::Simulation { part: 99 });
        let mut uniform = || f64::from(stream.below(1 << 20)) / f64::from(1 << 20);
        let rows: Vec<[f64; 4]> = (0..n_rows).map(|_| [(); 4].map(|()| uniform())).collect();
        let column = |at: usize| {
            let values = rows.iter().map(|row| row[at]).collect();
            Column::numeric(format!("x{at}"), values).expect("finite")
        };
        let y = rows.iter().map(|row| y(*row)).collect();
        let target = Target::regression("y", y).expect("finite");
        Dataset::new((0..3).map(column).collect(), target).expect("consistent")
    }

    #[test]
    fn smooth_functions_are_found_whatever_the_forest_explains() {
        let data = friedman(60, 0.0, 1);
        assert_eq!(found(&data, 0.66).concern, Concern::Serious);
        assert_eq!(found(&data, 0.9).concern, Concern::Minor);
        assert_eq!(found(&data, 0.9999).concern, Concern::None, "not much is left to explain");
    }

    /// A tenth of the variance is noise, from which 50 rows do not determine the function.
    #[test]
    fn few_noisy_rows_are_not_called_smooth() {
        for seed in [0, 1] {
            let finding = found(&friedman(50, (23.8_f64 / 9.0).sqrt(), seed), 0.5);
            assert_eq!(finding.concern, Concern::None, "{finding:?}");
            assert!(finding.evidence.len() > 1);
            // The noise is uniform, with the variance of a ninth of the function's.
            let half_width = (3.0_f64 * 13.84 / 9.0).sqrt();
            let ishigami = table(50, seed, |[a, b, c, e]| {
                let [a, b, c] = [a, b, c].map(|u| PI * (2.0 * u - 1.0));
                let exact = a.sin() + 7.0 * b.sin().powi(2) + 0.1 * c.powi(4) * a.sin();
                exact + half_width * (2.0 * e - 1.0)
            });
            let finding = found(&ishigami, 0.4);
            assert_eq!(finding.concern, Concern::None, "{finding:?}");
        }
    }

    #[test]
    fn noise_and_steps_are_not_smooth() {
        let noise = table(60, 3, |[.., e]| e);
        assert_eq!(found(&noise, -0.05).concern, Concern::None);
        let steps = table(60, 4, |[a, b, ..]| (4.0 * a).floor() * (3.0 * b).floor());
        assert_eq!(found(&steps, 0.9).concern, Concern::None);
        let constant = table(60, 5, |_| 1.0);
        assert_eq!(found(&constant, 0.0).concern, Concern::None);
    }

    #[test]
    fn tables_for_which_no_process_is_meant_are_left_alone() {
        let data = friedman(60, 0.0, 3);
        let mut columns = data.features().columns().to_vec();
        let mut values = vec![1.0; 60];
        values[50..].fill(f64::NAN);
        columns.push(Column::numeric("gaps", values).expect("may be missing"));
        let missing = Dataset::new(columns, data.target().clone()).expect("consistent");
        let weighted = data.clone().with_weights(vec![2.0; 60]).expect("positive");
        let pairs = (0..60).map(|row| row / 2).collect();
        let clustered = data.clone().with_clusters(pairs).expect("every row has one");
        let few = data.select(&(0..19).collect::<Vec<u32>>()).expect("rows");
        let names = ["no", "yes"].map(str::to_owned).to_vec();
        let classes = (0..60).map(|row| row % 2).collect();
        let classes = Target::classification("y", names, classes).expect("two classes");
        let classes = Dataset::new(data.features().columns().to_vec(), classes).expect("rows");
        for (name, data) in [
            ("missing", missing),
            ("weights", weighted),
            ("clusters", clustered),
            ("classes", classes),
            ("19 rows", few),
        ] {
            let finding = found(&data, 0.5);
            assert_eq!(finding.concern, Concern::None, "{name}");
            assert_eq!(finding.evidence.len(), 1, "{name}: no process is fitted");
        }
    }
}
