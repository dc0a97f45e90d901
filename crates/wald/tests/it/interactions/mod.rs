//! Interactions by random intersection trees, against counts by brute force, exact probabilities of
//! being found, and designs whose interaction is known.

mod brute_force;
mod planted;
mod probabilities;
mod settings;
mod stability;
mod stored;
