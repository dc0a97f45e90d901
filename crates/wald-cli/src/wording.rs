//! Settings and procedures in the words of the command line: options and commands.

use std::iter::once;

use wald::message::{Form, Mention, Procedure, Setting, Value, Wording};
use wald::setting;

/// Settings whose options take lists of names.
const LISTS: [Setting; 5] = [
    setting::CATEGORICAL,
    setting::DECREASING,
    setting::EXCLUDE,
    setting::INCREASING,
    setting::NUMERIC,
];

/// The words of the command line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommandLine;

/// The option that gives a setting.
fn option(setting: Setting) -> String {
    format!("--{}", long(setting.id()))
}

impl Wording for CommandLine {
    fn setting(&self, mention: &Mention) -> Option<String> {
        let option = option(mention.setting);
        Some(match &mention.form {
            Form::Name | Form::Given | Form::Value(Value::Yes) => format!("`{option}`"),
            Form::Value(Value::Number(number)) => format!("`{option} {number}`"),
            Form::Value(Value::Word(word)) => format!("`{option} {word}`"),
            Form::Value(Value::Column(column)) => {
                let is_listed = LISTS.contains(&mention.setting);
                let name = if is_listed { listed(column) } else { column.to_string() };
                format!("`{option} {}`", quoted(&name))
            }
        })
    }

    fn procedure(&self, procedure: &Procedure) -> String {
        let words = once(procedure.id.to_owned()).chain(options(procedure));
        format!("`{}`", command_line(words))
    }

    fn line(&self, procedure: &Procedure) -> String {
        let words = ["DATA", "--target", "TARGET"].map(str::to_owned);
        on_table(procedure, words.to_vec())
    }
}

/// A command with words about the table, its target and a forest. Capital letters stand for what only
/// users know.
pub(crate) fn on_table(procedure: &Procedure, mut words: Vec<String>) -> String {
    let mut more: Vec<String> = Vec::new();
    match procedure.id {
        "compare" => more.extend(["--second", "OTHER"].map(str::to_owned)),
        // The table is that of the quantiles; rows to predict and forest come first.
        "predict" => {
            let place = words.iter().position(|word| word == "--forest");
            let forest = place.and_then(|at| words.drain(at..at + 2).nth(1));
            let forest = forest.unwrap_or_else(|| "FOREST".to_owned());
            words.splice(0..0, [forest, "NEW".to_owned(), "--training".to_owned()]);
            more.extend(["--quantiles", "0.05,0.95"].map(str::to_owned));
        }
        _ => more.extend(options(procedure)),
    }
    command_line(once(procedure.id.to_owned()).chain(words).chain(more))
}

/// The options that give the method and the measure of a procedure.
fn options(procedure: &Procedure) -> impl Iterator<Item = String> {
    let given = [("--method", procedure.method), ("--measure", procedure.measure.as_deref())];
    let given = given.into_iter().filter_map(|(option, value)| Some([option, value?]));
    given.flatten().map(str::to_owned)
}

/// A command of wald's with these words, quoted for a shell.
pub(crate) fn command_line(words: impl Iterator<Item = String>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    let mut line = "wald".to_owned();
    for word in words {
        line.push(' ');
        if !word.is_empty() && word.chars().all(is_plain) {
            line.push_str(&word);
        } else {
            line.push_str(&format!("'{}'", word.replace('\'', "'\\''")));
        }
    }
    line
}

/// The name of a column in a list.
fn listed(name: &str) -> String {
    if name.contains(',') || name.trim_start().starts_with('"') {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// The name of a column as the value of an option, quoted where a shell needs it.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ':' | '/');
    if name.chars().all(is_plain) { name.to_owned() } else { format!("'{name}'") }
}

/// The name of an option after its two dashes.
pub(crate) fn long(id: &str) -> String {
    id.replace('_', "-")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use wald::message;

    use super::*;
    use crate::arguments::Cli;

    #[test]
    fn words_are_quoted() {
        let words = ["report", "my data.csv", "y ~ .", "it's", ""].map(str::to_owned);
        let line = command_line(words.into_iter());
        assert_eq!(line, "wald report 'my data.csv' 'y ~ .' 'it'\\''s' ''");
    }

    #[test]
    fn settings_are_options() {
        let message = message!(
            "use ",
            setting::CATEGORICAL.column("my age"),
            " or ",
            setting::TASK.word("regression"),
            setting::BACKGROUND_ROWS.hint(),
            "; ",
            Procedure::of("explain", "pdp")
        );
        assert_eq!(
            message.worded(&CommandLine),
            "use `--categorical 'my age'` or `--task regression` (`--background-rows`); \
             `wald explain --measure pdp`"
        );
        let message = message!(setting::NUMERIC.column("a,b"), ", ", setting::TARGET.column("a,b"));
        let words = message.worded(&CommandLine);
        assert_eq!(words, "`--numeric '\"a,b\"'`, `--target 'a,b'`");
        let line = CommandLine.line(&Procedure::of("select", "mdi"));
        assert_eq!(line, "wald select DATA --target TARGET --measure mdi");
        let line = CommandLine.line(&Procedure::new("compare"));
        assert_eq!(line, "wald compare DATA --target TARGET --second OTHER");
        let words =
            ["t.csv", "--target", "y", "--forest", "f", "--weights", "w"].map(str::to_owned);
        assert_eq!(
            on_table(&Procedure::new("predict").by("quantiles"), words.to_vec()),
            "wald predict f NEW --training t.csv --target y --weights w --quantiles 0.05,0.95"
        );
    }

    #[test]
    fn every_setting_is_an_option_of_a_command() {
        let cli = Cli::command();
        let options: Vec<String> = cli
            .get_subcommands()
            .flat_map(clap::Command::get_arguments)
            .filter_map(|argument| argument.get_long().map(|long| format!("--{long}")))
            .collect();
        for &setting in setting::ALL {
            let option = option(setting);
            assert!(options.contains(&option), "there is no option {option}");
        }
    }
}
