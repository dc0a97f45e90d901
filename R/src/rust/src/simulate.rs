//! The designs of the papers' simulations.

use extendr_api::prelude::*;
use serde_json::json;
use wald::simulate::Design;
use wald::words::counted;

use crate::failure::answer;
use crate::given::{Given, one_of};
use crate::table::{cells, response};
use crate::values;
use crate::watch::{Room, Work};

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
fn draw_design(asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (work, asked) = (Work::of(&work)?, Given::of(&asked)?);
        let name = asked.text("design")?;
        let seed = asked.whole("seed")?;
        let known: Vec<&str> = Design::ALL.iter().map(|design| design.id()).collect();
        let design = Design::parse(&name).ok_or_else(|| one_of("design", &name, &known))?;
        let n_rows = asked.whole("rows")?;
        check_room(work.room, n_rows, design.info().n_columns + 1)?;
        let drawn = design.draw(n_rows, seed)?;
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

/// Refuses so many rows of so many columns where they need more memory than is free.
fn check_room(room: Room, n_rows: usize, n_columns: usize) -> Result<(), wald::Error> {
    // Columns grow by doubling, and R has them twice: as the bridge returns them, and in its data frame.
    let row = (2 + 2) * 8 * n_columns as u64;
    let doing = format!("drawing {} of {}", counted(n_rows, "row"), counted(n_columns, "column"));
    room.check_bytes(&doing, row.saturating_mul(n_rows as u64), "draw fewer rows")
}

extendr_module! {
    mod simulate;
    fn list_designs;
    fn draw_design;
}
