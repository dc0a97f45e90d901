//! The result on the terminal: a ranking, and a table for each further thing that was requested.

use anstyle::Style;
use wald::words::counted;

use crate::population::document::category_text;
use crate::population::{Found, Samples, amount, unit};
use crate::ranking::{
    BAR, Column, FAINT, GAP, NumberFormat, UNBOUNDED, bar, column, lines, shortened, width_of,
};
use crate::terminal::{Terminal, hanging};

const WIDEST_BAR: usize = 30;
const NARROWEST_BAR: usize = 8;
const WIDEST_NAME: usize = 32;

/// More points are counted only.
const MOST_POINTS: usize = 40;

/// The whole text.
pub(crate) fn table(found: &Found<'_>, terminal: Terminal) -> String {
    let mut text = ranking(found, terminal);
    if found.by_degree.first().is_some_and(|degrees| degrees.len() > 1) {
        text.push_str(&by_degree(found, terminal));
    }
    if let Some(by_mtry) = &found.by_mtry {
        text.push_str(&against_mtry(found, by_mtry, terminal));
    }
    if found.terms.is_some() {
        text.push_str(&terms(found, terminal));
    }
    if found.local.is_some() {
        text.push_str(&points(found, terminal));
    }
    text.push('\n');
    for entry in legend(found) {
        text.push_str(&hanging(&entry, terminal.text_width() - 2));
    }
    if terminal.unicode {
        text
    } else {
        text.replace('…', "...").replace('±', "+-").replace('–', "-")
    }
}

/// Cells for the variables in the order of the ranking.
fn cells(order: &[usize], text: impl Fn(usize) -> String) -> Vec<String> {
    order.iter().map(|&variable| text(variable)).collect()
}

fn names(found: &Found<'_>, order: &[usize]) -> Column {
    let names = found.population.variables();
    let name =
        |variable: usize| shortened(&wald_table::escape_controls(&names[variable]), WIDEST_NAME);
    column("variable", cells(order, name), false, Style::new())
}

fn ranking(found: &Found<'_>, terminal: Terminal) -> String {
    let order = found.ranking();
    let format = NumberFormat::of(&found.values);
    let total = found.population.total();
    let share = |variable: usize| {
        if total > 0.0 { found.values[variable] / total } else { 0.0 }
    };
    let importance = |variable: usize| {
        let mut cell = format.text(found.values[variable]);
        if let Some(Samples { errors, .. }) = &found.samples {
            cell.push_str(&format!(" ±{}", format.text(errors[variable])));
        }
        cell
    };
    let relevance = |variable: usize| {
        let word = found.relevance[variable].map_or("–", wald_population::Relevance::id);
        let alone = if found.is_marginal[variable] { "" } else { ", not alone" };
        let is_weak_or_strong = word == "weak" || word == "strong";
        format!("{word}{}", if is_weak_or_strong { alone } else { "" })
    };
    let places = (1..=order.len()).map(|place| place.to_string()).collect();
    let percent = |variable| format!("{:.1} %", 100.0 * share(variable));
    let mut columns = vec![
        column("", places, true, FAINT),
        names(found, &order),
        column("importance", cells(&order, importance), true, Style::new()),
        column("share", cells(&order, percent), true, Style::new()),
    ];
    let relevance = column("relevance", cells(&order, relevance), false, Style::new());
    let space = terminal.width.unwrap_or(UNBOUNDED);
    let used = width_of(&columns) + GAP + relevance.width();
    let room = space.saturating_sub(used + GAP).min(WIDEST_BAR);
    if room >= NARROWEST_BAR {
        let largest = order.first().map_or(0.0, |&first| share(first));
        let of = |variable: usize| {
            if largest > 0.0 { (share(variable) / largest).max(0.0) } else { 0.0 }
        };
        let bars = cells(&order, |variable| bar(of(variable), room, terminal.unicode));
        columns.push(column("", bars, false, BAR));
    }
    columns.push(relevance);
    lines(&columns, order.len(), terminal)
}

/// A table with a column per number, as far as there is room; reports what is left out.
fn numbered(
    title: &str,
    found: &Found<'_>,
    headed: &[(String, Vec<f64>)],
    terminal: Terminal,
) -> String {
    let order = found.ranking();
    let all: Vec<f64> = headed.iter().flat_map(|(_, values)| values.iter().copied()).collect();
    let format = NumberFormat::of(&all);
    let mut columns = vec![names(found, &order)];
    let space = terminal.width.unwrap_or(UNBOUNDED);
    let mut left_out = 0;
    for (header, values) in headed {
        let cells = cells(&order, |variable| format.text(values[variable]));
        let next = column(header, cells, true, Style::new());
        if width_of(&columns) + GAP + next.width() > space || left_out > 0 {
            left_out += 1;
        } else {
            columns.push(next);
        }
    }
    let mut text = format!("\n{title}\n{}", lines(&columns, order.len(), terminal));
    if left_out > 0 {
        text.push_str(&format!("… more columns: {left_out}, see --format csv or json\n"));
    }
    text
}

fn by_degree(found: &Found<'_>, terminal: Terminal) -> String {
    let n_degrees = found.by_degree.first().map_or(0, Vec::len);
    let of_degree = |degree: usize| {
        let values = found.by_degree.iter().map(|of_variable| of_variable[degree]);
        (degree.to_string(), values.collect())
    };
    let title = "By degree: information that a variable adds to that of so many others";
    let headed: Vec<(String, Vec<f64>)> = (0..n_degrees).map(of_degree).collect();
    numbered(title, found, &headed, terminal)
}

fn against_mtry(found: &Found<'_>, by_mtry: &[Vec<f64>], terminal: Terminal) -> String {
    let of_mtry = |(mtry, values): (u32, &Vec<f64>)| (format!("K = {mtry}"), values.clone());
    let headed: Vec<(String, Vec<f64>)> = (1..).zip(by_mtry).map(of_mtry).collect();
    let title = "By K: importances by trees that take the best of K variables at every node";
    numbered(title, found, &headed, terminal)
}

fn terms(found: &Found<'_>, terminal: Terminal) -> String {
    let names: Vec<String> = found
        .population
        .variables()
        .iter()
        .map(|name| shortened(&wald_table::escape_controls(name), WIDEST_NAME))
        .collect();
    let order = found.ranking();
    let mut rows = Vec::new();
    for &variable in &order {
        for term in found.terms.iter().flat_map(|terms| &terms[variable]) {
            let known: Vec<&str> = term.known.iter().map(|known| names[known].as_str()).collect();
            let known = if known.is_empty() { "–".to_owned() } else { known.join(", ") };
            rows.push((names[variable].clone(), known, term.information, term.contribution));
        }
    }
    let format = |number: fn(&(String, String, f64, f64)) -> f64| {
        let numbers: Vec<f64> = rows.iter().map(number).collect();
        let format = NumberFormat::of(&numbers);
        numbers.into_iter().map(|number| format.text(number)).collect()
    };
    let text =
        |text: fn(&(String, String, f64, f64)) -> &String| rows.iter().map(text).cloned().collect();
    let columns = [
        column("variable", text(|row| &row.0), false, Style::new()),
        column("adds", format(|row| row.3), true, Style::new()),
        column("information", format(|row| row.2), true, Style::new()),
        column("where these are known", text(|row| &row.1), false, Style::new()),
    ];
    format!("\nLargest terms\n{}", lines(&columns, rows.len(), terminal))
}

fn points(found: &Found<'_>, terminal: Terminal) -> String {
    let Some(local) = &found.local else { return String::new() };
    let population = found.population;
    let shown = local.values.len().min(MOST_POINTS);
    let format = NumberFormat::of(&local.values.concat());
    let probabilities = population.probabilities();
    let of_probabilities = NumberFormat::of(probabilities);
    let cells = probabilities[..shown].iter().map(|share| of_probabilities.text(*share));
    let mut columns = vec![column("probability", cells.collect(), true, Style::new())];
    let space = terminal.width.unwrap_or(UNBOUNDED);
    let mut left_out = 0;
    for &variable in &found.ranking() {
        let cell = |point: usize| {
            let category = wald_table::escape_controls(&category_text(found, point, variable));
            let value = if local.is_irrelevant[point][variable] {
                "–".to_owned()
            } else {
                format.text(local.values[point][variable])
            };
            format!("{} {value}", shortened(&category, WIDEST_NAME / 2))
        };
        let name = wald_table::escape_controls(&population.variables()[variable]);
        let name = shortened(&name, WIDEST_NAME);
        let next = column(&name, (0..shown).map(cell).collect(), true, Style::new());
        if width_of(&columns) + GAP + next.width() > space || left_out > 0 {
            left_out += 1;
        } else {
            columns.push(next);
        }
    }
    let title =
        "At every point: the value of each variable and its importance there (–: irrelevant)";
    let mut text = format!("\n{title}\n{}", lines(&columns, shown, terminal));
    if left_out > 0 {
        text.push_str(&format!("… more variables: {left_out}, see --format csv or json\n"));
    }
    if shown < local.values.len() {
        let more = local.values.len() - shown;
        text.push_str(&format!("… more points: {more}, see --format csv or json\n"));
    }
    text
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
            let levels =
                depth.map_or(String::new(), |depth| format!(" of {}", counted(depth, "level")));
            format!(
                "trees{levels} that take the best of {} at every node",
                counted(mtry, "variable")
            )
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
