//! The `wald` command line.

fn main() {}
