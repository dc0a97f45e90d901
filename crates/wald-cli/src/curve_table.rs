//! Curves as a table with small pictures.

use wald::explain::{Grid, GridValues};
use wald::words::counted;

use crate::csv;
use crate::curves::Curves;
use crate::explained::{Found, legend, shortened};
use crate::terminal::Terminal;

/// More places than this are not drawn one by one.
const WIDEST_PICTURE: usize = 32;

impl Curves<'_> {
    /// A line per variable and class, the variables whose mean curve has the widest range first.
    pub(crate) fn table(&self, terminal: Terminal) -> String {
        use unicode_width::UnicodeWidthStr as _;
        let mut lines: Vec<(f64, [String; 6])> = Vec::new();
        let classes = self.layout.classes.as_deref();
        // Of two classes, one determines the other.
        let outputs = match self.layout.n_outputs() {
            2 => 1..2,
            n_outputs => 0..n_outputs,
        };
        for ((grid, start, end), name) in self.spans().into_iter().zip(&self.layout.variables) {
            for output in outputs.clone() {
                let Some(line) = Line::new(self, start, end, output) else { continue };
                let class = classes.map_or("", |classes| classes[output].as_str());
                let cells = [
                    shortened(name),
                    wald_table::escape_controls(class),
                    format!("{:.4}", line.lowest),
                    format!("{:.4}", line.highest),
                    ends(grid),
                    picture(&line.mean, grid.has_missing, terminal.unicode),
                ];
                lines.push((line.range(), cells));
            }
        }
        lines.sort_by(|one, other| other.0.total_cmp(&one.0));
        let header = ["variable", "class", "lowest", "highest", "values", "curve"];
        let mut rows = vec![header.map(str::to_owned)];
        rows.extend(lines.into_iter().map(|(_, cells)| cells));
        let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let shown = |column: &usize| classes.is_some() || *column != 1;
        let mut text = String::new();
        for row in &rows {
            let cells = (0..header.len()).filter(shown).map(|column| {
                let blanks = " ".repeat(widths[column] - row[column].width());
                let is_right = column == 2 || column == 3;
                if is_right { blanks + &row[column] } else { row[column].clone() + &blanks }
            });
            text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            text.push('\n');
        }
        text + &self.legend(terminal)
    }

    fn legend(&self, terminal: Terminal) -> String {
        let Found { info, layout, .. } = **self;
        let of_rows = if layout.is_mean {
            format!("{}: {}, mean of {}", info.id, info.name, counted(layout.n_rows, "row"))
        } else {
            format!(
                "{}: {}; lowest and highest of {}, curves are their means",
                info.id,
                info.name,
                counted(layout.n_rows, "row")
            )
        };
        legend(of_rows, terminal)
    }
}

/// The curves of one variable and class, summed up.
struct Line {
    lowest: f64,
    highest: f64,
    mean: Vec<f64>,
}

impl Line {
    /// `None` where no row has a curve.
    fn new(curves: &Curves<'_>, start: usize, end: usize, output: usize) -> Option<Self> {
        let n_outputs = curves.layout.n_outputs();
        let mut mean = vec![0.0; (end - start) / n_outputs];
        let (mut lowest, mut highest, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for record in curves.values.chunks_exact(curves.layout.n_values()) {
            if record[start].is_nan() {
                continue;
            }
            count += 1.0;
            let places = record[start..end].chunks_exact(n_outputs);
            for (sum, place) in mean.iter_mut().zip(places) {
                *sum += place[output];
                lowest = lowest.min(place[output]);
                highest = highest.max(place[output]);
            }
        }
        mean.iter_mut().for_each(|sum| *sum /= count);
        (count > 0.0).then_some(Self { lowest, highest, mean })
    }

    fn range(&self) -> f64 {
        let (lowest, highest) = ends_of(&self.mean);
        highest - lowest
    }
}

fn ends_of(values: &[f64]) -> (f64, f64) {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    (lowest, values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// The first and the last value of a grid, or how many levels there are.
fn ends(grid: &Grid) -> String {
    let missing = if grid.has_missing { ", missing" } else { "" };
    match &grid.values {
        GridValues::Numbers(numbers) => match (numbers.first(), numbers.last()) {
            (Some(&first), Some(&last)) => format!("{} to {}{missing}", short(first), short(last)),
            _ => String::new(),
        },
        GridValues::Levels(levels) => format!("{}{missing}", counted(levels.len(), "level")),
    }
}

/// A number with four digits.
fn short(number: f64) -> String {
    let unit = 10_f64.powf(3.0 - number.abs().log10().floor());
    let rounded = (number * unit).round() / unit;
    csv::shortest(if rounded.is_finite() { rounded } else { number })
}

/// The heights of a curve at evenly chosen places; that of a missing value stands apart.
fn picture(curve: &[f64], has_missing: bool, unicode: bool) -> String {
    let heights: Vec<char> = if unicode { "▁▂▃▄▅▆▇█" } else { "01234567" }.chars().collect();
    let (lowest, highest) = ends_of(curve);
    let (curve, missing) = curve.split_at(curve.len() - usize::from(has_missing));
    let n_shown = curve.len().min(WIDEST_PICTURE);
    let place = |index: usize| match n_shown {
        0 | 1 => 0,
        _ => index * (curve.len() - 1) / (n_shown - 1),
    };
    let height = |value: f64| {
        let share = if highest > lowest { (value - lowest) / (highest - lowest) } else { 0.0 };
        heights[(share * (heights.len() - 1) as f64).round() as usize]
    };
    let shown = (0..n_shown).map(|index| height(curve[place(index)]));
    let apart = missing.iter().flat_map(|&value| [' ', height(value)]);
    shown.chain(apart).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_show_heights_between_the_ends() {
        assert_eq!(picture(&[0.0, 1.0, 0.5], false, true), "▁█▅");
        assert_eq!(picture(&[0.0, 1.0, 0.5], true, true), "▁█ ▅");
        assert_eq!(picture(&[2.0, 2.0], false, true), "▁▁");
        assert_eq!(picture(&[3.0, 1.0], false, false), "70");
        let long: Vec<f64> = (0..1000).map(f64::from).collect();
        let drawn = picture(&long, false, true);
        assert_eq!(drawn.chars().count(), WIDEST_PICTURE);
        assert!(drawn.starts_with('▁') && drawn.ends_with('█'));
    }

    #[test]
    fn numbers_are_short() {
        let numbers = [0.0, 2007.0, 185.2, -0.012_345_6, 123_456.0, 1e-300, 1e308];
        let texts = ["0", "2007", "185.2", "-0.01235", "123500", "1e-300", "1e308"];
        assert_eq!(numbers.map(short), texts);
    }
}
