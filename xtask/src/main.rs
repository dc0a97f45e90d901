//! Development tasks, run as `cargo xtask TASK`. They need cargo and Python 3.11 or later;
//! what else is missing they install.
#![expect(clippy::print_stderr, reason = "tasks talk to the person who started them")]

mod added_measure;
mod apt;
mod artefacts;
mod bench;
mod browser;
mod command;
mod format;
mod front;
mod package;
mod place;
mod python;
mod r;
mod r_sources;
mod release;
mod spent;
mod test;
mod wild;

use std::process::ExitCode;

const HELP: &str = "\
Development tasks

usage: cargo xtask TASK

  test [--skip-browser] [--engines]
                          formatting, lints, tests, documentation, the packages of Python and R,
                          report pages in a browser; with --engines also work that Ray and Spark
                          share
  test --only STEP        one step: formatting, lints, tests, documentation, python, r, browser
                          or units
  engines                 work that Ray and Spark share, alone
  added-measure           a copy of the sources with one more measure, and the unit tests
  format [--check]        formats all Rust files, also those that a macro declares
  site                    the site made of docs/, in target/site, and the files of a release, checked
  r-package               the source package of R that people install, in target/r-package
  release                 the wheel and the program that people install, in target/release-artefacts
  bench                   list the benchmarks
  bench NAME [OPTIONS]    run one; OPTIONS go to its script, for example --help
  wild [OPTIONS]          read 1,100 public tables, measure and report on each; OPTIONS go to
                          bench/wild.py, for example --part 1/10
  help                    this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test", options @ ..] if options.iter().all(|one| test::OPTIONS.contains(one)) => {
            test::run(options)
        }
        ["test", "--only", step] => test::only(step),
        ["engines"] => package::test_engines(),
        ["added-measure"] => added_measure::test(),
        ["format", options @ ..] => format::run(options),
        ["site"] => front::test(),
        ["r-package"] => r::package(),
        ["release"] => release::run(),
        ["bench"] => {
            bench::list();
            Ok(())
        }
        ["bench", name, options @ ..] => bench::run(name, options),
        ["wild", options @ ..] => wild::run(options),
        ["help" | "--help" | "-h"] => {
            eprint!("{HELP}");
            Ok(())
        }
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
