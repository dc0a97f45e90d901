//! The programs of `examples/` run to their end.

use wald::Error;

macro_rules! examples {
    ($($name:ident, $path:literal;)*) => {
        $(
            #[path = $path]
            mod $name;

            #[test]
            fn $name() -> Result<(), Error> {
                $name::main()
            }
        )*
    };
}

examples! {
    dependent_variables, "../../examples/dependent_variables.rs";
    elimination, "../../examples/elimination.rs";
    explain_a_row, "../../examples/explain_a_row.rs";
    fit_and_rank, "../../examples/fit_and_rank.rs";
    foreign_forest, "../../examples/foreign_forest.rs";
    intervals, "../../examples/intervals.rs";
    stored_forest, "../../examples/stored_forest.rs";
}
