//! Pictures on paper: documents of a size in millimetres that need no page around them.

use wald::DecimalMark;

use crate::chart::drawing::{Drawing, escaped};
use crate::chart::medium::{Columns, MILLIMETRES};
use crate::decimals::drawn_with_mark;

/// Between pictures below each other.
const GAP: f64 = 10.0;

/// The letters, in fonts of equal widths.
const FONTS: &str = "Arimo, Arial, 'Liberation Sans', Helvetica, sans-serif";

/// A picture on paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// The document: no script, no style sheet, nothing that is loaded.
    pub svg: String,
    /// Width and height.
    pub millimetres: [f64; 2],
    /// What it shows, for readers who cannot see it.
    pub description: String,
}

impl Sheet {
    /// Pictures beside each other in two columns, below each other in one.
    pub fn beside(parts: &[Drawing], columns: Columns) -> Self {
        if columns == Columns::One || parts.len() == 1 {
            return Self::of(parts, columns);
        }
        let room = (columns.units() - GAP) / 2.0;
        let pairs = parts.chunks(2).map(|pair| {
            let mut contents = String::new();
            let mut height = 0.0_f64;
            for (number, part) in pair.iter().enumerate() {
                let scale = (room / part.size[0]).min(1.0);
                contents.push_str(&format!(
                    "<g transform=\"translate({:.2} 0) scale({scale:.5})\">\n{}</g>\n",
                    (room + GAP) * number as f64,
                    part.contents
                ));
                height = height.max(scale * part.size[1]);
            }
            let words: Vec<&str> = pair.iter().map(|part| part.description.as_str()).collect();
            Drawing { description: words.join(" "), size: [columns.units(), height], contents }
        });
        Self::of(&pairs.collect::<Vec<_>>(), columns)
    }

    /// The sheet with this mark before the decimals of its numbers; the `names` of variables stay as they
    /// are.
    #[must_use]
    pub fn with_mark(self, mark: DecimalMark, names: &[String]) -> Self {
        if mark == DecimalMark::Point {
            return self;
        }
        Self { svg: drawn_with_mark(&self.svg, mark, names), ..self }
    }

    /// Pictures below each other. One that is wider is made smaller.
    pub fn of(parts: &[Drawing], columns: Columns) -> Self {
        let width = columns.units();
        let mut contents = String::new();
        let mut y = 0.0;
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                y += GAP;
            }
            let scale = (width / part.size[0]).min(1.0);
            let left = (width - scale * part.size[0]) / 2.0;
            let place = format!("translate({left:.2} {y:.2})");
            let scaled = if scale < 1.0 { format!(" scale({scale:.5})") } else { String::new() };
            contents
                .push_str(&format!("<g transform=\"{place}{scaled}\">\n{}</g>\n", part.contents));
            y += scale * part.size[1];
        }
        let millimetres = [columns.millimetres(), (10.0 * y * MILLIMETRES).ceil() / 10.0];
        let [wide, high] = millimetres;
        let height = high / MILLIMETRES;
        let words: Vec<&str> = parts.iter().map(|part| part.description.as_str()).collect();
        let description = words.join(" ");
        let words = escaped(&description);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{words}\" \
             viewBox=\"0 0 {width:.3} {height:.3}\" width=\"{wide}mm\" height=\"{high}mm\" \
             font-family=\"{FONTS}\" font-size=\"12\" color=\"#222222\" fill=\"currentColor\">\n\
             <title>{words}</title>\n\
             <rect width=\"{width:.3}\" height=\"{height:.3}\" fill=\"#ffffff\"/>\n{contents}</svg>\n"
        );
        Self { svg, millimetres, description }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_have_the_width_of_columns() {
        let part = |width: f64| Drawing {
            description: "a <b>".to_owned(),
            size: [width, 100.0],
            contents: "<path d=\"M0 0\"/>\n".to_owned(),
        };
        let sheet = Sheet::of(&[part(Columns::One.units()), part(2000.0)], Columns::One);
        assert!(sheet.svg.contains("width=\"85mm\"") && sheet.svg.contains("a &lt;b&gt;"));
        // The second one is made as small as the sheet is wide.
        assert_eq!(sheet.svg.matches("scale(").count(), 1);
        let height = (110.0 + 100.0 * Columns::One.units() / 2000.0) * MILLIMETRES;
        assert!((sheet.millimetres[1] - height).abs() <= 0.1, "{:?}", sheet.millimetres);
        let beside = Sheet::beside(&[part(400.0), part(400.0)], Columns::Two);
        assert!(beside.svg.contains("translate(377.05 0) scale(0.91762)"), "{}", beside.svg);
        assert!(!sheet.svg.contains("class=") && !sheet.svg.contains('%'));
    }
}
