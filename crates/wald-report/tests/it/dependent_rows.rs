//! Rows that depend on each other.

use wald_report::advice::Concern;

use crate::advice::{advice, dataset, evidence, finding, uniform};
use crate::support::Numbers;

/// Forty persons with ten rows each, who differ in the target beyond the variables, one of which is constant in persons.
#[test]
fn repeated_measurements_without_clusters_are_found() {
    let numbers = &mut Numbers(3);
    let (age, level) = (uniform(numbers, 40), uniform(numbers, 40));
    let (dose, error) = (uniform(numbers, 400), uniform(numbers, 400));
    let y = (0..400).map(|row| dose[row] + 2.0 * level[row / 10] + error[row]).collect();
    let ages = (0..400).map(|row| age[row / 10]).collect();
    let data = dataset(vec![("age", ages), ("dose", dose)], y);
    let found = advice(&data, 2);
    let rows = finding(&found, "dependent_rows");
    assert_eq!(rows.concern, Concern::Serious, "{}", rows.sentence);
    assert!(evidence(rows, "rank correlation of residuals of neighbouring rows") > 0.2);
    assert!(rows.consequence.contains("name the column of persons as clusters"));
    let mut order: Vec<u32> = (0..400).collect();
    order.sort_by_key(|row| row * 37 % 401);
    let exchanged = advice(&data.select(&order).expect("rows"), 2);
    assert_eq!(finding(&exchanged, "dependent_rows").concern, Concern::None);
    let clusters = (0..400).map(|row| row / 10).collect();
    let of_persons = advice(&data.with_clusters(clusters).expect("one per row"), 2);
    assert!(of_persons.findings.iter().all(|finding| finding.id != "dependent_rows"));
}
