//! Stacked bars: one bar per name, one colour per part.

use crate::chart::axis::Axis;
use crate::chart::layout::{
    LETTER_WIDTH, MARGINS, PANEL_HEIGHT, PANEL_WIDTH, Picture, legend, titles, vertical,
};
use crate::chart::marks::text;
use crate::chart::position::{at, between};

/// The lightest and the darkest colour of parts in an order.
const SHADES: [[f64; 3]; 2] = [[214.0, 232.0, 224.0], [14.0, 66.0, 50.0]];

/// Longer names are cut.
const LONGEST_NAME: usize = 12;

/// Bars of parts on top of each other.
#[derive(Debug, Clone)]
pub struct Stacks {
    /// Above the bars.
    pub title: String,
    /// Below the horizontal axis.
    pub x_label: String,
    /// Beside the vertical axis.
    pub y_label: String,
    /// Of the bars.
    pub names: Vec<String>,
    /// From the bottom upwards.
    pub parts: Vec<Part>,
}

/// A part of every bar.
#[derive(Debug, Clone)]
pub struct Part {
    /// In the legend.
    pub name: String,
    /// Of every bar; negative ones are not drawn.
    pub values: Vec<f64>,
}

impl Picture for Stacks {
    fn svg(&self) -> String {
        let [left, top, right, bottom] = MARGINS;
        let (right, bottom) = (PANEL_WIDTH - right, PANEL_HEIGHT - bottom);
        let value = |part: &Part, bar: usize| part.values.get(bar).map_or(0.0, |v| v.max(0.0));
        let sums = (0..self.names.len())
            .map(|bar| self.parts.iter().map(|part| value(part, bar)).sum::<f64>());
        let axis = Axis::linear(sums.chain([0.0]), between(bottom, top));
        let mut svg = titles(&self.title, &self.x_label, &self.y_label);
        svg.push_str(&vertical(&axis));
        let slot = (right - left) / self.names.len().max(1) as f64;
        let names: Vec<String> = self.names.iter().map(|name| shortened(name)).collect();
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let is_turned = LETTER_WIDTH * longest as f64 > slot;
        for (bar, name) in names.iter().enumerate() {
            let centre = left + slot * (bar as f64 + 0.5);
            let mut below = 0.0;
            for (number, part) in self.parts.iter().enumerate() {
                let value = value(part, bar);
                let (from, to) = (axis.place(below), axis.place(below + value));
                if value > 0.0 {
                    svg.push_str(&format!(
                        "<rect x=\"{:.1}\" y=\"{to:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                         fill=\"{}\"/>\n",
                        centre - 0.35 * slot,
                        0.7 * slot,
                        from - to,
                        shade(number, self.parts.len())
                    ));
                }
                below += value;
            }
            svg.push_str(&if is_turned {
                let at = at(centre + 3.0, bottom + 12.0);
                let style =
                    format!(" font-size=\"10\" transform=\"rotate(-30 {:.1} {:.1})\"", at.x, at.y);
                text(at, "end", name, &style)
            } else {
                text(at(centre, bottom + 18.0), "middle", name, "")
            });
        }
        let shades: Vec<String> =
            (0..self.parts.len()).map(|number| shade(number, self.parts.len())).collect();
        let names = self.parts.iter().zip(&shades);
        svg + &legend(
            &names.map(|(part, shade)| (part.name.as_str(), shade.as_str())).collect::<Vec<_>>(),
        )
    }
}

/// From dark to light: the first parts are seen first.
fn shade(number: usize, n: usize) -> String {
    let share = number as f64 / (n.max(2) - 1) as f64;
    let [light, dark] = SHADES;
    let mixed = |at: usize| (dark[at] + share * (light[at] - dark[at])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stacks(names: &[&str]) -> Stacks {
        let part =
            |name: &str, values: [f64; 2]| Part { name: name.to_owned(), values: values.into() };
        Stacks {
            title: "a < b".to_owned(),
            x_label: String::new(),
            y_label: "bits".to_owned(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            parts: vec![part("0", [0.25, 0.5]), part("1", [0.25, 0.0]), part("2", [0.5, -0.0])],
        }
    }

    #[test]
    fn parts_are_as_high_as_their_values() {
        let svg = stacks(&["x1", "x2"]).svg();
        // 216 units for values from 0 to 1.
        let heights: Vec<&str> = svg
            .lines()
            .filter_map(|line| line.split("height=\"").nth(1)?.split('"').next())
            .collect();
        assert_eq!(heights, ["54.0", "54.0", "108.0", "108.0"]);
        assert!(svg.contains("a &lt; b") && svg.contains(">x1<") && !svg.contains("rotate(-30"));
        assert!(svg.contains(&shade(2, 3)) && shade(0, 3) != shade(2, 3));
    }

    #[test]
    fn long_names_are_turned_and_cut() {
        let svg =
            stacks(&["the first of two very long names", "another one that is as long"]).svg();
        assert!(!svg.contains("rotate(-30") && svg.contains(">the first o…<"));
        let many = Stacks { names: vec!["a name".to_owned(); 20], ..stacks(&[]) };
        assert!(many.svg().contains("rotate(-30") && !many.svg().contains("NaN"));
    }
}
