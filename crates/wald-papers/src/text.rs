//! An exhibit as text: Markdown whose tables are also easy to read as they are.

use crate::exhibit::{Comparison, Comparisons, Exhibit, Verdict};

/// The whole exhibit.
pub(crate) fn render(exhibit: &Exhibit) -> String {
    let mut text = format!("{}\n{}\n", exhibit.title, exhibit.source);
    let settings: Vec<String> =
        exhibit.settings.iter().map(|(name, value)| format!("{name} {value}")).collect();
    if !settings.is_empty() {
        text.push_str(&format!("Settings: {}\n", settings.join("; ")));
    }
    for part in &exhibit.comparisons {
        text.push_str(&section(&part.title, &comparisons(part)));
    }
    for listing in &exhibit.listings {
        let mut rows = vec![listing.head.clone()];
        rows.extend(listing.rows.iter().cloned());
        text.push_str(&section(&listing.title, &rows));
    }
    if !exhibit.claims.is_empty() {
        let mut rows = vec![["claim", "found", "verdict"].map(str::to_owned).to_vec()];
        rows.extend(exhibit.claims.iter().map(|claim| {
            let verdict = if claim.holds { "holds" } else { "does not hold" };
            vec![claim.statement.clone(), claim.found.clone(), verdict.to_owned()]
        }));
        text.push_str(&section("", &rows));
    }
    if !exhibit.notes.is_empty() {
        text.push('\n');
    }
    for note in &exhibit.notes {
        text.push_str(&format!("- {note}\n"));
    }
    text
}

fn section(title: &str, rows: &[Vec<String>]) -> String {
    let title = if title.is_empty() { String::new() } else { format!("{title}\n\n") };
    format!("\n{title}{}", table(rows))
}

fn comparisons(part: &Comparisons) -> Vec<Vec<String>> {
    let head = ["quantity", "of", part.reference, "wald", "standard error", "verdict"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(part.rows.iter().map(row));
    rows
}

fn row(comparison: &Comparison) -> Vec<String> {
    let decimals = comparison.decimals;
    let number = |value: Option<f64>, decimals: usize| {
        value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
    };
    vec![
        comparison.quantity.clone(),
        comparison.item.clone(),
        number(comparison.published, decimals),
        number(comparison.value, decimals + 2),
        number(comparison.standard_error, decimals + 2),
        verdict(&comparison.verdict),
    ]
}

fn verdict(verdict: &Verdict) -> String {
    let reason = |why: &str| if why.is_empty() { String::new() } else { format!(": {why}") };
    match verdict {
        Verdict::Agrees { standard_errors } => format!("within {standard_errors:.1} SE"),
        Verdict::Equal => "equal".to_owned(),
        Verdict::Differs { standard_errors: Some(distance), why } => {
            format!("differs by {distance:.1} SE{}", reason(why))
        }
        Verdict::Differs { standard_errors: None, why } => format!("differs{}", reason(why)),
        Verdict::Erratum { why } => format!("erratum{}", reason(why)),
        Verdict::NoReference => "-".to_owned(),
    }
}

/// Rows of cells, the first being the head; columns are as wide as their widest cell.
fn table(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..n_columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        text.push_str(&format!("| {} |\n", cells.collect::<Vec<_>>().join(" | ")));
        if number == 0 {
            let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width + 2)).collect();
            text.push_str(&format!("|{}|\n", rules.join("|")));
        }
    }
    text
}
