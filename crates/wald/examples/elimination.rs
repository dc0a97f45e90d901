//! Recursive elimination: how many variables are enough to predict, and which.
//!
//! In every fold the least important variable leaves, a forest is grown on the others, and the
//! rows that were held out show its error. The smallest number of variables within one standard
//! error of the best is a usual choice.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use wald::selection::{SelectionConfig, SelectionState};
use wald::simulate::Friedman1;
use wald::{Error, ForestConfig, MeasureId, Run};

/// Runs the example.
pub fn main() -> Result<(), Error> {
    let data = Friedman1::default().draw(200, 1)?;
    let forest = ForestConfig { n_trees: 50, seed: 1, ..ForestConfig::default() };
    let config =
        SelectionConfig { folds: 4, ..SelectionConfig::new(forest, MeasureId::SobolMda.into()) };
    // The state can be stored whenever a fold is done, so that a long selection can be resumed.
    let state = SelectionState::new(&data, &config);
    let done = |state: &SelectionState| println!("{} of 5 eliminations", state.n_done());
    let found = wald::select(&data, &config, state, done, &Run::all())?;

    println!("{:>9}{:>16}{:>10}   leaves next", "variables", "error", "R2");
    for point in &found.curve {
        let error = format!("{:.2} ± {:.2}", point.error, point.standard_error);
        let leaving: Vec<&str> =
            point.leaving.iter().map(|&at| found.variables[at].as_str()).collect();
        let explained = point.explained_variance;
        println!("{:9}{error:>16}{explained:10.3}   {}", point.n_variables, leaving.join(" "));
    }
    let size = found.one_standard_error_size;
    let kept: Vec<&str> =
        found.kept(size).into_iter().map(|at| found.variables[at].as_str()).collect();
    println!("best: {} variables; within one error: {}", found.best_size, kept.join(" "));
    Ok(())
}
