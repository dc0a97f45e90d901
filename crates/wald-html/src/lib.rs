//! The wald report as one self-contained HTML page.
//!
//! [`render`] turns a [`Report`] into a page that loads nothing, runs only its own script
//! (whose hash is in its content security policy) and can be read with scripts switched
//! off: every number stands in a table or in text, and pictures are SVG that stands in the page.
//! The page formats and lays out the numbers of the report and computes none of its own.
//!
//! Names and levels come from files that others wrote. They reach the page as escaped text, and
//! the script moves them only from one `textContent` to another.
//!
//! A section has a template (`assets/report/`) and a view that turns numbers into text and places
//! (`view/`); the script is made of parts (`assets/script/`). The rows of a ranking hold their
//! picture, so that every number stands beside what is drawn of it; other pictures are made in
//! `chart/`, for pages and for files alike. Rows behind the first ones stand in `noscript`: readers
//! without scripts have them, and to scripts they cost nothing until they are shown.

pub mod chart;
mod decimals;
mod number;
mod policy;
mod view;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};
use serde::Serialize;
use wald::DecimalMark;
use wald_report::{Report, SurrogateReport};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The page, its sections, and how they write values, by the names that they call each other.
const TEMPLATES: [(&str, &str); 19] = [
    (PAGE, include_str!("../assets/report/page.html.j2")),
    ("macros.html.j2", include_str!("../assets/report/macros.html.j2")),
    ("tables.html.j2", include_str!("../assets/report/tables.html.j2")),
    ("article.html.j2", include_str!("../assets/report/article.html.j2")),
    ("answer.html.j2", include_str!("../assets/report/answer.html.j2")),
    ("shares.html.j2", include_str!("../assets/report/shares.html.j2")),
    ("measures.html.j2", include_str!("../assets/report/measures.html.j2")),
    ("disagreement.html.j2", include_str!("../assets/report/disagreement.html.j2")),
    ("all.html.j2", include_str!("../assets/report/all.html.j2")),
    ("dependence.html.j2", include_str!("../assets/report/dependence.html.j2")),
    ("variables.html.j2", include_str!("../assets/report/variables.html.j2")),
    ("selection.html.j2", include_str!("../assets/report/selection.html.j2")),
    ("rows.html.j2", include_str!("../assets/report/rows.html.j2")),
    ("forest.html.j2", include_str!("../assets/report/forest.html.j2")),
    ("data.html.j2", include_str!("../assets/report/data.html.j2")),
    ("two-ways.html.j2", include_str!("../assets/report/two-ways.html.j2")),
    ("process.html.j2", include_str!("../assets/report/process.html.j2")),
    ("sample.html.j2", include_str!("../assets/report/sample.html.j2")),
    ("methods.html.j2", include_str!("../assets/report/methods.html.j2")),
];
const PAGE: &str = "page.html.j2";
const STYLE: &str = concat!(
    include_str!("../assets/style/base.css"),
    include_str!("../assets/style/tables.css"),
    include_str!("../assets/style/sections.css"),
    include_str!("../assets/style/print.css"),
);
/// One script, made of parts that share its scope.
const SCRIPT: &str = concat!(
    include_str!("../assets/script/start.js"),
    include_str!("../assets/script/tips.js"),
    include_str!("../assets/script/tables.js"),
    include_str!("../assets/script/ranks.js"),
    include_str!("../assets/script/variables.js"),
    include_str!("../assets/script/map.js"),
    include_str!("../assets/script/copy.js"),
    include_str!("../assets/script/end.js"),
);

/// Why a page could not be rendered. It never depends on the data: every [`Report`] renders.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The page's template failed.
    #[error("cannot render the report page")]
    Template(#[from] minijinja::Error),
}

/// Renders a report as one HTML page whose numbers have this mark. Equal reports give equal pages.
///
/// # Errors
///
/// Only if the template that is compiled into this crate is broken.
pub fn render(report: &Report, mark: DecimalMark) -> Result<String, RenderError> {
    Ok(decimals::with_mark(rendered(view::page(report))?, mark))
}

/// Renders importances from few runs as one HTML page, in the style of a report.
///
/// # Errors
///
/// As [`render`].
pub fn render_surrogate(
    report: &SurrogateReport,
    mark: DecimalMark,
) -> Result<String, RenderError> {
    Ok(decimals::with_mark(rendered(view::surrogate_page(report))?, mark))
}

fn rendered(page: impl Serialize) -> Result<String, RenderError> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.add_filter("exact", exact);
    environment.add_filter("words", words);
    for (name, template) in TEMPLATES {
        environment.add_template(name, template)?;
    }
    let page = environment.get_template(PAGE)?.render(context! {
        policy => policy::content_security_policy(&[SCRIPT]),
        style => STYLE,
        script => SCRIPT,
        page => Serde(page),
    })?;
    Ok(page)
}

/// Escapes text such that the parsed page holds exactly the same characters: a parser would
/// turn a carriage return into a line feed. NUL cannot occur in a page and becomes U+FFFD.
fn exact(text: &str) -> Value {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\r' => escaped.push_str("&#13;"),
            '\0' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    Value::from_safe_string(escaped)
}

/// A sentence of the engine, in which commands and names stand between backticks.
fn words(text: &str) -> Value {
    let mut markup = String::with_capacity(text.len());
    let parts: Vec<&str> = text.split('`').collect();
    // A backtick without its second one is a letter like others.
    let paired = parts.len() - usize::from(parts.len().is_multiple_of(2));
    for (place, part) in parts.iter().enumerate() {
        let part = exact(part);
        match place {
            place if place >= paired => markup.push_str(&format!("`{part}")),
            place if place % 2 == 1 => markup.push_str(&format!("<code>{part}</code>")),
            _ => markup.push_str(&part.to_string()),
        }
    }
    Value::from_safe_string(markup)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn backticks_stand_around_code() {
        assert_eq!(words("a `b < c` d").to_string(), "a <code>b &lt; c</code> d");
        assert_eq!(words("a ` b").to_string(), "a ` b");
        assert_eq!(words("`a` `b").to_string(), "<code>a</code> `b");
        assert_eq!(words("").to_string(), "");
    }
}
