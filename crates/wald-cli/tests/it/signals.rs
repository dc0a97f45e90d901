//! Signals and limits of the process end the work cleanly, and leave no file behind.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::time::Duration;

use crate::*;

/// Files of a folder, but for the table.
fn others(folder: &TempDir) -> Vec<String> {
    let names = fs::read_dir(folder.path()).expect("a folder").flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name != "t.csv").collect()
}

/// A run that writes a very long list, and has begun to.
fn writing(folder: &TempDir) -> Child {
    let row = |i: usize| format!("{},{},{}", i, i * 7919 % 20_011, i * 104_729 % 19_997);
    let data = folder.path().join("t.csv");
    fs::write(&data, format!("a,b,y\n{}", rows(60_000, row))).expect("written");
    #[expect(clippy::zombie_processes, reason = "who asks for the process waits for it")]
    let child = Process::new(env!("CARGO_BIN_EXE_wald"))
        .args(["explain", "t.csv", "-t", "y", "-m", "tree_shap_interactions", "--trees", "1"])
        .args([
            "--min-node-size",
            "500",
            "--threads",
            "1",
            "--format",
            "csv",
            "--output",
            "out.csv",
        ])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("wald starts");
    let is_temporary =
        |name: &str| Path::new(name).extension().is_some_and(|extension| extension == "tmp");
    for _ in 0..6000 {
        let size = |name: &String| fs::metadata(folder.path().join(name)).map_or(0, |f| f.len());
        if others(folder).iter().any(|name| is_temporary(name) && size(name) > 0) {
            return child;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("nothing is written");
}

fn send(signal: &str, child: &Child) {
    let status = Process::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(status.expect("kill starts").success());
}

#[test]
fn signals_end_the_writing_and_remove_the_file() {
    for (signal, code) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let folder = folder();
        let mut child = writing(&folder);
        send(signal, &child);
        assert_eq!(child.wait().expect("wald ends").code(), Some(code), "{signal}");
        assert_eq!(others(&folder), [""; 0], "{signal}");
    }
}

#[test]
fn what_a_killed_run_leaves_is_removed_by_the_next_one() {
    let folder = folder();
    let mut killed = writing(&folder);
    send("-KILL", &killed);
    killed.wait().expect("wald ends");
    assert_eq!(others(&folder).len(), 1, "what was being written");
    let data = folder.path().join("t.csv");
    let output = folder.path().join("fit.forest");
    let words = ["-t", "y", "--trees", "1", "--output", output.to_str().expect("text")];
    assert_eq!(on("fit", &data, &words).code, 0);
    assert_eq!(others(&folder), ["fit.forest"]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_runs_without_a_terminal_goes_on() {
    let folder = folder();
    let words = "trap '' HUP; exec \"$0\" report t.csv -t y --trees 1000000 --output r.html";
    let data = folder.path().join("t.csv");
    fs::write(data, format!("a,y\n{}", rows(99, |i| format!("{i},{}", i % 7)))).expect("written");
    let mut child = Process::new("sh")
        .args(["-c", words, env!("CARGO_BIN_EXE_wald")])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sh starts");
    let mut line = String::new();
    BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut line).expect("a line");
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().expect("known"), None);
    send("-TERM", &child);
    assert_eq!(child.wait().expect("wald ends").code(), Some(143));
}

/// Runs `wald` in a shell with limits.
fn limited(folder: &TempDir, limits: &str, words: &[&str]) -> Run {
    let shell = format!("{limits} && exec \"$@\"");
    let output = Process::new("sh")
        .args(["-c", &shell, "sh", env!("CARGO_BIN_EXE_wald")])
        .args(words)
        .current_dir(folder.path())
        .output()
        .expect("sh starts");
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn a_file_that_outgrows_its_limit_is_an_error() {
    let folder = folder();
    let row = |i: usize| format!("{i},{}", i * 7919 % 1009);
    fs::write(folder.path().join("t.csv"), format!("a,y\n{}", rows(1000, row))).expect("written");
    let words = ["fit", "t.csv", "-t", "y", "--trees", "5", "--output", "out.forest"];
    limited(&folder, "ulimit -f 1", &words).refused(5, &["file too large"]);
    assert_eq!(others(&folder), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn limits_of_addresses_are_known() {
    let folder = folder();
    let words = ["simulate", "friedman_1", "--rows", "2000000", "--output", "out.csv"];
    limited(&folder, "ulimit -v 120000", &words).refused(6, &["of memory", "is free"]);
    let row = |i: usize| format!("{i},{},{}", i * 7919 % 20_011, i * 104_729 % 19_997);
    fs::write(folder.path().join("t.csv"), format!("a,b,y\n{}", rows(20_000, row)))
        .expect("written");
    let words = ["fit", "t.csv", "-t", "y", "--trees", "2000", "--output", "out.forest"];
    limited(&folder, "ulimit -v 900000", &words).refused(6, &["of memory", "is free"]);
    let few = ["fit", "t.csv", "-t", "y", "--trees", "3", "--output", "out.forest"];
    let run = limited(&folder, "ulimit -v 900000", &few);
    assert_eq!(run.code, 0, "{}", run.stderr);
}
