"""Widths, colours, print, keyboard and the order of things for readers who cannot see them."""

import pytest
from conftest import PAGES

# Contrast of every visible text with what lies behind it, as WCAG 2 defines it.
CONTRAST = """
() => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return text.startsWith('color(srgb') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const colour = parse(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour.slice(0, 3) : over(colour, behind(element.parentElement));
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const poor = [];
  let checked = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility() || element.closest('script, title')) continue;
    const style = getComputedStyle(element);
    const svg = element.closest('svg');
    const ink = parse(svg ? style.fill : style.color);
    const ground = behind(svg ? svg.parentElement : element);
    const [x, y] = [luminance(over(ink, ground)), luminance(ground)].sort((a, b) => b - a);
    const ratio = (x + 0.05) / (y + 0.05);
    checked += 1;
    if (ratio < 4.5) poor.push([node.data.trim().slice(0, 40), ratio, style.color]);
  }
  return { poor, checked };
}
"""


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("name", PAGES)
def test_no_sideways_scroll(visit, name, scripts):
    with visit(name, width=360, scripts=scripts) as page:
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
        for width in [360, 768, 1280]:
            page.set_viewport_size({"width": width, "height": 900})
            size = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
            content, window = page.evaluate(size)
            assert content <= window == width
            # Nothing is cut off at the edge either: what is too wide scrolls in its own container.
            cut = """[...document.querySelectorAll(
                    'h1, h2, h3, p, dl, li, figure, svg, button, .scroll')]
                .filter((e) => e.checkVisibility() && !e.parentElement.closest('.scroll, nav'))
                .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
                .map((e) => e.outerHTML.slice(0, 80))"""
            assert page.evaluate(cut) == [], width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["binary", "hostile", "undefined"])
def test_contrast(visit, name, scheme):
    with visit(name, scheme=scheme) as page:
        result = page.evaluate(CONTRAST)
        assert result["checked"] > 150
        assert result["poor"] == []
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        lightness = sum(int(part) for part in background[4:-1].split(","))
        assert (lightness > 700) == (scheme == "light"), background


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_print(visit, scheme):
    with visit("wide", scheme=scheme) as page:
        page.emulate_media(media="print", color_scheme=scheme)
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == "rgb(255, 255, 255)"
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
        hidden = "nav:visible, .copy:visible, .more:visible, .find:visible, .chooser:visible"
        assert page.locator(hidden).count() == 0
        # The words of the headings that sort stay.
        assert page.locator("#all-variables th button:visible").count() > 5
        clipped = """[...document.querySelectorAll('.scroll')].filter((e) => e.checkVisibility())
            .filter((e) => getComputedStyle(e).maxHeight !== 'none').length"""
        assert page.evaluate(clipped) == 0
        assert page.evaluate(CONTRAST)["poor"] == []
        # What is closed or not chosen on a screen is printed, and so is what waits to be seen.
        assert page.locator("article.variable:visible").count() == 100
        heights = """(summaries) => summaries.map((summary) =>
            summary.parentElement.querySelector(':not(summary)').getBoundingClientRect().height)"""
        shown = page.locator("summary:visible").evaluate_all(heights)
        assert shown and min(shown) > 0
        assert page.locator("#ranks svg").is_visible()
    with visit("binary", scheme=scheme) as page:
        assert page.pdf().startswith(b"%PDF")


# Leaves ten elements of a kind beside each other. Rules are about kinds of elements, and looking at
# thousands of equal rows and marks takes most of the time.
TEN_OF_A_KIND = """
() => {
  for (const parent of document.body.querySelectorAll('*')) {
    const seen = new Map();
    for (const child of [...parent.children]) {
      const kind = [child.tagName, child.getAttribute('class'), ...child.getAttributeNames()].join(' ');
      const before = seen.get(kind) ?? 0;
      seen.set(kind, before + 1);
      if (before >= 10) child.remove();
    }
  }
}
"""


# Colours do not depend on the width, nor sizes on colours.
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
@pytest.mark.parametrize("name", PAGES)
def test_no_obstacles(visit, axe, name, width, scheme):
    with visit(name, width=width, scheme=scheme) as page:
        # Everything that readers can open or come to is open.
        page.evaluate("""() => {
          document.querySelectorAll('details').forEach((details) => { details.open = true; });
          document.querySelectorAll('section').forEach((section) => {
            section.style.contentVisibility = 'visible';
          });
          document.getElementById('ranks')?.scrollIntoView();
        }""")
        page.wait_for_timeout(150)
        page.evaluate(TEN_OF_A_KIND)
        page.evaluate(axe)
        found = page.evaluate("""async () => {
          const rules = await axe.run(document, { resultTypes: ['violations'] });
          return { passes: rules.passes.length, violations: rules.violations.map((rule) =>
            [rule.id, rule.help, rule.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))]) };
        }""")
        assert found["violations"] == []
        assert found["passes"] > 20


@pytest.mark.parametrize("name", PAGES)
def test_structure(visit, name):
    with visit(name) as page:
        levels = page.evaluate(
            "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((h) => Number(h.tagName[1]))")
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(b - a <= 1 for a, b in zip(levels, levels[1:], strict=False))
        assert page.locator("table:not(:has(caption))").count() == 0
        assert page.locator("th:not([scope])").count() == 0
        assert page.locator("figure:not([aria-label])").count() == 0
        assert page.locator("html[lang]").count() == 1
        assert page.locator("main").count() == 1
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
        assert len(ids) == len(set(ids))
        targets = page.evaluate("[...document.querySelectorAll('a')].map((a) => a.hash.slice(1))")
        assert set(targets) <= set(ids)
        columns = """(tables) => tables.map((table) =>
            [...table.rows].map((row) => [...row.cells].reduce((n, cell) => n + cell.colSpan, 0)))"""
        for counts in page.locator("table:not(.all)").evaluate_all(columns):
            assert len(set(counts)) == 1


def test_keyboard(visit):
    outline = """() => {
      const style = getComputedStyle(document.activeElement);
      const box = document.activeElement.getBoundingClientRect();
      return [document.activeElement.tagName, style.outlineStyle, parseFloat(style.outlineWidth),
              box.left + box.width > 0];
    }"""
    with visit("regression") as page:
        seen = set()
        for _ in range(120):
            page.keyboard.press("Tab")
            tag, style, width, on_screen = page.evaluate(outline)
            if tag == "BODY":
                break
            seen.add(tag)
            assert style == "solid", tag
            assert width >= 2, tag
            assert on_screen, tag
        assert {"A", "SUMMARY", "BUTTON", "DIV"} <= seen
