"""The charts, the sortable table and the other comforts that scripts add."""

import pytest
from conftest import NAMES

DOTS = 'g[aria-label="dot"] circle'


@pytest.mark.parametrize("name", NAMES)
def test_every_value_has_a_dot(visit, report, name):
    with visit(name) as page:
        for i, measure in enumerate(report(name)["measures"]):
            chart = page.locator(f"#measure-{i + 1} figure.chart")
            first = measure["ranking"][:30]
            assert chart.is_visible()
            assert chart.locator(DOTS).count() == sum(v["value"] is not None for v in first)
            assert chart.locator(".axis-name").count() == len(first)
            assert measure["name"] in chart.locator("svg").get_attribute("aria-label")
            assert chart.locator("figcaption").inner_text() == measure["unit"]


@pytest.mark.parametrize("width", [1280, 390])
def test_dots_stand_where_the_numbers_say(visit, report, width):
    ranking = report("binary")["measures"][0]["ranking"]
    with visit("binary", width=width) as page:
        chart = page.locator("#measure-1 figure.chart")
        centres = [float(dot.get_attribute("cx")) for dot in chart.locator(DOTS).all()]
        assert centres == sorted(centres, reverse=True)
        values = [variable["value"] for variable in ranking]
        slope = (centres[0] - centres[-1]) / (values[0] - values[-1])
        for value, centre in zip(values, centres, strict=True):
            assert centre == pytest.approx(centres[-1] + slope * (value - values[-1]), abs=0.01)
        bars = chart.locator('g[aria-label="rule"][stroke="var(--interval)"] line').all()
        assert len(bars) == len(ranking)
        for bar, variable in zip(bars, ranking, strict=True):
            length = float(bar.get_attribute("x2")) - float(bar.get_attribute("x1"))
            assert length == pytest.approx(slope * (variable["high"] - variable["low"]), abs=0.01)


def test_all_of_a_thousand_variables(visit):
    with visit("wide") as page:
        article = page.locator("#measure-1")
        more = article.locator("button.more")
        assert more.inner_text() == "Show all 1000 variables"
        more.click()
        assert article.locator(DOTS).count() == 1000
        more.click()
        assert article.locator(DOTS).count() == 30


def test_a_dot_tells_its_numbers(visit, report):
    first = report("binary")["measures"][0]["ranking"][0]
    with visit("binary") as page:
        chart = page.locator("#measure-1 figure.chart")
        chart.scroll_into_view_if_needed()
        chart.locator(DOTS).first.hover()
        tip = chart.locator('g[aria-label="tip"]')
        tip.locator("text").wait_for()
        text = tip.text_content()
        assert first["name"] in text
        assert "Standard error" in text


def test_convergence(visit, report):
    points = report("regression")["forest"]["convergence"]
    with visit("regression") as page:
        path = page.locator('[data-convergence] g[aria-label="line"] path')
        assert path.count() == 1
        assert path.get_attribute("d").count("L") >= len(points) - 1
    with visit("bare") as page:
        assert page.locator("[data-convergence]").count() == 0


def column(page, index):
    return page.locator("#all-variables").evaluate(
        "(table, i) => [...table.tBodies[0].rows].map((row) => row.cells[i].textContent)", index)


def test_sorting(visit, report):
    names = [variable["name"] for variable in report("binary")["measures"][0]["ranking"]]
    with visit("binary") as page:
        heads = page.locator("#all-variables th button")
        assert column(page, 0) == names
        # The second measure's ranks stand after rank, value and error of the first.
        heads.nth(2).click()
        ranks = [int(rank) for rank in column(page, 4)]
        assert ranks == list(range(1, 31))
        heads.nth(2).click()
        assert [int(rank) for rank in column(page, 4)] == ranks[::-1]
        assert page.locator("th[aria-sort]").count() == 1
        heads.nth(0).focus()
        page.keyboard.press("Enter")
        assert column(page, 0) == sorted(names, key=str.lower)
        heads.nth(1).click()
        assert column(page, 0) == names


def test_finding(visit):
    with visit("wide") as page:
        page.get_by_label("Find a variable").fill("GENE_012")
        visible = page.locator("#all-variables tbody tr:visible")
        assert visible.count() == 10
        page.get_by_label("Find a variable").fill("")
        assert visible.count() == 1000


def test_copying(visit, report):
    meant = report("regression")
    with visit("regression", permissions=["clipboard-read", "clipboard-write"]) as page:
        page.get_by_role("button", name="Copy command").click()
        page.get_by_role("button", name="Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()").strip() == meant["command"]
        page.get_by_role("button", name="Copy text and references").click()
        page.get_by_role("button", name="Copied").first.wait_for()
        page.wait_for_timeout(50)
        copied = page.evaluate("navigator.clipboard.readText()")
        assert meant["methods"] in copied
        assert meant["citations"][1]["text"] in copied


def test_charts_follow_the_window(visit):
    with visit("single") as page:
        svg = page.locator("#measure-1 figure.chart svg")
        wide = svg.evaluate("e => e.getBoundingClientRect().width")
        page.set_viewport_size({"width": 500, "height": 800})
        page.wait_for_timeout(400)
        narrow = page.locator("#measure-1 figure.chart svg").get_attribute("width")
        assert float(narrow) < 500 < wide


def test_a_thousand_variables_open(visit):
    with visit("wide") as page:
        names = page.locator("#measure-1 table tbody tr")
        assert names.count() == 1000
        assert page.locator("#measure-1 figure.chart svg").count() == 1


def places(path):
    """Centres of the dots of a path."""
    steps = path.get_attribute("d").removeprefix("M").removesuffix("h0").split("h0M")
    return [tuple(map(float, step.split(" "))) for step in steps]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scripts", [True, False])
def test_pictures_of_single_rows(visit, report, width, scripts):
    meant = report("multiclass")["explanations"]
    with visit("multiclass", width=width, scripts=scripts) as page:
        pictures = page.locator("#rows figure.picture")
        n_classes = len(meant["outputs"])
        shown = min(4, len(meant["variables"]))
        assert pictures.count() == n_classes * (1 + shown) + len(meant["waterfalls"])
        assert pictures.first.is_visible()
        # Words are never smaller than can be read, and what is too wide scrolls.
        for picture in pictures.all()[:3]:
            height = picture.locator("text").first.evaluate("e => e.getBoundingClientRect().height")
            assert height > 10
        for fall, bars in zip(meant["waterfalls"], pictures.all()[-len(meant["waterfalls"]) :],
                              strict=True):
            rects = bars.locator("rect.bar")
            n_bars = len(fall["contributions"]) + (fall["others"] is not None)
            assert rects.count() == n_bars
            widths = [float(rect.get_attribute("width")) for rect in rects.all()]
            amounts = [abs(part["amount"]) for part in fall["contributions"]]
            for bar, amount in zip(widths, amounts, strict=False):
                assert bar == pytest.approx(widths[0] * amount / amounts[0], abs=0.6)


def test_scattered_dots_stand_where_the_numbers_say(visit, report):
    meant = report("regression")["explanations"]
    variable, values = meant["variables"][0], meant["outputs"][0]["variables"][0]["values"]
    cells = variable["cells"]["values"]
    pairs = [(cell, value) for cell, value in zip(cells, values, strict=True) if cell is not None]
    with visit("regression") as page:
        dots = places(page.locator("#rows .pictures figure").first.locator("path.dots"))
    assert len(dots) == len(pairs)
    for axis in (0, 1):
        low, high = min(range(len(pairs)), key=lambda i: pairs[i][axis]), max(
            range(len(pairs)), key=lambda i: pairs[i][axis])
        slope = (dots[high][axis] - dots[low][axis]) / (pairs[high][axis] - pairs[low][axis])
        for dot, pair in zip(dots, pairs, strict=True):
            expected = dots[low][axis] + slope * (pair[axis] - pairs[low][axis])
            assert dot[axis] == pytest.approx(expected, abs=0.11)


def test_without_explanations_there_is_no_section(visit):
    with visit("wide") as page:
        assert page.locator("#rows").count() == 0
