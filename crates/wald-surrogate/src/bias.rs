//! How far the Sobol-MDA of the forest of a sample is from total Sobol indices.

use wald::{Error, ForestConfig, Measure, MeasureId};

use crate::exact::{Exact, Seeded, exact};
use crate::inputs::Rows;
use crate::law::Law;
use crate::model::Model;
use crate::steps::Steps;

/// What the Sobol-MDA is too large by, by group of inputs, with Monte-Carlo standard errors.
#[derive(Debug)]
pub(crate) struct Bias {
    pub(crate) values: Vec<f64>,
    pub(crate) standard_errors: Vec<f64>,
}

impl Bias {
    /// Of values beside the indices that they estimate; `None` where one of them is undefined.
    pub(crate) fn of(values: &[Option<f64>], exact: &Exact) -> Option<Self> {
        let off = values.iter().zip(&exact.values).map(|(value, exact)| Some((*value)? - exact));
        let standard_errors = exact.standard_errors.clone();
        Some(Self { values: off.collect::<Option<_>>()?, standard_errors })
    }

    /// Of rows whose law is not known: the bias for as many rows of a law that is much like theirs, their
    /// estimated Gaussian copula. `None` where conditional laws of that are not known either.
    pub(crate) fn by_copula(
        steps: Steps<'_>,
        model: &Model,
        rows: &Rows,
        config: &ForestConfig,
    ) -> Result<Option<Self>, Error> {
        let law = Law::copula(&model.inputs.features(rows)?)?;
        if !law.has_exact_conditionals() {
            steps.run.progress.advance_by(1);
            return Ok(None);
        }
        let (seed, run) = (config.seed, &steps.run.part());
        let drawn = law.draw(rows.len(), seed);
        let means = model.at(&drawn.rows, run, |point| model.process().mean(point))?;
        let steps = Steps { measures: &[Measure::from(MeasureId::SobolMda)], ..steps };
        let measured = steps.measure(&steps.sample(model, &drawn.rows, means)?, config)?;
        let exact = exact(model, &law, &drawn, &steps.positions(), &Seeded { seed, run })?;
        let [of_sample] = measured.importances.as_slice() else { return Ok(None) };
        let of_trees = of_sample.standard_errors.iter().flatten().map(|error| error.unwrap_or(0.0));
        Ok(Self::of(&of_sample.values, &exact).map(|mut bias| {
            let errors = bias.standard_errors.iter_mut().zip(of_trees);
            errors.for_each(|(error, of_trees)| *error = error.hypot(of_trees));
            bias
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_above_its_index_has_a_bias_above_zero() {
        let exact = Exact { values: vec![0.3, 0.6], standard_errors: vec![0.01, 0.02] };
        let found = Bias::of(&[Some(0.5), Some(0.5)], &exact).expect("defined");
        for (found, expected) in found.values.iter().zip([0.2, -0.1]) {
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
        assert_eq!(found.standard_errors, exact.standard_errors);
        assert!(Bias::of(&[Some(0.5), None], &exact).is_none(), "one is undefined");
    }
}
