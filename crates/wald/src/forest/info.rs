//! What a forest knows about its variables without the data.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::data::{
    Column, ColumnData, Dataset, Features, KnownLevels, MISSING_LEVEL, Response, Target, Task,
};
use crate::error::Error;

/// Name and kind of an input variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureInfo {
    /// Its name.
    pub name: String,
    /// Numbers or levels.
    pub kind: FeatureKind,
}

/// Numbers or levels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FeatureKind {
    /// Numbers.
    Numeric,
    /// Levels, by name; a tree's codes index this list.
    Categorical {
        /// Level names in code order.
        levels: Vec<String>,
    },
}

/// Name and kind of the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetInfo {
    /// Its name; empty where a foreign forest does not store it.
    pub name: String,
    /// Class names in class order; `None` for regression.
    pub classes: Option<Vec<String>>,
    /// The outputs of several targets; `None` for one target.
    pub outputs: Option<OutputsInfo>,
}

/// What a forest predicts that predicts several targets at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputsInfo {
    /// The names of the outputs.
    pub names: Vec<String>,
    /// The number of targets: impurities and errors are sums over outputs, divided by it.
    pub n_targets: usize,
}

/// How the trees' predictions become the forest's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregation {
    /// The mean of the leaf values.
    #[default]
    Mean,
    /// The mean weighted by the leaves' in-bag weight (party's cforest with `scale = FALSE`).
    LeafWeighted,
    /// Every tree has one vote (randomForest).
    Vote,
    /// The sum (boosting).
    Sum,
}

impl TargetInfo {
    /// Regression or classification.
    pub fn task(&self) -> Task {
        if self.classes.is_some() { Task::Classification } else { Task::Regression }
    }

    /// Length of a prediction: 1 for regression, the number of classes or of outputs otherwise.
    pub fn n_outputs(&self) -> usize {
        let names = self.classes.as_ref().or(self.outputs.as_ref().map(|outputs| &outputs.names));
        names.map_or(1, Vec::len)
    }

    pub(crate) fn of(target: &Target) -> Self {
        let outputs = target.outputs().map(|outputs| OutputsInfo {
            names: outputs.names().to_vec(),
            n_targets: outputs.n_targets(),
        });
        let classes = target.classes().map(<[String]>::to_vec);
        Self { name: target.name().to_owned(), classes, outputs }
    }
}

impl FeatureInfo {
    pub(crate) fn of(column: &Column) -> Self {
        let kind = match column.data() {
            ColumnData::Numeric(_) => FeatureKind::Numeric,
            ColumnData::Categorical(categories) => {
                FeatureKind::Categorical { levels: categories.levels().to_vec() }
            }
        };
        Self { name: column.name().to_owned(), kind }
    }

    /// Number of levels; 0 for numbers.
    pub(crate) fn n_levels(&self) -> u32 {
        match &self.kind {
            FeatureKind::Numeric => 0,
            FeatureKind::Categorical { levels } => levels.len() as u32,
        }
    }
}

/// The columns of a table in the order and with the level codes of a forest.
///
/// A column without any value is of either kind. Levels that the forest does not know, by
/// [`KnownLevels`], get codes after those it knows.
///
/// # Errors
/// [`Error::Data`] when a variable is missing or of the wrong kind.
pub fn align<'a>(
    features: &'a Features,
    known: &[FeatureInfo],
) -> Result<Vec<Cow<'a, Column>>, Error> {
    let columns = features.by_name();
    known
        .iter()
        .map(|info| align_column(columns.get(info.name.as_str()).copied(), features, info))
        .collect()
}

fn align_column<'a>(
    column: Option<&'a Column>,
    features: &Features,
    info: &FeatureInfo,
) -> Result<Cow<'a, Column>, Error> {
    let Some(column) = column else {
        return Err(Error::column_data(
            &info.name,
            format!("the table has no column \"{}\", which the forest uses", info.name),
            format!("add the column; the table has {}", list(&features.names())),
        ));
    };
    match (column.data(), &info.kind) {
        (ColumnData::Numeric(_), FeatureKind::Numeric) => Ok(Cow::Borrowed(column)),
        // Of a column without any value, tables do not know what it would hold.
        (ColumnData::Numeric(values), FeatureKind::Categorical { levels })
            if values.iter().all(|value| value.is_nan()) =>
        {
            let codes = vec![MISSING_LEVEL; values.len()];
            Ok(Cow::Owned(Column::categorical(&info.name, levels.clone(), codes)?))
        }
        (ColumnData::Categorical(categories), FeatureKind::Numeric)
            if categories.codes().iter().all(|&code| code == MISSING_LEVEL) =>
        {
            let values = vec![f64::NAN; categories.codes().len()];
            Ok(Cow::Owned(Column::numeric(&info.name, values)?))
        }
        (ColumnData::Categorical(categories), FeatureKind::Categorical { levels }) => {
            if categories.levels() == levels {
                return Ok(Cow::Borrowed(column));
            }
            let known = KnownLevels::new(levels);
            let mut all_levels = levels.clone();
            let recode: Vec<u32> = categories
                .levels()
                .iter()
                .map(|level| {
                    known.code(level).unwrap_or_else(|| {
                        all_levels.push(level.clone());
                        all_levels.len() as u32 - 1
                    })
                })
                .collect();
            let code_of = |code: &u32| {
                if *code == MISSING_LEVEL { MISSING_LEVEL } else { recode[*code as usize] }
            };
            let codes = categories.codes().iter().map(code_of).collect();
            Ok(Cow::Owned(Column::categorical(&info.name, all_levels, codes)?))
        }
        (ColumnData::Numeric(_), FeatureKind::Categorical { .. }) => Err(Error::column_data(
            &info.name,
            format!("column \"{}\" holds numbers, but the forest knows levels", info.name),
            "name the column as categorical",
        )),
        (ColumnData::Categorical(_), FeatureKind::Numeric) => Err(Error::column_data(
            &info.name,
            format!("column \"{}\" holds levels, but the forest knows numbers", info.name),
            "give the column as numbers",
        )),
    }
}

/// The data set's class codes in the order of the forest's classes, or its numbers.
///
/// # Errors
/// [`Error::Data`] when the target is of the wrong kind or has a class the forest lacks.
pub fn align_target(data: &Dataset, info: &TargetInfo) -> Result<Target, Error> {
    let target = data.target();
    if TargetInfo::of(target).outputs != info.outputs {
        let outputs = |outputs: Option<&OutputsInfo>| {
            outputs.map_or_else(|| "one target".to_owned(), |outputs| list(&outputs.names))
        };
        return Err(Error::column_data(
            target.name(),
            format!(
                "the target has other outputs than the forest, which predicts {}",
                outputs(info.outputs.as_ref())
            ),
            "give the targets of the forest, in its order",
        ));
    }
    match (target.response(), &info.classes) {
        (Response::Regression(_) | Response::Several(_), None) => Ok(target.clone()),
        (Response::Classification(found), Some(classes)) => {
            let codes_of: HashMap<&str, u32> =
                classes.iter().map(String::as_str).zip(0_u32..).collect();
            let mut recode = Vec::with_capacity(found.levels().len());
            for class in found.levels() {
                let Some(&code) = codes_of.get(class.as_str()) else {
                    return Err(Error::column_data(
                        target.name(),
                        format!("the forest does not know the class \"{class}\""),
                        format!("its classes are {}", list(classes)),
                    ));
                };
                recode.push(code);
            }
            let codes = found.codes().iter().map(|&code| recode[code as usize]).collect();
            Target::classification(target.name(), classes.clone(), codes)
        }
        (Response::Regression(_) | Response::Several(_), Some(_)) => Err(Error::column_data(
            target.name(),
            "the target holds numbers, but the forest predicts classes",
            "read the target as classes, as in classification",
        )),
        (Response::Classification(_), None) => Err(Error::column_data(
            target.name(),
            "the target holds classes, but the forest predicts numbers",
            "read the target as a number, as in regression",
        )),
    }
}

fn list(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|name| format!("\"{name}\"")).collect();
    let more = names.len().saturating_sub(8);
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}
