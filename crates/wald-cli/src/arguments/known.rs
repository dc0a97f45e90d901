//! Values of options that are one of some words, which completions of shells offer.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use super::values::{BadValue, one_of};

/// Reads a value. Completions offer the words; refusals are those of the reader, which may also
/// accept other spellings.
#[derive(Debug, Clone)]
pub(crate) struct Known<F> {
    words: Vec<&'static str>,
    read: F,
}

/// Reads a value that is usually one of these words.
pub(crate) fn known<T, F>(words: Vec<&'static str>, read: F) -> Known<F>
where
    F: Fn(&str) -> Result<T, BadValue> + Clone + Send + Sync + 'static,
{
    Known { words, read }
}

/// Reads one of these words.
pub(crate) fn words<T: Copy + Send + Sync>(
    all: &'static [(&'static str, T)],
) -> Known<impl Fn(&str) -> Result<T, BadValue> + Clone + Send + Sync> {
    known(all.iter().map(|(word, _)| *word).collect(), move |text: &str| one_of(text, all))
}

/// Reads the word of one of these values.
pub(crate) fn by_id<T: Copy + Send + Sync>(
    all: &'static [T],
    id: fn(T) -> &'static str,
) -> Known<impl Fn(&str) -> Result<T, BadValue> + Clone + Send + Sync> {
    let read =
        move |text: &str| one_of(text, &all.iter().map(|one| (id(*one), *one)).collect::<Vec<_>>());
    known(all.iter().map(|one| id(*one)).collect(), read)
}

impl<T, F> TypedValueParser for Known<F>
where
    T: Clone + Send + Sync + 'static,
    F: Fn(&str) -> Result<T, BadValue> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        self.read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.words.iter().map(PossibleValue::new)))
    }
}
