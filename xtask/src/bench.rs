//! `cargo xtask bench NAME`: wald beside other programs.

use crate::command::{Outcome, cargo, execute, program, succeeds};
use crate::python::Environment;
use crate::{apt, artefacts, place};

/// A script that times an example program of wald against another program.
struct Benchmark {
    name: &'static str,
    about: &'static str,
    package: &'static str,
    example: &'static str,
    script: &'static str,
}

/// A benchmark of growing forests.
const fn forest(name: &'static str, about: &'static str, script: &'static str) -> Benchmark {
    Benchmark { name, about, package: "wald", example: "bench_forest", script }
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
    Benchmark {
        name: "shap",
        about: "Shapley values of rows, beside shap",
        package: "wald",
        example: "bench_shap",
        script: "bench/shap_values.py",
    },
    Benchmark {
        name: "shap-peers",
        about: "Shapley values and interactions, beside three programs",
        package: "wald",
        example: "bench_shap",
        script: "bench/shap_peers.py",
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
        eprintln!("{:<12}{}", benchmark.name, benchmark.about);
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
    match benchmark.name {
        "grow" => suggest_r(&["ranger", "randomForest"]),
        "accuracy" => suggest_r(&["ranger", "randomForest", "party"]),
        "conditional" | "mdi-plus" | "python" | "workers" => {
            artefacts::install_wheel(&environment, "bench-wheels")?;
        }
        _ => {}
    }
    let example = place::target().join("release").join("examples").join(benchmark.example);
    let mut script = environment.python();
    script.arg(benchmark.script).arg(example).args(options);
    execute(script)
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
