//! Results as text: tables of aligned columns with their legends, and paragraphs.

mod advice;
mod answer;
mod classes;
mod column;
mod comparison;
mod conditional;
mod decisions;
mod degrees;
mod errors;
mod frame;
mod interactions;
mod masking;
mod p_values;
mod pairs;
mod ranking;
mod stability;
mod surrogate;
mod table;
mod uncertainty;

pub(crate) use advice::advice_text;
pub(crate) use answer::{answer_sentences, answer_text};
pub(crate) use classes::classes_table;
pub(crate) use comparison::{comparison_order, comparison_table};
pub(crate) use conditional::conditional_table;
pub(crate) use decisions::decisions_table;
pub(crate) use degrees::degrees_table;
pub(crate) use errors::errors_table;
pub(crate) use frame::{write_frame, write_json};
pub(crate) use interactions::interactions_table;
pub(crate) use masking::{masking_measure, masking_order, masking_table};
pub(crate) use pairs::pairs_table;
pub(crate) use ranking::ranking;
pub(crate) use stability::stability_table;
pub(crate) use surrogate::surrogate_text;
pub(crate) use table::{BARS, Table, shortened};
pub(crate) use uncertainty::uncertainty_table;
