//! Measures: what they add to growing, and what they take on a stored forest.

use std::fs;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use wald::forest::Keep;
use wald::measure::{CostClass, Loss, Measure, MeasureId, MeasureSettings};
use wald::{Dataset, Forest, Importance, Run};

use crate::meter::Clock;
use crate::{Bench, Outcome};

/// What is measured.
#[derive(Clone, PartialEq)]
pub(crate) enum Measures {
    /// Growing alone.
    None,
    /// All measures at once.
    All,
    /// All measures at once, then one after the other.
    Each,
    /// These sets of measures, each while a forest of its own is grown, or of a stored one.
    Alone(Vec<Vec<Choice>>),
}

/// A measure, and its loss where it is not the default.
pub(crate) type Choice = (MeasureId, Option<Loss>);

impl Measures {
    /// `none`, `all`, `each`, or measures with or without a loss: `mda_breiman_cutler:zero_one`.
    /// A plus joins those that are computed together: `ufi+mdi,air`.
    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        let choice = |word: &str| -> Outcome<_> {
            let (id, loss) =
                word.split_once(':').map_or((word, None), |(id, loss)| (id, Some(loss)));
            let id = MeasureId::parse(id).ok_or_else(|| format!("there is no measure `{id}`"))?;
            let named =
                |name| Loss::parse(name).ok_or_else(|| format!("there is no loss `{name}`"));
            Ok((id, loss.map(named).transpose()?))
        };
        Ok(match text {
            "none" => Self::None,
            "all" => Self::All,
            "each" => Self::Each,
            _ => {
                let together = |words: &str| words.split('+').map(choice).collect::<Outcome<_>>();
                Self::Alone(text.split(',').map(together).collect::<Outcome<_>>()?)
            }
        })
    }
}

impl Bench {
    /// For every set of measures the seconds of growing a forest and measuring it, and the
    /// importances by the first of them.
    pub(crate) fn alone(
        &self,
        data: &Dataset,
        choices: &[Vec<Choice>],
        test: Option<&Arc<Dataset>>,
    ) -> Outcome<Value> {
        self.timed(choices, test, |measures| {
            let around = &Run::on(self.threads);
            let grown =
                Forest::grow_and_measure(data, &self.config, measures, Keep::Nothing, around)?;
            Ok(grown.measured.importances)
        })
    }

    /// The same for the forest of a file, without growing.
    pub(crate) fn of_stored(
        &self,
        path: &str,
        data: &Dataset,
        test: Option<&Arc<Dataset>>,
    ) -> Outcome<Value> {
        let Measures::Alone(choices) = &self.measures else {
            return Err("name the measures of the stored forest".into());
        };
        let around = &Run::on(self.threads);
        let forest = Forest::from_json(&fs::read(path)?, Some(data), around)?;
        self.timed(choices, test, |measures| {
            Ok(forest.measure(data, measures, around)?.importances)
        })
    }

    fn timed(
        &self,
        choices: &[Vec<Choice>],
        test: Option<&Arc<Dataset>>,
        measure: impl Fn(&[Measure]) -> Outcome<Vec<Importance>>,
    ) -> Outcome<Value> {
        let mut result = Map::new();
        let (association, samples, seed) = (self.association, self.samples, self.config.seed);
        for together in choices {
            let with_settings = |&(id, loss): &Choice| {
                let test = test.cloned();
                let default = MeasureSettings::default();
                let settings = MeasureSettings {
                    loss,
                    test,
                    conditioning_threshold: association,
                    samples,
                    seed,
                    ..default
                };
                Measure::new(id, settings)
            };
            let measures = together.iter().map(with_settings).collect::<Result<Vec<_>, _>>()?;
            let clock = Clock::start();
            let importances = measure(&measures)?;
            let seconds = clock.read();
            let first = importances.first();
            let answer = json!({
                "seconds": seconds,
                "importances": first.map(|found| &found.values),
                "standard_errors": first.map(|found| &found.standard_errors),
                "settings": first.map(|found| &found.settings),
            });
            let ids: Vec<&str> = together.iter().map(|(id, _)| id.info().id).collect();
            result.insert(ids.join("+"), answer);
        }
        Ok(Value::Object(result))
    }

    /// All measures that apply: while another forest grows, and on the stored one.
    pub(crate) fn together(
        &self,
        data: &Dataset,
        forest: &Forest,
        result: &mut Map<String, Value>,
    ) -> Outcome<()> {
        let around = &Run::on(self.threads);
        let mut measures = Vec::new();
        for &id in MeasureId::ALL {
            let measure = Measure::new(id, MeasureSettings::default())?;
            // Those that grow forests again would hide what all others take.
            if measure.check(forest).is_ok() && id.info().effort == CostClass::Pass {
                measures.push(measure);
            }
        }
        let clock = Clock::start();
        Forest::grow_and_measure(data, &self.config, &measures, Keep::Nothing, around)?;
        result.insert("grow_and_measure_seconds".to_owned(), json!(clock.read()));
        let on_stored = |measures: &[Measure]| -> Outcome<Value> {
            let clock = Clock::start();
            forest.measure(data, measures, around)?;
            Ok(json!(clock.read()))
        };
        result.insert("measure_stored_seconds".to_owned(), on_stored(&measures)?);
        if self.measures == Measures::Each {
            let mut each = Map::new();
            each.insert("(none)".to_owned(), on_stored(&[])?);
            for measure in &measures {
                let seconds = on_stored(std::slice::from_ref(measure))?;
                each.insert(measure.id().info().id.to_owned(), seconds);
            }
            result.insert("each_seconds".to_owned(), Value::Object(each));
        }
        let ids: Vec<&str> = measures.iter().map(|measure| measure.id().info().id).collect();
        result.insert("measures".to_owned(), json!(ids));
        Ok(())
    }
}
