//! The R package: checked as CRAN does, with the library that the build of the workspace has made.

use std::fs;
use std::path::{Path, PathBuf};

use crate::artefacts::empty;
use crate::command::{Outcome, cargo, execute, program, succeeds};
use crate::{apt, place};

/// R, what its check of scripts, vignettes and the tests of the package need, and the packages whose forests
/// and generics it serves.
const PACKAGES: &[&str] = &[
    "devscripts",
    "pandoc",
    "qpdf",
    "r-base-core",
    "r-cran-bit64",
    "r-cran-generics",
    "r-cran-ggplot2",
    "r-cran-knitr",
    "r-cran-party",
    "r-cran-partykit",
    "r-cran-randomforest",
    "r-cran-ranger",
    "r-cran-rmarkdown",
    "r-cran-survival",
    "r-cran-testthat",
    "r-cran-tibble",
];

/// Shells that read their completions in a test. They are small, and are installed together with R, but no test
/// fails where they are missing.
const SHELLS: &[&str] = &["fish", "zsh"];

/// The library that R links.
const LIBRARY: &str = "libwald_r.a";

/// Builds the package and checks it: installation, documentation, examples, vignettes and tests.
pub(crate) fn test() -> Outcome {
    let built = build_library()?;
    let folder = empty("r-check")?;
    let package = build_package(&place::root().join("R"), &folder)?;
    let mut check = program("R");
    check.args(["CMD", "check", "--no-manual", "--as-cran"]).arg(package);
    check.current_dir(&folder).env("WALD_STATIC_LIBRARY", built.join(LIBRARY));
    // The numbers of the package must be those of the command line.
    check.env("WALD", built.join("wald"));
    // What Debian does not have is not asked for, and nothing is asked on the network.
    check.env("_R_CHECK_FORCE_SUGGESTS_", "false").env("_R_CHECK_CRAN_INCOMING_", "false");
    check.env("R_CRAN_WEB", format!("file://{}", empty_index(&folder)?.display()));
    execute(check)?;
    without_warnings(&folder.join("wald.Rcheck/00check.log"))
}

/// The package that people install, in target/r-package: with the engine and all crates in it.
pub(crate) fn package() -> Outcome {
    let folder = empty("r-package")?;
    let sources = folder.join("wald");
    crate::r_sources::gather(&sources)?;
    // Vignettes are built by what the workspace has compiled.
    build_library()?;
    let package = build_package(&sources, &folder)?;
    eprint!("\nbuilt {}\n", package.display());
    Ok(())
}

/// Installs what is missing.
pub(crate) fn install() -> Outcome {
    let libraries: Vec<String> = PACKAGES
        .iter()
        .filter_map(|name| name.strip_prefix("r-cran-"))
        .map(|name| if name == "randomforest" { "randomForest" } else { name })
        .map(|name| format!("requireNamespace('{name}', quietly = TRUE)"))
        .collect();
    let mut rscript = program("Rscript");
    let programs = "nzchar(Sys.which(c('checkbashisms', 'pandoc', 'qpdf')))";
    rscript.args(["-e", &format!("stopifnot({programs}, {})", libraries.join(", "))]);
    if succeeds(rscript) {
        return Ok(());
    }
    apt::install(&[PACKAGES, SHELLS].concat())?;
    // What was compiled without R would be taken for good.
    execute(cargo(["clean", "--quiet", "--package", "extendr-ffi"]))
}

/// Builds the library and the command line, and returns their folder.
fn build_library() -> Result<PathBuf, String> {
    // Features as the tests of the workspace select them, so that the engine is compiled already.
    let build = ["build", "--workspace", "--locked", "--lib", "--bin", "wald", "--example"];
    execute(cargo(build.into_iter().chain(["sample_report"])))?;
    Ok(place::target().join("debug"))
}

/// Builds a source package with its vignettes in a folder.
fn build_package(sources: &Path, folder: &Path) -> Result<PathBuf, String> {
    let mut build = program("R");
    build.args(["CMD", "build"]).arg(sources).current_dir(folder);
    build.env("WALD_STATIC_LIBRARY", place::target().join("debug").join(LIBRARY));
    execute(build)?;
    Ok(folder.join(concat!("wald_", env!("CARGO_PKG_VERSION"), ".tar.gz")))
}

/// An index of packages without entries, in the place of CRAN's, where the check looks for packages
/// without a maintainer.
fn empty_index(folder: &Path) -> Result<PathBuf, String> {
    let index = folder.join("cran");
    let packages = index.join("web/packages");
    fs::create_dir_all(&packages).map_err(|error| format!("{}: {error}", packages.display()))?;
    let mut rscript = program("Rscript");
    let none = "saveRDS(cbind(Package = character(), Maintainer = character()), 'packages.rds')";
    rscript.args(["-e", none]).current_dir(packages);
    execute(rscript)?;
    Ok(index)
}

/// The command ends with success where there are warnings.
fn without_warnings(log: &Path) -> Outcome {
    let text = fs::read_to_string(log).map_err(|error| format!("{}: {error}", log.display()))?;
    let status = text.lines().rev().find(|line| line.starts_with("Status:")).unwrap_or_default();
    if status.contains("WARNING") || status.contains("ERROR") {
        return Err(format!("{}: {status}", log.display()));
    }
    Ok(())
}
