//! How p-values are found, and what comes of it.

use crate::error::Error;
use crate::inference::permuted_response::PermutedResponse;
use crate::inference::shadow::ShadowDraws;
use crate::{message, setting};

/// The null distribution for an irrelevant variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Test {
    /// Those of the same variable in forests whose responses were permuted: for every measure, and
    /// dear.
    Permuted(PermutedResponse),
    /// The differences between variables of the same type and their shadows that are at or below zero,
    /// and their mirror images: for every measure and at the cost of one forest, where there are many
    /// variables of the type.
    Mirrored,
    /// Those of shadows, which show the cells of a variable in other rows, in the same forest: for
    /// every measure, and cheap where many variables are of the same type.
    Shadow(ShadowDraws),
}

impl Test {
    /// The names users type.
    pub const IDS: &'static [&'static str] = &["permuted", "mirrored", "shadow"];

    /// The name users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::Permuted(_) => "permuted",
            Self::Mirrored => "mirrored",
            Self::Shadow(_) => "shadow",
        }
    }

    /// The test of that name with at most so many further forests; with as many as usual unless
    /// given.
    ///
    /// ```
    /// use wald::inference::Test;
    ///
    /// assert_eq!(Test::named("mirrored", None)?, Test::Mirrored);
    /// assert_eq!(Test::named("shadow", Some(20))?.id(), "shadow");
    /// assert!(Test::named("student", None).is_err());
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Setting`] for another name and a number out of range.
    pub fn named(name: &str, forests: Option<usize>) -> Result<Self, Error> {
        let usual = (PermutedResponse::default(), ShadowDraws::default());
        let found = match name {
            "permuted" => Self::Permuted(PermutedResponse {
                permutations: forests
                    .map_or(Ok(usual.0.permutations), PermutedResponse::permutations_of)?,
                ..usual.0
            }),
            "mirrored" if forests.is_some() => {
                return Err(Error::bad_setting(
                    setting::NULL_FORESTS,
                    message!(
                        setting::NULL_FORESTS.name(),
                        " does not apply to mirrored p-values, which need one forest"
                    ),
                    message!(
                        "leave out ",
                        setting::NULL_FORESTS,
                        ", or use ",
                        setting::NULL_DISTRIBUTION.word("permuted"),
                        " or ",
                        setting::NULL_DISTRIBUTION.word("shadow")
                    ),
                ));
            }
            "mirrored" => Self::Mirrored,
            "shadow" => Self::Shadow(ShadowDraws {
                draws: forests.map_or(Ok(usual.1.draws), ShadowDraws::draws_of)?,
            }),
            _ => {
                return Err(Error::bad_setting(
                    setting::NULL_DISTRIBUTION,
                    message!(
                        "the value of ",
                        setting::NULL_DISTRIBUTION,
                        " is not known: \"",
                        name,
                        "\""
                    ),
                    format!("use one of: {}", Self::IDS.join(", ")),
                ));
            }
        };
        found.validate()?;
        Ok(found)
    }

    /// Checks ranges.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range.
    pub fn validate(self) -> Result<(), Error> {
        match self {
            Self::Permuted(settings) => settings.validate(),
            Self::Mirrored => Ok(()),
            Self::Shadow(settings) => settings.validate(),
        }
    }

    /// At most so many forests are grown for it.
    pub(super) fn forests(self) -> u64 {
        match self {
            Self::Permuted(settings) => u64::from(settings.permutations),
            // On twice as many variables.
            Self::Mirrored => 2,
            Self::Shadow(settings) => 2 * u64::from(settings.draws),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_named_as_they_were_given() {
        for (name, range) in [("permuted", "at most 1000000"), ("shadow", "at most 100000;")] {
            for number in [0, 100_000_000_000_000] {
                let refusal = Test::named(name, Some(number)).expect_err("out of range");
                assert!(refusal.to_string().ends_with(&format!(" is {number}")), "{refusal}");
                assert!(refusal.help().contains(range), "{}", refusal.help());
            }
        }
    }
}
