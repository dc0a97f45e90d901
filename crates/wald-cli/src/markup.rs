//! Text and tables for documents, in Markdown and LaTeX.

use wald::DecimalMark;

/// What a text is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Markup {
    /// People who look at it as it is.
    Plain,
    Markdown,
    /// Tables need the package `booktabs`.
    Latex,
}

/// What texts and tables for people look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) markup: Markup,
    pub(crate) decimal_mark: DecimalMark,
}

impl Look {
    /// With points before decimals.
    pub(crate) const fn of(markup: Markup) -> Self {
        Self { markup, decimal_mark: DecimalMark::Point }
    }
}

/// A table for a document.
pub(crate) struct Cells {
    /// The header of each column, and whether it is a column of numbers.
    pub(crate) columns: Vec<(String, bool)>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Markup {
    /// A text whose signs stand for themselves.
    pub(crate) fn escaped(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Markdown => in_markdown(text),
            Self::Latex => in_latex(text),
        }
    }

    /// A text that stands out.
    pub(crate) fn strong(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Markdown => format!("**{}**", in_markdown(text)),
            Self::Latex => format!("\\textbf{{{}}}", in_latex(text)),
        }
    }

    /// A list of names with what is known of each.
    pub(crate) fn list(self, fields: &[(&str, String)]) -> String {
        let items: String = fields
            .iter()
            .map(|(name, value)| match self {
                Self::Latex => format!("\\item[{}] {}\n", in_latex(name), in_latex(value)),
                _ => format!("- {name}: {}\n", self.escaped(value)),
            })
            .collect();
        match self {
            Self::Latex => format!("\\begin{{description}}\n{items}\\end{{description}}\n"),
            _ => items,
        }
    }

    /// A table; it begins and ends with an empty line.
    pub(crate) fn table(self, cells: &Cells) -> String {
        let line = |cells: Vec<String>| match self {
            Self::Latex => format!("{} \\\\\n", cells.join(" & ")),
            _ => format!("| {} |\n", cells.join(" | ")),
        };
        let header = line(cells.columns.iter().map(|(name, _)| self.escaped(name)).collect());
        let rows: String = cells
            .rows
            .iter()
            .map(|row| line(row.iter().map(|cell| self.escaped(cell)).collect()))
            .collect();
        let are_numbers = cells.columns.iter().map(|(_, is_number)| *is_number);
        if self == Self::Latex {
            let kinds: String = are_numbers.map(|is| if is { 'r' } else { 'l' }).collect();
            return format!(
                "\n\\begin{{tabular}}{{{kinds}}}\n\\toprule\n{header}\\midrule\n{rows}\
                 \\bottomrule\n\\end{{tabular}}\n\n"
            );
        }
        let rules = are_numbers.map(|is| if is { "---:" } else { "---" });
        let rules: Vec<&str> = rules.collect();
        format!("\n{header}| {} |\n{rows}\n", rules.join(" | "))
    }

    /// Pieces of text with one empty line between paragraphs, none at the beginning.
    pub(crate) fn joined(text: &str) -> String {
        let mut joined = String::new();
        let mut is_apart = false;
        for line in text.lines().map(str::trim_end) {
            if line.is_empty() {
                is_apart = !joined.is_empty();
                continue;
            }
            if std::mem::take(&mut is_apart) {
                joined.push('\n');
            }
            joined.push_str(line);
            joined.push('\n');
        }
        joined
    }
}

fn in_markdown(text: &str) -> String {
    let mut escaped = String::new();
    let mut before = ' ';
    let mut rest = text.chars();
    while let Some(sign) = rest.next() {
        let after = rest.clone().next().unwrap_or(' ');
        // Between letters, as in names of measures, an underscore emphasises nothing.
        let is_marking = match sign {
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            _ => "\\|*`<[".contains(sign),
        };
        if is_marking {
            escaped.push('\\');
        }
        escaped.push(sign);
        before = sign;
    }
    escaped
}

fn in_latex(text: &str) -> String {
    let mut escaped = String::new();
    let mut before = ' ';
    let mut rest = text.chars();
    while let Some(sign) = rest.next() {
        let after = rest.clone().next().unwrap_or(' ');
        match sign {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '±' => escaped.push_str("$\\pm$"),
            '–' => escaped.push_str("--"),
            '…' => escaped.push_str("\\ldots{}"),
            // A dash in the usual fonts.
            '|' => escaped.push_str("\\textbar{}"),
            // Straight marks need other fonts than the usual ones, whose sign is a closing mark.
            '"' if opens(before, after) => escaped.push_str("``"),
            '"' => escaped.push_str("''"),
            // After the end of a row of a table, these would be an argument of it.
            '[' | '*' if escaped.is_empty() => escaped.push_str(&format!("{{{sign}}}")),
            '<' | '>' | '²' => escaped.push_str(match sign {
                '<' => "$<$",
                '>' => "$>$",
                _ => "$^2$",
            }),
            // A sign, not a hyphen.
            '-' if after.is_ascii_digit() && !before.is_alphanumeric() => escaped.push_str("$-$"),
            // Two hyphens would become a dash.
            '-' if after == '-' => escaped.push_str("-{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(sign);
            }
            sign => escaped.push(sign),
        }
        before = sign;
    }
    escaped
}

/// Whether a quotation mark between two signs begins what it quotes.
fn opens(before: char, after: char) -> bool {
    (before.is_whitespace() || "([{/|".contains(before)) && !after.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_documents_stand_for_themselves() {
        let text = "x_1 _a_ 5% -0.5 ±0.1 a|b p<0.05 low-2";
        assert_eq!(Markup::Markdown.escaped(text), "x_1 \\_a\\_ 5% -0.5 ±0.1 a\\|b p\\<0.05 low-2");
        assert_eq!(
            Markup::Latex.escaped(text),
            "x\\_1 \\_a\\_ 5\\% $-$0.5 $\\pm$0.1 a\\textbar{}b p$<$0.05 low-2"
        );
        assert_eq!(Markup::Plain.escaped(text), text);
    }

    #[test]
    fn quotation_marks_and_hyphens_are_no_signs_of_latex() {
        let escaped = |text| Markup::Latex.escaped(text);
        assert_eq!(escaped("\"b c\" and (\"d\"), 5\" pipes"), "``b c'' and (``d''), 5'' pipes");
        assert_eq!(escaped("\""), "''");
        assert_eq!(escaped("--mtry 3 a--b"), "-{}-mtry 3 a-{}-b");
    }

    #[test]
    fn a_row_begins_with_no_argument_of_the_last_one() {
        assert_eq!(["[a] [b]", "*"].map(|text| Markup::Latex.escaped(text)), ["{[}a] [b]", "{*}"]);
    }

    #[test]
    fn tables_have_rules_and_sides() {
        let cells = Cells {
            columns: vec![("variable".to_owned(), false), ("value".to_owned(), true)],
            rows: vec![vec!["x_1".to_owned(), "-1".to_owned()]],
        };
        let found = Markup::joined(&Markup::Markdown.table(&cells));
        assert_eq!(found, "| variable | value |\n| --- | ---: |\n| x_1 | -1 |\n");
        let found = Markup::joined(&Markup::Latex.table(&cells));
        let expected = "\\begin{tabular}{lr}\n\\toprule\nvariable & value \\\\\n\\midrule\n\
                        x\\_1 & $-$1 \\\\\n\\bottomrule\n\\end{tabular}\n";
        assert_eq!(found, expected);
    }

    #[test]
    fn paragraphs_stand_apart_by_one_empty_line() {
        assert_eq!(Markup::joined("\n\na\nb\n\n\nc\n\n"), "a\nb\n\nc\n");
    }
}
