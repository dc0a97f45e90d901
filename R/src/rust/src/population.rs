//! Exact importances of a joint distribution.

use extendr_api::prelude::*;
use wald::forest::Impurity;
use wald_population::{Limits, Population, Request};

use crate::failure::{Failure, answer};
use crate::given::{Given, one_of};
use crate::pointer;
use crate::values;
use crate::watch::Work;

/// The importances of infinitely many trees on infinitely many rows; the rows of `data` have
/// probabilities proportional to their weights.
#[extendr]
fn importances_of_population(data: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (data, work, asked) = (pointer::data(&data)?, Work::of(&work)?, Given::of(&asked)?);
        let impurity = asked.get("impurity").map(|_| asked.text("impurity")).transpose()?;
        let impurity = impurity.map(|word| self::impurity(&word)).transpose()?;
        let request = Request {
            mtry: vec![asked.whole("mtry")?],
            depth: asked.optional_whole("depth")?,
            subspace: asked.optional_whole("subspace")?,
            local: asked.flag("local")?,
            terms: None,
            samples: asked.optional_whole("samples")?,
            seed: asked.whole("seed")?,
        };
        let usual = Limits::default();
        let seconds = asked.optional_number("limit")?.unwrap_or(usual.seconds);
        let limits = Limits { seconds, ..usual };
        let (population, found) = work.watched(|run| {
            let population = Population::new(&data, impurity)?;
            let found = population.find(&request, &limits, run)?;
            Ok((population, found))
        })?;
        values::named([
            ("frame", values::frame(found.frame(&population, &request))?),
            ("document", values::document(&found.document(&population, &request))?),
        ])
    })
}

fn impurity(word: &str) -> Result<Impurity, Failure> {
    let all = [Impurity::Variance, Impurity::Gini, Impurity::Entropy];
    let found = all.into_iter().find(|each| each.id() == word);
    found.ok_or_else(|| one_of("impurity", word, &all.map(Impurity::id)))
}

extendr_module! {
    mod population;
    fn importances_of_population;
}
