//! The Python package: a wheel is built, installed where nothing else is, and tested there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{cargo, execute};
use crate::python::Environment;
use crate::{Outcome, place};

/// Builds the wheel, installs it, and runs the package's tests against what is installed.
pub(crate) fn test() -> Outcome {
    let environment = Environment::prepare("package-venv", "python/requirements.txt")?;
    let wheels = place::target().join("wheels");
    // A wheel of before would be installed in the place of this one.
    let _ = fs::remove_dir_all(&wheels);
    let mut maturin = environment.python();
    maturin.args(["-m", "maturin", "build", "--locked", "--quiet", "--manifest-path"]);
    maturin.arg(place::root().join("python/Cargo.toml"));
    maturin.arg("--out").arg(&wheels).env("CARGO_TARGET_DIR", place::target());
    execute(maturin)?;
    let mut pip = environment.python();
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.args(["--force-reinstall", "--no-deps"]).arg(wheel(&wheels)?);
    execute(pip)?;
    // Pages of the documentation show what the command prints, too.
    execute(cargo(["build", "--package", "wald-cli", "--locked"]))?;
    let mut pytest = environment.python();
    pytest.env("WALD", place::target().join("debug").join("wald"));
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    // Here the package's sources are not found before what is installed.
    pytest.current_dir(place::root().join("python/tests"));
    execute(pytest)
}

fn wheel(folder: &Path) -> Result<PathBuf, String> {
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    let first = fs::read_dir(folder).map_err(told)?.next();
    let first = first.ok_or_else(|| format!("{}: there is no wheel", folder.display()))?;
    first.map(|entry| entry.path()).map_err(told)
}
