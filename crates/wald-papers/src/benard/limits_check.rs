//! `benard-limits`: the closed forms of section 2.5 beside Monte-Carlo estimates.

use wald::simulate::{BenardExample1, Numbers};

use crate::benard::SOURCE;
use crate::benard::limits::{Limits, limits};
use crate::estimate::Estimate;
use crate::exhibit::{Claim, Comparison, Comparisons, Exhibit, Published};
use crate::failure::Failure;

/// No design draws from this part.
const PART: u32 = 1000;

/// Decimals shown of the closed forms.
const DECIMALS: usize = 4;

/// The settings of the command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LimitsStudy {
    pub(crate) design: BenardExample1,
    pub(crate) draws: usize,
    pub(crate) seed: u32,
}

/// One draw's contributions, whose means are MDA1*, MDA2*, MDA3*, and the limits of Theorem 1
/// directly, without the decomposition of Proposition 2.
type Terms = [f64; 5];

pub(crate) fn run(study: &LimitsStudy) -> Result<Exhibit, Failure> {
    study.design.check()?;
    let exact = limits(&study.design);
    let mut rows = Vec::new();
    for (variable, limits) in exact.iter().enumerate() {
        rows.extend(compare(study, variable, limits));
    }
    let design = &study.design;
    Ok(Exhibit {
        title: "Limits of the MDA in the analytical example (section 2.5)".to_owned(),
        source: SOURCE,
        settings: vec![
            ("alpha", design.alpha.to_string()),
            ("beta", design.beta.to_string()),
            ("rho_12", design.rho_12.to_string()),
            ("rho_45", design.rho_45.to_string()),
            ("sigma", format!("{:?}", design.sigma)),
            ("V[noise]/V[Y]", design.noise_share.to_string()),
            ("Monte-Carlo draws", study.draws.to_string()),
            ("seed", study.seed.to_string()),
        ],
        comparisons: vec![Comparisons {
            title: "Closed forms and Monte-Carlo estimates from definitions alone".to_owned(),
            reference: "closed form",
            rows,
        }],
        claims: vec![third_term_dominates(), permutation_misleads()],
        notes: vec![
            "MDA1*, MDA2*, MDA3* are in squared units of Y; ST* = MDA1*/V[Y], BC* = (MDA1* + \
             MDA2* + MDA3*)/(2 V[Y]), IK* = (MDA1* + MDA3*)/V[Y]."
                .to_owned(),
            "The Monte-Carlo estimates of BC* and IK* are those of Theorem 1, without the \
             decomposition of Proposition 2, so they test it."
                .to_owned(),
        ],
        ..Exhibit::default()
    })
}

fn compare(study: &LimitsStudy, variable: usize, limits: &Limits) -> Vec<Comparison> {
    let Limits { mda_1, mda_2, mda_3, variance } = *limits;
    let mut numbers = Numbers::new(u64::from(study.seed), PART + variable as u32);
    let draws: Vec<Terms> =
        (0..study.draws).map(|_| draw(&study.design, variable, &mut numbers)).collect();
    let quantities = [
        ("MDA1*", mda_1, 0, 1.0),
        ("MDA2*", mda_2, 1, 1.0),
        ("MDA3*", mda_3, 2, 1.0),
        ("ST*", limits.total_sobol(), 0, variance),
        ("BC*", limits.breiman_cutler(), 3, 2.0 * variance),
        ("IK*", limits.ishwaran_kogalur(), 4, variance),
    ];
    let item = format!("X{}", variable + 1);
    let compare = |(quantity, exact, term, divisor): (&str, f64, usize, f64)| {
        let values: Vec<f64> = draws.iter().map(|terms| terms[term] / divisor).collect();
        // All digits of the closed form count, whatever is shown of them.
        let published = Published::exact(exact, 12);
        let mut row = Comparison::of_mean(quantity, &item, published, &Estimate::of(&values));
        row.decimals = DECIMALS;
        row
    };
    quantities.into_iter().map(compare).collect()
}

/// Unbiased for each term, from conditionally independent copies of one variable.
fn draw(design: &BenardExample1, variable: usize, numbers: &mut Numbers) -> Terms {
    let x = design.inputs(numbers);
    let with = |value: f64| {
        let mut changed = x;
        changed[variable] = value;
        design.signal(&changed)
    };
    let sigma = design.sigma[variable];
    let partner = [Some((1, design.rho_12)), Some((0, design.rho_12)), None]
        .into_iter()
        .chain([Some((4, design.rho_45)), Some((3, design.rho_45))])
        .nth(variable)
        .flatten();
    // Given all other variables: normal with the mean and variance of a regression on the partner.
    let (mean, spread) = partner.map_or((0.0, sigma), |(other, rho): (usize, f64)| {
        let slope = rho * sigma / design.sigma[other];
        (slope * x[other], sigma * (1.0 - rho * rho).sqrt())
    });
    let mut given = || with(mean + spread * numbers.normal());
    let (given_1, given_2) = (given(), given());
    let mut permuted = || with(sigma * numbers.normal());
    let (permuted_1, permuted_2) = (permuted(), permuted());
    let m = design.signal(&x);
    [
        (m - given_1).powi(2) / 2.0,
        (permuted_1 - permuted_2).powi(2) / 2.0,
        (given_1 - permuted_1) * (given_2 - permuted_2),
        (m - permuted_1).powi(2),
        (m - permuted_1) * (m - permuted_2),
    ]
}

/// "In a high correlation setting (rho > sqrt(2)/2) MDA3* > MDA1* + MDA2*."
fn third_term_dominates() -> Claim {
    let crossing = (0..=1000).map(|step| f64::from(step) / 1000.0).find(|&rho| {
        let of_x1 = limits(&BenardExample1 { rho_12: rho, ..BenardExample1::default() })[0];
        of_x1.mda_3 > of_x1.mda_1 + of_x1.mda_2
    });
    let found = crossing.map_or("never".to_owned(), |rho| format!("from correlation {rho} on"));
    let expected = 0.5_f64.sqrt();
    let holds = crossing.is_some_and(|rho| rho > expected && rho < expected + 0.0011);
    Claim::new("MDA3* of X1 is above MDA1* + MDA2* where rho_12 > .7071", holds, found)
}

/// "ST4 = ST5 < ST1 = ST2 < ST3, but MDA1 = MDA2 < MDA3 < MDA4 = MDA5" for exchangeable pairs of
/// which the first is less correlated; where it is not at all, MDA3 and MDA4 are equal.
fn permutation_misleads() -> Claim {
    let grid = || (1..20_u32).map(|step| f64::from(step) / 20.0);
    let (mut n, mut n_holds) = (0, 0);
    for rho_12 in grid() {
        for rho_45 in grid().filter(|&rho_45| rho_45 > rho_12) {
            let design = BenardExample1 { alpha: 1.0, rho_12, rho_45, ..BenardExample1::default() };
            let [first, _, third, fourth, _] = limits(&design);
            let sobol = [fourth, first, third].map(|limits| limits.total_sobol());
            let mda = [first, third, fourth].map(|limits| limits.breiman_cutler());
            n += 1;
            n_holds +=
                u32::from(sobol.is_sorted_by(|a, b| a < b) && mda.is_sorted_by(|a, b| a < b));
        }
    }
    Claim::new(
        "with alpha sigma1 sigma2 = beta sigma4 sigma5 and 0 < rho_12 < rho_45: \
         ST4 < ST1 < ST3, yet MDA1 < MDA3 < MDA4",
        n == n_holds,
        format!("in {n_holds} of {n} settings of a grid"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhibit::Verdict;

    #[test]
    fn closed_forms_agree_with_simulation_in_other_settings() {
        let settings = [
            BenardExample1::default(),
            BenardExample1 {
                alpha: -0.7,
                beta: 2.0,
                rho_12: -0.5,
                rho_45: 0.3,
                sigma: [0.5, 2.0, 3.0, 1.5, 0.8],
                noise_share: 0.3,
            },
        ];
        for design in settings {
            let exhibit =
                run(&LimitsStudy { design, draws: 40_000, seed: 1 }).expect("a valid design");
            assert!(exhibit.claims.iter().all(|claim| claim.holds));
            // 30 numbers within 3 standard errors each: of heavy tails, one may be beyond.
            let rows = &exhibit.comparisons[0].rows;
            assert_eq!(rows.len(), 30);
            let beyond: Vec<_> =
                rows.iter().filter(|row| matches!(row.verdict, Verdict::Differs { .. })).collect();
            assert!(beyond.len() <= 1, "{beyond:#?}");
        }
    }
}
