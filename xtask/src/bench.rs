//! `cargo xtask bench NAME`: wald beside other programs.

use crate::command::{Outcome, cargo, execute, program, succeeds};
use crate::python::Environment;
use crate::{apt, artefacts, place};

/// A script that times a program of wald against another program.
struct Benchmark {
    name: &'static str,
    about: &'static str,
    package: &'static str,
    program: Program,
    script: &'static str,
}

/// What a script runs, or may leave alone.
enum Program {
    Example(&'static str),
    /// The command `wald`.
    Command,
}

/// A benchmark of growing forests.
const fn forest(name: &'static str, about: &'static str, script: &'static str) -> Benchmark {
    Benchmark { name, about, package: "wald", program: Program::Example("bench_forest"), script }
}

const BENCHMARKS: &[Benchmark] = &[
    forest("grow", "growing forests, beside six other programs", "bench/grow.py"),
    forest("measures", "growing and measuring forests, beside scikit-learn", "bench/measures.py"),
    forest("impurity", "debiased impurity importances, beside Python", "bench/impurity.py"),
    forest("local", "local importances beside predicting, and many tiny trees", "bench/local.py"),
    forest("accuracy", "permuting and projecting, beside five programs", "bench/accuracy.py"),
    forest("scaling", "growing ever larger tables, with a picture", "bench/scaling.py"),
    forest("exact", "trees against brute force and scikit-learn's", "bench/exact.py"),
    forest("python", "through Python: growing, measuring, Ctrl-C", "bench/python_runtime.py"),
    forest("workers", "elapsed time against the number of workers", "bench/workers.py"),
    forest(
        "conditional",
        "tests of conditional importance, beside two programs",
        "bench/conditional.py",
    ),
    forest("mdi-plus", "MDI+, beside imodels", "bench/mdi_plus.py"),
    forest("sage", "SAGE, beside sage-importance", "bench/sage_values.py"),
    forest("quantiles", "quantiles, beside quantile-forest and ranger", "bench/quantiles.py"),
    forest(
        "same-forests",
        "interactions, curves and outliers of forests of scikit-learn, beside six programs",
        "bench/same_forests.py",
    ),
    forest(
        "known-truth",
        "Sobol indices, comparisons and p-values, beside five programs",
        "bench/known_truth.py",
    ),
    Benchmark {
        name: "selection",
        about: "selecting variables, beside Boruta of R and Python and ipss",
        package: "wald-cli",
        program: Program::Command,
        script: "bench/selection.py",
    },
    Benchmark {
        name: "shap",
        about: "Shapley values of rows, beside shap",
        package: "wald",
        program: Program::Example("bench_shap"),
        script: "bench/shap_values.py",
    },
    Benchmark {
        name: "shap-peers",
        about: "Shapley values and interactions, beside three programs",
        package: "wald",
        program: Program::Example("bench_shap"),
        script: "bench/shap_peers.py",
    },
    Benchmark {
        name: "table",
        about: "reading tables, beside pandas",
        package: "wald-table",
        program: Program::Example("read_table"),
        script: "bench/table_vs_pandas.py",
    },
];

/// Names all benchmarks.
pub(crate) fn list() {
    for benchmark in BENCHMARKS {
        eprintln!("{:<14}{}", benchmark.name, benchmark.about);
    }
}

/// Builds the program, installs what the script needs, and runs it.
pub(crate) fn run(name: &str, options: &[&str]) -> Outcome {
    let Some(benchmark) = BENCHMARKS.iter().find(|benchmark| benchmark.name == name) else {
        list();
        return Err(format!("there is no benchmark `{name}`"));
    };
    let (kind, target) = match benchmark.program {
        Program::Example(name) => ("--example", name),
        Program::Command => ("--bin", "wald"),
    };
    let build = ["build", "--release", "--locked", "--package", benchmark.package, kind, target];
    execute(cargo(build))?;
    let environment = match benchmark.name {
        "quantiles" | "same-forests" | "known-truth" | "selection" => peers()?,
        _ => Environment::prepare("bench-venv", "bench/requirements.txt")?,
    };
    match benchmark.name {
        "grow" => suggest_r(&["ranger", "randomForest"]),
        "accuracy" => suggest_r(&["ranger", "randomForest", "party"]),
        "selection" => suggest_r(&["mlbench"]),
        "conditional" | "mdi-plus" | "python" | "workers" => {
            artefacts::install_wheel(&environment, "bench-wheels")?;
        }
        "quantiles" | "same-forests" | "known-truth" => {
            suggest_r(&["ranger", "randomForest", "jsonlite"]);
            artefacts::install_wheel(&environment, "bench-wheels")?;
        }
        _ => {}
    }
    let release = place::target().join("release");
    let program = match benchmark.program {
        Program::Example(name) => release.join("examples").join(name),
        Program::Command => release.join(format!("wald{}", std::env::consts::EXE_SUFFIX)),
    };
    let mut script = environment.python();
    script.arg(benchmark.script).arg(program).args(options);
    execute(script)
}

/// An environment with programs that `bench-venv` does not have. Some refuse newer versions of what
/// they need, or ask for large packages, so that they are installed without.
fn peers() -> Result<Environment, String> {
    let environment = Environment::prepare("bench-peers-venv", "bench/peers-requirements.txt")?;
    let mut pip = environment.pip_install();
    pip.args(["--no-deps", "--requirement"]);
    pip.arg(place::root().join("bench/peers-without-dependencies.txt"));
    execute(pip)?;
    Ok(environment)
}

/// Packages of R take part where they are; this prints how to get them from Debian.
fn suggest_r(packages: &[&str]) {
    let asked: Vec<_> = packages.iter().map(|name| format!("requireNamespace('{name}')")).collect();
    let mut rscript = program("Rscript");
    rscript.args(["-e", &format!("stopifnot({})", asked.join(", "))]);
    if !succeeds(rscript) {
        let names: Vec<_> =
            packages.iter().map(|name| format!("r-cran-{}", name.to_lowercase())).collect();
        let line = apt::line(&names.iter().map(String::as_str).collect::<Vec<_>>());
        eprintln!("programs from R are left out where they are missing; to have them: {line}");
    }
}
