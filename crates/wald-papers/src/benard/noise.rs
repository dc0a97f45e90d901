//! `benard-noise`: the Sobol-MDA of irrelevant variables.
//!
//! Projecting a useless variable out joins cells, which lowers the variance of the forest: the
//! Sobol-MDA of such a variable has a small negative mean, which shrinks with more rows.

use wald::simulate::Friedman1;
use wald::{ForestConfig, MeasureId};

use crate::benard::SOURCE;
use crate::estimate::Estimate;
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::measures;
use crate::study::Study;

/// Variables of Friedman 1 that the target depends on; they come first.
const N_INFORMATIVE: usize = 5;

/// Rows of the samples, and how many times the study's own number that is.
const SIZES: [usize; 3] = [1, 4, 16];

/// What one size showed.
struct Size {
    n_rows: usize,
    /// Means over the noise variables of a repetition.
    noise: Estimate,
    /// Means of each noise variable over repetitions.
    variables: Vec<Estimate>,
    /// Smallest value of an informative variable.
    least_informative: Estimate,
    /// Repetitions with every noise variable below every informative one.
    n_below: usize,
}

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let sizes = SIZES.map(|times| Study { n_rows: study.n_rows * times, ..*study });
    let sizes: Vec<Size> = sizes.iter().map(of_size).collect::<Result<_, _>>()?;
    let mut settings = study.settings();
    settings.retain(|(name, _)| *name != "rows");
    settings.push(("design", "Friedman 1, 10 columns of which 5 are irrelevant".to_owned()));
    Ok(Exhibit {
        title: "Sobol-MDA of irrelevant variables".to_owned(),
        source: SOURCE,
        settings,
        listings: vec![listing(&sizes)],
        claims: claims(&sizes, study.repetitions),
        ..Exhibit::default()
    })
}

fn of_size(study: &Study) -> Result<Size, Failure> {
    let measures = measures::shares_of_variance(&[MeasureId::SobolMda])?;
    let design = Friedman1::default();
    let draw = |n_rows, seed| design.draw(n_rows, seed);
    let found = study.run(draw, &ForestConfig::default(), &measures)?;
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let per_repetition = |of: &dyn Fn(&[f64]) -> f64| {
        let values: Vec<f64> = found.values.iter().map(|all| of(&all[0])).collect();
        Estimate::of(&values)
    };
    Ok(Size {
        n_rows: study.n_rows,
        noise: per_repetition(&|values| mean(&values[N_INFORMATIVE..])),
        variables: (N_INFORMATIVE..design.n_columns).map(|j| found.estimate(0, j)).collect(),
        least_informative: per_repetition(&|values| least(&values[..N_INFORMATIVE])),
        n_below: found
            .count(0, |values| most(&values[N_INFORMATIVE..]) < least(&values[..N_INFORMATIVE])),
    })
}

fn listing(sizes: &[Size]) -> Listing {
    let row = |size: &Size| {
        vec![
            size.n_rows.to_string(),
            format!("{:.5}", size.noise.mean),
            format!("{:.5}", size.noise.standard_error()),
            format!("{:.5}", size.noise.deviation),
            format!("{:.5}", size.least_informative.mean),
            format!("{} of {}", size.n_below, size.noise.n),
        ]
    };
    Listing {
        title: "Means over repetitions".to_owned(),
        head: [
            "rows",
            "noise variables",
            "standard error",
            "standard deviation",
            "least informative variable",
            "all noise below all informative",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: sizes.iter().map(row).collect(),
    }
}

fn claims(sizes: &[Size], repetitions: usize) -> Vec<Claim> {
    let means: Vec<f64> = sizes.iter().map(|size| size.noise.mean).collect();
    let shown: Vec<String> = means.iter().map(|mean| format!("{mean:.4}")).collect();
    let highest = sizes
        .iter()
        .flat_map(|size| &size.variables)
        .map(|variable| variable.mean / variable.standard_error())
        .fold(f64::NEG_INFINITY, f64::max);
    let ranked: Vec<String> =
        sizes.iter().map(|size| format!("{} of {repetitions}", size.n_below)).collect();
    vec![
        Claim::new(
            "the mean is negative at every size",
            means.iter().all(|&mean| mean < 0.0),
            shown.join(", "),
        ),
        Claim::new("it shrinks with more rows", means.is_sorted(), shown.join(", ")),
        Claim::new(
            "no noise variable has a mean above 3 standard errors",
            highest <= 3.0,
            format!("the highest is {highest:.1} standard errors"),
        ),
        Claim::new(
            "in at least 95 % of repetitions all noise variables are below all informative ones",
            sizes.iter().all(|size| size.n_below * 100 >= 95 * repetitions),
            ranked.join(", "),
        ),
    ]
}
