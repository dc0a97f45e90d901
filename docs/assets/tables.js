// Tables that are wider than the page scroll inside frames, which the theme makes. Who has no mouse reaches such a
// frame by the keyboard, as the theme's wide blocks of code; a frame that shows all of its table is no stop.
(() => {
  const names = new Map();
  const sizes = new ResizeObserver((changes) => changes.forEach((change) => adapt(change.target)));

  function adapt(frame) {
    const scrolls = frame.scrollWidth > frame.clientWidth;
    // A region would be a landmark, and pages have dozens of tables.
    const attributes = { tabindex: "0", role: "group", "aria-label": `Table: ${names.get(frame)}` };
    for (const [name, value] of Object.entries(attributes)) {
      if (scrolls) frame.setAttribute(name, value);
      else frame.removeAttribute(name);
    }
  }

  function text(heading) {
    const parts = [...heading.childNodes].filter((part) => part.className !== "headerlink");
    return parts.map((part) => part.textContent).join("").trim();
  }

  document$.subscribe(() => {
    let heading = document.title;
    for (const one of document.querySelectorAll("article :is(h1, h2, h3, h4, h5, h6), .md-typeset__scrollwrap")) {
      if (one.matches(".md-typeset__scrollwrap")) {
        names.set(one, heading);
        // Reports the size now, and whenever it changes.
        sizes.observe(one);
      } else {
        heading = text(one);
      }
    }
  });
})();
