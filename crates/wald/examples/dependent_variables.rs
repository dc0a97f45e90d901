//! Dependent variables: what permutation importance and Sobol-MDA report of them.
//!
//! y = 2 x1 + x4 + noise; x2 and x3 are irrelevant, but each has correlation .8 with x1, as x5 and
//! x6 have with x4. Permuting one variable alone makes rows that cannot occur, and permutation
//! importance gives irrelevant variables a share. Sobol-MDA is the share of the variance that
//! cannot be explained without a variable: about zero where others carry the same information.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use wald::simulate::BenardExample2;
use wald::{Error, ForestConfig, MeasureId, Run};

/// Runs the example.
pub fn main() -> Result<(), Error> {
    let design = BenardExample2 {
        factors: vec![2.0, 1.0],
        group_size: 3,
        correlation: 0.8,
        noise_share: 0.1,
    };
    let data = design.draw(400, 1)?;
    let config = ForestConfig { n_trees: 150, seed: 1, ..ForestConfig::default() };
    let fitted = wald::fit(data, &config, &Run::all())?;
    // Both in one pass over the trees.
    let measures = [MeasureId::MdaBreimanCutler, MeasureId::SobolMda];
    let found = fitted.measure(&measures.map(Into::into), &Run::all())?.importances;

    println!("{:10}{:>20}{:>12}", "variable", found[0].id, found[1].id);
    for (variable, name) in found[0].names.iter().enumerate() {
        let of = |measure: usize| found[measure].values[variable].unwrap_or(f64::NAN);
        println!("{name:10}{:20.3}{:12.3}", of(0), of(1));
    }
    // The irrelevant x3 has an importance by the first, and none by the second.
    assert!(found[0].values[2] > Some(0.1) && found[1].values[2] < Some(0.01));
    Ok(())
}
