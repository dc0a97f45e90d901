//! Tests of what variables add to the others.

use extendr_api::prelude::*;
use wald::inference::{ConditionalConfig, ConditionalMethod, Confidence, conditional_test};

use crate::failure::answer;
use crate::given::Given;
use crate::pointer;
use crate::settings;
use crate::table::with_groups;
use crate::uncertainty::adjustment;
use crate::values;
use crate::watch::Work;

/// Tests variables of data by forests that are grown with these settings.
#[extendr]
fn test_conditionally(data: Robj, config: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (work, asked) = (Work::of(&work)?, Given::of(&asked)?);
        let groups = asked.get("groups").unwrap_or_else(|| ().into());
        let data = with_groups(&pointer::data(&data)?, &groups)?;
        let draws = asked.optional_whole("draws")?;
        let config = ConditionalConfig {
            forest: settings::config(&config)?.without_defaults(&data),
            method: ConditionalMethod::named(&asked.text("method")?, draws)?,
            folds: asked.whole("folds")?,
            confidence: Confidence::new(asked.number("confidence")?)?,
            adjustment: adjustment(&asked)?,
        };
        let found = work.watched(|run| {
            let doing = "growing the forests of all folds";
            let size = config.size(&data, work.room.threads)?;
            work.room.check(doing, config.forest.n_trees, size)?;
            conditional_test(&data, &config, run)
        })?;
        values::named([
            ("frame", values::frame(found.frame())?),
            ("document", values::document(&found.document(&data, &config))?),
            ("notes", Robj::from(found.notes.clone())),
        ])
    })
}

extendr_module! {
    mod conditional;
    fn test_conditionally;
}
