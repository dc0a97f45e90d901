//! Decimal marks: points or commas.

use wald::DecimalMark;

use crate::{render, samples, scripts};

#[test]
fn commas_are_in_texts_and_nowhere_else() {
    let tags = |page: &str| -> Vec<String> {
        page.split('<').map(|part| part.split('>').next().unwrap_or_default().to_owned()).collect()
    };
    let names = |page: &str| -> Vec<String> {
        let parts = page.split("<bdi").skip(1);
        parts.map(|part| part.split("</bdi>").next().unwrap_or_default().to_owned()).collect()
    };
    for (sample, report) in samples::all() {
        let page = render(&report);
        let other = wald_html::render(&report, DecimalMark::Comma).expect("every report renders");
        assert_eq!(tags(&page), tags(&other), "{sample}");
        assert_eq!(names(&page), names(&other), "{sample}");
        assert_eq!(scripts(&page), scripts(&other), "{sample}");
        let pairs = page.bytes().zip(other.bytes()).filter(|(one, other)| one != other);
        let pairs: Vec<(u8, u8)> = pairs.collect();
        assert!(page.len() == other.len() && !pairs.is_empty(), "{sample}");
        assert!(pairs.iter().all(|pair| [(b'.', b','), (b',', b';')].contains(pair)), "{sample}");
    }
}
