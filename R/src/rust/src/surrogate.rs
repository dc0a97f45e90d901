//! Importances from few runs: a Gaussian process, a large sample of it, and a forest.

use extendr_api::prelude::*;
use wald::inference::Confidence;
use wald_gp::Kernel;
use wald_surrogate::{Settings, Source, surrogate};

use crate::failure::answer;
use crate::given::{Given, one_of, text};
use crate::pointer;
use crate::settings;
use crate::table::{features, with_groups};
use crate::values;
use crate::watch::Work;
use crate::wording::Arguments;

/// What was found for every measure.
#[extendr]
fn importances_of_runs(data: Robj, config: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (work, asked) = (Work::of(&work)?, Given::of(&asked)?);
        let part = |name: &str| asked.get(name).unwrap_or_else(|| ().into());
        let runs = with_groups(&pointer::data(&data)?, &part("groups"))?;
        let measures = settings::measures(&part("measures"), &part("settings"))?;
        let name = asked.text("kernel")?;
        let known: Vec<&str> = Kernel::ALL.iter().map(|kernel| kernel.id()).collect();
        let kernel = Kernel::ALL.iter().copied().find(|kernel| kernel.id() == name);
        let settings = Settings {
            kernel: kernel.ok_or_else(|| one_of("kernel", &name, &known))?,
            n_starts: asked.whole("starts")?,
            n_rows: asked.whole("rows")?,
            n_draws: asked.whole("draws")?,
            confidence: Confidence::new(asked.number("confidence")?)?,
            forest: settings::config(&config)?,
        };
        let law = text(&part("inputs"));
        let table = if law.is_some() { None } else { Some(features(&part("inputs"))?) };
        let source = match (&table, law.as_deref()) {
            (Some(table), _) => Source::Rows(table),
            (None, Some("independent")) => Source::Independent,
            (None, Some("copula")) => Source::Copula,
            (None, other) => {
                let known = ["copula", "independent"];
                return Err(one_of("inputs", other.unwrap_or_default(), &known));
            }
        };
        let found = work.watched(|run| surrogate(&runs, &source, &measures, &settings, run))?;
        let notes: Vec<String> = found.notes().map(|note| note.worded(&Arguments)).collect();
        values::named([
            ("frame", values::frame(found.frame())?),
            ("document", values::document(&found.document(&runs, &settings))?),
            ("notes", Robj::from(notes)),
        ])
    })
}

extendr_module! {
    mod surrogate;
    fn importances_of_runs;
}
