//! How sure importances are, as a table.

use wald::inference::{Adjustment, Test, Uncertainty, UncertaintyConfig};
use wald_table::escape_controls;

use crate::terminal::{Terminal, hanging};
use crate::text::numbers::NumberFormat;
use crate::text::table::{Column, Table};

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
    let format = NumberFormat::of(importance.values.iter().flatten().copied());
    let column = |header: &str, of: &dyn Fn(usize) -> Option<String>| {
        let cell = |&index: &usize| of(index).unwrap_or_else(|| "–".to_owned());
        Column::right(header, order.iter().map(cell))
    };
    let numbers = |header: &str, of: &dyn Fn(usize) -> Option<f64>| {
        column(header, &|index| of(index).map(|value| format.text(value)))
    };
    let p_values = |header: &str, of: &[Option<f64>]| {
        column(header, &|index| of[index].map(|p| format!("{p:.4}")))
    };
    let mut table = Table::new(
        terminal,
        [
            Column::names(order.iter().map(|&index| &names[index]), WIDEST_NAME),
            numbers(importance.id, &|index| importance.values[index]),
            numbers("±\ntrees", &|index| importance.standard_errors.as_ref()?[index]),
            numbers("±\nrows", &|index| found.sampled.standard_errors[index]),
            column(&format!("{} %\ninterval", 100.0 * intervals.confidence), &|index| {
                intervals.each[index].map(|found| format.range(found.low, found.high))
            }),
        ],
    );
    table.add(intervals.ranks.as_ref().map(|ranks| {
        column("rank", &|index| {
            let rank = ranks[index]?;
            let others = (rank.low != rank.high).then(|| format!(" to {}", rank.high));
            Some(format!("{}{}", rank.low, others.unwrap_or_default()))
        })
    }));
    if let (Some(tested), Some(adjusted)) = (&found.tested, &found.adjusted) {
        table.add([p_values("p", &tested.p_values)]);
        let is_adjusted = asked.adjustment != Adjustment::None;
        table.add(is_adjusted.then(|| p_values("p\nadjusted", adjusted)));
    }
    let legend = legend(found, asked, names).into_iter();
    let legend = legend.map(|entry| hanging(&entry, terminal.text_width() - 2));
    terminal.shown(table.text() + "\n" + &legend.collect::<String>())
}

/// What the columns mean, and what more trees would do.
fn legend(found: &Uncertainty, asked: &UncertaintyConfig, names: &[String]) -> Vec<String> {
    let (importance, sampled) = (&found.importance, &found.sampled);
    let mut entries = vec![
        format!("{}: {}", importance.id, importance.unit),
        format!(
            "± trees: standard error of the finite number of trees; ± rows: that of the rows in \
             the table, by {}",
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
            match asked.adjustment {
                Adjustment::None => "",
                Adjustment::Holm => "; adjusted by Holm",
                Adjustment::BenjaminiHochberg => "; adjusted by Benjamini & Hochberg",
            }
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
