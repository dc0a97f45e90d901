//! From the words users type to values; dashes and underscores are equal.

use std::time::Duration;

use clap::builder::TypedValueParser;
use wald::data::Task;
use wald::grouping::GroupRule;
use wald::parts::PartOf;
use wald::selection::PerStep;
use wald::{DecimalMark, ExplanationId, MeasureId, Threads};
use wald_table::{FrameFormat, Infinite, Missing};

use super::known::known;
use super::names::names;
use crate::markup::{Look, Markup};

/// Words at least this similar are suggested.
const SIMILAR: f64 = 0.75;

/// Why a value cannot be used, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BadValue {
    pub(crate) what: String,
    pub(crate) help: String,
}

impl std::fmt::Display for BadValue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.what)
    }
}

impl std::error::Error for BadValue {}

/// A measure, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    One(MeasureId),
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// To be read: on a terminal, or in a document.
    Table(Look),
    Json,
    /// All numbers, as a long table.
    Frame(FrameFormat),
}

/// How many variables trees of a population choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mtry {
    /// The best of so many.
    Best(usize),
    /// From 1 to all, one after the other.
    All,
}

impl Format {
    /// The same with this mark before decimals, where numbers are texts.
    pub(crate) fn with(self, decimal_mark: DecimalMark) -> Self {
        match self {
            Self::Table(look) => Self::Table(Look { decimal_mark, ..look }),
            Self::Frame(FrameFormat::Csv(_)) => Self::Frame(FrameFormat::Csv(decimal_mark)),
            Self::Json | Self::Frame(FrameFormat::Parquet) => self,
        }
    }
}

pub(super) const TABLE: (&str, Format) = ("table", Format::Table(Look::of(Markup::Plain)));
const MARKDOWN: (&str, Format) = ("md", Format::Table(Look::of(Markup::Markdown)));
const LATEX: (&str, Format) = ("latex", Format::Table(Look::of(Markup::Latex)));
const JSON: (&str, Format) = ("json", Format::Json);
const CSV: (&str, Format) = ("csv", Format::Frame(FrameFormat::Csv(DecimalMark::Point)));
const PARQUET: (&str, Format) = ("parquet", Format::Frame(FrameFormat::Parquet));
pub(crate) const FORMATS: &[(&str, Format)] = &[TABLE, JSON, CSV, PARQUET, MARKDOWN, LATEX];

pub(crate) const TASKS: &[(&str, Task)] =
    &[("regression", Task::Regression), ("classification", Task::Classification)];
pub(crate) const MISSING: &[(&str, Missing)] =
    &[("separate", Missing::Separate), ("omit", Missing::Omit)];
pub(crate) const INFINITE: &[(&str, Infinite)] =
    &[("refuse", Infinite::Refuse), ("keep", Infinite::Keep)];

impl Wanted {
    pub(crate) fn id(self) -> Option<MeasureId> {
        match self {
            Self::All => None,
            Self::One(id) => Some(id),
        }
    }
}

/// The measures and `all`, as users type them.
fn wanted_words() -> Vec<(&'static str, Wanted)> {
    let ids = MeasureId::ALL.iter().map(|id| (id.info().id, Wanted::One(*id)));
    ids.chain([("all", Wanted::All)]).collect()
}

/// The parser of measures.
pub(crate) fn measures() -> impl TypedValueParser<Value = Wanted> {
    known(wanted_words().iter().map(|(word, _)| *word).collect(), wanted)
}

/// The parser of local measures.
pub(crate) fn explanations() -> impl TypedValueParser<Value = ExplanationId> {
    known(ExplanationId::ALL.iter().map(|id| id.info().id).collect(), explanation)
}

/// The parser of global and local measures, by their names.
pub(crate) fn any_measures() -> impl TypedValueParser<Value = &'static str> {
    let mut words: Vec<&str> = MeasureId::ALL.iter().map(|id| id.info().id).collect();
    let local = ExplanationId::ALL.iter().map(|id| id.info().id);
    words.extend(local.filter(|id| MeasureId::parse(id).is_none()));
    known(words.clone(), move |text: &str| {
        let global = MeasureId::parse(text).map(|id| id.info().id);
        let local = || ExplanationId::parse(text).map(|id| id.info().id);
        if let Some(id) = global.or_else(local) {
            return Ok(id);
        }
        let known: Vec<(&str, &str)> = words.iter().map(|word| (*word, *word)).collect();
        one_of(text, &known)
    })
}

pub(crate) fn wanted(text: &str) -> Result<Wanted, BadValue> {
    // Aliases, too.
    if let Some(id) = MeasureId::parse(text) {
        return Ok(Wanted::One(id));
    }
    let help = match ExplanationId::parse(text) {
        Some(id) => format!("`{}` explains single rows: use `wald explain`", id.info().id),
        None => MeasureId::suggestion(text),
    };
    one_of(text, &wanted_words()).map_err(|bad| BadValue { help, ..bad })
}

pub(crate) fn explanation(text: &str) -> Result<ExplanationId, BadValue> {
    let words: Vec<(&str, ExplanationId)> =
        ExplanationId::ALL.iter().map(|id| (id.info().id, *id)).collect();
    let global = MeasureId::parse(text).map(|id| id.info().id);
    // Aliases of a measure are those of the local measure of its name.
    if let Some(id) = global.and_then(ExplanationId::parse) {
        return Ok(id);
    }
    let near = ExplanationId::suggestion(text);
    let of_forest = |id| format!("`{id}` is one value per variable: use `wald importance`");
    let help = match global {
        Some(id) if near.starts_with("use one of") => of_forest(id),
        Some(id) => format!("{near} {}", of_forest(id)),
        None => near,
    };
    one_of(text, &words).map_err(|bad| BadValue { help, ..bad })
}

/// `all`, or a number of variables.
pub(crate) fn mtry(text: &str) -> Result<Mtry, BadValue> {
    if text == "all" {
        return Ok(Mtry::All);
    }
    let help = "give from how many variables the best is taken, for example 3, or `all`";
    whole(text).map(Mtry::Best).map_err(|_| bad("is not a number of variables", help))
}

/// A number that may also be a word.
pub(crate) fn whole_or(text: &str, word: &str) -> Result<usize, BadValue> {
    let help = format!("give `{word}`, or a whole number, for example 20");
    whole(text).map_err(|_| bad(&format!("is neither `{word}` nor a whole number"), &help))
}

/// `NAME=a,b,c`.
pub(crate) fn group(text: &str) -> Result<(String, Vec<String>), BadValue> {
    let help = "write a name and the group's columns, as in `place=latitude,longitude`";
    let (name, columns) = text.split_once('=').ok_or_else(|| bad("is not a group", help))?;
    let columns: Vec<String> = names(columns)?.into();
    let columns: Vec<String> = columns.iter().map(|name| name.trim().to_owned()).collect();
    if name.trim().is_empty() || columns.iter().any(String::is_empty) {
        return Err(bad("has an empty name", help));
    }
    Ok((name.trim().to_owned(), columns))
}

/// `names`, `dependence` or `dependence=LEVEL`.
pub(crate) fn groups(text: &str) -> Result<GroupRule, BadValue> {
    let dependence = |threshold| GroupRule::Dependence { threshold };
    match text.split_once('=') {
        Some((rule, level)) if rule.trim().eq_ignore_ascii_case("dependence") => {
            Ok(dependence(number(level)?))
        }
        Some(_) => Err(bad("is not a rule", "name single groups with `--group NAME=A,B,...`")),
        None => one_of(text, &[("names", GroupRule::Names), ("dependence", dependence(0.7))]),
    }
}

/// The number of variables dropped per step: a whole number, a share below 1, or `auto`.
pub(crate) fn per_step(text: &str) -> Result<PerStep, BadValue> {
    let help =
        "give the number of variables dropped per step, their share, for example 0.2, or auto";
    if text.eq_ignore_ascii_case("auto") {
        return Ok(PerStep::Auto);
    }
    if let Ok(variables) = whole(text) {
        return Ok(PerStep::Variables(variables));
    }
    number(text).map(PerStep::Share).map_err(|_| bad("is not a number", help))
}

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<Threads, BadValue> {
    Threads::new(whole(text)?)
        .map_err(|error| BadValue { what: "is out of range".to_owned(), help: error.help() })
}

/// Which part of how many.
pub(crate) fn part(text: &str) -> Result<PartOf, BadValue> {
    text.parse().map_err(|error: wald::Error| bad("is no part", &error.help()))
}

/// A seed: any whole number of 64 bits.
pub(crate) fn seed(text: &str) -> Result<u64, BadValue> {
    let help = format!("give a whole number from 0 to {}", u64::MAX);
    text.parse().map_err(|_| bad("is not a seed", &help))
}

/// A count; also written as `1e4`.
pub(crate) fn whole(text: &str) -> Result<usize, BadValue> {
    let refusal = || bad("is not a whole number", "give a whole number, for example 100");
    if let Ok(count) = text.parse() {
        return Ok(count);
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit() || b".eE+".contains(&byte)) {
        return Err(refusal());
    }
    let number: f64 = text.parse().map_err(|_| refusal())?;
    if number.fract() == 0.0 { Ok(number as usize) } else { Err(refusal()) }
}

/// A finite number; the engine knows its range.
pub(crate) fn number(text: &str) -> Result<f64, BadValue> {
    let number: Option<f64> = text.parse().ok();
    let help = "give a number with a decimal point, for example 0.5";
    number.filter(|number| number.is_finite()).ok_or_else(|| bad("is not a number", help))
}

/// A time that is not negative.
pub(crate) fn seconds(text: &str) -> Result<Duration, BadValue> {
    let help = "give a number of seconds that is not negative, for example 60";
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| bad("is not a time", help))
}

pub(super) fn bad(what: &str, help: &str) -> BadValue {
    BadValue { what: what.to_owned(), help: help.to_owned() }
}

/// The value that a word stands for.
pub(super) fn one_of<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, BadValue> {
    let plain = text.trim().to_lowercase().replace('-', "_");
    if let Some((_, value)) = words.iter().find(|(word, _)| *word == plain) {
        return Ok(*value);
    }
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let help = match nearest(&plain, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of: {}", words.join(", ")),
    };
    Err(BadValue { what: "is not known".to_owned(), help })
}

/// The known word that was probably meant; of equally near ones the first.
fn nearest<'a>(text: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|word| {
            // A word that was only begun, such as `mda`, is the surest guess.
            let is_begun = text.len() > 1 && word.starts_with(text);
            (if is_begun { 2.0 } else { strsim::jaro_winkler(text, word) }, word)
        })
        .filter(|(score, _)| *score >= SIMILAR)
        // The first of the best.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_and_underscores_are_equal() {
        assert_eq!(wanted("mda-breiman_cutler"), Ok(Wanted::One(MeasureId::MdaBreimanCutler)));
        assert_eq!(wanted("permutation"), Ok(Wanted::One(MeasureId::MdaBreimanCutler)));
        assert_eq!(one_of("Parquet", FORMATS), Ok(Format::Frame(FrameFormat::Parquet)));
    }

    #[test]
    fn the_nearest_word_is_suggested() {
        let help = |text| wanted(text).map_err(|bad| bad.help);
        assert_eq!(help("sobolmda"), Err("did you mean `sobol_mda`?".to_owned()));
        assert_eq!(
            help("permutaton"),
            Err(
                "did you mean `mda_breiman_cutler`, `mda_train_test` or `conditional_permutation`?"
                    .to_owned()
            )
        );
        let format = |text| one_of(text, FORMATS).map_err(|bad| bad.help);
        assert_eq!(format("par"), Err("did you mean `parquet`?".to_owned()));
        assert!(help("zzz").is_err_and(|help| help.starts_with("use one of: mdi, ")));
    }

    #[test]
    fn times_are_not_negative() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["-1", "", "inf", "nan", "1e300", "soon"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_are_whole_and_not_negative() {
        assert_eq!(whole("500"), Ok(500));
        assert_eq!(whole("1e3"), Ok(1000));
        for text in ["-5", "1.5", "", "inf", "nan", "0x10", "1e-3", "five"] {
            assert!(whole(text).is_err(), "{text}");
        }
        assert_eq!(whole("1e18"), Ok(1_000_000_000_000_000_000));
    }

    #[test]
    fn seeds_have_64_bits() {
        assert_eq!(seed("18446744073709551615"), Ok(u64::MAX));
        for text in ["-1", "18446744073709551616", "x", "1.0"] {
            assert!(seed(text).is_err(), "{text}");
        }
    }
}
