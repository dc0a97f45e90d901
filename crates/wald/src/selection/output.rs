//! A selection as a long table and as JSON.

use serde::Serialize;

use crate::data::Dataset;
use crate::document::Subject;
use crate::forest::ForestConfig;
use crate::frame::Frame;
use crate::selection::settings::{PerStep, SelectionConfig};
use crate::selection::summary::{Selection, SizePoint};

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    classes: Option<&'a [String]>,
    settings: SettingsObject<'a>,
    curve: Vec<PointObject<'a>>,
    best: ChoiceObject<'a>,
    one_standard_error: ChoiceObject<'a>,
    order: Vec<&'a str>,
    folds: Vec<FoldObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct SettingsObject<'a> {
    measure: &'static str,
    error: &'static str,
    folds: usize,
    repeats: usize,
    drop: PerStep,
    smallest: usize,
    standard_errors_over: &'static str,
    forest: &'a ForestConfig,
}

#[derive(Serialize)]
struct PointObject<'a> {
    #[serde(flatten)]
    point: &'a SizePoint,
    leaving: Vec<&'a str>,
}

#[derive(Serialize)]
struct ChoiceObject<'a> {
    n_variables: usize,
    variables: Vec<&'a str>,
}

#[derive(Serialize)]
struct FoldObject<'a> {
    repeat: usize,
    fold: usize,
    order: Vec<&'a str>,
}

impl Selection {
    /// The curve as a long table: a line per number of variables, with the columns `n_variables`,
    /// `error`, `standard_error`, `sd`, `explained_variance`, `leaving`, `best` and
    /// `one_standard_error`; the last two are 1 at the number that was chosen, and 0 elsewhere.
    pub fn frame(&self) -> Frame {
        let curve = &self.curve;
        let is = |size| curve.iter().map(move |point| f64::from(point.n_variables == size));
        let leaving = curve.iter().map(|point| self.names(&point.leaving).join(" "));
        Frame::default()
            .with_numbers("n_variables", curve.iter().map(|point| point.n_variables as f64))
            .with_numbers("error", curve.iter().map(|point| point.error))
            .with_numbers("standard_error", curve.iter().map(|point| point.standard_error))
            .with_numbers("sd", curve.iter().map(|point| point.sd))
            .with_numbers("explained_variance", curve.iter().map(|point| point.explained_variance))
            .with_text("leaving", leaving)
            .with_numbers("best", is(self.best_size))
            .with_numbers("one_standard_error", is(self.one_standard_error_size))
    }

    /// The JSON document of the command line, with the data and the settings.
    pub fn document<'a>(
        &'a self,
        data: &'a Dataset,
        config: &'a SelectionConfig,
    ) -> impl Serialize + 'a {
        let choice = |n_variables: usize| ChoiceObject {
            n_variables,
            variables: self.names(&self.kept(n_variables)),
        };
        let folds = self.folds.iter().map(|found| FoldObject {
            repeat: found.repeat,
            fold: found.fold,
            order: self.names(&found.order),
        });
        let curve = self.curve.iter();
        let curve = curve.map(|point| PointObject { point, leaving: self.names(&point.leaving) });
        Document {
            subject: data.into(),
            classes: data.target().classes(),
            settings: SettingsObject {
                measure: config.measure.id().info().id,
                error: config.loss.id(),
                folds: config.folds,
                repeats: config.repeats,
                drop: config.drop,
                smallest: config.smallest,
                standard_errors_over: if self.is_error_over_repeats { "repeats" } else { "folds" },
                forest: &config.forest,
            },
            curve: curve.collect(),
            best: choice(self.best_size),
            one_standard_error: choice(self.one_standard_error_size),
            order: self.names(&self.order),
            folds: folds.collect(),
            note: self.note.as_deref(),
        }
    }

    fn names(&self, variables: &[usize]) -> Vec<&str> {
        variables.iter().map(|&variable| self.variables[variable].as_str()).collect()
    }
}
