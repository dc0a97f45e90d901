//! Settings and procedures in the words of the command line: options and commands.

use std::iter::once;

use wald::message::{Form, Mention, Procedure, Setting, Value, Wording};

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
            Form::Value(Value::Column(column)) => format!("`{option} {}`", quoted(column)),
        })
    }

    fn procedure(&self, procedure: &Procedure) -> String {
        let words = once(procedure.id.to_owned()).chain(options(procedure));
        format!("`{}`", command_line(words))
    }

    fn line(&self, procedure: &Procedure) -> String {
        let words = [procedure.id, "DATA", "--target", "TARGET"].map(str::to_owned);
        command_line(words.into_iter().chain(options(procedure)))
    }
}

/// The options that give the method and the measure of a procedure.
pub(crate) fn options(procedure: &Procedure) -> impl Iterator<Item = String> {
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
    use wald::{message, setting};

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
        let line = CommandLine.line(&Procedure::of("select", "mdi"));
        assert_eq!(line, "wald select DATA --target TARGET --measure mdi");
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
