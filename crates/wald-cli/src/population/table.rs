//! The result on the terminal: a ranking, and a table for each further thing that was requested.

use wald::words::counted;
use wald_population::{LocalImportances, Relevance, Term};
use wald_table::escape_controls;

use crate::markup::Markup;
use crate::population::{Answer, amount, unit};
use crate::terminal::{self, Terminal};
use crate::text::{BARS, Table, shortened};
use wald::digits::Digits;

const WIDEST_NAME: usize = 32;

/// More points are counted only.
const MOST_POINTS: usize = 40;

/// The whole text.
pub(crate) fn table(answer: &Answer<'_>, terminal: Terminal) -> String {
    let is_bounded = terminal.markup == Markup::Plain;
    let terminal = Terminal { width: is_bounded.then(|| terminal.space()), ..terminal };
    let mut text = ranking(answer, terminal);
    if let Some(n_degrees) = answer.found.by_degree.first().map(Vec::len).filter(|n| *n > 1) {
        let title = "By degree: information that a variable adds to that of so many others";
        let value = |degree: usize, variable: usize| answer.found.by_degree[variable][degree];
        let headers = (0..n_degrees).map(|degree| degree.to_string()).collect::<Vec<_>>();
        text.push_str(&numbered(title, answer, &headers, &value, terminal));
    }
    if let Some(by_mtry) = &answer.found.by_mtry {
        let title =
            "By mtry: importances by trees that take the best of mtry variables at every node";
        let value = |index: usize, variable: usize| by_mtry[index][variable];
        let headers = (1..=by_mtry.len()).map(|mtry| format!("mtry = {mtry}")).collect::<Vec<_>>();
        text.push_str(&numbered(title, answer, &headers, &value, terminal));
    }
    if let Some(of_variables) = &answer.found.terms {
        text.push_str(&terms(answer, of_variables, terminal));
    }
    if let Some(local) = &answer.found.local {
        text.push_str(&points(answer, local, terminal));
    }
    terminal.shown(text + &terminal::legend(&legend(answer), terminal))
}

fn ranking(answer: &Answer<'_>, terminal: Terminal) -> String {
    let order = answer.found.ranking();
    let format = Digits::of(answer.found.values.iter().copied());
    let total = answer.population.total();
    let share = |&variable: &usize| {
        if total > 0.0 { answer.found.values[variable] / total } else { 0.0 }
    };
    let importance = |&variable: &usize| {
        let error = answer.found.errors.as_ref().map(|errors| errors.values[variable]);
        format.estimate(Some(answer.found.values[variable]), error)
    };
    let relevance = |&variable: &usize| match answer.found.relevance[variable] {
        Some(relevance @ (Relevance::Weak | Relevance::Strong))
            if !answer.found.is_marginally_relevant[variable] =>
        {
            format!("{}, not alone", relevance.id())
        }
        relevance => relevance.map_or("–", Relevance::id).to_owned(),
    };
    let largest = order.first().map_or(0.0, share);
    Table::new(terminal, &order)
        .places()
        .names(WIDEST_NAME, |&variable| &answer.population.variables()[variable])
        .right("importance", importance)
        .right("share", |variable| format!("{:.1} %", 100.0 * share(variable)))
        .bars(BARS, Some(largest), share)
        .left("relevance", relevance)
        .text()
}

/// A table with a column per number, as far as there is room; reports what is left out.
fn numbered(
    title: &str,
    answer: &Answer<'_>,
    headers: &[String],
    value: &dyn Fn(usize, usize) -> f64,
    terminal: Terminal,
) -> String {
    let order = answer.found.ranking();
    let all = (0..headers.len())
        .flat_map(|column| order.iter().map(move |&variable| value(column, variable)));
    let format = Digits::of(all);
    let names = answer.population.variables();
    let table = Table::new(terminal, &order).names(WIDEST_NAME, |&index| &names[index]);
    let cell = |place: usize, &variable: &usize| format.text(value(place, variable));
    titled(title, terminal) + &table.numbers(headers.iter().cloned(), cell).text()
}

/// What stands above a further table.
fn titled(title: &str, terminal: Terminal) -> String {
    format!("\n{}", terminal::hanging(title, terminal))
}

fn terms(answer: &Answer<'_>, terms: &[Vec<Term>], terminal: Terminal) -> String {
    let names = answer.population.variables();
    let of_variable = |variable: usize| terms[variable].iter().map(move |term| (variable, term));
    let rows: Vec<(usize, &Term)> =
        answer.found.ranking().into_iter().flat_map(of_variable).collect();
    let adds = Digits::of(rows.iter().map(|(_, term)| term.contribution));
    let information = Digits::of(rows.iter().map(|(_, term)| term.information));
    let table = Table::new(terminal, &rows)
        .names(WIDEST_NAME, |(variable, _)| &names[*variable])
        .right("adds", |(_, term)| adds.text(term.contribution))
        .right("information", |(_, term)| information.text(term.information))
        .named("where these are known", usize::MAX, |(_, term)| {
            let known: Vec<&str> =
                term.known.iter().map(|variable| names[variable].as_str()).collect();
            if known.is_empty() { "–".to_owned() } else { known.join(", ") }
        });
    titled("Largest terms", terminal) + &table.text()
}

fn points(answer: &Answer<'_>, local: &LocalImportances, terminal: Terminal) -> String {
    let population = answer.population;
    let n_points = local.values.len();
    let n_shown = n_points.min(MOST_POINTS);
    let format = Digits::of(local.values.iter().flatten().copied());
    let probabilities = population.probabilities();
    let of_probabilities = Digits::of(probabilities.iter().copied());
    let points: Vec<usize> = (0..n_shown).collect();
    let table = Table::new(terminal, &points)
        .right("probability", |&point| of_probabilities.text(probabilities[point]))
        .key();
    let (names, order) = (population.variables(), answer.found.ranking());
    let headers =
        order.iter().map(|&variable| shortened(&escape_controls(&names[variable]), WIDEST_NAME));
    let table = table.numbers(headers, |place, &point| {
        let variable = order[place];
        let category = escape_controls(&population.categories(point, variable).to_string());
        let is_relevant = !local.is_irrelevant[point][variable];
        let value = format.estimate(is_relevant.then_some(local.values[point][variable]), None);
        format!("{} {value}", shortened(&category, WIDEST_NAME / 2))
    });
    let title =
        "At every point: the value of each variable and its importance there (–: irrelevant)";
    let n_more = n_points - n_shown;
    let text = format!("… more points: {n_more}, see --format csv or json");
    let more = if n_more == 0 { String::new() } else { terminal::hanging(&text, terminal) };
    titled(title, terminal) + &table.text() + &more
}

/// What the numbers mean.
fn legend(answer: &Answer<'_>) -> Vec<String> {
    let population = answer.population;
    let trees = match (answer.mtry(), answer.request.subspace, answer.request.depth) {
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
    let how = if answer.request.samples.is_some() { "estimated" } else { "exact" };
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
    if let Some(samples) = answer.request.samples {
        entries.push(format!(
            "±: standard error over {samples} samples; relevance –: no sample shows any, which does \
             not prove that there is none"
        ));
    }
    entries
}
