//! Forests of ranges of trees, merged by `wald merge --forests`.

use crate::{rows, wald};

#[test]
fn merged_forests_are_the_file_that_one_command_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let line = |row: usize| format!("{},{},{}", row % 7, row * 37 % 101, row * 53 % 97);
    std::fs::write(at("t.csv"), format!("y,x,z\n{}", rows(80, line))).expect("a table");
    let fit = |more: &[&str], output: &str| {
        let (table, output) = (at("t.csv"), at(output));
        let words = ["fit", &table, "--target", "y", "--output", &output, "--quiet"];
        let run = wald(&[&words, more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
    };
    fit(&["--trees", "10"], "all.forest");
    fit(&["--trees", "6"], "a.forest");
    fit(&["--trees", "4", "--first-tree", "6"], "b.json");
    fit(&["--trees", "4", "--first-tree", "7"], "c.forest");
    let merge = |names: &[&str], more: &[&str]| {
        let files: Vec<String> = names.iter().map(|name| at(name)).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        wald(&[&["merge", "--forests"], &files[..], more].concat())
    };
    let output = at("merged.forest");
    let run = merge(&["b.json", "a.forest"], &["--output", &output]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let read = |name: &str| std::fs::read(at(name)).expect("a forest");
    assert_eq!(read("merged.forest"), read("all.forest"));
    let refused = |run: crate::Run, code: i32, words: &[&str]| {
        assert_eq!(run.code, code, "{}", run.stderr);
        words.iter().for_each(|word| assert!(run.stderr.contains(word), "{}", run.stderr));
    };
    refused(merge(&["a.forest", "b.json"], &["--output", &output]), 2, &["exists", "--force"]);
    let run = merge(&["a.forest", "c.forest"], &["-o", &output, "--force"]);
    let words = ["there is 1 tree missing", "a.forest", "c.forest", "`--first-tree` 6"];
    refused(run, 4, &words);
    assert_eq!(read("merged.forest"), read("all.forest"), "nothing was written");
    refused(merge(&["a.forest", "b.json"], &[]), 2, &["--output"]);
    refused(merge(&["a.forest", "b.json"], &["-o", &at("a.forest"), "--force"]), 2, &["overwrite"]);
    refused(merge(&["a.forest", "t.csv"], &["-o", &output, "--force"]), 4, &["t.csv"]);
}
