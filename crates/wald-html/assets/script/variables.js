
  // One variable at a time --------------------------------------------------------------------

  const chooser = document.getElementById("chooser");
  if (chooser) {
    const articles = Array.from(document.querySelectorAll("article.variable"));
    const select = make("select");
    articles.forEach((article, k) => {
      select.append(new Option(cut(article.querySelector("h3").textContent, 60), String(k)));
    });
    const button = (words) => make("button", words, { type: "button" });
    const [before, after] = [button("\u2190 Previous"), button("Next \u2192")];
    chooser.append(labelled("Variable", select), before, after);
    const choose = (chosen) => {
      articles.forEach((article, k) => {
        article.hidden = k !== chosen;
      });
      select.value = String(chosen);
      before.disabled = chosen === 0;
      after.disabled = chosen === articles.length - 1;
    };
    select.addEventListener("change", () => choose(Number(select.value)));
    before.addEventListener("click", () => choose(Number(select.value) - 1));
    after.addEventListener("click", () => choose(Number(select.value) + 1));
    // A link to a variable opens its page.
    const follow = () => {
      const found = articles.findIndex((article) => `#${article.id}` === location.hash);
      if (found < 0) return;
      choose(found);
      articles[found].focus({ preventScroll: true });
      document.getElementById("variables").scrollIntoView();
    };
    choose(0);
    addEventListener("hashchange", follow);
    follow();
  }
