//! Options: settings that users give by name. Each is stated once, at the field that holds it; the
//! command line, Python and the documentation read it from there.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::data::{Dataset, Features};
use crate::error::Error;
use crate::message;

/// What an option is: feeds help, signatures and documentation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OptionInfo {
    /// Its name, with underscores.
    pub id: &'static str,
    /// What stands for a value in help, for example `N`.
    pub placeholder: &'static str,
    /// The values that it takes.
    #[serde(flatten)]
    pub kind: ValueKind,
    /// What holds where it is not given, in words; empty for a flag.
    pub default: &'static str,
    /// What it does: one or two sentences.
    pub help: &'static str,
}

/// The values that an option takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "values", content = "words")]
pub enum ValueKind {
    /// True or false.
    Flag,
    /// A whole number that is not negative.
    Whole,
    /// A word, or a whole number.
    WholeOr(&'static str),
    /// A number.
    Number,
    /// A number of seconds.
    Seconds,
    /// One of these words.
    Word(Vec<&'static str>),
    /// Names of columns.
    Names,
    /// A table.
    Table,
    /// A table with the target.
    TableWithTarget,
}

/// A value for an option.
#[derive(Debug, Clone, PartialEq)]
pub enum OptionValue {
    /// Of a flag.
    Flag(bool),
    /// A whole number.
    Whole(u64),
    /// A number, also of seconds.
    Number(f64),
    /// A word.
    Word(String),
    /// Names of columns.
    Names(Vec<String>),
    /// A table.
    Table(Arc<Features>),
    /// A table with the target.
    TableWithTarget(Arc<Dataset>),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(value) => write!(formatter, "{value}"),
            Self::Whole(value) => write!(formatter, "{value}"),
            Self::Number(value) => write!(formatter, "{value}"),
            Self::Word(word) => write!(formatter, "{word:?}"),
            Self::Names(names) => write!(formatter, "{names:?}"),
            Self::Table(_) | Self::TableWithTarget(_) => formatter.write_str("a table"),
        }
    }
}

impl OptionInfo {
    /// The refusal of a value that the option does not take.
    pub(crate) fn refusal(&self, value: &OptionValue) -> Error {
        let setting = message::Setting::new(self.id);
        Error::bad_setting(setting, message!(setting.name(), " is ", value), self.kind.help())
    }
}

impl ValueKind {
    /// What to give.
    fn help(&self) -> String {
        match self {
            Self::Flag => "give true or false".to_owned(),
            Self::Whole => "give a whole number that is not negative".to_owned(),
            Self::WholeOr(word) => format!("give \"{word}\" or a whole number"),
            Self::Number => "give a number".to_owned(),
            Self::Seconds => "give a number of seconds that is not negative".to_owned(),
            Self::Word(words) => {
                let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                format!("give one of {}", quoted.join(", "))
            }
            Self::Names => "give a list of names of columns".to_owned(),
            Self::Table => "give a table".to_owned(),
            Self::TableWithTarget => "give a table with the target".to_owned(),
        }
    }
}

/// The options of a type of settings.
pub trait Options: Copy + PartialEq + 'static {
    /// The settings that they are of.
    type Settings: Clone + Default;

    /// All options.
    const ALL: &'static [Self];

    /// What the option is.
    fn info(self) -> OptionInfo;

    /// Whether settings differ from the default in it.
    fn is_set(self, settings: &Self::Settings) -> bool;

    /// Puts a value into settings.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value that the option does not take.
    fn set(self, settings: &mut Self::Settings, value: OptionValue) -> Result<(), Error>;

    /// Takes the option over from other settings.
    fn copy(self, from: &Self::Settings, to: &mut Self::Settings);

    /// Its name, with underscores.
    fn id(self) -> &'static str {
        self.info().id
    }

    /// The option of that name; dashes and underscores are equal.
    fn parse(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        Self::ALL.iter().copied().find(|option| option.id() == name)
    }
}

/// A type of values that options have.
pub(crate) trait Setting: Sized {
    /// The values that users may give.
    fn kind() -> ValueKind;

    /// The setting that a value stands for; `None` where it stands for none.
    fn of(value: OptionValue) -> Option<Self>;
}

/// Makes the type that a kind of values holds a setting.
macro_rules! setting_of_values {
    ($($kind:ident($type:ty)),* $(,)?) => {$(
        impl Setting for $type {
            fn kind() -> ValueKind {
                ValueKind::$kind
            }

            fn of(value: OptionValue) -> Option<Self> {
                let OptionValue::$kind(value) = value else { return None };
                Some(value)
            }
        }
    )*};
}

setting_of_values! {
    Flag(bool),
    Whole(u64),
    Number(f64),
    Names(Vec<String>),
    Table(Arc<Features>),
    TableWithTarget(Arc<Dataset>),
}

impl Setting for usize {
    fn kind() -> ValueKind {
        ValueKind::Whole
    }

    fn of(value: OptionValue) -> Option<Self> {
        u64::of(value)?.try_into().ok()
    }
}

impl Setting for Duration {
    fn kind() -> ValueKind {
        ValueKind::Seconds
    }

    fn of(value: OptionValue) -> Option<Self> {
        Self::try_from_secs_f64(f64::of(value)?).ok()
    }
}

impl<T: Setting> Setting for Option<T> {
    fn kind() -> ValueKind {
        T::kind()
    }

    fn of(value: OptionValue) -> Option<Self> {
        T::of(value).map(Some)
    }
}

/// Makes an enum with `ALL` and `id` a setting: one of its words.
macro_rules! setting_of_words {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::options::Setting for $type {
            fn kind() -> $crate::options::ValueKind {
                $crate::options::ValueKind::Word(Self::ALL.iter().map(|word| word.id()).collect())
            }

            fn of(value: $crate::options::OptionValue) -> Option<Self> {
                let $crate::options::OptionValue::Word(given) = value else { return None };
                let given = given.replace('-', "_");
                Self::ALL.iter().copied().find(|word| word.id() == given)
            }
        }
    )*};
}

/// Declares a type of settings and an enum of its options. A line of `options` is a field with its
/// documentation, which is also the help of the option, its type, its default, and in parentheses
/// what stands for a value, the default in words, the name of the option where it is not that of the
/// field, and after a semicolon its values where they are not all of the type. A line of `shared` is an
/// option that names variables in a part of a field, which several of them share. `others` are settings
/// without an option of their own.
macro_rules! settings {
    (@kind $type:ty) => { <$type as $crate::options::Setting>::kind() };
    (@kind $type:ty, $kind:expr) => { $kind };
    (
        $(#[$outer:meta])*
        $settings:ident,
        $(#[$of_options:meta])*
        $options:ident,
        options {
            $(
                $(#[doc = $doc:literal])+
                $option:ident($placeholder:literal, $in_words:literal $(, $id:literal)? $(; $kind:expr)?)
                    = $field:ident: $type:ty = $default:expr;
            )*
        }
        $(shared {
            $(
                $(#[doc = $shared_doc:literal])+
                $shared:ident($shared_in_words:literal, $shared_id:literal)
                    = $shared_field:ident[$part:expr];
            )*
        })?
        others {
            $( $(#[doc = $other_doc:literal])+ $other:ident: $other_type:ty = $other_default:expr; )*
        }
    ) => {
        $(#[$outer])*
        pub struct $settings {
            $( $(#[doc = $doc])+ pub $field: $type, )*
            $( $(#[doc = $other_doc])+ pub $other: $other_type, )*
        }

        impl Default for $settings {
            fn default() -> Self {
                Self { $($field: $default,)* $($other: $other_default,)* }
            }
        }

        $(#[$of_options])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $options {
            $( #[doc = concat!("[`", stringify!($settings), "::", stringify!($field), "`]")] $option, )*
            $($(
                #[doc = concat!("`", $shared_id, "`, in [`", stringify!($settings), "::", stringify!($shared_field), "`]")]
                $shared,
            )*)?
        }

        /// By the name that users type.
        impl serde::Serialize for $options {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::options::Options::id(*self))
            }
        }

        impl $crate::options::Options for $options {
            type Settings = $settings;

            const ALL: &'static [Self] = &[$(Self::$option,)* $($(Self::$shared,)*)?];

            fn info(self) -> $crate::options::OptionInfo {
                match self {
                    $(Self::$option => $crate::options::OptionInfo {
                        id: [$($id,)? stringify!($field)][0],
                        placeholder: $placeholder,
                        kind: settings!(@kind $type $(, $kind)?),
                        default: $in_words,
                        help: concat!($($doc),+).trim_ascii(),
                    },)*
                    $($(Self::$shared => $crate::options::OptionInfo {
                        id: $shared_id,
                        placeholder: "NAMES",
                        kind: $crate::options::ValueKind::Names,
                        default: $shared_in_words,
                        help: concat!($($shared_doc),+).trim_ascii(),
                    },)*)?
                }
            }

            fn is_set(self, settings: &$settings) -> bool {
                match self {
                    $(Self::$option => settings.$field != $settings::default().$field,)*
                    $($(Self::$shared => !settings.$shared_field.names($part).is_empty(),)*)?
                }
            }

            fn set(
                self,
                settings: &mut $settings,
                value: $crate::options::OptionValue,
            ) -> Result<(), $crate::Error> {
                let given = value.clone();
                let is_taken = match self {
                    $(Self::$option => <$type as $crate::options::Setting>::of(value)
                        .map(|value| settings.$field = value)
                        .is_some(),)*
                    $($(Self::$shared => {
                        let names = <Vec<String> as $crate::options::Setting>::of(value);
                        let put = |names| settings.$shared_field.put($part, names);
                        names.map(put).transpose()?.is_some()
                    })*)?
                };
                if is_taken { Ok(()) } else { Err(self.info().refusal(&given)) }
            }

            fn copy(self, from: &$settings, to: &mut $settings) {
                match self {
                    $(Self::$option => to.$field.clone_from(&from.$field),)*
                    $($(Self::$shared => to.$shared_field.copy($part, &from.$shared_field),)*)?
                }
            }
        }
    };
}

pub(crate) use {setting_of_words, settings};
