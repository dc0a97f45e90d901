//! In which direction predictions may change with a variable, and what predictions at a node may be
//! therefore.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::data::{Column, Features};
use crate::error::Error;
use crate::message;
use crate::message::Setting;
use crate::setting;

/// How predictions may change where a variable increases and all others stay as they are: the
/// predicted number, or the predicted probability of the second of two classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    /// They never decrease.
    Increasing,
    /// They never increase.
    Decreasing,
}

impl Trend {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Increasing, Self::Decreasing];

    /// The setting that names the variables.
    pub(crate) fn setting(self) -> Setting {
        match self {
            Self::Increasing => setting::INCREASING,
            Self::Decreasing => setting::DECREASING,
        }
    }
}

/// The variables with which predictions may change in one direction only, by name: monotonic
/// constraints.
///
/// ```
/// use wald::forest::{Trend, Trends};
/// use wald::simulate::Friedman1;
/// use wald::{Forest, ForestConfig, Run};
///
/// let data = Friedman1::default().draw(60, 1)?; // increases with x4 and x5
/// let names = data.features().names();
/// let monotonic: Trends = [(&names[3], Trend::Increasing), (&names[4], Trend::Increasing)]
///     .into_iter()
///     .collect();
/// let config = ForestConfig { n_trees: 5, monotonic, ..ForestConfig::default() };
/// let forest = Forest::grow(&data, &config, &Run::all())?;
/// assert_eq!(forest.config().unwrap().monotonic.of(&names[3]), Some(Trend::Increasing));
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trends(BTreeMap<String, Trend>);

impl<N: AsRef<str>> FromIterator<(N, Trend)> for Trends {
    fn from_iter<I: IntoIterator<Item = (N, Trend)>>(trends: I) -> Self {
        let owned = |(name, trend): (N, Trend)| (name.as_ref().to_owned(), trend);
        Self(trends.into_iter().map(owned).collect())
    }
}

impl Trends {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// That of a variable.
    pub fn of(&self, name: &str) -> Option<Trend> {
        self.0.get(name).copied()
    }

    /// Names of variables with their trends.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Trend)> {
        self.0.iter().map(|(name, trend)| (name.as_str(), *trend))
    }

    /// The variables of a trend, by name.
    pub fn names(&self, trend: Trend) -> Vec<String> {
        let of_trend = self.iter().filter(|(_, of)| *of == trend);
        of_trend.map(|(name, _)| name.to_owned()).collect()
    }

    /// Makes these all variables of a trend.
    ///
    /// # Errors
    /// [`Error::Setting`] for a variable that has the other one.
    pub(crate) fn put(&mut self, trend: Trend, names: Vec<String>) -> Result<(), Error> {
        self.0.retain(|_, of| *of != trend);
        for name in names {
            if self.0.get(&name).is_some_and(|of| *of != trend) {
                return Err(Error::bad_setting(
                    trend.setting(),
                    message!(
                        format!("\"{name}\" is named by "),
                        setting::INCREASING,
                        " and by ",
                        setting::DECREASING
                    ),
                    "name it once: predictions that neither decrease nor increase do not depend on it",
                ));
            }
            self.0.insert(name, trend);
        }
        Ok(())
    }

    /// Takes the variables of a trend over from others.
    pub(crate) fn copy(&mut self, trend: Trend, from: &Self) {
        self.0.retain(|_, of| *of != trend);
        self.0.extend(from.names(trend).into_iter().map(|name| (name, trend)));
    }

    /// Those of some columns: each has the trend of the column that `source` names.
    pub(crate) fn on<'a>(
        &self,
        columns: &'a Features,
        source: impl Fn(&'a str) -> &'a str,
    ) -> Self {
        if self.is_empty() {
            return Self::default();
        }
        let names = columns.columns().iter().map(Column::name);
        names.filter_map(|name| Some((name, self.of(source(name))?))).collect()
    }

    /// One for each of these variables; nothing where none of them has any.
    pub(crate) fn by_column<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<Option<Trend>> {
        if self.is_empty() { Vec::new() } else { names.map(|name| self.of(name)).collect() }
    }
}

/// Between which values predictions at a node and below it must be, so that they are where those of
/// other branches need them.
///
/// Values are as the scorer of the tree counts them: of numbers, less their mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Bounds {
    pub(crate) const NONE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The bounds of both children, given their values and the trend of the variable that divides them:
    /// all that is below either of them keeps to the middle of the values from now on. `None` where
    /// these break the bounds or the trend, to the last bit.
    pub(crate) fn below(self, trend: Option<Trend>, [left, right]: [f64; 2]) -> Option<[Self; 2]> {
        let holds = |value: f64| self.low <= value && value <= self.high;
        // Rounding keeps it between the two.
        let middle = 0.5 * left + 0.5 * right;
        let (lower, upper) = (Self { high: middle, ..self }, Self { low: middle, ..self });
        let (is_kept, bounds) = match trend {
            None => (true, [self; 2]),
            Some(Trend::Increasing) => (left <= right, [lower, upper]),
            Some(Trend::Decreasing) => (left >= right, [upper, lower]),
        };
        (is_kept && holds(left) && holds(right)).then_some(bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_has_one_trend() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let mut trends = Trends::default();
        trends.put(Trend::Increasing, names(&["a", "b"])).expect("new");
        trends.put(Trend::Decreasing, names(&["c"])).expect("others");
        assert!(trends.put(Trend::Decreasing, names(&["c", "a"])).is_err());
        // What is given later replaces what was given.
        trends.put(Trend::Increasing, names(&["b"])).expect("fewer");
        trends.put(Trend::Decreasing, names(&["a"])).expect("free");
        assert_eq!(trends.names(Trend::Increasing), ["b"]);
        assert_eq!(
            trends.iter().collect::<Vec<_>>(),
            [("a", Trend::Decreasing), ("b", Trend::Increasing)]
        );
    }
}
