//! `benard-prostate`: section 3.3 on the Prostate table.

use wald::data::{Column, ColumnData, Features, Response, Target};
use wald::selection::Selection;
use wald::simulate::Numbers;
use wald::{Dataset, Forest, ForestConfig, Progress, Run};

use crate::additive::Additive;
use crate::benard::SOURCE;
use crate::benard::elimination::{EliminationStudy, unexplained};
use crate::estimate::Estimate;
use crate::exhibit::{Claim, Comparison, Comparisons, Exhibit, Listing, Published};
use crate::failure::Failure;
use crate::tables::PROSTATE;
use wald_html::chart::Chart;

/// Folds are drawn from this part; no design draws from it.
const PART: u32 = 2000;

/// "For the Sobol-MDA, the 3 selected variables are systematically" these.
const SELECTED: [&str; 3] = ["lcavol", "svi", "lweight"];

pub(crate) fn run(study: &EliminationStudy<'_>) -> Result<Exhibit, Failure> {
    of_data(&PROSTATE.load(study.folder)?, study)
}

fn of_data(data: &Dataset, study: &EliminationStudy<'_>) -> Result<Exhibit, Failure> {
    let eliminations = study.run(PROSTATE.name, data)?;
    let mut claims = Vec::new();
    for (name, selection) in &eliminations.selections {
        claims.push(kept_claim(name, selection));
    }
    let of = |name: &str| eliminations.selections.iter().find(|(found, _)| *found == name);
    if let (Some((_, sobol)), Some((_, breiman))) = (of("Sobol-MDA"), of("BC-MDA")) {
        claims.push(worse_claim(sobol, breiman));
    }
    let (forest, additive) = cross_validated(data, study)?;
    let row = |name: &str, published: f64, values: &[f64]| {
        let estimate = Estimate::of(values);
        let published =
            Published { value: published, decimals: 2, standard_error: estimate.deviation };
        Comparison::of_mean("unexplained variance", name, published, &estimate)
    };
    let (columns, target) = numbers(data);
    let parameters = Additive::fit(&columns, &target).degrees_of_freedom;
    let better: Vec<f64> = forest.iter().zip(&additive).map(|(a, b)| a - b).collect();
    let better = Estimate::of(&better);
    claims.push(Claim::new(
        "the additive model is slightly better than the forest",
        better.mean > 0.0,
        format!("by {:.3} (standard error {:.3})", better.mean, better.standard_error()),
    ));
    Ok(Exhibit {
        title: "The Prostate table (section 3.3)".to_owned(),
        source: SOURCE,
        settings: study.settings(),
        comparisons: vec![Comparisons {
            title: "All variables, repeated cross-validation".to_owned(),
            reference: "published",
            rows: vec![
                row("additive model", 0.42, &additive)
                    .because("the paper does not specify the additive model"),
                row("forest", 0.45, &forest).because("the paper does not give its settings"),
            ],
        }],
        listings: vec![frequencies(&eliminations.selections)],
        claims,
        notes: vec![
            "The paper does not specify its additive model. Here it is the sum of cubic P-splines \
             of all variables of ten or more distinct values and straight lines of the others, \
             with penalties chosen by restricted likelihood within the training folds."
                .to_owned(),
            format!("On all rows the additive model has {parameters:.1} effective parameters."),
            "The paper does not specify over how many cross-validations its two values are means; \
             the standard error of a published value is taken as the standard deviation of one."
                .to_owned(),
        ],
        figure: Some(Chart { panels: vec![eliminations.panel()], panels_per_row: 1 }.svg()),
    })
}

/// How often each variable is among the last three.
fn frequencies(selections: &[(&'static str, Selection)]) -> Listing {
    let names = selections.first().map_or(&[][..], |(_, selection)| &selection.variables);
    let row = |(name, selection): &(&str, Selection)| {
        let kept = selection.at(3).map_or(&[][..], |point| &point.frequencies);
        let shares = kept.iter().map(|share| format!("{:.1} %", 100.0 * share));
        std::iter::once((*name).to_owned()).chain(shares).collect()
    };
    Listing {
        title: "Share of folds that keep a variable among the last three".to_owned(),
        head: std::iter::once("measure".to_owned()).chain(names.iter().cloned()).collect(),
        rows: selections.iter().map(row).collect(),
    }
}

fn kept_claim(name: &str, selection: &Selection) -> Claim {
    let kept = |variable: &str| {
        let position = selection.variables.iter().position(|known| known == variable);
        let point = selection.at(3);
        position.zip(point).map_or(0.0, |(position, point)| point.frequencies[position])
    };
    let shares = SELECTED.map(|name| (name, kept(name)));
    let found: Vec<String> =
        shares.iter().map(|(name, share)| format!("{name} in {:.1} %", 100.0 * share)).collect();
    let always = shares.iter().all(|(_, share)| *share == 1.0);
    if name == "BC-MDA" {
        let statement = "BC-MDA sometimes replaces lweight by pgg45 or lcp";
        let replaced = kept("lweight") < 1.0 && kept("pgg45") + kept("lcp") > 0.0;
        return Claim::new(statement, replaced, found.join(", "));
    }
    let statement = format!("{name} keeps lcavol, svi and lweight in all folds");
    Claim::new(statement, always, found.join(", "))
}

/// "Except for a selection of 3 variables, where the associated error is significantly higher."
fn worse_claim(sobol: &Selection, breiman: &Selection) -> Claim {
    let explained = |selection: &Selection| {
        selection.at(3).map_or_else(Vec::new, |point| point.explained_variances.clone())
    };
    let differences: Vec<f64> =
        explained(sobol).iter().zip(explained(breiman)).map(|(a, b)| a - b).collect();
    let difference = Estimate::of(&differences);
    let ratio = difference.mean / difference.standard_error();
    Claim::new(
        "at 3 variables BC-MDA's error is significantly higher",
        ratio > 2.0,
        format!(
            "{:.3} against {:.3}: {ratio:.1} standard errors of the difference",
            unexplained(breiman, 3).mean,
            unexplained(sobol, 3).mean
        ),
    )
}

/// Unexplained variance of forest and additive model in every repetition, on the same folds.
fn cross_validated(
    data: &Dataset,
    study: &EliminationStudy<'_>,
) -> Result<(Vec<f64>, Vec<f64>), Failure> {
    let (columns, target) = numbers(data);
    let n_rows = target.len();
    let mean = target.iter().sum::<f64>() / n_rows as f64;
    let total: f64 = target.iter().map(|value| (value - mean).powi(2)).sum();
    let mut found = (Vec::new(), Vec::new());
    let mut stream = Numbers::new(u64::from(study.seed), PART);
    for repeat in 0..study.repeats {
        let folds = draw_folds(n_rows, study.folds, &mut stream);
        let mut losses = (0.0, 0.0);
        for fold in 0..study.folds {
            let part = Part { columns: &columns, target: &target, folds: &folds, fold };
            let seed = u64::from(study.seed) << 32 | (repeat * study.folds + fold) as u64;
            losses.0 += part.forest_loss(data, study, seed)?;
            losses.1 += part.additive_loss();
        }
        found.0.push(losses.0 / total);
        found.1.push(losses.1 / total);
    }
    Ok(found)
}

/// All columns as numbers, and the target.
fn numbers(data: &Dataset) -> (Vec<Vec<f64>>, Vec<f64>) {
    let columns = data.features().columns().iter().filter_map(|column| match column.data() {
        ColumnData::Numeric(values) => Some(values.to_vec()),
        ColumnData::Categorical(_) => None,
    });
    let target = match data.target().response() {
        Response::Regression(values) => values.clone(),
        Response::Classification(_) | Response::Several(_) => Vec::new(),
    };
    (columns.collect(), target)
}

/// The fold of every row: sizes differ by one at most.
fn draw_folds(n_rows: usize, n_folds: usize, stream: &mut Numbers) -> Vec<usize> {
    let mut folds: Vec<usize> = (0..n_rows).map(|row| row % n_folds).collect();
    for last in (1..n_rows).rev() {
        let other = (stream.uniform() * (last + 1) as f64) as usize;
        folds.swap(last, other);
    }
    folds
}

/// One fold, held out.
struct Part<'a> {
    columns: &'a [Vec<f64>],
    target: &'a [f64],
    folds: &'a [usize],
    fold: usize,
}

impl Part<'_> {
    fn rows(&self, is_held_out: bool) -> impl Iterator<Item = usize> {
        let folds = self.folds.iter().enumerate();
        folds.filter(move |(_, fold)| (**fold == self.fold) == is_held_out).map(|(row, _)| row)
    }

    fn values(&self, values: &[f64], is_held_out: bool) -> Vec<f64> {
        self.rows(is_held_out).map(|row| values[row]).collect()
    }

    /// Squared errors of the held-out rows, summed.
    fn additive_loss(&self) -> f64 {
        let training: Vec<Vec<f64>> =
            self.columns.iter().map(|values| self.values(values, false)).collect();
        let model = Additive::fit(&training, &self.values(self.target, false));
        let loss = |row: usize| {
            let values: Vec<f64> = self.columns.iter().map(|column| column[row]).collect();
            (model.predict(&values) - self.target[row]).powi(2)
        };
        self.rows(true).map(loss).sum()
    }

    fn forest_loss(
        &self,
        data: &Dataset,
        study: &EliminationStudy<'_>,
        seed: u64,
    ) -> Result<f64, Failure> {
        let names = data.features().names();
        let columns = |is_held_out: bool| -> Result<Vec<Column>, wald::Error> {
            let pairs = names.iter().zip(self.columns);
            pairs
                .map(|(name, values)| Column::numeric(name, self.values(values, is_held_out)))
                .collect()
        };
        let target = Target::regression(data.target().name(), self.values(self.target, false))?;
        let training = Dataset::new(columns(false)?, target)?;
        let config = ForestConfig {
            n_trees: study.n_trees,
            mtry: study.mtry,
            seed,
            ..ForestConfig::default()
        };
        let progress = Progress::new();
        let forest = Forest::grow(&training, &config, &Run::new(study.threads, &progress))?;
        let held_out = Features::new(columns(true)?)?;
        let predictions = forest.predict(&held_out, &Run::new(study.threads, &progress))?;
        let pairs = self.rows(true).zip(predictions);
        Ok(pairs.map(|(row, prediction)| (prediction - self.target[row]).powi(2)).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wald::Threads;
    use wald::simulate::Friedman1;

    #[test]
    fn an_additive_model_beats_a_forest_on_a_nearly_additive_function() {
        let data = Friedman1 { n_columns: 6, noise: 1.0 }.draw(150, 1).expect("a valid design");
        let study = EliminationStudy {
            repeats: 1,
            folds: 5,
            n_trees: 40,
            mtry: None,
            seed: 0,
            threads: Threads::all(),
            folder: None,
        };
        let exhibit = of_data(&data, &study).expect("an exhibit");
        let [additive, forest] = &exhibit.comparisons[0].rows[..] else {
            panic!("{:?}", exhibit.comparisons);
        };
        // V[Y] = 24.8, of which additive terms explain all but the noise and the interaction.
        assert!(additive.value.is_some_and(|value| value > 0.04 && value < 0.25));
        assert!(forest.value.is_some_and(|value| value > 0.15 && value < 0.6));
        assert!(
            exhibit.claims.iter().any(|claim| claim.holds && claim.statement.contains("additive"))
        );
        assert!(exhibit.figure.is_some());
    }

    #[test]
    fn folds_divide_the_rows_evenly() {
        let folds = draw_folds(97, 10, &mut Numbers::new(1, PART));
        for fold in 0..10 {
            let size = folds.iter().filter(|&&of_row| of_row == fold).count();
            assert!((9..=10).contains(&size));
        }
    }
}
