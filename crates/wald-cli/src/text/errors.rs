//! The errors by number of variables as a table, and the choices in words.

use anstyle::Style;
use wald::Selection;
use wald::selection::SizePoint;
use wald::words::counted;
use wald_table::escape_controls;

use crate::terminal::{Terminal, indented};
use crate::text::numbers::NumberFormat;
use crate::text::table::{Bars, Column, FAINT, Table, shortened};

const WIDEST_NAME: usize = 24;

/// The table; `loss` names the error in words.
pub(crate) fn errors_table(selection: &Selection, loss: &str, terminal: Terminal) -> String {
    let points = || selection.curve.iter();
    let format = NumberFormat::of(points().map(|point| point.error));
    let error = |point: &SizePoint| format.estimate(Some(point.error), Some(point.standard_error));
    let explained = |point: &SizePoint| NumberFormat::Fixed(3).text(point.explained_variance);
    let (best, enough) = (selection.best_size, selection.one_standard_error_size);
    let mark = |point: &SizePoint| {
        let marks = [(best, "best"), (enough, "enough")];
        let marks = marks.into_iter().filter(|(size, _)| *size == point.n_variables);
        marks.map(|(_, mark)| mark).collect::<Vec<_>>().join(", ")
    };
    let sizes = points().map(|point| point.n_variables.to_string());
    let mut table = Table::new(
        terminal,
        [
            Column::right("variables", sizes).styled(FAINT),
            Column::right("error", points().map(error)),
            Column::right("explained\nvariance", points().map(explained)),
        ],
    );
    let values = points().map(|point| point.explained_variance).collect();
    table.add_bars(Bars { values, full: 1.0, widths: 6..=20, take_all: false });
    let leaving = points().map(|point| leaving(selection, &point.leaving));
    table.add([
        Column::left("leaves next", leaving),
        Column::left("", points().map(mark)).styled(Style::new().bold()),
    ]);
    let error_at = |size| selection.at(size).map_or_else(String::new, error);
    let (n_best, n_enough) = (counted(best, "variable"), counted(enough, "variable"));
    let mut sentences = vec![
        (0, format!("best: the smallest error, {}, with {n_best}:", error_at(best))),
        (2, kept(selection, best)),
    ];
    if enough == best {
        let none = "enough: no fewer variables are within one standard error of that";
        sentences.push((0, none.to_owned()));
    } else {
        let error = error_at(enough);
        sentences.extend([
            (0, format!("enough: {n_enough} are within one standard error of that, {error}:")),
            (2, kept(selection, enough)),
        ]);
    }
    let over = if selection.is_error_over_repeats { "repetitions" } else { "folds" };
    sentences.extend([
        (
            0,
            "In brackets: the share of folds that kept a variable at that size. Variables are \
             those of an elimination on all rows."
                .to_owned(),
        ),
        (0, format!("error: {loss} of held-out rows; ±: its standard error over {over}")),
    ]);
    let sentences = sentences.iter().map(|(start, text)| indented("", text, *start, terminal));
    terminal.shown(table.text() + "\n" + &sentences.collect::<String>())
}

/// The variables that leave next; of many, how many more there are.
fn leaving(selection: &Selection, leaving: &[usize]) -> String {
    let Some((&first, others)) = leaving.split_first() else { return String::new() };
    let name = shortened(&escape_controls(&selection.variables[first]), WIDEST_NAME);
    if others.is_empty() { name } else { format!("{name} and {} more", others.len()) }
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
