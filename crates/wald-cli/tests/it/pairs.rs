//! Second-order Sobol indices in all formats.

use crate::*;

#[test]
fn pairs_are_a_table_a_matrix_and_lines() {
    let with = |more: &[&str]| {
        let words = ["-t", "species", "--trees", "10", "-m", "sobol_first", "--second-order"];
        on("importance", &penguins(), &[&words[..], more].concat())
    };
    let json = with(&["--format", "json"]).json();
    let pairs = &json["measures"][0]["second_order"];
    assert_eq!(pairs["values"][0][1], pairs["values"][1][0]);
    assert!(pairs["values"][0][1].is_f64() && pairs["values"][0][0].is_null());
    assert!(pairs["standard_errors"][0][1].is_f64());
    let csv = with(&["--format", "csv"]).stdout;
    let lines: Vec<&str> = csv.lines().collect();
    let head = "measure,data,loss,class,variable,with,value,standard_error";
    assert_eq!((lines[0], lines.len()), (head, 1 + 7 + 21));
    let text = with(&[]).stdout;
    // A line per pair, the largest first, as in the long table.
    let first: Vec<&str> = lines[8].split(',').skip(4).take(2).collect();
    let line = text.lines().skip_while(|line| !line.contains("with")).nth(1).expect("a pair");
    assert_eq!(line.split_whitespace().skip(1).take(2).collect::<Vec<_>>(), first);
}
