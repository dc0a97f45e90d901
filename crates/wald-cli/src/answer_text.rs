//! What matters, as text: the sentences, and a table where groups of variables are.

use anstyle::Style;
use wald_report::{Answer, AnswerEntry};
use wald_table::escape_controls;

use crate::ranking::{
    BAR, FAINT, GAP, NumberFormat, UNBOUNDED, bar, column, lines, shortened, width_of,
};
use crate::terminal::{Terminal, wrap};

/// Variables and groups in the table; the ranking has all.
const MOST_ENTRIES: usize = 12;

/// Members of a group in the table.
const MOST_MEMBERS: usize = 8;

const WIDEST_BAR: usize = 30;
const NARROWEST_BAR: usize = 8;

/// The answer, ending with an empty line.
pub(crate) fn answer_text(answer: &Answer, terminal: Terminal) -> String {
    let bold = terminal.bold();
    let mut text = String::new();
    for (place, sentence) in answer.sentences.iter().enumerate() {
        let style = if place == 0 { bold } else { Style::new() };
        let lines = wrap(&escape_controls(sentence), terminal.text_width());
        text.push_str(&format!("{style}{}{style:#}\n", lines.join("\n")));
    }
    text.push('\n');
    if answer.entries.iter().any(|entry| !entry.members.is_empty()) {
        text.push_str(&table(answer, terminal));
        text.push('\n');
    }
    if terminal.unicode { text } else { text.replace('…', "...").replace('–', "-") }
}

fn table(answer: &Answer, terminal: Terminal) -> String {
    let mut rows: Vec<(String, Option<&AnswerEntry>)> = Vec::new();
    for entry in answer.entries.iter().take(MOST_ENTRIES) {
        rows.push((escape_controls(&entry.name), Some(entry)));
        for member in entry.members.iter().take(MOST_MEMBERS) {
            rows.push((format!("  {} alone", escape_controls(&member.name)), Some(member)));
        }
        let more = entry.members.len().saturating_sub(MOST_MEMBERS);
        if more > 0 {
            rows.push((format!("  and {more} more"), None));
        }
    }
    let more = answer.entries.len().saturating_sub(MOST_ENTRIES);
    if more > 0 {
        rows.push((format!("and {more} more below"), None));
    }
    let space = terminal.width.unwrap_or(UNBOUNDED);
    let shares: Vec<f64> =
        rows.iter().filter_map(|(_, entry)| entry.and_then(|entry| entry.share)).collect();
    let format = NumberFormat::of(&shares);
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format.text(value));
    let names = rows.iter().map(|(name, _)| shortened(name, (space / 2).clamp(24, 48)));
    let values = rows.iter().map(|(_, entry)| entry.map_or(String::new(), |one| number(one.share)));
    let intervals = rows.iter().map(|(_, entry)| match entry.map(|one| (one.low, one.high)) {
        Some((Some(low), Some(high))) => format!("{} to {}", format.text(low), format.text(high)),
        _ => String::new(),
    });
    let mut columns = vec![
        column("variable or group", names.collect(), false, Style::new()),
        column("share", values.collect(), true, Style::new()),
        column("95 % interval", intervals.collect(), true, FAINT),
    ];
    let room = space.saturating_sub(width_of(&columns) + GAP).min(WIDEST_BAR);
    let largest = shares.iter().copied().fold(0.0, f64::max);
    if room >= NARROWEST_BAR && largest > 0.0 {
        let bars = rows.iter().map(|(_, entry)| {
            let share = entry.and_then(|entry| entry.share).unwrap_or(0.0).max(0.0);
            bar(share / largest, room, terminal.unicode)
        });
        columns.push(column("", bars.collect(), false, BAR));
    }
    lines(&columns, rows.len(), terminal)
}

#[cfg(test)]
mod tests {
    use wald_report::Adds;

    use super::*;

    #[test]
    fn members_stand_below_their_group() {
        let entry = |name: &str, share: f64| AnswerEntry {
            name: name.to_owned(),
            members: Vec::new(),
            share: Some(share),
            standard_error: Some(0.01),
            low: Some(share - 0.02),
            high: Some(share + 0.02),
            finding: Adds::Something,
        };
        let group = AnswerEntry {
            members: vec![entry("a", 0.01), entry("b\u{1b}", 0.0)],
            ..entry("a, b", 0.5)
        };
        let answer = Answer {
            sentences: vec!["First. ".repeat(20), "Second.".to_owned()],
            measure: "sobol_mda".to_owned(),
            unit: String::new(),
            sample: None,
            interval: None,
            entries: vec![group, entry("c", 0.25)],
        };
        for width in [80, 120] {
            let terminal = Terminal { width: Some(width), unicode: true, colour: false };
            let text = answer_text(&answer, terminal);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            let place = |what: &str| text.find(what).expect("is there");
            assert!(text.starts_with("First.") && place("Second.") < place("a, b "));
            assert!(place("a, b ") < place("  a alone") && place("  a alone") < place("\nc "));
            assert!(!text.contains('\u{1b}'), "{text}");
        }
    }
}
