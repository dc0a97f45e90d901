//! Work that is divided: `wald part` and `wald merge`.

use std::path::{Path, PathBuf};

use crate::{Run, rows, wald};

/// A table of so many rows in a new folder.
fn table(n_rows: usize) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.csv");
    let line = |row: usize| {
        let (x, noise) = (row * 37 % 101, row * 53 % 97);
        let colour = ["red", "green", "blue"][row % 3];
        format!("{},{x},{noise},{colour}", 3 * x + row % 3)
    };
    let text = format!("y,x,noise,colour\n{}", rows(n_rows, line));
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
    let (folder, table) = table(90);
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

/// What a command prints and writes, as one string.
fn everything(run: &Run, written: &[PathBuf]) -> String {
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mut all = format!("{}\n{}", run.stdout, run.stderr);
    for path in written {
        all += &std::fs::read_to_string(path).expect("it is written");
        std::fs::remove_file(path).expect("it is there");
    }
    all
}

/// Also with a second round, where there is anything left to divide.
#[test]
fn merging_gives_what_every_command_gives() {
    let (folder, table) = table(40);
    let into = |name: &str| folder.path().join(name);
    let (picture, page, json) = (into("k.svg"), into("page.html"), into("page.json"));
    let [svg, html, data] = [&picture, &page, &json].map(|path| path.to_string_lossy());
    let subsamples = ["--subsamples", "5", "--null-forests", "6"];
    let whole =
        "tree_shap,tree_shap_oob,tree_shap_interventional,tree_shap_loss,shapley_effects,sage";
    let cases: [(&str, Vec<&str>, &[PathBuf]); 8] = [
        ("conditional", vec!["--folds", "2", "--group", "g=x,noise"], &[]),
        ("select", vec!["--folds", "3", "--repeats", "2", "--measure", "mdi"], &[]),
        ("select", vec!["--folds", "2", "--format", "json", "--threads", "2"], &[]),
        ("uncertainty", [&subsamples[..], &["--null-distribution", "permuted"]].concat(), &[]),
        (
            "uncertainty",
            [&subsamples[..], &["--null-distribution", "shadow", "--format", "csv"]].concat(),
            &[],
        ),
        ("masking", vec!["--svg", &svg, "--measure", "sobol-mda"], std::slice::from_ref(&picture)),
        ("importance", vec!["--measure", whole, "--format", "json"], &[]),
        ("report", vec!["--output", &html, "--json", &data], &[page.clone(), json.clone()]),
    ];
    for (name, options, written) in cases {
        let head = [name, &table, "--target", "y", "--trees", "6"];
        let command = [&head[..], &options].concat();
        // The time that parts of a report took is never the same.
        let quiet = [&command[..], &["--quiet"]].concat();
        let alone = everything(&wald(&quiet), written);
        for of in [2, 3] {
            let into = tempfile::tempdir_in(folder.path()).expect("a folder");
            let mut files = parts(into.path(), of, &quiet);
            assert_eq!(everything(&merge(&files), written), alone, "{quiet:?} in {of} parts");
            if name == "importance" {
                let second = again(into.path(), of, &files);
                files.extend(second);
                assert_eq!(everything(&merge(&files), written), alone, "{quiet:?}, two rounds");
            }
        }
    }
}

/// Parts of a second round.
fn again(folder: &Path, of: usize, before: &[PathBuf]) -> Vec<PathBuf> {
    let one = |number: usize| {
        let output = folder.join(format!("again-{number}.part"));
        let run = wald(&after(number, of, &output, before));
        assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
        output
    };
    (1..=of).map(one).collect()
}

fn after(number: usize, of: usize, output: &Path, before: &[PathBuf]) -> Vec<String> {
    let mut words = ["part", &format!("{number}/{of}"), "-o"].map(str::to_owned).to_vec();
    words.extend([output.to_string_lossy().into_owned(), "--after".to_owned()]);
    words.extend(before.iter().map(|file| file.to_string_lossy().into_owned()));
    words
}

/// A part that is killed in the middle of its work leaves no file, and is run again alone.
#[cfg(unix)]
#[test]
fn a_part_that_was_killed_is_run_again() {
    let (folder, table) = table(90);
    let command = ["select", &table, "--target", "y", "--trees", "40", "--folds", "2", "--quiet"];
    let alone = wald(&command);
    let into = tempfile::tempdir_in(folder.path()).expect("a folder");
    let output = into.path().join("2.part");
    let long = ["--repeats", "1000"];
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_wald"))
        .args(["part", "2/2", "--output"])
        .arg(&output)
        .args(command.iter().chain(&long))
        .spawn()
        .expect("wald starts");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(child.try_wait().expect("a process").is_none(), "it works for long");
    child.kill().expect("SIGKILL");
    child.wait().expect("it has ended");
    assert_eq!(std::fs::read_dir(into.path()).expect("a folder").count(), 0);
    let files = parts(into.path(), 2, &command);
    let merged = merge(&files);
    assert_eq!((merged.code, merged.stdout, merged.stderr), (0, alone.stdout, alone.stderr));
}

#[test]
fn merging_writes_the_forest_that_is_grown_at_once() {
    let (folder, table) = table(90);
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
    let (folder, table) = table(90);
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
    let second = after(1, 2, &folder.path().join("odd.part"), &files);
    let nothing = wald(&second.iter().map(String::as_str).collect::<Vec<_>>());
    refused(&nothing, "another table");
    let resume = ["select", &table, "--target", "y", "--resume", "state"];
    let resumed = part(1, 2, &folder.path().join("odd.part"), &resume);
    assert!(resumed.code == 2 && resumed.stderr.contains("run again alone"), "{}", resumed.stderr);
    let none = wald(&["part", "3/2", "-o", "x.part", "measures"]);
    assert!(none.code == 2 && none.stderr.contains("is no part"), "{}", none.stderr);
}
