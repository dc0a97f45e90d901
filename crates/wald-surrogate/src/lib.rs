//! Importances from few runs of an expensive model.
//!
//! Where runs are few and the model is smooth, a Gaussian process often predicts it far better than a
//! forest. So a process is fitted to the runs, a large sample of inputs is drawn, the process provides
//! the outputs, and the forest of that sample is measured (Bénard, Da Veiga and Scornet 2022, abstract and
//! section 6). The process is judged first, and both ways are returned.

mod bias;
mod drawn;
mod errors;
mod exact;
mod folds;
mod inputs;
mod law;
mod model;
mod notes;
mod output;
mod points;
mod purpose;
mod settings;
mod source;
mod spacing;
mod steps;
mod surrogate;
mod verdict;

pub use drawn::sample;
pub use errors::Errors;
pub use exact::Exact;
pub use law::{Correlations, Law, Margin};
pub use model::Model;
pub use settings::Settings;
pub use source::{Source, SourceKind};
pub use steps::forest_of_sample;
pub use surrogate::{Estimate, Outside, Surrogate, surrogate};
pub use verdict::{Explained, Judged, Verdict, Way};
