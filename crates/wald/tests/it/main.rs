//! Integration tests of the engine: one binary.
#![expect(unreachable_pub, reason = "tests are read, not called")]

mod conditional;
mod curves;
mod docs;
mod extremes;
mod forest_json;
mod forest_json_multiway;
mod forest_losses;
mod golden;
mod golden_case;
mod grouping;
mod growing;
mod ishwaran_kogalur;
mod laws;
mod model_file;
mod multiway;
mod multiway_limits;
mod permutation;
mod permutation_options;
mod r;
mod random_split;
mod random_threshold;
mod repeats;
mod report;
mod retrain;
mod selection;
mod shadows;
mod size;
mod sklearn;
mod sobol_mda;
mod standard_errors;
mod support;
mod textbook;
mod train_test;
mod variants;
mod wrong_forests;
