//! Local measures whose values add up to the prediction of a row.

use crate::counterfactual::Bound;
use crate::data::{Column, RankedFeatures};
use crate::error::Error;
use crate::explain::curves::{bags, wanted, without_out_of_bag};
use crate::explain::{ExplanationSettings, Layout, Local, Shape, Sink, ToExplain};
use crate::forest::{Bag, align};
use crate::run::{Run, Threads};
use crate::tree_shap::{
    Additive, Against, Background, PreparedTree, ShapleyKind, check_adds_up, check_shapley,
    expected_against, expected_value, prepared_trees,
};

struct Explanation<'a> {
    measure: &'static str,
    kind: ShapleyKind,
    subject: ToExplain<'a>,
    bags: Option<&'a [Bag]>,
    /// The background rows, where they are averaged over.
    background: Option<RankedFeatures>,
    /// The trees, if all of them explain all rows by their own node predictions.
    known: Option<Vec<PreparedTree>>,
    wanted: Vec<usize>,
    expected_value: Option<Vec<f64>>,
    layout: Layout,
}

/// A plan for one kind of Shapley values.
pub(super) fn plan<'a>(
    measure: &'static str,
    kind: ShapleyKind,
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    let ToExplain { forest, training, rows } = subject;
    if kind == ShapleyKind::Interventional {
        check_adds_up(measure, forest)?;
    } else {
        check_shapley(measure, forest)?;
    }
    let bags =
        if settings.out_of_bag { Some(bags(measure, without_out_of_bag, subject)?) } else { None };
    let features = rows.features(training);
    // Inconsistent input is reported before anything is computed.
    align(features, forest.features())?;
    let wanted = wanted(forest, &settings.variables)?;
    let shape = match kind {
        ShapleyKind::TreeShap | ShapleyKind::Interventional => Shape::Values(wanted.len()),
        ShapleyKind::Interactions => Shape::Pairs(wanted.len()),
    };
    let layout = Layout::of_rows(forest, &wanted, shape, features.n_rows());
    let background = match kind {
        ShapleyKind::Interventional => {
            Some(settings.background_wanted().ranked(forest, training, Threads::ONE)?)
        }
        ShapleyKind::TreeShap | ShapleyKind::Interactions => None,
    };
    // Rows that are explained by trees of their own have expectations of their own.
    let known = (background.is_none() && bags.is_none()).then(|| prepared_trees(forest));
    let expected_value = if let Some(rows) = &background {
        let behind = Background::bound(forest, rows, &Run::on(Threads::ONE))?;
        Some(expected_against(forest, Background::new(&behind)))
    } else {
        known.as_ref().map(|trees| expected_value(forest, trees))
    };
    Ok(Box::new(Explanation {
        measure,
        kind,
        subject,
        bags,
        background,
        known,
        wanted,
        expected_value,
        layout,
    }))
}

impl Local for Explanation<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn expected_value(&self) -> Option<&[f64]> {
        self.expected_value.as_deref()
    }

    fn adds_up(&self) -> bool {
        true
    }

    fn run(&self, run: &Run, each: Sink<'_>) -> Result<(), Error> {
        let ToExplain { forest, training, rows } = self.subject;
        let features = rows.features(training);
        let columns = align(features, forest.features())?;
        let columns: Vec<&Column> = columns.iter().map(AsRef::as_ref).collect();
        let features = RankedFeatures::new(&columns, run.threads);
        let bound = Bound::new(forest, &features, forest.aggregation(), run)?;
        let behind = self.background.as_ref().map(|rows| Background::bound(forest, rows, run));
        let behind = behind.transpose()?;
        let against = match (self.bags, &behind) {
            (_, Some(behind)) => Against::Background(Background::new(behind)),
            (Some(bags), None) => Against::OutOfBag(bags),
            (None, None) => Against::Forest,
        };
        let additive = match &self.known {
            Some(known) => Additive::of_known(self.measure, self.kind, &bound, known),
            None => Additive::new(self.measure, self.kind, &bound, against, run)?,
        };
        let n_outputs = self.layout.n_outputs();
        let mut record = vec![0.0; self.layout.n_values()];
        let n_features = forest.features().len();
        let places: Vec<usize> = match self.layout.shape {
            Shape::Pairs(_) => {
                let row = |first: &usize| {
                    let start = first * n_features;
                    self.wanted.iter().map(move |second| start + second)
                };
                self.wanted.iter().flat_map(row).collect()
            }
            _ => self.wanted.clone(),
        };
        additive.run(self.layout.n_rows, run, |row, values| {
            for (record, &place) in record.chunks_exact_mut(n_outputs).zip(&places) {
                record.copy_from_slice(&values[place * n_outputs..][..n_outputs]);
            }
            each(row, &record);
        })
    }
}
