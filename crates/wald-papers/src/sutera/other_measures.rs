//! `sutera-appendix-d`: the masking of Figure 1 seen by other global measures, and how far they agree
//! with MDI, on led and digits.

use wald::MeasureId;
use wald::data::Task;
use wald::measure::Loss;

use crate::exhibit::{Claim, Exhibit, Listing};
use crate::failure::Failure;
use crate::sutera::forests::{Forests, SOURCE, led};
use crate::sutera::global::{Curve, Kind, chart, curves, listing, masking};
use crate::tables::DIGITS;

/// MDI first, which the others are compared with.
const MEASURES: [Kind; 4] = [
    ("MDI", MeasureId::Mdi, None),
    ("TreeSHAP", MeasureId::TreeShap, None),
    ("SAGE, cross entropy", MeasureId::Sage, Some(Loss::Log)),
    ("SAGE, squared loss", MeasureId::Sage, Some(Loss::Squared)),
];

/// K on led, and on digits.
const OF_LED: [usize; 7] = [1, 2, 3, 4, 5, 6, 7];
const OF_DIGITS: [usize; 3] = [1, 8, 64];

pub(crate) fn run(forests: &Forests) -> Result<Exhibit, Failure> {
    let of_led = curves(forests, &led()?, &OF_LED, &MEASURES)?;
    let digits = DIGITS.load_as(Task::Classification, None)?;
    let of_digits = curves(forests, &digits, &OF_DIGITS, &MEASURES)?;
    let shares = MEASURES.iter().zip(&of_led).skip(1).map(|(kind, of)| listing(kind.0, of));
    let agreements =
        [agreement("led", &OF_LED, &of_led), agreement("digits", &OF_DIGITS, &of_digits)];
    let claims: Vec<Claim> = MEASURES
        .iter()
        .zip(&of_led)
        .skip(1)
        .map(|(kind, curve)| masking(&format!("{}: ", kind.0), curve))
        .collect();
    Ok(Exhibit {
        title: "Appendix D: TreeSHAP and SAGE of other losses beside MDI, against K".to_owned(),
        source: SOURCE,
        settings: forests.settings(),
        listings: shares.chain(agreements).collect(),
        claims,
        notes: vec![
            "According to the paper, the effect of Figure 1 also appears with another loss of \
             SAGE, and with the global importance by TreeSHAP. TreeSHAP is the mean absolute \
             value over rows, summed over classes."
                .to_owned(),
        ],
        figure: Some(chart(&MEASURES, &of_led).svg()),
        ..Exhibit::default()
    })
}

/// How alike the shares of the other measures are to those of MDI.
fn agreement(table: &str, every_mtry: &[usize], curves: &[Curve]) -> Listing {
    let (mdi, others) = (&curves[0], &curves[1..]);
    let row = |(at, mtry): (usize, &usize)| {
        let cells = others.iter().map(|of| {
            let (alike, apart) = compare(&mdi[at], &of[at]);
            format!("{alike:.3}, {apart:.3}")
        });
        std::iter::once(mtry.to_string()).chain(cells).collect()
    };
    let names = MEASURES.iter().skip(1).map(|kind| kind.0.to_owned());
    Listing {
        title: format!("{table}: correlation with the shares of MDI, and what differs of 1"),
        head: std::iter::once("K".to_owned()).chain(names).collect(),
        rows: every_mtry.iter().enumerate().map(row).collect(),
    }
}

/// Pearson's correlation, and half the sum of absolute differences.
fn compare(one: &[(f64, f64)], other: &[(f64, f64)]) -> (f64, f64) {
    let n = one.len() as f64;
    let means = [one, other].map(|of| of.iter().map(|share| share.0).sum::<f64>() / n);
    let (mut products, mut squares, mut apart) = (0.0, [0.0; 2], 0.0);
    for (a, b) in one.iter().zip(other) {
        let (x, y) = (a.0 - means[0], b.0 - means[1]);
        products += x * y;
        squares[0] += x * x;
        squares[1] += y * y;
        apart += 0.5 * (a.0 - b.0).abs();
    }
    (products / (squares[0] * squares[1]).sqrt(), apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_what_would_have_to_move() {
        let of = |shares: [f64; 3]| shares.map(|share| (share, 0.0));
        let (alike, apart) = compare(&of([0.5, 0.3, 0.2]), &of([0.5, 0.2, 0.3]));
        assert!((apart - 0.1).abs() < 1e-12, "{apart}");
        let expected = (0.5 * 0.5 + 2.0 * 0.3 * 0.2 - 1.0 / 3.0) / (0.38 - 1.0 / 3.0);
        assert!((alike - expected).abs() < 1e-12, "{alike}");
    }
}
