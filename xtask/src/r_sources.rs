//! The sources of the R package as people install them: no network is needed to build it.
//!
//! `src/rust` becomes a workspace of its own: the crates of the engine without their tests, what binds
//! them for R, and all other crates as an archive.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::command::{Outcome, cargo, execute, program};
use crate::place;

/// The crates of the engine that the package needs.
const CRATES: &[&str] =
    &["wald", "wald-gp", "wald-html", "wald-population", "wald-report", "wald-surrogate"];

/// Tables of a manifest that only tests and benchmarks need.
const LEFT_OUT: &[&str] = &["[[example]]", "[[test]]", "dev-dependencies]"];

/// Puts all sources into a folder.
pub(crate) fn gather(folder: &Path) -> Outcome {
    let root = place::root();
    copy(&root.join("R"), folder, &["rust", "Makevars", "Makevars.win"])?;
    let rust = folder.join("src/rust");
    for name in CRATES {
        let from = root.join("crates").join(name);
        let to = rust.join("crates").join(name);
        copy(&from, &to, &["tests", "bench", "examples", "fixtures"])?;
        without_tests(&to.join("Cargo.toml"))?;
    }
    copy(&root.join("R/src/rust"), &rust.join("binding"), &[])?;
    write(&rust.join("Cargo.toml"), &workspace(&read(&root.join("Cargo.toml"))?))?;
    write(&rust.join("Cargo.lock"), &read(&root.join("Cargo.lock"))?)?;
    let mut vendor = cargo(["vendor", "--quiet", "--versioned-dirs", "vendor"]);
    vendor.current_dir(&rust).stdout(std::process::Stdio::null());
    execute(vendor)?;
    write(&folder.join("inst/AUTHORS"), &authors(&rust.join("vendor"))?)?;
    let mut pack = program("tar");
    pack.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]);
    pack.args(["-cJf", "vendor.tar.xz", "vendor"]).current_dir(&rust).env("XZ_OPT", "-9");
    execute(pack)?;
    let vendor = rust.join("vendor");
    fs::remove_dir_all(&vendor).map_err(|error| format!("{}: {error}", vendor.display()))
}

/// The manifest of the workspace with other members, and the profile of releases alone.
fn workspace(manifest: &str) -> String {
    let members: Vec<String> = CRATES.iter().map(|name| format!("\"crates/{name}\"")).collect();
    let members = format!("members = [{}, \"binding\"]", members.join(", "));
    let lines = manifest.lines().filter(|line| {
        // Of the command line, which is not here.
        !line.starts_with("default-members") && !line.starts_with("# `cargo run`")
    });
    let lines = lines.map(|line| if line.starts_with("members") { &members } else { line });
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("[profile.")).collect();
    format!("{}\n[profile.release]\ncodegen-units = 1\nlto = \"thin\"\n", lines.join("\n"))
}

fn without_tests(manifest: &Path) -> Outcome {
    let text = read(manifest)?;
    let mut is_kept = true;
    let kept = text.lines().filter(|line| {
        if line.starts_with('[') {
            is_kept = !LEFT_OUT.iter().any(|table| line.ends_with(table));
        }
        is_kept
    });
    let kept: Vec<&str> = kept.collect();
    write(manifest, &format!("{}\n", kept.join("\n")))
}

/// Who wrote the crates, and under which licences, by name; and MIT's text, for those without a file of it.
fn authors(vendor: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", vendor.display());
    let (mut crates, mut without_text) = (BTreeMap::new(), Vec::new());
    for entry in fs::read_dir(vendor).map_err(failed)? {
        let folder = entry.map_err(failed)?.path();
        let manifest = read(&folder.join("Cargo.toml"))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let licence = field(&manifest, "license").or_else(|| field(&manifest, "license-file"));
        let licence = licence.ok_or_else(|| format!("{name} states no licence"))?;
        if !has_licence_text(&folder)? {
            if !licence.contains("MIT") {
                return Err(format!("{name} has no file of its licence, {licence}"));
            }
            without_text.push(name.clone());
        }
        crates.insert(name.clone(), format!("{licence}\n    {}", holders(&manifest, &name)));
    }
    without_text.sort_unstable();
    let lines = crates.iter().map(|(name, words)| format!("{name}: {words}\n"));
    let mit = read(&place::root().join("LICENSE-MIT"))?;
    // The rights alone: who holds them is stated above.
    let mit = mit.split_once("\nPermission").map(|(_, rest)| format!("Permission{rest}"));
    let mit = mit.ok_or("LICENSE-MIT does not have the words of the licence")?;
    Ok(format!(
        "Rust crates in src/rust/vendor.tar.xz, with their licences and authors\n\n{}\n\
         The archive has the texts of these licences in the folders of the crates. These have no such file\n\
         and are under the MIT licence, whose text follows:\n{}.\n\n{mit}",
        lines.collect::<String>(),
        without_text.join(",\n"),
    ))
}

/// Whether a crate comes with a file of its licence.
fn has_licence_text(folder: &Path) -> Result<bool, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().to_ascii_lowercase();
        if name.contains("licen") || name.contains("copying") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The authors that a manifest names; else where they are to be found.
fn holders(manifest: &str, name: &str) -> String {
    field(manifest, "authors").filter(|authors| !authors.is_empty()).unwrap_or_else(|| {
        let place = field(manifest, "repository").map(|address| format!(", {address}"));
        format!("authors of {name}{}", place.unwrap_or_default())
    })
}

/// A field of a manifest as cargo writes it: one text, or a list of them over several lines.
fn field(manifest: &str, name: &str) -> Option<String> {
    let start = manifest.find(&format!("\n{name} = "))? + name.len() + 4;
    let rest = &manifest[start..];
    let end = if rest.starts_with('[') { rest.find(']')? } else { rest.find('\n')? };
    let texts: Vec<&str> = rest[..end].split('"').skip(1).step_by(2).collect();
    Some(texts.join(", "))
}

fn copy(from: &Path, to: &Path, left_out: &[&str]) -> Outcome {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default();
        let is_built = path.extension().is_some_and(|ending| ending == "o" || ending == "so");
        if name == "target" || is_built || left_out.iter().any(|one| name == *one) {
            continue;
        }
        if path.is_dir() {
            copy(&path, &to.join(name), left_out)?;
        } else {
            fs::copy(&path, to.join(name)).map_err(failed)?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Outcome {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_texts_or_lists_of_them() {
        let manifest = "[package]\nname = \"a\"\nauthors = [\n    \"One\",\n    \"Two\",\n]\nlicense = \"MIT\"\n";
        assert_eq!(field(manifest, "authors").as_deref(), Some("One, Two"));
        assert_eq!(field(manifest, "license").as_deref(), Some("MIT"));
        assert_eq!(field(manifest, "edition"), None);
    }

    #[test]
    fn authors_without_names_are_found_at_their_repository() {
        let manifest = "[package]\nauthors = []\nrepository = \"https://a.example/b\"\n";
        assert_eq!(holders(manifest, "b-1.0"), "authors of b-1.0, https://a.example/b");
        assert_eq!(holders("\nauthors = [\"One\"]\n", "b-1.0"), "One");
    }

    #[test]
    fn the_workspace_has_the_crates_of_the_package_and_one_profile() {
        let manifest =
            "[workspace]\nmembers = [\"a\"]\ndefault-members = [\"a\"]\n\n[profile.dev]\nx = 1\n";
        let found = workspace(manifest);
        assert!(found.starts_with("[workspace]\nmembers = [\"crates/wald\", "), "{found}");
        assert!(!found.contains("profile.dev") && found.contains("\"binding\"]"), "{found}");
    }
}
