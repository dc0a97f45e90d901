//! Local measures.

use extendr_api::prelude::*;
use wald::explain::{ExplanationOption, Rows, Shape};
use wald::words::counted;
use wald::work::notes_on_forest;

use crate::failure::{Failure, answer};
use crate::given::Given;
use crate::pointer;
use crate::settings;
use crate::table::features;
use crate::values;
use crate::watch::Work;

/// Explains rows: those of training, or those of `columns`, or of `test`, which have a target.
#[extendr]
fn explain_forest(forest: Robj, data: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, data, work) =
            (pointer::forest(&forest)?, pointer::data(&data)?, Work::of(&work)?);
        let asked = Given::of(&asked)?;
        let settings = asked.get("settings").unwrap_or_else(|| ().into());
        let (id, settings) = settings::explanation(&asked.text("measure")?, &settings)?;
        let test = asked.get("test").map(|test| pointer::data(&test)).transpose()?;
        if test.is_some() && !id.info().takes(ExplanationOption::Loss) {
            let what = format!("local measure `{}` reads no target of new rows", id.info().id);
            return Err(Failure::argument("y", what, "leave it out".to_owned()));
        }
        let other = asked.get("columns").map(|columns| features(&columns)).transpose()?;
        let rows = match (&test, &other) {
            (Some(test), _) => Rows::WithTarget(test),
            (None, Some(table)) => Rows::Other(table),
            (None, None) => Rows::Training,
        };
        let explainer = forest.trees().explainer(&data, rows, id, &settings)?;
        let layout = explainer.layout();
        // Copies of every number: the engine's, R's, and what R makes of it. Of curves, that is a line of a
        // data frame.
        let (copies, help) = match layout.shape {
            Shape::Curves(_) => {
                (6, "explain fewer rows, or take a smaller grid, such as `grid = 100`")
            }
            _ => (4, "explain fewer rows"),
        };
        let bytes = (8_u64 * copies).saturating_mul(layout.n_records() as u64);
        let bytes = bytes.saturating_mul(layout.n_numbers() as u64);
        let bytes = bytes.saturating_add(explainer.working_bytes(work.room.threads));
        let doing = format!("explaining {}", counted(layout.n_rows, "row"));
        work.room.check_bytes(&doing, bytes, help)?;
        let mut numbers = Vec::with_capacity(layout.n_records() * layout.n_values());
        let mut shares = Vec::new();
        let keep = |_, record: &[f64]| {
            let parts = layout.parts(record);
            numbers.extend_from_slice(parts.0);
            shares.extend_from_slice(parts.1);
        };
        work.watched(|run| explainer.run(run, keep))?;
        let (shape, grids) = match &layout.shape {
            Shape::Values(_) => ("values", ().into()),
            Shape::Pairs(_) => ("pairs", ().into()),
            Shape::Curves(grids) => ("curves", values::document(grids)?),
            _ => return Err(Failure::internal("a shape that R does not know")),
        };
        let own = explainer.notes().iter().cloned();
        let notes = own.chain(notes_on_forest(&data, forest.trees()));
        values::named([
            ("variables", Robj::from(layout.variables.clone())),
            ("classes", layout.classes.clone().map_or(().into(), Robj::from)),
            ("is_mean", Robj::from(layout.is_mean)),
            (
                "expected_value",
                explainer.expected_value().map_or(().into(), |of| of.to_vec().into()),
            ),
            ("shape", Robj::from(shape)),
            ("grids", grids),
            ("values", values::matrix(&numbers, layout.n_values())?),
            (
                "share_of_variance",
                if layout.has_shares {
                    values::matrix(&shares, layout.n_values())?
                } else {
                    ().into()
                },
            ),
            ("notes", Robj::from(notes.collect::<Vec<_>>())),
        ])
    })
}

extendr_module! {
    mod explanation;
    fn explain_forest;
}
