//! Report pages in a real browser.

use std::path::Path;

use crate::command::{cargo, execute, program};
use crate::python::Environment;
use crate::{Outcome, apt, place};

const CHROMIUM: &str = "/usr/bin/chromium";

/// Writes sample pages and looks at them with Chromium.
pub(crate) fn test() -> Outcome {
    let named = std::env::var_os("CHROMIUM");
    if named.is_none() && !Path::new(CHROMIUM).exists() {
        apt::install(&["chromium"])?;
    }
    let environment = Environment::prepare("venv", "tests/browser/requirements.txt")?;
    let samples = place::target().join("browser-samples");
    // Selecting the whole workspace takes what `cargo test` built; one package alone would
    // be compiled again, with the features that it alone asks for.
    let build = ["build", "--workspace", "--locked", "--example", "sample_report"];
    execute(cargo(build))?;
    let mut example = program(place::target().join("debug/examples/sample_report"));
    example.arg(&samples);
    execute(example)?;
    let mut pytest = environment.python();
    pytest.env("WALD_HTML_SAMPLES", samples);
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/browser"]);
    execute(pytest)
}
