//! Curves as a table with small pictures.

use wald::digits::Digits;
use wald::explain::{Grid, GridValues, Shape};
use wald::words::{counted, shortest};

use crate::explained::found::Found;
use crate::explained::shown::{WIDEST_NAME, legend};
use crate::terminal::Terminal;
use crate::text::Table;

/// More places than this are not drawn one by one.
const WIDEST_PICTURE: usize = 32;

/// A line per variable and class, the variables whose mean curve has the widest range first.
pub(super) fn table(found: &Found<'_>, records: &[f64], terminal: Terminal) -> String {
    let Found { info, layout, .. } = *found;
    let Shape::Curves(grids) = &layout.shape else { return String::new() };
    let lines = layout.summed_curves(records, found.weights_of_records());
    let digits = Digits::of(lines.iter().flat_map(|line| [line.lowest, line.highest]));
    let mut table = Table::new(terminal.plain(), &lines)
        .names(WIDEST_NAME, |line| &layout.variables[line.variable]);
    if let Some(classes) = &layout.classes {
        let class = |class: usize| classes[class].clone();
        table =
            table.named("class", WIDEST_NAME, |line| line.class.map_or_else(String::new, class));
    }
    let mut table = table
        .right("lowest", |line| digits.text(line.lowest))
        .right("highest", |line| digits.text(line.highest))
        .left("values", |line| {
            terminal.decimal_mark.text(&extent(&grids[line.variable])).into_owned()
        });
    if terminal.has_pictures() {
        table = table.left("curve", |line| {
            picture(&line.mean, grids[line.variable].has_missing, terminal.unicode)
        });
    }
    let rows = counted(layout.n_rows, "row");
    let about = if layout.is_mean {
        format!("{}: {}, mean of {rows}", info.id, info.name)
    } else {
        let weighted = if found.weights_of_records().is_some() { "weighted " } else { "" };
        format!(
            "{}: {}; lowest and highest of {rows}, curves are their {weighted}means",
            info.id, info.name
        )
    };
    terminal.shown(table.text() + &legend(&about, terminal))
}

/// The first and the last value of a grid, or how many levels there are.
fn extent(grid: &Grid) -> String {
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
    shortest(if rounded.is_finite() { rounded } else { number })
}

/// The heights of a curve at evenly chosen places; that of a missing value stands apart.
fn picture(curve: &[f64], has_missing: bool, unicode: bool) -> String {
    let heights: Vec<char> = if unicode { "▁▂▃▄▅▆▇█" } else { "01234567" }.chars().collect();
    let lowest = curve.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = curve.iter().copied().fold(f64::NEG_INFINITY, f64::max);
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
