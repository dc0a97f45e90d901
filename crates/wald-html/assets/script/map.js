
  // Map of dependence -------------------------------------------------------------------------

  /** Name and dependence on those before it, line by line, as in the table or the text. */
  function readPairs(pairs) {
    if (pairs.tagName === "TABLE") {
      return Array.from(pairs.tBodies[0].rows, (row, k) => ({
        name: row.cells[0].textContent,
        numbers: Array.from(row.cells).slice(1, k + 1).map((cell) => cell.textContent),
      }));
    }
    return pairs.textContent.trimEnd().split("\n").map((line, k) => {
      const parts = line.split(",");
      const numbers = parts.splice(parts.length - k, k);
      return { name: parts.join(",").replace(/^"|"$/g, ""), numbers };
    });
  }

  const cells = document.querySelector("[data-cells]");
  if (cells) {
    const status = document.getElementById("map-status");
    const svg = cells.closest("svg");
    const figure = svg.closest("figure");
    const [left, top, size] = cells.dataset.cells.split(" ").map(Number);
    const frame = draw("rect", { width: size, height: size, fill: "none", stroke: "currentColor", "stroke-width": 1.6, visibility: "hidden" });
    svg.append(frame);
    let lines;
    let at = [0, 0];
    const text = ([row, column]) => {
      lines ??= readPairs(document.getElementById("pairs"));
      const [low, high] = [Math.min(row, column), Math.max(row, column)];
      if (low === high) return cut(lines[low].name, 80);
      return `${cut(lines[low].name, 80)} and ${cut(lines[high].name, 80)}: ${lines[high].numbers[low]}`;
    };
    const n = Math.round(svg.querySelector("[data-cells] + rect").getAttribute("width") / size);
    const choose = (next) => {
      at = next;
      frame.setAttribute("x", left + size * at[1]);
      frame.setAttribute("y", top + size * at[0]);
      frame.setAttribute("visibility", "visible");
      status.textContent = text(at);
    };
    figure.setAttribute("data-own-tip", "");
    figure.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect();
      const scale = svg.viewBox.baseVal.width / box.width;
      const column = Math.floor(((event.clientX - box.left) * scale - left) / size);
      const row = Math.floor(((event.clientY - box.top) * scale - top) / size);
      if (row < 0 || column < 0 || row >= n || column >= n) return hideTip();
      if (row !== at[0] || column !== at[1] || frame.getAttribute("visibility") === "hidden") choose([row, column]);
      return showTip(status.textContent, event.clientX, event.clientY);
    });
    figure.addEventListener("keydown", (event) => {
      const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
      if (!step) return;
      event.preventDefault();
      choose([0, 1].map((k) => Math.max(0, Math.min(n - 1, at[k] + step[k]))));
    });
  }
