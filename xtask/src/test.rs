//! `cargo xtask test`: everything that must hold, one step after the other.

use crate::command::{Outcome, cargo, execute, succeeds};
use crate::spent::{Spent, Start};
use crate::{added_measure, browser, format, front, package, r};

/// What may be asked of the test besides its steps.
pub(crate) const OPTIONS: [&str; 2] = [SKIP_BROWSER, ENGINES];
const SKIP_BROWSER: &str = "--skip-browser";
const ENGINES: &str = "--engines";

/// The word that people type for it alone, its name, and what to do.
type Step = (&'static str, &'static str, fn() -> Outcome);

const FORMATTING: Step = ("formatting", "formatting", formatting);
/// The library of the R package is part of the workspace, and is compiled only where R is.
const INSTALLED: Step = ("installed", "R and its packages", r::install);
/// The Python package comes last: for its wheel, the crates that know Python are compiled in another way.
const STEPS: &[Step] = &[
    FORMATTING,
    INSTALLED,
    ("lints", "lints", lints),
    ("tests", "tests", tests),
    ("documentation", "documentation and site", documentation),
    ("r", "R package", r::test),
    ("units", "unit tests, with a measure added", added_measure::test),
    ("python", "Python package", package::test),
];
const ON_ENGINES: Step = ("engines", "Ray and Spark", package::test_engines);
const IN_BROWSER: Step = ("browser", "pages in a browser", browser::test);

/// Runs all steps up to the first that fails, then prints how long each took.
fn run_steps(steps: &[Step]) -> Outcome {
    let mut done = Vec::new();
    let mut outcome = Ok(());
    for (number, (_, name, step)) in (1..).zip(steps) {
        eprintln!("\n=== {number}/{}: {name}", steps.len());
        let start = Start::now();
        outcome = step();
        let verdict = if outcome.is_ok() { "ok" } else { "FAILED" };
        let spent = start.spent();
        eprintln!("=== {name}: {verdict} after {spent}");
        done.push((name, verdict, spent));
        if outcome.is_err() {
            break;
        }
    }
    eprintln!("\nsummary");
    for (name, verdict, spent) in &done {
        eprintln!("  {name:<37}{verdict:<8}{spent}");
    }
    for (_, name, _) in &steps[done.len()..] {
        eprintln!("  {name:<37}not run");
    }
    let total = done.iter().fold(Spent::NOTHING, |sum, (_, _, spent)| sum + *spent);
    eprintln!("  {:<45}{total}", "total");
    outcome
}

/// One step, by the word that people type.
pub(crate) fn only(word: &str) -> Outcome {
    let all = STEPS.iter().chain([&ON_ENGINES, &IN_BROWSER]);
    let step = all.copied().find(|(known, ..)| *known == word);
    let step = step.ok_or_else(|| format!("there is no step `{word}`; see `cargo xtask help`"))?;
    if step.0 == FORMATTING.0 { run_steps(&[step]) } else { run_steps(&[INSTALLED, step]) }
}

/// The task.
pub(crate) fn run(options: &[&str]) -> Outcome {
    let mut steps = STEPS.to_vec();
    if options.contains(&ENGINES) {
        steps.push(ON_ENGINES);
    }
    if !options.contains(&SKIP_BROWSER) {
        steps.push(IN_BROWSER);
    }
    run_steps(&steps)
}

fn formatting() -> Outcome {
    component("fmt", "rustfmt")?;
    format::run(&["--check"])
}

fn lints() -> Outcome {
    component("clippy", "clippy")?;
    let arguments = ["clippy", "--workspace", "--all-targets", "--locked", "--"];
    execute(cargo(arguments.into_iter().chain(["-D", "warnings"])))
}

/// All tests but those inside libraries, which [`added_measure`] runs.
fn tests() -> Outcome {
    let test = ["test", "--workspace", "--locked", "--no-fail-fast"];
    execute(cargo(test.into_iter().chain(["--bins", "--examples", "--test", "*"])))?;
    execute(cargo(test.into_iter().chain(["--doc"])))
}

fn documentation() -> Outcome {
    let mut doc = cargo(["doc", "--workspace", "--no-deps", "--locked"]);
    doc.env("RUSTDOCFLAGS", "-Dwarnings");
    execute(doc)?;
    front::test()
}

fn component(command: &str, name: &str) -> Outcome {
    if succeeds(cargo([command, "--version"])) {
        return Ok(());
    }
    Err(format!("cargo has no `{command}`; add it by `rustup component add {name}`"))
}
