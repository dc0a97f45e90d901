//! `li-table-1`: how well measures separate relevant inputs from others.

use std::path::Path;
use std::sync::Arc;

use wald::data::Task;
use wald::forest::{Keep, Sampling, Splitting};
use wald::measure::{Loss, MeasureSettings, Normalise, Permutations};
use wald::simulate::{LiIdentification, LiReading, Numbers};
use wald::{Dataset, Forest, ForestConfig, Measure, MeasureId, Run};

use crate::exhibit::{Comparisons, Exhibit};
use crate::failure::Failure;
use crate::li::SOURCE;
use crate::li::areas::{agreement, area, beside_ranger, compare};
use crate::li::chip::Chip;
use crate::li::rows::{CELLS, Cell, How, ROWS};
use crate::study::Study;

/// Values of one row, and whether the program clips them.
type RowValues = (Vec<f64>, bool);

/// Smallest leaf of a shallow tree.
pub(super) const SHALLOW: f64 = 100.0;

/// Rows of a bootstrap sample that differ, as a share of its draws.
pub(super) const DISTINCT: f64 = 0.632;

/// Training rows that are explained in the row SHAP, drawn with replacement.
const EXPLAINED: usize = 100;

/// The part of the numbers of a seed that draws them.
const EXPLAINED_PART: u32 = 101;

/// The settings of the command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table1<'a> {
    pub(crate) study: Study,
    /// The folder that holds the `ChIP` data, and the most rows of it.
    pub(crate) chip: Option<(&'a Path, Option<usize>)>,
}

pub(crate) fn run(table: &Table1<'_>) -> Result<Exhibit, Failure> {
    // A missing file is reported before anything is grown.
    let chip = table.chip.map(|(folder, most)| Chip::load(folder, most)).transpose()?;
    let (mut comparisons, mut claims, mut ranger_itself) = (Vec::new(), Vec::new(), Vec::new());
    for reading in [LiReading::Program, LiReading::Text] {
        let mut rows = Vec::new();
        for (place, cell) in
            CELLS.iter().enumerate().filter(|(_, cell)| !cell.is_chip || chip.is_some())
        {
            let found = cell.areas(&table.study, reading, chip.as_ref())?;
            for (row, areas) in ROWS.iter().zip(found) {
                rows.push(compare(row, place, &areas));
            }
        }
        let title = match reading {
            LiReading::Program => "Area under the curve, as the published program has it",
            LiReading::Text => "Area under the curve, as the text has it",
        };
        claims.push(agreement(reading, &rows));
        if reading == LiReading::Program {
            ranger_itself.extend(beside_ranger(&rows));
        }
        comparisons.push(Comparisons { title: title.to_owned(), reference: "published", rows });
    }
    comparisons.push(Comparisons {
        title: "The row ranger, simulated as the published program does, beside ranger 0.14.1"
            .to_owned(),
        reference: "ranger 0.14.1",
        rows: ranger_itself,
    });
    let mut settings = table.study.settings();
    settings.push(("mtry", "10".to_owned()));
    settings.push(("smallest leaf", "100 (shallow) or 1 (deep)".to_owned()));
    if chip.is_none() {
        settings.push(("ChIP data", "left out, because no file was named by `--data`".to_owned()));
    }
    Ok(Exhibit {
        title: "Table 1: telling inputs that matter from others".to_owned(),
        source: SOURCE,
        settings,
        comparisons,
        claims,
        notes: notes(),
        ..Exhibit::default()
    })
}

impl Cell {
    /// By row, the areas of all repetitions.
    fn areas(
        self,
        study: &Study,
        reading: LiReading,
        chip: Option<&Chip>,
    ) -> Result<Vec<Vec<f64>>, Failure> {
        let mut found = vec![Vec::new(); ROWS.len()];
        for repetition in 0..study.repetitions {
            let seed = study.seed_of(repetition);
            let (relevant, data, test) = match chip.filter(|_| self.is_chip) {
                Some(chip) => chip.draw(self.task, reading, seed)?,
                None => simulated(study, self.task, reading, seed)?,
            };
            let values = self.measure(study, reading, &data, test, seed)?;
            for (areas, (values, is_clipped)) in found.iter_mut().zip(values) {
                // The program sets what is negative to zero before it ranks.
                let floor = if is_clipped && reading == LiReading::Program {
                    0.0
                } else {
                    f64::NEG_INFINITY
                };
                let clipped: Vec<f64> = values.iter().map(|value| value.max(floor)).collect();
                areas.push(area(&clipped, &relevant));
            }
        }
        Ok(found)
    }

    /// By row, the values of one repetition, and whether the program clips them.
    fn measure(
        self,
        study: &Study,
        reading: LiReading,
        data: &Dataset,
        test: Dataset,
        seed: u64,
    ) -> Result<Vec<RowValues>, Failure> {
        let test = Arc::new(test);
        let explained = Arc::new(explained(data, seed)?);
        let config = ForestConfig {
            n_trees: study.n_trees,
            mtry: Some(10.min(data.n_features())),
            min_node_size: Some(1),
            seed,
            ..ForestConfig::default()
        };
        // scikit-learn counts the distinct rows of a leaf, wald the draws.
        let smallest = match reading {
            LiReading::Program => (SHALLOW / DISTINCT).round() as usize,
            LiReading::Text => SHALLOW as usize,
        };
        let leaves = if self.is_deep { 1 } else { smallest };
        let nodes = if self.is_deep { 1 } else { SHALLOW as usize };
        let of_all = ForestConfig { min_leaf_size: leaves, ..config.clone() };
        let of_party = ForestConfig {
            n_trees: study.n_trees,
            mtry: config.mtry,
            min_node_size: Some(1),
            min_leaf_size: nodes,
            seed,
            ..conditional(reading)
        };
        let of_ranger = ForestConfig { min_node_size: Some(nodes), ..config };
        let measures = ROWS.iter().filter_map(|row| self.with_settings(row.how, &test, &explained));
        let measures = measures.collect::<Result<Vec<Measure>, Failure>>()?;
        let run = |config: &ForestConfig, measures: &[Measure]| {
            let work = &Run::on(study.threads);
            let grown = Forest::grow_and_measure(data, config, measures, Keep::Nothing, work)?;
            let values = grown.measured.importances.into_iter().map(|importance| importance.values);
            let numbers = values.map(|values| values.into_iter().flatten().collect());
            Ok::<Vec<Vec<f64>>, Failure>(numbers.collect())
        };
        let mut of_all = run(&of_all, &measures)?.into_iter();
        let air = Measure::new(MeasureId::Air, MeasureSettings::default())?;
        let mut of_ranger = run(&of_ranger, &[air])?.into_iter();
        // The program hands classes to party as numbers.
        let loss = match reading {
            LiReading::Program => Loss::Squared,
            LiReading::Text => self.loss(),
        };
        let loss = MeasureSettings { loss: Some(loss), ..MeasureSettings::default() };
        let random_split = Measure::new(MeasureId::MdaRandomSplit, loss)?;
        let mut of_party = run(&of_party, &[random_split])?.into_iter();
        let values = ROWS.iter().filter_map(|row| match row.how {
            How::Measure(id, _) => {
                let is_clipped = !matches!(id, MeasureId::Mdi | MeasureId::MdiOobNaive);
                of_all.next().map(|values| (values, is_clipped))
            }
            How::Ranger => of_ranger.next().map(|values| (values, false)),
            How::Conditional => of_party.next().map(|values| (values, false)),
        });
        Ok(values.collect())
    }

    fn with_settings(
        self,
        how: How,
        test: &Arc<Dataset>,
        explained: &Arc<Dataset>,
    ) -> Option<Result<Measure, Failure>> {
        let How::Measure(of_classes, of_numbers) = how else { return None };
        let id = match self.task {
            Task::Classification => of_classes,
            Task::Regression => of_numbers,
        };
        let settings = match id {
            MeasureId::MdaTrainTest => MeasureSettings {
                loss: Some(self.loss()),
                permutations: Permutations::Random(5),
                test: Some(Arc::clone(test)),
                ..MeasureSettings::default()
            },
            MeasureId::TreeShap => {
                MeasureSettings { test: Some(Arc::clone(explained)), ..MeasureSettings::default() }
            }
            MeasureId::Mdi => {
                MeasureSettings { normalise: Normalise::Sum, ..MeasureSettings::default() }
            }
            _ => MeasureSettings::default(),
        };
        Some(Measure::new(id, settings).map_err(Failure::from))
    }
}

/// How party grows a forest: with its defaults, or as the published program calls it.
fn conditional(reading: LiReading) -> ForestConfig {
    let defaults = ForestConfig::for_splitting(Splitting::Conditional);
    match reading {
        // `cforest_control`: bootstrap samples, and a node splits if its statistic is above the
        // 90 % quantile of the normal distribution, which of numbers is a two-sided p below 0.2.
        LiReading::Program => {
            ForestConfig { sampling: Sampling::Bootstrap, min_criterion: Some(0.8), ..defaults }
        }
        LiReading::Text => defaults,
    }
}

/// The training rows whose Shapley values are averaged.
fn explained(data: &Dataset, seed: u64) -> Result<Dataset, Failure> {
    let mut numbers = Numbers::new(seed, EXPLAINED_PART);
    let rows: Vec<u32> = (0..EXPLAINED).map(|_| numbers.below(data.n_rows() as u32)).collect();
    Ok(data.select(&rows)?)
}

fn simulated(
    study: &Study,
    task: Task,
    reading: LiReading,
    seed: u64,
) -> Result<(Vec<usize>, Dataset, Dataset), Failure> {
    let design = LiIdentification { reading, ..LiIdentification::of(task) };
    let relevant = design.relevant(seed);
    let data = design.draw_with(&relevant, study.n_rows, seed)?;
    // No repetition of any study has this seed.
    let test = design.draw_with(&relevant, study.n_rows, !seed)?;
    Ok((relevant, data, test))
}

fn notes() -> Vec<String> {
    vec![
        format!(
            "SHAP is the mean absolute Shapley value (path-dependent), summed over classes, of \
             {EXPLAINED} training rows drawn with replacement."
        ),
        "The published program differs from the text: the noise has a standard deviation (not a \
         variance) of 100 times the variance of the signal; P(Y = 1) has no \"- 1\", and twice the \
         slope for ChIP; MDI-oob, UFI and MDA are set to zero where they are negative; naive-oob of \
         numbers adds the in-bag impurity; a smallest leaf has 100 distinct rows (scikit-learn), \
         which is about 158 draws of a bootstrap sample. MDI-oob is Eq. 14 as printed, not centred."
            .to_owned(),
        "MDA is on as many test rows as there are training rows (ChIP: 3897), by 5 permutations; \
         the row ranger grows on nodes of more than 100 or 1 draws, whatever their children hold. \
         The standard error of a published value is taken to be that of 40 repetitions of wald's."
            .to_owned(),
        "cforest is party's default permutation importance (random splits, Hapfelmeier et al. \
         2014), of conditional inference trees. Read as the text has it, trees are those of \
         party's defaults (`cforest_unbiased`); read as the program has it, those of \
         `cforest_control` on classes as numbers, as in the one call of party that is published, \
         which is of another table. Trees, mtry and smallest leaf are those of the other rows."
            .to_owned(),
    ]
}
