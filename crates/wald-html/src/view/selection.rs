//! How many variables are enough.

use serde::Serialize;
use wald::digits::Digits;
use wald_report::Report;

use super::ranking::Columns;
use crate::chart::{Medium, selection as picture};
use crate::number;
use crate::view::cell::Cell;

/// The section.
#[derive(Debug, Serialize)]
pub(super) struct Selection<'a> {
    measure: &'a str,
    about: &'a str,
    loss: &'a str,
    /// Markup made by this crate.
    picture: String,
    best: usize,
    enough: usize,
    kept: &'a [String],
    beats_mean: bool,
    /// Number of variables, error, standard error.
    points: Vec<(usize, Vec<Cell>)>,
}

/// Arranges the section.
pub(super) fn selection(report: &Report) -> Option<Selection<'_>> {
    let curve = report.selection.as_ref().filter(|curve| !curve.points.is_empty())?;
    let named = report.measures.iter().find(|measure| measure.id == curve.measure);
    let points = &curve.points;
    let digits = Digits::of(points.iter().map(|point| point.error));
    let shared = |value| number::shared(digits, Some(value));
    let mut columns = Columns::of([
        points.iter().map(|point| shared(point.error)).collect(),
        points.iter().map(|point| shared(point.standard_error)).collect(),
    ]);
    Some(Selection {
        measure: named.map_or(&curve.measure, |measure| &measure.name),
        about: &curve.about,
        loss: &curve.loss,
        picture: picture(curve, Medium::Page).embedded(),
        best: curve.best,
        enough: curve.enough,
        kept: &curve.kept,
        beats_mean: curve.beats_mean,
        points: points
            .iter()
            .map(|point| (point.n_variables, columns.next_row().collect()))
            .collect(),
    })
}
