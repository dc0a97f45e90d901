//! Lists of names of columns, separated by commas.

use super::values::{BadValue, bad};

/// The names that one argument lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names(Vec<String>);

impl Names {
    /// Those of several arguments.
    pub(super) fn all(lists: &[Self]) -> Vec<String> {
        lists.iter().flat_map(|list| list.0.iter().cloned()).collect()
    }
}

impl From<Names> for Vec<String> {
    fn from(names: Names) -> Self {
        names.0
    }
}

/// Names separated by commas. As in CSV, a name in double quotes may have commas, and has two double quotes for each
/// one of its own.
pub(crate) fn names(list: &str) -> Result<Names, BadValue> {
    let mut found = Vec::new();
    let mut rest = Some(list);
    while let Some(list) = rest {
        let (name, behind) = first(list)?;
        found.push(name);
        rest = behind;
    }
    Ok(Names(found))
}

/// The first name, and what is behind its comma.
fn first(list: &str) -> Result<(String, Option<&str>), BadValue> {
    let Some(mut rest) = list.trim_start().strip_prefix('"') else {
        let (name, behind) = list.split_once(',').map_or((list, None), |(a, b)| (a, Some(b)));
        return Ok((name.to_owned(), behind));
    };
    let mut name = String::new();
    loop {
        let (part, behind) = rest.split_once('"').ok_or_else(|| not_quoted("no end"))?;
        name.push_str(part);
        let Some(more) = behind.strip_prefix('"') else {
            let behind = behind.trim_start();
            return match behind.strip_prefix(',') {
                None if !behind.is_empty() => Err(not_quoted("text behind it")),
                next => Ok((name, next)),
            };
        };
        name.push('"');
        rest = more;
    }
}

fn not_quoted(what: &str) -> BadValue {
    bad(
        &format!("has a name in double quotes with {what}"),
        "write '\"a,b\",c' for the columns `a,b` and `c`, and two double quotes for each one in a name",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_double_quotes_may_have_commas() {
        let of = |list: &str| names(list).map(|Names(found)| found.join("|"));
        for (list, found) in [
            ("a", "a"),
            ("a,b", "a|b"),
            ("my age,b", "my age|b"),
            ("", ""),
            ("a,,b", "a||b"),
            ("a,", "a|"),
            ("\"a,b\"", "a,b"),
            ("\"a,b\",c", "a,b|c"),
            ("c, \"a, b\" ,d", "c|a, b|d"),
            ("\"5\"\" nails, long\",5\"", "5\" nails, long|5\""),
            ("\"\"", ""),
        ] {
            assert_eq!(of(list).as_deref(), Ok(found), "{list}");
        }
        for list in ["\"a,b", "\"a\"b", "c,\"", "\"a\"\""] {
            assert!(of(list).is_err(), "{list}");
        }
    }
}
