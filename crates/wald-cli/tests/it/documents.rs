//! Tables for documents: Markdown and LaTeX with the digits of the terminal.

use std::fs;

use crate::*;

#[test]
fn documents_have_whole_names_and_the_digits_of_the_terminal() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    let long = "a_name_with_50%more_letters_than_any_terminal_has_room_for";
    let row = |i: usize| format!("{},{},{}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    fs::write(&path, format!("{long},b,y\n{}", rows(60, row))).expect("written");
    let words = ["-t", "y", "--trees", "9", "-m", "mdi", "-q", "--format"];
    let of = |format: &str| {
        let run = on("importance", &path, &[&words[..], &[format]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let table = of("table");
    let first = table.lines().nth(1).expect("a row");
    let value = first.split_whitespace().nth(2).expect("a value");
    let error = first.split_whitespace().nth(3).and_then(|cell| cell.strip_prefix('±'));
    let error = error.expect("an error");
    let markdown = of("md");
    let expected = format!("| 1 | {long} | {value} ±{error} |\n");
    assert!(markdown.starts_with("|  | variable | mdi |\n| ---: | --- | ---: |\n"), "{markdown}");
    assert!(markdown.contains(&expected), "{markdown}");
    assert!(markdown.contains("\n\nmdi: Mean decrease in impurity"), "{markdown}");
    let latex = of("latex");
    let name = long.replace('_', "\\_").replace('%', "\\%");
    let expected = format!("1 & {name} & {value} $\\pm${error} \\\\\n");
    assert!(latex.starts_with("\\begin{tabular}{rlr}\n\\toprule\n"), "{latex}");
    assert!(latex.contains(&expected), "{latex}");
    assert!(!latex.contains('█') && !markdown.contains('█'));
}

#[test]
fn every_format_is_offered_wherever_one_is() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    let row = |i: usize| format!("{},{},{}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    fs::write(&path, format!("a,b,y\n{}", rows(60, row))).expect("written");
    let table = path.to_str().expect("text");
    let forest = folder.path().join("f.forest");
    let forest = forest.to_str().expect("text");
    assert_eq!(wald(&["fit", table, "-t", "y", "--trees", "3", "-o", forest]).code, 0);
    let few = ["-t", "y", "--trees", "3", "-q"];
    let with = |words: &[&'static str]| [&[words[0], table], &few[..], &words[1..]].concat();
    let cases = [
        with(&["importance"]),
        with(&["advise"]),
        with(&["select", "--folds", "2"]),
        with(&["masking"]),
        with(&["explain", "-m", "saabas"]),
        vec!["predict", forest, table, "-q"],
        vec!["measures"],
        vec!["simulate", "friedman_1", "--rows", "5", "-q"],
    ];
    for words in cases {
        for (format, begins) in
            [("csv", ""), ("json", ""), ("md", "|"), ("latex", "\\begin{tabular}"), ("table", "")]
        {
            let run = wald(&[&words[..], &["--format", format]].concat());
            assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
            let has_table = !["advise", "measures"].contains(&words[0]);
            assert!(run.stdout.contains(begins) || !has_table, "{words:?}: {}", run.stdout);
            if format == "json" {
                run.json();
            }
        }
    }
    let help = |name: &str| wald(&[name, "--help"]).stdout;
    for name in
        ["importance", "report", "explain", "uncertainty", "compare", "surrogate", "interactions"]
    {
        let formats = help(name).contains("md") && help(name).contains("latex");
        assert!(formats != (name == "report"), "{name}");
    }
}
