//! The result on the terminal: a ranking, and a table for each further thing that was requested.

use wald::words::counted;
use wald_population::{LocalImportances, Relevance, Term};
use wald_table::escape_controls;

use crate::population::document::category_text;
use crate::population::{Found, amount, unit};
use crate::terminal::{Terminal, hanging};
use crate::text::{Bars, Column, FAINT, NumberFormat, Table, shortened};

const WIDEST_NAME: usize = 32;

/// More points are counted only.
const MOST_POINTS: usize = 40;

/// The whole text.
pub(crate) fn table(found: &Found<'_>, terminal: Terminal) -> String {
    let terminal = Terminal { width: Some(terminal.space()), ..terminal };
    let mut text = ranking(found, terminal);
    if let Some(n_degrees) = found.by_degree.first().map(Vec::len).filter(|n| *n > 1) {
        let title = "By degree: information that a variable adds to that of so many others";
        let value = |degree: usize, variable: usize| found.by_degree[variable][degree];
        let headers = (0..n_degrees).map(|degree| degree.to_string()).collect::<Vec<_>>();
        text.push_str(&numbered(title, found, &headers, &value, terminal));
    }
    if let Some(by_mtry) = &found.by_mtry {
        let title = "By K: importances by trees that take the best of K variables at every node";
        let value = |index: usize, variable: usize| by_mtry[index][variable];
        let headers = (1..=by_mtry.len()).map(|mtry| format!("K = {mtry}")).collect::<Vec<_>>();
        text.push_str(&numbered(title, found, &headers, &value, terminal));
    }
    if let Some(of_variables) = &found.terms {
        text.push_str(&terms(found, of_variables, terminal));
    }
    if let Some(local) = &found.local {
        text.push_str(&points(found, local, terminal));
    }
    text.push('\n');
    for entry in legend(found) {
        text.push_str(&hanging(&entry, terminal.text_width() - 2));
    }
    terminal.shown(text)
}

fn names(found: &Found<'_>, order: impl IntoIterator<Item = usize>) -> Column {
    let names = found.population.variables();
    Column::names(order.into_iter().map(|variable| &names[variable]), WIDEST_NAME)
}

fn ranking(found: &Found<'_>, terminal: Terminal) -> String {
    let order = found.ranking();
    let format = NumberFormat::of(found.values.iter().copied());
    let total = found.population.total();
    let share = |&variable: &usize| {
        if total > 0.0 { found.values[variable] / total } else { 0.0 }
    };
    let importance = |&variable: &usize| {
        let error = found.samples.as_ref().map(|samples| samples.errors[variable]);
        format.estimate(Some(found.values[variable]), error)
    };
    let relevance = |&variable: &usize| match found.relevance[variable] {
        Some(relevance @ (Relevance::Weak | Relevance::Strong)) if !found.is_marginal[variable] => {
            format!("{}, not alone", relevance.id())
        }
        relevance => relevance.map_or("–", Relevance::id).to_owned(),
    };
    let places = (1..=order.len()).map(|place| place.to_string());
    let percents = order.iter().map(|variable| format!("{:.1} %", 100.0 * share(variable)));
    let mut table = Table::new(
        terminal,
        [
            Column::right("", places).styled(FAINT),
            names(found, order.iter().copied()),
            Column::right("importance", order.iter().map(importance)),
            Column::right("share", percents),
        ],
    );
    table.add_bars(Bars::scaled(order.iter().map(share).collect()));
    table.add([Column::left("relevance", order.iter().map(relevance))]);
    table.text()
}

/// A table with a column per number, as far as there is room; reports what is left out.
fn numbered(
    title: &str,
    found: &Found<'_>,
    headers: &[String],
    value: &dyn Fn(usize, usize) -> f64,
    terminal: Terminal,
) -> String {
    let order = found.ranking();
    let all = (0..headers.len())
        .flat_map(|column| order.iter().map(move |&variable| value(column, variable)));
    let format = NumberFormat::of(all);
    let columns = headers.iter().enumerate().map(|(column, header)| {
        Column::right(header, order.iter().map(|&variable| format.text(value(column, variable))))
    });
    let mut table = Table::new(terminal, [names(found, order.iter().copied())]);
    let left_out = table.add_while_room(columns);
    titled(title, table) + &more("columns", left_out)
}

fn titled(title: &str, table: Table) -> String {
    format!("\n{title}\n{}", table.text())
}

/// A line about what is not shown.
fn more(what: &str, n: usize) -> String {
    if n == 0 { String::new() } else { format!("… more {what}: {n}, see --format csv or json\n") }
}

fn terms(found: &Found<'_>, terms: &[Vec<Term>], terminal: Terminal) -> String {
    let name = |variable: usize| {
        shortened(&escape_controls(&found.population.variables()[variable]), WIDEST_NAME)
    };
    let of_variable = |variable: usize| terms[variable].iter().map(move |term| (variable, term));
    let rows: Vec<(usize, &Term)> = found.ranking().into_iter().flat_map(of_variable).collect();
    let numbers = |header: &str, of: fn(&Term) -> f64| {
        let numbers = rows.iter().map(|(_, term)| of(term));
        let format = NumberFormat::of(numbers.clone());
        Column::right(header, numbers.map(|number| format.text(number)))
    };
    let known = rows.iter().map(|(_, term)| {
        let known: Vec<String> = term.known.iter().map(name).collect();
        if known.is_empty() { "–".to_owned() } else { known.join(", ") }
    });
    let columns = [
        names(found, rows.iter().map(|(variable, _)| *variable)),
        numbers("adds", |term| term.contribution),
        numbers("information", |term| term.information),
        Column::left("where these are known", known),
    ];
    titled("Largest terms", Table::new(terminal, columns))
}

fn points(found: &Found<'_>, local: &LocalImportances, terminal: Terminal) -> String {
    let population = found.population;
    let n_points = local.values.len();
    let n_shown = n_points.min(MOST_POINTS);
    let format = NumberFormat::of(local.values.iter().flatten().copied());
    let probabilities = population.probabilities();
    let of_probabilities = NumberFormat::of(probabilities.iter().copied());
    let cells = probabilities[..n_shown].iter().map(|share| of_probabilities.text(*share));
    let mut table = Table::new(terminal, [Column::right("probability", cells)]);
    let left_out = table.add_while_room(found.ranking().into_iter().map(|variable| {
        let cells = (0..n_shown).map(|point| {
            let category = escape_controls(&category_text(found, point, variable));
            let is_relevant = !local.is_irrelevant[point][variable];
            let value = is_relevant.then_some(local.values[point][variable]);
            let value = format.estimate(value, None);
            format!("{} {value}", shortened(&category, WIDEST_NAME / 2))
        });
        let name = shortened(&escape_controls(&population.variables()[variable]), WIDEST_NAME);
        Column::right(&name, cells)
    }));
    let title =
        "At every point: the value of each variable and its importance there (–: irrelevant)";
    titled(title, table) + &more("variables", left_out) + &more("points", n_points - n_shown)
}

/// What the numbers mean.
fn legend(found: &Found<'_>) -> Vec<String> {
    let population = found.population;
    let trees = match (found.trees.mtry, found.trees.subspace, found.trees.depth) {
        (1, Some(size), _) => {
            format!("totally randomized trees on {} drawn for each", counted(size, "variable"))
        }
        (1, None, Some(depth)) => {
            format!("totally randomized trees of {}", counted(depth, "level"))
        }
        (1, None, None) => "totally randomized trees".to_owned(),
        (mtry, _, depth) => {
            let of = depth.map(|depth| format!(" of {}", counted(depth, "level")));
            let of = of.unwrap_or_default();
            let best = counted(mtry, "variable");
            format!("trees{of} that take the best of {best} at every node")
        }
    };
    let how = if found.samples.is_some() { "estimated" } else { "exact" };
    let impurity = population.impurity();
    let mut entries = vec![
        format!(
            "importance: of infinitely many {trees}, on infinitely many rows; {how}, {} (Louppe et \
             al. 2013)",
            unit(population)
        ),
        format!(
            "share: of the information of all variables about the target, {} of {}",
            amount(population.total(), impurity),
            amount(population.root_impurity(), impurity)
        ),
        "relevance: strong (informative given all others), weak (informative given only some of \
         the others), irrelevant; not alone: uninformative if no other variable is known"
            .to_owned(),
    ];
    if let Some(samples) = &found.samples {
        entries.push(format!(
            "±: standard error over {} samples; relevance –: no sample shows any, which does not \
             prove that there is none",
            samples.n
        ));
    }
    entries
}
