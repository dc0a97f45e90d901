//! Lines with shaded areas behind them.

use crate::chart::layout::Picture;
use crate::chart::lines::{Band, Panel};

/// A panel with areas behind its lines.
#[derive(Debug, Clone)]
pub struct BandedPanel {
    /// The lines.
    pub panel: Panel,
    /// The areas; they may lie over each other.
    pub bands: Vec<Band>,
}

impl Picture for BandedPanel {
    fn svg(&self) -> String {
        self.panel.drawn(&self.bands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::lines::{COLOURS, Line, Point};

    #[test]
    fn areas_lie_within_the_axes() {
        let points =
            vec![Point { x: 1.0, y: 0.5, spread: 0.0 }, Point { x: 2.0, y: 0.6, spread: 0.0 }];
        let line = Line { name: "a".to_owned(), colour: COLOURS[0], points, reference: None };
        let panel = Panel {
            title: String::new(),
            x_label: String::new(),
            y_label: String::new(),
            is_x_log: false,
            lines: vec![line],
            has_legend: false,
        };
        let edges = vec![[1.0, -0.4, 1.0], [2.0, 0.0, 0.9]];
        let svg = BandedPanel { panel, bands: vec![Band { colour: COLOURS[0], edges }] }.svg();
        // The axis reaches below the lowest edge.
        assert!(svg.contains(">-0.5<") && svg.matches("<polygon").count() == 1, "{svg}");
    }
}
