//! Waterfalls: bars from the expected value to the prediction for a row.

use wald_report::{Contribution, Outcome, Waterfall};

use crate::chart::axis::Axis;
use crate::chart::drawing::{
    DOWN, Drawing, UP, axis, escaped, faint, firm, horizontal, label, place, shown,
};
use crate::chart::marks::text;
use crate::chart::position::{Span, at, between};
use crate::number;

const WIDTH: f64 = 640.0;
const LEFT: f64 = 236.0;
/// Room for the amounts behind the bars.
const RIGHT: f64 = 76.0;
const LINE: f64 = 25.0;
const BAR: f64 = 15.0;

/// A bar: its label and what it adds.
struct Bar {
    name: String,
    amount: f64,
}

/// The picture of a row; `unit` is that of the numbers, and the title may be empty.
pub fn waterfall(row: &Waterfall, title: &str, unit: &str) -> Drawing {
    let bars: Vec<Bar> = bars(row);
    let start = row.expected.unwrap_or(0.0);
    let top = if title.is_empty() { 24.0 } else { 52.0 };
    let bottom = top + LINE * bars.len() as f64 + 4.0;
    let mut ends = vec![start];
    for bar in &bars {
        ends.push(ends[ends.len() - 1] + bar.amount);
    }
    let axis = axis(ends.iter().copied(), between(LEFT, WIDTH - RIGHT));
    let mut svg = String::new();
    if !title.is_empty() {
        let style = " font-size=\"13\" font-weight=\"bold\"";
        svg.push_str(&label(at(8.0, 20.0), "start", title, WIDTH - 16.0, style));
    }
    let expected = row.expected.map_or("counted from 0".to_owned(), |value| {
        format!("expected value: {}", shown_number(value))
    });
    let x = place(&axis, start);
    svg.push_str(&firm(at(x, top - 6.0), at(x, bottom)));
    svg.push_str(&text(at(x, top - 10.0), anchor(x), &expected, " font-size=\"11\""));
    for (number, bar) in bars.iter().enumerate() {
        let y = top + LINE * (number as f64 + 0.5);
        svg.push_str(&bar.svg(&axis, between(ends[number], ends[number + 1]), y));
        if number + 1 < bars.len() {
            let x = place(&axis, ends[number + 1]);
            svg.push_str(&faint(at(x, y + BAR / 2.0), at(x, y + LINE - BAR / 2.0)));
        }
    }
    svg.push_str(&horizontal(&axis, between(top, bottom), ""));
    let x = place(&axis, row.prediction);
    svg.push_str(&firm(at(x, bottom - LINE), at(x, bottom)));
    let name = if row.expected.is_some() { "prediction" } else { "sum" };
    let mut sum = format!("{name}: {}", shown_number(row.prediction));
    if let Some(response) = &row.response {
        sum += &format!("; observed: {}", shown_outcome(response));
    }
    let style = " font-size=\"12\" font-weight=\"bold\"";
    svg.push_str(&text(at(x, bottom + 34.0), anchor(x), &sum, style));
    svg.push_str(&text(at(8.0, bottom + 34.0), "start", unit, " font-size=\"11\""));
    let parts: Vec<String> =
        bars.iter().map(|bar| format!("{}: {}", bar.name, signed(bar.amount))).collect();
    let description =
        format!("Row {}, {}. {expected}; {}; {sum}.", row.row, row.reason, parts.join("; "));
    Drawing { description, size: [WIDTH, bottom + 44.0], contents: svg }
}

fn bars(row: &Waterfall) -> Vec<Bar> {
    let mut bars: Vec<Bar> = row
        .contributions
        .iter()
        .map(|contribution| Bar { name: name(contribution), amount: contribution.amount })
        .collect();
    if let Some((n_variables, amount)) = row.others {
        bars.push(Bar { name: format!("{n_variables} other variables"), amount });
    }
    bars
}

/// The variable and what is in its cell.
fn name(contribution: &Contribution) -> String {
    match &contribution.cell {
        Some(cell) => format!("{} = {}", shown(&contribution.name, 24), shown_outcome(cell)),
        None => shown(&contribution.name, 34),
    }
}

impl Bar {
    fn svg(&self, axis: &Axis, ends: Span, y: f64) -> String {
        let mut svg = label(at(LEFT - 12.0, y + 4.0), "end", &self.name, LEFT - 18.0, "");
        let (from, to) = (place(axis, ends.start), place(axis, ends.end));
        let colour = if self.amount < 0.0 { DOWN } else { UP };
        svg.push_str(&format!(
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{BAR}\" \
             fill=\"{colour}\"><title>{}</title></rect>\n",
            from.min(to),
            y - BAR / 2.0,
            (to - from).abs().max(0.5),
            escaped(&format!("{}: {}", self.name, signed(self.amount)))
        ));
        let behind = at(from.max(to) + 5.0, y + 4.0);
        svg + &text(behind, "start", &signed(self.amount), " font-size=\"11\"")
    }
}

/// Words stay within the picture.
fn anchor(x: f64) -> &'static str {
    match x {
        ..320.0 => "start",
        480.0.. => "end",
        _ => "middle",
    }
}

fn signed(amount: f64) -> String {
    let number = shown_number(amount);
    if amount > 0.0 { format!("+{number}") } else { number }
}

fn shown_number(value: f64) -> String {
    number::value(Some(value)).text.unwrap_or_default()
}

fn shown_outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Number(value) => shown_number(*value),
        Outcome::Level(level) => shown(level, 16),
        Outcome::Missing => "missing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let drawing = waterfall(&row, "", "");
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
        assert!(svg.contains(">\u{2212}3<") && svg.contains("prediction: 12; observed: 11.50"));
        assert!(drawing.description.starts_with("Row 7, the largest prediction. expected value"));
    }
}
