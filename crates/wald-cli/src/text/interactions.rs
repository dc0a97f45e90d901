//! Sets of variables that stand together on paths, as a table.

use unicode_width::UnicodeWidthStr;
use wald::interactions::{Interaction, Interactions};

use crate::markup::Markup;
use crate::terminal::{self, Terminal};
use crate::text::table::Table;

/// Sets that a table has.
const MOST_SHOWN: usize = 20;

const WIDEST_NAME: usize = 60;

/// The columns of numbers, with the blanks before them.
const NUMBERS: usize = 52;

/// A line of the table: a set with its numbers, or a further variable of the set above.
struct Line<'a> {
    name: String,
    set: Option<&'a Interaction>,
}

/// The sets, sorted by prevalence minus that of other leaves. Where a set and its
/// numbers have no room side by side, each of its variables has a line.
pub(crate) fn interactions_table(found: &Interactions, terminal: Terminal) -> String {
    let shown = &found.sets[..found.sets.len().min(MOST_SHOWN)];
    let wide = |set: &Interaction| set.text().width() + set.class.width() + NUMBERS;
    let widest = shown.iter().map(wide).max().unwrap_or(0);
    let is_plain = terminal.markup == Markup::Plain;
    let is_narrow = is_plain && terminal.width.is_some_and(|space| widest > space);
    let lines: Vec<Line<'_>> = if is_narrow {
        shown.iter().flat_map(line_per_variable).collect()
    } else {
        shown.iter().map(|set| Line { name: set.text(), set: Some(set) }).collect()
    };
    let number = |share: fn(&Interaction) -> Option<f64>| {
        move |line: &Line<'_>| line.set.map_or_else(String::new, |set| shown_share(share(set)))
    };
    let mut table = Table::new(terminal, &lines)
        .named("interaction", WIDEST_NAME, |line| line.name.clone())
        .left("class", |line| line.set.map_or_else(String::new, |set| set.class.clone()))
        .key()
        .right("prevalence", number(|set| Some(set.prevalence)))
        .right("others", number(|set| set.prevalence_elsewhere))
        .right("precision", number(|set| set.precision))
        .right("without", number(|set| set.precision_without));
    if found.config.resamples > 0 {
        table = table.right("stability", number(|set| set.stability));
    }
    let legend = terminal::legend(&legend(found, shown.len()), terminal);
    terminal.shown(table.text() + &legend)
}

fn line_per_variable(set: &Interaction) -> impl Iterator<Item = Line<'_>> {
    set.variables.iter().enumerate().map(move |(at, variable)| match at {
        0 => Line { name: variable.to_string(), set: Some(set) },
        _ => Line { name: format!("& {variable}"), set: None },
    })
}

fn shown_share(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{share:.2}"))
}

/// What the columns mean.
fn legend(found: &Interactions, n_shown: usize) -> Vec<String> {
    let config = &found.config;
    let rows = if found.is_out_of_bag { "out-of-bag rows" } else { "rows" };
    let class = match found.cut {
        Some(_) => "class: the side of the cut on which the means of the leaves are",
        None => "class: the one that the leaves predict",
    };
    let mut lines = vec![
        "x+: above the threshold of the first split on x; x-: not above it".to_owned(),
        class.to_owned(),
        "prevalence: of the rows in leaves of the class, the share in leaves whose path contains the \
         set; others: the same of the other leaves"
            .to_owned(),
        format!(
            "precision: of the {rows} in leaves whose path contains the set, the share of the class; \
             without: the same of the other leaves"
        ),
    ];
    if config.resamples > 0 {
        lines.push(format!(
            "stability: the share of {} bootstrap samples in which the set is found, too",
            config.resamples
        ));
    }
    lines.push(match found.sets.len() {
        0 => "no set of variables is found: try a smaller --depth or --min-prevalence, or more \
              trees (--intersection-trees)"
            .to_owned(),
        n if n > n_shown => format!(
            "the {n_shown} of {n} sets whose prevalence exceeds that of other leaves most; --format \
             csv has all"
        ),
        _ => "sorted by prevalence minus that of other leaves".to_owned(),
    });
    lines
}
