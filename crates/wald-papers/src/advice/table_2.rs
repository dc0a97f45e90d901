//! `advice`: in how many data sets the advice is that of the cell of Table 2 the design is in.

use std::sync::Arc;

use wald::message::Neutral;
use wald::{ForestConfig, MeasureId, Origin, Run};
use wald_report::advice::{Advice, AdviceSettings, Concern, Validity, advise};
use wald_report::{Depth, Quiet};

use crate::advice::SOURCE;
use crate::advice::worlds::{WORLDS, World};
use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::study::Study;

/// Of the test of additivity.
const LEVEL: f64 = 0.05;

/// The table's verdicts on a design.
struct Truth {
    /// Measures of the table, and whether they serve selection and influence.
    valid: [(&'static str, bool, bool); 4],
    recommended: [&'static str; 2],
}

impl Truth {
    fn of(world: &World) -> Self {
        let (additive, either) = (!world.is_dependent || !world.interacts, !world.is_dependent);
        Self {
            valid: [
                ("mda_train_test", either, additive),
                ("mda_breiman_cutler", either, additive),
                ("mda_ishwaran_kogalur", additive, either),
                ("sobol_mda", true, either),
            ],
            recommended: [
                "sobol_mda",
                if additive { "mda_breiman_cutler" } else { "shapley_effects" },
            ],
        }
    }

    /// Whether an advice has these verdicts, and recommends what is valid.
    fn is_told_by(&self, advice: &Advice) -> bool {
        let verdict = |objective: usize, measure: &str| {
            let all = &advice.objectives[objective].verdicts;
            all.iter().find(|one| one.measure == measure).map(|one| one.validity)
        };
        let expected = |valid: bool| Some(if valid { Validity::Valid } else { Validity::Invalid });
        let agrees = |&(measure, selection, influence): &(&str, bool, bool)| {
            verdict(0, measure) == expected(selection) && verdict(1, measure) == expected(influence)
        };
        let recommended = advice.objectives.iter().zip(self.recommended);
        self.valid.iter().all(agrees)
            && recommended
                .into_iter()
                .all(|(objective, measure)| objective.recommended.as_deref() == Some(measure))
    }
}

/// How often, over repetitions.
#[derive(Default)]
struct Counts {
    right: usize,
    dependent: usize,
    interacting: usize,
    significant: usize,
    explained: f64,
    added: f64,
    thin: usize,
}

pub(crate) fn run(study: &Study) -> Result<Exhibit, Failure> {
    let mut rows = Vec::new();
    let mut claims = Vec::new();
    let n = study.repetitions;
    for world in &WORLDS {
        let mut counts = Counts::default();
        for repetition in 0..n {
            counts.add(world, &advice(study, world, study.seed_of(repetition))?);
        }
        rows.push(counts.row(world, n));
        let wanted = (9 * n).div_ceil(10);
        if world.name != WORLDS[WORLDS.len() - 1].name {
            claims.push(Claim::new(
                format!("{}: the advice is that of Table 2 in 9 of 10 data sets", world.name),
                counts.right >= wanted,
                format!("{} of {n}", counts.right),
            ));
        }
        if !world.is_dependent {
            claims.push(level(world.name, "dependence is found", counts.dependent, n, 0.05));
        }
        if !world.interacts {
            claims.push(level(world.name, "interactions are found", counts.interacting, n, 0.1));
        }
    }
    let head =
        ["design", "table 2", "dependent", "p <= .05", "interacting", "explained", "added", "thin"];
    Ok(Exhibit {
        title: "Advice where the truth is known".to_owned(),
        source: SOURCE,
        settings: study.settings(),
        listings: vec![Listing {
            title: "Shares of data sets".to_owned(),
            head: head.map(str::to_owned).to_vec(),
            rows,
        }],
        claims,
        notes: vec![
            "Table 2: all verdicts on mda_train_test, mda_breiman_cutler, mda_ishwaran_kogalur and \
             sobol_mda are those of the cell, for both objectives, and what is recommended is valid \
             there (shapley_effects where nothing of the table is). p <= .05: the test of additivity; \
             interacting: what interactions explain is not small, too. Explained: variance that the \
             forest explains out of bag. Added: share of the variance that interactions were found to \
             explain. Thin: the advice on all influential variables calls its evidence thin."
                .to_owned(),
        ],
        ..Exhibit::default()
    })
}

fn advice(study: &Study, world: &World, seed: u64) -> Result<Advice, Failure> {
    let data = Arc::new((world.draw)(study.n_rows, seed)?);
    let config = ForestConfig { n_trees: study.n_trees, seed, ..ForestConfig::default() };
    let run = &Run::on(study.threads);
    let front = Quiet { run, wording: &Neutral, free: None };
    let origin = Origin::Settings(&config);
    let mut grown = wald_report::Study::new(&data, origin, Vec::new(), Depth::Importances, &front)?;
    grown.allowed = MeasureId::ALL.to_vec();
    Ok(advise(&grown, AdviceSettings { seed, ..AdviceSettings::default() }, &front)?)
}

impl Counts {
    fn add(&mut self, world: &World, advice: &Advice) {
        let is_serious = |id: &str| {
            let mut of_id = advice.findings.iter().filter(|finding| finding.id == id);
            of_id.any(|finding| finding.concern == Concern::Serious)
        };
        let evidence = |id: &str, name: &str| {
            let found = advice.findings.iter().find(|finding| finding.id == id);
            let mut all = found.iter().flat_map(|finding| &finding.evidence);
            all.find(|one| one.name == name).and_then(|one| one.value).unwrap_or(f64::NAN)
        };
        self.right += usize::from(Truth::of(world).is_told_by(advice));
        self.dependent += usize::from(is_serious("dependence"));
        self.interacting += usize::from(is_serious("interactions"));
        let p_value = evidence("interactions", "p-value of additivity");
        self.significant += usize::from(p_value <= LEVEL);
        self.thin += usize::from(advice.objectives[1].is_thin);
        self.explained += evidence("weak_forest", "explained variance, out of bag");
        self.added += evidence("interactions", "added by interactions");
    }

    fn row(&self, world: &World, n: usize) -> Vec<String> {
        let of = |count: usize| format!("{count} of {n}");
        vec![
            world.name.to_owned(),
            of(self.right),
            of(self.dependent),
            of(self.significant),
            of(self.interacting),
            format!("{:.3}", self.explained / n as f64),
            format!("{:.4}", self.added / n as f64),
            of(self.thin),
        ]
    }
}

/// That something which is not there is found in at most so many data sets, within three binomial
/// standard errors.
fn level(world: &str, what: &str, count: usize, n: usize, share: f64) -> Claim {
    let most = share * n as f64 + 3.0 * (n as f64 * share * (1.0 - share)).sqrt();
    Claim::new(
        format!("{world}: {what} in at most {:.0} % of the data sets", 100.0 * share),
        count as f64 <= most,
        format!("{count} of {n}"),
    )
}
