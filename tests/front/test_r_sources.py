"""The scripts that build the R package on Unix and on Windows, with a stand-in for Cargo."""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = ["configure", "configure.win", "cleanup", "cleanup.win", "src/Makevars.in", "src/Makevars.win.in"]
# What stands in for Cargo: it notes its words and folders, and makes the library where Cargo would.
CARGO = """#!/bin/sh
printf '%s\\n' "$@" > "$NOTES"
printf 'home=%s\\n' "$CARGO_HOME" >> "$NOTES"
for word in "$@"; do
  case $last in --target) platform=$word/;; esac
  last=$word
done
test -d ../rust || exit 1
mkdir -p "$CARGO_TARGET_DIR/${platform}release"
echo library > "$CARGO_TARGET_DIR/${platform}release/libwald_r.a"
"""
# R's part of the makefile: the library that R loads, linked of what PKG_LIBS names first.
MAKEFILE = """SHLIB = wald.so
include {makevars}
$(SHLIB):
	cp $(firstword $(PKG_LIBS)) $@
	printf '%s\\n' $(PKG_LIBS) > linked.txt
"""
SYSTEMS = {
    "unix": ("configure", "Makevars", ""),
    "windows": ("configure.win", "Makevars.win", "x86_64-pc-windows-gnu"),
}


class Package:
    """A copy of the scripts in a folder, and a folder of programs."""

    def __init__(self, folder, system):
        self.script, self.makevars, self.platform = SYSTEMS[system]
        self.folder = folder / "a clone" / "R"
        for name in SCRIPTS:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "R" / name, self.folder / name)
        self.rust = self.folder / "src" / "rust"
        self.rust.mkdir()
        self.programs = folder / "programs"
        self.programs.mkdir()
        self.notes = folder / "notes.txt"

    def add_programs(self):
        for name, text in {"cargo": CARGO, "rustc": "#!/bin/sh\necho rustc 1.89.0\n"}.items():
            (self.programs / name).write_text(text)
            (self.programs / name).chmod(0o755)

    def run(self, *words, **environment):
        known = {"PATH": f"{self.programs}:/usr/bin:/bin", "HOME": str(self.folder),
                 "NOTES": str(self.notes)}
        return subprocess.run(words, cwd=self.folder, env=known | environment, check=False, text=True,
                              capture_output=True)

    def configure(self, **environment):
        return self.run("sh", f"./{self.script}", **environment)

    def make(self):
        (self.folder / "src" / "makefile").write_text(MAKEFILE.format(makevars=self.makevars))
        made = self.run("make", "-C", "src", "all")
        assert made.returncode == 0, made.stderr
        return (self.folder / "src" / "linked.txt").read_text().split()

    def words(self):
        return self.notes.read_text().splitlines()

    def with_engine_beside(self):
        manifest = self.folder.parent / "crates" / "wald" / "Cargo.toml"
        manifest.parent.mkdir(parents=True)
        manifest.write_text("")

    def with_crates_inside(self):
        crate = self.rust / "vendor" / "one"
        crate.mkdir(parents=True)
        (crate / "Cargo.toml").write_text("")
        with tarfile.open(self.rust / "vendor.tar.xz", "w:xz") as archive:
            archive.add(self.rust / "vendor", "vendor")
        shutil.rmtree(self.rust / "vendor")


@pytest.fixture(params=SYSTEMS)
def package(request, tmp_path):
    return Package(tmp_path, request.param)


def is_built_for(words, platform):
    assert words[:5] == ["build", "--release", "--locked", "--jobs", "2"]
    asked = words[words.index("--target") + 1] if "--target" in words else ""
    assert asked == platform
    assert words[words.index("--package") + 1] == "wald-r"


def test_a_clone_is_built_beside_its_engine(package):
    package.add_programs()
    package.with_engine_beside()
    configured = package.configure()
    assert configured.returncode == 0, configured.stderr
    linked = package.make()
    is_built_for(package.words(), package.platform)
    assert "--offline" not in package.words()
    place = package.folder.parent / "target" / package.platform / "release" / "libwald_r.a"
    assert place.read_text() == "library\n"
    assert (package.folder / "src" / linked[0]).resolve() == place


def test_a_folder_of_built_things_can_be_given(package, tmp_path):
    package.add_programs()
    package.with_engine_beside()
    elsewhere = tmp_path / "built"
    assert package.configure(CARGO_TARGET_DIR=str(elsewhere)).returncode == 0
    linked = package.make()
    assert linked[0] == str(elsewhere / package.platform / "release" / "libwald_r.a")


def test_a_source_package_is_built_offline_and_leaves_nothing_behind(package):
    package.add_programs()
    package.with_crates_inside()
    configured = package.configure()
    assert configured.returncode == 0, configured.stderr
    assert (package.rust / "vendor" / "one" / "Cargo.toml").exists()
    linked = package.make()
    words = package.words()
    is_built_for(words, package.platform)
    assert "--offline" in words
    assert 'source.crates-io.replace-with="vendored"' in words
    assert 'source.vendored.directory="vendor"' in words
    assert "home=home" in words
    assert linked[0] == "/".join(filter(None, ["rust/target", package.platform, "release/libwald_r.a"]))
    assert sorted(path.name for path in package.rust.iterdir()) == ["vendor.tar.xz"]


def test_a_library_that_is_there_is_linked(package, tmp_path):
    library = tmp_path / "libwald_r.a"
    library.write_text("mine\n")
    assert package.configure(WALD_STATIC_LIBRARY=str(library)).returncode == 0
    assert package.make()[0] == str(library)
    assert (package.folder / "src" / "wald.so").read_text() == "mine\n"
    assert not package.notes.exists()


def test_windows_links_what_the_standard_library_of_rust_calls(tmp_path):
    for system in SYSTEMS:
        package = Package(tmp_path / system, system)
        package.configure(WALD_STATIC_LIBRARY=os.devnull)
        named = [word for word in package.make()[1:] if word.startswith("-l")]
        # As `rustc --print native-static-libs` lists them for the platform, and what crates add.
        windows = ["-lws2_32", "-ladvapi32", "-luserenv", "-lbcrypt", "-lntdll", "-ldbghelp"]
        assert named == (windows if system == "windows" else [])


def test_another_platform_can_be_asked_for(tmp_path):
    package = Package(tmp_path, "windows")
    package.add_programs()
    package.with_engine_beside()
    assert package.configure(CARGO_BUILD_TARGET="aarch64-pc-windows-gnullvm").returncode == 0
    package.make()
    is_built_for(package.words(), "aarch64-pc-windows-gnullvm")


def test_cargo_of_the_user_is_found(tmp_path):
    package = Package(tmp_path, "windows")
    package.programs = tmp_path / "user" / ".cargo" / "bin"
    package.programs.mkdir(parents=True)
    package.add_programs()
    package.programs = tmp_path / "nothing"
    package.with_engine_beside()
    assert package.configure().returncode == 1
    configured = package.configure(USERPROFILE=str(tmp_path / "user"))
    assert configured.returncode == 0, configured.stderr


def test_what_is_absent_is_said(package):
    configured = package.configure()
    assert configured.returncode == 1
    assert "https://rustup.rs" in configured.stderr
    package.add_programs()
    configured = package.configure()
    assert configured.returncode == 1
    assert "cargo xtask r-package" in configured.stderr
    assert not (package.folder / "src" / package.makevars).exists()


def test_what_was_made_is_removed(package):
    package.add_programs()
    package.with_engine_beside()
    package.configure()
    package.make()
    for name in ["wald.o", "wald.dll"]:
        (package.folder / "src" / name).write_text("")
    (package.folder / "src" / "makefile").unlink()
    (package.folder / "src" / "linked.txt").unlink()
    script = "cleanup.win" if package.makevars == "Makevars.win" else "cleanup"
    assert package.run("sh", f"./{script}").returncode == 0
    left = sorted(path.name for path in (package.folder / "src").iterdir())
    assert left == ["Makevars.in", "Makevars.win.in", "rust"]


def test_what_scripts_write_is_in_no_package_and_no_commit():
    ignored = (ROOT / "R" / ".gitignore").read_text().split()
    assert {"/src/Makevars", "/src/Makevars.win"} <= set(ignored)
    kept_out = (ROOT / "R" / ".Rbuildignore").read_text().split()
    assert {r"^src/Makevars$", r"^src/Makevars\.win$"} <= set(kept_out)
