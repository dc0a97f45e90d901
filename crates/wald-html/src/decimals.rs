//! The mark before decimals, given to all numbers that a page or a picture shows.
//!
//! Sentences, tables and pictures are written with points. What readers see of them is text
//! between tags; attributes, scripts, code and names stay as they are.

use std::collections::BTreeSet;

use wald::DecimalMark;

/// Elements whose text is no text of the page. Names stand in `bdi`.
const VERBATIM: [&str; 5] = ["bdi", "code", "pre", "script", "style"];

/// The page with this mark before the decimals of its numbers.
pub(crate) fn with_mark(page: String, mark: DecimalMark) -> String {
    if mark == DecimalMark::Point {
        return page;
    }
    // Not everywhere do names stand in `bdi`: pictures of the page have them, too.
    let elements = page.split("<bdi").skip(1);
    let named = elements.filter_map(|part| part.split_once('>')?.1.split_once("</bdi>"));
    Texts::new(mark, named.map(|(name, _)| name)).of_markup(&page)
}

/// A drawing with this mark before the decimals of its numbers; the `names` of variables stay as they are.
pub(crate) fn drawn_with_mark(svg: &str, mark: DecimalMark, names: &[String]) -> String {
    Texts::new(mark, names.iter().map(String::as_str)).of_markup(svg)
}

/// The length of a tag, and of all of an element that stays as it is.
fn tag_length(from: &str) -> usize {
    let length = |end: &str| from.find(end).map_or(from.len(), |place| place + end.len());
    let name = from[1..].split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    if VERBATIM.contains(&name) { length(&format!("</{name}>")) } else { length(">") }
}

/// How texts are changed.
struct Texts<'a> {
    mark: DecimalMark,
    /// Names that would be taken for numbers, such as wavelengths.
    names: BTreeSet<&'a str>,
}

impl<'a> Texts<'a> {
    fn new(mark: DecimalMark, names: impl Iterator<Item = &'a str>) -> Self {
        Self { mark, names: names.filter(|name| mark.text(name) != *name).collect() }
    }

    /// The texts of a document, and all else as it is.
    fn of_markup(&self, document: &str) -> String {
        let mut shown = String::with_capacity(document.len());
        let mut rest = document;
        while let Some(tag) = rest.find('<') {
            shown.push_str(&self.between_tags(&rest[..tag]));
            let end = tag + tag_length(&rest[tag..]);
            shown.push_str(&rest[tag..end]);
            rest = &rest[end..];
        }
        shown + &self.between_tags(rest)
    }

    /// What stands between two tags, where quotes are entities.
    fn between_tags(&self, text: &str) -> String {
        let mut parts: Vec<String> = text.split("&quot;").map(str::to_owned).collect();
        parts.iter_mut().step_by(2).for_each(|part| *part = self.shown(part));
        parts.join("&quot;")
    }

    fn shown(&self, text: &str) -> String {
        let names = self.names.iter().filter(|_| text.contains('.'));
        let found = names.filter_map(|name| Some((place_of(name, text)?, *name)));
        match found.min_by_key(|&(place, name)| (place, std::cmp::Reverse(name.len()))) {
            Some((place, name)) => {
                let after = self.shown(&text[place + name.len()..]);
                format!("{}{name}{after}", self.mark.text(&text[..place]))
            }
            None => self.mark.text(text).into_owned(),
        }
    }
}

/// Where a name stands in a text by itself.
fn place_of(name: &str, text: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || "_.".contains(c);
    let stands_alone = |&place: &usize| {
        let after = text[place + name.len()..].trim_start_matches('.');
        !text[..place].ends_with(is_part) && !after.starts_with(is_part)
    };
    text.match_indices(name).map(|(place, _)| place).find(stands_alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_commas_and_nothing_else() {
        let page = "<p class=\"a 0.5\">0.5 [0.4, 0.6] of &quot;1.5&quot; and 2.5</p>\n\
                    <code>--level 0.5</code><bdi class=\"name\" title=\"x\">1100.5</bdi>\n\
                    <script>if (a<0.5) b(0.5);</script><text x=\"1.5\">1100.5 = 0.5: 11100.5</text>\
                    <text>1.25</text>";
        let expected = "<p class=\"a 0.5\">0,5 [0,4; 0,6] of &quot;1.5&quot; and 2,5</p>\n\
                        <code>--level 0.5</code><bdi class=\"name\" title=\"x\">1100.5</bdi>\n\
                        <script>if (a<0.5) b(0.5);</script><text x=\"1.5\">1100.5 = 0,5: 11100,5</text>\
                        <text>1,25</text>";
        assert_eq!(with_mark(page.to_owned(), DecimalMark::Comma), expected);
        assert_eq!(with_mark(page.to_owned(), DecimalMark::Point), page);
    }
}
