//! What matters, as text: the sentences, and a table where groups of variables are.

use anstyle::Style;
use wald_report::{Answer, AnswerEntry};
use wald_table::escape_controls;

use crate::markup::Markup;
use crate::terminal::{Terminal, hanging, wrap};
use crate::text::table::{BARS, FAINT, Table};
use wald::digits::Digits;

/// Variables and groups in the table; the ranking has all.
const MOST_ENTRIES: usize = 12;

/// Members of a group in the table.
const MOST_MEMBERS: usize = 8;

/// The answer, ending with an empty line.
pub(crate) fn answer_text(answer: &Answer, terminal: Terminal) -> String {
    let mut text = answer_sentences(answer, terminal);
    text.push('\n');
    if answer.entries.iter().any(|entry| !entry.members.is_empty()) {
        text.push_str(&table(answer, terminal));
        text.push('\n');
    }
    let text = terminal.shown(text);
    if terminal.markup == Markup::Plain { text } else { text + "\n" }
}

/// The answer in words.
pub(crate) fn answer_sentences(answer: &Answer, terminal: Terminal) -> String {
    let bold = terminal.bold();
    let mut text = String::new();
    for (place, sentence) in answer.sentences.iter().enumerate() {
        let sentence = terminal.decimal_mark.text(&escape_controls(sentence)).into_owned();
        if terminal.markup != Markup::Plain {
            text.push_str(&hanging(&sentence, terminal));
            continue;
        }
        let style = if place == 0 { bold } else { Style::new() };
        let lines = wrap(&sentence, terminal.text_width());
        text.push_str(&format!("{style}{}{style:#}\n", lines.join("\n")));
    }
    text
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
    let share = |(_, entry): &(String, Option<&AnswerEntry>)| entry.and_then(|one| one.share);
    let format = Digits::of(rows.iter().filter_map(share));
    let number = |share: Option<f64>| share.map_or("-".to_owned(), |share| format.text(share));
    let interval = |entry: &AnswerEntry| Some(format.range(entry.low?, entry.high?));
    let widest = (terminal.space() / 2).clamp(24, 48);
    Table::new(terminal, &rows)
        .named("variable or group", widest, |(name, _)| name.clone())
        .right("share", |(_, entry)| entry.map_or_else(String::new, |one| number(one.share)))
        .right("95 % interval", |(_, entry)| entry.and_then(interval).unwrap_or_default())
        .styled(FAINT)
        .bars(BARS, None, |row| share(row).unwrap_or(0.0))
        .text()
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
            masked_share: None,
            too_large_by: None,
            standard_error: Some(0.01),
            low: Some(share - 0.02),
            high: Some(share + 0.02),
            finding: Adds::Something,
            first_order: None,
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
            let terminal = Terminal { width: Some(width), ..Terminal::unbounded(Markup::Plain) };
            let text = answer_text(&answer, terminal);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            let place = |what: &str| text.find(what).expect("is there");
            assert!(text.starts_with("First.") && place("Second.") < place("a, b "));
            assert!(place("a, b ") < place("  a alone") && place("  a alone") < place("\nc "));
            assert!(!text.contains('\u{1b}'), "{text}");
        }
    }
}
