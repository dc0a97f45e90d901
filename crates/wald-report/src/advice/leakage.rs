//! Variables that determine the target nearly alone, and variables that identify rows.

use crate::advice::responses::Responses;
use crate::advice::words::{listed, named};
use crate::advice::{Concern, Evidence, Finding};
use wald::Error;
use wald::Run;
use wald::association::cells::{Cells, NOWHERE};
use wald::data::{Column, ColumnData, Dataset, MISSING_LEVEL};
use wald::words::percent;
use wald::work::{Purpose, Stream, ordered};

/// Cells of a variable, at most; also their root is tried, because few rows need wide cells.
const MOST_CELLS: usize = 100;

/// From this share of the variance on, one variable explains nearly all.
const NEARLY_ALL: f64 = 0.95;

/// Fewer rows prove nothing.
const LEAST_ROWS: usize = 20;

/// Variables named in a sentence.
const NAMED: usize = 3;

/// Tests every variable alone: the share of the variance that the means of its cells explain in
/// the other half of the rows. Halves are random, as tables may be in an order, and rows of a cluster are in
/// one of them. Cost O(columns * rows log rows).
///
/// # Errors
/// [`Error::Cancelled`].
pub(super) fn leakage(data: &Dataset, seed: u64, run: &Run) -> Result<Finding, Error> {
    let half_of = halves(data, seed);
    let columns = data.features().columns();
    let responses = Responses::of(data).filter(|_| data.n_rows() >= LEAST_ROWS);
    let mut found: Vec<(usize, f64, bool)> = Vec::with_capacity(columns.len());
    let look = |index: usize, (): &mut ()| {
        let column = &columns[index];
        let narrow = MOST_CELLS.min((data.n_rows() as f64).sqrt() as usize).max(2);
        let wide = (narrow as f64).sqrt() as usize + 1;
        let of = |most: usize, responses: &Responses| {
            alone(&Cells::new(column, most, 4), responses, data, &half_of)
        };
        let best = |responses: &Responses| of(narrow, responses).max(of(wide, responses));
        let alone = responses.as_ref().map_or(0.0, best);
        Ok((index, alone, is_identifier(column)))
    };
    ordered(columns.len(), run, || (), look, |_, one| found.push(one))?;
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    let name = |index: &usize| columns[*index].name().to_owned();
    let leaks: Vec<String> = found
        .iter()
        .filter(|(_, alone, _)| *alone >= NEARLY_ALL)
        .map(|(at, ..)| name(at))
        .collect();
    let identifiers: Vec<String> =
        found.iter().filter(|one| one.2).map(|(at, ..)| name(at)).collect();
    let largest = found.first().map(|(_, alone, _)| *alone);
    let (concern, sentence, consequence) = match (&found[..], leaks.first(), identifiers.first()) {
        _ if responses.is_none() => (
            Concern::Unknown,
            "Leakage was not looked for: there are too few rows, or the target does not vary."
                .to_owned(),
            "",
        ),
        ([(_, alone, _), ..], Some(first), _) => (
            Concern::Serious,
            format!(
                "{} alone explains {} of the variance of the target in rows left out{}.",
                named(first),
                percent(*alone),
                if leaks.len() > 1 {
                    format!(
                        "; so {} {} ({} or more)",
                        if leaks.len() == 2 { "does" } else { "do" },
                        listed(&leaks[1..], NAMED),
                        percent(NEARLY_ALL)
                    )
                } else {
                    String::new()
                }
            ),
            "Is it known before the target is? If not, leave it out: importances then describe how \
             the target was recorded.",
        ),
        (_, None, Some(_)) => (
            Concern::Minor,
            format!(
                "Every row has a value of its own in {}, like an identifier.",
                listed(&identifiers, NAMED)
            ),
            "An identifier has no meaning for other rows, and mdi favours it: leave it out, unless it is a time \
             or a place in a sequence.",
        ),
        (all, None, None) => (
            Concern::None,
            match all.first() {
                Some((index, alone, _)) => format!(
                    "{} explains most by itself, {} of the variance of left-out rows.",
                    named(columns[*index].name()),
                    percent(alone.max(0.0))
                ),
                None => "There are no variables.".to_owned(),
            },
            "",
        ),
        ([], Some(_), _) => (Concern::Unknown, "There are no variables.".to_owned(), ""),
    };
    Ok(Finding {
        id: "leakage".to_owned(),
        name: "Variables that determine the target".to_owned(),
        concern,
        sentence,
        consequence: consequence.to_owned(),
        evidence: vec![
            Evidence::new("largest share explained by one variable", largest),
            Evidence::new("variables like identifiers", Some(identifiers.len() as f64)),
        ],
        variables: if leaks.is_empty() { identifiers } else { leaks },
        source: "Kaufman, Rosset, Perlich & Stitelman 2012 (leakage); the threshold of 95 % is a \
                 convention"
            .to_owned(),
    })
}

/// By row, the half that it is in.
fn halves(data: &Dataset, seed: u64) -> Vec<usize> {
    let units = match data.clusters() {
        Some(clusters) => clusters.to_vec(),
        None => (0..data.n_rows() as u32).collect(),
    };
    let n_units = units.iter().max().map_or(0, |last| last + 1);
    let mut order: Vec<u32> = (0..n_units).collect();
    Stream::new(seed, 0, Purpose::Advice { part: 13 }).shuffle(&mut order);
    units.into_iter().map(|unit| order[unit as usize] as usize % 2).collect()
}

/// Two-fold: means of cells in one half of the rows explain the other one.
fn alone(cells: &Cells, responses: &Responses, data: &Dataset, half_of: &[usize]) -> f64 {
    let weight = |row: usize| data.weights().map_or(1.0, |weights| weights[row]);
    let mut error = 0.0;
    for values in &responses.values {
        for half in 0..2 {
            let mut sums = vec![(0.0, 0.0); cells.size + 1];
            // The last place is for rows of no cell, and all rows where a cell has none.
            let (mut sum, mut total) = (0.0, 0.0);
            for row in (0..values.len()).filter(|&row| half_of[row] == half) {
                let (w, y) = (weight(row), values[row]);
                (sum, total) = (sum + w * y, total + w);
                let of = place(cells, row);
                sums[of] = (sums[of].0 + w * y, sums[of].1 + w);
            }
            let all = if total > 0.0 { sum / total } else { 0.0 };
            for row in (0..values.len()).filter(|&row| half_of[row] != half) {
                let (sum, total) = sums[place(cells, row)];
                let mean = if total > 0.0 { sum / total } else { all };
                error += weight(row) * (values[row] - mean).powi(2);
            }
        }
    }
    let ones = vec![1.0; data.n_rows()];
    1.0 - error / responses.squares(data.weights().unwrap_or(&ones))
}

fn place(cells: &Cells, row: usize) -> usize {
    match cells.codes[row] {
        NOWHERE => cells.size,
        code => code as usize,
    }
}

/// Levels that differ in every row, or whole numbers that count the rows in some order.
fn is_identifier(column: &Column) -> bool {
    let n_rows = column.len();
    if n_rows < LEAST_ROWS || column.n_missing() > 0 {
        return false;
    }
    let mut seen = vec![false; n_rows];
    match column.data() {
        ColumnData::Categorical(levels) => {
            levels.levels().len() >= n_rows && {
                let mut codes: Vec<u32> = levels.codes().to_vec();
                codes.sort_unstable();
                codes.dedup();
                codes.len() == n_rows && !codes.contains(&MISSING_LEVEL)
            }
        }
        ColumnData::Numeric(values) => {
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            values.iter().all(|value| {
                let offset = value - lowest;
                offset.fract() == 0.0
                    && offset < n_rows as f64
                    && !std::mem::replace(&mut seen[offset as usize], true)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::data::Target;

    /// A table of alternating cases and controls, which one variable distinguishes.
    fn alternating() -> Dataset {
        let classes = (0..60).map(|row| row % 2).collect();
        let levels = ["control", "case"].map(str::to_owned).to_vec();
        let target = Target::classification("y", levels, classes).expect("codes");
        let leak = (0..60).map(|row| f64::from(row % 2)).collect();
        let column = Column::numeric("leak", leak).expect("finite");
        Dataset::new(vec![column], target).expect("consistent")
    }

    #[test]
    fn what_determines_the_target_is_found_in_any_order_of_rows() {
        let found = leakage(&alternating(), 1, &Run::all()).expect("not cancelled");
        assert_eq!(found.concern, Concern::Serious, "{}", found.sentence);
    }

    #[test]
    fn rows_of_a_cluster_are_in_one_half() {
        let clusters = (0..60).map(|row| row / 4).collect();
        let data = alternating().with_clusters(clusters).expect("a cluster per row");
        let halves = halves(&data, 1);
        assert!(halves.chunks(4).all(|of| of.iter().all(|half| *half == of[0])));
        let first = halves.iter().filter(|half| **half == 0).count();
        assert!(first.abs_diff(30) <= 4, "{first}");
    }
}
