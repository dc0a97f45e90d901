//! Commands that readers can repeat.

use crate::advice::Advice;

/// A command of wald's with these words, quoted for a shell.
pub fn command_line(words: impl Iterator<Item = String>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    let mut line = "wald".to_owned();
    for word in words {
        line.push(' ');
        if !word.is_empty() && word.chars().all(is_plain) {
            line.push_str(&word);
        } else {
            line.push_str(&format!("'{}'", word.replace('\'', "'\\''")));
        }
    }
    line
}

impl Advice {
    /// The advice with a table and its target in the place of DATA and TARGET in its commands.
    #[must_use]
    pub fn on(mut self, table: &str, target: &str) -> Self {
        for objective in &mut self.objectives {
            let words = objective.command.split_whitespace().skip(1);
            let words = words.map(|word| match word {
                "DATA" => table.to_owned(),
                "TARGET" => target.to_owned(),
                word => word.to_owned(),
            });
            objective.command = command_line(words);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted() {
        let words = ["report", "my data.csv", "y ~ .", "it's", ""].map(str::to_owned);
        let line = command_line(words.into_iter());
        assert_eq!(line, "wald report 'my data.csv' 'y ~ .' 'it'\\''s' ''");
    }
}
