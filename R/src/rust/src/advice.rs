//! Which measure answers which question.

use extendr_api::prelude::*;
use wald::Origin;
use wald_report::advice::{AdviceSettings, advise, measures};
use wald_report::{Depth, Study};

use crate::failure::answer;
use crate::given::Given;
use crate::pointer;
use crate::table::with_groups;
use crate::values;
use crate::watch::Work;

/// The advice on a forest and its training data.
#[extendr]
fn advise_on(forest: Robj, data: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, work) = (pointer::forest(&forest)?, Work::of(&work)?);
        let asked = Given::of(&asked)?;
        let groups = asked.get("groups").unwrap_or_else(|| ().into());
        let data = with_groups(&pointer::data(&data)?, &groups)?;
        let settings = AdviceSettings { level: asked.number("level")?, seed: asked.whole("seed")? };
        let forest = &forest;
        let found = work.watched(|run| {
            settings.validate()?;
            let front = work.room.front(run);
            let fitted = forest.fitted(&data, run)?;
            let origin = Origin::Fitted(&fitted);
            let study =
                Study::new(&data, origin, measures(origin, &data), Depth::Importances, &front)?;
            advise(&study, settings, &front)
        })?;
        values::document(&found)
    })
}

extendr_module! {
    mod advice;
    fn advise_on;
}
