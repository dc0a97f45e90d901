//! Work that is divided: `wald part` and `wald merge`.

use std::path::{Path, PathBuf};

use crate::{Run, rows, wald};

/// A table in a new folder.
fn table() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.csv");
    let line = |row: usize| {
        let (x, noise) = (row * 37 % 101, row * 53 % 97);
        let colour = ["red", "green", "blue"][row % 3];
        format!("{},{x},{noise},{colour}", 3 * x + row % 3)
    };
    let text = format!("y,x,noise,colour\n{}", rows(90, line));
    std::fs::write(&path, text).expect("a table");
    let path = path.to_string_lossy().into_owned();
    (folder, path)
}

fn part(number: usize, of: usize, output: &Path, command: &[&str]) -> Run {
    let (part, output) = (format!("{number}/{of}"), output.to_string_lossy().into_owned());
    let words = ["part", &part, "--output", &output];
    wald(&[&words, command].concat())
}

/// The files of all parts of a command.
fn parts(folder: &Path, of: usize, command: &[&str]) -> Vec<PathBuf> {
    let one = |number: usize| {
        let output = folder.join(format!("{number}.part"));
        let run = part(number, of, &output, command);
        assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
        output
    };
    (1..=of).map(one).collect()
}

fn merge(files: &[PathBuf]) -> Run {
    let mut words = vec!["merge".to_owned()];
    words.extend(files.iter().map(|file| file.to_string_lossy().into_owned()));
    wald(&words)
}

#[test]
fn merging_prints_what_the_command_prints() {
    let (folder, table) = table();
    let of_x = ["--target", "y", "--trees", "20", "--threads", "1"];
    let cases: [&[&str]; 3] = [
        &[],
        &["--measure", "all", "--format", "json", "--group", "g=x,noise", "--seed", "4"],
        &["--measure", "sobol-mda,mdi", "--format", "csv", "--weights", "noise"],
    ];
    for case in cases {
        let command = [&["importance", &table], &of_x[..], case].concat();
        let alone = wald(&command);
        assert_eq!(alone.code, 0, "{}", alone.stderr);
        for of in [1, 3] {
            let into = tempfile::tempdir_in(folder.path()).expect("a folder");
            let merged = merge(&parts(into.path(), of, &command));
            assert_eq!(merged.stdout, alone.stdout);
            assert_eq!((merged.code, merged.stderr), (0, alone.stderr.clone()));
        }
    }
}

#[test]
fn merging_writes_the_forest_that_is_grown_at_once() {
    let (folder, table) = table();
    let output = folder.path().join("a.forest");
    let output = output.to_string_lossy();
    let fit = ["fit", &table, "--target", "y", "--trees", "7", "--output", &output];
    let files = parts(folder.path(), 2, &fit);
    assert_eq!(merge(&files).code, 0);
    let merged = std::fs::read(&*output).expect("a forest");
    std::fs::remove_file(&*output).expect("it is there");
    assert_eq!(wald(&fit).code, 0);
    assert_eq!(std::fs::read(&*output).expect("a forest"), merged);
    // A stored forest is measured in parts, too.
    let measure = ["importance", &table, "--forest", &output, "--measure", "mdi,sobol-mda"];
    let into = tempfile::tempdir_in(folder.path()).expect("a folder");
    let merged = merge(&parts(into.path(), 2, &measure));
    assert_eq!((merged.code, merged.stdout), (0, wald(&measure).stdout), "{}", merged.stderr);
}

#[test]
fn refusals_name_the_file() {
    let (folder, table) = table();
    let command = ["importance", &table, "--target", "y", "--trees", "6", "--measure", "mdi"];
    let files = parts(folder.path(), 2, &command);
    let refused = |run: &Run, what: &str| {
        assert_eq!((run.code, run.stdout.as_str()), (4, ""), "{}", run.stderr);
        assert!(run.stderr.contains(what), "{}", run.stderr);
    };
    refused(&merge(&files[..1]), "missing: 2/2");
    let bytes = std::fs::read(&files[1]).expect("a part");
    let cut = folder.path().join("cut.part");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("written");
    refused(&merge(&[files[0].clone(), cut]), "cut.part is cut off");
    refused(&merge(&[files[0].clone(), files[0].clone()]), "are both part 1/2");
    let text = std::fs::read_to_string(&table).expect("the table");
    std::fs::write(&table, text + "1,2,3,red\n").expect("written");
    refused(&merge(&files), "another table");
    let again = part(1, 2, &files[0], &command);
    assert!(again.code == 2 && again.stderr.contains("--force"), "{}", again.stderr);
    for (words, what) in [(vec!["measures"], "is not divided"), (vec!["importance"], "DATA")] {
        let run = part(1, 2, &folder.path().join("odd.part"), &words);
        assert!(run.code == 2 && run.stderr.contains(what), "{}", run.stderr);
    }
    let none = wald(&["part", "3/2", "-o", "x.part", "measures"]);
    assert!(none.code == 2 && none.stderr.contains("is no part"), "{}", none.stderr);
}
