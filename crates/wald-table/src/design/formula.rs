//! Formulas: `y ~ .`, `y ~ a + b`, `y ~ . - c`, with odd names in backticks.

use crate::error::{TableError, escape};

/// A parsed formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Formula {
    /// The name on the left.
    pub(crate) target: String,
    /// True when `.` stands on the right: all other columns.
    pub(crate) all: bool,
    /// Names with a plus.
    pub(crate) added: Vec<String>,
    /// Names with a minus.
    pub(crate) removed: Vec<String>,
}

/// A name or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Tilde,
    Plus,
    Minus,
    Name { text: String, quoted: bool },
}

/// Parses a formula.
///
/// # Errors
/// When it does not follow the grammar; functions, interactions and intercepts have no place in
/// a forest and are refused by name.
pub(crate) fn parse(text: &str) -> Result<Formula, TableError> {
    let tokens = tokens(text)?;
    let mut tokens = tokens.into_iter().peekable();
    let Some(Token::Name { text: target, quoted }) = tokens.next() else {
        return Err(unreadable(text, "the target is missing on its left"));
    };
    check_name(&target, quoted)?;
    if target == "." && !quoted {
        return Err(unreadable(text, "`.` cannot be the target"));
    }
    if tokens.next() != Some(Token::Tilde) {
        return Err(unreadable(text, "a `~` has to follow the target"));
    }
    let mut formula = Formula { target, all: false, added: Vec::new(), removed: Vec::new() };
    let mut positive = true;
    if let Some(sign @ (Token::Plus | Token::Minus)) = tokens.peek() {
        positive = *sign == Token::Plus;
        tokens.next();
    }
    loop {
        let Some(Token::Name { text: name, quoted }) = tokens.next() else {
            return Err(unreadable(text, "a name is missing on its right"));
        };
        check_name(&name, quoted)?;
        match (name == "." && !quoted, positive) {
            (true, true) => formula.all = true,
            (true, false) => return Err(unreadable(text, "`.` cannot be taken away")),
            (false, true) => formula.added.push(name),
            (false, false) => formula.removed.push(name),
        }
        match tokens.next() {
            None => break,
            Some(Token::Plus) => positive = true,
            Some(Token::Minus) => positive = false,
            Some(_) => return Err(unreadable(text, "a `+` or `-` is missing between names")),
        }
    }
    // As in R, `y ~ - c` means all columns but c.
    formula.all |= formula.added.is_empty();
    Ok(formula)
}

fn tokens(text: &str) -> Result<Vec<Token>, TableError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let sign = match first {
            '~' => Some(Token::Tilde),
            '+' => Some(Token::Plus),
            '-' => Some(Token::Minus),
            _ => None,
        };
        if let Some(sign) = sign {
            tokens.push(sign);
            rest = &rest[1..];
        } else if first == '`' {
            let Some((name, after)) = rest[1..].split_once('`') else {
                return Err(unreadable(text, "a backtick is not closed"));
            };
            tokens.push(Token::Name { text: name.to_owned(), quoted: true });
            rest = after;
        } else {
            let end = rest.find(['~', '+', '-', '`']).unwrap_or(rest.len());
            let name = rest[..end].trim_end().to_owned();
            tokens.push(Token::Name { text: name, quoted: false });
            rest = &rest[end..];
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// Refuses what R's formulas know and a forest has no use for.
fn check_name(name: &str, quoted: bool) -> Result<(), TableError> {
    if quoted {
        return Ok(());
    }
    if name.contains(['(', ')', ':', '*', '^', '|', '/']) {
        return Err(TableError::usage(
            format!("`{}` in the formula is not a column name", escape(name)),
            "name columns only, a forest finds transformations and interactions itself; put odd names in backticks",
        ));
    }
    if name == "0" || name == "1" {
        return Err(TableError::usage(
            "a forest has no intercept to add or remove",
            "leave `0` and `1` out of the formula; put a column of that name in backticks",
        ));
    }
    Ok(())
}

fn unreadable(formula: &str, why: &str) -> TableError {
    TableError::usage(
        format!("the formula cannot be read: {why}"),
        "write `y ~ .`, `y ~ a + b` or `y ~ . - c`, with odd names in backticks",
    )
    .value(formula)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(text: &str) -> Option<(String, bool, Vec<String>, Vec<String>)> {
        parse(text).ok().map(|f| (f.target, f.all, f.added, f.removed))
    }

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_grammar_is_understood() {
        assert_eq!(sides("y ~ ."), Some(("y".into(), true, vec![], vec![])));
        assert_eq!(
            sides("y~a+ b -c"),
            Some(("y".into(), false, names(&["a", "b"]), names(&["c"])))
        );
        assert_eq!(sides("y ~ . - c"), Some(("y".into(), true, vec![], names(&["c"]))));
        assert_eq!(sides("y ~ -c"), Some(("y".into(), true, vec![], names(&["c"]))));
        assert_eq!(
            sides("`my y` ~ `a-b` + Lot.Area + two words"),
            Some(("my y".into(), false, names(&["a-b", "Lot.Area", "two words"]), vec![]))
        );
        assert_eq!(sides("`1` ~ `.`"), Some(("1".into(), false, names(&["."]), vec![])));
    }

    #[test]
    fn other_formulas_are_refused() {
        for text in [
            "",
            "y",
            "y ~",
            "~ x",
            "y ~ a b ~ c",
            "y ~ a + + b",
            "y ~ log(x)",
            "y ~ a:b",
            "y ~ a*b",
            "y ~ x - 1",
            "y ~ 0 + x",
            "y ~ `x",
            "log(y) ~ .",
            ". ~ x",
            "y ~ a - .",
            "y ~ `a` `b`",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
