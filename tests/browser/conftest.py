"""Opens report pages, and the site, in Chromium and watches what they do.

Run as `python -m pytest tests/browser` with WALD_HTML_SAMPLES=DIR, where DIR was filled by
`cargo run -p wald-html --example sample_report -- DIR`. Needs Debian's `chromium` (or the path
of another one in CHROMIUM) and the packages of `requirements.txt`; no browser is downloaded. The
script of `package.json` is named by WALD_AXE, the folder of the site by WALD_SITE.
"""

import json
import os
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

NAMES = [
    "regression",
    "binary",
    "multiclass",
    "many_classes",
    "hostile",
    "wide",
    "broad",
    "single",
    "undefined",
    "bare",
]

# Pages of reports, and others in their style.
PAGES = [*NAMES, "few_runs"]

# Runs before the page's own scripts; the page's policy does not reach it.
WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});
"""


@pytest.fixture(scope="session")
def samples():
    """The folder of the sample pages."""
    folder = os.environ.get("WALD_HTML_SAMPLES")
    if not folder:
        pytest.fail("WALD_HTML_SAMPLES does not name the folder of the sample pages")
    folder = Path(folder).resolve()
    missing = [name for name in PAGES if not (folder / f"{name}.html").is_file()]
    assert not missing, f"no pages {missing} in {folder}"
    return folder


@pytest.fixture(scope="session")
def axe():
    """The script that looks for obstacles to readers."""
    script = os.environ.get("WALD_AXE")
    if not script:
        pytest.fail("WALD_AXE does not name the script axe.min.js")
    return Path(script).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield chromium
        chromium.close()


@pytest.fixture
def report(samples):
    """Reads the report that a page was made from."""
    return lambda name: json.loads((samples / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def visit(browser, samples):
    """Opens a page in a fresh context; fails if it misbehaves until it is closed."""

    @contextmanager
    def visit(name, width=1280, height=900, scripts=True, scheme="light", permissions=()):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            java_script_enabled=scripts,
            color_scheme=scheme,
            permissions=list(permissions),
        )
        page = context.new_page()
        page.set_default_timeout(20_000)
        url = (samples / f"{name}.html").as_uri()
        misdeeds = []

        def dismiss(dialog):
            misdeeds.append(f"dialog: {dialog.message}")
            dialog.dismiss()

        def request(sent):
            if sent.url != url:
                misdeeds.append(f"request: {sent.url}")

        page.on("console", lambda message: misdeeds.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: misdeeds.append(f"error: {error}"))
        page.on("dialog", dismiss)
        page.on("request", request)
        page.on("popup", lambda popup: misdeeds.append(f"popup: {popup.url}"))
        page.add_init_script(WATCH)
        page.goto(url)
        try:
            yield page
            page.wait_for_timeout(100)
            if scripts:
                misdeeds += [f"policy: {entry}" for entry in page.evaluate("window.violations")]
            assert page.url.split("#")[0] == url, f"the page went to {page.url}"
            assert not misdeeds, misdeeds
        finally:
            context.close()

    return visit
