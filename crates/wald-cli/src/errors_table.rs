//! The errors by number of variables as an aligned table, and the choices in words.

use anstyle::Style;
use wald::Selection;
use wald::words::counted;
use wald_table::escape_controls;

use crate::ranking::{
    BAR, FAINT, GAP, NumberFormat, UNBOUNDED, bar, column, lines, shortened, width_of,
};
use crate::terminal::{Terminal, wrap};

const WIDEST_BAR: usize = 20;
const NARROWEST_BAR: usize = 6;
const WIDEST_NAME: usize = 24;

/// The table; `loss` names the error in words.
pub(crate) fn errors_table(selection: &Selection, loss: &str, terminal: Terminal) -> String {
    let curve = &selection.curve;
    let format = NumberFormat::of(&curve.iter().map(|point| point.error).collect::<Vec<_>>());
    let sizes = curve.iter().map(|point| point.n_variables.to_string()).collect();
    let errors = curve.iter().map(|point| {
        format!("{} ±{}", format.text(point.error), format.text(point.standard_error))
    });
    let shares = curve.iter().map(|point| point.explained_variance);
    let explained = shares.clone().map(|share| NumberFormat::Fixed(3).text(share)).collect();
    let leaving = curve.iter().map(|point| leaving(selection, &point.leaving));
    let marks = curve.iter().map(|point| {
        let is_best = point.n_variables == selection.best_size;
        let is_enough = point.n_variables == selection.one_standard_error_size;
        match (is_best, is_enough) {
            (true, true) => "best, enough",
            (true, false) => "best",
            (false, true) => "enough",
            (false, false) => "",
        }
        .to_owned()
    });
    let mut columns = vec![
        column("variables", sizes, true, FAINT),
        column("error", errors.collect(), true, Style::new()),
        column("explained\nvariance", explained, true, Style::new()),
        column("leaves next", leaving.collect(), false, Style::new()),
        column("", marks.collect(), false, Style::new().bold()),
    ];
    let space = terminal.width.unwrap_or(UNBOUNDED);
    let room = space.saturating_sub(width_of(&columns) + GAP).min(WIDEST_BAR);
    if room >= NARROWEST_BAR {
        let cells = shares.map(|share| bar(share.clamp(0.0, 1.0), room, terminal.unicode));
        let bars: Vec<String> = cells.collect();
        columns.insert(3, column("", bars, false, BAR));
    }
    let mut text = lines(&columns, curve.len(), terminal);
    text.push('\n');
    text.push_str(&choices(selection, loss, format, terminal));
    terminal.shown(text)
}

/// The variables that leave next; of many, how many more there are.
fn leaving(selection: &Selection, leaving: &[usize]) -> String {
    let name = |&variable: &usize| {
        shortened(&escape_controls(&selection.variables[variable]), WIDEST_NAME)
    };
    match leaving {
        [] => String::new(),
        [one] => name(one),
        [first, others @ ..] => format!("{} and {} more", name(first), others.len()),
    }
}

/// What the table shows, in sentences.
fn choices(selection: &Selection, loss: &str, format: NumberFormat, terminal: Terminal) -> String {
    let (best, enough) = (selection.best_size, selection.one_standard_error_size);
    let mut text = String::new();
    let mut push = |indent: usize, sentence: &str| {
        for line in wrap(sentence, terminal.text_width() - indent) {
            text.push_str(&format!("{}{line}\n", " ".repeat(indent)));
        }
    };
    let error_at = |size| {
        selection.at(size).map_or(String::new(), |point| {
            format!("{} ±{}", format.text(point.error), format.text(point.standard_error))
        })
    };
    push(
        0,
        &format!(
            "best: the smallest error, {}, with {}:",
            error_at(best),
            counted(best, "variable")
        ),
    );
    push(2, &kept(selection, best));
    if enough == best {
        push(0, "enough: no fewer variables are within one standard error of that");
    } else {
        let error = error_at(enough);
        push(
            0,
            &format!(
                "enough: {} are within one standard error of that, {error}:",
                counted(enough, "variable")
            ),
        );
        push(2, &kept(selection, enough));
    }
    push(
        0,
        &format!(
            "In brackets: the share of folds that kept a variable at that size. {}",
            "Variables are those of an elimination on all rows."
        ),
    );
    let over = if selection.is_error_over_repeats { "repetitions" } else { "folds" };
    push(0, &format!("error: {loss} of held-out rows; ±: its standard error over {over}"));
    text
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
