//! What people meet first: nothing typed, an example, no target, completions and manual pages.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command as Process;

use crate::*;

#[test]
fn nothing_typed_shows_where_to_begin() {
    let run = wald(&[] as &[&str]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    for part in ["wald demo", "wald report TABLE --target", "wald select", "wald --help"] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    assert!(run.stderr.lines().count() < 10 && run.stderr.lines().all(|line| line.len() <= 80));
}

#[test]
fn a_target_is_proposed_with_the_command_to_type() {
    let folder = folder();
    let table = folder.path().join("my trees.csv");
    let text = rows(30, |i| format!("{i},{},{},{}", i % 7, i % 3, i % 5));
    fs::write(&table, format!("id,height,class,age\n{text}")).expect("written");
    let words = ["report", "my trees.csv", "--trees", "5"];
    let run = finish(command(&words).current_dir(folder.path()));
    run.refused(
        2,
        &[
            "no target is named",
            "\"class\" may be the column to predict, because it is named as targets are",
            "`wald report 'my trees.csv' --trees 5 --target class`",
            "or \"age\", because it is the last one; or \"height\", because it is the first one",
        ],
    );
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "no report");
    // The proposed command is one that works.
    let proposed = [&words[..], &["--target", "class", "--quick"]].concat();
    assert_eq!(finish(command(&proposed).current_dir(folder.path())).code, 0);
}

#[test]
fn times_are_proposed_last() {
    let run = on("report", &penguins(), &[]);
    run.refused(2, &["\"sex\" may be the column to predict, because it is the last one"]);
}

#[test]
fn measures_are_explained_by_an_option_too() {
    let run = wald(&["--explain", "permutation"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout, wald(&["measures", "mda_breiman_cutler"]).stdout);
    let both = wald(&["--explain", "mdi", "--explain", "ufi"]).stdout;
    assert!(both.starts_with("mdi ") && both.contains("\nufi "), "{both}");
    wald(&["--explain", "mdii"]).refused(2, &["did you mean `mdi`?"]);
    wald(&["--explain", "mdi", "measures"]).refused(2, &["`--explain` does not go with a command"]);
    on("importance", &penguins(), &["--explain", "mdi"]).refused(2, &["`wald --explain MEASURE`"]);
}

#[test]
fn the_demo_writes_two_files_once() {
    let folder = folder();
    let demo =
        |words: &[&str]| finish(command(&[&["demo"], words].concat()).current_dir(folder.path()));
    let run = demo(&[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in ["wrote wald-demo.csv", "wrote wald-demo.html"] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    // Of the five that matter by design, the answer names all, and the others as noise.
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let concluded = text.split_once("The page concludes: ").expect("a conclusion").1;
    let (matter, others) =
        concluded.split_once("; the shares of ").expect("two kinds of variables");
    for name in ["rain", "warmth", "acidity", "nitrogen", "potassium"] {
        assert!(matter.contains(&format!("{name} ")), "{concluded}");
    }
    let others = others.split_once(" are below zero: ").expect("the others").0;
    for name in ["altitude", "slope", "wind", "stones", "distance"] {
        assert!(others.contains(name) && !matter.contains(name), "{concluded}");
    }
    let page = fs::read_to_string(folder.path().join("wald-demo.html")).expect("a page");
    assert!(page.contains("wald report wald-demo.csv --target yield"));
    let header =
        "rain,warmth,acidity,nitrogen,potassium,altitude,slope,wind,stones,distance,yield\n";
    let table = fs::read_to_string(folder.path().join("wald-demo.csv")).expect("a table");
    assert!(table.starts_with(header) && table.lines().count() == 501);
    fs::remove_file(folder.path().join("wald-demo.csv")).expect("removed");
    demo(&[]).refused(2, &["wald-demo.html", "exists already", "--force"]);
    assert!(!folder.path().join("wald-demo.csv").exists());
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = wald(&["--help"]).stdout;
    let listed = help.split_once("Commands:\n").expect("a list").1;
    let listed = listed.split("\n\n").next().unwrap_or_default();
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

/// The long options that the help of a command describes.
fn options(command: &str) -> BTreeSet<String> {
    let help = wald(&[command, "--help"]).stdout;
    let described = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    // Texts of options name others, too.
    let is_long = |word: &&str| word.starts_with("--") && !word.ends_with(':');
    let long = described.filter_map(|line| line.split([' ', ',', '[']).find(is_long));
    long.map(str::to_owned).collect()
}

/// Whether a program is installed.
fn is_there(program: &str) -> bool {
    Process::new(program).arg("--version").output().is_ok()
}

/// Prints what bash proposes for `wald COMMAND --`, a line per command that was given.
const IN_BASH: &str = "\
source \"$1\"
shift
for name in \"$@\"; do
    COMP_WORDS=(wald \"$name\" --)
    COMP_CWORD=2
    COMPREPLY=()
    _wald wald -- \"$name\"
    echo \"$name ${COMPREPLY[*]}\"
done
";

#[test]
fn completions_name_every_command_and_option() {
    let folder = folder();
    let commands = commands();
    assert!(commands.len() > 20 && commands.contains(&"importance".to_owned()), "{commands:?}");
    let scripts = ["bash", "zsh", "fish", "powershell", "elvish"].map(|shell| {
        let run = wald(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        fs::write(folder.path().join(shell), &run.stdout).expect("written");
        run.stdout
    });
    let described: Vec<(&String, BTreeSet<String>)> =
        commands.iter().map(|name| (name, options(name))).collect();
    for script in &scripts {
        for (name, options) in &described {
            assert!(script.contains(name.as_str()), "{name}");
            for option in options {
                let fish = format!("-l {} ", &option[2..]);
                assert!(script.contains(option) || script.contains(&fish), "{name} {option}");
            }
        }
    }
    // The words of an option, too.
    assert!(scripts[0].contains("latex") && scripts[1].contains("sobol_mda"));
    if is_there("bash") {
        let script = folder.path().join("bash");
        let mut bash = Process::new("bash");
        bash.args(["-c", IN_BASH, "bash"]).arg(script).args(&commands);
        let run = bash.output().expect("bash starts");
        assert_eq!(String::from_utf8_lossy(&run.stderr), "");
        let found = String::from_utf8(run.stdout).expect("text");
        for ((name, options), line) in described.iter().zip(found.lines()) {
            let proposed: BTreeSet<String> =
                line.split_whitespace().skip(1).map(str::to_owned).collect();
            assert!(options.is_subset(&proposed), "{name}: {options:?} {proposed:?}");
        }
        assert_eq!(found.lines().count(), commands.len());
    }
    // Others only read their scripts, where they are installed.
    for shell in ["zsh", "fish"].into_iter().filter(|shell| is_there(shell)) {
        let script = folder.path().join(shell);
        let run = Process::new(shell).arg("-n").arg(script).output().expect("the shell starts");
        let found = (run.status.success(), String::from_utf8_lossy(&run.stderr));
        assert_eq!(found, (true, "".into()), "{shell}");
    }
}

#[test]
fn manual_pages_name_every_option() {
    let folder = folder();
    let man = folder.path().join("man1");
    let words = ["man".as_ref(), man.as_os_str()];
    assert_eq!(wald(&words).code, 0);
    wald(&words).refused(2, &["exists already"]);
    let page = |name: &str| {
        let text = fs::read_to_string(man.join(name)).expect("a page");
        text.replace("\\-", "-")
    };
    let all = page("wald.1");
    for name in commands() {
        assert!(all.contains(&format!("wald-{name}(1)")), "{name}");
        let text = page(&format!("wald-{name}.1"));
        for option in options(&name) {
            assert!(text.contains(&option), "{name} {option}");
        }
        assert!(text.contains(".SH EXAMPLES\n.nf\n"), "{name}");
    }
    if is_there("man") && is_there("groff") {
        for name in ["wald.1", "wald-importance.1"] {
            let run = Process::new("man")
                .args(["--warnings", "-E", "UTF-8", "-Tutf8", "-Z", "-l"])
                .arg(man.join(name))
                .env("MANWIDTH", "80")
                .output()
                .expect("man starts");
            assert_eq!(String::from_utf8_lossy(&run.stderr), "", "{name}");
        }
    }
}

#[test]
fn one_measure_is_described_with_its_options() {
    let run = wald(&["measures", "permutation"]);
    assert!(run.stdout.starts_with("mda_breiman_cutler  "), "{}", run.stdout);
    assert!(run.stdout.contains("estimates") && !run.stdout.contains("\nsobol_mda"));
    assert!(run.stdout.contains("--permutations: "), "{}", run.stdout);
    let both = wald(&["measures", "tree_shap"]).stdout;
    assert_eq!(both.matches("tree_shap  ").count(), 2, "of tables and of single rows: {both}");
    wald(&["measures", "sobolmda"]).refused(2, &["did you mean `sobol_mda`?"]);
    let json = wald(&["measures", "pdp", "--format", "json"]).json();
    assert_eq!((json.as_array().map(Vec::len), &json[0]["id"]), (Some(1), &"pdp".into()));
}
