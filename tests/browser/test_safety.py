"""The page loads nothing, runs only its own scripts and shows hostile names as they are."""

import re

import pytest
from conftest import PAGES

NO_NAME = "(no name)"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scripts", [True, False])
def test_page_does_nothing_but_show(visit, name, scripts):
    # `visit` fails on messages, requests, dialogs and policy violations.
    with visit(name, scripts=scripts) as page:
        closed = page.locator("details:not([open]) > summary:visible")
        if closed.count():
            closed.first.click()
        page.evaluate("""[...document.querySelectorAll('details:not([open]) > summary')].slice(0, 20)
            .filter((summary) => summary.checkVisibility()).forEach((summary) => summary.click())""")
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
        for figure in page.locator("figure:visible").all()[:6]:
            figure.hover()
        page.mouse.wheel(0, 20_000)
        if scripts:
            page.evaluate("document.querySelectorAll('th button, .more').forEach((b) => b.click())")


@pytest.mark.parametrize("name", PAGES)
def test_page_holds_only_its_own_elements(visit, name):
    with visit(name) as page:
        kinds = page.evaluate("[...document.scripts].map((s) => [s.type, s.src])")
        assert kinds == [["", ""]]
        outside = "img, iframe, object, embed, video, audio, link, base, form, a:not([href^='#'])"
        assert page.locator(outside).count() == 0
        handlers = """[...document.querySelectorAll('*')].flatMap((element) =>
            [...element.attributes].map((a) => a.name).filter((name) => name.startsWith('on')))"""
        assert page.evaluate(handlers) == []


def test_the_watch_sees_misdeeds(visit):
    """The page's policy stops what a hole in the escaping would let in, and the tests see it."""
    attack = """document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>');
        const script = document.createElement('script');
        script.textContent = 'alert(1)';
        document.body.append(script);"""
    with pytest.raises(AssertionError, match="policy: "), visit("single") as page:
        page.evaluate(attack)
    with pytest.raises(AssertionError, match="dialog: "), visit("single") as page:
        page.evaluate("alert(1)")


def test_eval_is_forbidden(visit):
    refused = "() => { try { (0, eval)('1') } catch (error) { return error.name } }"
    with pytest.raises(AssertionError, match="policy: script-src"), visit("single") as page:
        # Asked for from a timer: what the test itself evaluates is exempt from the policy.
        name = page.evaluate(f"new Promise((done) => setTimeout(() => done(({refused})()), 0))")
        assert name == "EvalError"


@pytest.mark.parametrize("scripts", [True, False])
def test_names_are_shown_as_they_are(visit, report, scripts):
    meant = report("hostile")
    with visit("hostile", scripts=scripts) as page:
        for i, measure in enumerate(meant["measures"]):
            names = [variable["name"] or NO_NAME for variable in measure["ranking"]]
            assert page.locator(f"#ranking-{i + 1} tbody th bdi").all_text_contents() == names
        headings = page.locator("article.variable h3 bdi").all_text_contents()
        pages = [variable["name"] or NO_NAME for variable in meant["variables"]]
        assert headings == pages
        columns = [column["name"] or NO_NAME for column in meant["data"]["columns"]]
        assert page.locator(".columns-table tbody th bdi").all_text_contents() == columns
        assert page.title().strip() == meant["title"]
        assert page.locator("#command").evaluate("e => e.textContent") == meant["command"]
        assert page.locator("h1").evaluate("e => e.textContent") == meant["title"]
        assert page.locator(".confusion tbody th bdi").all_text_contents() == [
            name or NO_NAME for name in meant["forest"]["confusion"]["classes"]]


def test_scripts_show_names_as_they_are(visit, report):
    meant = report("hostile")
    names = [variable["name"] for variable in meant["measures"][0]["ranking"]]
    flat = lambda name: re.sub(r"[\s\ufeff]+", " ", name).strip() or "(no name)"  # noqa: E731
    cut = lambda text, name: text == flat(name) or (  # noqa: E731
        text.endswith("…") and flat(name).startswith(text[:-1]))
    with visit("hostile") as page:
        options = page.locator("#chooser option").all_text_contents()
        pages = [variable["name"] for variable in meant["variables"]]
        for option, name in zip(options, pages, strict=True):
            assert cut(option, name), name
        page.locator("#ranks").scroll_into_view_if_needed()
        page.locator("#ranks svg").wait_for()
        page.locator("#ranks figure").focus()
        for name in names:
            page.keyboard.press("ArrowLeft")
            said = page.locator("#ranks .status").evaluate("e => e.textContent").split(": rank ")[0]
            assert cut(said, name), name
        page.locator("#dependence figure").focus()
        page.keyboard.press("ArrowDown")
        said = page.locator("#map-status").evaluate("e => e.textContent")
        first, second = meant["dependence"]["variables"][:2]
        assert said.startswith(f"{flat(first)[:70]}") and flat(second)[:70] in said
        page.locator("#ranking-1 tbody td.plot").first.hover()
        assert flat(names[0])[:60] in page.locator(".tip").evaluate("e => e.textContent")


def test_long_names_are_cut_for_the_eye_only(visit):
    with visit("hostile") as page:
        long = page.locator("#all-variables bdi", has_text="unbrokenunbroken").first
        box = long.evaluate("e => [e.getBoundingClientRect().width, e.title.length]")
        assert box[0] <= 320
        assert box[1] == 5000


def test_pictures_hold_the_names(visit, report):
    meant = report("hostile")["explanations"]
    with visit("hostile") as page:
        swarm = page.locator("#rows figure.picture").first
        assert swarm.locator("text").count() > len(meant["variables"])
        text = swarm.evaluate("e => e.textContent")
        for variable in meant["variables"]:
            words = re.sub(r"[\s\ufeff]+", " ", variable["name"]).strip() or "(no name)"
            words = re.sub("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "\ufffd", words)
            assert words in text or f"{words[:10]}" in text, words
        shown = page.locator("#rows table.values").first.locator("tbody th bdi").all_text_contents()
        assert shown == [variable["name"] or NO_NAME for variable in meant["variables"]]
