//! The commands, one file each.

mod advise;
mod compare;
mod completions;
mod conditional;
mod convert;
mod demo;
mod explain;
mod fit;
mod importance;
mod interactions;
mod man;
mod masking;
mod measures;
mod merge;
mod part;
mod population;
mod predict;
mod proximities;
mod quantiles;
mod report;
mod select;
mod simulate;
mod surrogate;
mod uncertainty;

use crate::arguments::Command;
use crate::failure::Failure;

/// Carries out a command.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Advise(arguments) => advise::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Conditional(arguments) => conditional::run(arguments),
        Command::Demo(arguments) => demo::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Importance(arguments) => importance::run(arguments),
        Command::Interactions(arguments) => interactions::run(arguments),
        Command::Masking(arguments) => masking::run(arguments),
        Command::Select(arguments) => select::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Fit(arguments) => fit::run(arguments),
        Command::Predict(arguments) => predict::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Measures(arguments) => measures::run(arguments),
        Command::Population(arguments) => population::run(arguments),
        Command::Proximities(arguments) => proximities::run(arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
        Command::Surrogate(arguments) => surrogate::run(arguments),
        Command::Uncertainty(arguments) => uncertainty::run(arguments),
        Command::Part(arguments) => part::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => man::run(arguments),
    }
}
