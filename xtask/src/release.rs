//! `cargo xtask release`: what people install, built as it is given away, tested, and tried where
//! nothing else is.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::artefacts::{Artefacts, build_program, build_wheel, builder, empty};
use crate::command::Outcome;
use crate::package;

/// The task.
pub(crate) fn run() -> Outcome {
    let environment = builder()?;
    let folder = empty("release-artefacts")?;
    let wheel = build_wheel(&environment, &folder, &["--release"])?;
    let program = build_program(&folder)?;
    let artefacts = Artefacts { wheel, program };
    package::check(&environment, &artefacts)?;
    let sums = write_sums(&folder, &artefacts)?;
    eprint!("\nbuilt and tested, in {}:\n{sums}", folder.display());
    Ok(())
}

/// Writes checksums beside the artefacts and returns them.
fn write_sums(folder: &Path, artefacts: &Artefacts) -> Result<String, String> {
    let mut sums = String::new();
    for path in [&artefacts.wheel, &artefacts.program] {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Sha256::digest(bytes).iter().for_each(|byte| sums += &format!("{byte:02x}"));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        sums += &format!("  {name}\n");
    }
    let file = folder.join("SHA256SUMS");
    fs::write(&file, &sums).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard_and_name_files() {
        let folder = empty("release-tests").expect("a folder");
        let written = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, bytes).expect("written");
            path
        };
        let artefacts =
            Artefacts { wheel: written("a.whl", b"abc"), program: written("program", b"") };
        let sums = write_sums(&folder, &artefacts).expect("written");
        let expected = "\
            ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.whl\n\
            e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  program\n";
        assert_eq!(sums, expected);
        assert_eq!(fs::read_to_string(folder.join("SHA256SUMS")).expect("text"), expected);
    }
}
