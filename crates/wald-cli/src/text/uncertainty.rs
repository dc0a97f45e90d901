//! How sure importances are, as a table.

use wald::Importance;
use wald::digits::Digits;
use wald::inference::{Adjustment, Test, Uncertainty, UncertaintyConfig};
use wald_table::escape_controls;

use crate::terminal::{self, Terminal};
use crate::text::p_values::{corrected, p_value};
use crate::text::table::Table;

const WIDEST_NAME: usize = 32;

/// A line per variable, the most important one first.
pub(crate) fn uncertainty_table(
    found: &Uncertainty,
    asked: &UncertaintyConfig,
    names: &[String],
    terminal: Terminal,
) -> String {
    let (importance, intervals) = (&found.importance, &found.intervals);
    let order = importance.order();
    let format = Digits::of(importance.values.iter().flatten().copied());
    let cell = |cell: Option<String>| cell.unwrap_or_else(|| "–".to_owned());
    let number = |value| format.estimate(value, None);
    let mut table = Table::new(terminal, &order)
        .names(WIDEST_NAME, |&index| &names[index])
        .right(importance.id, |&index| number(importance.values[index]))
        .right(&format!("±\n{}", drawn(importance)), |&index| {
            number(importance.monte_carlo_errors().and_then(|errors| errors[index]))
        })
        .right("±\nrows", |&index| number(found.sampled.standard_errors[index]))
        .right(&format!("{} %\ninterval", 100.0 * intervals.confidence), |&index| {
            cell(intervals.each[index].map(|found| format.range(found.low, found.high)))
        });
    if let Some(ranks) = &intervals.ranks {
        table = table.right("rank", |&index| {
            cell(ranks[index].map(|rank| match (rank.low, rank.high) {
                (low, high) if low == high => low.to_string(),
                (low, high) => format!("{low} to {high}"),
            }))
        });
    }
    if let (Some(tested), Some(adjusted)) = (&found.tested, &found.adjusted) {
        table = table.right("p", |&index| p_value(tested.p_values[index]));
        if asked.adjustment != Adjustment::None {
            table = table.right("p\nadjusted", |&index| p_value(adjusted[index]));
        }
    }
    let legend = terminal::legend(&legend(found, asked, names), terminal);
    terminal.shown(table.text() + &legend)
}

/// What the Monte-Carlo error is of.
fn drawn(importance: &Importance) -> &'static str {
    let is_of_trees =
        importance.monte_carlo_errors().is_none() || importance.errors_of_trees().is_some();
    if is_of_trees { "trees" } else { "draws" }
}

/// What the columns mean, and what more trees would do.
fn legend(found: &Uncertainty, asked: &UncertaintyConfig, names: &[String]) -> Vec<String> {
    let (importance, sampled) = (&found.importance, &found.sampled);
    let (of_draws, of_rows) = match (drawn(importance), importance.monte_carlo_errors()) {
        ("draws", _) => {
            (format!("draws: standard error of {}", importance.errors_over), " and of the trees")
        }
        (_, None) => ("trees: not known".to_owned(), " and of the trees"),
        (_, Some(_)) => ("trees: standard error of the finite number of trees".to_owned(), ""),
    };
    let mut entries = vec![
        format!("{}: {}", importance.id, importance.unit),
        format!(
            "± {of_draws}; ± rows: {} of the rows in the table{of_rows}, by {}",
            if importance.monte_carlo_errors().is_some() { "that" } else { "standard error" },
            match (sampled.n_subsamples, asked.errors.subsampling()) {
                (Some(forests), Some(settings)) =>
                    format!("{forests} forests on {} % of them", 100.0 * settings.fraction),
                _ => "the infinitesimal jackknife".to_owned(),
            }
        ),
        "interval: covers the mean over forests on as many rows with the given probability, for \
         each variable alone"
            .to_owned(),
    ];
    if found.intervals.ranks.is_some() {
        entries
            .push("rank: all rank intervals cover simultaneously with this probability".to_owned());
        entries.extend(found.note_on_ranks());
    }
    if let Some(test) = asked.test.filter(|_| found.tested.is_some()) {
        entries.push(format!(
            "p: how often {}; small for variables associated with the response, alone or given \
             others{}",
            match test {
                Test::Permuted(_) => "permuted responses make the variable as important",
                Test::Shadow(_) =>
                    "shadows of variables of its type are as important as the variable",
                Test::Mirrored =>
                    "irrelevant variables of its type would be as far above their shadows, by \
                     those that are below",
            },
            corrected(asked.adjustment)
        ));
    }
    let hardest = found
        .separations
        .iter()
        .filter_map(|pair| Some((pair.n_trees?, pair)))
        .filter(|(n_trees, _)| *n_trees > importance.per_tree.len() as u64)
        .min_by_key(|(n_trees, _)| *n_trees);
    if let Some((n_trees, pair)) = hardest {
        entries.push(format!(
            "about {n_trees} trees would separate {} from {} as to the error over trees",
            escape_controls(&names[pair.first]),
            escape_controls(&names[pair.second])
        ));
    }
    entries
}
