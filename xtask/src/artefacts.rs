//! Wheel and program: built, installed, and tried where nothing else is.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Outcome, cargo, execute, output};
use crate::python::Environment;
use crate::{place, r};

/// What people install.
pub(crate) struct Artefacts {
    /// The Python package.
    pub(crate) wheel: PathBuf,
    /// The command line.
    pub(crate) program: PathBuf,
}

/// The environment that builds wheels, with all that the package works with.
pub(crate) fn builder() -> Result<Environment, String> {
    Environment::prepare("package-venv", REQUIREMENTS)
}

const REQUIREMENTS: &str = "python/requirements.txt";

/// Wheel and program of the profile that Rust's tests use, which has compiled most of them: the
/// code that is released, with assertions.
pub(crate) fn build_for_tests(builder: &Environment) -> Result<Artefacts, String> {
    r::install()?;
    // The whole workspace and an example: packages get the features that its tests select.
    let build = ["build", "--workspace", "--locked", "--bin", "wald", "--example", "sample_report"];
    execute(cargo(build))?;
    let program =
        place::target().join("debug").join(format!("wald{}", std::env::consts::EXE_SUFFIX));
    let wheel = build_wheel(builder, &empty("test-wheels")?, &[])?;
    Ok(Artefacts { wheel, program })
}

/// Builds the wheel and installs it into an environment that has what it requires.
pub(crate) fn install_wheel(environment: &Environment, folder: &str) -> Outcome {
    let wheel = build_wheel(&builder()?, &empty(folder)?, &["--release"])?;
    install(environment, &wheel)
}

/// Installs a wheel into an environment that has what it requires.
pub(crate) fn install(environment: &Environment, wheel: &Path) -> Outcome {
    let mut pip = environment.pip_install();
    pip.args(["--force-reinstall", "--no-deps"]).arg(wheel);
    execute(pip)
}

/// A folder below the target folder, without the wheel of before, which would be taken for this.
pub(crate) fn empty(name: &str) -> Result<PathBuf, String> {
    let folder = place::target().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// The wheel is for every Python from 3.10 on; maturin strips it (`python/pyproject.toml`).
pub(crate) fn build_wheel(
    builder: &Environment,
    folder: &Path,
    profile: &[&str],
) -> Result<PathBuf, String> {
    let mut maturin = builder.python();
    maturin.args(["-m", "maturin", "build", "--locked", "--quiet"]).args(profile);
    maturin.arg("--manifest-path").arg(place::root().join("python/Cargo.toml"));
    maturin.arg("--out").arg(folder).env("CARGO_TARGET_DIR", place::target());
    execute(maturin)?;
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let first = fs::read_dir(folder).map_err(failed)?.next();
    let first = first.ok_or_else(|| format!("{}: there is no wheel", folder.display()))?;
    first.map(|entry| entry.path()).map_err(failed)
}

pub(crate) fn build_program(folder: &Path) -> Result<PathBuf, String> {
    let build = ["rustc", "--release", "--locked", "--package", "wald-cli", "--bin", "wald"];
    // Symbols are left out at the last step only: the libraries are those of any other build.
    execute(cargo(build.into_iter().chain(["--", "-C", "strip=symbols"])))?;
    let suffix = std::env::consts::EXE_SUFFIX;
    let built = place::target().join("release").join(format!("wald{suffix}"));
    let name = format!("wald-{}-{}{suffix}", env!("CARGO_PKG_VERSION"), platform()?);
    let program = folder.join(name);
    fs::copy(&built, &program).map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(program)
}

/// The platform in Rust's words, for example `x86_64-unknown-linux-gnu`.
fn platform() -> Result<String, String> {
    let version = output(cargo(["--version", "--verbose"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "cargo does not print which platform this is".to_owned())
}

/// Installs the wheel with what it requires, and nothing else, and tries it and the program.
pub(crate) fn try_out(artefacts: &Artefacts) -> Outcome {
    let environment = Environment::clean("release-venv")?;
    let mut pip = environment.pip_install();
    // The versions that the tests know.
    pip.arg("--constraint").arg(place::root().join(REQUIREMENTS)).arg(&artefacts.wheel);
    execute(pip)?;
    let mut trial = environment.python();
    trial.arg("tests/release/try_out.py").arg(&artefacts.program).arg(env!("CARGO_PKG_VERSION"));
    execute(trial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_have_the_words_of_rust() {
        assert!(platform().expect("known").starts_with(std::env::consts::ARCH));
    }

    /// Otherwise the engine and most other crates are compiled once more for the package.
    #[test]
    fn the_package_selects_the_features_of_the_workspace() {
        let crates = |of: &[&str]| {
            let tree = ["tree", "--locked", "--prefix", "none", "--format", "{p} {f}", "--edges"];
            let listed = output(cargo(tree.iter().chain(of))).expect("cargo lists crates");
            let names = listed.lines().map(|line| line.trim_end_matches(" (*)").to_owned());
            names.collect::<std::collections::BTreeSet<_>>()
        };
        let package = crates(&["normal,build", "--package", "wald-python"]);
        let workspace = crates(&["normal,build,dev", "--workspace"]);
        let other: Vec<_> = package.difference(&workspace).collect();
        assert!(other.is_empty(), "python/Cargo.toml lacks features of {other:#?}");
    }
}
