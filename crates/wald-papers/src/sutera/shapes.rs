//! Segments and pixels as shapes.

use wald_html::chart::Outline;

use crate::led::SEGMENTS;

/// The middles of the ends of the segments, in shares of the display.
const ENDS: [[[f64; 2]; 2]; 7] = [
    [[0.18, 0.08], [0.82, 0.08]],
    [[0.12, 0.13], [0.12, 0.45]],
    [[0.88, 0.13], [0.88, 0.45]],
    [[0.18, 0.5], [0.82, 0.5]],
    [[0.12, 0.55], [0.12, 0.87]],
    [[0.88, 0.55], [0.88, 0.87]],
    [[0.18, 0.92], [0.82, 0.92]],
];

/// Half the thickness of a segment, across and down.
const HALF: [f64; 2] = [0.1, 0.06];

/// Pixels of a row or column of an image.
const SIDE: usize = 8;

/// The seven segments; those that are lit for the digit are marked.
pub(super) fn segments(digit: usize) -> Vec<Outline> {
    let outline = |(ends, lit): (&[[f64; 2]; 2], u8)| {
        let [from, to] = *ends;
        let is_level = from[1] == to[1];
        let (across, down) = if is_level { (0.0, HALF[1]) } else { (HALF[0], 0.0) };
        let corners = vec![
            [from[0] - across, from[1] - down],
            [to[0] - across, to[1] - down],
            [to[0] + across, to[1] + down],
            [from[0] + across, from[1] + down],
        ];
        Outline { corners, is_marked: lit == 1 }
    };
    ENDS.iter().zip(SEGMENTS[digit]).map(outline).collect()
}

/// The pixels of an image, row by row; those that are at least half dark are marked.
pub(super) fn pixels(darkness: &[f64]) -> Vec<Outline> {
    let side = SIDE as f64;
    let outline = |(pixel, &dark): (usize, &f64)| {
        let [left, top] = [(pixel % SIDE) as f64 / side, (pixel / SIDE) as f64 / side];
        let [right, bottom] = [left + 1.0 / side, top + 1.0 / side];
        let corners = vec![[left, top], [right, top], [right, bottom], [left, bottom]];
        Outline { corners, is_marked: dark >= 8.0 }
    };
    darkness.iter().enumerate().map(outline).collect()
}
