//! What Boruta decided, as a table.

use anstyle::Style;
use wald::selection::{Boruta, BorutaConfig, BorutaVariable, Decision};
use wald::words::counted;

use crate::terminal::{Terminal, indented};
use crate::text::table::{BARS, FAINT, Table};
use wald::digits::Digits;

const WIDEST_NAME: usize = 32;

/// A line per variable, confirmed ones first, and how it came to that.
pub(crate) fn decisions_table(found: &Boruta, config: &BorutaConfig, terminal: Terminal) -> String {
    let mut variables: Vec<&BorutaVariable> = found.variables.iter().collect();
    let small = found.small_is_important;
    let sign = if small { -1.0 } else { 1.0 };
    let value =
        |of: &BorutaVariable| of.median_importance.map_or(f64::NEG_INFINITY, |value| sign * value);
    variables.sort_by(|a, b| a.rank.cmp(&b.rank).then(value(b).total_cmp(&value(a))));
    let format = Digits::of(variables.iter().filter_map(|of| of.median_importance));
    let largest = variables.iter().filter_map(|of| of.median_importance).fold(0.0, f64::max);
    let decision = |of: &&BorutaVariable| {
        let rough = if of.is_rough { " (rough)" } else { "" };
        format!("{}{rough}", of.decision.id())
    };
    let runs = |of: &&BorutaVariable| {
        let is_out = of.decision == Decision::Rejected;
        of.decided_at.filter(|_| is_out).unwrap_or(found.n_runs)
    };
    let median = |of: &&BorutaVariable| {
        of.median_importance.map_or_else(|| "-".to_owned(), |median| format.text(median))
    };
    let table = Table::new(terminal, &variables)
        .names(WIDEST_NAME, |of| of.name.as_str())
        .left("decision", decision)
        .styled(Style::new().bold())
        .right("hits", |of| of.hits.to_string())
        .right("runs", |of| runs(of).to_string())
        .styled(FAINT)
        .right("median\nimportance", median)
        .bars(BARS, (largest > 0.0 && !small).then_some(largest), |of| {
            of.median_importance.unwrap_or(0.0)
        });
    let mut text = table.text() + "\n";
    let mut add = |sentence: &str| text += &indented("", sentence, 0, terminal);
    let count = |decision: Decision| found.names(decision).len();
    add(&format!(
        "{} confirmed, {} tentative, {} rejected after {}",
        count(Decision::Confirmed),
        count(Decision::Tentative),
        count(Decision::Rejected),
        counted(found.n_runs, "run")
    ));
    let shadows = if config.percentile < 100.0 {
        format!("percentile {} of the shadows", config.percentile)
    } else {
        "best shadow".to_owned()
    };
    add(&format!(
        "hit: an importance (`{}`) {} the {shadows}, which are permuted copies of the variables; \
         tests of hits against half of the runs at level {}, correction `{}`",
        config.measure.id().info().id,
        if small { "below" } else { "above" },
        config.level,
        config.correction.id()
    ));
    if small {
        add(&format!("median importance: {}", found.unit));
    }
    if count(Decision::Tentative) > 0 {
        add("tentative: not decided by then; more runs may decide, or `--rough-fix`");
    }
    if let Some(note) = found.note() {
        add(&format!("note: {note}"));
    }
    terminal.shown(text)
}
