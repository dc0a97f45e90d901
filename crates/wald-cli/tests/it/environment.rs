//! Files, pipes, signals.

use std::fs;
use std::process::{Command as Process, Stdio};

use crate::*;

fn quick(data: &Path, output: &Path, words: &[&str]) -> Run {
    let output = output.to_str().expect("text");
    let words: Vec<&str> = ["-t", "species", "--trees", "3", "--format", "csv", "--output", output]
        .iter()
        .chain(words)
        .copied()
        .collect();
    on("importance", data, &words)
}

/// Names in a folder; temporary files would show up here.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn existing_files_are_replaced_only_by_force() {
    let folder = folder();
    let output = folder.path().join("out.csv");
    fs::write(&output, "old").expect("written");
    quick(&penguins(), &output, &[]).refused(2, &["out.csv", "--force"]);
    assert_eq!(fs::read_to_string(&output).expect("text"), "old");
    assert_eq!(quick(&penguins(), &output, &["--force"]).code, 0);
    assert!(fs::read_to_string(&output).expect("text").starts_with("measure,"));
    assert_eq!(names(folder.path()), ["out.csv"]);
}

#[test]
fn a_failure_leaves_the_old_file_and_no_other() {
    let folder = folder();
    let output = folder.path().join("out.csv");
    fs::write(&output, "old").expect("written");
    quick(Path::new("none.csv"), &output, &["--force"]).refused(5, &["none.csv"]);
    assert_eq!(fs::read_to_string(&output).expect("text"), "old");
    assert_eq!(names(folder.path()), ["out.csv"]);
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = folder();
    let data = folder.path().join("data.csv");
    fs::copy(penguins(), &data).expect("copied");
    quick(&data, &data, &["--force"]).refused(2, &["would overwrite an input"]);
    #[cfg(unix)]
    {
        let link = folder.path().join("link.csv");
        std::os::unix::fs::symlink(&data, &link).expect("linked");
        quick(&data, &link, &["--force"]).refused(2, &["would overwrite an input"]);
    }
    assert_eq!(fs::read(&data).expect("bytes"), fs::read(penguins()).expect("bytes"));
}

#[test]
fn places_that_cannot_be_written() {
    let folder = folder();
    let missing = folder.path().join("none/out.csv");
    quick(&penguins(), &missing, &[]).refused(5, &["cannot write", "none/out.csv"]);
    quick(&penguins(), folder.path(), &["--force"]).refused(5, &["folder"]);
    quick(folder.path(), &folder.path().join("x.csv"), &[]).refused(5, &["is a folder"]);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_kept() {
    let folder = folder();
    let (real, link) = (folder.path().join("real.csv"), folder.path().join("link.csv"));
    fs::write(&real, "old").expect("written");
    std::os::unix::fs::symlink(&real, &link).expect("linked");
    assert_eq!(quick(&penguins(), &link, &["--force"]).code, 0);
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert!(fs::read_to_string(&real).expect("text").starts_with("measure,"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    quick(&penguins(), Path::new("/dev/full"), &[]).refused(5, &["no space left"]);
    let full = fs::File::options().write(true).open("/dev/full").expect("the device");
    let status = Process::new(env!("CARGO_BIN_EXE_wald"))
        .arg("measures")
        .stdout(full)
        .stderr(Stdio::null())
        .status();
    assert_eq!(status.expect("wald starts").code(), Some(5));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = Process::new(env!("CARGO_BIN_EXE_wald"))
        .args(["importance", "-t", "benign", "--trees", "20", "--format", "json", "-q"])
        .arg(cancer())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("wald starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("wald ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn the_standard_input_is_a_table() {
    let table = fs::read(penguins()).expect("bytes");
    let words = ["importance", "-", "-t", "species", "--trees", "3", "--format", "json"];
    let run = finish(command(&words).write_stdin(table));
    assert_eq!(run.json()["n_rows"], 344);
    assert!(run.stderr.starts_with("stdin: classification"), "{}", run.stderr);
    finish(command(&words).write_stdin("")).refused(3, &["stdin", "empty"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_work() {
    use std::io::{BufRead, BufReader};
    let folder = folder();
    let mut child = Process::new(env!("CARGO_BIN_EXE_wald"))
        .args(["report", "-t", "benign", "--trees", "1000000", "--output", "r.html"])
        .arg(fs::canonicalize(cancer()).expect("the table"))
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("wald starts");
    // After its first messages, wald grows trees for a very long time.
    let mut line = String::new();
    let stderr = child.stderr.take().expect("a pipe");
    BufReader::new(stderr).read_line(&mut line).expect("a line");
    assert!(line.contains("1000000 trees"), "{line}");
    let pid = child.id().to_string();
    let sent = Process::new("kill").args(["-INT", &pid]).status().expect("kill starts");
    assert!(sent.success());
    assert_eq!(child.wait().expect("wald ends").code(), Some(130));
    assert_eq!(names(folder.path()), [""; 0]);
}
