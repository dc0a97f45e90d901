//! Lossless rank codes: every column as small integers in the order of its values.
