
  // Rank against rank -------------------------------------------------------------------------

  /** Ranks of all variables by all measures, read from the table of all variables. */
  function readRanks(table) {
    const heads = Array.from(table.querySelectorAll("thead [data-measure]"));
    const before = joined(table.tHead.rows[0]);
    return {
      measures: heads.map((head) => head.dataset.measure),
      rows: Array.from(table.tBodies[0].rows, (row) => ({
        row,
        name: row.cells[0].textContent,
        ranks: heads.map((_, k) => numberIn(row.cells[before + 2 * k].textContent)),
      })),
    };
  }

  function rankPicture(place, table) {
    const { measures, rows } = readRanks(table);
    const ranks = make("div", "", { class: "ranks" });
    const figure = make("figure", "", { tabindex: "0", "data-own-tip": "", role: "group" });
    const side = make("div");
    const control = (words, chosen) => {
      const select = make("select");
      measures.forEach((measure, k) => select.append(new Option(measure, String(k))));
      select.value = String(chosen);
      return [labelled(words, select), select];
    };
    const [labelA, selectA] = control("Horizontal axis", 0);
    const [labelB, selectB] = control("Vertical axis", 1);
    const controls = make("div", "", { class: "find ranks-control" });
    controls.append(labelA, labelB);
    const status = make("p", "", { class: "status", "aria-live": "polite" });
    side.append(controls, status);
    ranks.append(figure, side);
    place.append(ranks);

    const SIZE = 560;
    const [LEFT, TOP, RIGHT, BOTTOM] = [58, 14, 546, 502];
    const most = Math.max(...rows.flatMap(({ ranks: of }) => of.filter((rank) => rank > 0)), 2);
    // Of many variables the first ones matter: their ranks have more room.
    const isWide = most > 40;
    const share = (rank) => (isWide ? Math.log(rank) / Math.log(most) : (rank - 1) / (most - 1));
    // Rank 1 is at the right and at the top.
    const x = (rank) => RIGHT - 10 - share(rank) * (RIGHT - LEFT - 20);
    const y = (rank) => TOP + 10 + share(rank) * (BOTTOM - TOP - 20);
    const steps = isWide ? [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] : linearSteps(most);

    let dots = [];
    let current = -1;

    function redraw() {
      const [a, b] = [Number(selectA.value), Number(selectB.value)];
      const svg = draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img" });
      // Words stay legible where the picture shrinks.
      const letters = figure.clientWidth > 0 && figure.clientWidth < 450 ? 17 : 12;
      svg.style.fontSize = `${letters}px`;
      svg.setAttribute("aria-label", `Rank by ${measures[b]} against rank by ${measures[a]}`);
      for (const step of steps.filter((rank) => rank <= most)) {
        svg.append(
          draw("line", { class: "grid", x1: x(step), x2: x(step), y1: TOP, y2: BOTTOM }),
          draw("line", { class: "grid", x1: LEFT, x2: RIGHT, y1: y(step), y2: y(step) }),
          draw("text", { x: x(step), y: BOTTOM + 18, "text-anchor": "middle" }, String(step)),
          draw("text", { x: LEFT - 8, y: y(step) + 4, "text-anchor": "end" }, String(step)),
        );
      }
      const middle = (TOP + BOTTOM) / 2;
      svg.append(
        draw("line", { class: "equal", x1: x(most), y1: y(most), x2: x(1), y2: y(1) }),
        draw("text", { x: (LEFT + RIGHT) / 2, y: BOTTOM + 42, "text-anchor": "middle" }, `rank by ${measures[a]}`),
        draw("text", { x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` }, `rank by ${measures[b]}`),
      );
      dots = rows
        .map(({ row, name, ranks: of }) => ({ row, name, a: of[a], b: of[b] }))
        .filter((dot) => dot.a > 0 && dot.b > 0)
        .sort((one, other) => one.a - other.a);
      for (const dot of dots) {
        dot.mark = draw("circle", { class: isWide ? "dot many" : "dot", cx: x(dot.a), cy: y(dot.b), r: isWide ? 4 : 5.5 });
        dot.mark.classList.toggle("faded", dot.row.hidden);
      }
      svg.append(...dots.map((dot) => dot.mark));
      svg.append(...names(dots.filter((dot) => !dot.row.hidden), x, y, RIGHT, letters));
      figure.replaceChildren(svg);
      figure.setAttribute("aria-label", `${svg.getAttribute("aria-label")}; arrow keys go from variable to variable`);
      current = -1;
      status.textContent = `${dots.length} variables. Point at a dot, or choose the picture and press the arrow keys, to read its ranks.`;
    }

    const text = (dot) =>
      `${cut(dot.name, 120)}: rank ${dot.a} by ${measures[Number(selectA.value)]}, rank ${dot.b} by ${measures[Number(selectB.value)]}`;
    function choose(next) {
      dots[current]?.mark.classList.remove("current");
      current = next;
      const dot = dots[current];
      dot.mark.classList.add("current");
      dot.mark.parentNode.append(dot.mark);
      status.textContent = `${text(dot)}.`;
    }

    figure.addEventListener("keydown", (event) => {
      const step = { ArrowRight: -1, ArrowUp: -1, ArrowLeft: 1, ArrowDown: 1 }[event.key];
      const ends = { Home: 0, End: dots.length - 1 }[event.key];
      if ((step === undefined && ends === undefined) || dots.length === 0) return;
      event.preventDefault();
      const start = current < 0 ? (step > 0 ? -1 : 1) : current;
      choose(ends ?? Math.max(0, Math.min(dots.length - 1, start + step)));
    });
    figure.addEventListener("pointermove", (event) => {
      const box = figure.firstChild.getBoundingClientRect();
      const scale = SIZE / box.width;
      const at = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
      let [best, nearest] = [14 ** 2, -1];
      dots.forEach((dot, k) => {
        const far = (x(dot.a) - at[0]) ** 2 + (y(dot.b) - at[1]) ** 2;
        if (far < best) [best, nearest] = [far, k];
      });
      if (nearest < 0) return hideTip();
      if (nearest !== current) choose(nearest);
      return showTip(text(dots[nearest]), event.clientX, event.clientY);
    });
    selectA.addEventListener("change", redraw);
    selectB.addEventListener("change", redraw);
    table.addEventListener("filtered", redraw);
    redraw();
  }

  const linearSteps = (most) => {
    const step = most > 20 ? 5 : most > 10 ? 2 : 1;
    const rest = Array.from({ length: Math.floor(most / step) }, (_, k) => (k + 1) * step);
    return rest[0] === 1 ? rest : [1, ...rest];
  };

  /** Names beside the dots that differ most or lead, as many as have room. */
  function names(dots, x, y, right, letters) {
    const weight = (dot) => Math.abs(Math.log(dot.a / dot.b)) + 1.2 / Math.min(dot.a, dot.b);
    const taken = dots.map((dot) => [x(dot.a) - 6, y(dot.b) - 6, x(dot.a) + 6, y(dot.b) + 6]);
    const texts = [];
    for (const dot of Array.from(dots).sort((one, other) => weight(other) - weight(one)).slice(0, 24)) {
      const words = cut(dot.name, 18);
      const width = 0.59 * letters * Array.from(words).length;
      for (const isLeft of [x(dot.a) + width + 10 > right, x(dot.a) + width + 10 <= right]) {
        const from = isLeft ? x(dot.a) - 9 - width : x(dot.a) + 9;
        const half = 0.6 * letters;
        const box = [from, y(dot.b) - half, from + width, y(dot.b) + half];
        const isFree = from > 58 && from + width < right + 10 && taken.every((other) =>
          box[2] < other[0] || other[2] < box[0] || box[3] < other[1] || other[3] < box[1]);
        if (isFree) {
          taken.push(box);
          const anchor = isLeft ? "end" : "start";
          texts.push(draw("text", { class: "who", x: x(dot.a) + (isLeft ? -9 : 9), y: y(dot.b) + 0.35 * letters, "text-anchor": anchor }, words));
          break;
        }
      }
    }
    return texts;
  }

  const ranksPlace = document.getElementById("ranks");
  if (ranksPlace && all) whenSeen(ranksPlace, () => rankPicture(ranksPlace, all));
