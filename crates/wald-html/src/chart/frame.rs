//! The area of a small picture between two axes of numbers, and what is drawn in it.

use crate::chart::axis::Axis;
use crate::chart::drawing::{
    WORDS, anchored, axis, escaped, grid, horizontal, label, place, short, tenths, ticks,
    words_below,
};
use crate::chart::letters;
use crate::chart::marks::text;
use crate::chart::position::{Position, at, between};

/// Two axes: along x to the right, along y upwards.
pub(super) struct Frame {
    pub(super) x: Axis,
    pub(super) y: Axis,
}

/// Room for the words of the ticks of a vertical axis, beside its name.
const TICK_ROOM: f64 = 36.0;

/// Room at the left of an area of such a height on paper, for ticks and the name of the axis.
pub(super) fn left_on_paper(y_label: &str, height: f64) -> f64 {
    42.0 + WORDS * side_lines(y_label, height).len() as f64
}

/// How much wider the words of the ticks of a vertical axis are than the room that areas have for them.
fn beyond(y: &Axis) -> f64 {
    let widths = ticks(y).into_iter().map(|(_, words)| letters::width(&words, 11.0));
    (widths.fold(0.0, f64::max) - TICK_ROOM).max(0.0).round()
}

fn side_lines(y_label: &str, height: f64) -> Vec<String> {
    letters::even_lines(y_label, 11.0, height + 10.0, 3)
}

/// Corners of an area: left, top, right, bottom.
pub(super) type Area = [f64; 4];

impl Frame {
    /// Covers the numbers.
    pub(super) fn of(
        xs: impl Iterator<Item = f64>,
        ys: impl Iterator<Item = f64>,
        [left, top, right, bottom]: Area,
    ) -> Self {
        let y = axis(ys, between(bottom, top));
        Self { x: axis(xs, between(left + beyond(&y), right)), y }
    }

    /// The same, with ticks at whole numbers that occur.
    pub(super) fn of_counts(
        xs: impl Iterator<Item = f64>,
        ys: impl Iterator<Item = f64>,
        area: Area,
    ) -> Self {
        let usual = Self::of([0.0].into_iter(), ys, area);
        let across = between(usual.x.start, usual.x.end);
        Self { x: Axis::at_values(xs.chain([1.0]), across, false), ..usual }
    }

    /// Grid, ticks and the names of both axes.
    pub(super) fn svg(&self, x_label: &str, y_label: &str) -> String {
        let (left, right) = (self.x.start, self.x.end);
        let (bottom, top) = (self.y.start, self.y.end);
        let ys = ticks(&self.y);
        let mut svg = grid(ys.iter().map(|(y, _)| format!("M{left:.0} {y:.1}H{right:.0}")));
        let words = ys.iter().map(|(y, words)| anchored(at(left - 6.0, y + 4.0), words));
        svg.push_str(&format!(
            "<g font-size=\"11\" text-anchor=\"end\">{}</g>\n",
            words.collect::<String>()
        ));
        svg.push_str(&horizontal(&self.x, between(top, bottom), x_label));
        if y_label.is_empty() {
            return svg;
        }
        let middle = f64::midpoint(top, bottom);
        let turned = format!(" font-size=\"11\" transform=\"rotate(-90 14 {middle:.1})\"");
        svg + &label(at(14.0, middle), "middle", y_label, bottom - top + 30.0, &turned)
    }

    /// The same on paper, where words have as many lines as they need; `width` is that of the picture. Also
    /// where it ends.
    pub(super) fn on_paper(&self, x_label: &str, y_label: &str, width: f64) -> (String, f64) {
        let (bottom, top) = (self.y.start, self.y.end);
        let (centre, middle) =
            (f64::midpoint(self.x.start, self.x.end), f64::midpoint(top, bottom));
        let mut svg = self.svg("", "");
        for (number, line) in side_lines(y_label, bottom - top).iter().enumerate() {
            let x = 11.0 + WORDS * number as f64;
            let turned = format!(" font-size=\"11\" transform=\"rotate(-90 {x:.0} {middle:.1})\"");
            svg.push_str(&text(at(x, middle), "middle", line, &turned));
        }
        let (words, height) = words_below(x_label, at(centre, bottom + 30.0), width - 16.0, width);
        (svg + &words, bottom + 23.0 + height)
    }

    /// Where a point is.
    pub(super) fn at(&self, x: f64, y: f64) -> Position {
        at(place(&self.x, x), place(&self.y, y))
    }

    /// A line through points.
    pub(super) fn line(&self, points: &[(f64, f64)], style: &str) -> String {
        self.lines([points.to_vec()].into_iter(), style)
    }

    /// Lines of one style as one element; a line breaks where a number is undefined. Steps are
    /// relative and in tenths, and level stretches are one step, because pages hold thousands of them.
    pub(super) fn lines(
        &self,
        lines: impl Iterator<Item = Vec<(f64, f64)>>,
        style: &str,
    ) -> String {
        let steps: String = lines.map(|points| self.steps(&points)).collect();
        format!("<path d=\"{steps}\" fill=\"none\" {style}/>\n")
    }

    fn steps(&self, points: &[(f64, f64)]) -> String {
        let mut steps = String::new();
        let mut last: Option<(i64, i64)> = None;
        // How far the line has gone on without rising or falling; no way back is taken in one step.
        let mut level = 0;
        let flushed = |level: &mut i64| match std::mem::take(level) {
            0 => String::new(),
            step => format!("h{}", tenths(step)),
        };
        for &(x, y) in points {
            if !x.is_finite() || !y.is_finite() {
                steps.push_str(&flushed(&mut level));
                last = None;
                continue;
            }
            let place = self.at(x, y);
            let (x, y) = ((10.0 * place.x).round() as i64, (10.0 * place.y).round() as i64);
            let (letter, step) = match last {
                Some(last) => ('l', (x - last.0, y - last.1)),
                None => ('M', (x, y)),
            };
            if letter == 'l' && step.1 == 0 && level.signum() * step.0.signum() >= 0 {
                level += step.0;
            } else {
                let space = if step.1 < 0 { "" } else { " " };
                steps.push_str(&flushed(&mut level));
                steps.push_str(&format!("{letter}{}{space}{}", tenths(step.0), tenths(step.1)));
            }
            last = Some((x, y));
        }
        steps + &flushed(&mut level)
    }
}

/// A filled rectangle between two corners, with words shown when it is pointed at.
pub(super) fn block(from: Position, to: Position, words: &str) -> String {
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>\n",
        short(from.x.min(to.x)),
        short(from.y.min(to.y)),
        short((to.x - from.x).abs()),
        short((to.y - from.y).abs()),
        escaped(words)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_where_numbers_are_undefined() {
        let numbers = || [0.0, 1.0].into_iter();
        let frame = Frame::of(numbers(), numbers(), [0.0, 0.0, 100.0, 50.0]);
        let points = [(0.0, 0.0), (0.5, f64::NAN), (0.5, 0.5), (1.0, 1.0)];
        assert!(frame.line(&points, "").contains("d=\"M0 50M50 25l50-25\""));
        // Level stretches are one step; the way back is another one.
        let level = [(0.0, 0.5), (0.2, 0.5), (0.7, 0.5), (0.6, 0.5), (0.8, 1.0), (1.0, 1.0)];
        assert!(frame.line(&level, "").contains("d=\"M0 25h70l-10 0l20-25h20\""));
        assert!(block(at(0.0, 5.0), at(2.0, 1.0), "<b>").contains("height=\"4\"><title>&lt;b&gt;"));
    }

    #[test]
    fn wide_numbers_have_room_at_the_left() {
        let left = |ys: [f64; 2]| {
            Frame::of([0.0, 1.0].into_iter(), ys.into_iter(), [68.0, 0.0, 300.0, 90.0]).x.start
        };
        assert_eq!(left([0.0, 12.0]), 68.0);
        let wide = Frame::of(
            [0.0, 1.0].into_iter(),
            [1.710_05e9, 1.710_3e9].into_iter(),
            [68.0, 0.0, 300.0, 90.0],
        );
        let widths = ticks(&wide.y).into_iter().map(|(_, words)| letters::width(&words, 11.0));
        let widest = widths.fold(0.0, f64::max);
        assert!(wide.x.start - 6.0 - widest > 18.0, "{} for {widest}", wide.x.start);
    }

    #[test]
    fn counts_have_whole_ticks() {
        let (counts, errors) = ([1.0, 2.0, 3.0].into_iter(), [10.0, 50.0].into_iter());
        let svg = Frame::of_counts(counts, errors, [60.0, 0.0, 100.0, 50.0]).svg("n", "y");
        assert!(svg.contains(">2<") && svg.contains(">n<") && !svg.contains(".5<"), "{svg}");
        // No numbers at all.
        let none = || [].into_iter();
        assert!(
            !Frame::of_counts(none(), none(), [0.0, 0.0, 9.0, 9.0]).svg("", "").contains("NaN")
        );
    }
}
