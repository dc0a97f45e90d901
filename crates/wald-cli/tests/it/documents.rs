//! Tables for documents: Markdown and LaTeX with the digits of the terminal.

use std::fs;

use crate::*;

#[test]
fn documents_have_whole_names_and_the_digits_of_the_terminal() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    let long = "a_name_with_50%more_letters_than_any_terminal_has_room_for";
    let row = |i: usize| format!("{},{},{}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    fs::write(&path, format!("{long},b,y\n{}", rows(60, row))).expect("written");
    let words = ["-t", "y", "--trees", "9", "-m", "mdi", "-q", "--format"];
    let of = |format: &str| {
        let run = on("importance", &path, &[&words[..], &[format]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let table = of("table");
    let first = table.lines().nth(1).expect("a row");
    let value = first.split_whitespace().nth(2).expect("a value");
    let error = first.split_whitespace().nth(3).and_then(|cell| cell.strip_prefix('±'));
    let error = error.expect("an error");
    let markdown = of("md");
    let expected = format!("| 1 | {long} | {value} ±{error} |\n");
    assert!(markdown.starts_with("|  | variable | mdi |\n| ---: | --- | ---: |\n"), "{markdown}");
    assert!(markdown.contains(&expected), "{markdown}");
    assert!(markdown.contains("\n\nmdi: Mean decrease in impurity"), "{markdown}");
    let latex = of("latex");
    let name = long.replace('_', "\\_").replace('%', "\\%");
    let expected = format!("1 & {name} & {value} $\\pm${error} \\\\\n");
    assert!(latex.starts_with("\\begin{tabular}{rlr}\n\\toprule\n"), "{latex}");
    assert!(latex.contains(&expected), "{latex}");
    assert!(!latex.contains('█') && !markdown.contains('█'));
}

#[test]
fn every_format_is_offered_wherever_one_is() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    let row = |i: usize| format!("{},{},{}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    fs::write(&path, format!("a,b,y\n{}", rows(60, row))).expect("written");
    let table = path.to_str().expect("text");
    let forest = folder.path().join("f.forest");
    let forest = forest.to_str().expect("text");
    assert_eq!(wald(&["fit", table, "-t", "y", "--trees", "3", "-o", forest]).code, 0);
    let few = ["-t", "y", "--trees", "3", "-q"];
    let with = |words: &[&'static str]| [&[words[0], table], &few[..], &words[1..]].concat();
    let cases = [
        with(&["importance"]),
        with(&["advise"]),
        with(&["select", "--folds", "2"]),
        with(&["masking"]),
        with(&["explain", "-m", "saabas"]),
        vec!["predict", forest, table, "-q"],
        vec!["measures"],
        vec!["simulate", "friedman_1", "--rows", "5", "-q"],
    ];
    for words in cases {
        for (format, begins) in
            [("csv", ""), ("json", ""), ("md", "|"), ("latex", "\\begin{tabular}"), ("table", "")]
        {
            let run = wald(&[&words[..], &["--format", format]].concat());
            assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
            let has_table = !["advise", "measures"].contains(&words[0]);
            assert!(run.stdout.contains(begins) || !has_table, "{words:?}: {}", run.stdout);
            if format == "json" {
                run.json();
            }
        }
    }
    let help = |name: &str| wald(&[name, "--help"]).stdout;
    for name in
        ["importance", "report", "explain", "uncertainty", "compare", "surrogate", "interactions"]
    {
        let formats = help(name).contains("md") && help(name).contains("latex");
        assert!(formats != (name == "report"), "{name}");
    }
}

#[test]
fn classes_have_a_table() {
    let words = ["-t", "species", "--trees", "9", "-m", "sobol_mda", "--per-class", "-q"];
    let csv = on("importance", &penguins(), &[&words[..], &["--format", "csv"]].concat()).stdout;
    let of = |class: &str| {
        let line =
            csv.lines().find(|line| line.contains("flipper_length_mm") && line.contains(class));
        line.and_then(|line| line.split(',').find_map(|cell| cell.parse::<f64>().ok()))
            .expect(class)
    };
    let table = on("importance", &penguins(), &words).stdout;
    let classes = table.split("\n\n").find(|part| part.contains("Adelie")).expect("a table");
    let header = classes.lines().next().expect("a header");
    assert_eq!(
        header.split_whitespace().collect::<Vec<_>>(),
        ["variable", "Adelie", "Chinstrap", "Gentoo"]
    );
    let line = classes.lines().find(|line| line.starts_with("flipper_length_mm")).expect("a line");
    let cells: Vec<f64> =
        line.split_whitespace().skip(1).map(|cell| cell.parse().expect(cell)).collect();
    for (cell, class) in cells.iter().zip(["Adelie", "Chinstrap", "Gentoo"]) {
        assert!((cell - of(class)).abs() < 1e-3, "{csv}");
    }
}

#[test]
fn numbers_have_commas_where_they_are_asked_for_and_names_do_not() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    let row = |i: usize| format!("{},{},{}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    fs::write(&path, format!("1100.5,b,y\n{}", rows(60, row))).expect("written");
    let words = ["-t", "y", "--trees", "9", "-m", "mdi,air", "-q", "--format"];
    let of = |format: &str, mark: &str| {
        let run =
            on("importance", &path, &[&words[..], &[format, "--decimal-mark", mark]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    // Values with their errors, such as `12,34 ±0,56`, and no point between digits but that of the name.
    for format in ["table", "md", "latex"] {
        let (points, commas) = (of(format, "point"), of(format, "comma"));
        assert_eq!(commas.matches("1100.5").count(), points.matches("1100.5").count(), "{commas}");
        let signs: Vec<char> = commas.replace("1100.5", "").chars().collect();
        let has = |sign: char| {
            signs.windows(3).any(|three| {
                three[0].is_ascii_digit() && three[1] == sign && three[2].is_ascii_digit()
            })
        };
        assert!(has(',') && !has('.'), "{commas}");
        let same = |text: &str| text.replace("1100.5", "").replace([',', ';'], ".");
        assert_eq!(same(&commas), same(&points));
    }
    let lines = of("csv", "comma");
    assert!(lines.starts_with("measure;data;"), "{lines}");
    let back = lines.replace("1100.5", "\0").replace(',', ".").replace(';', ",");
    assert_eq!(back.replace('\0', "1100.5"), of("csv", "point"));
    assert_eq!(of("json", "comma"), of("json", "point"));
}

#[test]
fn sentences_have_commas_and_commands_and_lists_of_names_do_not() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    let row = |i: usize| format!("{},{},{}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    fs::write(&path, format!("1100.5,b,y\n{}", rows(60, row))).expect("written");
    let of = |words: &[&str]| {
        let usual = ["-t", "y", "--trees", "9", "-q", "--decimal-mark", "comma"];
        let run = on(words[0], &path, &[&usual[..], &words[1..]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let boruta = of(&["select", "--method", "boruta"]);
    assert!(boruta.contains("at level 0,01, correction"), "{boruta}");
    let selected = of(&["select", "--folds", "2"]);
    assert!(selected.contains("1100.5 (100%)") && !selected.contains("1100,5"), "{selected}");
    let advice = of(&["advise", "--sample-fraction", "0.9"]);
    assert!(advice.contains("--sample-fraction 0.9") && !advice.contains("0,9 "), "{advice}");
}

#[test]
fn files_with_commas_are_read_back() {
    let folder = folder();
    let (points, commas) = (folder.path().join("p.csv"), folder.path().join("c.csv"));
    for (path, mark) in [(&points, "point"), (&commas, "comma")] {
        let path = path.to_str().expect("text");
        let words = ["simulate", "friedman_1", "--rows", "50", "--format", "csv", "-q", "-o", path];
        assert_eq!(wald(&[&words[..], &["--decimal-mark", mark]].concat()).code, 0);
    }
    assert!(fs::read_to_string(&commas).expect("there").starts_with("x1;x2;"));
    let of = |path| on("importance", path, &["-t", "y", "--trees", "5", "--format", "csv", "-q"]);
    assert_eq!(of(&commas).stdout, of(&points).stdout);
}

#[test]
fn pictures_have_commas_and_names_do_not() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    let row = |i: usize| format!("{},{},0.{:02}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    fs::write(&path, format!("1100.5,b,y\n{}", rows(60, row))).expect("written");
    let usual = ["-t", "y", "--trees", "9", "-q", "--svg"];
    for (command, more) in [
        ("importance", &["-m", "mdi,air"][..]),
        ("explain", &["-m", "tree_shap"]),
        ("uncertainty", &["-m", "mdi"]),
        ("select", &["-m", "mdi", "--folds", "2"]),
    ] {
        let of = |mark: &str| {
            let picture = folder.path().join(format!("{command}-{mark}.svg"));
            let words = [&usual[..], &[picture.to_str().expect("text")], more].concat();
            let run = on(command, &path, &[&words[..], &["--decimal-mark", mark]].concat());
            assert_eq!(run.code, 0, "{}", run.stderr);
            let svg = fs::read_to_string(picture).expect("a picture");
            let texts = svg.split("<text").skip(1).filter_map(|part| part.split_once('>'));
            texts.filter_map(|(_, part)| Some(part.split_once("</text>")?.0.to_owned())).collect()
        };
        let (points, commas): (Vec<String>, Vec<String>) = (of("point"), of("comma"));
        let is_name = |text: &&String| text.contains("1100.5");
        assert_eq!(points.iter().filter(is_name).count(), commas.iter().filter(is_name).count());
        assert!(commas.iter().any(|text| text.contains(',')), "{commas:?}");
        let back = |text: &String| text.replace(',', ".");
        assert!(commas.iter().all(|text| is_name(&text) || !text.contains('.')), "{commas:?}");
        assert_eq!(
            commas.iter().map(back).collect::<Vec<_>>(),
            points.iter().map(back).collect::<Vec<_>>(),
            "{command}"
        );
    }
}

#[test]
fn reports_have_commas_on_the_page_and_in_the_ranking() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    let row = |i: usize| format!("{},{},{}", i * 7 % 31, i * 5 % 23, i * 7 % 31 + i % 3);
    fs::write(&path, format!("1100.5,b,y\n{}", rows(60, row))).expect("written");
    let of = |mark: &str| {
        let page = folder.path().join(mark);
        let words = ["-t", "y", "--trees", "20", "--quick", "-o", page.to_str().expect("text")];
        let run = on("report", &path, &[&words[..], &["--decimal-mark", mark]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        (run.stdout, fs::read_to_string(page).expect("a page"))
    };
    let ((printed, page), (printed_with_commas, page_with_commas)) = (of("point"), of("comma"));
    let number = printed.split_whitespace().find_map(|word| word.strip_prefix('±'));
    let number = number.expect("an error");
    assert!(printed_with_commas.contains(&format!("±{}", number.replace('.', ","))));
    assert!(printed_with_commas.contains("1100.5") && page_with_commas.contains(">1100.5</bdi>"));
    assert!(!page_with_commas.contains("1100,5"));
    // Besides the words of the command, the pages differ in these signs.
    assert_eq!(page.len(), page_with_commas.len());
    let pairs = page.bytes().zip(page_with_commas.bytes()).filter(|(one, other)| one != other);
    let signs = pairs.filter(|(one, _)| !one.is_ascii_alphabetic()).collect::<Vec<_>>();
    assert!(signs.len() > 50, "{}", signs.len());
    assert!(signs.iter().all(|pair| [(b'.', b','), (b',', b';')].contains(pair)), "{signs:?}");
}
