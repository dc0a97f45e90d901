//! p-values in tables, and what legends state of their correction.

use wald::inference::Adjustment;

/// A p-value with four decimals; a dash where it is undefined.
pub(super) fn p_value(value: Option<f64>) -> String {
    match value {
        Some(p) if p < 0.0001 => "<0.0001".to_owned(),
        Some(p) => format!("{p:.4}"),
        None => "–".to_owned(),
    }
}

/// How p-values are corrected, as the end of a sentence.
pub(super) fn corrected(adjustment: Adjustment) -> &'static str {
    match adjustment {
        Adjustment::None => "",
        Adjustment::Holm => "; adjusted by Holm",
        Adjustment::BenjaminiHochberg => "; adjusted by Benjamini & Hochberg",
    }
}
