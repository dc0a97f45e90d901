//! Whether variables that could take the place of others are hidden from the trees, so that
//! projections find too much: Louppe et al. 2013, section 4.

use std::borrow::Cow;

use crate::advice::dependence::Dependence;
use crate::advice::words::{listed, named};
use crate::advice::{Answer, Concern, Evidence, Finding};
use crate::study::Study;
use wald::forest::{Forest, ForestConfig};
use wald::work::{compared_trees, is_comparable, scattered_rows, smaller_mtry, too_large};
use wald::{Dataset, Error, Run};

/// Trees and rows (scattered over the table) of the forest that is grown to be looked at.
const TREES: usize = 100;
const TREES_GROWN_AGAIN: usize = 60;
const MOST_ROWS: usize = 2000;
const LEAST_ROWS: usize = 200;

/// Fewer rows where there are many variables: at most so many cells.
const MOST_CELLS: usize = 400_000;

/// Variables named in the sentence.
const NAMED: usize = 3;

/// Compares projecting trees with growing them again without a variable, where variables depend on
/// each other, as the note of `sobol_mda` does. Cost: growing 100 trees on at most 2000 rows about five
/// times.
///
/// # Errors
/// [`Error::Cancelled`], and what growing reports.
pub(super) fn masking(study: &Study, dependence: &Dependence, run: &Run) -> Result<Finding, Error> {
    let data = &*study.data;
    let p = data.n_features();
    let mut finding = Finding {
        id: "masking".to_owned(),
        name: "Masking".to_owned(),
        concern: Concern::None,
        sentence: "No variable can hide another that could take its place: no dependence between \
                   variables that matters was found."
            .to_owned(),
        consequence: String::new(),
        evidence: Vec::new(),
        variables: Vec::new(),
        source: "Louppe et al. 2013, section 4; simulation (wald's documentation, papers)"
            .to_owned(),
    };
    if dependence.answer == Answer::No {
        return Ok(finding);
    }
    let Looked { mtry, is_known, at_hand, ref config } = Looked::at(study)?;
    finding.evidence = vec![
        Evidence::new("mtry", is_known.then_some(mtry as f64)),
        Evidence::new("variables", Some(p as f64)),
    ];
    if mtry < 2 || data.groups().n_groups() < 2 {
        finding.sentence = String::from("One variable is tried at a node, so none hides another.");
        return Ok(finding);
    }
    let found = match at_hand {
        Some(forest) => {
            let n_trees = compared_trees(data.n_rows(), forest.trees().len());
            too_large(forest, data, n_trees, &run.part())?
        }
        None => of_grown(data, config, &run.part())?,
    };
    let is_so = is_known || at_hand.is_some();
    let mtry_in_words = if is_known {
        format!("mtry {mtry} of {p}")
    } else {
        "the unknown mtry of this forest".to_owned()
    };
    let excess = found.first().map(|(_, excess)| *excess);
    finding.evidence.push(Evidence::new("largest excess of sobol_mda", excess));
    let names = data.groups().names();
    finding.variables = found.iter().map(|&(group, _)| names[group].clone()).collect();
    let Some(&(group, excess)) = found.first() else {
        let depend = if dependence.answer == Answer::Unknown {
            "Whether variables depend on each other is not known;"
        } else {
            "Variables depend on each other, but"
        };
        let with = if is_so {
            format!("with {mtry_in_words}")
        } else {
            format!("even if all {p} variables compete at every node,")
        };
        finding.sentence = format!(
            "{depend} {with} sobol_mda of no single variable was found to be too large by 0.02 of the \
             variance or more."
        );
        return Ok(finding);
    };
    let partner = dependence.material().find(|pair| pair.groups.contains(&group));
    let partner = partner.map(|pair| pair.groups[usize::from(pair.groups[0] == group)]);
    let stand_in = partner.map_or_else(String::new, |other| {
        format!(", for which {} could stand in,", named(&names[other]))
    });
    let more = match &finding.variables[1..] {
        [] => String::new(),
        others => format!("; the same holds for {}", listed(others, NAMED)),
    };
    let (trees, are, is) = if is_so {
        (format!("With {mtry_in_words}"), "are", "is")
    } else {
        let trees = format!(
            "If all {p} variables competed at every node, as in scikit-learn's regression forests"
        );
        (trees, "would be", "would be")
    };
    finding.concern = if is_so { Concern::Serious } else { Concern::Minor };
    finding.sentence = format!(
        "{trees}, variables that could take the place of others {are} hidden from the trees: \
         sobol_mda of {}{stand_in} {is} too large by about {excess:.2} of the variance{more}.",
        named(&names[group]),
    );
    finding.consequence = format!(
        "sobol_mda and shapley_effects of {} {are} too large. {}.",
        if finding.variables.len() == 1 { "this variable" } else { "these variables" },
        remedy(study.config.is_some(), smaller_mtry(mtry, p))
    );
    finding.evidence.push(Evidence::new("masking variables", Some(finding.variables.len() as f64)));
    Ok(finding)
}

/// The forest that is looked at.
struct Looked<'a> {
    mtry: usize,
    /// Whether that is its mtry; else it is the number of variables.
    is_known: bool,
    /// The forest of another program itself: one that wald grows with the same mtry need not hide the
    /// same. `None` where its trees cannot be compared.
    at_hand: Option<&'a Forest>,
    /// How it is grown otherwise.
    config: Cow<'a, ForestConfig>,
}

impl<'a> Looked<'a> {
    fn at(study: &'a Study) -> Result<Self, Error> {
        let of_file = study.forest().and_then(Forest::mtry);
        let at_hand = study.forest().filter(|forest| {
            study.config.is_none()
                && forest.bags().is_some()
                && is_comparable(forest.trees().len(), forest.aggregation())
        });
        // Nothing hides more than if all variables compete, so that it is the case to know of.
        let mtry = of_file.or(Some(study.data.n_features()));
        let config = match &study.config {
            Some(config) => Cow::Borrowed(config),
            None => Cow::Owned(ForestConfig { mtry, ..ForestConfig::default() }),
        };
        Ok(Self {
            mtry: config.resolve(&study.data)?.mtry,
            is_known: study.config.is_some() || of_file.is_some(),
            at_hand,
            config,
        })
    }
}

/// What is too large in a forest that is grown for it on some of the rows.
fn of_grown(data: &Dataset, config: &ForestConfig, run: &Run) -> Result<Vec<(usize, f64)>, Error> {
    let rows = (MOST_CELLS / data.n_features()).clamp(LEAST_ROWS, MOST_ROWS);
    let rows = scattered_rows(data.n_rows(), rows);
    let data = &data.select(&rows)?;
    let forest = Forest::grow(data, &config.out_of_bag(TREES), run)?;
    too_large(&forest, data, TREES_GROWN_AGAIN, run)
}

/// What to do. Trees of a forest whose settings are not known cannot be grown again for a measure.
fn remedy(is_known: bool, mtry: usize) -> String {
    if is_known {
        format!(
            "total_sobol_regrow, which grows the branches concerned again, is not; or grow the \
             forest with mtry {mtry}"
        )
    } else {
        format!(
            "Grow it with mtry {mtry}, or grow a forest with wald, for which total_sobol_regrow \
             grows the branches concerned again"
        )
    }
}
