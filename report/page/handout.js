// A handout: what the page has, on paper. Curves with the numbers of events, what these were, and the source with its lines.
show.handout = page => {
  const { run, root, make, number, events, relations, eventsOfLine, key, signal, $ } = page;
  const most = 80;       // captions
  function handout() {
    const sheet = make("div"), title = make("h1", "", run.model), figure = make("figure");
    sheet.id = "handout";
    sheet.append(title);
    if (run.description) sheet.append(make("p", "about", run.description));
    sheet.append(make("p", "facts", `${number(run.start)} to ${number(run.reached)} s, tolerance ${number(run.tolerance)}`));
    figure.innerHTML = page.picture({ titled: false });
    sheet.append(figure);
    const notes = make("ul");
    for (const note of page.notes) notes.append(make("li", "", note));
    if (page.notes.length) sheet.append(notes);
    if (events.length) {
      // What has a number in the curves has its caption, also where others like it are one line.
      const numbered = new Set(page.charts.flatMap(c => c.marks.numbers));
      const lines = page.arrange(page.listed()).filter(l => !l.inner).flatMap(l => {
        if (l.fold === undefined) return [l];
        const some = l.of.filter(k => numbered.has(events[k].number)), rest = l.of.filter(k => !numbered.has(events[k].number));
        return [...some.map(k => ({ k })), ...(rest.length ? [{ ...l, of: rest }] : [])];
      });
      const table = make("table"), head = make("tr");
      sheet.append(make("h2", "", `Events: ${$("event-count").textContent}`), table);
      for (const text of ["", "time", "cause", "what changed"]) head.append(make("th", "", text));
      const top = make("thead");
      top.append(head);
      table.append(top);
      for (const l of lines.slice(0, most)) {
        const row = make("tr");
        if (l.fold !== undefined) {
          const cell = make("td", "fold", page.foldText(l));
          cell.colSpan = 3;
          row.append(make("td"), cell);
        } else {
          const e = events[l.k];
          row.append(make("td", "number", String(e.number)), make("td", "when", `${number(e.time)} s`), make("td", "", page.causeOf(e)), make("td", "", page.changesOf(e).slice(0, 8).join(", ")));
        }
        table.append(row);
      }
      if (lines.length > most) sheet.append(make("p", "", `${(lines.length - most).toLocaleString("en")} more lines are on the page.`));
    }
    // Whole, if it is the model's own and not too long; of others the lines that have to do with events.
    run.sources.forEach((source, n) => {
      const lines = source.text.replace(/^\ufeff/, "").replace(/\r/g, "").replace(/\n$/, "").split("\n"), of = i => eventsOfLine.get(key(source.path, i + 1));
      const near = lines.map((_, i) => lines.length <= 300 || [-2, -1, 0, 1, 2].some(d => of(i + d)));
      if (!lines.some((_, i) => of(i)) && n > 0) return;
      sheet.append(make("h2", "", source.path.split(/[\\/]/).pop()));
      const code = make("pre");
      lines.forEach((text, i) => {
        if (!near[i]) { if (i === 0 || near[i - 1]) code.append(make("div", "", "      \u22ee")); return; }
        const line = make("div", of(i) ? "active" : "");
        line.append(make("span", "no", String(i + 1).padStart(4)), make("span", "hits", of(i) ? "\u25cf" : " "), make("span", "text", text));
        code.append(line);
      });
      sheet.append(code);
    });
    return sheet;
  }
  const clear = () => { for (const e of document.querySelectorAll("#handout")) e.remove(); };
  window.addEventListener("beforeprint", () => { clear(); if (page.charts.length) document.body.append(handout()); }, { signal });
  window.addEventListener("afterprint", clear, { signal });
  signal.addEventListener("abort", clear);
  Object.assign(page, { handout });
};
