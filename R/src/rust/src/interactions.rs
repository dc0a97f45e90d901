//! Sets of variables that a forest splits on together.

use extendr_api::prelude::*;
use wald::Origin;
use wald::interactions::{InteractionConfig, interactions};

use crate::failure::{Failure, answer};
use crate::given::Given;
use crate::pointer;
use crate::table::with_groups;
use crate::values;
use crate::watch::Work;
use crate::wording::Arguments;

/// How they are searched for.
fn config(asked: &Given) -> Result<InteractionConfig, Failure> {
    Ok(InteractionConfig {
        trees: asked.whole("intersection_trees")?,
        depth: asked.whole("depth")?,
        children: asked.whole("children")?,
        min_size: asked.whole("min_size")?,
        min_prevalence: asked.number("min_prevalence")?,
        cut: asked.optional_number("cut")?,
        resamples: asked.whole("resamples")?,
        seed: asked.whole("seed")?,
    })
}

/// Searches the paths of a forest, and those of forests on bootstrap samples of its rows.
#[extendr]
fn find_interactions(forest: Robj, data: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, work, asked) =
            (pointer::forest(&forest)?, Work::of(&work)?, Given::of(&asked)?);
        let groups = asked.get("groups").unwrap_or_else(|| ().into());
        let data = with_groups(&pointer::data(&data)?, &groups)?;
        let config = config(&asked)?;
        let found = work.watched(|run| {
            let fitted = forest.fitted(&data, run)?;
            let origin = Origin::Fitted(&fitted);
            let size = config.size(&data, origin, work.room.threads)?;
            work.room.check("listing the paths of a forest", origin.n_trees(), size)?;
            interactions(&data, origin, &config, run)
        })?;
        let notes = found.note().map(|note| note.worded(&Arguments));
        values::named([
            ("frame", values::frame(found.frame())?),
            ("document", values::document(&found.document(&data))?),
            ("notes", Robj::from(notes.into_iter().collect::<Vec<_>>())),
        ])
    })
}

extendr_module! {
    mod interactions;
    fn find_interactions;
}
