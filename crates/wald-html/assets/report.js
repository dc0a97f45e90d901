// Draws the report's charts and makes its tables sortable. The page can be read without it.
// Names are data: they only ever reach the page through textContent.
(() => {
  "use strict";
  const SHOWN = 30;
  const data = JSON.parse(document.getElementById("report-data").textContent);
  const root = document.documentElement;
  root.classList.add("scripted");

  // Text ------------------------------------------------------------------------------------

  const canvas = document.createElement("canvas").getContext("2d");
  const width = (text, font) => {
    canvas.font = font;
    return canvas.measureText(text).width;
  };

  /** The text, cut with an ellipsis to fit into `room` pixels. */
  function fitted(text, room, font) {
    const flat = text.replace(/\s+/g, " ");
    const characters = Array.from(flat.slice(0, 400));
    if (characters.length < 400 && width(flat, font) <= room) return flat;
    let low = 0;
    let high = characters.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (width(characters.slice(0, middle).join("") + "…", font) <= room) low = middle;
      else high = middle - 1;
    }
    return characters.slice(0, low).join("") + "…";
  }

  // Charts ----------------------------------------------------------------------------------

  const label = "12px " + getComputedStyle(document.body).fontFamily;
  const accent = "var(--accent)";
  const hair = { stroke: "var(--hair)" };
  const axis = { color: "var(--soft)", fontSize: 12 };
  const tip = { fill: "var(--paper)", stroke: "var(--rule)", fontSize: 12, lineHeight: 1.4 };

  /** The numbers of a ranking, row by row, as the page's tables show them. */
  function shownRows(figure) {
    const article = figure.closest("article");
    const heads = Array.from(article.querySelector("table.ranking thead").rows[0].cells);
    const rows = Array.from(article.querySelectorAll("table.ranking tbody tr"));
    // Rank, name and position come first; the chart shows these itself.
    return rows.map((row) => Array.from(row.cells).slice(3).map((cell, k) => ({
      head: heads[k + 3].textContent,
      text: cell.textContent,
      // The table aligns on the decimal point by padding; a figure space is as wide as a digit.
      aligned: cell.textContent + "\u2007".repeat(Number(/\bp(\d+)/.exec(cell.className)?.[1] ?? 0)),
    })));
  }

  function drawRanking(figure, n) {
    const ranking = data.rankings[Number(figure.dataset.ranking)];
    const rows = ranking.rows.slice(0, n).map(([name, value, low, high], index) => ({
      index,
      name: data.names[name] || "(no name)",
      value,
      low,
      high,
    }));
    const total = figure.clientWidth;
    const room = Math.min(total * 0.36, 240);
    const names = rows.map((row) => fitted(row.name, room, label));
    const marginLeft = Math.ceil(Math.max(40, ...names.map((name) => width(name, label)))) + 14;
    const shown = shownRows(figure);
    const values = rows.map((row) => shown[row.index][0].aligned);
    // Where there is room the values stand on the right, as in a forest plot.
    const marginRight = total < 560 ? 14 : 28 + Math.max(...values.map((value) => width(value, label)));
    const ticks = (total - marginLeft - marginRight) / 80;
    const title = (row) => {
      const numbers = shown[row.index].map(({ head, text }) => `${head}  ${text}`);
      return [fitted(row.name, 260, label), ...numbers].join("\n");
    };
    const defined = rows.filter((row) => row.value !== null);
    const undefinedRows = rows.filter((row) => shown[row.index][0].text === "–");
    const ranged = rows.filter((row) => row.low !== null && row.high !== null);
    const svg = Plot.plot({
      width: total,
      height: rows.length * 21 + 46,
      marginLeft,
      marginRight,
      marginTop: 16,
      marginBottom: 30,
      x: { zero: true, insetLeft: 10, insetRight: 10, label: null },
      y: { type: "point", domain: rows.map((row) => row.index), padding: 0.6 },
      marks: [
        Plot.gridX({ ...hair, strokeOpacity: 1, ticks }),
        Plot.ruleY(rows, { y: "index", ...hair, strokeDasharray: "1 3" }),
        Plot.ruleX([0], { stroke: "var(--rule)" }),
        Plot.axisX({ ...axis, label: null, tickSize: 0, ticks }),
        Plot.axisY({ ...axis, color: "var(--ink)", label: null, tickSize: 0, tickPadding: 8, tickFormat: (i) => names[i] }),
        Plot.ruleY(ranged, { y: "index", x1: "low", x2: "high", stroke: "var(--interval)", strokeWidth: 3.5, strokeLinecap: "round" }),
        Plot.dot(defined, { x: "value", y: "index", fill: accent, r: 4.5, stroke: "var(--paper)", strokeWidth: 1 }),
        Plot.text(undefinedRows, { y: "index", frameAnchor: "left", text: () => "undefined", textAnchor: "start", dx: 6, fill: "var(--soft)", fontSize: 12, fontStyle: "italic" }),
        total < 560 ? null : Plot.text(rows, { y: "index", frameAnchor: "right", text: (row) => values[row.index], textAnchor: "end", dx: marginRight - 2, fill: "var(--ink)", fontSize: 12 }),
        Plot.tip(defined, Plot.pointerY({ x: "value", y: "index", title, ...tip })),
      ],
    });
    nameTicks(svg, rows.map((row) => row.name));
    return show(figure, svg, ranking.unit);
  }

  /** Gives each name on the vertical axis its full text as a tooltip. */
  function nameTicks(svg, names) {
    const ticks = svg.querySelectorAll('[aria-label="y-axis tick label"] text');
    ticks.forEach((tick, i) => {
      tick.classList.add("axis-name");
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = names[i];
      tick.append(title);
    });
  }

  function drawConvergence(figure) {
    const points = data.convergence.filter(([, error]) => error !== null);
    const total = Math.min(figure.clientWidth, 720);
    const [x, y] = [(point) => point[0], (point) => point[1]];
    const title = (point) => `${x(point)} trees\n${Number(y(point).toPrecision(4))}`;
    const svg = Plot.plot({
      width: total,
      height: Math.max(220, total * 0.36),
      marginLeft: 64,
      marginRight: 14,
      marginTop: 16,
      marginBottom: 44,
      x: { label: null },
      y: { nice: true, label: null },
      marks: [
        Plot.gridY({ ...hair, strokeOpacity: 1, ticks: 5 }),
        Plot.axisX({ ...axis, label: "trees", labelAnchor: "center", labelArrow: "none", labelOffset: 38, tickSize: 0, ticks: total / 90 }),
        Plot.axisY({ ...axis, label: null, tickSize: 0, ticks: 5 }),
        Plot.lineY(points, { x, y, stroke: accent, strokeWidth: 1.8 }),
        points.length === 1 ? Plot.dot(points, { x, y, fill: accent }) : null,
        Plot.tip(points, Plot.pointerX({ x, y, title, ...tip })),
      ],
    });
    return show(figure, svg, data.convergence_label);
  }

  /** Puts a drawing with its heading into a figure, in place of the former one. */
  function show(figure, svg, heading) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", figure.getAttribute("aria-label"));
    const caption = document.createElement("figcaption");
    caption.textContent = heading;
    figure.replaceChildren(caption, svg);
  }

  function chart(figure, draw) {
    figure.hidden = false;
    let drawn = 0;
    const redraw = () => {
      if (figure.clientWidth === drawn || figure.clientWidth === 0) return;
      drawn = figure.clientWidth;
      draw();
    };
    redraw();
    let waiting;
    new ResizeObserver(() => {
      clearTimeout(waiting);
      waiting = setTimeout(redraw, 80);
    }).observe(figure);
  }

  for (const figure of document.querySelectorAll("[data-ranking]")) {
    const total = data.rankings[Number(figure.dataset.ranking)].rows.length;
    if (total === 0) continue;
    let n = Math.min(total, SHOWN);
    const draw = () => drawRanking(figure, n);
    chart(figure, draw);
    if (total > SHOWN) {
      const more = document.createElement("button");
      more.type = "button";
      more.className = "more";
      const name = () => {
        more.textContent = n < total ? `Show all ${total} variables` : `Show the first ${SHOWN}`;
      };
      more.addEventListener("click", () => {
        n = n < total ? total : SHOWN;
        name();
        draw();
      });
      name();
      figure.after(more);
    }
  }
  for (const figure of document.querySelectorAll("[data-convergence]")) {
    chart(figure, () => drawConvergence(figure));
  }
  // The charts stand in for the tables, which stay one click away.
  for (const details of document.querySelectorAll("details.values")) details.open = false;

  // Tables ----------------------------------------------------------------------------------

  const table = document.getElementById("all-variables");
  if (table) {
    const body = table.tBodies[0];
    const [first, second] = table.tHead.rows;
    second.style.setProperty("--head", `${first.getBoundingClientRect().height}px`);
    const order = new Intl.Collator(undefined, { numeric: true });
    const rows = Array.from(body.rows);
    const text = (row, column) => row.cells[column].textContent;
    const rank = (row, column) => Number.parseInt(text(row, column), 10);
    const sorts = [];

    const sortable = (head, compare) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      sorts.push(head);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of sorts) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        // Array.sort is stable: ties keep the order of the first measure.
        const sorted = Array.from(rows).sort((a, b) => compare(a, b, down ? -1 : 1));
        body.replaceChildren(...sorted);
      });
    };
    sortable(first.cells[0], (a, b, sign) => sign * order.compare(text(a, 0), text(b, 0)));
    Array.from(second.cells).forEach((head, i) => {
      if (head.dataset.sort !== "rank") return;
      const column = i + 1;
      sortable(head, (a, b, sign) => {
        const [x, y] = [rank(a, column), rank(b, column)];
        // Variables without a rank come last either way.
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
        return sign * (x - y);
      });
    });

    if (rows.length > SHOWN) {
      const find = document.createElement("label");
      find.className = "find";
      const input = document.createElement("input");
      input.type = "search";
      find.append("Find a variable", input);
      input.addEventListener("input", () => {
        const sought = input.value.toLowerCase();
        for (const row of rows) row.hidden = !text(row, 0).toLowerCase().includes(sought);
      });
      table.closest(".scroll").before(find);
    }
  }

  // Copying ---------------------------------------------------------------------------------

  for (const button of document.querySelectorAll("[data-copy]")) {
    const source = document.getElementById(button.dataset.copy);
    const words = button.textContent;
    button.addEventListener("click", async () => {
      let done = true;
      try {
        await navigator.clipboard.writeText(source.innerText);
      } catch {
        // Without permission the text is at least selected.
        getSelection().selectAllChildren(source);
        done = document.execCommand("copy");
      }
      button.textContent = done ? "Copied" : "Selected";
      setTimeout(() => {
        button.textContent = words;
      }, 1500);
    });
  }
})();
