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


class Column:
    """Numbers of a table whose largest has four digits, and the others as many decimals; undefined and
    very large or small columns have four digits each."""

    def __init__(self, values):
        known = [abs(one) for one in values if one is not None]
        # An infinite value, which JSON has not, makes a large column.
        self.has_undefined = len(known) < len(values)
        self.decimals = None
        if known and all(one == round(one) for one in known) and max(known) < 1e7:
            self.decimals = 0
        elif known and max(known) > 0:
            magnitude = math.floor(math.log10(max(known)))
            if -5 <= magnitude < 7:
                self.decimals = max(0, 3 - magnitude)

    def agrees(self, text, value):
        if value is None or self.decimals is None or (self.has_undefined and agrees(text, value)):
            return agrees(text, value)
        shown = text.strip()
        return (len(shown.partition(".")[2]) == self.decimals
                and abs(number(shown) - value) <= 0.5001 * 10.0 ** -self.decimals)


def is_p_value(text, value):
    return text == ("–" if value is None else "<0.0001" if value < 1e-4 else f"{value:.4f}")


def has(measure, key):
    return any(variable.get(key) is not None for variable in measure["ranking"])


def cells(locator):
    rows = "(table) => [...table.tBodies[0].rows].map((r) => [...r.cells].map((c) => c.textContent))"
    return locator.evaluate(rows)


def show_all(page):
    """Rows that wait come when asked; without scripts they stand in tables of their own."""
    page.evaluate("document.querySelectorAll('.more').forEach((button) => button.click())")


def ranks(sampling):
    low, high = sampling["lowest_rank"], sampling["highest_rank"]
    return str(low) if low == high else f"{low}–{high}"


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_rankings_show_the_numbers(visit, report, name, scripts):
    meant = report(name)
    with visit(name, scripts=scripts) as page:
        assert page.locator("article.measure").count() == len(meant["measures"])
        if scripts:
            show_all(page)
        for i, measure in enumerate(meant["measures"]):
            tables = page.locator(f"#measure-{i + 1} table.ranking").all()
            rows = [row for table in tables for row in cells(table)]
            assert len(rows) == len(measure["ranking"])
            values = Column([variable["value"] for variable in measure["ranking"]])
            with_ranks, with_errors, with_p_values = (
                has(measure, key) for key in ["sampling", "standard_error", "p_value"])
            for row, variable in zip(rows, measure["ranking"], strict=True):
                assert row[0] == str(variable["rank"])
                assert values.agrees(row[3], variable["value"]), (row, variable)
                rest = row[4:]
                sampling = variable.get("sampling")
                if with_ranks:
                    assert rest.pop(0) == ranks(sampling)
                if with_errors:
                    error, low, high, *rest = rest
                    assert values.agrees(error, variable["standard_error"]), (row, variable)
                    assert values.agrees(low, variable["low"]), (row, variable)
                    assert values.agrees(high, variable["high"]), (row, variable)
                if with_ranks:
                    error, low, high, *rest = rest
                    assert values.agrees(error, sampling["standard_error"]), (row, variable)
                    assert values.agrees(low, sampling["low"]), (row, variable)
                    assert values.agrees(high, sampling["high"]), (row, variable)
                if with_p_values:
                    p_value, *rest = rest
                    assert is_p_value(p_value, variable["p_value"]), (row, variable)
                assert rest == []


@pytest.mark.parametrize("name", ["regression", "binary", "undefined", "wide"])
def test_table_of_all_variables(visit, report, name):
    meant = report(name)
    clusters = (meant.get("dependence") or {}).get("clusters", [])
    with visit(name) as page:
        rows = {row[0]: row[1:] for row in cells(page.locator("#all-variables"))}
    if clusters:
        group = {name: str(k) for k, names in enumerate(clusters, 1) for name in names}
        assert {name: row.pop(0) for name, row in rows.items()} == {
            name: group.get(name, "") for name in rows}
    for k, measure in enumerate(meant["measures"]):
        values = Column([variable["value"] for variable in measure["ranking"]])
        for variable in measure["ranking"]:
            rank, value = rows[variable["name"]][2 * k : 2 * k + 2]
            assert rank == str(variable["rank"])
            assert values.agrees(value, variable["value"])
    assert len(rows) == len(meant["data"]["columns"])


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("name", ["regression", "broad"])
def test_parts_show_their_numbers(visit, report, name, scripts):
    meant = report(name)
    found = meant["disagreement"]
    with visit(name, scripts=scripts) as page:
        if scripts:
            show_all(page)

        def rows(label):
            tables = page.locator(f"[aria-label^='{label}'] table").all()
            return [row for table in tables for row in cells(table)]

        terms, bags = rows("Terms of the permutation"), rows("Impurity decreases in bag")
        sentences = rows("Variables in words")
        for k, variable in enumerate(found["variables"]):
            term, bag = variable["decomposition"], variable["overfitting"]
            assert terms[k][0] == bags[k][0] == sentences[k][0] == variable["name"]
            for cell, key in zip(terms[k][2:], ["total_sobol", "full_total_sobol", "third"], strict=True):
                assert agrees(cell, term[key])
            for cell, key in zip(bags[k][2:], ["in_bag", "out_of_bag"], strict=True):
                assert agrees(cell, bag[key])
            assert sentences[k][1:] == [str(variable["rank_spread"]), variable["sentence"]]
        shares = [v for v in found["variables"] if v["masking"]]
        for row, variable in zip(rows("Shares of importance by mtry, table"), shares, strict=True):
            assert row[0] == variable["name"]
            for cell, point in zip(row[1:], variable["masking"], strict=True):
                assert agrees(cell, point["share"])
        partners = [(v, p) for v in found["variables"] for p in v["partners"]]
        for row, (variable, partner) in zip(rows("Partners"), partners, strict=True):
            assert row[:2] == [variable["name"], partner["name"]]
            assert agrees(row[2], partner["alone"]) and agrees(row[3], partner["together"])
        points = meant["selection"]["points"]
        errors = Column([point["error"] for point in points])
        for row, point in zip(rows("Errors by number of variables"), points, strict=True):
            assert row[0] == str(point["n_variables"])
            assert errors.agrees(row[1], point["error"])
            assert errors.agrees(row[2], point["standard_error"])
        curve = meant["variables"][0]["curves"][0]
        text = page.locator("#variable-1 pre").first.evaluate("e => e.textContent")
        lines = [line.split(",") for line in text.strip().split("\n")]
        assert len(lines[0]) == 2 + len(curve["rows"])
        for k, line in enumerate(lines[1:]):
            numbers = [curve["places"]["values"][k], curve["mean"][k], *(r[k] for r in curve["rows"])]
            for cell, number_meant in zip(line, numbers, strict=True):
                assert float(cell) == pytest.approx(number_meant, rel=1e-3, abs=1e-12)


def test_pairs_are_told(visit, report):
    for name in ["regression", "broad"]:
        values = report(name)["dependence"]["values"]
        with visit(name, scripts=False) as page:
            pairs = page.locator("#pairs")
            if name == "regression":
                told = [row[1:] for row in cells(pairs)]
            else:
                text = pairs.evaluate("e => e.textContent").strip()
                told = [line.split(",")[1:] for line in text.split("\n")]
            assert len(told) == len(values)
            for i, row in enumerate(told):
                for j in range(i):
                    assert float(row[j]) == pytest.approx(values[i][j], abs=0.0051)


@pytest.mark.parametrize("scripts", [True, False])
def test_words_and_figures(visit, report, scripts):
    meant = report("binary")
    forest = meant["forest"]
    with visit("binary", scripts=scripts) as page:
        # What has not come near the window has no text that a browser shows.
        text = page.locator("main").text_content()
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
        reading = page.locator("#answer .reading").inner_text()
        assert leader["name"] in reading
        assert agrees(page.locator("#answer .reading .figure").first.inner_text(), leader["value"])
        for sentence in meant["advice"]["summary"] + meant["disagreement"]["summary"]:
            assert sentence in text
        quality = cells(page.locator("#forest table").first)
        for row, error in zip(quality, forest["errors"], strict=False):
            assert row[0] == error["name"]
            assert agrees(row[1], error["value"])
        assert agrees(quality[-1][1], forest["auc"])
        matrix = cells(page.locator("table.confusion"))
        counts = [[int(cell) for cell in row[1:]] for row in matrix]
        assert counts == forest["confusion"]["counts"]


@pytest.mark.parametrize("scripts", [True, False])
def test_the_answer_names_groups_and_their_members(visit, report, scripts):
    answer = report("multiclass")["answer"]
    with visit("multiclass", scripts=scripts) as page:
        section = page.locator("#answer")
        assert section.locator("p").first.inner_text() == answer["sentences"][0]
        rows = section.locator("#shares tbody tr").all()
        meant = []
        for entry in answer["entries"]:
            meant.append(entry)
            meant.extend(entry["members"])
        assert len(rows) == len(meant)
        shares = Column([entry["share"] for entry in meant])
        for row, entry in zip(rows, meant, strict=True):
            assert entry["name"] in row.inner_text()
            shown = row.locator("td:not(.plot)").first.inner_text()
            assert shares.agrees(shown, entry["share"])
            assert row.locator("circle:not(.hollow)").count() == 1
            first = entry.get("first_order")
            assert row.locator("circle.hollow").count() == (first is not None)
            if first is not None:
                by_itself = row.locator("td:not(.plot)").nth(3)
                assert shares.agrees(by_itself.inner_text(), first["share"])


def test_undefined_is_said(visit):
    with visit("undefined") as page:
        dashes = page.locator("td .undefined, dd .undefined").all()
        assert len(dashes) > 10
        assert {dash.text_content() for dash in dashes} == {"–"}
        assert {dash.get_attribute("title") for dash in dashes} == {"undefined"}
        text = page.locator("main").text_content()
        assert not re.search(r"\b(NaN|null|None|inf)\b", text)


def test_without_scripts_everything_is_open(visit, report):
    meant = report("regression")
    with visit("regression", scripts=False) as page:
        n = len(meant["data"]["columns"])
        assert page.locator("#measure-1 table.ranking circle").count() == n
        assert page.locator("#measure-1 table.ranking circle").first.is_visible()
        assert page.locator("button:visible, select:visible, input:visible").count() == 0
        widths = page.locator("#measure-1 td.plot svg").evaluate_all(
            "all => all.map((svg) => svg.getBoundingClientRect().width)")
        assert min(widths) > 100
        assert page.locator("article.variable:visible").count() == len(meant["variables"])
    with visit("wide", scripts=False) as page:
        page.locator("#measure-1 summary", has_text="The others of 1000").click()
        assert page.locator("#measure-1 tbody tr:visible").count() == 1000
