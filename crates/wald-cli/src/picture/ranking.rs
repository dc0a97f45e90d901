//! Importances with their intervals, as dot plots.

use wald::MeasureId;
use wald_html::chart::{
    Columns, Dot, DotKind, DotPanel, DotPlot, Drawing, Mark, Medium, Series, Sheet,
};
use wald_report::{MeasureSummary, RankedVariable};

use super::note;

/// Which shares stand beside each other: those of a variable with all interactions, and alone.
const TOTAL: MeasureId = MeasureId::SobolMda;
const FIRST_ORDER: MeasureId = MeasureId::SobolFirst;

/// A plot for each measure, below each other; first-order Sobol indices stand beside total ones.
pub(crate) fn of_measures(
    measures: &[MeasureSummary],
    columns: Columns,
    most_variables: usize,
) -> Sheet {
    let find = |id: MeasureId| measures.iter().find(|measure| measure.id == id.info().id);
    let pair = find(TOTAL).zip(find(FIRST_ORDER));
    let is_drawn = |measure: &&MeasureSummary| pair.is_none_or(|(_, first)| measure.id != first.id);
    let drawn: Vec<&MeasureSummary> = measures.iter().filter(is_drawn).collect();
    let plots = drawn.iter().map(|measure| {
        let beside = pair.filter(|(total, _)| total.id == measure.id).map(|(_, first)| first);
        let title = if drawn.len() > 1 { measure.name.clone() } else { String::new() };
        plot(measure, beside, title, Medium::Paper(columns), most_variables)
    });
    Sheet::of(&plots.collect::<Vec<_>>(), columns)
}

fn plot(
    measure: &MeasureSummary,
    beside: Option<&MeasureSummary>,
    title: String,
    medium: Medium,
    most_variables: usize,
) -> Drawing {
    let n_shown = measure.ranking.len().min(most_variables);
    let shown = &measure.ranking[..n_shown];
    let mut series = vec![Series {
        name: "total".to_owned(),
        mark: Mark::Full,
        is_faint: false,
        dots: shown.iter().map(dot).collect(),
    }];
    if let Some(first) = beside {
        let of = |variable: &RankedVariable| {
            let same = first.ranking.iter().find(|other| other.name == variable.name);
            same.map(dot).unwrap_or_default()
        };
        series.push(Series {
            name: "first order".to_owned(),
            mark: Mark::Second,
            is_faint: false,
            dots: shown.iter().map(of).collect(),
        });
    }
    let what = if beside.is_some() { "Sobol indices" } else { measure.name.as_str() };
    let label = if title.is_empty() || beside.is_some() {
        format!("{what} ({})", measure.unit)
    } else {
        measure.unit.clone()
    };
    let interval = measure
        .interval
        .as_deref()
        .map_or_else(String::new, |words| format!("; intervals: {words}"));
    DotPlot {
        title,
        description: format!("{what}, {}{interval}.", measure.unit),
        names: shown.iter().map(|variable| variable.name.as_str()).collect(),
        panels: vec![DotPanel { label, kind: DotKind::Values, series }],
        note: note(n_shown, measure.ranking.len()),
        medium,
    }
    .drawing()
}

fn dot(variable: &RankedVariable) -> Dot {
    Dot { value: variable.value, interval: variable.low.zip(variable.high) }
}
