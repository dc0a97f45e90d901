//! Lines and words.

use crate::chart::position::Position;

pub(super) fn stroke(from: Position, to: Position, colour: &str, style: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"{style}/>\n",
        from.x, from.y, to.x, to.y
    )
}

pub(super) fn text(at: Position, anchor: &str, words: &str, style: &str) -> String {
    let words = markup(words);
    format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\"{style}>{words}</text>\n",
        at.x, at.y
    )
}

/// Words that are one line already; characters that XML does not allow are marked.
pub(super) fn markup(words: &str) -> String {
    let allowed: String = words.chars().map(allowed).collect();
    allowed.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Control characters, and those that turn the order of what follows, become a mark.
pub(super) fn allowed(letter: char) -> char {
    match letter {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    }
}
