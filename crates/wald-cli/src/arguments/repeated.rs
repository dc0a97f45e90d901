//! The words of a command that another one on the same table and forest repeats.

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory};

use super::Cli;

/// The words of a command that are about its table, groups, forest and seed, as far as the command
/// `id` takes them; `None` for words that are no command. The target is named also where a stored
/// forest has named it.
pub(crate) fn repeated(
    words: impl Iterator<Item = OsString>,
    id: &str,
    target: Option<&str>,
) -> Option<Vec<String>> {
    let cli = Cli::command();
    let matches = cli.clone().try_get_matches_from(words).ok()?;
    let (name, matches) = matches.subcommand()?;
    let (this, other) = (cli.find_subcommand(name)?, cli.find_subcommand(id)?);
    let is_taken = |argument: &&Arg| {
        let of_other = other.get_arguments().find(|known| known.get_id() == argument.get_id());
        // Commands that grow forests of their own hide the option of a stored one.
        of_other.is_some_and(|known| !known.is_hide_set()) && is_repeated(argument)
    };
    let given = this.get_arguments().filter(is_taken).filter(|argument| {
        matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
    });
    // Positional arguments come first, as they do in the help.
    let (first, options): (Vec<&Arg>, Vec<&Arg>) = given.partition(|given| given.is_positional());
    let is_named = ["target", "formula"].iter().any(|id| matches.contains_id(id));
    let target = target.filter(|_| !is_named);
    let named = target.into_iter().flat_map(|target| ["--target".to_owned(), target.to_owned()]);
    let typed = |given| typed(given, matches);
    Some(
        first
            .into_iter()
            .flat_map(typed)
            .chain(named)
            .chain(options.into_iter().flat_map(typed))
            .collect(),
    )
}

fn is_repeated(argument: &Arg) -> bool {
    argument.is_positional()
        || matches!(argument.get_help_heading(), Some("Data" | "Forest"))
        || matches!(argument.get_id().as_str(), "group" | "group_by" | "seed" | "forest")
}

/// An argument as it was typed.
fn typed(argument: &Arg, matches: &ArgMatches) -> Vec<String> {
    let long = argument.get_long().map(|long| format!("--{long}"));
    let Some(long) = long.filter(|_| argument.get_action().takes_values()) else {
        let values = matches.get_raw(argument.get_id().as_str()).into_iter().flatten();
        let values = values.map(|value| value.to_string_lossy().into_owned());
        return if argument.is_positional() { values.collect() } else { long_only(argument) };
    };
    let occurrences = matches.get_raw_occurrences(argument.get_id().as_str()).into_iter().flatten();
    let joined = occurrences.map(|values| {
        let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
        values.join(",")
    });
    joined.flat_map(|value| [long.clone(), value]).collect()
}

fn long_only(argument: &Arg) -> Vec<String> {
    argument.get_long().map(|long| format!("--{long}")).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str, id: &str) -> Option<String> {
        let words = line.split(' ').map(|word| OsString::from(word.replace('_', " ")));
        repeated(words, id, Some("z")).map(|words| words.join(" "))
    }

    #[test]
    fn commands_keep_the_table_and_the_forest() {
        let line = "wald advise a.csv y_~_._-_b --weights w --exclude c,d --trees 20 --seed 3 \
                    --stratify --level .1 --group g=a,b --group h=e,f --quiet -o x.json";
        let kept = "a.csv y ~ . - b --exclude c,d --weights w --group g=a,b --group h=e,f --trees 20 \
                    --stratify --seed 3";
        assert_eq!(of(line, "select").as_deref(), Some(kept));
        let stored = "wald report a.csv --forest a.forest --measure mdi";
        assert_eq!(of(stored, "importance").as_deref(), Some("a.csv --target z --forest a.forest"));
        assert_eq!(of(stored, "select").as_deref(), Some("a.csv --target z"));
        assert_eq!(of("cargo test", "select"), None);
    }
}
