//! Texts that are longer than the terminal.

use std::fs;
use std::process::Command as Process;

use crate::*;

/// What `wald` shows on a terminal of 20 lines, where `pager` is set.
fn on_a_terminal(arguments: &str, pager: Option<&str>) -> String {
    let mut script = Process::new("script");
    let program = env!("CARGO_BIN_EXE_wald");
    let typed = format!("stty rows 20 cols 80; {program} {arguments}");
    script.args(["-qec", &typed, "/dev/null"]).env("LC_ALL", "C.UTF-8").env("NO_COLOR", "1");
    script.env("TERM", "vt100").env("SHELL", "/bin/sh").env_remove("WALD_PAGER");
    script.env_remove("PAGER").env_remove("COLUMNS").stdin(std::process::Stdio::null());
    if let Some(pager) = pager {
        script.env("WALD_PAGER", pager);
    }
    let output = script.output().expect("util-linux is there");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text").replace("\r\n", "\n")
}

fn is_marked(text: &str) -> bool {
    text.lines().count() > 2 && text.lines().all(|line| line.starts_with("paged:"))
}

#[test]
fn long_texts_are_shown_by_the_pager() {
    let mark = "sed s/^/paged:/";
    let paged = on_a_terminal("measures", Some(mark));
    assert!(is_marked(&paged), "{paged}");
    // The last ones do not exist, and cannot be executed.
    for off in ["", "cat", "no-such-pager-anywhere", "/dev/null"] {
        let shown = on_a_terminal("measures", Some(off));
        let is_of_shell = |line: &&str| line.starts_with("sh: ");
        let shown = shown.lines().filter(|line| !is_of_shell(line));
        let expected = paged.lines().map(|line| line.trim_start_matches("paged:"));
        assert!(shown.eq(expected), "{off}");
    }
}

/// The pager interrupts the program that started it, and goes on.
#[test]
fn ctrl_c_does_not_end_what_a_pager_shows() {
    let interrupting = "cat > /dev/null; kill -INT $PPID; sleep 0.5; echo still here";
    assert_eq!(on_a_terminal("measures", Some(interrupting)), "still here\n");
}

#[test]
fn texts_that_fit_and_files_are_not_paged() {
    let folder = folder();
    let table = folder.path().join("table.csv");
    let row = |row| format!("{row},{}", row % 7);
    fs::write(&table, "x,y\n".to_owned() + &rows(40, row)).expect("written");
    let table = format!("{} --target y --trees 5 --seed 1 --quiet", table.display());
    let short = format!("importance {table} --measure mdi");
    let shown = on_a_terminal(&short, Some("sed s/^/paged:/"));
    assert!(shown.lines().count() < 20 && !shown.contains("paged:"), "{shown}");
    let file = folder.path().join("measures.txt");
    let written = format!("measures > {}", file.display());
    assert_eq!(on_a_terminal(&written, Some("sed s/^/paged:/")), "");
    let text = fs::read_to_string(&file).expect("text");
    assert!(text.lines().count() > 20 && !text.contains("paged:"));
}
