//! Waterfalls: bars from the expected value to the prediction for a row.

use wald_report::{Contribution, Outcome, Waterfall};

use crate::chart::axis::Axis;
use crate::chart::drawing::{
    DOWN, Drawing, UP, axis, escaped, faint, firm, horizontal, label, place, shown, words_below,
};
use crate::chart::letters;
use crate::chart::marks::text;
use crate::chart::medium::Medium;
use crate::chart::names::Names;
use crate::chart::position::{Position, Span, at, between};
use crate::number;

const WIDTH: f64 = 640.0;
/// Where names have ended and bars begin on a page; on paper names have at most a share of the width.
const LEFT: f64 = 236.0;
const NAMES_ON_PAPER: f64 = 0.42;
/// Room for the amounts behind the bars, which on paper have as much as they need.
const RIGHT: f64 = 76.0;
const LINE: f64 = 25.0;
const LINE_ON_PAPER: f64 = 18.0;
/// A number of a cell with more letters is rounded.
const MOST_DIGITS: usize = 8;
/// The share of a line that a bar is high.
const BAR: f64 = 0.6;

/// A bar: its label and what it adds.
struct Bar {
    name: String,
    amount: f64,
}

/// The picture of a row; `unit` is that of the numbers, and the title may be empty.
pub fn waterfall(row: &Waterfall, title: &str, unit: &str, medium: Medium) -> Drawing {
    let bars: Vec<Bar> = bars(row, medium);
    let start = row.expected.unwrap_or(0.0);
    let width = medium.width(WIDTH);
    let room = medium.either(LEFT - 18.0, NAMES_ON_PAPER * width);
    let names = Names::new(bars.iter().map(|bar| bar.name.as_str()), room, medium);
    let left = names.width() + medium.either(18.0, 12.0);
    let amounts = bars.iter().map(|bar| letters::width(&signed(bar.amount), 11.0));
    let right = width - medium.either(RIGHT, amounts.fold(0.0, f64::max) + 9.0);
    let bar_height = BAR * medium.either(LINE, LINE_ON_PAPER);
    let top = if title.is_empty() { 24.0 } else { 52.0 };
    let edges = names.rows(top, medium.either(LINE, LINE_ON_PAPER), 4.0);
    let middle = |bar: usize| f64::midpoint(edges[bar], edges[bar + 1]);
    let (first, last) = (edges.get(1).map_or(top, |end| f64::midpoint(top, *end)), bars.len());
    let end = edges[last];
    // On paper, the sum stands below the last bar, above the axis.
    let bottom = end + medium.either(4.0, 18.0);
    let mut ends = vec![start];
    for bar in &bars {
        ends.push(ends[ends.len() - 1] + bar.amount);
    }
    let axis = axis(ends.iter().copied(), between(left, right));
    let mut svg = String::new();
    if !title.is_empty() {
        let style = " font-size=\"13\" font-weight=\"bold\"";
        svg.push_str(&label(at(8.0, 20.0), "start", title, width - 16.0, style));
    }
    let digits = digits_of_ends(row);
    let shown_end = |value: f64| number::with_digits(value, digits);
    let expected = row.expected.map_or("counted from 0".to_owned(), |value| {
        format!("expected value: {}", shown_end(value))
    });
    let x = place(&axis, start);
    // On paper it would cross amounts.
    svg.push_str(&firm(at(x, top - 6.0), at(x, medium.either(bottom, first))));
    svg.push_str(&inside(&expected, at(x, top - 10.0), 11.0, width, ""));
    for (number, bar) in bars.iter().enumerate() {
        let y = middle(number);
        svg.push_str(&names.svg(number, at(left - 12.0 + medium.either(0.0, 4.0), y)));
        svg.push_str(&bar.svg(&axis, between(ends[number], ends[number + 1]), y, bar_height));
        if number + 1 < bars.len() {
            let x = place(&axis, ends[number + 1]);
            let (from, to) = (y + bar_height / 2.0, middle(number + 1) - bar_height / 2.0);
            svg.push_str(&faint(at(x, from), at(x, to)));
        }
    }
    svg.push_str(&horizontal(&axis, between(top, bottom), ""));
    let mut height = bottom + 44.0;
    if medium.is_paper() {
        let middle = at(f64::midpoint(left, right), bottom + 30.0);
        let (words, below) = words_below(unit, middle, width - 16.0, width);
        svg.push_str(&words);
        height = bottom + 24.0 + below;
    }
    let x = place(&axis, row.prediction);
    let (from, to) = (medium.either(bottom - LINE, end - bar_height), medium.either(bottom, end));
    svg.push_str(&firm(at(x, from), at(x, to)));
    let name = if row.expected.is_some() { "prediction" } else { "sum" };
    let mut sum = format!("{name}: {}", shown_end(unrounded(row.prediction, &ends)));
    if let Some(response) = &row.response {
        sum += &format!("; observed: {}", shown_outcome(response, digits));
    }
    let below = medium.either(bottom + 34.0, end + 12.0);
    svg.push_str(&inside(&sum, at(x, below), 12.0, width, " font-weight=\"bold\""));
    if !medium.is_paper() {
        svg.push_str(&text(at(8.0, below), "start", unit, " font-size=\"11\""));
    }
    let parts: Vec<String> =
        bars.iter().map(|bar| format!("{}: {}", bar.name, signed(bar.amount))).collect();
    let description =
        format!("Row {}, {}. {expected}; {}; {sum}.", row.row, row.reason, parts.join("; "));
    Drawing { description, size: [width, height], contents: svg }
}

/// Significant digits with which the expected value and the prediction differ, if amounts can be seen at all.
pub(crate) fn digits_of_ends(row: &Waterfall) -> i32 {
    let steps = row.contributions.iter().map(|contribution| row.prediction - contribution.amount);
    number::digits_apart(steps.chain([row.prediction]).chain(row.expected))
}

/// Words around a place; words that could leave the picture end or begin at its border instead, whatever
/// the widths of letters are where it is shown.
fn inside(words: &str, middle: Position, size: f64, width: f64, style: &str) -> String {
    // Bold letters of wide fonts take a fifth more room than those whose widths are known.
    let half = 1.2 * letters::width(words, size) / 2.0 + 4.0;
    let (x, anchor) = match middle.x {
        x if x > width - half => (width - 4.0, "end"),
        x if x < half => (4.0, "start"),
        x => (x, "middle"),
    };
    text(at(x, middle.y), anchor, words, &format!(" font-size=\"{size:.0}\"{style}"))
}

fn bars(row: &Waterfall, medium: Medium) -> Vec<Bar> {
    let mut bars: Vec<Bar> = row
        .contributions
        .iter()
        .map(|contribution| Bar { name: name(contribution, medium), amount: contribution.amount })
        .collect();
    if let Some((n_variables, amount)) = row.others {
        bars.push(Bar { name: format!("{n_variables} other variables"), amount });
    }
    bars
}

/// The variable and what is in its cell; on paper there are several lines for it.
fn name(contribution: &Contribution, medium: Medium) -> String {
    let letters = |on_page: usize| if medium.is_paper() { 80 } else { on_page };
    match &contribution.cell {
        Some(cell) => {
            format!(
                "{} = {}",
                shown(&contribution.name, letters(24)),
                shown_outcome(cell, number::DIGITS)
            )
        }
        None => shown(&contribution.name, letters(34)),
    }
}

impl Bar {
    fn svg(&self, axis: &Axis, ends: Span, y: f64, height: f64) -> String {
        let (from, to) = (place(axis, ends.start), place(axis, ends.end));
        let colour = if self.amount < 0.0 { DOWN } else { UP };
        let bar = format!(
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.0}\" \
             fill=\"{colour}\"><title>{}</title></rect>\n",
            from.min(to),
            y - height / 2.0,
            (to - from).abs().max(0.5),
            escaped(&format!("{}: {}", self.name, signed(self.amount)))
        );
        let behind = at(from.max(to) + 5.0, y + 4.0);
        bar + &text(behind, "start", &signed(self.amount), " font-size=\"11\"")
    }
}

fn signed(amount: f64) -> String {
    let number = shown_number(amount);
    if amount > 0.0 { format!("+{number}") } else { number }
}

fn shown_number(value: f64) -> String {
    number::value(Some(value)).text.unwrap_or_default()
}

/// A sum that is 0 but for the rounding of its parts as 0.
fn unrounded(sum: f64, parts: &[f64]) -> f64 {
    let largest = parts.iter().fold(0.0_f64, |largest, part| largest.max(part.abs()));
    if sum.abs() < 1e-12 * largest { 0.0 } else { sum }
}

/// What is in a cell, as it is there unless that is long.
fn shown_outcome(outcome: &Outcome, digits: i32) -> String {
    match outcome {
        Outcome::Number(value) => {
            let whole = value.to_string().replace('-', "\u{2212}");
            if whole.chars().count() <= MOST_DIGITS {
                whole
            } else {
                number::with_digits(*value, digits)
            }
        }
        Outcome::Level(level) => shown(level, 16),
        Outcome::Missing => "missing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::medium::Columns;

    #[test]
    fn bars_lead_from_what_is_expected_to_the_prediction() {
        let contribution = |name: &str, amount: f64| Contribution {
            name: name.to_owned(),
            cell: Some(Outcome::Level("<b>".to_owned())),
            amount,
        };
        let row = Waterfall {
            reason: "the largest prediction".to_owned(),
            row: 7,
            class: None,
            expected: Some(10.0),
            contributions: vec![contribution("up", 4.0), contribution("down", -3.0)],
            others: Some((5, 1.0)),
            prediction: 12.0,
            response: Some(Outcome::Number(11.5)),
        };
        let drawing = waterfall(&row, "", "", Medium::Page);
        let svg = drawing.embedded();
        assert_eq!(svg.matches("class=\"bar\"").count(), 3);
        // The axis goes from 10 to 14, and bars one after the other.
        let bar = |from: f64, to: f64, colour: &str| {
            let x = |value: f64| LEFT + (value - 10.0) / 4.0 * (WIDTH - RIGHT - LEFT);
            svg.contains(&format!("x=\"{:.1}\"", x(from)))
                && svg.contains(&format!(
                    "width=\"{:.1}\" height=\"15\" fill=\"{colour}\"",
                    x(to) - x(from)
                ))
        };
        assert!(bar(10.0, 14.0, UP) && bar(11.0, 14.0, DOWN) && bar(11.0, 12.0, UP), "{svg}");
        assert!(svg.contains("down = &lt;b&gt;") && svg.contains(">+4<"), "{svg}");
        assert!(svg.contains(">\u{2212}3<") && svg.contains("prediction: 12; observed: 11.5"));
        assert!(drawing.description.starts_with("Row 7, the largest prediction. expected value"));
    }

    #[test]
    fn words_that_could_leave_the_picture_end_at_its_border() {
        let text = |x: f64| inside("prediction: 12.34", at(x, 0.0), 12.0, 300.0, "");
        assert!(text(150.0).contains("text-anchor=\"middle\"") && text(150.0).contains("x=\"150"));
        assert!(text(280.0).contains("text-anchor=\"end\"") && text(280.0).contains("x=\"296"));
        assert!(text(10.0).contains("text-anchor=\"start\"") && text(10.0).contains("x=\"4"));
    }

    #[test]
    fn ends_that_are_close_have_more_digits() {
        let row = |expected: f64, prediction: f64| Waterfall {
            reason: "a row".to_owned(),
            row: 1,
            class: None,
            expected: Some(expected),
            contributions: Vec::new(),
            others: Some((2, prediction - expected)),
            prediction,
            response: Some(Outcome::Number(prediction)),
        };
        let svg = waterfall(&row(1.333_04, 1.333_12), "", "", Medium::Page).contents;
        assert!(svg.contains("expected value: 1.33304") && svg.contains("prediction: 1.33312"));
        let svg = waterfall(&row(10.0, 14.25), "", "", Medium::Page).contents;
        assert!(svg.contains("prediction: 14.25; observed: 14.25"), "{svg}");
    }

    #[test]
    fn amounts_have_room_and_numbers_are_as_they_are_written() {
        let contribution = |value: f64, amount: f64| Contribution {
            name: "x".to_owned(),
            cell: Some(Outcome::Number(value)),
            amount,
        };
        let row = Waterfall {
            reason: "a row".to_owned(),
            row: 1,
            class: None,
            expected: Some(0.5),
            contributions: vec![contribution(39.1, -0.5), contribution(1.0 / 3.0, 6.6e-16)],
            others: None,
            prediction: 6.661e-16,
            response: None,
        };
        let drawing = waterfall(&row, "", "", Medium::Paper(Columns::One));
        let svg = &drawing.contents;
        assert!(svg.contains("x = 39.1<") && svg.contains("x = 0.3333<"), "{svg}");
        assert!(svg.contains("prediction: 0<"), "{svg}");
        let ends = svg.split("<text x=\"").skip(1).filter_map(|part| {
            let (x, rest) = part.split_once('"')?;
            let words = rest.split_once('>')?.1.split_once('<')?.0;
            let starts = rest.contains("text-anchor=\"start\"") && words.contains('0');
            starts.then(|| x.parse::<f64>().unwrap_or(f64::NAN) + letters::width(words, 11.0))
        });
        let ends: Vec<f64> = ends.collect();
        assert_eq!(ends.len(), 2, "{svg}");
        assert!(ends.iter().all(|end| *end <= drawing.size[0]), "{ends:?} of {:?}", drawing.size);
    }
}
