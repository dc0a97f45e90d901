//! Arguments that R gives. The package's R code checks what users write; what is wrong here is a
//! defect, but for values that only the engine can judge.

use extendr_api::prelude::*;

use crate::failure::Failure;

/// A list whose entries have names.
pub(crate) struct Given(List);

impl Given {
    pub(crate) fn of(list: &Robj) -> Result<Self, Failure> {
        list.as_list().map(Self).ok_or_else(|| Failure::internal("a list was expected"))
    }

    /// Names and values.
    pub(crate) fn entries(&self) -> Vec<(&str, Robj)> {
        self.0.iter().collect()
    }

    /// An entry; `None` where it is missing or NULL.
    pub(crate) fn get(&self, name: &str) -> Option<Robj> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value).filter(|value| !value.is_null())
    }

    pub(crate) fn text(&self, name: &'static str) -> Result<String, Failure> {
        self.needed(name, self.get(name).and_then(|value| text(&value)), "give a text")
    }

    pub(crate) fn number(&self, name: &'static str) -> Result<f64, Failure> {
        self.needed(name, self.get(name).and_then(|value| number(&value)), "give a number")
    }

    pub(crate) fn whole<T: TryFrom<u64>>(&self, name: &'static str) -> Result<T, Failure> {
        let value = self.get(name).and_then(|value| whole(&value));
        self.needed(name, value.and_then(|value| T::try_from(value).ok()), WHOLE)
    }

    pub(crate) fn flag(&self, name: &'static str) -> Result<bool, Failure> {
        self.needed(name, self.get(name).and_then(|value| value.as_bool()), "give TRUE or FALSE")
    }

    /// A number, unless the entry is missing.
    pub(crate) fn optional_number(&self, name: &'static str) -> Result<Option<f64>, Failure> {
        self.get(name).map(|_| self.number(name)).transpose()
    }

    /// A whole number, unless the entry is missing.
    pub(crate) fn optional_whole<T: TryFrom<u64>>(
        &self,
        name: &'static str,
    ) -> Result<Option<T>, Failure> {
        self.get(name).map(|_| self.whole(name)).transpose()
    }

    fn needed<T>(&self, name: &'static str, value: Option<T>, help: &str) -> Result<T, Failure> {
        value.ok_or_else(|| {
            let given = self.get(name).map_or("NULL".to_owned(), |value| shown(&value));
            Failure::argument(name, format!("{name} is {given}"), help.to_owned())
        })
    }
}

/// What to give where whole numbers are.
pub(crate) const WHOLE: &str = "give a whole number of at least 0";

/// The refusal of a word, and the words that there are.
pub(crate) fn one_of(name: &'static str, word: &str, known: &[&str]) -> Failure {
    let known: Vec<String> = known.iter().map(|word| format!("{word:?}")).collect();
    let help = format!("give one of {}", known.join(", "));
    Failure::argument(name, format!("{name} is {word:?}"), help)
}

/// A value in a message.
pub(crate) fn shown(value: &Robj) -> String {
    if let Some(word) = text(value) {
        return format!("{word:?}");
    }
    if value.as_function().is_some() {
        return "a function".to_owned();
    }
    if value.is_factor() {
        return "a factor".to_owned();
    }
    if let Some(number) = number(value) {
        return number.to_string();
    }
    let is_one = value.len() == 1 && !value.is_list();
    match value.as_bool() {
        _ if is_one && value.is_na() => "NA".to_owned(),
        Some(flag) if is_one => if flag { "TRUE" } else { "FALSE" }.to_owned(),
        _ => {
            let kind = if value.is_list() { "a list" } else { "a vector" };
            format!("{kind} of length {}", value.len())
        }
    }
}

/// NA is no text.
pub(crate) fn text(value: &Robj) -> Option<String> {
    value.as_str().filter(|_| !value.is_na()).map(str::to_owned)
}

/// Texts, of which none is NA.
pub(crate) fn texts(value: &Robj) -> Option<Vec<String>> {
    // The labels of a factor are no texts either.
    let texts = value.as_str_iter().filter(|_| value.is_string())?;
    texts.map(|text| (!text.is_na()).then(|| text.to_owned())).collect()
}

/// A double or an integer of R's.
pub(crate) fn number(value: &Robj) -> Option<f64> {
    let number = value.as_real().or_else(|| value.as_integer().map(f64::from));
    number.filter(|_| value.len() == 1 && !value.is_na())
}

/// A number without fraction, as R writes them: 500 is a double.
pub(crate) fn whole(value: &Robj) -> Option<u64> {
    // Doubles are exact up to here.
    let most = 9_007_199_254_740_992.0;
    let number = number(value).filter(|number| number.fract() == 0.0);
    number.filter(|number| (0.0..=most).contains(number)).map(|number| number as u64)
}
