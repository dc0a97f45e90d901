//! Local measures of the training rows, beside predicting the same rows.

use std::hint::black_box;

use serde_json::{Map, Value, json};
use wald::explain::Rows;
use wald::{Dataset, ExplanationId, ExplanationSettings, Forest, Run};

use crate::meter::Clock;
use crate::{Bench, Outcome};

/// Predicting and explaining take turns this often.
const TURNS: usize = 5;

/// The local measures of that names, separated by commas.
pub(crate) fn parse(text: &str) -> Outcome<Vec<ExplanationId>> {
    let measure = |id: &str| {
        ExplanationId::parse(id).ok_or_else(|| format!("there is no local measure `{id}`").into())
    };
    text.split(',').map(measure).collect()
}

impl Bench {
    /// Seconds of every turn, of predicting the training rows and of each local measure of them.
    pub(crate) fn explained(
        &self,
        data: &Dataset,
        forest: &Forest,
        measures: &[ExplanationId],
    ) -> Outcome<Value> {
        let around = &Run::on(self.threads);
        let mut seconds: Map<String, Value> = Map::new();
        let mut add = |name: &str, read: Value| {
            let turns = seconds.entry(name).or_insert_with(|| json!([]));
            if let Some(turns) = turns.as_array_mut() {
                turns.push(read);
            }
        };
        for _ in 0..TURNS {
            let clock = Clock::start();
            black_box(forest.predict(data.features(), around)?);
            add("(predict)", json!(clock.read()));
            for &id in measures {
                let clock = Clock::start();
                let settings = ExplanationSettings::default();
                let explainer = forest.explainer(data, Rows::Training, id, &settings)?;
                let mut values = Vec::new();
                explainer.run(around, |_, record| values.extend_from_slice(record))?;
                black_box(values);
                add(id.info().id, json!(clock.read()));
            }
        }
        Ok(Value::Object(seconds))
    }
}
