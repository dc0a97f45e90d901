//! Column names, good and bad, and how options find them.

use wald_table::DesignOptions;

use crate::support::{assert_told, cells, prepare_with, prepare_y, read_bytes};

#[test]
fn bad_headers_are_told() {
    let error = read_bytes(b"a,b,a\n1,2,3\n").unwrap_err();
    assert_told(
        &error,
        &["columns 1 and 3 have the same name \"a\"", "line 1", "column a", "rename"],
    );
    let error = read_bytes(b"a,,c\n1,2,3\n").unwrap_err();
    assert_told(&error, &["column 2 of 3 has no name", "line 1", "row.names = FALSE"]);
    let error = read_bytes(b"\n\n,a,b\n1,2,3\n").unwrap_err();
    assert_told(&error, &["column 1 of 3 has no name", "line 3"]);
    let table = read_bytes(b"5.1,3.5\n4.9,3.0\n").unwrap();
    assert_eq!(table.notes(), ["all column names are numbers: is the header line missing?"]);
}

#[test]
fn odd_names_are_kept_and_escaped_in_messages() {
    let long = "n".repeat(10_000);
    let text =
        format!("🙂,שלום,\"two\nlines\",\u{1b}[31mred,{long},y\n1,2,3,x4,5,6\n2,3,4,5,6,7\n");
    let table = read_bytes(text.as_bytes()).unwrap();
    let names: Vec<&str> = table.names().collect();
    assert_eq!(names, ["🙂", "שלום", "two\nlines", "\u{1b}[31mred", long.as_str(), "y"]);
    assert_eq!(cells(&table, "two\nlines"), ["3", "4"]);
    let error = prepare_y(&text).unwrap_err();
    assert_told(&error, &["column \"\\u{1b}[31mred\" holds numbers", "line 3", "value x4"]);
}

#[test]
fn unknown_columns_come_with_a_suggestion() {
    let text = "Species,bill_length,mass\na,1,2\nb,2,3\n";
    let ask = |options: DesignOptions| prepare_with(text, &options).unwrap_err();
    let target = |name: &str| DesignOptions { target: Some(name.into()), ..Default::default() };
    assert_told(&ask(target("species")), &["no column \"species\"", "did you mean \"Species\"?"]);
    assert_told(&ask(target("bill_lenght")), &["did you mean \"bill_length\"?"]);
    assert_told(&ask(target("price")), &["the columns are \"Species\", \"bill_length\", \"mass\""]);
    let base = target("mass");
    let exclude = DesignOptions { exclude: vec!["bil_length".into()], ..base.clone() };
    assert_told(&ask(exclude), &["no column \"bil_length\"", "did you mean \"bill_length\"?"]);
    let categorical = DesignOptions { categorical: vec!["specie".into()], ..base.clone() };
    assert_told(&ask(categorical), &["did you mean \"Species\"?"]);
    let weights = DesignOptions { weights: Some("w".into()), ..base };
    assert_told(&ask(weights), &["no column \"w\"", "the columns are"]);
}

#[test]
fn formulas_choose_columns() {
    let text = "y,a,b,mean-radius,two words\n1,1,2,3,4\n2,2,3,4,5\n4,3,2,1,0\n";
    let names = |formula: &str| {
        let options = DesignOptions { formula: Some(formula.into()), ..Default::default() };
        prepare_with(text, &options).map(|prepared| prepared.dataset.features().names())
    };
    assert_eq!(names("y ~ .").unwrap(), ["a", "b", "mean-radius", "two words"]);
    assert_eq!(names("y ~ . - a").unwrap(), ["b", "mean-radius", "two words"]);
    assert_eq!(names("y ~ b + a").unwrap(), ["a", "b"]);
    assert_eq!(names("y ~ `mean-radius` + two words").unwrap(), ["mean-radius", "two words"]);
    assert_eq!(names("`two words` ~ y").unwrap(), ["y"]);
    assert_told(
        &names("y ~ mean-radius").unwrap_err(),
        &["no column \"mean\"", "backticks: `mean-radius`"],
    );
    assert_told(
        &names("y ~ log(a)").unwrap_err(),
        &["`log(a)` in the formula is not a column name"],
    );
    assert_told(
        &names("y ~ a*b").unwrap_err(),
        &["a forest finds transformations and interactions itself"],
    );
    assert_told(&names("y ~ a - 1").unwrap_err(), &["no intercept"]);
    assert_told(&names("y a").unwrap_err(), &["the formula cannot be read", "value y a"]);
    assert_eq!(names("y ~ c").unwrap_err().class.exit_code(), 3);
    assert_eq!(names("y ~").unwrap_err().class.exit_code(), 2);
}

#[test]
fn contradicting_roles_are_told() {
    let text = "y,a,b\n1,1,2\n2,2,3\n4,3,2\n";
    let ask = |options: DesignOptions| prepare_with(text, &options).unwrap_err();
    let y = DesignOptions { target: Some("y".into()), ..Default::default() };
    assert_told(&ask(DesignOptions::default()), &["no target is named", "`target`"]);
    let both = DesignOptions { formula: Some("a ~ .".into()), ..y.clone() };
    assert_told(&ask(both), &["the target is \"y\", but the formula predicts \"a\""]);
    let excluded = DesignOptions { exclude: vec!["y".into()], ..y.clone() };
    assert_told(&ask(excluded), &["the target \"y\" is excluded"]);
    let weights = DesignOptions { weights: Some("y".into()), ..y.clone() };
    assert_told(&ask(weights), &["cannot be the target and weights at once"]);
    let nothing = DesignOptions { exclude: vec!["a".into(), "b".into()], ..y.clone() };
    assert_told(&ask(nothing), &["no input variable besides the target \"y\""]);
    let itself = DesignOptions { formula: Some("y ~ y + a".into()), ..y };
    assert_told(&ask(itself), &["cannot be the target and an input variable at once"]);
    assert_told(&prepare_y("y\n1\n2\n").unwrap_err(), &["no input variable"]);
}
