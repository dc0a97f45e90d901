//! Missing values, and whether missingness is associated with the target.

use crate::advice::advise::AdviceSettings;
use crate::advice::independent::independent_rows;
use crate::advice::words::{count, listed, named};
use crate::advice::{Concern, Evidence, Finding};
use crate::study::Study;
use wald::association::independence;
use wald::data::{Column, ColumnData, MISSING_LEVEL, Response};
use wald::message::{Message, Wording};
use wald::words::percent;
use wald::{Dataset, Error};
use wald::{message, setting};

/// What missingness must explain of the variance of the target to matter.
const MATERIAL: f64 = 0.01;

const NAMED: usize = 3;

/// The target as a column.
fn response(data: &Dataset) -> Result<Column, Error> {
    match data.target().response() {
        Response::Regression(values) => Column::numeric("y", values.clone()),
        Response::Classification(classes) => {
            Column::categorical("y", classes.levels().to_vec(), classes.codes().to_vec())
        }
        Response::Several(_) => Err(data.target().not_one()),
    }
}

/// Tests for every variable with missing values whether these are as frequent for all values of
/// the target, corrected for the number of variables (Holm). Rows of a cluster are not independent: one of
/// each is tested. Cost O(columns * rows).
///
/// # Errors
/// Those of [`Column::categorical`].
pub(super) fn missingness(
    study: &Study,
    AdviceSettings { level, seed }: AdviceSettings,
    wording: &dyn Wording,
) -> Result<Finding, Error> {
    let data = &*study.data;
    let columns = data.features().columns();
    let n_rows = data.n_rows() as f64;
    let target = response(data)?;
    let independent = independent_rows(data, seed);
    let n_tested = independent.len() as f64;
    let mut weights = vec![0.0; data.n_rows()];
    independent.iter().for_each(|&row| weights[row as usize] = 1.0);
    let weight = |row: usize| weights[row];
    let mut with_missing: Vec<(usize, f64)> = columns
        .iter()
        .enumerate()
        .filter(|(_, column)| column.n_missing() > 0)
        .map(|(index, column)| (index, column.n_missing() as f64 / n_rows))
        .collect();
    with_missing.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut telling: Vec<(usize, f64, f64)> = Vec::new();
    for &(index, _) in &with_missing {
        let codes = missing(&columns[index]);
        let levels = vec!["known".to_owned(), "missing".to_owned()];
        let indicator = Column::categorical("missing", levels, codes)?;
        if let Some(test) = independence(&indicator, &target, weight) {
            // Of levels and numbers the share of the variance; of two levels the same (phi squared).
            telling.push((index, test.log_p, test.statistic / (n_tested - 1.0)));
        }
    }
    telling.sort_by(|a, b| a.1.total_cmp(&b.1));
    let n_tests = telling.len();
    let is_rejected = |(rank, found): &(usize, &(usize, f64, f64))| {
        found.1 + ((n_tests - rank) as f64).ln() <= level.ln()
    };
    let rejected = telling.iter().enumerate().take_while(is_rejected).count();
    telling.truncate(rejected);
    telling.retain(|(_, _, share)| *share >= MATERIAL);
    telling.sort_by(|a, b| b.2.total_cmp(&a.2));
    let name = |index: usize| columns[index].name().to_owned();
    let (concern, sentence, consequence) = match (with_missing.first(), telling.first()) {
        (None, _) => (Concern::None, "No value is missing.".to_owned(), Message::default()),
        (Some(_), Some(_)) => (
            Concern::Minor,
            format!(
                "{} missing values; whether they are missing goes with the target for {}.",
                count(with_missing.len(), "variable has", "variables have"),
                listed(&telling.iter().map(|found| name(found.0)).collect::<Vec<_>>(), NAMED)
            ),
            message!(
                "Missing values are values of their own in the forest: the importance of such a \
                 variable is in part that of being missing. Leaving these rows out",
                setting::MISSING.word("omit").hint(),
                " is another question."
            ),
        ),
        (Some((only, share)), None) if with_missing.len() == 1 => (
            Concern::None,
            format!(
                "Only {} has missing values ({}); whether they are missing explains little of the \
                 target.",
                named(columns[*only].name()),
                percent(*share)
            ),
            Message::default(),
        ),
        (Some((most, share)), None) => (
            Concern::None,
            format!(
                "{} missing values, most of all {} ({}); their missingness explains little of the \
                 target.",
                count(with_missing.len(), "variable has", "variables have"),
                named(columns[*most].name()),
                percent(*share)
            ),
            Message::default(),
        ),
    };
    let names = if telling.is_empty() {
        with_missing.iter().map(|found| name(found.0)).collect()
    } else {
        telling.iter().map(|found| name(found.0)).collect()
    };
    Ok(Finding {
        id: "missingness".to_owned(),
        name: "Missing values".to_owned(),
        concern,
        sentence,
        consequence: consequence.worded(wording),
        evidence: vec![
            Evidence::new("variables with missing values", Some(with_missing.len() as f64)),
            Evidence::new("largest share missing", with_missing.first().map(|found| found.1)),
            Evidence::new("variables with informative missingness", Some(telling.len() as f64)),
            Evidence::new("most that missingness explains", telling.first().map(|found| found.2)),
        ],
        variables: names,
        source:
            "Twala, Jones & Hand 2008 (missing values as values); tests: Strasser & Weber 1999, \
                 Holm 1979"
                .to_owned(),
    })
}

fn missing(column: &Column) -> Vec<u32> {
    match column.data() {
        ColumnData::Numeric(values) => {
            values.iter().map(|value| u32::from(value.is_nan())).collect()
        }
        ColumnData::Categorical(levels) => {
            levels.codes().iter().map(|&code| u32::from(code == MISSING_LEVEL)).collect()
        }
    }
}
