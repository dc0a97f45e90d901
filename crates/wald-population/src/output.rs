//! What was found in a population as a long table and as JSON.

use serde::Serialize;
use wald::Frame;
use wald::document::Header;

use crate::exact::Term;
use crate::found::{Categories, Found, Request};
use crate::importances::Relevance;
use crate::local::LocalImportances;
use crate::population::Population;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    header: Header,
    features: &'a [String],
    target: &'a str,
    impurity: &'static str,
    /// Impurity of the target when nothing is known.
    root_impurity: f64,
    /// I(V; Y).
    total: f64,
    n_points: usize,
    mtry: Option<usize>,
    depth: Option<usize>,
    subspace: Option<usize>,
    samples: Option<usize>,
    values: &'a [f64],
    standard_errors: Option<&'a [f64]>,
    by_degree: &'a [Vec<f64>],
    by_degree_standard_errors: Option<&'a [Vec<f64>]>,
    relevance: &'a [Option<Relevance>],
    marginal: &'a [bool],
    by_mtry: Option<&'a [Vec<f64>]>,
    terms: Option<Vec<Vec<TermObject<'a>>>>,
    local: Option<LocalObject<'a>>,
}

#[derive(Serialize)]
struct TermObject<'a> {
    known: Vec<&'a str>,
    information: f64,
    contribution: f64,
}

#[derive(Serialize)]
struct LocalObject<'a> {
    rows: Vec<Vec<Categories<'a>>>,
    probabilities: &'a [f64],
    values: &'a [Vec<f64>],
    irrelevant: &'a [Vec<bool>],
}

impl Found {
    /// The JSON document of the command line.
    pub fn document<'a>(
        &'a self,
        population: &'a Population,
        request: &Request,
    ) -> impl Serialize + use<'a> {
        let names = population.variables();
        let term = |term: &Term| TermObject {
            known: known(names, term),
            information: term.information,
            contribution: term.contribution,
        };
        let of_variable = |terms: &Vec<Term>| terms.iter().map(term).collect();
        let errors = self.errors.as_ref();
        Document {
            header: Header::default(),
            features: names,
            target: population.target(),
            impurity: population.impurity().id(),
            root_impurity: population.root_impurity(),
            total: population.total(),
            n_points: population.n_points(),
            mtry: request.mtry.first().copied(),
            depth: request.depth,
            subspace: request.subspace,
            samples: request.samples,
            values: &self.values,
            standard_errors: errors.map(|errors| errors.values.as_slice()),
            by_degree: &self.by_degree,
            by_degree_standard_errors: errors.map(|errors| errors.by_degree.as_slice()),
            relevance: &self.relevance,
            marginal: &self.is_marginally_relevant,
            by_mtry: self.by_mtry.as_deref(),
            terms: self.terms.as_ref().map(|terms| terms.iter().map(of_variable).collect()),
            local: self.local.as_ref().map(|local| LocalObject {
                rows: population.all_categories(),
                probabilities: population.probabilities(),
                values: &local.values,
                irrelevant: &local.is_irrelevant,
            }),
        }
    }

    /// A long table: a line per variable with the columns `variable`, `importance`,
    /// `standard_error` (of estimates), `relevance`, `marginal`, `degree_0`, `degree_1`, ..., and
    /// `mtry_1`, ... where there are several. With local importances, a line per point and variable
    /// instead: `point`, `probability`, `variable`, `category`, `importance` and `irrelevant`. With
    /// terms and no local importances, a line per variable and term: `variable`, `importance`, `degree`,
    /// `known`, `information` and `contribution`; a variable without terms has one line, where these are
    /// missing.
    pub fn frame(&self, population: &Population, request: &Request) -> Frame {
        if let Some(local) = &self.local {
            return local.frame(population);
        }
        if let Some(terms) = &self.terms {
            return self.frame_of_terms(population, terms);
        }
        let mut frame = Frame::default()
            .with_text("variable", population.variables())
            .with_numbers("importance", self.values.iter().copied());
        if let Some(errors) = &self.errors {
            frame = frame.with_numbers("standard_error", errors.values.iter().copied());
        }
        let relevance = self.relevance.iter().map(|known| known.map_or("", Relevance::id));
        frame = frame
            .with_text("relevance", relevance)
            .with_numbers("marginal", self.is_marginally_relevant.iter().map(|&is| f64::from(is)));
        for degree in 0..self.by_degree.first().map_or(0, Vec::len) {
            let values = self.by_degree.iter().map(|of_variable| of_variable[degree]);
            frame = frame.with_numbers(format!("degree_{degree}"), values);
        }
        for (values, mtry) in self.by_mtry.iter().flatten().zip(&request.mtry) {
            frame = frame.with_numbers(format!("mtry_{mtry}"), values.iter().copied());
        }
        frame
    }

    fn frame_of_terms(&self, population: &Population, terms: &[Vec<Term>]) -> Frame {
        let names = population.variables();
        let lines: Vec<(usize, Option<&Term>)> = (terms.iter().enumerate())
            .flat_map(|(of, terms)| {
                let none = terms.is_empty().then_some((of, None));
                none.into_iter().chain(terms.iter().map(move |term| (of, Some(term))))
            })
            .collect();
        let known = |term: &Term| known(names, term).join(", ");
        let known = lines.iter().map(|(_, term)| term.map_or_else(String::new, known));
        let number = |of: fn(&Term) -> f64| lines.iter().map(move |(_, term)| term.map(of));
        Frame::default()
            .with_text("variable", lines.iter().map(|&(of, _)| &names[of]))
            .with_numbers("importance", lines.iter().map(|&(of, _)| self.values[of]))
            .with_numbers("degree", number(|term| term.known.len() as f64))
            .with_text("known", known)
            .with_numbers("information", number(|term| term.information))
            .with_numbers("contribution", number(|term| term.contribution))
    }
}

/// The names of the variables that are known in a term.
fn known<'a>(names: &'a [String], term: &Term) -> Vec<&'a str> {
    term.known.iter().map(|variable| names[variable].as_str()).collect()
}

impl LocalImportances {
    fn frame(&self, population: &Population) -> Frame {
        let names = population.variables();
        let lines: Vec<(usize, usize)> = (0..population.n_points())
            .flat_map(|point| (0..names.len()).map(move |variable| (point, variable)))
            .collect();
        let categories =
            lines.iter().map(|&(point, at)| population.categories(point, at).to_string());
        let irrelevant = lines.iter().map(|&(point, at)| self.is_irrelevant[point][at]);
        Frame::default()
            .with_numbers("point", lines.iter().map(|&(point, _)| point as f64 + 1.0))
            .with_numbers(
                "probability",
                lines.iter().map(|&(point, _)| population.probabilities()[point]),
            )
            .with_text("variable", lines.iter().map(|&(_, at)| &names[at]))
            .with_text("category", categories)
            .with_numbers("importance", lines.iter().map(|&(point, at)| self.values[point][at]))
            .with_numbers("irrelevant", irrelevant.map(f64::from))
    }
}
