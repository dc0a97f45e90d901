
  // Tips --------------------------------------------------------------------------------------

  const tip = make("div", "", { class: "tip", "aria-hidden": "true" });
  tip.hidden = true;
  document.body.append(tip);

  /** Shows words beside a place of the window. */
  function showTip(words, x, y) {
    tip.textContent = words;
    tip.hidden = false;
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    const above = y - tip.offsetHeight - 14;
    tip.style.left = `${scrollX + Math.max(8, Math.min(room, x + 12))}px`;
    tip.style.top = `${scrollY + (above < 4 ? y + 18 : above)}px`;
  }
  const hideTip = () => {
    tip.hidden = true;
  };

  /** The text of a row of a ranking: every heading with its number. */
  function wordsOfRow(cell) {
    const row = cell.parentElement;
    const heads = cell.closest("table").tHead.rows[0].cells;
    const lines = Array.from(row.cells).flatMap((other, column) => {
      if (other === cell || other.tagName === "TH") return [];
      return [`${heads[column].textContent.trim()}  ${other.textContent}`];
    });
    return [cut(row.querySelector("th").textContent, 80), ...lines].join("\n");
  }

  // Words that browsers show late are shown at once instead.
  const titles = new WeakMap();
  document.addEventListener("pointermove", (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    const plot = target.closest("tbody td.plot");
    if (plot) return showTip(wordsOfRow(plot), event.clientX, event.clientY);
    if (target.closest("[data-own-tip]")) return undefined;
    for (let at = target.closest("svg *"); at && at.tagName !== "svg"; at = at.parentElement) {
      const title = Array.from(at.children).find((child) => child.tagName === "title");
      if (title) {
        titles.set(at, title.textContent);
        title.remove();
      }
      if (titles.has(at)) return showTip(titles.get(at), event.clientX, event.clientY);
    }
    return hideTip();
  });
  document.addEventListener("pointerleave", hideTip);
  addEventListener("scroll", hideTip, { passive: true });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
  });
