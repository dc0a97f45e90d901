//! `cargo xtask wild`: what wald makes of tables that nobody here has chosen.

use crate::command::{Outcome, cargo, execute};
use crate::place;
use crate::python::Environment;

/// Builds the program, installs the tables, and runs the sweep.
pub(crate) fn run(options: &[&str]) -> Outcome {
    execute(cargo(["build", "--release", "--locked", "--package", "wald-cli"]))?;
    let environment = Environment::prepare("wild-venv", "bench/wild-requirements.txt")?;
    let mut script = environment.python();
    script.arg("bench/wild.py").arg(place::target().join("release").join("wald"));
    script.arg(place::target().join("wild")).args(options);
    execute(script)
}
