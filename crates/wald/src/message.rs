//! Messages that name settings and procedures, which every front words in its own way.
//!
//! The command line has `--background-rows`, Python `background_rows=`. A [`Message`] therefore holds
//! its words and, between them, the [`Setting`]s and [`Procedure`]s that it names; a [`Wording`] makes
//! text of both. A setting has no `Display`, so that none gets into a text unseen: `message!` joins
//! whatever can be displayed with what fronts word.
//!
//! ```
//! use wald::message;
//! use wald::message::Neutral;
//! use wald::setting;
//!
//! let n = 3;
//! let help = message!("give at least ", n, setting::TEST.hint(), ", or leave ", setting::LOSS, " out");
//! assert_eq!(help.worded(&Neutral), "give at least 3 (`test`), or leave `loss` out");
//! ```

use std::fmt;

/// A setting of forests, measures, procedures or tables, by its identifier such as
/// `background_rows`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setting(&'static str);

impl Setting {
    /// A setting by its identifier: lower-case letters, digits and underscores.
    ///
    /// # Panics
    /// For other characters; constants do not compile then.
    pub const fn new(id: &'static str) -> Self {
        let mut at = 0;
        while at < id.len() {
            let byte = id.as_bytes()[at];
            assert!(
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_',
                "not the identifier of a setting"
            );
            at += 1;
        }
        Self(id)
    }

    /// Its identifier.
    pub const fn id(self) -> &'static str {
        self.0
    }

    /// The setting as the subject of a sentence: `mtry` is 12.
    pub fn name(self) -> Mention {
        Mention { setting: self, form: Form::Name }
    }

    /// The setting with a value to give.
    pub fn to(self, value: Value) -> Mention {
        Mention { setting: self, form: Form::Value(value) }
    }

    /// The setting with a column as its value; the name is to be safe to print.
    pub fn column(self, name: &str) -> Mention {
        self.to(Value::Column(name.into()))
    }

    /// The setting with one of the words that it knows.
    pub fn word(self, word: &'static str) -> Mention {
        self.to(Value::Word(word))
    }

    /// The setting in parentheses, after the words that describe what it is for; left out by
    /// fronts that do not have it.
    pub fn hint(self) -> Hint {
        Hint(Mention { setting: self, form: Form::Given })
    }
}

/// A setting in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The setting.
    pub setting: Setting,
    /// How it is mentioned.
    pub form: Form,
}

impl Mention {
    /// The same in parentheses, as [`Setting::hint`].
    pub fn hint(self) -> Hint {
        Hint(self)
    }
}

/// How a setting is mentioned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// Its name alone, as the subject of a sentence.
    Name,
    /// As something to give or leave out, whatever its value.
    Given,
    /// With a value.
    Value(Value),
}

/// A value of a setting in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Switched on.
    Yes,
    /// A number.
    Number(usize),
    /// One of the words that the setting knows.
    Word(&'static str),
    /// The name of a column, safe to print.
    Column(Box<str>),
}

/// A setting in parentheses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint(Mention);

/// Something that users run: a command of the command line, a function or method elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Procedure {
    /// Its identifier, such as `uncertainty`.
    pub id: &'static str,
    /// Which of its methods, where it has several and not the default is meant.
    pub method: Option<&'static str>,
    /// The measure that it is run with, where that matters.
    pub measure: Option<Box<str>>,
}

impl Procedure {
    /// A procedure, whatever its settings.
    pub const fn new(id: &'static str) -> Self {
        Self { id, method: None, measure: None }
    }

    /// The procedure with a measure.
    pub fn of(id: &'static str, measure: &str) -> Self {
        Self { id, method: None, measure: Some(measure.into()) }
    }

    /// The same by another method than the default.
    #[must_use]
    pub fn by(self, method: &'static str) -> Self {
        Self { method: Some(method), ..self }
    }
}

/// How a front words settings and procedures.
pub trait Wording: fmt::Debug + Sync {
    /// A setting, with the quotes or backticks around it; `None` where the front does not have it.
    fn setting(&self, mention: &Mention) -> Option<String>;

    /// A procedure within a sentence, with its quotes or backticks.
    fn procedure(&self, procedure: &Procedure) -> String;

    /// A procedure as a line that users can run on the data at hand.
    fn line(&self, procedure: &Procedure) -> String;

    /// Whether its procedures measure tables, and not forests that exist alone.
    fn measures_tables(&self) -> bool {
        true
    }
}

/// The wording of no front in particular: identifiers between backticks.
#[derive(Debug, Clone, Copy)]
pub struct Neutral;

impl Wording for Neutral {
    fn setting(&self, mention: &Mention) -> Option<String> {
        let id = mention.setting.id();
        Some(match &mention.form {
            Form::Name | Form::Given | Form::Value(Value::Yes) => format!("`{id}`"),
            Form::Value(Value::Number(number)) => format!("`{id} = {number}`"),
            Form::Value(Value::Word(word)) => format!("`{id} = {word}`"),
            Form::Value(Value::Column(column)) => format!("`{id} = \"{column}\"`"),
        })
    }

    fn procedure(&self, procedure: &Procedure) -> String {
        format!("`{}`", self.line(procedure))
    }

    fn line(&self, Procedure { id, method, measure }: &Procedure) -> String {
        let words = [Some(*id), *method, measure.as_deref()];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// A sentence for users, of words and of what fronts word.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Message(Box<[Piece]>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Words(Box<str>),
    Setting(Mention),
    Hint(Mention),
    Procedure(Procedure),
    OfTables(Message),
}

impl Message {
    /// The message of these parts, one after the other; see [`message!`](crate::message!).
    pub fn of(parts: impl IntoIterator<Item = Message>) -> Self {
        let mut pieces: Vec<Piece> = Vec::new();
        for piece in parts.into_iter().flat_map(|part| part.0) {
            match (pieces.last_mut(), piece) {
                (Some(Piece::Words(before)), Piece::Words(words)) => {
                    *before = format!("{before}{words}").into();
                }
                (_, piece) => pieces.push(piece),
            }
        }
        Self(pieces.into())
    }

    /// The text of a front.
    pub fn worded(&self, wording: &dyn Wording) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => words.to_string(),
            Piece::Setting(mention) => {
                let named = wording.setting(mention).or_else(|| Neutral.setting(mention));
                named.unwrap_or_default()
            }
            Piece::Hint(mention) => {
                wording.setting(mention).map_or_else(String::new, |named| format!(" ({named})"))
            }
            Piece::Procedure(procedure) => wording.procedure(procedure),
            Piece::OfTables(message) if wording.measures_tables() => message.worded(wording),
            Piece::OfTables(_) => String::new(),
        };
        self.0.iter().map(piece).collect()
    }

    /// The same, left out by fronts whose procedures take forests that exist.
    #[must_use]
    pub fn of_tables(self) -> Self {
        Self::one(Piece::OfTables(self))
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same with its words changed, for example escaped; settings and procedures stay.
    #[must_use]
    pub fn map_words(self, change: &dyn Fn(&str) -> String) -> Self {
        let changed = |piece| match piece {
            Piece::Words(words) => Piece::Words(change(&words).into()),
            Piece::OfTables(message) => Piece::OfTables(message.map_words(change)),
            named => named,
        };
        Self(self.0.into_iter().map(changed).collect())
    }

    /// Whether the text without a front's words contains `words`.
    pub fn contains(&self, words: &str) -> bool {
        self.worded(&Neutral).contains(words)
    }

    fn one(piece: Piece) -> Self {
        Self(Box::new([piece]))
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.worded(&Neutral), formatter)
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, text: &&str) -> bool {
        self.worded(&Neutral) == *text
    }
}

impl From<&str> for Message {
    fn from(words: &str) -> Self {
        if words.is_empty() { Self::default() } else { Self::one(Piece::Words(words.into())) }
    }
}

impl From<String> for Message {
    fn from(words: String) -> Self {
        words.as_str().into()
    }
}

impl From<&String> for Message {
    fn from(words: &String) -> Self {
        words.as_str().into()
    }
}

/// What `message!` joins: whatever can be displayed, and what fronts word.
pub trait Part {
    /// The message of this part alone.
    fn part(self) -> Message;
}

impl<T: fmt::Display> Part for T {
    fn part(self) -> Message {
        self.to_string().into()
    }
}

impl Part for Message {
    fn part(self) -> Message {
        self
    }
}

impl Part for Setting {
    fn part(self) -> Message {
        Mention { setting: self, form: Form::Given }.part()
    }
}

impl Part for Mention {
    fn part(self) -> Message {
        Message::one(Piece::Setting(self))
    }
}

impl Part for Hint {
    fn part(self) -> Message {
        Message::one(Piece::Hint(self.0))
    }
}

impl Part for Procedure {
    fn part(self) -> Message {
        Message::one(Piece::Procedure(self))
    }
}

/// Joins parts to a [`Message`](crate::message::Message): whatever can be displayed, settings,
/// procedures and messages.
#[macro_export]
macro_rules! message {
    ($($part:expr),+ $(,)?) => {
        $crate::message::Message::of([$($crate::message::Part::part($part)),+])
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting;

    /// A front without background rows.
    #[derive(Debug)]
    struct Shouting;

    impl Wording for Shouting {
        fn setting(&self, mention: &Mention) -> Option<String> {
            let id = mention.setting.id();
            (id != "background").then(|| id.to_uppercase())
        }

        fn procedure(&self, procedure: &Procedure) -> String {
            self.line(procedure)
        }

        fn line(&self, procedure: &Procedure) -> String {
            procedure.id.to_uppercase()
        }

        fn measures_tables(&self) -> bool {
            false
        }
    }

    #[test]
    fn fronts_word_settings_and_procedures() {
        let message = message!("give ", 2, setting::TEST.hint(), "; ", Procedure::new("report"));
        assert_eq!(message.worded(&Neutral), "give 2 (`test`); `report`");
        assert_eq!(message.worded(&Shouting), "give 2 (TEST); REPORT");
    }

    #[test]
    fn what_a_front_lacks_is_left_out_where_the_sentence_stands_without() {
        let lacking = setting::BACKGROUND;
        assert_eq!(message!("give rows", lacking.hint()).worded(&Shouting), "give rows");
        assert_eq!(message!("leave out ", lacking).worded(&Shouting), "leave out `background`");
        let of_tables = message!("; ", Procedure::new("report"), " needs none").of_tables();
        let message = message!("grow few trees", of_tables).map_words(&str::to_owned);
        assert_eq!(message.worded(&Shouting), "grow few trees");
        assert_eq!(message.worded(&Neutral), "grow few trees; `report` needs none");
    }

    #[test]
    fn neighbouring_words_are_one_piece() {
        assert_eq!(message!("a", 1, "b"), Message::from("a1b"));
        assert!(Message::from("").is_empty());
    }
}
