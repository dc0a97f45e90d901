//! Global measures.

use extendr_api::prelude::*;
use wald::forest::Keep;
use wald::{Importance, Origin};
use wald_report::check_room;

use crate::failure::{Failure, answer};
use crate::given::Given;
use crate::pointer;
use crate::settings;
use crate::table::with_groups;
use crate::values;
use crate::watch::Work;

/// An importance as R has it: its fields, and the numbers of single trees and permutations as matrices.
pub(crate) fn importance(found: &Importance) -> Result<Robj, Failure> {
    let n = found.values.len();
    let rows = |rows: &[Vec<f64>]| match rows {
        [] => Ok(().into()),
        rows => values::matrix(&rows.concat(), n),
    };
    values::named([
        ("words", values::document(found)?),
        ("per_tree", rows(&found.per_tree)?),
        ("repeats", rows(&found.repeats)?),
    ])
}

/// Measures the variables of a forest on its training data.
#[extendr]
fn measure_forest(forest: Robj, data: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, work) = (pointer::forest(&forest)?, Work::of(&work)?);
        let asked = Given::of(&asked)?;
        let part = |name: &str| asked.get(name).unwrap_or_else(|| ().into());
        let measures = settings::measures(&part("measures"), &part("settings"))?;
        let data = with_groups(&pointer::data(&data)?, &part("groups"))?;
        let measured = work.watched(|run| {
            let fitted = forest.fitted(&data, run)?;
            let origin = Origin::Fitted(&fitted);
            check_room(&data, origin, &measures, Keep::Trees, &work.room.front(run))?;
            fitted.measure(&measures, run)
        })?;
        let found = measured.importances.iter().map(importance);
        Ok(List::from_values(found.collect::<Result<Vec<_>, _>>()?).into())
    })
}

extendr_module! {
    mod importance;
    fn measure_forest;
}
