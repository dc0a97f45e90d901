//! Pictures are XML, whatever the columns are called.

use std::fs;

use crate::*;

/// Characters that XML 1.0 allows (production 2).
fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[test]
fn names_that_xml_does_not_allow_are_marked() {
    let folder = folder();
    let (data, picture) = (folder.path().join("t.csv"), folder.path().join("p.svg"));
    let text = rows(40, |row| format!("{},{},{}", row % 7, row * 5 % 11, row % 7 + row % 3));
    fs::write(&data, format!("\"a\u{ffff}b\",\"c\u{8}\u{1b}<d\",y\n{text}")).expect("written");
    let words = ["-t", "y", "--trees", "5", "--svg", &picture.to_string_lossy()];
    assert_eq!(on("masking", &data, &words).code, 0);
    let svg = fs::read_to_string(&picture).expect("a picture");
    assert_eq!(svg.chars().find(|letter| !is_allowed(*letter)), None);
    assert!(svg.contains("a\u{fffd}b") && svg.contains("c\u{fffd}\u{fffd}&lt;d"), "{svg}");
}
