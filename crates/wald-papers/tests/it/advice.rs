//! `advice`, with few small data sets.

use crate::*;

#[test]
fn what_is_not_there_is_seldom_found() {
    let found = found("advice --repetitions 2 --rows 400 --trees 50");
    let rows = found["listings"][0]["rows"].as_array().expect("designs");
    assert_eq!(rows.len(), 9);
    for design in ["independent, linear and steps", "dependent, linear and steps"] {
        assert!(holds(&found, &format!("{design}: interactions are found")));
    }
    assert!(holds(&found, "independent, Friedman 1: dependence is found"));
    // Strong dependence and interactions are seen in small tables, too.
    assert!(holds(&found, "dependent, Bénard's example 1: the advice is that of Table 2"));
}
