//! The Python package: the wheel is tested where it is installed.

use crate::command::execute;
use crate::python::Environment;
use crate::release::Artefacts;
use crate::{Outcome, place, release};

/// Builds wheel and program, and checks them.
pub(crate) fn test() -> Outcome {
    let environment = release::builder()?;
    let artefacts = release::build_for_tests(&environment)?;
    check(&environment, &artefacts)
}

/// Runs the package's tests against wheel and program, and tries both on their own.
pub(crate) fn check(environment: &Environment, artefacts: &Artefacts) -> Outcome {
    release::install(environment, &artefacts.wheel)?;
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations=15"]);
    // The command line: its numbers must be those of the package, and what pages show.
    pytest.env("WALD", &artefacts.program);
    // Here the package's sources are not found before what is installed.
    pytest.current_dir(place::root().join("python/tests"));
    execute(pytest)?;
    release::try_out(artefacts)
}
