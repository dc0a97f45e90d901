//! Dependence of all pairs as shades, with the tree that joins the variables at its side.

use std::collections::HashMap;

use wald_report::{DependenceMap, Merge};

use crate::chart::drawing::{DOWN, Drawing, UP, shown};
use crate::chart::marks::{stroke, text};
use crate::chart::medium::{Columns, Medium};
use crate::chart::names::Names;
use crate::chart::position::{Position, Span, at, between};

const NAMES: f64 = 140.0;
const TOP: f64 = 8.0;
/// Width of all cells.
const CELLS: f64 = 440.0;
const LARGEST_CELL: f64 = 26.0;
/// Below this height of a line there are no names.
const LEGIBLE: f64 = 8.0;
/// Between the cells and the tree, and the width of the tree.
const GAP: f64 = 8.0;
const TREE: f64 = 130.0;
const SHADES: usize = 10;

/// On paper: the share of the width that names have at most, the size of their letters, the largest cell
/// and the width of the tree.
const NAMES_ON_PAPER: f64 = 0.33;
const LETTERS_ON_PAPER: f64 = 10.5;
const LARGEST_ON_PAPER: f64 = 36.0;
const TREE_ON_PAPER: [f64; 2] = [70.0, 220.0];
/// Right of the tree, where half of a number is.
const RIGHT: f64 = 22.0;

/// The most variables whose names can be read on paper.
pub const fn most_mapped(columns: Columns) -> usize {
    match columns {
        Columns::One => 12,
        Columns::Two => 36,
    }
}

/// Where the parts of a map are.
struct Places {
    /// Where cells begin, and the size of one.
    left: f64,
    cell: f64,
    /// The width of the tree.
    tree: f64,
    legend: Position,
    /// `None` where they could not be read.
    names: Option<Names>,
}

impl Places {
    fn of(map: &DependenceMap, medium: Medium) -> Self {
        match medium {
            Medium::Page => Self::on_page(map),
            Medium::Paper(columns) => Self::on_paper(map, columns),
        }
    }

    fn on_page(map: &DependenceMap) -> Self {
        let n = map.variables.len();
        let cell = (CELLS / n.max(1) as f64).min(LARGEST_CELL);
        let has_names = cell >= LEGIBLE;
        let size = (cell * 0.95).min(11.0);
        let names = map.variables.iter().map(String::as_str);
        let names = has_names.then(|| Names::of_size(names, NAMES - 20.0, Medium::Page, (size, 1)));
        let left = if has_names { NAMES } else { 8.0 };
        let legend = at(left, TOP + cell * n as f64 + 16.0);
        Self { left, cell, tree: TREE, legend, names }
    }

    /// Cells are as large as there is room for, and the tree has the rest.
    fn on_paper(map: &DependenceMap, columns: Columns) -> Self {
        let n = map.variables.len().max(1) as f64;
        let names = map.variables.iter().map(String::as_str);
        let room = NAMES_ON_PAPER * columns.units();
        let names = Names::of_size(names, room, Medium::Paper(columns), (LETTERS_ON_PAPER, 1));
        let left = names.width() + 8.0;
        let free = columns.units() - left - GAP - RIGHT;
        let cell = ((free - TREE_ON_PAPER[0]) / n).min(LARGEST_ON_PAPER);
        let tree = (free - cell * n).min(TREE_ON_PAPER[1]);
        let legend = at(8.0, TOP + cell * n + 20.0);
        Self { left, cell, tree, legend, names: Some(names) }
    }
}

/// The picture.
pub fn heat_map(map: &DependenceMap, medium: Medium) -> Drawing {
    let Places { left, cell, tree: tree_width, legend: legend_corner, names } =
        Places::of(map, medium);
    let n = map.variables.len();
    let side = cell * n as f64;
    let mut svg = cells(map, at(left, TOP), cell);
    for place in 0..n {
        let end = at(left - 6.0, TOP + cell * (place as f64 + 0.5));
        svg.push_str(&names.as_ref().map_or_else(String::new, |names| names.svg(place, end)));
    }
    svg.push_str(&clusters(map, at(left, TOP), cell));
    let tree_left = left + side + GAP;
    let extent = between(tree_left, tree_left + tree_width);
    svg.push_str(&tree(&map.merges, map.threshold, extent, cell, side));
    svg.push_str(&legend(legend_corner.x, legend_corner.y));
    let description = format!(
        "Dependence of {n} variables as a map of shades with a tree; largest groups: {}.",
        groups(map)
    );
    let size = [extent.end + RIGHT, legend_corner.y + 24.0];
    Drawing { description, size, contents: svg }
}

fn groups(map: &DependenceMap) -> String {
    let first = map.clusters.iter().take(3);
    let words: Vec<String> = first
        .map(|names| {
            let names: Vec<String> = names.iter().take(4).map(|name| shown(name, 24)).collect();
            names.join(" and ")
        })
        .collect();
    if words.is_empty() { "none".to_owned() } else { words.join("; ") }
}

/// One element for all cells of a shade, so that large maps stay light. The page's script finds out
/// which cell is pointed at from `data-cells`: left, top and size.
fn cells(map: &DependenceMap, at: Position, cell: f64) -> String {
    let Position { x: left, y: top } = at;
    let mut of_shade = vec![String::new(); SHADES + 1];
    for (row, values) in map.values.iter().enumerate() {
        for (column, &value) in values.iter().enumerate() {
            if value > 0.0 {
                let shade = ((value.min(1.0) * SHADES as f64).round() as usize).min(SHADES);
                of_shade[shade].push_str(&format!("M{column} {row}h1"));
            }
        }
    }
    // A cell is a line as long as it is thick.
    let middle = top + cell / 2.0;
    let mut svg = format!(
        "<g data-cells=\"{left:.1} {top:.1} {cell:.4}\" stroke=\"{DOWN}\" \
         shape-rendering=\"crispEdges\" \
         transform=\"translate({left:.1} {middle:.2}) scale({cell:.4})\">\n"
    );
    let shades = of_shade.iter().enumerate().skip(1).filter(|(_, steps)| !steps.is_empty());
    for (shade, steps) in shades {
        let opacity = shade as f64 / SHADES as f64;
        svg.push_str(&format!("<path d=\"{steps}\" stroke-opacity=\"{opacity:.1}\"/>\n"));
    }
    let side = cell * map.variables.len() as f64;
    svg + &format!(
        "</g>\n<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" \
         fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.3\" pointer-events=\"none\"/>\n"
    )
}

/// A frame around each group on the diagonal.
fn clusters(map: &DependenceMap, at: Position, cell: f64) -> String {
    let Position { x: left, y: top } = at;
    let place: HashMap<&str, usize> =
        map.variables.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
    let frame = |names: &Vec<String>| {
        let places = || names.iter().filter_map(|name| place.get(name.as_str()).copied());
        let (first, last) = (places().min()?, places().max()?);
        let size = cell * (last + 1 - first) as f64;
        let (x, y) = (left + cell * first as f64, top + cell * first as f64);
        Some(format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{size:.1}\" height=\"{size:.1}\" fill=\"none\" \
             stroke=\"{UP}\" stroke-width=\"1.6\" pointer-events=\"none\"/>\n"
        ))
    };
    map.clusters.iter().filter_map(frame).collect()
}

/// Stretches that are joined, further to the right the less they depend on each other.
fn tree(merges: &[Merge], threshold: f64, extent: Span, cell: f64, side: f64) -> String {
    let left = extent.start;
    let x_of = |dependence: f64| left + (extent.end - left) * (1.0 - dependence.clamp(0.0, 1.0));
    let mut ends: HashMap<(usize, usize), (f64, f64)> = HashMap::new();
    let leaf = |place: usize| (left, TOP + cell * (place as f64 + 0.5));
    let mut steps = String::new();
    for merge in merges {
        let end_of = |from: usize, to: usize| ends.get(&(from, to)).copied().unwrap_or(leaf(from));
        let (a, b) = (end_of(merge.first, merge.middle), end_of(merge.middle, merge.end));
        let x = x_of(merge.dependence).max(a.0).max(b.0);
        steps.push_str(&format!("M{:.1} {:.1}H{x:.1}V{:.1}H{:.1}", a.0, a.1, b.1, b.0));
        ends.insert((merge.first, merge.end), (x, f64::midpoint(a.1, b.1)));
    }
    let mut svg = format!(
        "<path d=\"{steps}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.7\"/>\n"
    );
    let bottom = TOP + side;
    let dashed = " stroke-dasharray=\"3 3\"";
    svg.push_str(&stroke(at(x_of(threshold), TOP), at(x_of(threshold), bottom), UP, dashed));
    for (dependence, words) in [(1.0, "1"), (0.5, "0.5"), (0.0, "0")] {
        let at = at(x_of(dependence), bottom + 14.0);
        svg.push_str(&text(at, "middle", words, " font-size=\"11\""));
    }
    svg
}

fn legend(left: f64, y: f64) -> String {
    let mut svg = text(at(left, y + 10.0), "start", "0", " font-size=\"11\"");
    for shade in 1..=SHADES {
        let x = left + 12.0 + 12.0 * (shade - 1) as f64;
        let opacity = shade as f64 / SHADES as f64;
        svg.push_str(&format!(
            "<path d=\"M{x:.1} {y:.1}h12v12h-12z\" fill=\"{DOWN}\" fill-opacity=\"{opacity:.1}\"/>\n"
        ));
    }
    let end = left + 12.0 + 12.0 * SHADES as f64 + 5.0;
    svg + &text(at(end, y + 10.0), "start", "1 dependence", " font-size=\"11\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(n: usize) -> DependenceMap {
        DependenceMap {
            method: "rank correlation".into(),
            left_out: None,
            variables: (0..n).map(|place| format!("<x{place}>")).collect(),
            values: (0..n)
                .map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.4 }).collect())
                .collect(),
            merges: vec![
                Merge { first: 0, middle: 1, end: 2, dependence: 0.8 },
                Merge { first: 0, middle: 2, end: 3, dependence: 0.2 },
            ],
            clusters: vec![vec!["<x0>".into(), "<x1>".into()]],
            threshold: 0.7,
        }
    }

    #[test]
    fn every_pair_has_its_shade_and_merges_join_stretches() {
        let svg = heat_map(&map(3), Medium::Page).embedded();
        let path = |opacity: &str| {
            let end = svg.find(&format!("stroke-opacity=\"{opacity}\"/>")).expect("a shade");
            svg[..end].rsplit("<path").next().unwrap_or_default().matches("h1").count()
        };
        assert_eq!((path("1.0"), path("0.4")), (3, 6));
        // The first two leaves at 0.8, then their middle with the third at 0.2; the tree is at 226.
        assert!(svg.contains("M226.0 21.0H252.0V47.0H226.0M252.0 34.0H330.0V73.0H226.0"), "{svg}");
        assert!(svg.contains("&lt;x2&gt;") && !svg.contains("NaN"));
    }

    #[test]
    fn large_maps_have_no_names_and_few_elements() {
        let svg = heat_map(&map(200), Medium::Page).embedded();
        assert!(!svg.contains("&lt;x7&gt;"));
        assert!(svg.matches('<').count() < 60);
    }
}
