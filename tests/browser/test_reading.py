"""What the page shows is what the report says, with scripts and without."""

import math
import re

import pytest
from conftest import NAMES

SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def number(text):
    """Reads a number back from the page."""
    text = text.strip().replace("−", "-").replace("\u202f", "")
    mantissa, _, exponent = text.partition("×10")
    return float(mantissa) * 10.0 ** int(exponent.translate(SUPERSCRIPTS) or 0)


def agrees(text, value, digits=4):
    if value is None:
        # JSON has no infinity: the sample report holds one on purpose.
        return text in {"–", "∞"}
    if value == 0:
        return text == "0"
    unit = 10.0 ** (math.floor(math.log10(abs(value))) + 1 - digits)
    return abs(number(text) - value) <= 0.5001 * unit


def has(measure, key):
    return any(variable.get(key) is not None for variable in measure["ranking"])


def cells(locator):
    rows = "(table) => [...table.tBodies[0].rows].map((r) => [...r.cells].map((c) => c.textContent))"
    return locator.evaluate(rows)


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_rankings_show_the_numbers(visit, report, name, scripts):
    meant = report(name)
    with visit(name, scripts=scripts) as page:
        assert page.locator("article.measure").count() == len(meant["measures"])
        for i, measure in enumerate(meant["measures"]):
            tables = page.locator(f"#measure-{i + 1} table.ranking").all()
            rows = [row for table in tables for row in cells(table)]
            assert len(rows) == len(measure["ranking"])
            for row, variable in zip(rows, measure["ranking"], strict=True):
                assert row[0] == str(variable["rank"])
                assert agrees(row[3], variable["value"]), (row, variable)
                rest = row[4:]
                if has(measure, "standard_error"):
                    error, low, high, *rest = rest
                    assert agrees(error, variable["standard_error"], digits=2), (row, variable)
                    assert agrees(low, variable["low"]), (row, variable)
                    assert agrees(high, variable["high"]), (row, variable)
                if has(measure, "p_value"):
                    p_value, *rest = rest
                    assert agrees(p_value, variable["p_value"], digits=2), (row, variable)
                assert rest == []


@pytest.mark.parametrize("name", ["regression", "binary", "undefined", "wide"])
def test_table_of_all_variables(visit, report, name):
    meant = report(name)
    with visit(name) as page:
        rows = {row[0]: row[1:] for row in cells(page.locator("#all-variables"))}
    column = 0
    for measure in meant["measures"]:
        keys = [key for key in ["standard_error", "p_value"] if has(measure, key)]
        for variable in measure["ranking"]:
            row = rows[variable["name"]]
            assert row[column] == str(variable["rank"])
            assert agrees(row[column + 1], variable["value"])
            for cell, key in zip(row[column + 2 :], keys, strict=False):
                assert agrees(cell, variable[key], digits=2), (row, variable)
        column += 2 + len(keys)
    assert len(rows) == len(meant["data"]["columns"])


@pytest.mark.parametrize("scripts", [True, False])
def test_words_and_figures(visit, report, scripts):
    meant = report("binary")
    forest = meant["forest"]
    with visit("binary", scripts=scripts) as page:
        text = page.locator("body").inner_text()
        for measure in meant["measures"]:
            for key in ["name", "estimand", "caveat", "source", "data", "unit", "id"]:
                assert measure[key] in text, key
        assert meant["measures"][0]["interval"] in text
        assert meant["methods"] in text
        assert meant["command"] in text
        for citation in meant["citations"]:
            assert citation["text"] in text
        for notice in meant["data"]["notices"]:
            assert notice["message"] in text
        leader = meant["measures"][0]["ranking"][0]
        reading = page.locator("#reading .prose").inner_text()
        assert leader["name"] in reading
        assert agrees(page.locator("#reading .figure").first.inner_text(), leader["value"])
        quality = cells(page.locator("#forest table").first)
        for row, error in zip(quality, forest["errors"], strict=False):
            assert row[0] == error["name"]
            assert agrees(row[1], error["value"])
        assert agrees(quality[-1][1], forest["auc"])
        matrix = cells(page.locator("table.confusion"))
        counts = [[int(cell) for cell in row[1:]] for row in matrix]
        assert counts == forest["confusion"]["counts"]


def test_undefined_is_said(visit):
    with visit("undefined") as page:
        dashes = page.locator("td .undefined, dd .undefined").all()
        assert len(dashes) > 10
        assert {dash.text_content() for dash in dashes} == {"–"}
        assert {dash.get_attribute("title") for dash in dashes} == {"undefined"}
        text = page.locator("body").evaluate("e => e.innerText")
        assert not re.search(r"\b(NaN|null|None|inf)\b", text)


def test_without_scripts_everything_is_open(visit, report):
    with visit("regression", scripts=False) as page:
        assert page.locator("table.ranking").first.is_visible()
        assert page.locator("table.ranking svg circle").first.is_visible()
        n = len(report("regression")["data"]["columns"])
        assert page.locator("#measure-1 table.ranking circle").count() == n
        assert page.locator("figure.chart:visible").count() == 0
        assert page.locator("button:visible").count() == 0
        widths = page.locator("#measure-1 td.plot svg").evaluate_all(
            "all => all.map((svg) => svg.getBoundingClientRect().width)")
        assert min(widths) > 100


def test_bars_stand_where_the_numbers_say(visit, report):
    ranking = report("regression")["measures"][1]["ranking"]
    ends = [v[key] for v in ranking for key in ("value", "low", "high")] + [0]
    low, high = min(ends), max(ends)
    with visit("regression", scripts=False) as page:
        table = page.locator("#measure-2 table.ranking")
        for i, variable in enumerate(ranking):
            svg = table.locator("tbody tr").nth(i).locator("svg")
            for selector, attribute, key in [("circle", "cx", "value"), (".interval", "x1", "low"),
                                             (".interval", "x2", "high")]:
                position = float(svg.locator(selector).get_attribute(attribute).rstrip("%"))
                expected = 2 + 96 * (variable[key] - low) / (high - low)
                assert position == pytest.approx(expected, abs=0.06)
