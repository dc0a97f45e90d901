//! The Python package: the wheel is tested where it is installed.

use crate::artefacts::{self, Artefacts};
use crate::command::{Outcome, execute};
use crate::place;
use crate::python::Environment;

/// Builds wheel and program, and checks them.
pub(crate) fn test() -> Outcome {
    let environment = artefacts::builder()?;
    let built = artefacts::build_for_tests(&environment)?;
    check(&environment, &built)
}

/// Runs the package's tests against wheel and program, and tries both on their own.
pub(crate) fn check(environment: &Environment, built: &Artefacts) -> Outcome {
    artefacts::install(environment, &built.wheel)?;
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations=15"]);
    // The command line: its numbers must be those of the package, and what pages show.
    pytest.env("WALD", &built.program);
    // Here the package's sources are not found before what is installed.
    pytest.current_dir(place::root().join("python/tests"));
    execute(pytest)?;
    artefacts::try_out(built)
}
