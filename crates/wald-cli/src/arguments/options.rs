//! The options of forests and of global and local measures, from their own declarations.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use wald::explain::ExplanationOption;
use wald::measure::MeasureOption;
use wald::options::{OptionValue, Options, ValueKind};

use super::known::known;
use super::names::names;
use super::values::{self, BadValue};
use crate::failure::Failure;
use crate::wording::long;

/// Options that had another name, which still works.
const FORMER_NAMES: &[(&str, &str)] =
    &[("conditioning_threshold", "association"), ("aggregate", "summary")];

/// Former values of options, with those of today.
const FORMER_WORDS: &[(&str, &str)] =
    &[("absolute", "mean_abs"), ("signed", "mean"), ("target", "covariance")];

/// Options of which some are on the command line.
pub(crate) trait Offered: Options {
    /// Those that another argument gives: the impurity and the seed of the forest.
    const ELSEWHERE: &'static [Self];

    /// The value where none is given, if it is not that of the engine.
    fn default_here(self) -> Option<&'static str> {
        None
    }

    /// The value where none is given, as help shows it.
    fn default_in_words(self) -> &'static str {
        self.default_here().unwrap_or(self.info().default)
    }

    /// The option that cannot be given with it.
    fn excluded(self) -> Option<Self> {
        None
    }

    /// Those that the command line offers.
    fn offered() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|option| !Self::ELSEWHERE.contains(option))
    }
}

impl Offered for MeasureOption {
    const ELSEWHERE: &'static [Self] = &[Self::Impurity];

    fn excluded(self) -> Option<Self> {
        (self == Self::Background).then_some(Self::BackgroundRows)
    }
}

impl Offered for ExplanationOption {
    const ELSEWHERE: &'static [Self] = &[Self::Impurity, Self::Seed];

    fn default_here(self) -> Option<&'static str> {
        // Curves of a hundred values are drawn; exact ones may have a value per row.
        (self == Self::Grid).then_some("100")
    }

    fn default_in_words(self) -> &'static str {
        if self == Self::Grid {
            return "100, of ale 41";
        }
        self.default_here().unwrap_or(self.info().default)
    }

    fn excluded(self) -> Option<Self> {
        (self == Self::Background).then_some(Self::BackgroundRows)
    }
}

/// The options that were given.
#[derive(Debug)]
pub(crate) struct OptionArguments<O> {
    given: Vec<(O, OptionValue)>,
    tables: Vec<(O, PathBuf)>,
}

impl<O: Offered> OptionArguments<O> {
    /// The settings; without tables, which are not read yet.
    pub(super) fn settings(&self) -> Result<O::Settings, Failure> {
        self.changed(O::Settings::default())
    }

    /// Settings with what was given.
    pub(super) fn changed(&self, mut settings: O::Settings) -> Result<O::Settings, Failure> {
        for option in O::offered() {
            if let Some(text) = option.default_here() {
                let kind = option.info().kind;
                let default =
                    value(&kind, text).map_err(|bad| Failure::usage(bad.what, bad.help))?;
                option.set(&mut settings, default)?;
            }
        }
        for (option, value) in &self.given {
            option.set(&mut settings, value.clone())?;
        }
        Ok(settings)
    }

    /// The table of an option that takes one.
    pub(crate) fn table(&self, option: O) -> Option<&Path> {
        let mut tables = self.tables.iter();
        tables.find(|(of, _)| *of == option).map(|(_, path)| path.as_path())
    }

    /// The value that an option was given, unless it takes a table.
    pub(super) fn value(&self, option: O) -> Option<&OptionValue> {
        self.given.iter().find(|(of, _)| *of == option).map(|(_, value)| value)
    }

    /// All options that were given.
    pub(super) fn given(&self) -> impl Iterator<Item = O> {
        let tables = self.tables.iter().map(|(option, _)| *option);
        self.given.iter().map(|(option, _)| *option).chain(tables)
    }

    fn read(matches: &ArgMatches) -> Self {
        let (mut given, mut tables) = (Vec::new(), Vec::new());
        for option in O::offered() {
            let info = option.info();
            match info.kind {
                ValueKind::Table | ValueKind::TableWithTarget => {
                    let path = matches.get_one::<PathBuf>(info.id).cloned();
                    tables.extend(path.map(|path| (option, path)));
                }
                ValueKind::Flag => {
                    let is_given = matches.get_flag(info.id);
                    given.extend(is_given.then_some((option, OptionValue::Flag(true))));
                }
                _ => {
                    let value = matches.get_one::<OptionValue>(info.id).cloned();
                    given.extend(value.map(|value| (option, value)));
                }
            }
        }
        Self { given, tables }
    }
}

impl<O: Offered> FromArgMatches for OptionArguments<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self::read(matches))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::read(matches);
        Ok(())
    }
}

impl<O: Offered> Args for OptionArguments<O> {
    fn augment_args(command: Command) -> Command {
        O::offered().fold(command, |command, option| command.arg(argument(option)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn argument(option: impl Offered) -> Arg {
    let info = option.info();
    let mut help = info.help.trim_end_matches('.').to_owned();
    if let ValueKind::Word(words) = &info.kind
        && !words.iter().all(|word| help.contains(&long(word)))
    {
        help += &format!(" [possible values: {}]", words.join(", "));
    }
    if info.kind == ValueKind::Names {
        help += ", separated by commas (names with commas in double quotes)";
    }
    let default = option.default_in_words();
    if !default.is_empty() {
        help += &format!(" [default: {default}]");
    }
    let former = FORMER_NAMES.iter().find(|(id, _)| *id == info.id);
    let argument = Arg::new(info.id).long(long(info.id)).help(help);
    let argument = former.map_or(argument.clone(), |(_, former)| argument.alias(*former));
    let argument = match option.excluded() {
        Some(other) => argument.conflicts_with(other.id()),
        None => argument,
    };
    let argument = match info.kind {
        ValueKind::Flag => return argument.action(ArgAction::SetTrue),
        _ => argument.value_name(info.placeholder),
    };
    match info.kind.clone() {
        ValueKind::Table | ValueKind::TableWithTarget => {
            argument.value_parser(clap::value_parser!(PathBuf))
        }
        ValueKind::Word(words) => {
            let kind = ValueKind::Word(words.clone());
            argument.value_parser(known(words, move |text: &str| value(&kind, text)))
        }
        kind => argument.value_parser(move |text: &str| value(&kind, text)),
    }
}

/// The value that a text stands for.
fn value(kind: &ValueKind, text: &str) -> Result<OptionValue, BadValue> {
    let whole = |number: usize| OptionValue::Whole(number as u64);
    Ok(match kind {
        ValueKind::Whole => whole(values::whole(text)?),
        ValueKind::WholeOr(word) if text == *word => OptionValue::Word(text.to_owned()),
        ValueKind::WholeOr(word) => whole(values::whole_or(text, word)?),
        ValueKind::Seconds => OptionValue::Number(values::seconds(text)?.as_secs_f64()),
        ValueKind::Word(words) => {
            let is_former =
                |(former, word): &&(&str, &str)| text == *former && words.contains(word);
            let text = FORMER_WORDS.iter().find(is_former).map_or(text, |(_, word)| word);
            let words: Vec<_> = words.iter().map(|word| (*word, *word)).collect();
            OptionValue::Word(values::one_of(text, &words)?.to_owned())
        }
        ValueKind::Names => OptionValue::Names(names(text)?.into()),
        ValueKind::Number => OptionValue::Number(values::number(text)?),
        ValueKind::Flag | ValueKind::Table | ValueKind::TableWithTarget => {
            OptionValue::Word(text.to_owned())
        }
    })
}
