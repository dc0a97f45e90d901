//! The Python package: the wheel that people install is tested where it is installed.

use crate::command::execute;
use crate::{Outcome, place, release};

/// Builds what is released, runs the package's tests against it, and tries it on its own.
pub(crate) fn test() -> Outcome {
    let environment = release::builder()?;
    let artefacts = release::build(&environment)?;
    release::install(&environment, &artefacts.wheel)?;
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    // The command line: its numbers must be those of the package, and what pages show.
    pytest.env("WALD", &artefacts.program);
    // Here the package's sources are not found before what is installed.
    pytest.current_dir(place::root().join("python/tests"));
    execute(pytest)?;
    release::try_out(&artefacts)
}
