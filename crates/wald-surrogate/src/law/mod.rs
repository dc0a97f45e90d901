//! Laws of inputs that can be drawn from, with conditional laws.

mod correlation;
mod margin;

use statrs::distribution::{ContinuousCDF, Normal};
use wald::work::{Purpose, Stream};
use wald::{Error, Features};

use crate::inputs::{Inputs, Kind, Rows};
use crate::purpose::Draws;
use correlation::Conditional;
pub use correlation::Correlations;
pub use margin::Margin;

/// A joint distribution of inputs: the distribution of each, and how they depend on each other.
///
/// Dependence is that of a Gaussian copula: values are quantiles of inputs at the probabilities of
/// normal scores, which are correlated.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    margins: Vec<Margin>,
    /// `None` where inputs are independent.
    correlations: Option<Correlations>,
}

/// Rows that were drawn from a law.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drawn {
    pub(crate) rows: Rows,
    /// The normal scores behind them.
    pub(crate) scores: Rows,
}

impl Law {
    /// A law of given margins and correlations of normal scores.
    pub fn new(margins: Vec<Margin>, correlations: Option<Correlations>) -> Self {
        Self { margins, correlations }
    }

    /// Independent inputs, each as in the rows.
    ///
    /// # Errors
    /// [`Error::Data`] when values are missing.
    pub fn independent(features: &Features) -> Result<Self, Error> {
        let inputs = Inputs::of(features);
        let rows = inputs.rows(features)?;
        Ok(Self { margins: margins(&inputs, &rows), correlations: None })
    }

    /// Inputs as in the rows, with the Gaussian copula of their normal scores. Categorical inputs are
    /// independent of the others: they have no order.
    ///
    /// # Errors
    /// [`Error::Data`] when values are missing.
    pub fn copula(features: &Features) -> Result<Self, Error> {
        let inputs = Inputs::of(features);
        let rows = inputs.rows(features)?;
        let ordered: Vec<bool> = inputs.kinds().iter().map(|kind| *kind == Kind::Number).collect();
        let correlations = Correlations::estimate(&rows, &ordered);
        Ok(Self { margins: margins(&inputs, &rows), correlations: Some(correlations) })
    }

    /// The correlations of normal scores; `None` where inputs are independent.
    pub fn correlations(&self) -> Option<&Correlations> {
        self.correlations.as_ref()
    }

    /// Number of inputs.
    pub fn n_inputs(&self) -> usize {
        self.margins.len()
    }

    /// Whether conditional laws of inputs given values of others are those of their scores.
    pub(crate) fn has_exact_conditionals(&self) -> bool {
        let dependent = |input| self.correlations.as_ref().is_some_and(|all| all.depends(input));
        (0..self.n_inputs()).all(|input| !self.margins[input].is_discrete() || !dependent(input))
    }

    /// Draws rows. Equal seeds give equal rows, and more rows begin with the fewer ones.
    pub(crate) fn draw(&self, n_rows: usize, seed: u64) -> Drawn {
        let d = self.n_inputs();
        let mut stream = Stream::new(seed, 0, Purpose::from(Draws::Rows));
        let mut scores = Vec::with_capacity(n_rows * d);
        let mut free = vec![0.0; d];
        for _ in 0..n_rows {
            free.iter_mut().for_each(|one| *one = normal(&mut stream));
            match &self.correlations {
                Some(correlations) => correlations.correlate(&free, &mut scores),
                None => scores.extend(&free),
            }
        }
        let scores = Rows::new(d, scores);
        let values = (0..n_rows).flat_map(|row| self.values(scores.row(row)));
        Drawn { rows: Rows::new(d, values.collect()), scores }
    }

    /// The values at normal scores.
    fn values<'a>(&'a self, scores: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        scores.iter().zip(&self.margins).map(|(score, margin)| margin.quantile(share(*score)))
    }

    /// The law of some inputs, given all others.
    pub(crate) fn conditional<'a>(&'a self, inputs: &'a [usize]) -> Redraw<'a> {
        let conditional = self.correlations.as_ref().map(|all| all.conditional(inputs));
        Redraw { law: self, inputs, conditional }
    }
}

/// Draws some inputs anew, given all others.
#[derive(Debug)]
pub(crate) struct Redraw<'a> {
    law: &'a Law,
    inputs: &'a [usize],
    conditional: Option<Conditional>,
}

impl Redraw<'_> {
    /// Puts new values into a row with these scores.
    pub(crate) fn draw(&self, scores: &[f64], stream: &mut Stream, row: &mut [f64]) {
        let free: Vec<f64> = self.inputs.iter().map(|_| normal(stream)).collect();
        let drawn = match &self.conditional {
            Some(conditional) => conditional.draw(scores, &free),
            None => free,
        };
        for (input, score) in self.inputs.iter().zip(drawn) {
            row[*input] = self.law.margins[*input].quantile(share(score));
        }
    }
}

fn margins(inputs: &Inputs, rows: &Rows) -> Vec<Margin> {
    let margin = |(input, kind): (usize, &Kind)| {
        let mut values: Vec<f64> = rows.column(input).collect();
        match kind {
            Kind::Number => Margin::observed(values),
            Kind::Levels(_) => {
                values.sort_by(f64::total_cmp);
                Margin::Observed(values)
            }
        }
    };
    inputs.kinds().iter().enumerate().map(margin).collect()
}

/// The probability below a normal score.
fn share(score: f64) -> f64 {
    Normal::standard().cdf(score)
}

/// The normal score of a probability.
fn score(share: f64) -> f64 {
    Normal::standard().inverse_cdf(share)
}

/// A number of the standard normal distribution.
fn normal(stream: &mut Stream) -> f64 {
    // 0 and 1 are no probabilities of finite scores.
    score(((stream.word() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64)
}
