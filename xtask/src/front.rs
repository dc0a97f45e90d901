//! What people see first: the site made of `docs/`, and the files of a release beside code.

use crate::command::{Outcome, execute};
use crate::place;
use crate::python::Environment;

/// Builds the site into the target folder, where any warning is an error, and checks the files.
pub(crate) fn test() -> Outcome {
    let environment = Environment::prepare("front-venv", "site/requirements.txt")?;
    let mut mkdocs = environment.python();
    // With `--quiet` warnings would be no errors.
    mkdocs.args(["-m", "mkdocs", "build", "--config-file", "site/mkdocs.yml"]);
    mkdocs.arg("--site-dir").arg(place::site());
    // Without it every build prints news about mkdocs.
    mkdocs.env("NO_MKDOCS_2_WARNING", "1");
    execute(mkdocs)?;
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/front"]);
    execute(pytest)
}
