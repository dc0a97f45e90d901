//! How sure are importances? Intervals of values and of ranks, and p-values.
//!
//! Other rows of the same population would give other importances. Forests on halves of the rows
//! show by how much; p-values compare variables with their shadows, which show the same cells in
//! other rows. All forests are grown here: the cost is about that of 60 small forests.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use wald::inference::{
    Adjustment, Confidence, SamplingErrors, Subsampling, Test, UncertaintyConfig, uncertainty,
};
use wald::simulate::Friedman1;
use wald::{Error, ForestConfig, MeasureId, Origin, Run};

/// Runs the example.
pub fn main() -> Result<(), Error> {
    let data = Friedman1::default().draw(200, 1)?;
    let config = ForestConfig { n_trees: 60, seed: 1, ..ForestConfig::default() };
    let subsampling = Subsampling { n_subsamples: 40, n_trees: Some(30), fraction: 0.5 };
    let asked = UncertaintyConfig {
        confidence: Confidence::new(0.9)?,
        errors: SamplingErrors::Subsampling(subsampling),
        test: Some(Test::named("shadow", Some(10))?),
        adjustment: Adjustment::Holm,
    };
    let measures = [MeasureId::MdaBreimanCutler.into()];
    let origin = Origin::Settings(&config);
    let found = uncertainty(&data, origin, &measures, &asked, &Run::all())?.remove(0);

    let ranks = found.intervals.ranks.as_deref().unwrap_or_default();
    let p_values = found.adjusted.as_deref().unwrap_or_default();
    println!("{:10}{:>8}{:>18}{:>9}{:>9}", "variable", "value", "90 % interval", "rank", "p");
    for at in found.importance.order() {
        let (Some(value), Some(interval), Some(rank), Some(p)) =
            (found.importance.values[at], found.intervals.each[at], ranks[at], p_values[at])
        else {
            continue;
        };
        let interval = format!("{:.2} to {:.2}", interval.low, interval.high);
        let rank = format!("{} to {}", rank.low, rank.high);
        println!("{:10}{value:8.2}{interval:>18}{rank:>9}{p:9.3}", found.importance.names[at]);
    }
    Ok(())
}
