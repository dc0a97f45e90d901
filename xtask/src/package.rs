//! The Python package: the wheel is tested where it is installed.

use crate::artefacts::{self, Artefacts};
use crate::command::{Outcome, execute, program, succeeds};
use crate::python::Environment;
use crate::{apt, place};

/// Builds wheel and program, and checks them.
pub(crate) fn test() -> Outcome {
    let environment = artefacts::builder()?;
    let built = artefacts::build_for_tests(&environment)?;
    check(&environment, &built)
}

/// Work that Ray and Spark share, in an environment that has both.
pub(crate) fn test_engines() -> Outcome {
    let mut java = program("java");
    java.arg("-version");
    if !succeeds(java) {
        apt::install(&["default-jre-headless"])?;
    }
    let built = artefacts::build_for_tests(&artefacts::builder()?)?;
    let environment = Environment::prepare("engines-venv", "python/engines-requirements.txt")?;
    artefacts::install(&environment, &built.wheel)?;
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "engines"]);
    pytest.args(["test_engines.py", "--durations=0"]);
    pytest.current_dir(place::root().join("python/tests"));
    execute(pytest)
}

/// Runs the package's tests against wheel and program, and tries both on their own.
pub(crate) fn check(environment: &Environment, built: &Artefacts) -> Outcome {
    artefacts::install(environment, &built.wheel)?;
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations=15"]);
    // The command line: its numbers must be those of the package, and what pages show.
    pytest.env("WALD", &built.program);
    // Threads of peers that wait for each other keep processors busy: small boosted trees take ten times
    // as long with two of them, where something else runs.
    pytest.env("OMP_NUM_THREADS", "1");
    // Here the package's sources are not found before what is installed.
    pytest.current_dir(place::root().join("python/tests"));
    execute(pytest)?;
    artefacts::try_out(built)
}
