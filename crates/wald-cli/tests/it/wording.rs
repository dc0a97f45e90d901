//! The crates below the fronts name no option and no command: a front words settings.

use std::fs;
use std::path::{Path, PathBuf};

/// Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Whether a line of code holds an option such as `--test`, or a command such as `wald fit`.
fn names_the_command_line(line: &str) -> bool {
    let begins_a_word = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
    !line.trim_start().starts_with("//")
        && ["--", "`wald "].iter().any(|mark| line.split(mark).skip(1).any(begins_a_word))
}

#[test]
fn the_crates_below_name_no_option_and_no_command() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of crates");
    let mut files = Vec::new();
    for name in
        ["wald", "wald-table", "wald-report", "wald-population", "wald-gp", "wald-surrogate"]
    {
        sources(&crates.join(name).join("src"), &mut files);
    }
    assert!(files.len() > 300, "{}", files.len());
    for file in files {
        let source = fs::read_to_string(&file).expect("text");
        let code = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for line in code.lines() {
            assert!(!names_the_command_line(line), "{}: {line}", file.display());
        }
    }
}

#[test]
fn what_is_searched_for_is_found() {
    for line in ["\"use `--test`\"", "\"see `wald report`\"", "format!(\"--{x} --y\")"] {
        assert!(names_the_command_line(line), "{line}");
    }
    for line in ["/// `--test`", "\"a -- b\"", "\"wald files\"", "--i"] {
        assert!(names_the_command_line(line) == (line == "--i"), "{line}");
    }
}
