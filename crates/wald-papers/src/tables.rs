//! The papers' data sets: one that the repository holds, and others that the user has to get.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use wald::Dataset;
use wald::data::Task;
use wald_table::{DesignOptions, Missing};

use crate::failure::Failure;

/// A table and where it comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    file: &'static str,
    sha256: &'static str,
    target: &'static str,
    /// Columns that are no input variables.
    exclude: &'static [&'static str],
    /// How to get it; `None` where the repository holds it.
    origin: Option<&'static str>,
}

pub(crate) const OZONE: Table = Table {
    name: "Ozone",
    file: "ozone.csv",
    sha256: "28db2259fe855987021c5310fbde17c993d581623642bc361a30d37bc3fa920a",
    target: "ozone",
    exclude: &[],
    origin: Some(
        "the object Ozone of the R package mlbench (GPL-2), written as CSV with empty fields for \
         missing values and the columns month, day, weekday, ozone, pressure_height, wind_speed, \
         humidity, temp_sandburg, temp_elmonte, inversion_base_height, pressure_gradient, \
         inversion_base_temp, visibility",
    ),
};

pub(crate) const GALAXY: Table = Table {
    name: "Galaxy",
    file: "galaxy.csv",
    sha256: "8fdb0956c18f5fd38e3717804e064105ee1ae9ada5be9fee81f0022f7f1e33f7",
    target: "velocity",
    exclude: &[],
    origin: Some(
        "the object galaxy of the R package ElemStatLearn 2015.6.26.2 (GPL), written as CSV with \
         the columns east.west, north.south, angle, radial.position, velocity",
    ),
};

pub(crate) const PROSTATE: Table = Table {
    name: "Prostate",
    file: "prostate.csv",
    sha256: "46485028bc47d77cb4c4b1a72e611a5c8c5984642672ed8220fc31373129f55a",
    target: "lpsa",
    exclude: &["train"],
    origin: Some(
        "the object prostate of the R package ElemStatLearn 2015.6.26.2 (GPL), written as CSV with \
         the columns lcavol, lweight, age, lbph, svi, lcp, gleason, pgg45, lpsa, train",
    ),
};

pub(crate) const CHIP: Table = Table {
    name: "ChIP",
    file: "enhancer_chip.csv.gz",
    sha256: "3b7481ca4db48514bfad05f781409ced66b210c1681b6022adb1ec247aea7f91",
    target: "active",
    exclude: &["split"],
    origin: Some(
        "the object in iRF_analyses/data/enhancer.Rdata of github.com/shifwang/Enhancer (supporting \
         data of Basu et al. 2018; no licence), written as gzipped CSV: 80 columns, `active`, \
         `split`, the 3912 training rows first",
    ),
};

pub(crate) const BREAST_CANCER: Table = Table {
    name: "Breast Cancer Wisconsin Diagnostic",
    file: "breast_cancer.csv",
    sha256: "841ebc1d5d5822e02a772a093458239ec3704685cdb3dc7f9f74c537ce0c6a33",
    target: "benign",
    exclude: &[],
    origin: None,
};

pub(crate) const DIGITS: Table = Table {
    name: "Digits",
    file: "digits.csv",
    sha256: "592cc047d0a1cc7fdef9fd724514209dcb45a80aa147dc3ab375e3e1a9a380f4",
    target: "digit",
    exclude: &[],
    origin: None,
};

impl Table {
    /// The complete rows as a data set of regression (a class of two is a number 0 or 1).
    pub(crate) fn load(&self, folder: Option<&Path>) -> Result<Dataset, Failure> {
        self.load_as(Task::Regression, folder)
    }

    /// The complete rows as a data set of the given kind.
    pub(crate) fn load_as(&self, task: Task, folder: Option<&Path>) -> Result<Dataset, Failure> {
        let path = self.path(folder)?;
        let bytes = fs::read(&path).map_err(|error| self.missing(&path, &error.to_string()))?;
        let digest = Sha256::digest(&bytes).iter().fold(String::new(), |mut hex, byte| {
            hex.push_str(&format!("{byte:02x}"));
            hex
        });
        if digest != self.sha256 {
            return Err(self.missing(&path, &format!("its SHA-256 is {digest}")));
        }
        let options = DesignOptions {
            target: Some(self.target.to_owned()),
            exclude: self.exclude.iter().map(|&name| name.to_owned()).collect(),
            missing: Missing::Omit,
            task: Some(task),
            ..DesignOptions::default()
        };
        let table = wald_table::read(&path, &options.read_options())?;
        Ok(std::sync::Arc::unwrap_or_clone(wald_table::prepare(table, &options)?.dataset))
    }

    fn path(&self, folder: Option<&Path>) -> Result<PathBuf, Failure> {
        match (folder, self.origin) {
            (_, None) => {
                let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
                Ok(Path::new(data).join(self.file))
            }
            (Some(folder), Some(_)) => Ok(folder.join(self.file)),
            (None, Some(_)) => {
                let path = Path::new(self.file);
                Err(self.missing(path, "no folder was named by `--data`"))
            }
        }
    }

    fn missing(&self, path: &Path, why: &str) -> Failure {
        let origin = self.origin.unwrap_or("the folder `data` of the repository");
        Failure {
            exit_code: 5,
            what: format!("cannot read the table {} from {}: {why}", self.name, path.display()),
            help: format!(
                "give by `--data FOLDER` a folder that holds {} with SHA-256 {}; it is {origin}",
                self.file, self.sha256
            ),
        }
    }
}
