//! Importances against the number of variables that compete for a split.

use std::slice;

use extendr_api::prelude::*;
use wald::forest::Keep;
use wald::masking::{masking, usual_mtry};
use wald::{ForestConfig, Origin};
use wald_report::check_room;

use crate::failure::{Failure, answer};
use crate::given::{Given, whole};
use crate::pointer;
use crate::settings;
use crate::table::with_groups;
use crate::values;
use crate::watch::Work;

/// The numbers of variables that are asked for.
fn sizes(given: &Robj) -> Result<Vec<usize>, Failure> {
    let sizes = given.as_real_vector().unwrap_or_default().into_iter();
    let sizes = sizes.map(|size| whole(&size.into()).and_then(|size| usize::try_from(size).ok()));
    sizes.collect::<Option<_>>().ok_or_else(|| Failure::internal("mtry was not checked"))
}

/// Measures the variables of data by a forest for each number of variables tried at a node.
#[extendr]
fn measure_masking(data: Robj, config: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (work, asked) = (Work::of(&work)?, Given::of(&asked)?);
        let part = |name: &str| asked.get(name).unwrap_or_else(|| ().into());
        let data = with_groups(&pointer::data(&data)?, &part("groups"))?;
        let config = settings::config(&config)?;
        let measure = settings::measure(&asked.text("measure")?, &part("settings"))?;
        let most = config.subspace.unwrap_or(data.n_features());
        let usual = || Ok(usual_mtry(most));
        let mtry = asked.get("mtry").map_or_else(usual, |mtry| sizes(&mtry))?;
        Origin::Settings(&config).check(&measure, &data)?;
        let found = work.watched(|run| {
            // Trees are the larger the fewer variables compete for their splits.
            let fewest = mtry.iter().min().map(|&mtry| mtry.clamp(1, most.max(1)));
            let largest = ForestConfig { mtry: fewest, ..config.clone() };
            let (origin, measures) = (Origin::Settings(&largest), slice::from_ref(&measure));
            check_room(&data, origin, measures, Keep::Nothing, &work.room.front(run))?;
            masking(&data, &config, &measure, &mtry, run)
        })?;
        values::found(found.frame(), &found.document(&data))
    })
}

extendr_module! {
    mod masking;
    fn measure_masking;
}
