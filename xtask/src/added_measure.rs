//! A measure is one file and one line: a copy of the sources gets both, everything has the measure, and
//! the unit tests pass.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::artefacts::{self, empty};
use crate::command::{Outcome, cargo, execute, output};
use crate::place;

/// The file.
const FILE: &str = include_str!("../fixtures/root_splits.rs");

/// The list of measures, and the line before which the new one stands.
const LIST: &str = "crates/wald/src/measure/mod.rs";
const BEFORE: &str = "        split_count => SplitCount,\n";
const LINE: &str = "        root_splits => RootSplits,\n";

/// What the package computes with the measure.
const IN_PYTHON: &str = "\
import json, sys, wald
from sklearn.datasets import load_diabetes
X, y = load_diabetes(return_X_y=True, as_frame=True)
forest = wald.RandomForestRegressor(n_estimators=20, random_state=1).fit(X, y)
found = forest.importance('roots')
assert found.measure == 'root_splits' and abs(sum(found.values) - 1) < 1e-12, found
assert any(info['id'] == 'root_splits' for info in wald.measures())
";

/// Adds the measure to a copy of the sources, builds command and package, and uses the measure in
/// both. The unit tests run here because here everything is compiled without optimisation: compiling
/// the crates a second time for them takes most of their time.
pub(crate) fn test() -> Outcome {
    let copy = empty("added-measure")?;
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| format!("{path}: {error}")
    };
    for name in ["Cargo.toml", "Cargo.lock", "rustfmt.toml", "README.md", "LICENSE-MIT"] {
        fs::copy(place::root().join(name), copy.join(name)).map_err(failed(Path::new(name)))?;
    }
    for folder in ["crates", "python", "R/src/rust", "xtask"] {
        copy_folder(&place::root().join(folder), &copy.join(folder))?;
    }
    let list = copy.join(LIST);
    let before = fs::read_to_string(&list).map_err(failed(&list))?;
    let after = before.replacen(BEFORE, &format!("{LINE}{BEFORE}"), 1);
    if after == before {
        return Err(format!("{LIST} has no line `{}`", BEFORE.trim()));
    }
    fs::write(&list, after).map_err(failed(&list))?;
    let file = copy.join("crates/wald/src/measure/structure/root_splits.rs");
    fs::write(&file, FILE).map_err(failed(&file))?;
    rename_version(&copy)?;
    build(&copy)?;
    on_the_command_line(&copy)?;
    in_python(&copy)?;
    execute(unoptimised(&copy, &["test", "--workspace", "--locked", "--no-fail-fast", "--lib"]))
}

/// Gives the copy a version of its own: packages of the same name, version and place in the workspace
/// share what is built, so that later builds of the sources would take the copy's for theirs.
fn rename_version(copy: &Path) -> Outcome {
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let own = "version = \"0.0.0\"";
    let read = |name: &str| {
        let path = copy.join(name);
        let text = fs::read_to_string(&path);
        text.map(|text| (path, text)).map_err(|error| format!("{name}: {error}"))
    };
    let (path, manifest) = read("Cargo.toml")?;
    let renamed = manifest.replace(&version, own);
    fs::write(&path, renamed).map_err(|error| format!("{}: {error}", path.display()))?;
    let (path, lock) = read("Cargo.lock")?;
    let mut renamed = String::new();
    let mut is_own = false;
    for line in lock.lines() {
        if line.starts_with("name = ") {
            is_own = line.starts_with("name = \"wald") || line == "name = \"xtask\"";
        }
        renamed.push_str(if is_own && line == version { own } else { line });
        renamed.push('\n');
    }
    fs::write(&path, renamed).map_err(|error| format!("{}: {error}", path.display()))
}

fn copy_folder(from: &Path, to: &Path) -> Outcome {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default();
        if name == "target" || name == ".mypy_cache" {
            continue;
        }
        if path.is_dir() {
            copy_folder(&path, &to.join(name))?;
        } else {
            fs::copy(&path, to.join(name)).map_err(failed)?;
        }
    }
    Ok(())
}

/// A command of cargo for the copy without optimisation, except for Gaussian processes, whose tests take
/// longer than compiling them. What others wrote is built already, as the whole workspace selects its
/// features.
fn unoptimised(copy: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo(arguments.iter().copied());
    command.current_dir(copy).env("CARGO_TARGET_DIR", place::target());
    command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
    for name in ["wald", "wald-report"] {
        command.arg("--config").arg(format!("profile.dev.package.{name}.opt-level=0"));
    }
    command
}

/// Builds the command and the package's module.
fn build(copy: &Path) -> Outcome {
    execute(unoptimised(copy, &["build", "--workspace", "--locked", "--bin", "wald", "--lib"]))?;
    // The next build of the sources themselves puts its own in their place.
    let built = place::target().join("debug");
    let package = copy.join("python/wald");
    for (from, to) in [
        (built.join("wald"), copy.join("wald")),
        (built.join("lib_native.so"), package.join("_native.abi3.so")),
    ] {
        fs::copy(&from, to).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    Ok(())
}

fn on_the_command_line(copy: &Path) -> Outcome {
    let wald = |arguments: &[&str]| {
        let mut wald = Command::new(copy.join("wald"));
        wald.current_dir(place::root()).args(arguments);
        output(wald)
    };
    let table = ["data/penguins.csv", "--target", "species", "--trees", "20", "--seed", "1"];
    let with = |command: &str, options: &[&str]| {
        let all = [&[command][..], &table[..], options].concat();
        wald(&all)
    };
    let page = copy.join("report.html");
    let page_path = page.to_string_lossy().into_owned();
    let json = ["--measure", "root_splits", "--format", "json"];
    let places = [
        ("the list of measures", wald(&["measures", "--format", "json"])?),
        ("an importance", with("importance", &json)?),
        ("an importance by its alias", with("importance", &["--measure", "roots"])?),
        ("an uncertainty", with("uncertainty", &json)?),
        ("the advice", with("advise", &["--format", "json"])?),
        ("a report", {
            with("report", &["--measure", "root_splits", "--output", &page_path])?;
            fs::read_to_string(&page).map_err(|error| format!("{page_path}: {error}"))?
        }),
    ];
    for (place, written) in places {
        if !written.contains("root_splits") {
            return Err(format!("{place} does not name the added measure:\n{written}"));
        }
    }
    Ok(())
}

fn in_python(copy: &Path) -> Outcome {
    let mut python = artefacts::builder()?.python();
    python.current_dir(copy.join("python")).args(["-c", IN_PYTHON]);
    execute(python)
}
