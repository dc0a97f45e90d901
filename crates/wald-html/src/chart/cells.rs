//! Small pictures made of coloured shapes, in rows and columns: red is above zero, blue below.

use crate::chart::layout::Picture;
use crate::chart::marks::text;
use crate::chart::position::{Position, at};

/// Of values above and below zero, at their largest.
const ENDS: [[f64; 3]; 2] = [[178.0, 48.0, 32.0], [44.0, 92.0, 164.0]];

/// A shape, in shares of the width and the height of its picture.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Corners.
    pub corners: Vec<[f64; 2]>,
    /// Drawn with a dark border.
    pub is_marked: bool,
}

/// A picture: as many values as shapes.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The shapes.
    pub outlines: Vec<Outline>,
    /// Coloured by their share of the largest absolute value of the picture.
    pub values: Vec<f64>,
}

/// Pictures in rows and columns with names.
#[derive(Debug, Clone)]
pub struct Cells {
    /// Above all.
    pub title: String,
    /// Above the columns, broken at commas.
    pub columns: Vec<String>,
    /// Name and pictures, one per column.
    pub rows: Vec<(String, Vec<Cell>)>,
    /// Width and height of a picture.
    pub size: [f64; 2],
}

const LEFT: f64 = 60.0;
const TOP: f64 = 58.0;
const GAP: f64 = 16.0;
/// Room for the name of a column.
const NARROWEST: f64 = 76.0;

impl Cells {
    /// Width and height of all pictures with their names.
    fn extent(&self) -> [f64; 2] {
        let [width, height] = self.step();
        [
            LEFT + width * self.columns.len() as f64 + GAP,
            TOP + height * self.rows.len() as f64 + GAP,
        ]
    }

    fn step(&self) -> [f64; 2] {
        [(self.size[0] + GAP).max(NARROWEST), self.size[1] + GAP]
    }

    /// A file of several of them beside each other.
    pub fn file(parts: &[Self]) -> String {
        let extents: Vec<[f64; 2]> = parts.iter().map(Self::extent).collect();
        let width: f64 = extents.iter().map(|extent| extent[0]).sum();
        let height = extents.iter().map(|extent| extent[1]).fold(0.0, f64::max);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"DejaVu Sans, sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        );
        let mut x = 0.0;
        for (part, extent) in parts.iter().zip(&extents) {
            svg.push_str(&format!("<g transform=\"translate({x:.0} 0)\">\n{}</g>\n", part.svg()));
            x += extent[0];
        }
        svg + "</svg>\n"
    }
}

impl Picture for Cells {
    fn svg(&self) -> String {
        let [width, height] = self.step();
        let mut svg = text(at(LEFT, 20.0), "start", &self.title, " font-size=\"13\"");
        for (number, name) in self.columns.iter().enumerate() {
            let x = LEFT + width * number as f64;
            for (line, word) in name.split(", ").enumerate() {
                let at = at(x, 38.0 + 13.0 * line as f64);
                svg.push_str(&text(at, "start", word, " font-size=\"10\""));
            }
        }
        for (row, (name, cells)) in self.rows.iter().enumerate() {
            let y = TOP + height * row as f64;
            let middle = y + self.size[1] / 2.0 + 4.0;
            svg.push_str(&text(at(LEFT - GAP, middle), "end", name, ""));
            for (column, cell) in cells.iter().enumerate() {
                svg.push_str(&cell.svg(at(LEFT + width * column as f64, y), self.size));
            }
        }
        svg
    }
}

impl Cell {
    fn svg(&self, at: Position, [width, height]: [f64; 2]) -> String {
        let largest = self.values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let mut svg = String::new();
        for (outline, &value) in self.outlines.iter().zip(&self.values) {
            let share = if largest > 0.0 { value / largest } else { 0.0 };
            let corner = |&[across, down]: &[f64; 2]| {
                format!("{:.1},{:.1}", at.x + across * width, at.y + down * height)
            };
            let corners: Vec<String> = outline.corners.iter().map(corner).collect();
            let (border, thickness) =
                if outline.is_marked { ("#222222", 1.0) } else { ("#cccccc", 0.6) };
            svg.push_str(&format!(
                "<polygon points=\"{}\" fill=\"{}\" stroke=\"{border}\" \
                 stroke-width=\"{thickness}\"/>\n",
                corners.join(" "),
                colour(share)
            ));
        }
        svg
    }
}

/// White at 0, darker towards 1 and -1.
fn colour(share: f64) -> String {
    let end = ENDS[usize::from(share < 0.0)];
    let part = |to: f64| (255.0 + (to - 255.0) * share.abs().min(1.0)).round() as u8;
    format!("#{:02x}{:02x}{:02x}", part(end[0]), part(end[1]), part(end[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_shares_of_the_largest_value() {
        assert_eq!(colour(0.0), "#ffffff");
        assert_eq!(colour(1.0), "#b23020");
        assert_eq!(colour(-1.0), "#2c5ca4");
        let corners = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let outline = Outline { corners, is_marked: true };
        let cell = Cell { outlines: vec![outline.clone(), outline], values: vec![-2.0, 0.0] };
        let cells = Cells {
            title: "a & b".to_owned(),
            columns: vec!["Local, K = 1".to_owned()],
            rows: vec![("3".to_owned(), vec![cell])],
            size: [40.0, 60.0],
        };
        let svg = Cells::file(&[cells.clone(), cells]);
        assert_eq!(svg.matches("#2c5ca4").count(), 2);
        assert!(svg.contains("a &amp; b") && svg.contains(">K = 1<") && !svg.contains("NaN"));
    }
}
