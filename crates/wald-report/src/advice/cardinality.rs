//! Whether mean decrease in impurity favours some variables for their kind: what it gives them
//! where the response was permuted, so that no variable means anything.

use std::collections::HashSet;

use crate::advice::{Concern, Evidence, Finding};
use wald::Error;
use wald::Run;
use wald::data::{Column, ColumnData, Dataset, MISSING_LEVEL};
use wald::forest::{Forest, ForestConfig, Keep};
use wald::measure::{Measure, MeasureId, MeasureSettings};
use wald::work::ordered;
use wald::work::{Purpose, Stream};

/// Forests of permuted responses, and their trees.
const REPETITIONS: usize = 8;
const TREES: usize = 50;

/// Rows that are looked at, drawn at random.
const MOST_ROWS: usize = 1000;

/// Kinds of variables by their number of distinct values: at most so many.
const KINDS: [usize; 4] = [2, 9, 99, usize::MAX];
const NAMES: [&str; 4] = ["2 values", "3 to 9 values", "10 to 99 values", "100 values or more"];

/// One kind gets this many times what another gets, for nothing.
const MATERIAL: f64 = 1.5;

/// Grows 8 forests of 50 trees on permuted responses of at most 1000 rows (as Altmann et al. 2010
/// do) and compares the mean decrease in impurity by the number of distinct values.
///
/// # Errors
/// [`Error::Cancelled`], and what growing reports.
pub(super) fn cardinality(
    data: &Dataset,
    config: &ForestConfig,
    seed: u64,
    run: &Run,
) -> Result<Finding, Error> {
    let columns = data.features().columns();
    let kinds: Vec<Option<usize>> = columns.iter().map(kind).collect();
    let present: HashSet<usize> = kinds.iter().flatten().copied().collect();
    let mut finding = Finding {
        id: "cardinality".to_owned(),
        name: "Variables of different kinds".to_owned(),
        concern: Concern::None,
        sentence: "All variables that vary are of the same kind: none is favoured by mdi for its \
                   number of values."
            .to_owned(),
        consequence: String::new(),
        evidence: Vec::new(),
        variables: Vec::new(),
        source:
            "Strobl et al. 2007; Li et al. 2019, Theorem 1; null by permuted responses: Altmann \
                 et al. 2010"
                .to_owned(),
    };
    if present.len() < 2 {
        return Ok(finding);
    }
    let null = null_importances(data, config, seed, run)?;
    let mean_of = |kind: usize| -> Option<(usize, f64)> {
        let members = kinds.iter().zip(&null).filter(|(of, _)| **of == Some(kind));
        let values: Vec<f64> = members.map(|(_, value)| *value).collect();
        let n = values.len();
        (n > 0).then(|| (kind, values.iter().sum::<f64>() / n as f64))
    };
    let means: Vec<(usize, f64)> = (0..KINDS.len()).filter_map(mean_of).collect();
    let most = means.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let least = means.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let (Some(&(most, high)), Some(&(least, low))) = (most, least) else { return Ok(finding) };
    let of_kind = |kind: usize| kinds.iter().filter(|of| **of == Some(kind)).count();
    finding.evidence = means
        .iter()
        .map(|&(kind, mean)| {
            let name =
                format!("null MDI of a variable of {}, relative to the largest", NAMES[kind]);
            Evidence::new(&name, (high > 0.0).then(|| mean / high))
        })
        .collect();
    let ratio = if low > 0.0 { high / low } else { f64::INFINITY };
    if high <= 0.0 || ratio < MATERIAL {
        finding.sentence = format!(
            "Where the response is permuted, mdi gives a variable of {} on average {:.1} times \
             what it gives one of {}: hardly a difference.",
            NAMES[most],
            if high > 0.0 { ratio } else { 1.0 },
            NAMES[least]
        );
        return Ok(finding);
    }
    finding.concern = Concern::Serious;
    let times = if ratio.is_finite() && ratio < 1000.0 {
        format!("{ratio:.1} times")
    } else {
        "more than 1000 times".to_owned()
    };
    finding.sentence = format!(
        "With permuted responses, so that no variable is relevant, mdi gives a variable of {} \
         (there {}) on average {times} what it gives one of {} (there {}).",
        NAMES[most],
        counted(of_kind(most)),
        NAMES[least],
        counted(of_kind(least)),
    );
    "Do not compare these by mdi, split_count or tree_shap of training rows; \
                           mdi_oob, ufi, air and measures of out-of-bag predictions are not \
                           favoured."
        .clone_into(&mut finding.consequence);
    let favoured = columns.iter().zip(&kinds).filter(|(_, kind)| **kind == Some(most));
    finding.variables = favoured.map(|(column, _)| column.name().to_owned()).collect();
    Ok(finding)
}

/// How many variables are of a kind.
fn counted(n: usize) -> String {
    if n == 1 { "is 1".to_owned() } else { format!("are {n}") }
}

/// Mean decrease in impurity of every column where the response was permuted.
fn null_importances(
    data: &Dataset,
    config: &ForestConfig,
    seed: u64,
    run: &Run,
) -> Result<Vec<f64>, Error> {
    let mut rows = data.rows_of_positive_weight();
    Stream::new(seed, 0, Purpose::Advice { part: 10 }).shuffle(&mut rows);
    rows.truncate(MOST_ROWS);
    let chosen = data.select(&rows)?;
    let mut sums = vec![0.0; data.n_features()];
    let mdi = Measure::new(MeasureId::Mdi, MeasureSettings::default())?;
    // Rows in clusters change places one by one: nothing is claimed about their spread.
    let columns = chosen.features().columns();
    let grow = |index: usize, (): &mut ()| {
        let mut stream = Stream::new(seed, index, Purpose::Advice { part: 11 });
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        stream.shuffle(&mut order);
        let permuted = Dataset::new(columns.to_vec(), chosen.target().select(&order))?;
        let config = ForestConfig { n_trees: TREES, seed: stream.word(), ..config.clone() };
        let run = &run.alone();
        let measures = std::slice::from_ref(&mdi);
        let grown = Forest::grow_and_measure(&permuted, &config, measures, Keep::Nothing, run)?;
        Ok(grown.measured.importances.into_iter().next().map_or(Vec::new(), |one| one.values))
    };
    let note = |_, values: Vec<Option<f64>>| {
        let values = sums.iter_mut().zip(values);
        values.for_each(|(sum, value)| *sum += value.unwrap_or_default() / REPETITIONS as f64);
    };
    ordered(REPETITIONS, run, || (), grow, note)?;
    Ok(sums)
}

/// The kind of a column; `None` where it does not vary.
fn kind(column: &Column) -> Option<usize> {
    let distinct = match column.data() {
        ColumnData::Numeric(values) => {
            let known = values.iter().filter(|value| !value.is_nan());
            known.map(|value| value.to_bits()).collect::<HashSet<u64>>().len()
        }
        ColumnData::Categorical(levels) => {
            let known = levels.codes().iter().filter(|code| **code != MISSING_LEVEL);
            known.collect::<HashSet<&u32>>().len()
        }
    };
    let distinct = distinct + usize::from(column.n_missing() > 0);
    (distinct > 1).then(|| KINDS.iter().position(|most| distinct <= *most)).flatten()
}
