//! Tables of new rows for a forest that exists: columns are matched by name.

use std::collections::HashMap;
use wald::message;
use wald::words::counted;

use wald::data::{ColumnData, Features, KnownLevels, MISSING_LEVEL, Response, Target};

use crate::cell;
use crate::design::{
    self, DesignOptions, Keep, Prepared, as_text, cluster_codes, column, find, located,
    unknown_column, weights,
};
use crate::error::{TableError, escape};
use crate::names::listed;
use crate::notice::{Notice, NoticeKind};
use crate::options::ReadOptions;
use crate::table::{Table, Values, numeral};

/// An input variable that a forest was grown with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedColumn {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ExpectedKind,
}

/// What an [`ExpectedColumn`] holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedKind {
    /// Numbers.
    Numeric,
    /// These levels, in the order of their codes.
    Categorical(Vec<String>),
}

/// A table of new rows.
#[derive(Debug, Clone)]
pub struct NewRows {
    /// The expected columns.
    pub features: Features,
    /// Remarks about them.
    pub notices: Vec<Notice>,
}

/// The columns of `features` as a later table has to hold them.
pub fn expected_columns(features: &Features) -> Vec<ExpectedColumn> {
    let expected = |column: &wald::data::Column| ExpectedColumn {
        name: column.name().to_owned(),
        kind: match column.data() {
            ColumnData::Numeric(_) => ExpectedKind::Numeric,
            ColumnData::Categorical(categories) => {
                ExpectedKind::Categorical(categories.levels().to_vec())
            }
        },
    };
    features.columns().iter().map(expected).collect()
}

/// The options with which a table of new rows should be read, so that levels that look like
/// numbers are found again.
pub fn read_options_for(expected: &[ExpectedColumn]) -> ReadOptions {
    let is_categorical =
        |column: &&ExpectedColumn| matches!(column.kind, ExpectedKind::Categorical(_));
    let categorical = expected.iter().filter(is_categorical).map(|c| c.name.clone()).collect();
    ReadOptions { categorical, ..ReadOptions::default() }
}

/// The options with which a table of held-out rows should be read for [`prepare_test`].
pub fn read_options_for_test(training: &wald::Dataset) -> ReadOptions {
    let mut options = read_options_for(&expected_columns(training.features()));
    let is_spelt_otherwise = |class: &String| {
        let number = cell::number(class.as_bytes(), b'.');
        number.is_none_or(|number| numeral(number.value) != *class)
    };
    let target = training.target();
    // Classes named by numerals are found again among numbers, however those are written.
    if target.classes().is_some_and(|classes| classes.iter().any(is_spelt_otherwise)) {
        options.categorical.push(target.name().to_owned());
    }
    options
}

/// The expected columns of a table of new rows, in the expected order.
///
/// Other columns are ignored. Levels that the forest does not know follow the known ones.
///
/// # Errors
/// When a column is missing, or holds text where numbers are expected.
pub fn prepare_new(mut table: Table, expected: &[ExpectedColumn]) -> Result<NewRows, TableError> {
    let source = table.source.clone();
    new_rows(&mut table, expected).map_err(|error| located(error, &source))
}

fn new_rows(table: &mut Table, expected: &[ExpectedColumn]) -> Result<NewRows, TableError> {
    let mut notices = Vec::new();
    let columns = matched(table, expected, &mut notices)?;
    for ((name, values), known) in columns.iter().zip(expected) {
        if let ExpectedKind::Categorical(known) = &known.kind {
            notices.extend(new_levels(name, values, known.len()));
        }
    }
    Ok(NewRows { features: features_of(columns)?, notices })
}

/// A table of held-out rows, read with [`read_options_for_test`], as a data set with the columns
/// and classes of `training`.
///
/// Of `options`, weights, cluster and missing are used; target and input variables are those of
/// the training data.
///
/// # Errors
/// As [`prepare_new`], and when the target is missing in all rows or has an unknown class.
pub fn prepare_test(
    mut table: Table,
    training: &wald::Dataset,
    options: &DesignOptions,
) -> Result<Prepared, TableError> {
    let source = table.source.clone();
    held_out(&mut table, training, options).map_err(|error| located(error, &source))
}

fn held_out(
    table: &mut Table,
    training: &wald::Dataset,
    options: &DesignOptions,
) -> Result<Prepared, TableError> {
    let name = training.target().name();
    let target_index = find(table, name, "")?;
    let classes = training.target().classes();
    let kind = classes
        .map_or(ExpectedKind::Numeric, |classes| ExpectedKind::Categorical(classes.to_vec()));
    let mut target = fitted(table, target_index, &kind)?;
    let mut notices = Vec::new();
    let mut features = matched(table, &expected_columns(training.features()), &mut notices)?;
    let keep = Keep::new(&target, &features, options.missing);
    if keep.n_kept() == 0 {
        return Err(TableError::data(
            format!("no row has the target \"{}\" and can be used", escape(name)),
            "give rows with a target",
        ));
    }
    if let Some(classes) = classes {
        refuse_unknown_class(table, target_index, &target, classes.len())?;
    }
    let find_role = |name: &Option<String>| name.as_deref().map(|name| find(table, name, ""));
    let weights_index = find_role(&options.weights).transpose()?;
    let cluster_index = find_role(&options.cluster).transpose()?;
    let are = options.weights_are;
    let weights = weights_index.map(|index| weights(table, index, are, &keep)).transpose()?;
    let clusters = cluster_index.map(|index| cluster_codes(table, index, &keep)).transpose()?;
    keep.apply_keeping_levels(&mut target);
    notices.extend(design::dropped(&keep, name));
    for ((column, values), known) in features.iter_mut().zip(training.features().columns()) {
        keep.apply_keeping_levels(values);
        if let ColumnData::Categorical(known) = known.data() {
            notices.extend(new_levels(column, values, known.levels().len()));
        }
    }
    let target = match (training.target().response(), target) {
        (Response::Classification(known), Values::Text { codes, .. }) => {
            Target::classification(name, known.levels().to_vec(), codes)?
        }
        (_, Values::Numeric { values, .. }) => Target::regression(name, values)?,
        (Response::Regression(_) | Response::Several(_), Values::Text { .. }) => {
            return Err(TableError::data("the target holds text", "give numbers").column(name));
        }
    };
    let columns = features.into_iter().map(|(name, values)| column(name, values));
    let mut dataset = wald::Dataset::new(columns.collect::<Result<_, _>>()?, target)?;
    if let Some(weights) = weights {
        dataset = dataset.with_weights(weights)?;
    }
    if let Some(clusters) = clusters {
        dataset = dataset.with_clusters(clusters)?;
    }
    Ok(Prepared {
        dataset: std::sync::Arc::new(dataset),
        notices,
        n_rows_read: table.n_rows,
        n_without_target: keep.n_without_target,
        n_incomplete: keep.n_incomplete,
        rows: keep.into_rows(),
    })
}

fn features_of(columns: Vec<(String, Values)>) -> Result<Features, TableError> {
    let columns: Result<Vec<_>, _> =
        columns.into_iter().map(|(name, values)| column(name, values)).collect();
    Ok(Features::new(columns?)?)
}

/// The expected columns, taken out of the table.
fn matched(
    table: &mut Table,
    expected: &[ExpectedColumn],
    notices: &mut Vec<Notice>,
) -> Result<Vec<(String, Values)>, TableError> {
    let mut columns = Vec::with_capacity(expected.len());
    let positions: HashMap<String, usize> =
        table.names().enumerate().map(|(index, name)| (name.to_owned(), index)).collect();
    for wanted in expected {
        let Some(&index) = positions.get(&wanted.name) else {
            let mut error = unknown_column(table, &wanted.name);
            error.what = message!(error.what, ", which the forest was grown with");
            error.help = error.help.map_words(&|help| help.replace("did you mean", "is it called"));
            return Err(error);
        };
        columns.push((wanted.name.clone(), fitted(table, index, &wanted.kind)?));
        notices.append(&mut table.columns[index].notices);
    }
    Ok(columns)
}

/// The values of a column as numbers, or with codes that continue the known levels.
fn fitted(table: &mut Table, index: usize, kind: &ExpectedKind) -> Result<Values, TableError> {
    let emptied = Ok(Values::Numeric { values: Vec::new(), integers: false });
    let values = std::mem::replace(&mut table.columns[index].values, emptied)?;
    match (kind, values) {
        (ExpectedKind::Numeric, values @ Values::Numeric { .. }) => Ok(values),
        (ExpectedKind::Numeric, Values::Text { levels, codes }) => {
            numbers(table, index, &levels, &codes)
        }
        (ExpectedKind::Categorical(known), values) => match as_text(values) {
            Values::Text { levels, codes } => Ok(recoded(known, levels, codes)),
            values @ Values::Numeric { .. } => Ok(values),
        },
    }
}

/// A column of which all cells are missing in one of the spellings used among numbers.
fn numbers(
    table: &Table,
    index: usize,
    levels: &[String],
    codes: &[u32],
) -> Result<Values, TableError> {
    let mut values = Vec::with_capacity(levels.len());
    for (code, level) in levels.iter().enumerate() {
        match cell::number(level.as_bytes(), b'.') {
            Some(number) if number.value.is_finite() => values.push(number.value),
            _ if cell::is_missing_number(level.as_bytes()) => values.push(f64::NAN),
            _ => {
                let name = &table.columns[index].name;
                let row = codes.iter().position(|&other| other as usize == code);
                return Err(TableError::data(
                    format!(
                        "column \"{}\" holds text, but the forest was grown with numbers",
                        escape(name)
                    ),
                    "give numbers in this column, or leave cells empty where they are missing",
                )
                .file(table.source())
                .at(table.place(row.unwrap_or_default()))
                .column(name)
                .value(level));
            }
        }
    }
    let decode = |&code: &u32| values.get(code as usize).copied().unwrap_or(f64::NAN);
    Ok(Values::Numeric { values: codes.iter().map(decode).collect(), integers: false })
}

/// A remark where rows have levels that the training data do not have.
fn new_levels(name: &str, values: &Values, n_known: usize) -> Option<Notice> {
    let Values::Text { levels, codes } = values else { return None };
    let is_new = |code: &&u32| **code != MISSING_LEVEL && **code as usize >= n_known;
    let mut new: Vec<usize> =
        codes.iter().filter(is_new).map(|&code| code as usize - n_known).collect();
    let n_rows = new.len();
    new.sort_unstable();
    new.dedup();
    let names = new.iter().map(|&level| levels[n_known + level].as_str());
    let message = format!(
        "column \"{}\" has levels in {} that the training data do not have: {}; they go where \
         most training rows of a split went, and left in a forest whose file does not count them",
        escape(name),
        counted(n_rows, "row"),
        listed(names)
    );
    (n_rows > 0).then(|| Notice::new(NoticeKind::NewLevels, Some(name), message))
}

/// Codes into `known`, followed by the levels that are not known.
fn recoded(known: &[String], levels: Vec<String>, mut codes: Vec<u32>) -> Values {
    let found = KnownLevels::new(known);
    let mut all = known.to_vec();
    let mut new_codes = Vec::with_capacity(levels.len());
    for level in levels {
        let code = found.code(&level);
        new_codes.push(code.unwrap_or(all.len() as u32));
        if code.is_none() {
            all.push(level);
        }
    }
    for code in codes.iter_mut().filter(|code| **code != MISSING_LEVEL) {
        *code = new_codes[*code as usize];
    }
    Values::Text { levels: all, codes }
}

fn refuse_unknown_class(
    table: &Table,
    index: usize,
    target: &Values,
    n_known: usize,
) -> Result<(), TableError> {
    let Values::Text { levels, codes } = target else { return Ok(()) };
    let unknown = codes.iter().position(|&code| code != MISSING_LEVEL && code as usize >= n_known);
    let Some(row) = unknown else { return Ok(()) };
    let name = &table.columns[index].name;
    let known = levels[..n_known].iter().map(String::as_str);
    Err(TableError::data(
        format!("the target \"{}\" has a class that the training data do not have", escape(name)),
        format!("the classes are {}", listed(known)),
    )
    .file(table.source())
    .at(table.place(row))
    .column(name)
    .value(&target.cell(row)))
}
