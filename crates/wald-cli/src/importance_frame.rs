//! Importances as a frame: for CSV and Parquet.

use wald::Importance;
use wald_table::{Frame, FrameColumn};

use crate::analysis::Analysis;

/// The values of some kind of one measure: of all rows, of a class, or of a degree.
struct Part<'a> {
    importance: &'a Importance,
    class: &'a str,
    degree: Option<usize>,
}

/// One row per measure, class or degree, and variable, in the order of the table.
pub(crate) fn frame(analysis: &Analysis) -> Frame {
    let importances = &analysis.measured.importances;
    let mut texts: [Vec<String>; 5] = Default::default();
    let (mut degrees, mut scores, mut errors, mut p_values) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for part in importances.iter().flat_map(parts) {
        for (index, name) in analysis.measured.groups.names().iter().enumerate() {
            let importance = part.importance;
            let cells = [
                importance.id,
                importance.data.id(),
                importance.loss.unwrap_or_default(),
                part.class,
                name,
            ];
            for (column, cell) in texts.iter_mut().zip(cells) {
                column.push(cell.to_owned());
            }
            degrees.push(part.degree.map(|degree| degree as f64));
            scores.push(part.value(index));
            errors.push(part.standard_error(index));
            let of_all = importance.p_values.as_ref().filter(|_| part.is_whole());
            p_values.push(of_all.and_then(|p_values| p_values[index]));
        }
    }
    let headers = ["measure", "data", "loss", "class", "variable"].map(str::to_owned);
    let mut columns: Vec<(String, FrameColumn)> =
        headers.into_iter().zip(texts.map(FrameColumn::Text)).collect();
    if importances.iter().any(|importance| importance.by_degree.is_some()) {
        columns.push(("degree".to_owned(), FrameColumn::Numbers(degrees)));
    }
    columns.push(("value".to_owned(), FrameColumn::Numbers(scores)));
    columns.push(("standard_error".to_owned(), FrameColumn::Numbers(errors)));
    if importances.iter().any(|importance| importance.p_values.is_some()) {
        columns.push(("p_value".to_owned(), FrameColumn::Numbers(p_values)));
    }
    Frame { columns }
}

fn parts(importance: &Importance) -> impl Iterator<Item = Part<'_>> {
    let classes = importance.per_class.iter().flatten();
    let degrees = importance.by_degree.iter().filter_map(|degrees| degrees.values.first());
    let n_degrees = degrees.map(Vec::len).sum();
    std::iter::once(Part { importance, class: "", degree: None })
        .chain(classes.map(move |(class, _)| Part { importance, class, degree: None }))
        .chain((0..n_degrees).map(move |k| Part { importance, class: "", degree: Some(k) }))
}

impl Part<'_> {
    fn is_whole(&self) -> bool {
        self.class.is_empty() && self.degree.is_none()
    }

    fn value(&self, index: usize) -> Option<f64> {
        if let Some(degree) = self.degree {
            return self.importance.by_degree.as_ref().map(|found| found.values[index][degree]);
        }
        let mut classes = self.importance.per_class.iter().flatten();
        match classes.find(|(class, _)| !self.is_whole() && class == self.class) {
            Some((_, values)) => values[index],
            None => self.importance.values[index],
        }
    }

    fn standard_error(&self, index: usize) -> Option<f64> {
        if let Some(degree) = self.degree {
            let found = self.importance.by_degree.as_ref()?;
            return found.standard_errors.as_ref().map(|errors| errors[index][degree]);
        }
        self.importance.standard_errors.as_ref().filter(|_| self.is_whole())?[index]
    }
}
