//! Importances and ranks with their intervals, beside each other.

use wald::MeasureId;
use wald::inference::Uncertainty;
use wald_html::chart::{
    Columns, Dot, DotKind, DotPanel, DotPlot, Drawing, Mark, Medium, Series, Sheet,
};

use super::note;

/// A plot for each measure, below each other.
pub(crate) fn of_uncertainty(
    found: &[Uncertainty],
    names: &[String],
    columns: Columns,
    most_variables: usize,
) -> Sheet {
    let has_titles = found.len() > 1;
    let plots = found.iter().map(|one| plot(one, names, has_titles, columns, most_variables));
    Sheet::of(&plots.collect::<Vec<_>>(), columns)
}

fn plot(
    found: &Uncertainty,
    names: &[String],
    has_title: bool,
    columns: Columns,
    most_variables: usize,
) -> Drawing {
    let (importance, intervals) = (&found.importance, &found.intervals);
    let all = importance.order();
    let order = &all[..all.len().min(most_variables)];
    let name = MeasureId::parse(importance.id).map_or(importance.id, |id| id.info().name);
    let percent = 100.0 * intervals.confidence;
    let series = |dots: Vec<Dot>| {
        vec![Series { name: String::new(), mark: Mark::Full, is_faint: false, dots }]
    };
    let dot = |&index: &usize| Dot {
        value: importance.values[index],
        interval: intervals.each[index].map(|found| (found.low, found.high)),
    };
    let values = DotPanel {
        label: if has_title {
            importance.unit.clone()
        } else {
            format!("{name} ({})", importance.unit)
        },
        kind: DotKind::Values,
        series: series(order.iter().map(dot).collect()),
    };
    let ranks = intervals.ranks.as_ref().map(|ranks| {
        let dot = |(place, &index): (usize, &usize)| Dot {
            value: importance.values[index].map(|_| (place + 1) as f64),
            interval: ranks[index].map(|rank| (rank.low as f64, rank.high as f64)),
        };
        DotPanel {
            label: "rank".to_owned(),
            kind: DotKind::Ranks { n_variables: all.len() },
            series: series(order.iter().enumerate().map(dot).collect()),
        }
    });
    DotPlot {
        title: if has_title { name.to_owned() } else { String::new() },
        description: format!(
            "{name}, {}, with {percent} % intervals of every value, and of all ranks at once.",
            importance.unit
        ),
        names: order.iter().map(|&index| names[index].as_str()).collect(),
        panels: [Some(values), ranks].into_iter().flatten().collect(),
        note: note(order.len(), all.len()),
        medium: Medium::Paper(columns),
    }
    .drawing()
}
