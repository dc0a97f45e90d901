//! The command line as its users meet it: exit codes, messages, bytes on both streams.

mod advise;
mod commands;
mod compare;
mod conditional;
mod digits;
mod documents;
mod environment;
mod errors;
mod explain;
mod explained_values;
mod forests;
mod front;
mod grouping;
mod interactions;
mod merging;
mod notes;
mod options;
mod outputs;
#[cfg(target_os = "linux")]
mod paging;
mod pairs;
mod parts;
mod pictures;
mod population;
mod printed;
mod roles;
mod select;
mod select_methods;
mod signals;
mod simulate;
mod size;
mod splitting;
mod surrogate;
mod table_notes;
mod test_rows;
mod uncertainty;
mod weights;
mod width;
mod wording;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A table of the repository.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

fn cancer() -> PathBuf {
    data("breast_cancer.csv")
}

fn penguins() -> PathBuf {
    data("penguins.csv")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// What one run left behind.
#[derive(Debug)]
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.stderr);
        serde_json::from_str(&self.stdout).expect("valid JSON")
    }

    /// Exit code and message; checks the shape that all messages share.
    #[track_caller]
    fn refused(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{}", self.stderr);
        assert_eq!(self.stdout, "", "nothing on the standard output");
        let lines: Vec<&str> =
            self.stderr.lines().skip_while(|line| !line.starts_with("error: ")).collect();
        assert!(!lines.is_empty() && lines.len() <= 20, "{}", self.stderr);
        for line in &lines[1..] {
            let starts = ["  --> ", "  value: \"", "  help: "];
            assert!(starts.iter().any(|start| line.starts_with(start)), "{line}");
        }
        assert!(!self.stderr.contains(|c: char| c.is_control() && c != '\n'), "{:?}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "{part} is not in\n{}", self.stderr);
        }
    }
}

fn command(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wald"));
    command.args(arguments).env("LC_ALL", "C.UTF-8").env_remove("TERM").env_remove("COLUMNS");
    command
}

fn finish(command: &mut Command) -> Run {
    let output = command.output().expect("wald starts");
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

fn wald(arguments: &[impl AsRef<OsStr>]) -> Run {
    finish(&mut command(arguments))
}

/// `wald COMMAND DATA` and further words.
fn on(name: &str, data: &Path, words: &[&str]) -> Run {
    let mut arguments = vec![OsStr::new(name), data.as_os_str()];
    arguments.extend(words.iter().map(OsStr::new));
    wald(&arguments)
}

/// A table of `n` rows, each written by `row`.
fn rows(n: usize, row: impl Fn(usize) -> String) -> String {
    (0..n).map(row).collect::<Vec<_>>().join("\n") + "\n"
}
