//! All refusals of the command line with their texts, in one list to read: `fixtures/errors.txt`.
//!
//! `WALD_WRITE_DOCS=1 cargo test -p wald-cli --test it errors` writes what is refused anew; lines that
//! begin with `$` are the commands.

use std::fs;
use std::path::Path;

use crate::*;

/// Words of a command; quotes hold blanks together.
fn words(line: &str) -> Vec<String> {
    let pieces = line.split('\'').enumerate();
    let (mut words, mut is_open) = (vec![String::new()], false);
    for (place, piece) in pieces {
        let parts: Vec<&str> =
            if place % 2 == 0 { piece.split(' ').collect() } else { vec![piece] };
        for (number, part) in parts.into_iter().enumerate() {
            if number > 0 {
                words.push(String::new());
            }
            if let Some(last) = words.last_mut() {
                last.push_str(part);
            }
        }
        is_open = !is_open;
    }
    assert!(is_open, "an open quote: {line}");
    words.retain(|word| !word.is_empty());
    words
}

/// The files that the commands name.
fn files(folder: &Path) {
    let row = |i: usize| format!("{},{},{}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    let write = |name: &str, text: String| fs::write(folder.join(name), text).expect("written");
    write("t.csv", format!("a,b,y\n{}", rows(60, row)));
    write("bad.csv", format!("a,y\n{}1.2.3,1\n", rows(40, |i| format!("{i},{}", i % 3))));
    write("huge.csv", format!("a,y\n{}", rows(40, |i| format!("{i},{i}e78"))));
    write("tiny.csv", format!("a,y\n{}", rows(40, |i| format!("{i},{i}e-120"))));
    write("empty.csv", String::new());
    write("f.forest", "no forest".to_owned());
    write("there.html", String::new());
}

#[test]
fn refusals_are_those_of_the_list() {
    let folder = folder();
    files(folder.path());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/errors.txt");
    let list = fs::read_to_string(&path).expect("the list is there");
    let mut found = String::new();
    for line in list.lines() {
        if let Some(typed) = line.strip_prefix("$ wald ") {
            let run = finish(command(&words(typed)).current_dir(folder.path()));
            assert_eq!(run.stdout, "", "{typed}");
            assert_ne!(run.code, 0, "{typed}");
            found += &format!("$ wald {typed}\n{}exit code {}\n\n", run.stderr, run.code);
        } else if line.starts_with('#') {
            found += &format!("{line}\n\n");
        }
    }
    if std::env::var_os("WALD_WRITE_DOCS").is_some() {
        fs::write(&path, &found).expect("written");
    }
    let list = fs::read_to_string(&path).expect("the list is there");
    assert!(list == found, "{} is out of date:\n{found}", path.display());
    // What helps is named wherever something can be done.
    let n_errors = found.matches("\nerror: ").count();
    assert!(n_errors >= 100 && found.matches("  help: ").count() == n_errors, "{n_errors}");
}
