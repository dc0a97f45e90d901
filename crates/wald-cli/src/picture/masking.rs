//! Importances against mtry.

use wald::masking::Masking;
use wald_html::chart::{Columns, Medium, NamedLines, Point, Sheet};

use crate::text::{masking_measure, masking_order};

/// A line per variable; of many, those that are most important at any mtry are named.
pub(crate) fn of_masking(
    found: &Masking,
    names: &[String],
    columns: Columns,
    most_variables: usize,
) -> Sheet {
    let highest = |index: usize| {
        let values = found.importances.iter().filter_map(|importance| importance.values[index]);
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    let mut order = masking_order(found);
    order.sort_by(|&one, &other| highest(other).total_cmp(&highest(one)));
    order.truncate(most_variables);
    let line = |&index: &usize| {
        let point = |(size, &mtry): (usize, &usize)| {
            let importance = &found.importances[size];
            let error = importance.standard_errors.as_ref().and_then(|errors| errors[index]);
            let y = importance.values[index]?;
            Some(Point { x: mtry as f64, y, spread: error.unwrap_or(0.0) })
        };
        let points = found.mtry.iter().enumerate().filter_map(point).collect();
        (names[index].as_str(), points)
    };
    let (id, unit) = masking_measure(found);
    let lines = NamedLines {
        description: format!("{id} against mtry, {unit}; bars are standard errors."),
        lines: order.iter().map(line).collect(),
        x_label: "mtry",
        y_label: &format!("{id} ({unit})"),
        is_x_log: found.mtry.last().is_some_and(|last| *last > 2 * found.mtry.len()),
        medium: Medium::Paper(columns),
        share: 1.0,
    };
    Sheet::of(&[lines.drawing()], columns)
}
