//! Packages of Debian.

use std::path::Path;
use std::process::Command;

use crate::command::{Outcome, execute, program};

/// What one types to install packages.
pub(crate) fn line(packages: &[&str]) -> String {
    format!("sudo apt-get install --no-install-recommends {}", packages.join(" "))
}

/// Installs packages, or prints what to install where that is not possible.
pub(crate) fn install(packages: &[&str]) -> Outcome {
    if !Path::new("/usr/bin/apt-get").is_file() {
        return Err(format!("please install what Debian calls {}", packages.join(" ")));
    }
    if !is_root() {
        return Err(format!("please run `{}`", line(packages)));
    }
    execute(apt(&["update", "--quiet"]))?;
    execute(apt(&[&["install", "--yes", "--quiet", "--no-install-recommends"], packages].concat()))
}

fn apt(arguments: &[&str]) -> Command {
    let mut apt = program("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
    apt
}

fn is_root() -> bool {
    let user = program("id").arg("-u").output();
    user.is_ok_and(|user| user.stdout.trim_ascii() == b"0")
}
