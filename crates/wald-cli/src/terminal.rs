//! What the terminal can show.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use anstyle::Style;
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;
use wald::DecimalMark;

use crate::markup::Markup;

/// What a stream can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Terminal {
    /// Columns; `None` when the text goes elsewhere and need not fit.
    pub(crate) width: Option<usize>,
    /// Bars and signs beyond ASCII.
    pub(crate) unicode: bool,
    pub(crate) colour: bool,
    /// What texts are written for, if not for people who look at a terminal.
    pub(crate) markup: Markup,
    /// What stands before the decimals of numbers.
    pub(crate) decimal_mark: DecimalMark,
}

/// A narrower window would leave no room for a table.
const LEAST_WIDTH: usize = 40;

const WIDEST_TEXT: usize = 100;

/// Where the texts of [`described`] begin.
const INDENT: usize = 13;

impl Terminal {
    /// The standard output.
    pub(crate) fn stdout() -> Self {
        let stream = io::stdout();
        let size = terminal_size_of(&stream).map(|(width, _)| width);
        let terminal = Self::new(stream.is_terminal(), size);
        // A width that was exported is meant for all that is printed.
        Self { width: columns().or(terminal.width), ..terminal }
    }

    /// The standard error.
    pub(crate) fn stderr() -> Self {
        let stream = io::stderr();
        Self::new(stream.is_terminal(), terminal_size_of(stream).map(|(width, _)| width))
    }

    /// What texts in a file or a document may look like.
    pub(crate) fn unbounded(markup: Markup) -> Self {
        let decimal_mark = DecimalMark::Point;
        Self { width: None, unicode: true, colour: false, markup, decimal_mark }
    }

    /// Whether small pictures made of signs can be shown.
    pub(crate) fn has_pictures(self) -> bool {
        self.markup == Markup::Plain
    }

    /// Columns of a table that need not fit, too.
    pub(crate) fn space(self) -> usize {
        self.width.unwrap_or(WIDEST_TEXT)
    }

    /// Without colours.
    pub(crate) fn plain(self) -> Self {
        Self { colour: false, ..self }
    }

    /// For names and what is typed, which keep their points.
    pub(crate) fn with_points(self) -> Self {
        Self { decimal_mark: DecimalMark::Point, ..self }
    }

    /// Columns of running text, which is hard to read when it is wider.
    pub(crate) fn text_width(self) -> usize {
        self.space().min(WIDEST_TEXT)
    }

    /// The style of what is to stand out.
    pub(crate) fn bold(self) -> Style {
        if self.colour { Style::new().bold() } else { Style::new() }
    }

    /// A whole text: in ASCII if need be, in a document without needless empty lines.
    pub(crate) fn shown(self, text: String) -> String {
        if self.markup != Markup::Plain {
            return Markup::joined(&text);
        }
        if self.unicode {
            return text;
        }
        text.replace('…', "...").replace('±', "+-").replace('–', "-")
    }

    fn new(is_terminal: bool, width: Option<Width>) -> Self {
        let width = width.map_or(80, |Width(columns)| usize::from(columns)).max(LEAST_WIDTH);
        Self {
            width: is_terminal.then_some(width),
            unicode: !is_dumb() && is_utf8(),
            colour: is_terminal && !is_dumb() && variable("NO_COLOR").is_none(),
            markup: Markup::Plain,
            decimal_mark: DecimalMark::Point,
        }
    }
}

/// True when the terminal cannot move its cursor.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The value of a variable that is set to something.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The number of columns that the user exported.
fn columns() -> Option<usize> {
    let columns = variable("COLUMNS")?.to_str()?.parse::<usize>().ok()?;
    Some(columns.max(LEAST_WIDTH))
}

/// The locale's encoding, by the first variable that is set, as POSIX has it.
fn is_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    locale.map_or(cfg!(windows), |locale| {
        let locale = locale.to_string_lossy().to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Breaks a text into lines of at most `width` columns, at blanks.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.width() + word.width() < width => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A paragraph whose further lines are indented.
pub(crate) fn hanging(text: &str, terminal: Terminal) -> String {
    let text = &terminal.decimal_mark.text(text);
    if terminal.markup != Markup::Plain {
        return format!("{}\n\n", terminal.markup.escaped(text));
    }
    wrap(text, terminal.text_width() - 2).join("\n  ") + "\n"
}

/// What stands below a table.
pub(crate) fn legend(entries: &[String], terminal: Terminal) -> String {
    entries.iter().fold("\n".to_owned(), |text, entry| text + &hanging(entry, terminal))
}

/// A paragraph whose lines begin at a column; before the first stands the `lead`.
pub(crate) fn indented(mut lead: &str, text: &str, start: usize, terminal: Terminal) -> String {
    let text = &terminal.decimal_mark.text(text);
    if terminal.markup != Markup::Plain {
        return format!("{}\n\n", terminal.markup.escaped(text));
    }
    let mut lines = String::new();
    for line in wrap(text, terminal.text_width() - start) {
        lines.push_str(&format!("{lead:start$}{line}\n"));
        lead = "";
    }
    lines
}

/// A paragraph of a list: the name that users type, what it stands for, and what else is known of
/// it, as far as it is not empty.
pub(crate) fn described(
    id: &str,
    name: &str,
    fields: &[(&str, String)],
    terminal: Terminal,
) -> String {
    let fields: Vec<(&str, String)> =
        fields.iter().filter(|(_, value)| !value.is_empty()).cloned().collect();
    let fields = fields.into_iter().map(|(field, value)| match field {
        "command" => (field, value),
        _ => (field, terminal.decimal_mark.text(&value).into_owned()),
    });
    let fields: Vec<(&str, String)> = fields.collect();
    if terminal.markup != Markup::Plain {
        let (id, name) = (terminal.markup.strong(id), terminal.markup.escaped(name));
        return format!("{id} {name}\n\n{}\n", terminal.markup.list(&fields));
    }
    let bold = terminal.bold();
    let start = id.width() + 2;
    let name = wrap(name, terminal.text_width().saturating_sub(start).max(LEAST_WIDTH / 2));
    let name = name.join(&format!("\n{}", " ".repeat(start)));
    let mut text = format!("{bold}{id}{bold:#}  {name}\n");
    for (name, value) in &fields {
        text.push_str(&indented(&format!("  {name}"), value, INDENT, terminal.with_points()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("unbreakable word", 4), ["unbreakable", "word"]);
        assert_eq!(wrap("", 4), [""]);
    }
}
