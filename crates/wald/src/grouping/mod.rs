//! Columns that may be parts of one variable: suggestions, which are followed only on request.

mod dependence;
mod found;
mod names;

pub use found::Dependences;

use crate::data::{Column, Dataset};
use crate::error::Error;
use crate::run::Run;

/// What makes columns look like parts of one variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GroupRule {
    /// Their names and values are those of one variable in one-hot form: `colour_red`,
    /// `colour=red`, `colour.red` or `colour[T.red]`, 0 or 1, at most one of them 1 in any row.
    Names,
    /// They depend on each other: clusters by average linkage, whose mean dependence is at least
    /// the threshold, between 0 and 1 (0.7 is usual).
    Dependence {
        /// The least mean dependence.
        threshold: f64,
    },
}

/// Columns to measure together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// A name that no other column and no other suggestion has.
    pub name: String,
    /// Names of the columns, in the order of the table; at least two.
    pub columns: Vec<String>,
}

/// The dependence of all pairs of columns, as [`suggest_groups`] has it; same cost.
///
/// ```
/// use wald::Run;
/// use wald::grouping::dependences;
/// use wald::simulate::BenardExample1;
///
/// let data = BenardExample1::default().draw(60, 1)?; // x1 and x2 have correlation .9
/// let found = dependences(&data, &Run::all())?;
/// let between = |one: usize, other: usize| found.values[one * 5 + other];
/// assert!(between(0, 1) > 0.7 && between(0, 2) < 0.5);
/// let (one, other, _) = found.merges[0]; // the closest pair
/// assert_eq!((one.min(other), one.max(other)), (0, 1));
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::TooLarge`] for more than 2000 columns, [`Error::Cancelled`].
pub fn dependences(data: &Dataset, run: &Run) -> Result<Dependences, Error> {
    dependence::dependences(data.of_positive_weight()?.features().columns(), run)
}

/// The dependence of groups of columns: the largest between a column of one and a column of the other.
/// Groups name places among the columns. Merges come in an order in which clusters are made before they
/// are merged. Cost as of [`dependences`].
///
/// # Errors
/// As [`dependences`].
pub fn dependences_of_groups(
    columns: &[&Column],
    groups: &[Vec<usize>],
    run: &Run,
) -> Result<Dependences, Error> {
    dependence::of_groups(columns, groups, run)
}

/// Groups that the data suggest, in the order of their first columns; each column is in at most
/// one of them.
///
/// Names cost O(rows * columns) at most. Dependence is that of ranks: the absolute rank
/// correlation of numbers (Spearman 1904); the correlation ratio of ranks where one column holds
/// levels; Cramer's V of levels; the latter two corrected for chance (Bergsma 2013). It is looked at
/// on at most 2000 rows of positive weight, evenly spread, each counting once, and costs O(rows * columns^2).
///
/// ```
/// use wald::data::{Column, Target};
/// use wald::grouping::{GroupRule, suggest_groups};
/// use wald::{Dataset, Run};
///
/// let is = |level: usize| (0..60).map(|row| f64::from(u8::from(row % 3 == level))).collect();
/// let columns = vec![
///     Column::numeric("colour_red", is(0))?,
///     Column::numeric("colour_green", is(1))?,
///     Column::numeric("colour_blue", is(2))?,
/// ];
/// let data = Dataset::new(columns, Target::regression("y", (0..60).map(f64::from).collect())?)?;
/// let found = suggest_groups(&data, GroupRule::Names, &Run::all())?;
/// assert_eq!(found[0].name, "colour");
/// assert_eq!(found[0].columns.len(), 3);
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Setting`] for a threshold that is not above 0 and at most 1; [`Error::TooLarge`] for
/// the dependence of more than 2000 columns; [`Error::Cancelled`].
pub fn suggest_groups(
    data: &Dataset,
    rule: GroupRule,
    run: &Run,
) -> Result<Vec<Suggestion>, Error> {
    let columns = data.features().columns();
    let groups = match rule {
        GroupRule::Names => names::one_hot(columns),
        GroupRule::Dependence { threshold } => {
            let weighing = data.of_positive_weight()?;
            dependence::clusters(weighing.features().columns(), threshold, run)?
        }
    };
    let mut suggestions: Vec<Suggestion> = Vec::with_capacity(groups.len());
    for (wanted, members) in groups {
        let of = |name: &str| columns.iter().position(|column| column.name() == name);
        let mut name = wanted;
        while of(&name).is_some_and(|column| !members.contains(&column))
            || suggestions.iter().any(|other| other.name == name)
        {
            name.push_str(" (group)");
        }
        let columns = members.iter().map(|&column| columns[column].name().to_owned()).collect();
        suggestions.push(Suggestion { name, columns });
    }
    Ok(suggestions)
}
