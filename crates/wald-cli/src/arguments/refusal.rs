//! Refusals of the command line parser, in the shape of all other messages.

use std::error::Error as _;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use wald::words::listed;

use super::Cli;
use super::values::BadValue;
use crate::failure::Failure;

/// Options of commands that have a picture.
const PICTURES: [&str; 3] = ["--svg", "--pdf", "--png"];

/// The commands that have a picture, in words.
fn with_pictures() -> String {
    let cli = Cli::command();
    let has_picture = |command: &&clap::Command| {
        command.get_arguments().any(|argument| argument.get_id() == "svg")
    };
    let names: Vec<String> = cli
        .get_subcommands()
        .filter(has_picture)
        .map(|command| format!("`wald {}`", command.get_name()))
        .collect();
    listed(&names, "and")
}

/// What is wrong with the command line.
pub(crate) fn failure(error: &clap::Error) -> Failure {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    };
    let argument = text(ContextKind::InvalidArg);
    // `--trees <N>` is the option `--trees`, and `[DESIGN]` the word DESIGN.
    let option = argument.split([' ', '=']).next().unwrap_or_default();
    let option = option.trim_matches(['[', ']', '<', '>', '.']);
    let see_help = see_help();
    let see_help = see_help.as_str();
    let suggestion = |kind| match text(kind) {
        near if near.is_empty() => see_help.to_owned(),
        near => format!("did you mean `{near}`?"),
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let what = "there is no such command";
            Failure::usage(what, suggestion(ContextKind::SuggestedSubcommand))
                .value(&text(ContextKind::InvalidSubcommand))
        }
        ErrorKind::UnknownArgument => {
            let what = format!("there is no option `{option}` here");
            let what =
                if option.starts_with('-') { what } else { "there is one word too many".into() };
            let help = match option {
                "--explain" => "`wald --explain MEASURE` describes a measure".to_owned(),
                _ if PICTURES.contains(&option) => {
                    format!("there are pictures of {}", with_pictures())
                }
                _ => suggestion(ContextKind::SuggestedArg),
            };
            let failure = Failure::usage(what, help);
            if option.starts_with('-') { failure } else { failure.value(&argument) }
        }
        ErrorKind::MissingRequiredArgument => {
            let are = if argument.contains(", ") { "are" } else { "is" };
            let what = format!("`{}` {are} missing", argument.replace(", ", "`, `"));
            Failure::usage(what, see_help)
        }
        ErrorKind::ArgumentConflict => conflict(&argument, &text(ContextKind::PriorArg)),
        ErrorKind::ValueValidation => {
            let bad = error.source().and_then(|source| source.downcast_ref::<BadValue>());
            let (what, help) = match bad {
                Some(bad) => (bad.what.as_str(), bad.help.as_str()),
                None => ("cannot be understood", see_help),
            };
            Failure::usage(format!("the value of `{option}` {what}"), help)
                .value(&text(ContextKind::InvalidValue))
        }
        ErrorKind::InvalidValue => {
            let what = format!("`{option}` needs a value");
            Failure::usage(what, see_help)
        }
        _ => {
            let shown = error.to_string();
            let first = shown.lines().next().unwrap_or_default();
            Failure::usage(first.strip_prefix("error: ").unwrap_or(first), see_help)
        }
    }
}

/// Where to look: the help of the command that was typed, if there is such a command.
fn see_help() -> String {
    let word = std::env::args_os().nth(1).unwrap_or_default();
    let is_command = Cli::command().find_subcommand(&word).is_some();
    if is_command {
        format!("see `wald {} --help`", word.to_string_lossy())
    } else {
        "see `wald --help`".to_owned()
    }
}

/// Two options that do not go together, or one that is given twice.
fn conflict(argument: &str, prior: &str) -> Failure {
    let option = |text: &str| text.split([' ', '=']).next().unwrap_or_default().to_owned();
    if argument.is_empty() || prior.is_empty() {
        // The other one is a command.
        let what = format!("`{}{}` does not go with a command", option(argument), option(prior));
        return Failure::usage(what, "leave out the one or the other");
    }
    if argument == prior {
        let what = format!("`{}` is given twice", option(argument));
        return Failure::usage(what, "leave out one of the two");
    }
    // Of a group of options the parser names all; those that were given are meant.
    let is_given = |option: &String| {
        let mut words = std::env::args_os();
        words.any(|word| word.to_string_lossy().split('=').next() == Some(option))
    };
    let others: Vec<String> = prior.split(", ").map(option).filter(is_given).collect();
    let others = if others.is_empty() { prior.to_owned() } else { others.join("`, `") };
    let what = format!("`{}` and `{others}` exclude each other", option(argument));
    Failure::usage(what, "leave out the one or the other")
}
