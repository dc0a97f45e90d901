//! p-values in tables, and what legends state of their correction.

use wald::digits;
use wald::inference::Adjustment;

/// A p-value; a dash where it is undefined.
pub(super) fn p_value(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), digits::p_value)
}

/// How p-values are corrected, as the end of a sentence.
pub(super) fn corrected(adjustment: Adjustment) -> &'static str {
    match adjustment {
        Adjustment::None => "",
        Adjustment::Holm => "; adjusted by Holm",
        Adjustment::BenjaminiHochberg => "; adjusted by Benjamini & Hochberg",
    }
}
