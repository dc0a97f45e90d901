//! Targets of which one has much more variance than another.

use crate::data::{Dataset, variance_of};

/// A target of so many times the variance of another leaves it out of splits: at nine times, a variable with a fifth
/// of the smaller variance is no longer found among six in 500 rows.
const MUCH_LARGER: f64 = 10.0;

/// The note on several numbers that are predicted together, one of which has nearly all of the variance.
pub(super) fn note_on_scales(data: &Dataset) -> Option<String> {
    // Indicators of classes have one scale.
    let outputs =
        data.target().outputs().filter(|outputs| outputs.n_outputs() == outputs.n_targets())?;
    let weight_of = |row: usize| data.weights().map_or(1.0, |weights| weights[row]);
    let total: f64 = (0..data.n_rows()).map(weight_of).sum();
    let variances = (0..outputs.n_outputs())
        .map(|output| (output, variance_of(&outputs.output(output), weight_of, total)))
        // Splits reduce nothing of a constant, whatever its unit.
        .filter(|(_, variance)| *variance > 0.0);
    let (largest, most) = variances.clone().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (smallest, least) = variances.min_by(|a, b| a.1.total_cmp(&b.1))?;
    if most <= MUCH_LARGER * least {
        return None;
    }
    let names = outputs.names();
    Some(format!(
        "the standard deviation of the target \"{}\" is {} times that of \"{}\": splits reduce the mean of the \
         variances of all targets, and importances are of that mean, so that they show little of targets that vary \
         less; divide each target by its standard deviation where all are to count alike",
        names[largest],
        times((most / least).sqrt()),
        names[smallest],
    ))
}

/// A factor in words of few digits.
fn times(factor: f64) -> String {
    match factor {
        large if large >= 1e6 => format!("{large:.0e}"),
        large if large >= 10.0 => format!("{large:.0}"),
        small => format!("{small:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Outputs, Target};
    use crate::forest::ForestConfig;
    use crate::measure::MeasureId;
    use crate::run::{Run, Threads};

    /// Two columns and two targets, each of one of them, the first one in units of so much, and a constant.
    fn table(unit: f64) -> Dataset {
        let column = |step: u32| -> Vec<f64> {
            (0..300).map(|row: u32| f64::from(row * step % 300) / 300.0).collect()
        };
        let (x, z) = (column(37), column(91));
        let values = x.iter().zip(&z).flat_map(|(x, z)| [unit * x, *z, 5.0]).collect();
        let names = ["rent", "size", "none"].map(str::to_owned).to_vec();
        let outputs = Outputs::new(names, values, 3).expect("three numbers a row");
        let columns = vec![
            Column::numeric("x", x).expect("finite"),
            Column::numeric("z", z).expect("finite"),
        ];
        let target = Target::several("both", outputs).expect("finite");
        Dataset::new(columns, target).expect("consistent")
    }

    #[test]
    fn targets_that_hide_others_by_their_scale_are_noted() {
        let run = Run::on(Threads::ONE);
        let config = ForestConfig { n_trees: 20, mtry: Some(2), ..ForestConfig::default() };
        let measured = |unit: f64| {
            let fitted = crate::fit(table(unit), &config, &run).expect("valid settings");
            let measures = [MeasureId::SobolMda.into()];
            let found =
                fitted.measure(&measures, &run).expect("applies").importances.swap_remove(0);
            let is_noted = found.notes.iter().any(|note| note.contains("standard deviation"));
            (found.values[1].expect("of a target that varies"), is_noted)
        };
        let ((alike, of_alike), (hidden, of_hidden)) = (measured(1.0), measured(20.0));
        assert!(alike > 0.3 && !of_alike, "{alike} {of_alike}");
        assert!(hidden < 0.02 && of_hidden, "{hidden} {of_hidden}");
    }

    #[test]
    fn the_note_names_both_targets_and_the_remedy() {
        let note = note_on_scales(&table(20.0)).expect("400 times the variance");
        assert!(
            note.starts_with(
                "the standard deviation of the target \"rent\" is 20 times that of \"size\": "
            ) && note.contains("; divide each target by its standard deviation"),
            "{note}"
        );
        // Variances of 9 and of 12.25 times the smaller one.
        assert_eq!(note_on_scales(&table(3.0)), None);
        let note = note_on_scales(&table(1.0 / 3.5)).expect("12 times the variance");
        assert!(note.contains("\"size\" is 3.5 times that of \"rent\""), "{note}");
        // Only rows of positive weight count: of these two, both targets vary by as much.
        let two = Outputs::new(
            ["a", "b"].map(str::to_owned).to_vec(),
            vec![0.0, 1.0, 1.0, 0.0, 500.0, 0.0],
            2,
        );
        let column = Column::numeric("x", vec![1.0, 2.0, 3.0]).expect("finite");
        let target = Target::several("both", two.expect("two a row")).expect("finite");
        let data = Dataset::new(vec![column], target).expect("consistent");
        assert!(note_on_scales(&data).is_some());
        let weighted = data.with_weights(vec![1.0, 1.0, 0.0]).expect("positive ones");
        assert_eq!(note_on_scales(&weighted), None);
    }

    #[test]
    fn classes_have_no_scale() {
        // A class in 2 of 300 rows has a variance of .007, the other target one of .25.
        let indicators = |row: u32| {
            let (rare, even) = (f64::from(u8::from(row < 2)), f64::from(row % 2));
            [rare, 1.0 - rare, even, 1.0 - even]
        };
        let names = ["a=1", "a=0", "b=1", "b=0"].map(str::to_owned).to_vec();
        let outputs = Outputs::new(names, (0..300).flat_map(indicators).collect(), 2);
        let column = Column::numeric("x", (0..300).map(f64::from).collect()).expect("finite");
        let target = Target::several("both", outputs.expect("four a row")).expect("finite");
        let data = Dataset::new(vec![column], target).expect("consistent");
        assert_eq!(note_on_scales(&data), None);
    }
}
