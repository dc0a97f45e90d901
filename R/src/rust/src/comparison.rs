//! Differences of importances between two forests.

use std::sync::Arc;

use extendr_api::prelude::*;
use wald::forest::Keep;
use wald::inference::{
    ComparedSide, Comparison, ComparisonConfig, Confidence, Subsampling, compare,
};
use wald::{Dataset, Origin};
use wald_report::check_room;

use crate::failure::{Failure, answer};
use crate::forest::Forest;
use crate::given::Given;
use crate::pointer;
use crate::settings;
use crate::table::with_groups;
use crate::uncertainty::adjustment;
use crate::values;
use crate::watch::Work;

/// A forest and its training data, of a list of both.
fn side(given: &Robj, groups: &Robj) -> Result<(Forest, Arc<Dataset>), Failure> {
    let given = Given::of(given)?;
    let part = |name: &str| given.get(name).unwrap_or_else(|| ().into());
    let data = with_groups(&pointer::data(&part("data"))?, groups)?;
    Ok((pointer::forest(&part("forest"))?, data))
}

/// Compares the importances of two forests by several measures.
#[extendr]
fn compare_forests(first: Robj, second: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (work, asked) = (Work::of(&work)?, Given::of(&asked)?);
        let part = |name: &str| asked.get(name).unwrap_or_else(|| ().into());
        let measures = settings::measures(&part("measures"), &part("settings"))?;
        let (first, second) = (side(&first, &part("groups"))?, side(&second, &part("groups"))?);
        let usual = Subsampling::default();
        let subsampling = Subsampling {
            n_subsamples: asked.optional_whole("subsamples")?.unwrap_or(usual.n_subsamples),
            fraction: asked.optional_number("subsample_fraction")?.unwrap_or(usual.fraction),
            n_trees: asked.optional_whole("subsample_trees")?,
        };
        let config = ComparisonConfig {
            confidence: Confidence::new(asked.number("confidence")?)?,
            subsampling,
            adjustment: adjustment(&asked)?,
        };
        let found = work.watched(|run| {
            let fitted = [first.0.fitted(&first.1, run)?, second.0.fitted(&second.1, run)?];
            let first = ComparedSide { data: &first.1, origin: Origin::Fitted(&fitted[0]) };
            let second = ComparedSide { data: &second.1, origin: Origin::Fitted(&fitted[1]) };
            for side in [first, second] {
                let (data, origin) = (side.data, side.origin);
                check_room(data, origin, &measures, Keep::Nothing, &work.room.front(run))?;
            }
            compare(first, second, &measures, &config, run)
        })?;
        values::found(Comparison::frame(&found), &Comparison::document(&found, &first.1, &config))
    })
}

extendr_module! {
    mod comparison;
    fn compare_forests;
}
