//! `wald-papers`: the tables and figures of the papers that wald follows, one command each.
//!
//! A command computes an [`exhibit::Exhibit`] (published values, wald's values with standard
//! errors, verdicts), which is printed as a table or as JSON.

mod additive;
mod advice;
mod arguments;
mod benard;
mod command;
mod copula;
mod estimate;
mod exhibit;
mod failure;
mod inference;
mod led;
mod li;
mod louppe;
mod masking;
mod measures;
mod picture;
mod study;
mod sutera;
mod tables;
mod text;

use std::io::Write;
use std::process::ExitCode;

use command::Arguments;
use failure::Failure;
use picture::PictureArguments;

fn main() -> ExitCode {
    let arguments = match command::parse() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nothing is left to do where even this cannot be written.
            let _ = writeln!(std::io::stderr(), "{failure}");
            ExitCode::from(failure.exit_code)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    // What cannot be written is reported before hours of work.
    let picture = arguments.command.picture();
    picture.map_or(Ok(()), PictureArguments::check)?;
    let exhibit = arguments.command.run()?;
    if let (Some(picture), Some(svg)) = (picture, &exhibit.figure) {
        picture.write(svg)?;
    }
    let text = if arguments.json {
        serde_json::to_string_pretty(&exhibit).map_err(|error| Failure::output(&error))? + "\n"
    } else {
        text::render(&exhibit)
    };
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| Failure::output(&error))
}
