"""The page loads nothing, runs only its own scripts and shows hostile names as they are."""

import json
import re

import pytest
from conftest import NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scripts", [True, False])
def test_page_does_nothing_but_show(visit, name, scripts):
    # `visit` fails on messages, requests, dialogs and policy violations.
    with visit(name, scripts=scripts) as page:
        closed = page.locator("details:not([open]) > summary:visible")
        while closed.count():
            closed.first.click()
        for figure in page.locator("figure.chart:visible").all()[:4]:
            figure.hover()
        page.mouse.wheel(0, 20_000)
        if scripts:
            for button in page.locator("th button").all():
                button.click()


@pytest.mark.parametrize("name", NAMES)
def test_page_holds_only_its_own_elements(visit, name):
    with visit(name) as page:
        kinds = page.evaluate("[...document.scripts].map((s) => [s.type, s.src])")
        assert kinds == [["application/json", ""], ["", ""], ["", ""]]
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
            names = [variable["name"] for variable in measure["ranking"]]
            shown = page.locator(f"#measure-{i + 1} table.ranking th bdi")
            assert [e.evaluate("e => e.textContent") for e in shown.all()] == names
        columns = [column["name"] for column in meant["data"]["columns"]]
        shown = page.locator(".columns-table tbody th bdi").all()
        assert [e.evaluate("e => e.textContent") for e in shown] == columns
        assert page.title().strip() == meant["title"]
        assert page.locator("#command").evaluate("e => e.textContent") == meant["command"]
        assert page.locator("h1").evaluate("e => e.textContent") == meant["title"]
        classes = page.locator(".confusion tbody th bdi").all()
        assert [e.evaluate("e => e.textContent") for e in classes] == meant["forest"]["confusion"]["classes"]


def test_charts_hold_the_names(visit, report):
    names = [variable["name"] for variable in report("hostile")["measures"][0]["ranking"]]
    with visit("hostile") as page:
        ticks = page.locator("#measure-1 .axis-name").all()
        titles = [tick.evaluate("e => e.querySelector('title').textContent") for tick in ticks]
        assert titles == [name or "(no name)" for name in names]
        drawn = [tick.evaluate("e => e.firstChild.textContent") for tick in ticks]
        for name, text in zip(names, drawn, strict=True):
            plain = re.sub(r"[\s\ufeff]+", " ", name) or "(no name)"
            assert text == plain or (text.endswith("…") and plain.startswith(text[:-1])), text


def test_data_block_is_inert_and_complete(visit, report):
    meant = report("hostile")
    with visit("hostile") as page:
        text = page.locator("#report-data").evaluate("e => e.textContent")
        assert not set("<>&\u2028\u2029") & set(text)
        data = json.loads(text)
    for measure, ranking in zip(meant["measures"], data["rankings"], strict=True):
        for variable, row in zip(measure["ranking"], ranking["rows"], strict=True):
            assert data["names"][row[0]] == variable["name"]
            assert row[1:] == [variable["value"], variable["low"], variable["high"]]


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
        rows = page.locator("#rows table.values").first.locator("tbody th bdi").all()
        shown = [row.evaluate("e => e.textContent") for row in rows]
        assert shown == [variable["name"] for variable in meant["variables"]]
