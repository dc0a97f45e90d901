"""Pictures, and what scripts add: sorting, finding, choosing, pointing, copying."""

import re
from itertools import pairwise

import pytest


def attributes(marks, *names):
    """Numbers of marks, in percent or without a unit: a tuple a mark, fetched at once."""
    read = "(marks, names) => marks.map((mark) => names.map((name) => mark.getAttribute(name)))"
    rows = marks.evaluate_all(read, names)
    return [tuple(float(number.rstrip("%")) for number in row) for row in rows]


def centres(page, table):
    """Where the dots of a table's rows are, in percent."""
    return [x for (x,) in attributes(page.locator(f"{table} td.plot circle"), "cx")]


def test_dots_and_intervals_stand_where_the_numbers_say(visit, report):
    ranking = report("binary")["measures"][0]["ranking"]
    with visit("binary") as page:
        dots = centres(page, "#ranking-1")
        assert dots == sorted(dots, reverse=True)
        values = [variable["value"] for variable in ranking]
        slope = (dots[0] - dots[-1]) / (values[0] - values[-1])
        place = lambda value: dots[-1] + slope * (value - values[-1])  # noqa: E731
        for kind, low, high in [("trees", "low", "high"), ("both", "low", "high")]:
            bars = attributes(page.locator(f"#ranking-1 rect.{kind}"), "x", "width")
            for (start, width), variable in zip(bars, ranking, strict=True):
                ends = variable if kind == "trees" else variable["sampling"]
                assert start == pytest.approx(place(ends[low]), abs=0.11)
                assert start + width == pytest.approx(place(ends[high]), abs=0.16)
        for dot, value in zip(dots, values, strict=True):
            assert dot == pytest.approx(place(value), abs=0.11)


def test_stacked_terms_add_up(visit, report):
    meant = report("regression")["disagreement"]["variables"]
    with visit("regression") as page:
        zero = float(page.locator("#terms").get_attribute("style").split(":")[1].rstrip("%; "))
        rows = page.locator("#terms tbody tr").all()
        assert len(rows) == len(meant)
        slope = None
        for row, variable in zip(rows, meant, strict=True):
            terms = variable["decomposition"]
            terms = [terms["total_sobol"], terms["full_total_sobol"], terms["third"]]
            ends = {True: zero, False: zero}
            for number, term in enumerate(terms, 1):
                bar = row.locator(f"rect.part{number}")
                start, width = (float(bar.get_attribute(name).rstrip("%")) for name in ("x", "width"))
                slope = slope or width / abs(term)
                assert width == pytest.approx(abs(term) * slope, abs=0.3)
                # Terms above zero go on to the right, the others to the left.
                near = start if term >= 0 else start + width
                assert near == pytest.approx(ends[term >= 0], abs=0.4)
                ends[term >= 0] = start + width if term >= 0 else start


def test_a_thousand_variables_come_when_asked(visit):
    with visit("wide") as page:
        rows = page.locator("#ranking-1 tbody tr")
        assert rows.count() == 30
        page.get_by_role("button", name="Show all 1000 variables").first.click()
        assert rows.count() == 1000
        assert rows.nth(999).locator("td").first.text_content() == "1000"
        assert page.evaluate("document.activeElement.tagName") == "TR"
        assert page.locator("[data-rest='ranking-1'] button").count() == 0


def test_pointing_tells_numbers(visit, report):
    first = report("binary")["measures"][0]["ranking"][0]
    with visit("binary") as page:
        tip = page.locator(".tip")
        assert tip.is_hidden()
        page.locator("#ranking-1 tbody td.plot").first.hover()
        assert first["name"] in tip.inner_text()
        assert "Standard error" in tip.inner_text()
        page.keyboard.press("Escape")
        assert tip.is_hidden()
        bar = page.locator("#variable-1 rect").first
        bar.scroll_into_view_if_needed()
        bar.hover()
        assert "rows" in tip.inner_text()


def column(page, index, table="#all-variables"):
    return page.locator(table).evaluate(
        "(table, i) => [...table.tBodies[0].rows].map((row) => row.cells[i].textContent)", index)


def test_sorting(visit, report):
    names = [variable["name"] for variable in report("multiclass")["measures"][0]["ranking"]]
    with visit("multiclass") as page:
        heads = page.locator("#all-variables th button")
        assert column(page, 0) == names
        # The second measure's ranks stand behind rank and value of the first.
        page.locator("#all-variables th[data-measure] button").nth(1).click()
        ranks = [int(rank) for rank in column(page, 3)]
        assert ranks == list(range(1, 7))
        page.locator("#all-variables th[data-measure] button").nth(1).click()
        assert [int(rank) for rank in column(page, 3)] == ranks[::-1]
        assert page.locator("#all-variables th[aria-sort]").count() == 1
        heads.nth(0).focus()
        page.keyboard.press("Enter")
        assert column(page, 0) == sorted(names, key=str.lower)
        assert page.locator("#all-variables th[aria-sort]").get_attribute("aria-sort") == "ascending"


def test_sorting_looks_at_all_rows_and_at_numbers(visit, report):
    found = report("broad")["disagreement"]["variables"]
    with visit("broad") as page:
        page.locator("#terms th button", has_text="Third").click()
        shown = column(page, 0, "#terms")
        assert len(shown) == 200
        meant = sorted(found, key=lambda variable: variable["decomposition"]["third"])
        # Numbers are rounded on the page: the first ones differ by more.
        assert shown[:5] == [variable["name"] for variable in meant[:5]]


def test_finding_by_words_and_by_group(visit, report):
    with visit("wide") as page:
        find = page.locator("#all .find")
        find.get_by_label("Find").fill("GENE_012")
        visible = page.locator("#all-variables tbody tr:visible")
        assert visible.count() == 10
        assert find.locator("span[aria-live]").inner_text() == "10 of 1000"
        find.get_by_label("Find").fill("")
        find.get_by_label("Group").select_option("2")
        cluster = report("wide")["dependence"]["clusters"][1]
        names = visible.evaluate_all("(rows) => rows.map((row) => row.cells[0].textContent)")
        assert sorted(names) == sorted(cluster)
        find.get_by_label("Group").select_option("")
        assert visible.count() == 1000


def dots_of(page):
    """Names by order of the arrow keys, and places of the dots, of the picture of ranks."""
    return attributes(page.locator("#ranks circle.dot"), "cx", "cy")


def test_rank_against_rank(visit, report):
    measures = report("regression")["measures"]
    ranks = [{v["name"]: v["rank"] for v in measure["ranking"]} for measure in measures]
    with visit("regression") as page:
        page.locator("#ranks").scroll_into_view_if_needed()
        page.locator("#ranks svg").wait_for()
        figure = page.locator("#ranks figure")
        for a, b in [(0, 1), (2, 0), (1, 1)]:
            page.get_by_label("Horizontal axis", exact=True).select_option(str(a))
            page.get_by_label("Vertical axis", exact=True).select_option(str(b))
            name = f"Rank by {measures[b]['name']} against rank by {measures[a]['name']}"
            assert page.locator("#ranks svg").get_attribute("aria-label") == name
            assert len(dots_of(page)) == 13
            figure.focus()
            place = {}
            for _ in range(13):
                page.keyboard.press("ArrowLeft")
                said = page.locator("#ranks .status").inner_text()
                variable, words = said.rstrip(".").split(": ")
                x, y = (int(part.split()[1]) for part in words.replace("rank ", ", rank ").split(", ")
                        if part.startswith("rank "))
                assert (x, y) == (ranks[a][variable], ranks[b][variable])
                current = page.locator("#ranks circle.current")
                [place[x, y]] = attributes(current, "cx", "cy")
            assert len(place) == 13
            # Better ranks are further to the right and further up.
            for (x1, y1), (left1, top1) in place.items():
                for (x2, y2), (left2, top2) in place.items():
                    assert (x1 < x2) == (left1 > left2 + 1e-6)
                    assert (y1 < y2) == (top1 < top2 - 1e-6)


def test_groups_fade_other_dots(visit, report):
    cluster = report("binary")["dependence"]["clusters"][0]
    with visit("binary") as page:
        page.locator("#ranks").scroll_into_view_if_needed()
        page.locator("#ranks svg").wait_for()
        page.locator("#all").get_by_label("Group").select_option("1")
        assert page.locator("#ranks circle.dot:not(.faded)").count() == len(cluster)


def test_choosing_a_variable(visit, report):
    pages = report("regression")["variables"]
    with visit("regression") as page:
        shown = page.locator("article.variable:visible h3")
        assert shown.all_text_contents() == [pages[0]["name"]]
        page.get_by_role("button", name="Next").click()
        assert shown.all_text_contents() == [pages[1]["name"]]
        page.get_by_role("button", name="Previous").click()
        assert page.get_by_role("button", name="Previous").is_disabled()
        page.get_by_label("Variable", exact=True).select_option(pages[4]["name"])
        assert shown.all_text_contents() == [pages[4]["name"]]
        # A link from a ranking leads to the variable's page, and back keeps working.
        page.locator("#ranking-1 a", has_text=pages[2]["name"]).first.click()
        page.wait_for_timeout(200)
        assert shown.all_text_contents() == [pages[2]["name"]]
        assert page.evaluate("document.activeElement.id") == "variable-3"


@pytest.mark.parametrize("name", ["regression", "wide"])
def test_map_of_dependence(visit, report, name):
    meant = report(name)["dependence"]
    with visit(name) as page:
        figure = page.locator("#dependence figure").first
        figure.scroll_into_view_if_needed()
        figure.focus()
        status = page.locator("#map-status")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        first, third = meant["variables"][0], meant["variables"][2]
        words, number = status.inner_text().split(": ")
        assert words == f"{first} and {third}"
        assert float(number) == pytest.approx(meant["values"][2][0], abs=0.0051)
        # A cell that is pointed at says the same as its like on the other side.
        box = figure.locator("svg").bounding_box()
        scale = box["width"] / float(figure.locator("svg").get_attribute("viewBox").split()[2])
        left, top, size = map(float, figure.locator("[data-cells]").get_attribute("data-cells").split())
        page.mouse.move(box["x"] + (left + 0.5 * size) * scale, box["y"] + (top + 2.5 * size) * scale)
        assert page.locator(".tip").inner_text() == f"{first} and {third}: {number}"


def test_copying(visit, report):
    meant = report("regression")
    read = "navigator.clipboard.readText()"
    with visit("regression", permissions=["clipboard-read", "clipboard-write"]) as page:
        page.get_by_role("button", name="Copy command").click()
        page.get_by_role("button", name="Copied").wait_for()
        assert page.evaluate(read).strip() == meant["command"]
        page.get_by_role("button", name="Copy text and references").click()
        page.wait_for_timeout(100)
        copied = page.evaluate(read)
        assert meant["methods"] in copied
        assert meant["citations"][1]["text"] in copied
        page.locator("summary", has_text="BibTeX").click()
        page.get_by_role("button", name="Copy BibTeX").click()
        page.wait_for_timeout(100)
        entries = [citation["bibtex"] for citation in meant["citations"]]
        assert page.evaluate(read).split() == " ".join(entries).split()
        page.locator("#objective-selection button.copy").click()
        page.wait_for_timeout(100)
        assert page.evaluate(read).strip() == meant["advice"]["objectives"][0]["command"]


def vertices(path):
    """Corners of a line, whose steps are relative."""
    corners = []
    for letter, step in re.findall(r"([Mlh])([^Mlh]+)", path.get_attribute("d")):
        numbers = [float(number) for number in re.findall(r"-?[0-9]*\.?[0-9]+", step)]
        if letter == "M":
            corners.append(tuple(numbers))
        else:
            across, down = numbers if letter == "l" else (numbers[0], 0.0)
            corners.append((corners[-1][0] + across, corners[-1][1] + down))
    return corners


def height_at(corners, x):
    """Where a line is at x."""
    for (left, start), (right, end) in pairwise(corners):
        if left - 0.05 <= x <= right + 0.05:
            return start + (end - start) * min(max((x - left) / (right - left), 0.0), 1.0)
    raise AssertionError(f"the line does not reach {x}")


def test_convergence_and_selection(visit, report):
    meant = report("regression")
    with visit("regression") as page:
        path = page.locator("#forest figure path").last
        corners = vertices(path)
        points = meant["forest"]["convergence"]
        # The first error is the largest, and the line ends with the last one.
        across = (corners[-1][0] - corners[0][0]) / (points[-1][0] - points[0][0])
        down = (corners[-1][1] - corners[0][1]) / (points[-1][1] - points[0][1])
        for trees, error in points:
            x = corners[0][0] + across * (trees - points[0][0])
            y = corners[0][1] + down * (error - points[0][1])
            assert height_at(corners, x) == pytest.approx(y, abs=0.3)
        heights = [y for (y,) in attributes(page.locator("#selection circle"), "cy")]
        errors = [point["error"] for point in meant["selection"]["points"]]
        assert len(heights) == len(errors)
        slope = (heights[0] - heights[1]) / (errors[0] - errors[1])
        for height, error in zip(heights, errors, strict=True):
            assert height == pytest.approx(heights[0] + slope * (error - errors[0]), abs=0.15)
    with visit("bare") as page:
        assert page.locator("#forest figure").count() == 0


def test_a_thousand_variables_are_light(visit):
    with visit("wide") as page:
        assert page.evaluate("document.querySelectorAll('*').length") < 50_000


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
        dots = places(page.locator("#variables figure[aria-label^='Values of']").first.locator("path.dots"))
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
