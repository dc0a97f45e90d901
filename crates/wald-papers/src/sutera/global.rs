//! `sutera-figure-1`: global importances of the led problem against K.

use wald::forest::Keep;
use wald::measure::{Loss, MeasureSettings};
use wald::{Dataset, Forest, Importance, Measure, MeasureId, Run};
use wald_html::chart::{COLOURS, Chart, Line, Panel, Point};

use crate::exhibit::{Claim, Comparison, Comparisons, Exhibit, Listing, Published};
use crate::failure::Failure;
use crate::sutera::forests::{Forests, SOURCE, led};

/// A measure and its loss, if it has one, by the name of the figures.
pub(super) type Kind = (&'static str, MeasureId, Option<Loss>);

/// The paper's SAGE is that of the cross entropy.
const MEASURES: [Kind; 2] =
    [("MDI", MeasureId::Mdi, None), ("SAGE", MeasureId::Sage, Some(Loss::Log))];

/// Louppe et al. 2013, Eq. 3, of the led problem, in bits; their sum is log2 10.
const EXACT: [f64; 7] = [
    0.412_693_391_8,
    0.581_540_819_9,
    0.531_155_735_9,
    0.542_129_448_0,
    0.656_581_630_3,
    0.225_816_162_4,
    0.372_010_906_6,
];

/// X2 and X5, which the paper counts from 0.
const FAVOURED: [usize; 2] = [1, 4];

/// Shares closer than this are called very similar.
const SIMILAR: f64 = 0.02;

/// Shares of the sum of absolute values, and their standard errors, by K.
pub(super) type Curve = Vec<Vec<(f64, f64)>>;

pub(crate) fn run(forests: &Forests) -> Result<Exhibit, Failure> {
    let data = led()?;
    let every = (1..=data.n_features()).collect::<Vec<_>>();
    let curves = curves(forests, &data, &every, &MEASURES)?;
    let mdi = &curves[0];
    let limit: f64 = EXACT.iter().sum();
    let rows = EXACT.iter().zip(&mdi[0]).enumerate().map(|(index, (exact, &(share, error)))| {
        let name = format!("X{}", index + 1);
        Comparison::new("share, K = 1", &name, Published::exact(exact / limit, 6), share, error)
    });
    let notes = vec![
        "The paper shows curves without numbers; X1 and X4 of its text are X2 and X5 here, which \
         counts from 1."
            .to_owned(),
        "With two values per variable the binary trees are multiway trees, and a random threshold \
         is no choice."
            .to_owned(),
    ];
    Ok(Exhibit {
        title: "Figure 1: global importances of the led problem against K".to_owned(),
        source: SOURCE,
        settings: forests.settings(),
        comparisons: vec![Comparisons {
            title: "Totally randomized trees beside the limit of infinitely many".to_owned(),
            reference: "Eq. 4",
            rows: rows.collect(),
        }],
        listings: MEASURES.iter().zip(&curves).map(|(kind, of)| listing(kind.0, of)).collect(),
        claims: vec![masking("", mdi), similar(&mdi[0], &curves[1][0])],
        notes,
        figure: Some(chart(&MEASURES, &curves).svg()),
    })
}

/// The curves of measures, for some K.
pub(super) fn curves(
    forests: &Forests,
    data: &Dataset,
    every_mtry: &[usize],
    kinds: &[Kind],
) -> Result<Vec<Curve>, Failure> {
    let measure = |&(_, id, loss): &Kind| {
        Measure::new(id, MeasureSettings { loss, ..MeasureSettings::default() })
    };
    let measures = kinds.iter().map(measure).collect::<Result<Vec<_>, _>>()?;
    let around = &Run::on(forests.threads);
    let mut curves: Vec<Curve> = vec![Vec::new(); kinds.len()];
    for &mtry in every_mtry {
        let config = forests.config(mtry);
        let grown = Forest::grow_and_measure(data, &config, &measures, Keep::Nothing, around)?;
        let found = grown.measured.importances;
        curves.iter_mut().zip(&found).for_each(|(curve, found)| curve.push(shares(found)));
    }
    Ok(curves)
}

fn shares(importance: &Importance) -> Vec<(f64, f64)> {
    let values: Vec<f64> = importance.values.iter().map(|value| value.unwrap_or(0.0)).collect();
    let sum: f64 = values.iter().map(|value| value.abs()).sum();
    let error = |index: usize| importance.standard_errors.as_ref().and_then(|all| all[index]);
    values
        .iter()
        .enumerate()
        .map(|(index, value)| (value / sum, error(index).unwrap_or(0.0) / sum))
        .collect()
}

/// Whether K favours X2 and X5 in the curve of a measure of led.
pub(super) fn masking(whose: &str, curve: &Curve) -> Claim {
    let favoured = |of: &[(f64, f64)]| FAVOURED.iter().map(|&index| of[index].0).sum::<f64>();
    let by_mtry: Vec<f64> = curve.iter().map(|of| favoured(of)).collect();
    let last = by_mtry.len() - 1;
    Claim::new(
        format!(
            "{whose}K favours X2 and X5 at the expense of the other variables: from K = 1 to 7 each \
             of the two gains, and the others together lose"
        ),
        FAVOURED.iter().all(|&index| curve[last][index].0 > curve[0][index].0)
            && by_mtry[last] > by_mtry[0],
        format!("their share grows from {:.3} to {:.3}", by_mtry[0], by_mtry[last]),
    )
}

fn similar(mdi: &[(f64, f64)], sage: &[(f64, f64)]) -> Claim {
    let gaps = mdi.iter().zip(sage).map(|(one, other)| (one.0 - other.0).abs());
    let largest = gaps.fold(0.0, f64::max);
    Claim::new(
        format!("with K = 1, MDI and SAGE yield very similar shares, within {SIMILAR}"),
        largest <= SIMILAR,
        format!("the largest gap is {largest:.3}"),
    )
}

pub(super) fn listing(name: &str, curve: &Curve) -> Listing {
    let row = |(index, of): (usize, &Vec<(f64, f64)>)| {
        let cells = of.iter().map(|(share, error)| format!("{share:.4} ± {error:.4}"));
        std::iter::once((index + 1).to_string()).chain(cells).collect()
    };
    let head = std::iter::once("K".to_owned()).chain((1..=7).map(|index| format!("X{index}")));
    Listing {
        title: format!("{name}: shares of the sum of absolute values, with standard errors"),
        head: head.collect(),
        rows: curve.iter().enumerate().map(row).collect(),
    }
}

/// A panel for every measure of led.
pub(super) fn chart(kinds: &[Kind], curves: &[Curve]) -> Chart {
    let panel = |(kind, curve): (&Kind, &Curve)| Panel {
        title: kind.0.to_owned(),
        x_label: "K".to_owned(),
        y_label: "share of importance".to_owned(),
        is_x_log: false,
        lines: (0..7).map(|variable| line(variable, curve)).collect(),
        has_legend: true,
    };
    Chart { panels: kinds.iter().zip(curves).map(panel).collect(), panels_per_row: 2 }
}

fn line(variable: usize, curve: &Curve) -> Line {
    let point = |(index, of): (usize, &Vec<(f64, f64)>)| {
        let (y, spread) = of[variable];
        Point { x: (index + 1) as f64, y, spread }
    };
    Line {
        name: format!("X{}", variable + 1),
        colour: COLOURS[variable % COLOURS.len()],
        points: curve.iter().enumerate().map(point).collect(),
        reference: None,
    }
}
