//! Report pages, and the site, in a real browser.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Outcome, cargo, execute, program, succeeds};
use crate::python::Environment;
use crate::{apt, place};

/// Debian's Chromium without windows, which takes less time, and the whole one.
const CHROMIUM: [&str; 2] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/// Writes sample pages and looks at them with Chromium, and at the site, which the documentation step built.
pub(crate) fn test() -> Outcome {
    let chromium = chromium()?;
    let environment = Environment::prepare("venv", "tests/browser/requirements.txt")?;
    let samples = place::target().join("browser-samples");
    // Selecting the whole workspace takes what `cargo test` built; one package alone would
    // be compiled again, with the features that it alone asks for.
    let build = ["build", "--workspace", "--locked", "--example", "sample_report"];
    execute(cargo(build))?;
    let mut example = program(place::target().join("debug/examples/sample_report"));
    example.arg(&samples);
    execute(example)?;
    let axe = axe()?;
    let mut pytest = environment.python();
    pytest.env("CHROMIUM", chromium).env("WALD_HTML_SAMPLES", samples);
    pytest.env("WALD_AXE", axe);
    pytest.env("WALD_SITE", place::site());
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/browser"]);
    execute(pytest)
}

/// The program that `CHROMIUM` names, or Debian's, which is installed where it is missing.
fn chromium() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Ok(named.into());
    }
    let [shell, _] = CHROMIUM;
    if let Some(found) = CHROMIUM.iter().find(|program| Path::new(program).exists()) {
        return Ok(found.into());
    }
    apt::install(&["chromium-headless-shell"])?;
    Ok(shell.into())
}

/// The script that looks for obstacles to readers, below the target folder; its version is pinned
/// in `tests/browser/package-lock.json`.
fn axe() -> Result<PathBuf, String> {
    let folder = place::target().join("page-tests");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    let source = place::root().join("tests/browser");
    let lock = "package-lock.json";
    let is_current =
        fs::read(folder.join("installed.json")).ok() == fs::read(source.join(lock)).ok();
    if is_current && script.is_file() {
        return Ok(script);
    }
    let mut version = program("npm");
    version.arg("--version");
    if !succeeds(version) {
        apt::install(&["npm"])?;
    }
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    for file in ["package.json", lock, ".npmrc"] {
        fs::copy(source.join(file), folder.join(file)).map_err(failed)?;
    }
    let mut npm = program("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&folder);
    execute(npm)?;
    fs::copy(source.join(lock), folder.join("installed.json")).map_err(failed)?;
    Ok(script)
}
