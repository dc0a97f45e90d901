//! Quick versions of all commands.

mod advice;
mod benard;
mod inference;
mod li;
mod louppe;
mod masking;

use assert_cmd::Command;
use serde_json::Value;

/// The program.
fn program() -> Command {
    Command::cargo_bin("wald-papers").expect("the program is built")
}

/// What a command finds, as data.
fn found(arguments: &str) -> Value {
    let output = program().args(arguments.split_whitespace()).arg("--json").assert().success();
    serde_json::from_slice(&output.get_output().stdout).expect("JSON")
}

/// Value and standard error of a cell of the comparisons.
fn cell(found: &Value, quantity: &str, item: &str) -> (f64, f64) {
    let tables = found["comparisons"].as_array().expect("tables");
    let mut rows = tables.iter().flat_map(|table| table["rows"].as_array().expect("rows"));
    let row = rows
        .rfind(|row| row["quantity"] == quantity && row["item"] == item)
        .unwrap_or_else(|| panic!("no {quantity} of {item}"));
    (row["value"].as_f64().expect("a value"), row["standard_error"].as_f64().unwrap_or(0.0))
}

/// Whether the claim that contains some words holds.
fn holds(found: &Value, words: &str) -> bool {
    let claims = found["claims"].as_array().expect("claims");
    let claim = claims
        .iter()
        .find(|claim| claim["statement"].as_str().is_some_and(|text| text.contains(words)))
        .unwrap_or_else(|| panic!("no claim on {words}"));
    claim["holds"].as_bool().expect("a verdict")
}

#[test]
fn unknown_commands_are_refused() {
    let output = program().arg("benard-table-9").assert().code(2);
    assert!(output.get_output().stdout.is_empty());
}

#[test]
fn tables_and_json_say_the_same() {
    let text = program().args(["benard-limits", "--draws", "100"]).assert().success();
    let text = String::from_utf8_lossy(&text.get_output().stdout).into_owned();
    let (value, _) = cell(&found("benard-limits --draws 100"), "BC*", "X4");
    assert!(text.contains(&format!("{value:.6}")), "{value} is not in\n{text}");
}
