// The events of a run: what caused them, where in the source, and their list.
show.events = page => {
  const { run, events, relations, $, make, number, signal, variables, root, onSelect } = page;
  const kindNames = { initial: "initial", time: "time", state: "state", clock: "clock", terminal: "terminal" };
  const causeOf = e => {
    const parts = [];
    for (const c of e.crossed || []) {
      const r = relations.get(c.relation);
      parts.push(`${r ? r.text : "relation " + c.relation} becomes ${c.becomes}`);
    }
    for (const s of e.sampled || []) parts.push(s.text);
    for (const c of e.ticked || []) parts.push(c.text);
    if (!parts.length && e.kind === "initial") parts.push("initialisation");
    if (!parts.length && e.kind === "terminal") parts.push("end of the run");
    if (!parts.length) for (const f of e.fired || []) parts.push("when " + f.text);
    return parts.join(", ");
  };
  const placesOf = e => {
    const list = [];
    const add = (p, strong) => { if (p && p.file !== undefined && p.line) list.push({ file: p.file, line: p.line, column: p.column, end: p.end_column, strong }); };
    for (const c of e.crossed || []) add(relations.get(c.relation), true);
    for (const s of e.sampled || []) add(s, true);
    for (const c of e.ticked || []) add(c, true);
    for (const f of e.fired || []) {
      add(f, false);
      for (const x of f.elements || []) add(x, true);
    }
    for (const r of e.reinitialized || []) add(r, true);
    return list;
  };
  const key = (file, line) => line + "\n" + file;
  const eventsOfLine = new Map();        // to indices into events, in order
  const places = events.map(placesOf);
  places.forEach((list, k) => {
    for (const p of list) {
      const at = key(p.file, p.line);
      if (!eventsOfLine.has(at)) eventsOfLine.set(at, []);
      const of = eventsOfLine.get(at);
      if (of[of.length - 1] !== k) of.push(k);
    }
  });
  // Initialisation and end are in the list, but not in the plots.
  const marked = events.map((e, k) => k).filter(k => events[k].kind !== "initial" && events[k].kind !== "terminal");

  const items = [];
  function buildEvents() {
    const list = $("events");
    list.textContent = "";
    $("event-count").textContent = summary();
    events.forEach((e, k) => {
      const item = make("div", "event " + e.kind), row = make("div", "row");
      item.setAttribute("role", "option");
      item.dataset.number = e.number;
      row.append(make("span", "number", String(e.number)), make("span", "when", number(e.time) + " s"), make("span", "kind", kindNames[e.kind] || e.kind), make("span", "cause", causeOf(e)));
      row.title = causeOf(e);
      item.append(row);
      row.addEventListener("click", () => select(k === page.selected ? -1 : k, false));
      list.append(item);
      items.push(item);
    });
    list.addEventListener("keydown", e => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (!step || !events.length) return;
      e.preventDefault();
      select(Math.min(Math.max(page.selected + step, 0), events.length - 1), true);
    }, { signal });
    if (!events.length) list.append(make("p", "empty", "Nothing happened: the log has no events."));
  }
  function summary() {
    const kinds = ["state", "time", "clock"].map(kind => [kind, events.filter(e => e.kind === kind).length]).filter(([, n]) => n);
    return kinds.map(([kind, n]) => `${n.toLocaleString("en")} ${kind}`).join(", ");
  }

  function detailsOf(e) {
    const dl = make("dl", "details");
    const add = (title, list, fill) => (list || []).forEach((x, i) => {
      const dd = make("dd");
      fill(x, dd);
      dl.append(make("dt", "", i === 0 ? title : ""), dd);
    });
    const change = (dd, name, before, after, unit) => {
      dd.append(`${name}  ${number(before)} `, make("span", "arrow", "\u2192"), ` ${number(after)}${unit ? " " + unit : ""}`);
    };
    const unitOf = name => { const v = variables.find(x => x.name === name); return v && v.unit; };
    add("crossed", e.crossed, (c, dd) => {
      const r = relations.get(c.relation);
      dd.append(r ? r.text : `relation ${c.relation}`, make("span", "remark", `  becomes ${c.becomes}${c.beyond_hysteresis ? ", at the far side of its hysteresis" : ""}`));
    });
    add("sampled", e.sampled, (s, dd) => dd.append(s.text));
    add("ticked", e.ticked, (c, dd) => dd.append(c.text));
    add("fired", e.fired, (f, dd) => {
      dd.append("when " + f.text);
      const element = x => f.size > 1 ? `element ${x.element} (${x.text})` : x.text;
      if (f.size > 1 && (f.elements || []).length) dd.append(make("br"), make("span", "remark", `by ${f.elements.map(element).join(", ")}`));
      if ((f.already_true || []).length) dd.append(make("br"), make("span", "remark", `already true: ${f.already_true.map(element).join(", ")}`));
      if (f.round === 0) dd.append(make("br"), make("span", "remark", "while initial() holds"));
      if (f.round > 1) dd.append(make("br"), make("span", "remark", `in round ${f.round} of event iteration`));
    });
    add("reinitialized", e.reinitialized, (r, dd) => change(dd, r.state, r.before, r.after, unitOf(r.state)));
    // What reinit did has been told.
    const told = new Set((e.reinitialized || []).map(r => r.state + " " + r.after));
    const steps = new Map();
    for (const s of e.steps || []) steps.set(s.name, [...(steps.get(s.name) || []), s]);
    add("changed", (e.changed || []).filter(c => !told.has(c.name + " " + c.after) && !steps.has(c.name)), (c, dd) => change(dd, c.name, c.before, c.after, c.unit));
    add("round by round", [...steps.values()], (list, dd) => {
      dd.append(`${list[0].name}  ${number(list[0].before)} `);
      for (const s of list) dd.append(make("span", "arrow", "\u2192"), ` ${number(s.after)} `, make("span", "remark", `(${s.round}) `));
    });
    if (e.rounds > 1) add("rounds", [e.rounds], (n, dd) => dd.append(make("span", "remark", String(n))));
    add("at", [e.time], (t, dd) => dd.append(`${t} s`));
    return dl;
  }

  function select(k, scroll) {
    if (page.selected >= 0) {
      items[page.selected].classList.remove("selected");
      items[page.selected].removeAttribute("aria-selected");
      items[page.selected].querySelector(".details").remove();
    }
    page.selected = k;
    if (k >= 0) {
      const item = items[k];
      item.classList.add("selected");
      item.setAttribute("aria-selected", "true");
      item.append(detailsOf(events[k]));
      if (scroll) item.scrollIntoView({ block: "nearest" });
      const t = events[k].time;
      // An instant outside the window is brought into it.
      if (page.window && page.charts.length && (t < page.window[0] || t > page.window[1])) {
        const half = (page.window[1] - page.window[0]) / 2;
        page.charts[0].graph.updateOptions({ dateWindow: [t - half, t + half] });
      }
      const strong = places[k].find(p => p.strong) || places[k][0];
      if (strong) page.showFile(strong.file);
    }
    page.lightLines();
    page.drawAllMarks();
    const lit = root.querySelector("#code .line.lit");
    if (lit) lit.scrollIntoView({ block: "nearest" });
    if (onSelect) onSelect(k >= 0 ? events[k] : null, k >= 0 ? places[k] : []);
  }

  function relate(list) {
    for (const k of page.related) items[k].classList.remove("related");
    page.related = new Set(list);
    for (const k of page.related) items[k].classList.add("related");
    page.drawAllMarks();
  }
  Object.assign(page, { causeOf, key, eventsOfLine, places, marked, buildEvents, select, relate });
};
