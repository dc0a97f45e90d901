//! Lists of columns, separated by commas, where names of columns may have commas.

use crate::failure::Failure;

/// The columns that the pieces of a list name: neighbours that are together the name of a column are this column.
/// Where they are columns by themselves as well, nobody knows which are meant.
pub(crate) fn columns<'a>(
    pieces: &[String],
    known: impl Iterator<Item = &'a str>,
) -> Result<Vec<String>, Failure> {
    let known: Vec<&str> = known.collect();
    let with_commas = || known.iter().copied().filter(|name| name.contains(','));
    let mut found = Vec::with_capacity(pieces.len());
    let mut rest = pieces;
    while let Some((first, others)) = rest.split_first() {
        let at_start = |name: &&str| {
            let n_pieces = name.split(',').count();
            let mut parts = name.split(',').zip(rest);
            rest.len() >= n_pieces && parts.all(|(part, piece)| part.trim() == piece.trim())
        };
        // The longest of several names that begin here.
        let Some(name) = with_commas().filter(at_start).max_by_key(|name| name.len()) else {
            found.push(first.clone());
            rest = others;
            continue;
        };
        let (own, behind) = rest.split_at(name.split(',').count());
        if own.iter().all(|piece| known.contains(&piece.as_str())) {
            let help = "put double quotes around the name of one column, as in '\"a,b\"'; name such columns \
                        in a formula with backticks: \"y ~ . - `a,b`\" leaves out one column, \
                        \"y ~ . - a - b\" two";
            let what = "this is one column, and several columns separated by commas";
            return Err(Failure::usage(what, help).value(name));
        }
        found.push(name.to_owned());
        rest = behind;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(list: &str, known: &[&str]) -> Result<Vec<String>, Failure> {
        let pieces: Vec<String> = list.split(',').map(str::to_owned).collect();
        columns(&pieces, known.iter().copied())
    }

    #[test]
    fn neighbours_that_are_a_column_together_are_that_column() {
        let of = |list, known: &[&str]| found(list, known).expect("clear").join("|");
        assert_eq!(of("a,b", &["a", "b", "c"]), "a|b");
        assert_eq!(of("a,b", &["a,b", "b", "c"]), "a,b");
        assert_eq!(of("c,a,b,c", &["a,b", "c"]), "c|a,b|c");
        assert_eq!(of("a,b,c", &["a,b", "a,b,c"]), "a,b,c");
        assert_eq!(of("a,b,d", &["a,b", "a,b,c", "d"]), "a,b|d");
        assert_eq!(of("a,b", &["a, b"]), "a, b");
        assert_eq!(of("a", &["a,b"]), "a");
        assert!(found("a,b", &["a", "b", "a,b"]).is_err());
        // A piece with a comma stood in quotes.
        let quoted = columns(&["a,b".to_owned()], ["a", "b", "a,b"].into_iter());
        assert_eq!(quoted.expect("clear"), ["a,b"]);
        assert!(found("b,a", &["a", "b", "a,b"]).is_ok());
    }
}
