//! Importances against the number of variables that compete for a split.

use extendr_api::prelude::*;
use wald::masking::{masking, usual_mtry};

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
        let usual = || Ok(usual_mtry(config.subspace.unwrap_or(data.n_features())));
        let mtry = asked.get("mtry").map_or_else(usual, |mtry| sizes(&mtry))?;
        measure.check_config(&config)?;
        let found = work.watched(|run| masking(&data, &config, &measure, &mtry, run))?;
        values::found(found.frame(), &found.document(&data))
    })
}

extendr_module! {
    mod masking;
    fn measure_masking;
}
