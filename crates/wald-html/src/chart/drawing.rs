//! Pictures that stand in a page or alone in a file: they take the colour of the text around them,
//! and colours that colour-blind people can distinguish on light and dark backgrounds.

use crate::chart::axis::{Axis, range, tick_label};
use crate::chart::letters;
use crate::chart::marks::{allowed, markup, stroke, text};
use crate::chart::position::{Position, Span, at};
use crate::number;

/// From low to high.
pub(super) const RAMP: [&str; 7] =
    ["#0072b2", "#4f86ab", "#7f949f", "#9a958f", "#b38a68", "#c77638", "#d55e00"];

/// The same on paper, where it is as dark as it is low also without colours: cividis (Nunez, Anderton & Renslow
/// 2018) without its lightest part.
pub(super) const RAMP_ON_PAPER: [&str; 7] =
    ["#00224e", "#2c4270", "#575d6d", "#7d7c78", "#a59c74", "#c3b369", "#e1cc55"];

/// Of levels (Okabe & Ito 2008).
pub(super) const LEVELS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// Of what has no value of its own.
pub(super) const NEUTRAL: &str = "#858b91";

/// Of dots that all mean the same.
pub(super) const PLAIN: &str = "#7b6bc4";

/// Of what raises a prediction and what lowers it.
pub(super) const UP: &str = "#d55e00";
pub(super) const DOWN: &str = "#0072b2";

/// Beyond these, differences of numbers would not be finite.
const LARGEST: f64 = 1e300;

/// A finished picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// What it shows, for readers who cannot see it.
    pub description: String,
    pub(super) size: [f64; 2],
    pub(super) contents: String,
}

impl Drawing {
    /// An element of a page, which has the colour of its text.
    pub fn embedded(&self) -> String {
        let [width, height] = self.size;
        format!(
            "<svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" font-size=\"12\" fill=\"currentColor\">\n\
             {}</svg>",
            escaped(&self.description),
            self.contents
        )
    }
}

/// Covers the values, however large, small or close together they are.
pub(super) fn axis(values: impl Iterator<Item = f64>, ends: Span) -> Axis {
    let (mut low, mut high) =
        range(values.filter(|value| value.is_finite()).map(|value| value.clamp(-LARGEST, LARGEST)));
    if low > high {
        (low, high) = (0.0, 0.0);
    }
    let size = low.abs().max(high.abs());
    if size < 1e-280 {
        (low, high) = (0.0, 1.0);
    } else if high - low < 1e-6 * size {
        (low, high) = (low - 1e-6 * size, high + 1e-6 * size);
    }
    Axis::linear([low, high].into_iter(), ends)
}

pub(super) fn place(axis: &Axis, value: f64) -> f64 {
    axis.place(value.clamp(-LARGEST, LARGEST))
}

/// A horizontal axis with its grid between two heights, and the name of its unit.
pub(super) fn horizontal(axis: &Axis, heights: Span, label: &str) -> String {
    let Span { start: top, end: bottom } = heights;
    let all = ticks(axis);
    // Long words at the right end would leave the picture.
    let right = axis.end.max(axis.start) + 12.0;
    let within = |x: f64, words: &str| x.min(right - letters::width(words, 11.0) / 2.0);
    let places: Vec<f64> = all.iter().map(|(x, words)| within(*x, words)).collect();
    let kept = spaced(&all, &places);
    let mut svg =
        grid(kept.iter().map(|&tick| format!("M{:.1} {top:.0}V{bottom:.0}", all[tick].0)));
    let words = kept.iter().map(|&tick| anchored(at(places[tick], bottom + 15.0), &all[tick].1));
    let middle = f64::midpoint(axis.start, axis.end);
    let name = anchored(at(middle, bottom + 32.0), label);
    svg.push_str(&format!(
        "<g font-size=\"11\" text-anchor=\"middle\">{}{name}</g>\n",
        words.collect::<String>()
    ));
    svg
}

/// Between lines of words below an axis.
pub(super) const WORDS: f64 = 13.0;

/// The name of a horizontal axis on paper, in as many lines of the width `room` as it needs: around a
/// place, but within a picture of such a width. Also the height of the lines.
pub(super) fn words_below(words: &str, middle: Position, room: f64, width: f64) -> (String, f64) {
    let lines = letters::even_lines(words, 11.0, room, 4);
    let line = |(number, line): (usize, &String)| {
        let half = letters::width(line, 11.0) / 2.0;
        let place =
            at(middle.x.min(width - 2.0 - half).max(2.0 + half), middle.y + WORDS * number as f64);
        text(place, "middle", line, " font-size=\"11\"")
    };
    (lines.iter().enumerate().map(line).collect(), WORDS * lines.len() as f64)
}

/// As many of the ticks as have room for their words at these places, zero among them if it is there.
fn spaced(ticks: &[(f64, String)], places: &[f64]) -> Vec<usize> {
    const BETWEEN: f64 = 5.0;
    let widest = ticks.iter().map(|(_, words)| letters::width(words, 11.0)).fold(0.0, f64::max);
    let is_zero = |(_, words): &(f64, String)| words.trim_matches(['0', '.']).is_empty();
    let start = ticks.iter().position(is_zero).unwrap_or(0);
    let Some(&first) = places.get(start) else { return Vec::new() };
    let is_apart = |last: &mut f64, tick: usize| {
        let is_apart = (places[tick] - *last).abs() >= widest + BETWEEN;
        if is_apart {
            *last = places[tick];
        }
        is_apart
    };
    let (mut left, mut right) = (first, first);
    let before: Vec<usize> = (0..start).rev().filter(|&tick| is_apart(&mut left, tick)).collect();
    let after = (start + 1..ticks.len()).filter(|&tick| is_apart(&mut right, tick));
    before.into_iter().rev().chain([start]).chain(after).collect()
}

/// Places and labels of the ticks of an axis.
pub(super) fn ticks(axis: &Axis) -> Vec<(f64, String)> {
    let step = axis.ticks.get(1).zip(axis.ticks.first()).map_or(1.0, |(b, a)| b - a);
    let size = axis.ticks.iter().fold(0.0, |size: f64, tick| size.max(tick.abs()));
    let words = |tick: f64| {
        if (1e-4..1e7).contains(&size) {
            tick_label(tick, step).replace('-', "\u{2212}")
        } else {
            // Sums of steps are not quite zero.
            let tick = if tick.abs() < 1e-9 * step { 0.0 } else { tick };
            number::power_of_ten(tick, step)
        }
    };
    axis.ticks.iter().map(|&tick| (place(axis, tick), words(tick))).collect()
}

/// Words in a group with their anchor.
pub(super) fn anchored(at: Position, words: &str) -> String {
    let words = markup(words);
    format!("<text x=\"{}\" y=\"{}\">{words}</text>\n", short(at.x), short(at.y))
}

/// A place with at most one decimal.
pub(super) fn short(place: f64) -> String {
    tenths((10.0 * place).round() as i64)
}

/// A number of tenths, as short as can be.
pub(super) fn tenths(n: i64) -> String {
    let sign = if n < 0 { "-" } else { "" };
    let n = n.abs();
    match (n / 10, n % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, part) => format!("{sign}.{part}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

/// Lines of a grid as one element.
pub(super) fn grid(lines: impl Iterator<Item = String>) -> String {
    let steps: String = lines.collect();
    format!(
        "<path d=\"{steps}\" stroke=\"currentColor\" stroke-opacity=\"0.16\" \
         stroke-width=\"0.8\"/>\n"
    )
}

/// A line of the grid.
pub(super) fn faint(from: Position, to: Position) -> String {
    stroke(from, to, "currentColor", " stroke-opacity=\"0.16\" stroke-width=\"0.8\"")
}

/// A line where zero is.
pub(super) fn firm(from: Position, to: Position) -> String {
    stroke(from, to, "currentColor", " stroke-opacity=\"0.55\"")
}

/// Dots of one colour in one element: lines of no length with round ends.
pub(super) fn dots(at: &[Position], radius: f64, colour: &str) -> String {
    blobs(at, 2.0 * radius, colour, "round")
}

/// Squares of about the same area.
pub(super) fn squares(at: &[Position], radius: f64, colour: &str) -> String {
    blobs(at, 1.8 * radius, colour, "square")
}

fn blobs(at: &[Position], width: f64, colour: &str, ends: &str) -> String {
    if at.is_empty() {
        return String::new();
    }
    let steps: Vec<String> =
        at.iter().map(|&Position { x, y }| format!("M{} {}h0", short(x), short(y))).collect();
    let steps = steps.concat();
    format!(
        "<path class=\"dots\" d=\"{steps}\" fill=\"none\" stroke=\"{colour}\" \
         stroke-width=\"{width:.1}\" stroke-linecap=\"{ends}\"/>\n"
    )
}

/// Crosses, for what is missing.
pub(super) fn crosses(at: &[Position], radius: f64) -> String {
    if at.is_empty() {
        return String::new();
    }
    let cross = |Position { x, y }: &Position| {
        let (left, top, size) = (x - radius, y - radius, 2.0 * radius);
        format!("M{left:.1} {top:.1}l{size:.1} {size:.1}m0 -{size:.1}l-{size:.1} {size:.1}")
    };
    let steps = at.iter().map(cross).collect::<Vec<String>>().concat();
    format!(
        "<path class=\"crosses\" d=\"{steps}\" fill=\"none\" stroke=\"currentColor\" \
         stroke-width=\"1\"/>\n"
    )
}

/// Words that are cut if need be, and shown in full when pointed at.
pub(super) fn label(at: Position, anchor: &str, words: &str, room: f64, style: &str) -> String {
    let cut = shown(words, (room / 6.6) as usize);
    if cut == plain(words) {
        return text(at, anchor, &cut, style);
    }
    let element = text(at, anchor, &cut, style);
    element.replacen("</text>", &format!("<title>{}</title></text>", escaped(words)), 1)
}

/// A name of at most so many letters.
pub(super) fn shown(name: &str, n_letters: usize) -> String {
    let name = plain(name);
    let n_letters = n_letters.max(2);
    if name.chars().count() <= n_letters {
        return name;
    }
    name.chars().take(n_letters - 1).chain(['\u{2026}']).collect()
}

/// A name on one line, without what a file of markup cannot hold.
fn plain(name: &str) -> String {
    let words: Vec<String> = name
        .split(|letter: char| letter.is_whitespace() || letter == '\u{feff}')
        .filter(|word| !word.is_empty())
        .map(|word| word.chars().map(allowed).collect())
        .collect();
    if words.is_empty() { "(no name)".to_owned() } else { words.join(" ") }
}

/// Text in an element or an attribute.
pub(super) fn escaped(words: &str) -> String {
    markup(&plain(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::position::between;

    #[test]
    fn ticks_have_different_words() {
        for values in
            [[1.333, 1.3332], [1.710_05e9, 1.710_3e9], [2e-9, 9e-8], [101_269.0, 101_400.0]]
        {
            let axis = axis(values.into_iter(), between(10.0, 110.0));
            let mut words: Vec<String> = ticks(&axis).into_iter().map(|(_, words)| words).collect();
            let n_ticks = words.len();
            words.dedup();
            assert_eq!((words.len(), n_ticks > 2), (n_ticks, true), "{words:?}");
        }
    }

    #[test]
    fn words_at_the_right_end_stay_inside() {
        let axis = axis([0.0, 1e9].into_iter(), between(68.0, 386.0));
        let svg = horizontal(&axis, between(0.0, 90.0), "");
        let ends = svg.split("<text x=\"").skip(1).filter_map(|part| {
            let (x, rest) = part.split_once('"')?;
            let words = rest.split(['>', '<']).nth(1)?;
            Some(x.parse::<f64>().ok()? + letters::width(words, 11.0) / 2.0)
        });
        let end = ends.fold(0.0, f64::max);
        assert!((390.0..=400.0).contains(&end), "{end} in {svg}");
    }

    #[test]
    fn every_number_has_a_place() {
        let cases: [&[f64]; 7] = [
            &[],
            &[0.0, 0.0],
            &[1e8, 1e8 + 1e-8],
            &[-f64::MAX, f64::MAX],
            &[5e-324, 0.0],
            &[f64::NAN, f64::INFINITY, 3.0],
            &[-2.5, 7.0],
        ];
        for values in cases {
            let axis = axis(values.iter().copied(), between(10.0, 110.0));
            let finite = values.iter().copied().filter(|value| value.is_finite());
            for x in finite.map(|value| place(&axis, value)) {
                assert!((9.9..=110.1).contains(&x), "{values:?}: {x}");
            }
            for (x, words) in ticks(&axis) {
                assert!(x.is_finite() && !words.contains("NaN"), "{values:?}: {words}");
            }
        }
    }

    #[test]
    fn tenths_are_short() {
        assert_eq!([0, 5, -5, 120, -1234].map(tenths), ["0", ".5", "-.5", "12", "-123.4"]);
    }

    #[test]
    fn names_are_plain_and_short() {
        assert_eq!(shown("a\nb \u{1b}[31m", 20), "a b \u{fffd}[31m");
        assert_eq!(shown("\u{202e}no", 20), "\u{fffd}no");
        assert_eq!(shown("", 20), "(no name)");
        assert_eq!(shown("abcdef", 4), "abc\u{2026}");
        assert_eq!(escaped("\"<a & b>"), "&quot;&lt;a &amp; b&gt;");
        let long = label(at(0.0, 0.0), "end", "abc<defghijkl", 33.0, "");
        assert!(long.contains("abc&lt;\u{2026}<title>abc&lt;defghijkl</title></text>"), "{long}");
    }
}
