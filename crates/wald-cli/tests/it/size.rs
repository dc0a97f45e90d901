//! Work that no machine has the memory for is refused before it begins.
#![cfg(target_os = "linux")]

use std::fs;

use crate::*;

/// Refused with this message, without leaving a file.
#[track_caller]
fn refused(table: &str, command: &str, words: &[&str], parts: &[&str]) {
    let folder = folder();
    let (data, output) = (folder.path().join("data.csv"), folder.path().join("output"));
    fs::write(&data, table).expect("written");
    let output = output.to_str().expect("text");
    let words: Vec<&str> = [words, &["--output", output]].concat();
    let run = on(command, &data, &words);
    run.refused(6, parts);
    run.refused(6, &["of memory", "is free", "help: "]);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "the table alone");
}

#[test]
fn trees_that_cannot_be_kept() {
    let noise = rows(20_000, |i| format!("{},{}", i * 7919 % 20_011, i * 104_729 % 19_997));
    let table = format!("x,y\n{noise}");
    let parts = [
        "growing 10000000 trees needs about ",
        "TB for the trees and their file",
        "ask for fewer trees",
        "--min-node-size",
        "`wald importance`",
    ];
    refused(&table, "fit", &["-t", "y", "--trees", "1e7", "--min-node-size", "1"], &parts);
}

#[test]
fn importances_of_too_many_trees() {
    let names: Vec<String> = (0..4000).map(|column| format!("x{column}")).collect();
    let row = |i: usize| {
        let values = (0..4000).map(|column| ((i * 31 + column * 17) % 101).to_string());
        values.collect::<Vec<_>>().join(",") + &format!(",{}", i * 13 % 29)
    };
    let table = format!("{},y\n{}", names.join(","), rows(25, row));
    let words = ["-t", "y", "--trees", "1e7", "-m", "all"];
    let parts = ["for the importances in every single tree", "fewer trees", "measures or columns"];
    refused(&table, "importance", &words, &parts);
    refused(&table, "report", &words, &parts);
    let words = ["-t", "y", "--trees", "1e7", "-m", "mdi"];
    refused(&table, "select", &words, &["selecting variables with 10000000 trees", parts[0]]);
}

#[test]
fn predictions_of_too_many_classes() {
    let names = rows(400_000, |i| format!("{},name {}", i % 1000, i % 190_000));
    let table = format!("x,y\n{names}");
    let parts = ["TB for the out-of-bag predictions", "classes"];
    refused(&table, "importance", &["-t", "y", "--trees", "2", "--max-depth", "1"], &parts);
}

/// Curves of all rows are held until they are written; Shapley values are not.
#[test]
fn curves_of_too_many_rows() {
    let row = |i: usize| format!("{},{},{}", i, i * 7919 % 300_007, i * 104_729 % 19_997);
    let table = format!("a,b,y\n{}", rows(300_000, row));
    let forest = ["-t", "y", "--trees", "1", "--max-depth", "1", "-m"];
    let words = [&forest[..], &["ice", "--grid", "100000"]].concat();
    let parts = [
        "explaining 300000 rows with 200000 numbers each needs about 480 GB of memory",
        "fewer rows (`--rows`)",
        "smaller `--grid`",
    ];
    refused(&table, "explain", &words, &parts);
    let folder = folder();
    let (data, output) = (folder.path().join("data.csv"), folder.path().join("values.csv"));
    fs::write(&data, &table).expect("written");
    let output = output.to_str().expect("text");
    let words = [&forest[..], &["saabas", "--format", "csv", "--output", output]].concat();
    assert_eq!(on("explain", &data, &words).code, 0);
}
