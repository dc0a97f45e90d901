//! `cargo xtask bench NAME`: wald beside other programs.

use crate::Outcome;
use crate::command::{cargo, execute};
use crate::place;
use crate::python::Environment;

/// A script that times an example program of wald against another program.
struct Benchmark {
    name: &'static str,
    about: &'static str,
    package: &'static str,
    example: &'static str,
    script: &'static str,
}

const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "grow",
        about: "growing and measuring forests, beside scikit-learn",
        package: "wald",
        example: "bench_forest",
        script: "bench/grow_vs_sklearn.py",
    },
    Benchmark {
        name: "table",
        about: "reading tables, beside pandas",
        package: "wald-table",
        example: "read_table",
        script: "bench/table_vs_pandas.py",
    },
];

/// Names all benchmarks.
pub(crate) fn list() {
    for benchmark in BENCHMARKS {
        eprintln!("{:<8}{}", benchmark.name, benchmark.about);
    }
}

/// Builds the program, installs what the script needs, and runs it.
pub(crate) fn run(name: &str, options: &[&str]) -> Outcome {
    let Some(benchmark) = BENCHMARKS.iter().find(|benchmark| benchmark.name == name) else {
        list();
        return Err(format!("there is no benchmark `{name}`"));
    };
    let build = ["build", "--release", "--locked", "--package", benchmark.package, "--example"];
    execute(cargo(build.into_iter().chain([benchmark.example])))?;
    let environment = Environment::prepare("bench-venv", "bench/requirements.txt")?;
    let program = place::target().join("release").join("examples").join(benchmark.example);
    let mut script = environment.python();
    script.arg(benchmark.script).arg(program).args(options);
    execute(script)
}
