//! References as BibTeX entries.
//!
//! References are written in one form, `Authors (year). Title. Where. doi:...`, from which the
//! fields of an entry are read; a test holds every reference to that form.

use std::fmt::Write as _;

use wald::measure::references::Reference;

/// Where a work was published.
#[derive(Debug, PartialEq)]
enum Venue<'a> {
    /// Name, volume and issue, pages.
    Volume { name: &'a str, volume: &'a str, issue: Option<&'a str>, pages: Option<&'a str> },
    /// Publisher and place.
    Publisher(&'a str, &'a str),
    /// Number of a preprint.
    Preprint(&'a str),
    /// Address of a page.
    Address(&'a str),
}

/// The parts of a reference.
struct Parts<'a> {
    authors: &'a str,
    year: &'a str,
    title: &'a str,
    venue: Venue<'a>,
    doi: Option<&'a str>,
}

/// The entry of a reference: with all fields in its text, else the text as a note.
pub(super) fn bibtex(reference: &Reference) -> String {
    let Some(parts) = parts(reference.text) else {
        return entry("misc", reference.key, &[("note", reference.text.to_owned())]);
    };
    let plain = str::to_owned;
    let mut fields = vec![
        ("author", authors(parts.authors)),
        // Braces keep the capitals of names.
        ("title", format!("{{{}}}", parts.title)),
        ("year", plain(parts.year)),
    ];
    let kind = match parts.venue {
        Venue::Volume { name, volume, issue, pages } => {
            let in_proceedings = name.starts_with("Advances in") || name.starts_with("Proceedings");
            fields.push((if in_proceedings { "booktitle" } else { "journal" }, plain(name)));
            fields.push(("volume", plain(volume)));
            fields.extend(issue.map(|issue| ("number", plain(issue))));
            fields.extend(pages.map(|pages| ("pages", pages.replace('-', "--"))));
            if in_proceedings { "inproceedings" } else { "article" }
        }
        Venue::Publisher(publisher, place) => {
            fields.extend([("publisher", plain(publisher)), ("address", plain(place))]);
            "book"
        }
        Venue::Preprint(number) => {
            fields.extend([("eprint", plain(number)), ("archiveprefix", plain("arXiv"))]);
            "misc"
        }
        Venue::Address(address) => {
            fields.push(("url", plain(address)));
            "misc"
        }
    };
    fields.extend(parts.doi.map(|doi| ("doi", plain(doi))));
    entry(kind, reference.key, &fields)
}

fn entry(kind: &str, key: &str, fields: &[(&str, String)]) -> String {
    let mut entry = format!("@{kind}{{{key},\n");
    for (name, value) in fields {
        let _ = writeln!(entry, "  {name:<9} = {{{}}},", value.replace('&', "\\&"));
    }
    entry + "}"
}

fn parts(text: &str) -> Option<Parts<'_>> {
    let (authors, rest) = text.split_once(" (")?;
    let (year, rest) = rest.split_once("). ")?;
    let (rest, doi) = match rest.split_once(" doi:") {
        Some((rest, doi)) => (rest, Some(doi.trim_end_matches('.'))),
        None => (rest, None),
    };
    // A title that asks ends with its mark.
    let end = rest.find(". ").into_iter().chain(rest.find("? ").map(|at| at + 1)).min()?;
    let (title, place) = rest.split_at(end);
    let place = place.trim_start_matches('.').trim_start().trim_end_matches('.');
    Some(Parts { authors, year, title, venue: venue(place)?, doi })
}

fn venue(place: &str) -> Option<Venue<'_>> {
    if place.starts_with("https://") {
        return Some(Venue::Address(place));
    }
    if let Some(number) = place.strip_prefix("arXiv:") {
        return Some(Venue::Preprint(number));
    }
    let (head, tail) = match place.rsplit_once(", ") {
        Some((head, tail)) => (head, Some(tail)),
        None => (place, None),
    };
    match head.rsplit_once(' ') {
        Some((name, number)) if number.starts_with(|first: char| first.is_ascii_digit()) => {
            let (volume, issue) = match number.split_once('(') {
                Some((volume, issue)) => (volume, Some(issue.trim_end_matches(')'))),
                None => (number, None),
            };
            Some(Venue::Volume { name, volume, issue, pages: tail })
        }
        _ => tail.map(|tail| Venue::Publisher(head, tail)),
    }
}

/// From `Da Veiga S, Lee S-I` to `Da Veiga, S. and Lee, S.-I.`.
fn authors(names: &str) -> String {
    let author = |name: &str| match name.rsplit_once(' ') {
        Some((family, initials)) => {
            let dotted = |part: &str| {
                let letters: Vec<String> = part.chars().map(String::from).collect();
                letters.join(". ") + "."
            };
            let dotted: Vec<String> = initials.split('-').map(dotted).collect();
            format!("{family}, {}", dotted.join("-"))
        }
        None => name.to_owned(),
    };
    names.split(", ").map(author).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::measure::MeasureId;
    use wald::measure::references::{
        BENARD_2022, BREIMAN_1984, BREIMAN_2001, COVERT_2020, GEURTS_2006, HO_1998, HOTHORN_2006,
        LUNDBERG_2020, NEMBRINI_2018,
    };

    #[test]
    fn entries_have_all_that_the_text_tells() {
        assert_eq!(
            bibtex(&BENARD_2022),
            "@article{benard2022,\n  author    = {Bénard, C. and Da Veiga, S. and Scornet, E.},\n  \
             title     = {{Mean decrease accuracy for random forests: inconsistency, and a \
             practical solution via the Sobol-MDA}},\n  year      = {2022},\n  journal   = \
             {Biometrika},\n  volume    = {109},\n  number    = {4},\n  pages     = \
             {881--900},\n  doi       = {10.1093/biomet/asac017},\n}"
        );
        let book = bibtex(&BREIMAN_1984);
        assert!(book.starts_with("@book{breiman1984,\n") && book.contains("{Wadsworth}"), "{book}");
        assert!(book.contains("address   = {Belmont}"), "{book}");
        let proceedings = bibtex(&COVERT_2020);
        assert!(proceedings.starts_with("@inproceedings{covert2020,\n"), "{proceedings}");
        assert!(proceedings.contains("Lee, S.-I."), "{proceedings}");
        let asks = bibtex(&NEMBRINI_2018);
        assert!(asks.contains("{{The revival of the Gini importance?}}"), "{asks}");
        assert!(asks.contains("journal   = {Bioinformatics}"), "{asks}");
    }

    #[test]
    fn every_reference_is_in_the_form_that_entries_are_read_from() {
        let of_measures = MeasureId::ALL.iter().flat_map(|id| id.info().references).copied();
        let others =
            [BREIMAN_1984, BREIMAN_2001, GEURTS_2006, HO_1998, HOTHORN_2006, LUNDBERG_2020];
        for reference in of_measures.chain(others) {
            let parts = parts(reference.text).expect(reference.text);
            assert!(parts.year.len() == 4 && reference.key.ends_with(parts.year), "{}", parts.year);
            assert!(!parts.title.is_empty() && !parts.title.contains(". "), "{}", parts.title);
            for author in parts.authors.split(", ") {
                let initials = author.rsplit(' ').next().unwrap_or_default();
                let is_initial = |letter: char| letter == '-' || letter.is_uppercase();
                assert!(initials.chars().all(is_initial), "{author}");
            }
            let entry = bibtex(&reference);
            let count = |bracket: char| entry.matches(bracket).count();
            assert_eq!(count('{'), count('}'), "{entry}");
            assert!(!entry.contains("note"), "{entry}");
        }
    }
}
