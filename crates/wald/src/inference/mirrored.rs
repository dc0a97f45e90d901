//! p-values by importances below zero and their mirror images: Janitza, Celik & Boulesteix 2018,
//! but of what is symmetric by construction, and with a null for every type of column.

use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::forest::ForestConfig;
use crate::importance::Importance;
use crate::inference::observed::Observed;
use crate::inference::shadow::ShadowForests;
use crate::inference::tested::Tested;
use crate::measure::{ColumnType, Measure, mirrored_p_values};
use crate::run::Run;

/// True where the importances of a measure are differences from shadows already, and need no further
/// forest.
pub(super) fn is_symmetric(measure: &Measure) -> bool {
    measure.id().info().facts.is_difference_from_shadow
}

/// Tests for every variable and measure whether it is more important than its shadow by more than
/// what irrelevant variables of its type are: the differences at or below zero of columns of its
/// type (numbers by distinct values, levels by their number), and their mirror images, show how far
/// these scatter.
///
/// The differences are those of one forest on variables and shadows, as [`shadow_test`] grows many.
/// A variable that is independent of the response and of all other variables is exchangeable with its
/// shadow, so that its difference is as likely to be above zero as below, by whatever measure.
/// Importances themselves are not: those of most measures are skewed if a variable is irrelevant,
/// and those of Sobol-MDA have a mean below zero, which `wald-papers null-importances` shows. `air` is
/// such a difference, and is taken as it is. A rejected hypothesis means that the variable is
/// associated with the response, alone or through variables that it depends on.
///
/// Needs many irrelevant variables of a type: with m differences below zero, the smallest
/// p-value is 1 / (2 + 2 m). A group of columns, and a type without differences at or below zero, has
/// none. Cost: that of one forest of twice as many variables and its measures.
///
/// [`shadow_test`]: crate::inference::shadow_test
///
/// # Errors
/// As [`shadow_test`].
pub fn mirrored_test(
    data: &Dataset,
    config: &ForestConfig,
    observed: Observed<'_>,
    run: &Run,
) -> Result<Vec<Tested>, Error> {
    let Observed { measures, importances: observed } = observed;
    let types = ColumnType::of_groups(&Training::of(data, run.threads), data.groups());
    let others: Vec<Measure> =
        measures.iter().filter(|measure| !is_symmetric(measure)).cloned().collect();
    let mut shadowed = if others.is_empty() {
        Vec::new()
    } else {
        ShadowForests::new(data, config)?.draw(0, &others, run)?
    }
    .into_iter();
    let tested = |(measure, observed): (&Measure, &Importance)| {
        let sign = if measure.id().info().small_is_important { -1.0 } else { 1.0 };
        let differences: Vec<Option<f64>> = if is_symmetric(measure) {
            observed.values.clone()
        } else {
            let found = shadowed.next().map(|found| found.values).unwrap_or_default();
            let shadow = |at: usize| found.get(types.len() + at).copied().flatten();
            let difference =
                |at: usize| Some(sign * (found.get(at).copied().flatten()? - shadow(at)?));
            (0..types.len()).map(|at| observed.values[at].and(difference(at))).collect()
        };
        let mut tested = compared(measure.id().info().id, &differences, &types);
        if !is_symmetric(measure) {
            let what = "p-values rest on importances minus those of shadows, in one forest on both";
            tested.notes.push(what.to_owned());
        }
        tested
    };
    Ok(measures.iter().zip(observed).map(tested).collect())
}

/// The p-values of those that are defined.
fn compared(id: &'static str, differences: &[Option<f64>], types: &[ColumnType]) -> Tested {
    let places: Vec<usize> = (0..types.len()).filter(|&at| differences[at].is_some()).collect();
    let values: Vec<f64> = differences.iter().flatten().copied().collect();
    let types: Vec<ColumnType> = places.iter().map(|&at| types[at]).collect();
    let found = mirrored_p_values(&values, &types);
    let n = differences.len();
    let mut tested =
        Tested { id, p_values: vec![None; n], null_sizes: vec![0; n], notes: found.notes };
    for (from, to) in places.into_iter().enumerate() {
        tested.p_values[to] = found.values[from];
        tested.null_sizes[to] = found.null_sizes[from];
    }
    tested
}
