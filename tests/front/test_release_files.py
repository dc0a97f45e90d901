"""What a release needs beside code: workflows, forms, recipes and metadata, checked without a network."""

import importlib.resources
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = [path for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
         if path.name != "config.yml"]


def lint(program, *words):
    """Runs a linter of this environment, and shows what it found."""
    ran = subprocess.run([PROGRAMS / program, *words], cwd=ROOT, check=False, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert ran.returncode == 0, ran.stdout


@cache
def workspace():
    """What Cargo.toml states of all crates."""
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]


def cargo(*words, folder=ROOT):
    """What cargo prints."""
    ran = subprocess.run([os.environ.get("CARGO", "cargo"), *words], cwd=folder, check=False, capture_output=True,
                         text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@cache
def metadata():
    """All crates that are compiled here, ours and others; those of other platforms need not be there."""
    host = re.search(r"^host: (.*)$", cargo("--version", "--verbose"), re.MULTILINE)[1]
    return json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", host))


def published():
    """Our crates that go to the registry of Rust."""
    return [package for package in metadata()["packages"]
            if package["source"] is None and package["publish"] is None]


def test_yaml_is_tidy():
    lint("yamllint", "--strict", ".github", "packaging", "site/mkdocs.yml", "CITATION.cff")


def test_workflows_are_right():
    assert {path.stem for path in WORKFLOWS} == {"ci", "release", "site"}
    lint("actionlint", *WORKFLOWS)
    lint("zizmor", "--offline", "--no-progress", "--quiet", ".github")


@pytest.mark.parametrize(("schema", "files"), [
    ("github-workflows", WORKFLOWS),
    ("github-issue-forms", FORMS),
    ("github-issue-config", [ROOT / ".github/ISSUE_TEMPLATE/config.yml"]),
    ("dependabot", [ROOT / ".github/dependabot.yml"]),
    ("citation-file-format", [ROOT / "CITATION.cff"]),
])
def test_files_follow_their_schemas(schema, files):
    vendored = importlib.resources.files("check_jsonschema.builtin_schemas") / "vendor" / f"{schema}.json"
    rules = json.loads(vendored.read_text())
    for path in files:
        jsonschema.validate(yaml.safe_load(path.read_text()), rules)


def test_the_image_is_built_well():
    lint("hadolint", "packaging/Dockerfile")


def test_the_image_has_the_sources_that_it_is_built_from(tmp_path):
    """Cargo opens every member of the workspace, and what each member names as its targets."""
    first, *admitted = (ROOT / ".dockerignore").read_text().split()
    assert first == "*" and all(one.startswith("!") for one in admitted)
    for path in (path for one in admitted for path in ROOT.glob(one[1:])):
        there = tmp_path / path.relative_to(ROOT)
        there.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            # What is compiled or installed there is much, and no source.
            leave = shutil.ignore_patterns("target", "node_modules", "__pycache__", "*.so")
            shutil.copytree(path, there, symlinks=True, ignore=leave)
        else:
            shutil.copy(path, there)
    members = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["members"]
    assert [one for one in members if not (tmp_path / one / "Cargo.toml").is_file()] == []
    cargo("metadata", "--locked", "--offline", "--no-deps", "--format-version", "1", folder=tmp_path)


def test_continuous_integration_runs_every_check():
    jobs = yaml.safe_load(WORKFLOWS[0].read_text())["jobs"]
    assert "bash .ci/run" in [step.get("run") for step in jobs["test"]["steps"]]


def test_versions_agree():
    version = workspace()["version"]
    found = {
        "CITATION.cff": yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"],
        "recipe": yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text())["context"]["version"],
        "formula": re.search(r"/v(.*)\.tar\.gz", (ROOT / "packaging/homebrew/wald.rb").read_text())[1],
    }
    dependencies = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["dependencies"]
    found |= {name: one["version"] for name, one in dependencies.items() if "path" in one}
    assert found == dict.fromkeys(found, version)


def test_compilers_agree():
    oldest = workspace()["rust-version"]
    text = (ROOT / "packaging/Dockerfile").read_text() + WORKFLOWS[0].read_text()
    assert re.findall(r"rust:([\d.]+)-", text) == [oldest, oldest]


def test_crates_of_the_r_package_state_one_compiler():
    """Those that its source package holds, its configure script, description and page."""
    stated = tomllib.loads((ROOT / "R/src/rust/Cargo.toml").read_text())["package"]["rust-version"]
    listed = re.search(r"const CRATES.*?=\s*&\[(.*?)\];", (ROOT / "xtask/src/r_sources.rs").read_text(), re.S)[1]
    for crate in re.findall(r'"([\w-]+)"', listed):
        manifest = tomllib.loads((ROOT / "crates" / crate / "Cargo.toml").read_text())
        assert manifest["package"]["rust-version"] == stated
    assert f"rustc >= {stated}" in (ROOT / "R/DESCRIPTION").read_text()
    assert f"version {stated} or later" in (ROOT / "R/configure").read_text()
    assert re.search(rf"Rust\s{re.escape(stated)} or later", (ROOT / "docs/r.md").read_text())


def test_site_of_the_r_package_lists_all_topics():
    reference = yaml.safe_load((ROOT / "R/_pkgdown.yml").read_text())["reference"]
    listed = [topic for one in reference for topic in (
        one["contents"] if isinstance(one["contents"], list) else [one["contents"]])]
    names = [re.search(r"\\name\{(.*?)\}", path.read_text())[1] for path in (ROOT / "R/man").glob("*.Rd")]
    assert sorted(listed) == sorted(names)


def test_one_address_of_the_repository():
    """Who moves the project changes one address everywhere."""
    repository = workspace()["repository"]
    files = [*ROOT.glob("*.*"), *(ROOT / "packaging").rglob("*.*"), *(ROOT / "site").glob("*.yml"),
             *(ROOT / ".github").rglob("*.yml"), ROOT / "python/pyproject.toml"]
    ours = re.compile(r"https://github\.com/[\w-]*wald[\w-]*/[\w-]+")
    found = {address for path in files if path.is_file() for address in ours.findall(path.read_text())}
    assert found == {repository}


def test_recipe_and_package_require_the_same():
    project = tomllib.loads((ROOT / "python/pyproject.toml").read_text())
    recipe = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text())["requirements"]
    plain = [requirement.replace(" ", "") for requirement in recipe["run"] + recipe["host"]]
    for requirement in project["project"]["dependencies"] + project["build-system"]["requires"]:
        assert requirement in plain


def test_crates_are_fit_for_the_registry():
    assert len(published()) == 8
    for package in published():
        name, folder = package["name"], Path(package["manifest_path"]).parent
        assert package["description"] and package["license"] and package["repository"], name
        assert 1 <= len(package["keywords"]) <= 5, name
        assert all(re.fullmatch(r"[a-z][\w+-]{0,19}", word) for word in package["keywords"]), name
        assert 1 <= len(package["categories"]) <= 5, name
        assert (folder / package["readme"]).is_file(), name
        assert package["metadata"]["docs"]["rs"]["targets"], name
        for licence in ("LICENSE-APACHE", "LICENSE-MIT"):
            assert (folder / licence).read_bytes() == (ROOT / licence).read_bytes(), name
        # The registry refuses what depends on crates that it does not have.
        needs = {one["name"] for one in package["dependencies"] if "path" in one and not one["kind"]}
        assert needs <= {one["name"] for one in published()}, name


def test_oldest_dependencies_are_stated_in_full():
    """A requirement as `1.0` admits versions that nobody tried, and that lack features asked for. What is
    required is a version of three parts, not younger than the locked one of the same series."""
    def numbers(version):
        return tuple(int(part) for part in version.split("+")[0].split("."))

    def series(version):
        """The parts that agree in versions that may stand for each other."""
        kept = next((place for place, part in enumerate(version) if part), len(version) - 1)
        return version[:kept + 1]

    locked = {}
    for package in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]:
        if "source" in package and "-" not in package["version"].split("+")[0]:
            version = numbers(package["version"])
            locked[package["name"], series(version)] = version
    asked, wrong = 0, []
    listed = json.loads(cargo("metadata", "--locked", "--offline", "--no-deps", "--format-version", "1"))
    for package in listed["packages"]:
        for one in package["dependencies"]:
            if one["source"] is None:
                continue
            asked += 1
            caret = re.fullmatch(r"\^(\d+\.\d+\.\d+)", one["req"])
            oldest = caret and numbers(caret[1])
            if not oldest or oldest > locked.get((one["name"], series(oldest)), ()):
                wrong.append((package["name"], one["name"], one["req"]))
    assert asked > 50 and wrong == []


def test_archives_are_where_binstall_looks():
    program = next(package for package in published() if package["name"] == "wald-cli")
    binstall = program["metadata"]["binstall"]
    matrix = yaml.safe_load(
        (ROOT / ".github/workflows/release.yml").read_text())["jobs"]["programs"]["strategy"]["matrix"]
    targets = {one["target"] for one in matrix["include"]}
    for platform, override in binstall["overrides"].items():
        address = override.get("pkg-url", binstall["pkg-url"]).replace("{ target }", platform)
        assert any(f"-{target}{{ archive-suffix }}" in address for target in targets), platform


def test_archives_have_manual_pages_and_completions():
    steps = yaml.safe_load(
        (ROOT / ".github/workflows/release.yml").read_text())["jobs"]["programs"]["steps"]
    packing = next(step["run"] for step in steps if step.get("name") == "Pack it")
    for words in ["man", *(f"completions {shell}" for shell in ("bash", "fish", "powershell", "zsh"))]:
        assert f'"$wald" {words} ' in packing, words
    formula = (ROOT / "packaging/homebrew/wald.rb").read_text()
    assert '"man", man1' in formula and 'generate_completions_from_executable(bin/"wald"' in formula


def allows(expression, allowed):
    """Whether a licence expression of SPDX (or the older form with a slash) has an allowed choice."""
    expression = expression.replace("/", " OR ")
    parts = re.findall(r"\(|\)|AND|OR|[^()\s]+(?: WITH [^()\s]+)?", expression)
    # Nothing but these words and truth values is evaluated.
    words = {"(": "(", ")": ")", "AND": "and", "OR": "or"}
    return eval(" ".join(words.get(part, str(part in allowed)) for part in parts))


def test_licences_of_dependencies_are_allowed():
    allowed = set(tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"])
    assert allows("MIT AND (Unknown OR Zlib)", allowed) and not allows("MIT AND Unknown", allowed)
    refused = {package["name"]: package["license"] for package in metadata()["packages"]
               if not (package["license"] and allows(package["license"], allowed))}
    assert refused == {}


def test_dependencies_come_from_the_registry_of_rust():
    sources = {package["source"] for package in metadata()["packages"]} - {None}
    assert sources == {"registry+https://github.com/rust-lang/crates.io-index"}


def test_installations_bring_what_examples_need():
    """A page on how to install the Python package names the extras that its first example needs."""
    known = set(tomllib.loads((ROOT / "python/pyproject.toml").read_text())["project"]["optional-dependencies"])
    needs = {"as_frame=True": "frames", ".to_pandas(": "frames", ".to_shap(": "shap", ".plot(": "plot"}
    pages = [ROOT / "README.md", ROOT / "python/README.md", *(ROOT / "docs").rglob("*.md")]
    n_pages = 0
    for page in pages:
        text = page.read_text()
        example = re.search(r"^```python\n(.*?)^```$", text, re.M | re.S)
        needed = {extra for word, extra in needs.items() if example and word in example[1]}
        for named in re.findall(r'pip install "?\./python(?:\[([\w,]+)\])?', text):
            extras = set(filter(None, named.split(",")))
            assert needed <= extras <= known, page
            n_pages += 1
    assert n_pages == 4
