// Makes the report's tables sortable and its pictures answer. The page can be read without it.
// Names are data: they only ever reach the page through textContent.
(() => {
  "use strict";
  document.documentElement.classList.add("scripted");

  /** An element with text and attributes. */
  function make(tag, text, attributes = {}) {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  /** A control with its label. */
  let nLabels = 0;
  function labelled(words, control) {
    nLabels += 1;
    control.id = `control-${nLabels}`;
    const both = make("span", "", { class: "control" });
    both.append(make("label", words, { for: control.id }), control);
    return both;
  }

  /** The same in a picture. */
  function draw(tag, attributes, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text) element.textContent = text;
    return element;
  }

  /** The number that a cell shows, as the page writes numbers, with a point or a comma before its
   * decimals; NaN where it is undefined. */
  function numberIn(text) {
    const plain = text.replace(/\u2212/g, "-").replace(/[<\u202f]/g, "").replace(",", ".");
    const [mantissa, exponent] = plain.split("\u00d710");
    if (exponent === undefined) return Number.parseFloat(plain.replace("\u221e", "Infinity"));
    const digits = exponent.replace(/./g, (c) => {
      const digit = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079".indexOf(c);
      return digit < 0 ? "-" : String(digit);
    });
    return Number.parseFloat(`${mantissa}e${digits}`);
  }

  /** A name on one line; Unicode marks keep its direction from what stands beside it. */
  const flat = (name) => name.replace(/\s+/g, " ").trim() || "(no name)";
  const cut = (name, most) => {
    const letters = Array.from(flat(name).slice(0, 4 * most));
    return letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}\u2026`;
  };

  /** Does something once, when an element comes near the window or the page is printed. */
  function whenSeen(element, act) {
    let done = false;
    const once = () => {
      if (!done) act();
      done = true;
    };
    const watch = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        watch.disconnect();
        once();
      }
    }, { rootMargin: "400px" });
    watch.observe(element);
    addEventListener("beforeprint", once);
    matchMedia("print").addEventListener("change", once);
  }
