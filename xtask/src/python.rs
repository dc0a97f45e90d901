//! Python environments below the target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{execute, program, succeeds};
use crate::{apt, place};

/// A Python environment that holds what a requirements file asks for.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Makes the environment, unless it is there and was made for the same requirements.
    pub(crate) fn prepare(name: &str, requirements: &str) -> Result<Self, String> {
        let environment = Self { folder: place::target().join(name) };
        let file = place::root().join(requirements);
        let wanted = fs::read(&file).map_err(|error| format!("{requirements}: {error}"))?;
        let stamp = environment.folder.join("requirements.installed");
        if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(environment);
        }
        make(&environment.folder)?;
        let pip = environment.pip_install();
        execute(with(pip, "--requirement", &file))?;
        fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
        Ok(environment)
    }

    /// Makes an environment that holds nothing, in the place of the one of before.
    pub(crate) fn clean(name: &str) -> Result<Self, String> {
        let environment = Self { folder: place::target().join(name) };
        make(&environment.folder)?;
        Ok(environment)
    }

    /// Its Python, which keeps compiled files in a folder of its own and leaves none behind in the
    /// repository. Where containers forbid to keep them, every process would compile all packages.
    pub(crate) fn python(&self) -> Command {
        let mut python = program(self.folder.join("bin").join("python"));
        python.env("PYTHONPYCACHEPREFIX", place::target().join("python-cache"));
        python.env_remove("PYTHONDONTWRITEBYTECODE");
        python
    }

    /// An installation, to which one adds what. Files are compiled when they are used, because most
    /// of them never are.
    pub(crate) fn pip_install(&self) -> Command {
        let mut pip = self.python();
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip.arg("--no-compile");
        pip
    }
}

fn make(folder: &Path) -> Result<(), String> {
    let venv = |python: &str| {
        let mut venv = program(python);
        venv.args(["-m", "venv"]);
        with(venv, "--clear", folder)
    };
    let python = find()?;
    if succeeds(venv(python)) {
        return Ok(());
    }
    // Debian keeps the module in a package of its own.
    apt::install(&["python3-venv"])?;
    execute(venv(python))
}

/// A Python of version 3.11 or later.
fn find() -> Result<&'static str, String> {
    let is_recent = |python: &&str| {
        let mut version = program(python);
        version.args(["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]);
        succeeds(version)
    };
    let found = ["python3.11", "python3"].into_iter().find(is_recent);
    found.ok_or_else(|| "Python 3.11 or later is needed; please install python3".to_owned())
}

fn with(mut command: Command, option: &str, path: &Path) -> Command {
    command.arg(option).arg(path);
    command
}
