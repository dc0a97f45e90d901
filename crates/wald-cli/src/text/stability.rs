//! Scores of integrated path stability selection, as a table.

use anstyle::Style;
use wald::selection::{Ipss, IpssConfig};
use wald::words::counted;
use wald_table::escape_controls;

use crate::arguments::Target;
use crate::terminal::{Terminal, indented};
use crate::text::table::Table;
use wald::digits::Digits;

const WIDEST_NAME: usize = 32;

/// The variables that have a bound, smallest scores first, and which are selected.
pub(crate) fn stability_table(
    found: &Ipss,
    config: &IpssConfig,
    target: Target,
    terminal: Terminal,
) -> String {
    let n_variables = found.variables.len();
    let mut order: Vec<usize> = (0..n_variables).collect();
    order.retain(|&at| found.efp_scores[at] < n_variables as f64);
    order.sort_by(|&a, &b| found.efp_scores[a].total_cmp(&found.efp_scores[b]));
    let selected = target.selected(found);
    let format = Digits::Fixed(3);
    let table = Table::new(terminal, &order)
        .names(WIDEST_NAME, |&at| found.variables[at].as_str())
        .right("efp score", |&at| format.text(found.efp_scores[at]))
        .right("q-value", |&at| format.text(found.q_values[at]))
        .left("", |at| if selected.contains(at) { "selected".to_owned() } else { String::new() })
        .styled(Style::new().bold());
    let mut text = if order.is_empty() { String::new() } else { table.text() + "\n" };
    let mut add = |start, sentence: &str| {
        // Names are indented.
        let terminal = if start > 0 { terminal.with_points() } else { terminal };
        text += &indented("", sentence, start, terminal);
    };
    let n_others = n_variables - order.len();
    if n_others > 0 {
        let others = counted(n_others, "variable");
        let more = if order.is_empty() { "" } else { " more" };
        add(
            0,
            &format!("{others}{more}: efp score {n_variables}, of all variables, and q-value 1"),
        );
    }
    let at = match target {
        Target::Rate(rate) => format!("a rate of false discoveries of {rate}"),
        Target::Number(number) => format!("an expected number of false positives of {number}"),
    };
    add(0, &format!("selected at {at}: {}", counted(selected.len(), "variable")));
    let names = order.iter().filter(|at| selected.contains(at));
    let names: Vec<_> = names.map(|&at| escape_controls(&found.variables[at])).collect();
    if !names.is_empty() {
        add(2, &names.join(", "));
    }
    add(
        0,
        &format!(
            "efp score: the expected number of false positives among the variables down to this \
             one; q-value: the smallest rate of false discoveries at which it is selected; both by \
             a bound for {} of halves of the rows, `{}` of {} each{}",
            counted(config.pairs, "pair"),
            config.measure.id().info().id,
            counted(config.n_trees(), "tree"),
            match config.preselect.filter(|&most| most < n_variables) {
                Some(most) => {
                    format!(
                        ", grown of the {most} variables that depend most on the target in that half"
                    )
                }
                None => String::new(),
            },
        ),
    );
    if let Some(note) = found.note() {
        text += &indented("", &format!("note: {note}"), 0, terminal);
    }
    terminal.shown(text)
}
