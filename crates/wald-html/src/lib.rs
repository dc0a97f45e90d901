//! The wald report as one self-contained HTML page.
//!
//! [`render`] turns a [`Report`] into a page that loads nothing, runs only its own scripts
//! (their hashes are in its content security policy) and can be read with scripts switched
//! off: every number stands in a table, and the charts are drawn on top of them. The page
//! formats and lays out the numbers of the report and computes none of its own.
//!
//! Names and levels come from files that others wrote. They reach the page in two ways: as
//! escaped text, and as JSON in an inert block that the script inserts by `textContent`.

pub mod chart;
mod charts;
mod number;
mod policy;
mod view;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};
use wald::report::Report;

/// The page, its sections, and how they write values, by the names that they call each other.
const TEMPLATES: [(&str, &str); 9] = [
    (PAGE, include_str!("../assets/report/page.html.j2")),
    ("macros.html.j2", include_str!("../assets/report/macros.html.j2")),
    ("reading.html.j2", include_str!("../assets/report/reading.html.j2")),
    ("measures.html.j2", include_str!("../assets/report/measures.html.j2")),
    ("variables.html.j2", include_str!("../assets/report/variables.html.j2")),
    ("rows.html.j2", include_str!("../assets/report/rows.html.j2")),
    ("forest.html.j2", include_str!("../assets/report/forest.html.j2")),
    ("data.html.j2", include_str!("../assets/report/data.html.j2")),
    ("methods.html.j2", include_str!("../assets/report/methods.html.j2")),
];
const PAGE: &str = "page.html.j2";
const STYLE: &str = include_str!("../assets/report.css");
const CHART_LIBRARY: &str = include_str!("../assets/plot.bundle.js");
const SCRIPT: &str = include_str!("../assets/report.js");

/// Why a page could not be rendered. Neither case depends on the data: every [`Report`] renders.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The page's template failed.
    #[error("cannot render the report page")]
    Template(#[from] minijinja::Error),
    /// The charts' data could not be written as JSON.
    #[error("cannot write the data of the report's charts")]
    Charts(#[from] serde_json::Error),
}

/// Renders a report as one HTML page. Equal reports give equal pages.
///
/// # Errors
///
/// Only if the template that is compiled into this crate is broken.
pub fn render(report: &Report) -> Result<String, RenderError> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.add_filter("exact", exact);
    for (name, template) in TEMPLATES {
        environment.add_template(name, template)?;
    }
    let page = environment.get_template(PAGE)?.render(context! {
        policy => policy::content_security_policy(&[CHART_LIBRARY, SCRIPT]),
        style => STYLE,
        chart_library => CHART_LIBRARY,
        script => SCRIPT,
        charts => policy::inert_json(&charts::charts(report))?,
        page => Serde(view::page(report)),
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
