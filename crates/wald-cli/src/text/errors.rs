//! The errors by number of variables as a table, and the choices in words.

use anstyle::Style;
use wald::Selection;
use wald::selection::SizePoint;
use wald::words::counted;
use wald_table::escape_controls;

use crate::terminal::{Terminal, indented};
use crate::text::table::{FAINT, Table};
use wald::digits::Digits;

const WIDEST_NAME: usize = 24;

/// What follows a name where more are dropped.
const MORE: usize = " and 9999 more".len();

/// The table; `loss` names the error in words.
pub(crate) fn errors_table(selection: &Selection, loss: &str, terminal: Terminal) -> String {
    let format = Digits::of(selection.curve.iter().map(|point| point.error));
    let error = |point: &SizePoint| format.estimate(Some(point.error), Some(point.standard_error));
    let (best, enough) = (selection.best_size, selection.one_standard_error_size);
    let mark = |point: &SizePoint| {
        let marks = [(best, "best"), (enough, "enough")];
        let marks = marks.into_iter().filter(|(size, _)| *size == point.n_variables);
        marks.map(|(_, mark)| mark).collect::<Vec<_>>().join(", ")
    };
    let table = Table::new(terminal, &selection.curve)
        .right("variables", |point| point.n_variables.to_string())
        .styled(FAINT)
        .key()
        .right("error", error)
        .right("explained\nvariance", |point| Digits::Fixed(3).text(point.explained_variance))
        .bars(6..=20, Some(1.0), |point| point.explained_variance)
        .named("dropped next", WIDEST_NAME + MORE, |point| leaving(selection, &point.leaving))
        .left("", mark)
        .styled(Style::new().bold());
    let error_at = |size| selection.at(size).map_or_else(String::new, error);
    let (n_best, n_enough) = (counted(best, "variable"), counted(enough, "variable"));
    let mut text = table.text() + "\n";
    let mut add = |start, sentence: &str| {
        // Names are indented.
        let terminal = if start > 0 { terminal.with_points() } else { terminal };
        text += &indented("", sentence, start, terminal);
    };
    if !selection.beats_mean() {
        add(
            0,
            "No number of variables predicts held-out rows better than their mean does: nothing shows \
             that any variable is needed.",
        );
    }
    add(0, &format!("best: the smallest error, {}, with {n_best}:", error_at(best)));
    add(2, &kept(selection, best));
    if enough == best {
        add(0, "enough: no fewer variables are within one standard error of that");
    } else {
        let error = error_at(enough);
        add(
            0,
            &format!(
                "enough: {n_enough} {} within one standard error of that, {error}:",
                if enough == 1 { "is" } else { "are" }
            ),
        );
        add(2, &kept(selection, enough));
    }
    add(
        0,
        "In brackets: the share of folds that kept a variable at that size. Variables are those of \
         an elimination on all rows.",
    );
    let over = if selection.is_error_over_repeats { "repetitions" } else { "folds" };
    add(0, &format!("error of held-out rows: {loss}; ±: its standard error over {over}"));
    if let Some(note) = &selection.note {
        add(0, &format!("note: {note}"));
    }
    terminal.shown(text)
}

/// The variables that are dropped next; of many, how many more there are.
fn leaving(selection: &Selection, leaving: &[usize]) -> String {
    let Some((&first, others)) = leaving.split_first() else { return String::new() };
    let name = &selection.variables[first];
    if others.is_empty() { name.clone() } else { format!("{name} and {} more", others.len()) }
}

/// The variables kept at a size, the most often kept ones first.
fn kept(selection: &Selection, size: usize) -> String {
    let Some(point) = selection.at(size) else { return String::new() };
    let mut kept = selection.kept(size);
    kept.sort_by(|&a, &b| point.frequencies[b].total_cmp(&point.frequencies[a]));
    let one = |variable: usize| {
        let name = escape_controls(&selection.variables[variable]);
        format!("{name} ({:.0}%)", 100.0 * point.frequencies[variable])
    };
    kept.into_iter().map(one).collect::<Vec<_>>().join(", ")
}
