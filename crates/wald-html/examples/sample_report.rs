//! Writes report pages of made-up data, for the browser tests and for looking at the design:
//! `cargo run -p wald-html --example sample_report -- OUTDIR`.
//!
//! Besides each `NAME.html` it writes `NAME.json`, the report the page was made from, so that
//! a test can compare what a browser shows with what was meant.

mod samples;

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use wald::DecimalMark;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).ok_or("usage: sample_report OUTDIR")?;
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder)?;
    for (name, report) in samples::all() {
        fs::write(
            folder.join(name).with_extension("html"),
            wald_html::render(&report, DecimalMark::Point)?,
        )?;
        let json = serde_json::to_vec(&report)?;
        fs::write(folder.join(name).with_extension("json"), json)?;
    }
    let page =
        wald_html::render_surrogate(&samples::few_runs(&["x1", "x2", "x3"]), DecimalMark::Point)?;
    fs::write(folder.join("few_runs.html"), page)?;
    Ok(())
}
