//! Uncertainty of importances.

use extendr_api::prelude::*;
use wald::Origin;
use wald::forest::Keep;
use wald::inference::{
    Adjustment, Confidence, SamplingErrors, Subsampling, Test, Uncertainty, UncertaintyConfig,
    uncertainty,
};
use wald_report::check_room;

use crate::failure::{Failure, answer};
use crate::given::{Given, one_of};
use crate::pointer;
use crate::settings;
use crate::table::with_groups;
use crate::values;
use crate::watch::Work;

/// How p-values are corrected.
pub(crate) fn adjustment(asked: &Given) -> Result<Adjustment, Failure> {
    let name = asked.text("multiple_testing")?;
    Ok(Adjustment::named(&name)?)
}

/// What is asked.
fn config(asked: &Given) -> Result<UncertaintyConfig, Failure> {
    let variance = asked.text("variance")?;
    let usual = Subsampling::default();
    let n_subsamples = asked.optional_whole("subsamples")?;
    let fraction = asked.optional_number("subsample_fraction")?;
    let n_trees = asked.optional_whole("subsample_trees")?;
    let errors = match variance.as_str() {
        "subsampling" => SamplingErrors::Subsampling(Subsampling {
            n_subsamples: n_subsamples.unwrap_or(usual.n_subsamples),
            fraction: fraction.unwrap_or(usual.fraction),
            n_trees,
        }),
        "jackknife" if n_subsamples.is_some() || fraction.is_some() || n_trees.is_some() => {
            let what = "the jackknife grows no forests on parts of the rows".to_owned();
            let help = "leave out subsamples, subsample_fraction and subsample_trees".to_owned();
            return Err(Failure::argument("variance", what, help));
        }
        "jackknife" => SamplingErrors::Jackknife,
        other => return Err(one_of("variance", other, &["subsampling", "jackknife"])),
    };
    let null = asked.get("null_distribution").map(|_| asked.text("null_distribution"));
    let test = match (null.transpose()?, asked.optional_whole("null_forests")?) {
        (None, None) => None,
        (null, tests) => Some(Test::named(null.as_deref().unwrap_or("permuted"), tests)?),
    };
    Ok(UncertaintyConfig {
        confidence: Confidence::new(asked.number("confidence")?)?,
        errors,
        test,
        adjustment: adjustment(asked)?,
    })
}

/// Importances by several measures, each with errors, intervals, ranks and p-values.
#[extendr]
fn errors_of_importances(forest: Robj, data: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, work, asked) =
            (pointer::forest(&forest)?, Work::of(&work)?, Given::of(&asked)?);
        let part = |name: &str| asked.get(name).unwrap_or_else(|| ().into());
        let measures = settings::measures(&part("measures"), &part("settings"))?;
        let data = with_groups(&pointer::data(&data)?, &part("groups"))?;
        let config = config(&asked)?;
        let found = work.watched(|run| {
            let fitted = forest.fitted(&data, run)?;
            let origin = Origin::Fitted(&fitted);
            check_room(&data, origin, &measures, Keep::Trees, &work.room.front(run))?;
            if let Some(grown) = origin.config() {
                let more = config.size_of_more(&data, grown, &measures, work.room.threads)?;
                let doing = "growing further forests";
                work.room.check(doing, grown.n_trees, more.unwrap_or_default())?;
            }
            uncertainty(&data, origin, &measures, &config, run)
        })?;
        values::found(Uncertainty::frame(&found), &Uncertainty::document(&found, &data, &config))
    })
}

extendr_module! {
    mod uncertainty;
    fn errors_of_importances;
}
