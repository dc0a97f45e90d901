//! What `wald population` found, and how it is shown.

mod picture;
mod table;

pub(crate) use picture::picture;
pub(crate) use table::table;

use wald::data::ColumnData;
use wald::forest::Impurity;
use wald::words::{counted, shortest};
use wald_population::{Found, Population, Request};

/// Importances with all that was requested besides.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) population: &'a Population,
    pub(crate) request: &'a Request,
    pub(crate) found: Found,
}

impl Answer<'_> {
    /// The number K of variables to choose from of the trees that are ranked by.
    fn mtry(&self) -> usize {
        self.request.mtry.first().copied().unwrap_or(1)
    }
}

/// What was read.
pub(crate) fn summary(source: &str, population: &Population) -> String {
    format!(
        "{}: `{}` by {}, {} of their values; {} of the target: {}",
        wald_table::escape_controls(source),
        wald_table::escape(population.target()),
        counted(population.n_variables(), "variable"),
        counted(population.probabilities().len(), "combination"),
        population.impurity().id(),
        amount(population.root_impurity(), population.impurity()),
    )
}

/// What was taken for granted of a target of few numbers.
pub(crate) fn target_note(population: &Population) -> String {
    let target = wald_table::escape(population.target());
    if population.impurity() == Impurity::Variance {
        format!(
            "the target \"{target}\" was taken as a number; if its values are classes, use \
             `--impurity entropy`"
        )
    } else {
        format!(
            "the target \"{target}\" was taken as two classes; `--impurity variance` takes it as a \
             number"
        )
    }
}

/// That numbers are categories, where it is not plain.
pub(crate) fn number_note(population: &Population) -> Option<String> {
    let columns = population.points().columns().iter();
    let is_number = |column: &&wald::data::Column| match column.data() {
        ColumnData::Numeric(values) => {
            let mut distinct: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
            distinct.sort_unstable_by(f64::total_cmp);
            distinct.dedup();
            distinct.len() > 2
        }
        ColumnData::Categorical(_) => false,
    };
    let names: Vec<String> = columns
        .filter(is_number)
        .map(|column| format!("\"{}\"", wald_table::escape(column.name())))
        .collect();
    match names.as_slice() {
        [] => None,
        [only] => Some(format!("every different number of {only} is a category of its own")),
        [first, ..] => {
            let others = counted(names.len() - 1, "other column");
            Some(format!("every different number of {first} and {others} is a category of its own"))
        }
    }
}

/// A number with its unit.
fn amount(value: f64, impurity: Impurity) -> String {
    match impurity {
        Impurity::Entropy => format!("{value:.4} bits"),
        _ => shortest((value * 1e10).round() / 1e10),
    }
}

/// The unit of importances.
fn unit(population: &Population) -> String {
    match population.impurity() {
        Impurity::Entropy => "in bits".to_owned(),
        Impurity::Gini => "as decrease of the Gini index".to_owned(),
        _ => {
            format!("in squared units of `{}`", wald_table::escape_controls(population.target()))
        }
    }
}
