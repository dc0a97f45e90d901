//! `sutera-figure-2`: how well the absolute local scores of two measures agree, against K.

use wald::data::Task;
use wald::{Dataset, Forest, Run};
use wald_html::chart::{self, Band, BandedPanel, COLOURS, Line, Panel, Picture, Point};

use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::sutera::forests::{Forests, SOURCE, led};
use crate::sutera::scores::{left_out, measures, scores};
use crate::tables::DIGITS;

/// Mean correlations above this are called close to 1.
const CLOSE: f64 = 0.8;

/// Correlations over the variables, of all rows for which they are defined.
#[derive(Debug, Clone, Copy)]
struct Agreement {
    mtry: usize,
    mean: f64,
    smallest: f64,
    largest: f64,
    n_rows: usize,
}

/// A data set, pairs of measures, and what was found for each, by K.
struct Found {
    table: &'static str,
    pairs: Vec<String>,
    by_pair: Vec<Vec<Agreement>>,
}

pub(crate) fn run(forests: &Forests) -> Result<Exhibit, Failure> {
    let digits = DIGITS.load_as(Task::Classification, None)?;
    let all = [
        compare(forests, "digits", &digits, &[1, 2, 4, 8, 16, 32, 64])?,
        compare(forests, "led", &led()?, &[1, 2, 3, 4, 5, 6, 7])?,
    ];
    let panels: Vec<BandedPanel> = all.iter().map(Found::panel).collect();
    let drawn: Vec<&dyn Picture> = panels.iter().map(|panel| -> &dyn Picture { panel }).collect();
    let has_pairs = all.iter().any(|found| !found.pairs.is_empty());
    let mut notes = vec![
        "The paper shows curves without numbers, those of led in its Appendix E. Scores of classes \
         are those of the class that the forest predicts."
            .to_owned(),
    ];
    notes.extend(left_out());
    Ok(Exhibit {
        title: "Figure 2: correlation between absolute local scores against K".to_owned(),
        source: SOURCE,
        settings: forests.settings(),
        listings: all.iter().map(Found::listing).collect(),
        claims: all.iter().flat_map(Found::claims).collect(),
        notes,
        figure: has_pairs.then(|| chart::file(&drawn, 2)),
        ..Exhibit::default()
    })
}

fn compare(
    forests: &Forests,
    table: &'static str,
    data: &Dataset,
    mtry: &[usize],
) -> Result<Found, Failure> {
    let measures = measures();
    let pairs: Vec<(usize, usize)> = (0..measures.len())
        .flat_map(|second| (0..second).map(move |first| (first, second)))
        .collect();
    let mut by_pair = vec![Vec::new(); pairs.len()];
    for &mtry in mtry {
        let config = forests.config(mtry);
        let forest = Forest::grow(data, &config, &Run::on(forests.threads))?;
        let found = measures
            .iter()
            .map(|(_, id)| scores(data, &forest, data.features(), *id, forests.threads))
            .collect::<Result<Vec<_>, _>>()?;
        for (agreements, &(first, second)) in by_pair.iter_mut().zip(&pairs) {
            let both = found[first].iter().zip(&found[second]);
            let correlations = both.filter_map(|(one, other)| correlation(one, other));
            agreements.push(Agreement::of(mtry, &correlations.collect::<Vec<_>>()));
        }
    }
    let name = |&(first, second): &(usize, usize)| {
        format!("{} - {}", measures[first].0, measures[second].0)
    };
    Ok(Found { table, pairs: pairs.iter().map(name).collect(), by_pair })
}

/// Pearson's, of absolute values; `None` where those of one are all equal.
fn correlation(one: &[f64], other: &[f64]) -> Option<f64> {
    let deviations = |values: &[f64]| -> Vec<f64> {
        let mean = values.iter().map(|value| value.abs()).sum::<f64>() / values.len() as f64;
        values.iter().map(|value| value.abs() - mean).collect()
    };
    let (one, other) = (deviations(one), deviations(other));
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scale = (product(&one, &one) * product(&other, &other)).sqrt();
    (scale > 0.0).then(|| product(&one, &other) / scale)
}

impl Agreement {
    fn of(mtry: usize, correlations: &[f64]) -> Self {
        Self {
            mtry,
            mean: correlations.iter().sum::<f64>() / correlations.len() as f64,
            smallest: correlations.iter().copied().fold(f64::INFINITY, f64::min),
            largest: correlations.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            n_rows: correlations.len(),
        }
    }
}

impl Found {
    fn listing(&self) -> Listing {
        let cell = |of: &Agreement| {
            format!("{:.3} [{:.3}, {:.3}], {} rows", of.mean, of.smallest, of.largest, of.n_rows)
        };
        let n_sizes = self.by_pair.first().map_or(0, Vec::len);
        let row = |size: usize| {
            let mtry = self.by_pair.first().map(|of| of[size].mtry.to_string());
            mtry.into_iter().chain(self.by_pair.iter().map(|of| cell(&of[size]))).collect()
        };
        Listing {
            title: format!(
                "{}: mean over rows of the correlation of absolute scores, [smallest, largest]",
                self.table
            ),
            head: std::iter::once("K".to_owned()).chain(self.pairs.iter().cloned()).collect(),
            rows: (0..n_sizes).map(row).collect(),
        }
    }

    fn claims(&self) -> Vec<Claim> {
        let means = self.by_pair.iter().flatten().map(|of| of.mean);
        let smallest = means.fold(f64::INFINITY, f64::min);
        let mut claims = Vec::new();
        if !self.by_pair.is_empty() {
            claims.push(Claim::new(
                format!(
                    "{}: mean correlations of all pairs are close to 1, above {CLOSE}",
                    self.table
                ),
                smallest > CLOSE,
                format!("at least {smallest:.3}"),
            ));
        }
        // The last pair is that of Saabas and TreeSHAP, which both take predictions apart.
        if let [others @ .., last] = self.by_pair.as_slice()
            && !others.is_empty()
        {
            let is_closest =
                |size: &usize| others.iter().all(|of| of[*size].mean < last[*size].mean);
            let n_closest = (0..last.len()).filter(is_closest).count();
            claims.push(Claim::new(
                format!(
                    "{}: Saabas and TreeSHAP are closer to each other than to local MDI at every K",
                    self.table
                ),
                n_closest == last.len(),
                format!("at {n_closest} of {}", last.len()),
            ));
        }
        claims
    }

    fn panel(&self) -> BandedPanel {
        let pairs = || self.pairs.iter().zip(&self.by_pair).zip(COLOURS);
        let lines = pairs().map(|((name, of), colour)| Line {
            name: name.clone(),
            colour,
            points: of
                .iter()
                .map(|of| Point { x: of.mtry as f64, y: of.mean, spread: 0.0 })
                .collect(),
            reference: None,
        });
        let bands = pairs().map(|((_, of), colour)| Band {
            colour,
            edges: of.iter().map(|of| [of.mtry as f64, of.smallest, of.largest]).collect(),
        });
        let panel = Panel {
            title: self.table.to_owned(),
            x_label: "K".to_owned(),
            y_label: "correlation of absolute scores".to_owned(),
            is_x_log: self.table == "digits",
            lines: lines.collect(),
            has_legend: true,
        };
        BandedPanel { panel, bands: bands.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_are_of_absolute_values() {
        let close = |found: Option<f64>, expected: f64| {
            assert!((found.expect("defined") - expected).abs() < 1e-12);
        };
        close(correlation(&[1.0, -2.0, 3.0], &[-2.0, 4.0, -6.0]), 1.0);
        close(correlation(&[1.0, 2.0, 3.0], &[3.0, -2.0, 1.0]), -1.0);
        assert_eq!(correlation(&[1.0, -1.0], &[0.0, 2.0]), None);
    }
}
