//! The designs of the papers' simulations.

use extendr_api::prelude::*;
use serde_json::json;
use wald::simulate::Design;

use crate::failure::answer;
use crate::given::{Given, one_of};
use crate::table::{cells, response};
use crate::values;

/// What every design is.
#[extendr]
fn list_designs() -> Robj {
    answer(|| {
        let of = |design: &Design| {
            let info = design.info();
            json!({
                "id": info.id, "name": info.name, "n_columns": info.n_columns,
                "inputs": info.inputs, "target": info.target, "relevant": info.relevant,
                "source": info.source,
            })
        };
        values::document(&Design::ALL.iter().map(of).collect::<Vec<_>>())
    })
}

/// Columns by name, the target's the last, and the positions of the inputs that matter.
#[extendr]
fn draw_design(asked: Robj) -> Robj {
    answer(|| {
        let asked = Given::of(&asked)?;
        let name = asked.text("design")?;
        let seed = asked.whole("seed")?;
        let known: Vec<&str> = Design::ALL.iter().map(|design| design.id()).collect();
        let design = Design::parse(&name).ok_or_else(|| one_of("design", &name, &known))?;
        let drawn = design.draw(asked.whole("rows")?, seed)?;
        let columns = drawn.features().columns();
        let mut found =
            columns.iter().map(|column| cells(column.data())).collect::<Result<Vec<_>, _>>()?;
        found.push(response(drawn.target().response())?);
        let mut names = drawn.features().names();
        names.push(drawn.target().name().to_owned());
        let relevant: Vec<i32> = design.relevant(seed).iter().map(|&at| at as i32 + 1).collect();
        values::named([
            ("names", Robj::from(names)),
            ("columns", List::from_values(found).into()),
            ("relevant", Robj::from(relevant)),
        ])
    })
}

extendr_module! {
    mod simulate;
    fn list_designs;
    fn draw_design;
}
