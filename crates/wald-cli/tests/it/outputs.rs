//! Results that would overwrite each other or cannot be written are refused before any work.
#![cfg(unix)]

use std::fs;
use std::process::Command as Process;

use crate::*;

/// A command, its words, and the two options whose files are compared.
type Case<'a> = (&'a str, &'a [&'a str], [&'a str; 2]);

/// Refuses in no time, because all of them would take for ever: a million trees.
const CASES: [Case<'_>; 5] = [
    ("report", &[], ["--output", "--json"]),
    ("explain", &["-m", "saabas"], ["--output", "--svg"]),
    ("masking", &[], ["--output", "--svg"]),
    ("select", &[], ["--output", "--resume"]),
    ("population", &["--samples", "1000000000"], ["--output", "--svg"]),
];

fn table(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("t.csv");
    fs::write(&path, format!("a,b,y\n{}", rows(60, |i| format!("{},{},{}", i % 2, i % 3, i % 5))))
        .expect("written");
    path
}

/// Runs a command in a folder, with files for both options.
fn with_files(folder: &Path, (name, words, options): Case<'_>, files: [&str; 2]) -> Run {
    let trees: &[&str] = if name == "population" { &[] } else { &["--trees", "1000000"] };
    let files = options.iter().zip(&files).flat_map(|(option, file)| [*option, *file]);
    let words: Vec<&str> = [name, "t.csv", "-t", "y", "--force"]
        .into_iter()
        .chain(words.iter().chain(trees).copied())
        .chain(files)
        .collect();
    finish(command(&words).current_dir(folder))
}

#[test]
fn two_results_never_go_to_one_file() {
    let folder = folder();
    table(&folder);
    let place = folder.path();
    fs::create_dir(place.join("sub")).expect("created");
    fs::write(place.join("there"), "old").expect("written");
    std::os::unix::fs::symlink("there", place.join("link")).expect("linked");
    std::os::unix::fs::symlink("sub", place.join("folder")).expect("linked");
    let spellings = [
        ["new", "new"],
        ["new", "./new"],
        ["sub/../new", "new"],
        ["sub/new", "folder/new"],
        ["there", "link"],
    ];
    for case in CASES {
        for files in spellings {
            let run = with_files(place, case, files);
            run.refused(2, &["go to the same place", "a file of its own"]);
        }
        with_files(place, case, ["new", "t.csv"]).refused(2, &[]);
        if case.0 != "report" {
            with_files(place, case, ["-", "-"]).refused(2, &[]);
        }
    }
    assert_eq!(fs::read_to_string(place.join("there")).expect("text"), "old");
    assert_eq!(fs::read_dir(place).expect("a folder").count(), 5, "no other file");
}

/// The shell has opened the file that the standard output goes to.
#[test]
fn the_standard_output_is_no_second_result() {
    let folder = folder();
    let data = table(&folder);
    let shared = folder.path().join("shared");
    let run = Process::new(env!("CARGO_BIN_EXE_wald"))
        .args(["masking", "-t", "y", "--trees", "1000000", "--force", "--svg"])
        .args([&shared, &data])
        .stdout(fs::File::create(&shared).expect("created"))
        .output()
        .expect("wald starts");
    assert_eq!(run.status.code(), Some(2), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn names_that_cannot_be_written_are_known_first() {
    let folder = folder();
    table(&folder);
    let long = "x".repeat(300);
    for case in CASES {
        for wrong in [long.as_str(), "t.csv/x", "none/x", "new/"] {
            with_files(folder.path(), case, [wrong, "other"]).refused(5, &["cannot write"]);
            with_files(folder.path(), case, ["other", wrong]).refused(5, &["cannot write"]);
        }
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "the table alone");
}

/// What a device refuses is known only while it is written, which is before the ranking.
#[cfg(target_os = "linux")]
#[test]
fn the_standard_output_stays_empty_where_another_file_fails() {
    let few = ["-t", "y", "--trees", "2"];
    let folder = folder();
    let data = table(&folder);
    for (name, words) in [
        ("masking", &["--svg", "/dev/full"][..]),
        ("explain", &["-m", "saabas", "--svg", "/dev/full"]),
        ("report", &["--quick", "--output", "-", "--json", "/dev/full"]),
        ("report", &["--quick", "--output", "/dev/full"]),
    ] {
        let words = [&few[..], words].concat();
        on(name, &data, &words).refused(5, &["no space left"]);
    }
    let words = ["-t", "y", "--svg", "/dev/full"];
    on("population", &data, &words).refused(5, &["no space left"]);
}

/// What is held back for the picture is written after it, whole.
#[test]
fn a_picture_changes_nothing_of_the_values() {
    let folder = folder();
    let data = table(&folder);
    let words = ["-t", "y", "--trees", "2", "-m", "saabas", "--format", "csv"];
    let alone = on("explain", &data, &words);
    let picture = folder.path().join("p.svg");
    let both = [&words[..], &["--svg", picture.to_str().expect("text")]].concat();
    assert_eq!(on("explain", &data, &both).stdout, alone.stdout);
    assert!(alone.stdout.lines().count() > 100 && picture.exists());
}

#[test]
fn names_of_files_are_escaped_wherever_they_are_shown() {
    let folder = folder();
    let odd = "a\u{1b}[31mred\u{7}\nline";
    let data = folder.path().join(format!("{odd}.csv"));
    fs::rename(table(&folder), &data).expect("renamed");
    let result = folder.path().join(format!("{odd}.out"));
    let result = result.to_str().expect("text");
    let picture = folder.path().join(format!("{odd}.svg"));
    let picture = picture.to_str().expect("text");
    let state = folder.path().join(format!("{odd}.state"));
    let state = state.to_str().expect("text");
    let few = ["-t", "y", "--trees", "2", "--force", "--output", result];
    for (name, words) in [
        ("importance", &["--test", data.to_str().expect("text")][..]),
        ("fit", &[]),
        ("masking", &["--svg", picture]),
        ("report", &["--quick", "--json", picture]),
        ("explain", &["-m", "saabas", "--rows", data.to_str().expect("text"), "--svg", picture]),
        ("select", &["--folds", "2", "--resume", state]),
    ] {
        let run = on(name, &data, &[&few[..], words].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let is_raw = |c: char| c.is_control() && c != '\n';
        assert!(run.stderr.contains("\\u{1b}[31mred\\u{7}\\nline"), "{:?}", run.stderr);
        assert!(!run.stderr.contains(is_raw) && !run.stdout.contains(is_raw), "{:?}", run.stderr);
    }
    let missing = format!("{odd}.none");
    on("importance", Path::new(&missing), &["-t", "y"]).refused(5, &["\\u{1b}"]);
    on("importance", &data, &["-t", "\u{1b}[2J"]).refused(3, &["\\u{1b}[2J"]);
    on("importance", &data, &["-t", "y", "--\u{1b}[2J"]).refused(2, &["\\u{1b}[2J"]);
}
