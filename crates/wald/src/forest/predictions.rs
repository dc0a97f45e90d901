//! Predictions as a long table and as JSON.

use serde::Serialize;

use crate::data::Task;
use crate::document::Header;
use crate::forest::model::Forest;
use crate::forest::predict::argmax;
use crate::frame::Frame;

/// What [`Forest::predict`] computed, with what it is of.
///
/// ```
/// use wald::forest::Predictions;
/// use wald::simulate::Friedman1;
/// use wald::{Forest, ForestConfig, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let forest = Forest::grow(&data, &config, &Run::all())?;
/// let values = forest.predict(data.features(), &Run::all())?;
/// let frame = Predictions { forest: &forest, values: &values }.frame();
/// assert_eq!((frame.columns[0].0.as_str(), frame.n_rows()), ("y", 60));
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Predictions<'a> {
    /// The forest.
    pub forest: &'a Forest,
    /// One number per row, or one per row and class or output.
    pub values: &'a [f64],
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    header: Header,
    task: Task,
    target: &'a str,
    classes: Option<&'a [String]>,
    n_rows: usize,
    predictions: Vec<Prediction<'a>>,
    probabilities: Option<Vec<&'a [f64]>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Prediction<'a> {
    Number(f64),
    Numbers(&'a [f64]),
    Class(&'a str),
}

impl<'a> Predictions<'a> {
    /// A line per row: the prediction in a column with the name of the target, or `prediction` where
    /// a foreign forest does not store it; of classes also a column `probability_CLASS` for each; of
    /// several targets a column for each output.
    pub fn frame(&self) -> Frame {
        let frame = Frame::default();
        if let Some(outputs) = &self.forest.target().outputs {
            return outputs.names.iter().enumerate().fold(frame, |frame, (place, name)| {
                frame.with_numbers(name, self.rows().map(|row| row[place]))
            });
        }
        let Some(classes) = self.classes() else {
            return frame.with_numbers(self.target(), self.values.iter().copied());
        };
        let predicted = self.rows().map(|row| Some(classes[argmax(row)].as_str()));
        let frame = frame.with_levels(self.target(), predicted);
        classes.iter().enumerate().fold(frame, |frame, (place, class)| {
            frame.with_numbers(format!("probability_{class}"), self.rows().map(|row| row[place]))
        })
    }

    /// The JSON document of the command line.
    pub fn document(&self) -> impl Serialize + use<'a> {
        let prediction = |row: &'a [f64]| match self.classes() {
            None if row.len() > 1 => Prediction::Numbers(row),
            None => Prediction::Number(row[0]),
            Some(classes) => Prediction::Class(&classes[argmax(row)]),
        };
        Document {
            header: Header::default(),
            task: self.forest.task(),
            target: self.target(),
            classes: self.classes(),
            n_rows: self.rows().len(),
            predictions: self.rows().map(prediction).collect(),
            probabilities: self.classes().map(|_| self.rows().collect()),
        }
    }

    fn classes(&self) -> Option<&'a [String]> {
        self.forest.target().classes.as_deref()
    }

    fn target(&self) -> &'a str {
        let name = self.forest.target().name.as_str();
        if name.is_empty() { "prediction" } else { name }
    }

    fn rows(&self) -> std::slice::ChunksExact<'a, f64> {
        self.values.chunks_exact(self.forest.target().n_outputs())
    }
}
