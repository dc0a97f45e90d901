//! How sure importances are, as an aligned table.

use anstyle::Style;
use wald::inference::{Adjustment, Test, Uncertainty, UncertaintyConfig};
use wald_table::escape_controls;

use crate::ranking::{NumberFormat, column, lines, shortened};
use crate::terminal::{Terminal, hanging};

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
    let values: Vec<f64> = importance.values.iter().flatten().copied().collect();
    let format = NumberFormat::of(&values);
    let undefined = if terminal.unicode { "–" } else { "-" };
    let cells = |of: &dyn Fn(usize) -> Option<String>| -> Vec<String> {
        order.iter().map(|&index| of(index).unwrap_or_else(|| undefined.to_owned())).collect()
    };
    let number = |of: &[Option<f64>]| cells(&|index| of[index].map(|value| format.text(value)));
    let percent = format!("{} %", 100.0 * intervals.confidence);
    let name = |index: usize| Some(shortened(&escape_controls(&names[index]), WIDEST_NAME));
    let nothing = vec![None; names.len()];
    let monte_carlo = importance.standard_errors.as_ref().unwrap_or(&nothing);
    let interval = cells(&|index| {
        intervals.each[index]
            .map(|found| format!("{} to {}", format.text(found.low), format.text(found.high)))
    });
    let mut columns = vec![
        column("variable", cells(&name), false, Style::new()),
        column(importance.id, number(&importance.values), true, Style::new()),
        column("±\ntrees", number(monte_carlo), true, Style::new()),
        column("±\nrows", number(&found.sampled.standard_errors), true, Style::new()),
        column(&format!("{percent}\ninterval"), interval, true, Style::new()),
    ];
    if let Some(ranks) = &intervals.ranks {
        let rank = cells(&|index| {
            let found = ranks[index]?;
            let is_one = found.low == found.high;
            Some(if is_one {
                found.low.to_string()
            } else {
                format!("{} to {}", found.low, found.high)
            })
        });
        columns.push(column("rank", rank, true, Style::new()));
    }
    if let (Some(tested), Some(adjusted)) = (&found.tested, &found.adjusted) {
        let p_value = |of: &[Option<f64>]| cells(&|index| of[index].map(|p| format!("{p:.4}")));
        columns.push(column("p", p_value(&tested.p_values), true, Style::new()));
        if asked.adjustment != Adjustment::None {
            columns.push(column("p\nadjusted", p_value(adjusted), true, Style::new()));
        }
    }
    let mut text = lines(&columns, order.len(), terminal);
    text.push('\n');
    for entry in legend(found, asked, names) {
        text.push_str(&hanging(&entry, terminal.text_width().saturating_sub(2)));
    }
    terminal.shown(text)
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
