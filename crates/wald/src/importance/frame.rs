//! Importances as a long table.

use crate::frame::Frame;
use crate::importance::Importance;

/// One number of an importance, with all that it belongs to.
struct Line<'a> {
    of: &'a Importance,
    class: Option<&'a str>,
    degree: Option<usize>,
    variable: usize,
    /// The other variable of a pair.
    with: Option<usize>,
    value: Option<f64>,
    standard_error: Option<f64>,
    p_value: Option<f64>,
}

impl Importance {
    /// Importances by several measures as a long table: a line per measure, class or degree of
    /// interaction, and variable, with the columns `measure`, `data`, `loss`, `class`, `variable`,
    /// `value` and `standard_error`; `degree`, `p_value` and, of pairs, `with` where a measure has them.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{ForestConfig, Importance, MeasureId, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let measures = [MeasureId::Mdi.into(), MeasureId::SobolMda.into()];
    /// let found = wald::fit(data, &config, &Run::all())?.measure(&measures, &Run::all())?;
    /// let frame = Importance::frame(&found.importances);
    /// assert_eq!(frame.n_rows(), 20); // two measures of ten variables
    /// # Ok::<(), wald::Error>(())
    /// ```
    pub fn frame(several: &[Self]) -> Frame {
        let lines: Vec<Line<'_>> = several.iter().flat_map(Self::lines).collect();
        let mut frame = Frame::default()
            .with_text("measure", lines.iter().map(|line| line.of.id))
            .with_text("data", lines.iter().map(|line| line.of.data.id()))
            .with_text("loss", lines.iter().map(|line| line.of.loss.unwrap_or_default()))
            .with_levels("class", lines.iter().map(|line| line.class))
            .with_text("variable", lines.iter().map(|line| line.of.name(line.variable)));
        if several.iter().any(|one| one.second_order.is_some()) {
            let others = lines.iter().map(|line| line.with.map_or("", |with| line.of.name(with)));
            frame = frame.with_text("with", others);
        }
        if several.iter().any(|one| one.by_degree.is_some()) {
            let degrees = lines.iter().map(|line| line.degree.map(|degree| degree as f64));
            frame = frame.with_numbers("degree", degrees);
        }
        frame = frame
            .with_numbers("value", lines.iter().map(|line| line.value))
            .with_numbers("standard_error", lines.iter().map(|line| line.standard_error));
        if several.iter().any(|one| one.p_values.is_some()) {
            frame = frame.with_numbers("p_value", lines.iter().map(|line| line.p_value));
        }
        frame
    }

    /// The values, then those of classes, those of degrees of interaction, and those of pairs.
    fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let n = self.values.len();
        let line = |variable, value| Line {
            of: self,
            class: None,
            degree: None,
            variable,
            with: None,
            value,
            standard_error: None,
            p_value: None,
        };
        let all = (0..n).map(move |at| Line {
            standard_error: self.error(at),
            p_value: self.p_values.as_ref().and_then(|p_values| p_values[at]),
            ..line(at, self.values[at])
        });
        let of_classes = self.per_class.iter().flatten().flat_map(move |(class, values)| {
            (0..n).map(move |at| Line { class: Some(class), ..line(at, values[at]) })
        });
        let of_degrees = self.by_degree.iter().flat_map(move |found| {
            let n_degrees = found.values.first().map_or(0, Vec::len);
            let errors = found.standard_errors.as_ref();
            let places = (0..n_degrees).flat_map(move |degree| (0..n).map(move |at| (degree, at)));
            places.map(move |(degree, at)| Line {
                degree: Some(degree),
                standard_error: errors.map(|errors| errors[at][degree]),
                ..line(at, Some(found.values[at][degree]))
            })
        });
        let of_pairs = self.second_order.iter().flat_map(move |found| {
            let errors = found.standard_errors.as_ref();
            found.order().into_iter().map(move |(one, other)| Line {
                with: Some(other),
                standard_error: errors.and_then(|errors| errors[one][other]),
                ..line(one, found.values[one][other])
            })
        });
        all.chain(of_classes).chain(of_degrees).chain(of_pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::FrameColumn;
    use crate::measure::MeasureId;

    #[test]
    fn a_class_whose_name_is_empty_is_not_the_lack_of_one() {
        let values = vec![Some(1.0)];
        let one = Importance {
            names: vec!["x".to_owned()],
            per_class: Some(vec![(String::new(), values.clone())]),
            values,
            ..MeasureId::MdaBreimanCutler.info().importance()
        };
        let frame = Importance::frame(&[one]);
        let class = frame.columns.into_iter().find(|(name, _)| name == "class");
        let (_, cells) = class.expect("a column");
        assert_eq!(cells, FrameColumn::Text(vec![None, Some(String::new())]));
    }
}
