//! Rows and columns: separators, ragged rows, one column, very many of each.

use wald_table::ReadOptions;

use crate::support::{assert_told, cells, read_bytes, read_with};

#[test]
fn separators_are_sniffed_and_said() {
    for (separator, name) in [(';', "semicolon"), ('\t', "tab"), ('|', "bar")] {
        let text = "a,b\n1,x\n2,y z\n".replace(',', &separator.to_string());
        let table = read_bytes(text.as_bytes()).unwrap();
        assert_eq!(cells(&table, "b"), ["x", "y z"]);
        assert_eq!(table.notes(), [format!("columns are separated by {name}s")]);
    }
}

#[test]
fn separators_inside_quotes_do_not_count() {
    let table = read_bytes(b"a;b\n1;\"x,y,z\"\n2;\"u,v,w\"\n").unwrap();
    assert_eq!(cells(&table, "b"), ["x,y,z", "u,v,w"]);
    let table = read_bytes(b"a,b\n1,\"x;y\"\n2,\"u;v\"\n").unwrap();
    assert_eq!(cells(&table, "b"), ["x;y", "u;v"]);
}

#[test]
fn empty_cells_at_the_ends_of_tab_separated_rows_are_cells() {
    let table = read_bytes(b"a\tb\tc\n1\t\t\n\t2\t\n").unwrap();
    assert_eq!(cells(&table, "a"), ["1", "-"]);
    assert_eq!(cells(&table, "b"), ["-", "2"]);
    assert_eq!(cells(&table, "c"), ["-", "-"]);
}

#[test]
fn decimal_commas_are_read_and_said() {
    let table = read_bytes(b"a;b\n1,5;x\n-0,25;y\n3;z\n").unwrap();
    assert_eq!(cells(&table, "a"), ["1.5", "-0.25", "3"]);
    assert_eq!(table.notes()[1], "numbers have decimal commas");
    let points = read_bytes(b"a;b\n1.5;x\n2.5;y\n").unwrap();
    assert_eq!(cells(&points, "a"), ["1.5", "2.5"]);
}

#[test]
fn commas_that_may_separate_thousands_are_not_guessed() {
    let error = read_bytes(b"a;b\n1,234;x\n2,345;y\n").unwrap_err();
    assert_told(&error, &["unclear whether the comma in `1,234`", "line 2", "decimal points"]);
    let clear = read_bytes(b"a;b\n1,234;x\n0,345;y\n").unwrap();
    assert_eq!(cells(&clear, "a"), ["1.234", "0.345"]);
}

#[test]
fn ragged_rows_name_line_and_counts() {
    let error = read_bytes(b"a,b,c\n1,2,3\n4,5\n").unwrap_err();
    assert_told(&error, &["2 cells where the header has 3", "line 3", "a cell may be empty"]);
    let error = read_bytes(b"a,b,c\n1,2,3\n4,5,6,7,8\n").unwrap_err();
    assert_told(&error, &["5 cells where the header has 3", "line 3", "quote cells"]);
    let error = read_bytes(b"a,b\nr1,1,2\nr2,3,4\n").unwrap_err();
    assert_told(&error, &["3 cells where the header has 2", "line 2", "row names"]);
}

#[test]
fn small_tables_are_tables() {
    let one = read_bytes(b"a\n1\n2\n").unwrap();
    assert_eq!((one.n_rows(), one.columns().len()), (2, 1));
    let row = read_bytes(b"a,b\n1,2\n").unwrap();
    assert_eq!((row.n_rows(), row.columns().len()), (1, 2));
}

#[test]
fn wide_tables_are_read() {
    let names: Vec<String> = (0..5000).map(|i| format!("column_{i}")).collect();
    let row: Vec<String> = (0..5000).map(|i| format!("{i}.5")).collect();
    let text = format!("{}\n{}\n{}\n", names.join(","), row.join(","), row.join(","));
    let table = read_bytes(text.as_bytes()).unwrap();
    assert_eq!(table.columns().len(), 5000);
    assert_eq!(cells(&table, "column_4999"), ["4999.5", "4999.5"]);
}

#[test]
fn many_levels_are_read() {
    let rows: String = (0..200_000).map(|i| format!("level {i},1\n")).collect();
    let table = read_bytes(format!("a,b\n{rows}").as_bytes()).unwrap();
    assert_eq!(cells(&table, "a")[199_999], "level 199999");
}

#[test]
fn a_huge_cell_is_read() {
    let huge = "x".repeat(5_000_000);
    let table = read_bytes(format!("a,b\n{huge},1\n\"{huge}\",2\n").as_bytes()).unwrap();
    assert_eq!(cells(&table, "a"), [huge.as_str(), huge.as_str()]);
}

/// A table long enough for several threads, of every kind of column.
fn long_table() -> String {
    let mut text = String::from("number,text,late text,code,gap\n");
    for row in 0..60_000 {
        let late = if row < 20_000 { "007".to_owned() } else { format!("name {}", row % 7) };
        let gap = if row % 3 == 0 { String::new() } else { format!("{row}") };
        let line =
            format!("{}.25,\"group, {}\",{late},{:05},{gap}\n", row * 31, row % 11, row % 50);
        text.push_str(&line);
    }
    text
}

#[test]
fn threads_change_nothing() {
    let text = long_table();
    let read = |threads| {
        let options = ReadOptions { threads: Some(threads), ..Default::default() };
        let table = read_with(text.as_bytes(), &options).unwrap();
        let names: Vec<String> = table.names().map(str::to_owned).collect();
        names.iter().map(|name| cells(&table, name)).collect::<Vec<_>>()
    };
    let one = read(1);
    assert_eq!((one[2][0].as_str(), one[2][59_999].as_str()), ("007", "name 2"));
    for threads in [2, 3, 16] {
        assert!(read(threads) == one, "{threads} threads");
    }
}

#[test]
fn the_first_problem_is_told_whatever_the_threads() {
    let late = long_table().replace("name 3", "na\0me").replacen("\"group, 4\"", "\"group\0\"", 1);
    let ragged = long_table() + "1,2\n";
    for threads in [1, 2, 5] {
        let options = ReadOptions { threads: Some(threads), ..Default::default() };
        let error = read_with(late.as_bytes(), &options).unwrap_err();
        assert_told(&error, &["NUL bytes", "line 6"]);
        let error = read_with(ragged.as_bytes(), &options).unwrap_err();
        assert_told(&error, &["2 cells where the header has 5", "line 60002"]);
    }
}
