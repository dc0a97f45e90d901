
  // Tables ------------------------------------------------------------------------------------

  const order = new Intl.Collator(undefined, { numeric: true });
  const FEW = 20;

  /** Puts the rows that wait behind a table into it, once. */
  function complete(table) {
    const rest = document.querySelector(`[data-rest="${table.id}"]`);
    if (!rest || !rest.firstElementChild) return;
    const waiting = rest.querySelector("noscript").textContent;
    // Parsed apart, where nothing is loaded or run: it is the page's own text, escaped as all of it.
    const parsed = new DOMParser().parseFromString(waiting, "text/html");
    table.tBodies[0].append(...parsed.querySelectorAll("tbody > tr"));
    rest.replaceChildren();
    table.dispatchEvent(new Event("completed"));
  }

  for (const rest of document.querySelectorAll("[data-rest]")) {
    const table = document.getElementById(rest.dataset.rest);
    const more = make("button", rest.dataset.words, { type: "button", class: "more" });
    more.addEventListener("click", () => {
      const next = table.tBodies[0].rows.length;
      complete(table);
      // The button is gone: the focus goes to the first row that came.
      const row = table.tBodies[0].rows[next];
      if (!row) return;
      row.tabIndex = -1;
      row.focus({ preventScroll: true });
    });
    rest.append(more);
  }

  function sortable(table) {
    const [first, second] = table.tHead.rows;
    // Headings over several columns have those of the columns below them.
    const columns = Array.from(first.cells).filter((head) => head.colSpan === 1);
    if (second) columns.push(...second.cells);
    const sort = (head, column) => {
      const down = head.getAttribute("aria-sort") === "ascending";
      complete(table);
      for (const other of columns) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sign = down ? -1 : 1;
      const isNumber = head.classList.contains("n");
      const keys = Array.from(table.tBodies[0].rows, (row) => {
        const text = row.cells[column].textContent;
        return [isNumber ? numberIn(text) : text, row];
      });
      // Array.sort is stable: ties keep their order. What is undefined comes last either way.
      keys.sort(([a], [b]) => {
        if (!isNumber) return sign * order.compare(a, b);
        if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
        return a === b ? 0 : sign * (a < b ? -1 : 1);
      });
      table.tBodies[0].replaceChildren(...keys.map(([, row]) => row));
    };
    columns.forEach((head, column) => {
      if (head.classList.contains("plot")) return;
      const button = make("button", "", { type: "button" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(head, column));
    });
  }

  /** Columns of the first line of headings that have no second line. */
  const joined = (line) => Array.from(line.cells).filter((head) => head.rowSpan > 1).length;

  /** A field above a table that hides rows without some words, and rows of other groups. */
  function findable(table) {
    const find = make("div", "", { class: "find" });
    const field = (words, control) => {
      find.append(labelled(words, control));
      return control;
    };
    const input = field("Find", make("input", "", { type: "search" }));
    const nClusters = Number(table.dataset.clusters ?? 0);
    const group = nClusters > 0 ? field("Group", make("select")) : null;
    if (group) {
      group.append(new Option("all variables", ""));
      for (let number = 1; number <= nClusters; number += 1) group.append(new Option(String(number)));
    }
    const status = make("span", "", { "aria-live": "polite" });
    find.append(status);
    const update = () => {
      complete(table);
      const sought = input.value.toLowerCase();
      let shown = 0;
      for (const row of table.tBodies[0].rows) {
        const name = row.querySelector("th").textContent.toLowerCase();
        const fits = name.includes(sought) && (!group?.value || row.cells[1].textContent === group.value);
        row.hidden = !fits;
        shown += fits;
      }
      status.textContent = `${shown} of ${table.tBodies[0].rows.length}`;
      table.dispatchEvent(new Event("filtered"));
    };
    input.addEventListener("input", update);
    group?.addEventListener("change", update);
    table.closest(".scroll").before(find);
  }

  for (const table of document.querySelectorAll("[data-sortable]")) {
    const waits = document.querySelector(`[data-rest="${table.id}"]`);
    if (table.tBodies[0].rows.length > 1) sortable(table);
    if (waits || table.tBodies[0].rows.length > FEW) findable(table);
  }
  // The second line of headings sticks below the first one.
  const all = document.getElementById("all-variables");
  if (all) {
    whenSeen(all, () => {
      const [first, second] = all.tHead.rows;
      second.style.setProperty("--head", `${first.cells[first.cells.length - 1].getBoundingClientRect().height}px`);
    });
  }
