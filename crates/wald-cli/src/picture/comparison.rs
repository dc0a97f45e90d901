//! Differences between two forests with their intervals.

use wald::MeasureId;
use wald::inference::{Comparison, Confidence};
use wald_html::chart::{
    Columns, Dot, DotKind, DotPanel, DotPlot, Drawing, Mark, Medium, Series, Sheet,
};

use super::note;
use crate::text::comparison_order;

/// A plot for each measure, below each other: differences in the order of the table.
pub(crate) fn of_comparisons(
    found: &[Comparison],
    confidence: Confidence,
    columns: Columns,
    most_variables: usize,
) -> Sheet {
    let has_titles = found.len() > 1;
    let plots = found.iter().map(|one| plot(one, confidence, has_titles, columns, most_variables));
    Sheet::of(&plots.collect::<Vec<_>>(), columns)
}

fn plot(
    found: &Comparison,
    confidence: Confidence,
    has_title: bool,
    columns: Columns,
    most_variables: usize,
) -> Drawing {
    let all = comparison_order(found);
    let order = &all[..all.len().min(most_variables)];
    let dot = |&index: &usize| Dot {
        value: found.differences[index],
        interval: found.intervals[index].map(|found| (found.low, found.high)),
    };
    let series = Series {
        name: String::new(),
        mark: Mark::Full,
        is_faint: false,
        dots: order.iter().map(dot).collect(),
    };
    let name = MeasureId::parse(found.id).map_or(found.id, |id| id.info().name);
    let label = format!("{name}: second minus first ({})", found.unit);
    DotPlot {
        title: if has_title { name.to_owned() } else { String::new() },
        description: format!("{label}, with {} % intervals.", 100.0 * confidence.get()),
        names: order.iter().map(|&index| found.variables[index].as_str()).collect(),
        panels: vec![DotPanel { label, kind: DotKind::Values, series: vec![series] }],
        note: note(order.len(), all.len()),
        medium: Medium::Paper(columns),
    }
    .drawing()
}
