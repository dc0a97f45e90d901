//! Importances as a frame: for CSV and Parquet.

use wald::Importance;
use wald_table::{Frame, FrameColumn};

use crate::analysis::Analysis;

/// The values of some kind of one measure: of all rows, of a class, or of a degree.
#[derive(Clone, Copy)]
struct Part<'a> {
    importance: &'a Importance,
    class: &'a str,
    degree: Option<usize>,
}

/// One row per measure, class or degree, and variable, in the order of the table.
pub(crate) fn frame(analysis: &Analysis) -> Frame {
    let importances = &analysis.measured.importances;
    let names = analysis.measured.groups.names();
    let rows: Vec<(Part<'_>, usize)> = importances
        .iter()
        .flat_map(parts)
        .flat_map(|part| (0..names.len()).map(move |index| (part, index)))
        .collect();
    let texts = |of: &dyn for<'a> Fn(&Part<'a>) -> &'a str| {
        FrameColumn::texts(&rows, |(part, _)| of(part).to_owned())
    };
    let numbers = |of: &dyn Fn(&Part<'_>, usize) -> Option<f64>| {
        FrameColumn::numbers(&rows, |(part, index)| of(part, *index))
    };
    let mut columns = vec![
        ("measure", texts(&|part| part.importance.id)),
        ("data", texts(&|part| part.importance.data.id())),
        ("loss", texts(&|part| part.importance.loss.unwrap_or_default())),
        ("class", texts(&|part| part.class)),
        ("variable", FrameColumn::texts(&rows, |(_, index)| names[*index].clone())),
    ];
    if importances.iter().any(|importance| importance.by_degree.is_some()) {
        columns.push(("degree", numbers(&|part, _| Some(part.degree? as f64))));
    }
    columns.push(("value", numbers(&|part, index| part.value(index))));
    columns.push(("standard_error", numbers(&|part, index| part.standard_error(index))));
    if importances.iter().any(|importance| importance.p_values.is_some()) {
        columns.push(("p_value", numbers(&|part, index| part.p_value(index))));
    }
    columns.into_iter().collect()
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

    fn p_value(&self, index: usize) -> Option<f64> {
        self.importance.p_values.as_ref().filter(|_| self.is_whole())?[index]
    }

    fn standard_error(&self, index: usize) -> Option<f64> {
        if let Some(degree) = self.degree {
            let found = self.importance.by_degree.as_ref()?;
            return found.standard_errors.as_ref().map(|errors| errors[index][degree]);
        }
        self.importance.standard_errors.as_ref().filter(|_| self.is_whole())?[index]
    }
}
