//! Part of a forest that stands for all of it.

/// How many trees and rows stand for all.
///
/// A few trees and rows give a first impression of a costly measure:
///
/// ```
/// use wald::measure::Part;
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Measure, MeasureId, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let fitted = wald::fit(data, &config, &Run::all())?;
/// let measure = Measure::from(MeasureId::SobolMda).with_part(Part { n_trees: 5, n_rows: 30 });
/// let found = fitted.importance(measure, &Run::all())?;
/// assert!(found.notes[0].contains("30 of 60 rows, 5 of 10 trees"));
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The first so many trees: trees are drawn independently of each other, so that any of them
    /// are a random sample.
    pub n_trees: usize,
    /// This many training rows, drawn at random.
    pub n_rows: usize,
}
