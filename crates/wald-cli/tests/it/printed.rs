//! Pictures on paper: XML, of the given size, the same bytes twice, and of the numbers in the
//! table.

use std::fs;

use resvg::usvg::roxmltree::{Document, Node};

use crate::*;

/// A name that needs several lines.
const LONG: &str = "the_concentration_of_salt_in_the_upper_layer";

/// 60 rows of three variables, one of which is a category, and a forest on them.
fn files(folder: &Path) {
    let row = |i: usize| {
        let salt = (i * 37 % 60) as f64 / 7.0;
        let level = ["low", "high"][i * i % 3 % 2];
        format!("{salt:.3},{},{level},{:.3}", i * 11 % 60, 2.0 * salt - (i * 11 % 60) as f64 / 9.0)
    };
    let text = format!("{LONG},x<y,kind,y\n{}", rows(60, row));
    fs::write(folder.join("t.csv"), &text).expect("written");
    let second: Vec<&str> = text.lines().take(41).collect();
    fs::write(folder.join("u.csv"), second.join("\n") + "\n").expect("written");
    fs::write(folder.join("one.csv"), text.lines().take(2).collect::<Vec<_>>().join("\n"))
        .expect("written");
    run(folder, "fit t.csv -t y --trees 8 --output f.forest");
}

fn run(folder: &Path, words: &str) -> Run {
    let words: Vec<&str> = words.split(' ').collect();
    let run = finish(command(&words).current_dir(folder));
    assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
    run
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All words of a picture in their order; a name in several lines is one word.
fn words(svg: &str) -> String {
    let document = Document::parse(svg).expect("XML");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default()).collect::<Vec<_>>().join("")
}

/// Width and height in millimetres, as the SVG states them.
fn millimetres(svg: &str) -> [f64; 2] {
    let document = Document::parse(svg).expect("XML");
    let size = |name: &str| {
        let size = document.root_element().attribute(name).and_then(|size| size.strip_suffix("mm"));
        size.and_then(|size| size.parse().ok()).expect("a size in millimetres")
    };
    [size("width"), size("height")]
}

/// The number in four bytes.
fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

#[test]
fn every_picture_has_its_size_and_its_names() {
    let folder = folder();
    let place = folder.path();
    files(place);
    let grown = "t.csv -t y --trees 4";
    let stored = "t.csv --forest f.forest";
    let cases = [
        (
            format!("importance {stored} -m sobol_mda,sobol_first"),
            &[LONG, "x<y", "first order"][..],
        ),
        (format!("uncertainty {grown} --subsamples 4"), &[LONG, "x<y", "rank"]),
        (format!("compare {grown} --second u.csv --subsamples 4"), &[LONG, "second minus"]),
        (format!("select {grown} --folds 2"), &["variables kept", "enough: "]),
        (format!("advise {stored}"), &["x<y", "dependence"]),
        (format!("masking {grown} --values 1,3"), &["x<y", "mtry"]),
        (format!("explain {stored} -m tree_shap"), &[LONG, "high value", "low"]),
        (format!("explain {stored} -m tree_shap --rows one.csv"), &[LONG, "expected value"]),
        (format!("explain {stored} -m ice"), &[LONG, "mean prediction", "single rows"]),
    ];
    for (number_of, (words_of, names)) in cases.iter().enumerate() {
        let width = [("one", 85.0), ("two", 175.0)][number_of % 2];
        let made = |name: &str| {
            let files = format!("--svg {name}.svg --pdf {name}.pdf --png {name}.png --dpi 100");
            run(place, &format!("{words_of} -q {files} --picture-width {}", width.0));
            ["svg", "pdf", "png"].map(|end| read(&place.join(format!("{name}.{end}"))))
        };
        let [svg, pdf, png] = made(&format!("a{number_of}"));
        assert_eq!(made(&format!("b{number_of}")), [svg.clone(), pdf.clone(), png.clone()]);
        let svg = String::from_utf8(svg).expect("text");
        let found = words(&svg);
        for name in *names {
            assert!(found.contains(name), "{words_of}: {name} is not in {found}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("<script") && !svg.contains("<style"));
        let size = millimetres(&svg);
        assert_eq!(size[0], width.1, "{words_of}");
        assert!((15.0..200.0).contains(&size[1]), "{words_of}: {size:?}");
        // The header of a PNG, and its 100 dots per inch.
        let dots = size.map(|size| (size / 25.4 * 100.0).round() as u32);
        assert_eq!([number(&png, 16), number(&png, 20)], dots, "{words_of}");
        let physical = png.windows(4).position(|bytes| bytes == b"pHYs").expect("a resolution");
        assert_eq!((number(&png, physical + 4), png[physical + 12]), (3937, 1));
        let pdf = String::from_utf8_lossy(&pdf);
        let page = pdf.split("/MediaBox[").nth(1).and_then(|rest| rest.split(']').next());
        let page: Vec<f64> =
            page.expect("a page").split(' ').filter_map(|number| number.parse().ok()).collect();
        let points = size.map(|size| size / 25.4 * 72.0);
        assert!(page.len() == 4 && (page[2] - points[0]).abs() < 0.01, "{page:?} {points:?}");
        assert!((page[3] - points[1]).abs() < 0.01, "{page:?} {points:?}");
    }
}

#[test]
fn letters_that_are_boxes_are_reported() {
    let folder = folder();
    let place = folder.path();
    let row = |i: usize| format!("{},{},{}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    fs::write(
        place.join("t.csv"),
        format!("\u{6e29}\u{5ea6},\u{3b2} \u{2264} 5 \u{b0}C,y\n{}", rows(60, row)),
    )
    .expect("written");
    let base = "importance t.csv -t y --trees 2 -m mdi";
    let stderr = run(place, &format!("{base} --png p.png --svg p.svg")).stderr;
    assert!(stderr.contains("of the letters \u{5ea6}\u{6e29}; the SVG"), "{stderr}");
    assert!(
        String::from_utf8(read(&place.join("p.svg"))).expect("text").contains("\u{6e29}\u{5ea6}")
    );
    let stderr = run(place, &format!("{base} --svg q.svg")).stderr;
    assert!(!stderr.contains("boxes"), "{stderr}");
}

/// x and y of the first dot of every mark: lines of no length.
fn dots(svg: &str, colour: &str) -> Vec<(f64, f64)> {
    let document = Document::parse(svg).expect("XML");
    let is_dot = |node: &Node<'_, '_>| {
        node.attribute("class") == Some("dots") && node.attribute("stroke") == Some(colour)
    };
    let place = |node: Node<'_, '_>| {
        let steps = node.attribute("d").and_then(|steps| steps.strip_prefix('M'))?;
        let (x, y) = steps.split('h').next()?.split_once(' ')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    document.descendants().filter(is_dot).filter_map(place).collect()
}

#[test]
fn dots_are_where_the_numbers_of_the_table_are() {
    let folder = folder();
    let place = folder.path();
    files(place);
    let found = run(
        place,
        "importance t.csv --forest f.forest -m sobol_mda,sobol_first --format json --svg p.svg",
    )
    .json();
    let svg = String::from_utf8(read(&place.join("p.svg"))).expect("text");
    let numbers = |list: &Value| -> Vec<f64> {
        list.as_array().expect("numbers").iter().filter_map(Value::as_f64).collect()
    };
    let measures = found["measures"].as_array().expect("measures");
    let values = |id: &str| {
        let measure = measures.iter().find(|measure| measure["measure"] == id).expect("measured");
        numbers(&measure["values"])
    };
    let (total, first) = (values("sobol_mda"), values("sobol_first"));
    let mut order = [0, 1, 2];
    order.sort_by(|&one, &other| total[other].total_cmp(&total[one]));
    // The first mark of each colour is the legend's.
    let (blue, orange) = (dots(&svg, "#0072b2"), dots(&svg, "#d55e00"));
    assert_eq!((blue.len(), orange.len()), (4, 4), "{svg}");
    let marks: Vec<(f64, f64)> = order
        .iter()
        .zip(&blue[1..])
        .map(|(&variable, dot)| (total[variable], dot.0))
        .chain(order.iter().zip(&orange[1..]).map(|(&variable, dot)| (first[variable], dot.0)))
        .collect();
    // Two ticks give the scale.
    let document = Document::parse(&svg).expect("XML");
    let ticks: Vec<(f64, f64)> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| {
            let value = node.text()?.replace('\u{2212}', "-").parse().ok()?;
            Some((value, node.attribute("x")?.parse().ok()?))
        })
        .collect();
    let (low, high) = (ticks[0], ticks[ticks.len() - 1]);
    let scale = (high.1 - low.1) / (high.0 - low.0);
    assert!(scale > 0.0, "{ticks:?}");
    for (value, x) in marks {
        let expected = low.1 + scale * (value - low.0);
        assert!((x - expected).abs() < 0.15, "{value} is at {x}, not {expected}");
    }
    // Rows go down by rank.
    assert!(blue[1..].windows(2).all(|pair| pair[0].1 < pair[1].1), "{blue:?}");
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_where_a_file_is_refused() {
    let folder = folder();
    let place = folder.path();
    files(place);
    fs::write(place.join("there.pdf"), "old").expect("written");
    let refused = |words: &str, parts: &[&str]| {
        let words: Vec<&str> = words.split(' ').collect();
        finish(command(&words).current_dir(place)).refused(2, parts);
    };
    let base = "importance t.csv -t y --trees 1000000";
    refused(&format!("{base} --svg new.svg --pdf there.pdf"), &["exists already", "--force"]);
    refused(&format!("{base} --svg new --png new"), &["the PNG and the SVG go to the same place"]);
    refused(&format!("{base} -o new --pdf new"), &["the PDF and the results"]);
    assert_eq!(read(&place.join("there.pdf")), b"old");
    assert!(!place.join("new.svg").exists() && !place.join("new").exists());
    let replaced = "importance t.csv --forest f.forest --pdf there.pdf --force";
    assert!(run(place, replaced).stderr.contains("wrote there.pdf"));
    assert!(read(&place.join("there.pdf")).starts_with(b"%PDF"));
}
