// The events of a run: what caused them, where in the source, and their list.
show.events = page => {
  const { run, events, relations, $, make, number, plural, signal, variables, root, onSelect, view } = page;
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
  const said = x => typeof x === "number" ? number(x) : x === null ? "undefined" : String(x);
  const changesOf = e => (e.changed || []).map(c => `${c.name}: ${said(c.before)} \u2192 ${said(c.after)}${c.unit ? " " + c.unit : ""}`);
  // What jumped, as far as a line has room.
  const jumpOf = e => {
    const all = (e.reinitialized || []).map(r => ({ ...r, name: r.state }));
    for (const c of e.changed || []) if (!all.some(r => r.name === c.name)) all.push(c);
    return all.slice(0, 2).map(c => `${c.name} ${said(c.before)} \u2192 ${said(c.after)}`).join(", ") + (all.length > 2 ? `, ${all.length - 2} more` : "");
  };
  const textsOf = [];      // what a filter looks in
  const textOf = k => textsOf[k] ??= [events[k].number, events[k].kind, causeOf(events[k]), ...(events[k].fired || []).map(f => "when " + f.text), ...changesOf(events[k])].join(" ").toLowerCase();
  // Initialisation and end are in the list, but not in the plots.
  const marked = events.map((e, k) => k).filter(k => events[k].kind !== "initial" && events[k].kind !== "terminal");

  // ---- which are listed ----
  const crossedBy = (e, text) => (e.crossed || []).some(c => (relations.get(c.relation) || {}).text === text);
  const changes = (e, name) => (e.changed || []).some(c => c.name === name) || (e.reinitialized || []).some(r => r.state === name);
  function listed() {
    const { text, relation, variable } = view.filter, wanted = text.trim().toLowerCase();
    return events.map((_, k) => k).filter(k => (!wanted || textOf(k).includes(wanted)) && (!relation || crossedBy(events[k], relation)) && (!variable || changes(events[k], variable)));
  }
  // Equal for events with the same causes and effects, whatever the values.
  const patterns = [];
  const patternOf = k => patterns[k] ??= JSON.stringify([events[k].kind, causeOf(events[k]), (events[k].fired || []).map(f => [f.text, (f.elements || []).map(x => x.element)]), (events[k].changed || []).map(c => c.name)]);
  const unfolded = new Set();    // by their first event
  /* The list as lines: events, and where the same one, or the same few, come again and again, one line for all that follow. */
  function arrange(list, fold = list.length > 25) {
    const lines = [];
    for (let i = 0; i < list.length;) {
      let period = 1, more = 0;
      for (let p = 1; fold && p <= 4 && i + p < list.length; ++p) {
        let n = 0;
        while (i + p + n < list.length && patternOf(list[i + p + n]) === patternOf(list[i + n])) ++n;
        n -= n % p;
        if (n >= Math.max(4, 2 * p) && n + p > more + period) { period = p; more = n; }
      }
      for (let j = 0; j < period; ++j) lines.push({ k: list[i + j] });
      if (more) {
        const folded = list.slice(i + period, i + period + more);
        lines.push({ fold: folded[0], of: folded, period });
        if (unfolded.has(folded[0])) for (const k of folded) lines.push({ k, inner: true });
      }
      i += period + more;
    }
    return lines;
  }
  const foldText = l => `${plural(l.of.length, "more event")} like ${l.period === 1 ? "this" : `these ${l.period}`}, to ${number(events[l.of[l.of.length - 1]].time)} s`;

  // ---- the list: lines in blocks, which are filled when they come near ----
  const size = 100, height = 23;
  let items = new Map(), lines = [], blocks = [], lineOf = new Map(), watcher = null;
  function buildEvents() {
    const list = $("events");
    list.setAttribute("role", "list");
    list.tabIndex = -1;
    buildFilter();
    list.addEventListener("keydown", onKey, { signal });
    fillList();
    signal.addEventListener("abort", () => watcher.disconnect());
  }
  function fillList() {
    const list = $("events"), chosen = listed();
    const focused = list.contains(document.activeElement) && document.activeElement.closest("[data-line]");
    list.textContent = "";
    items = new Map();
    blocks = [];
    lines = arrange(chosen);
    lineOf = new Map(lines.flatMap((l, n) => l.fold === undefined ? [[l.k, n]] : []));
    $("event-count").textContent = summary(chosen.length);
    if (watcher) watcher.disconnect();
    watcher = new IntersectionObserver(seen => { for (const s of seen) if (s.isIntersecting) fill(blocks.indexOf(s.target)); }, { root: list, rootMargin: "600px" });
    for (let from = 0; from < lines.length; from += size) {
      const block = make("div", "block");
      block.setAttribute("role", "none");
      block.style.minHeight = `${height * Math.min(size, lines.length - from)}px`;
      list.append(block);
      blocks.push(block);
      if (from < 2 * size) fill(blocks.length - 1);
      else watcher.observe(block);
    }
    if (!events.length) list.append(make("p", "empty", "Nothing happened: the log has no events."));
    else if (!lines.length) list.append(make("p", "empty", "No event is like that."));
    if (page.selected >= 0 && lineOf.has(page.selected)) mark(page.selected);
    if (focused) focusLine(Math.min(Number(focused.dataset.line), lines.length - 1));
  }
  function fill(n) {
    const block = blocks[n];
    if (!block || block.dataset.filled) return;
    block.dataset.filled = "true";
    block.style.minHeight = "";
    watcher.unobserve(block);
    for (let at = n * size; at < Math.min((n + 1) * size, lines.length); ++at) block.append(lines[at].fold === undefined ? eventLine(lines[at], at) : foldLine(lines[at], at));
  }
  function eventLine({ k, inner }, at) {
    const e = events[k], item = make("div", `event ${e.kind}${inner ? " inner" : ""}`), row = make("button", "row"), cause = causeOf(e);
    item.setAttribute("role", "listitem");
    item.dataset.number = e.number;
    item.dataset.line = at;
    row.type = "button";
    row.tabIndex = at === 0 ? 0 : -1;
    row.setAttribute("aria-expanded", "false");
    row.append(make("span", "number", String(e.number)), make("span", "when", number(e.time) + " s"), make("span", "kind", kindNames[e.kind] || e.kind), make("span", "cause", cause), " ", make("span", "jump", jumpOf(e)));
    row.title = cause;
    item.append(row);
    if (page.related.has(k)) item.classList.add("related");
    row.addEventListener("click", () => select(k === page.selected ? -1 : k, true));
    items.set(k, item);
    return item;
  }
  function foldLine(l, at) {
    const item = make("div", "fold"), row = make("button", "row"), open = unfolded.has(l.fold);
    item.setAttribute("role", "listitem");
    item.dataset.line = at;
    row.type = "button";
    row.tabIndex = -1;
    row.setAttribute("aria-expanded", String(open));
    row.append(make("span", "number", open ? "\u25be" : "\u25b8"), make("span", "cause", foldText(l)));
    row.addEventListener("click", () => {
      open ? unfolded.delete(l.fold) : unfolded.add(l.fold);
      fillList();
      focusLine(at);
    });
    item.append(row);
    return item;
  }
  function rowOf(at) {
    if (at < 0 || at >= lines.length) return null;
    fill(Math.floor(at / size));
    return root.querySelector(`#events [data-line="${at}"] > .row`);
  }
  function focusLine(at) {
    const row = rowOf(at);
    if (!row) return;
    for (const other of root.querySelectorAll('#events .row[tabindex="0"]')) other.tabIndex = -1;
    row.tabIndex = 0;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }
  function onKey(e) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[e.key];
    if (!step || !lines.length || e.target.closest(".details")) return;
    e.preventDefault();
    const on = e.target.closest("[data-line]"), from = on ? Number(on.dataset.line) : page.selected >= 0 && lineOf.has(page.selected) ? lineOf.get(page.selected) : -1;
    const at = Math.min(Math.max(from + step, 0), lines.length - 1);
    focusLine(at);
    if (lines[at].fold === undefined) select(lines[at].k, true);
  }
  /* The next or previous of those that are listed, folded ones too. */
  function step(by) {
    const list = listed(), t = page.row === null ? -Infinity : page.times[page.row];
    if (!list.length) return;
    let at = list.indexOf(page.selected);
    if (at >= 0) at += by;
    else if (page.selected >= 0) at = by > 0 ? list.findIndex(k => k > page.selected) : list.findLastIndex(k => k < page.selected);
    else at = t === -Infinity ? (by > 0 ? 0 : list.length - 1) : by > 0 ? list.findIndex(k => events[k].time > t) : list.findLastIndex(k => events[k].time < t);
    if (at >= 0 && at < list.length) select(list[at], true);
  }

  /* How many of which kind; of the whole run, also when the log was cut. */
  function summary(chosen) {
    const counts = run.events || events.reduce((n, e) => ({ ...n, [e.kind]: (n[e.kind] || 0) + 1 }), {});
    const kinds = ["state", "time", "clock"].filter(kind => counts[kind]).map(kind => `${counts[kind].toLocaleString("en")} ${kind}`).join(", ");
    const all = Object.values(counts).reduce((a, b) => a + b, 0), filtered = view.filter.text || view.filter.relation || view.filter.variable;
    return kinds + (all > events.length ? `; ${run.cut === false ? "" : "the first "}${events.length.toLocaleString("en")} are listed` : "") + (filtered ? `; ${chosen.toLocaleString("en")} of ${events.length.toLocaleString("en")} shown` : "");
  }

  // ---- the filter ----
  function buildFilter() {
    let bar = $("event-tools");
    if (!bar) {
      bar = make("div");
      bar.id = "event-tools";
      const text = make("input"), relation = make("select"), variable = make("select");
      text.type = "search";
      text.placeholder = "filter";
      for (const [e, id, label] of [[text, "event-text", "Filter events by text"], [relation, "event-relation", "Events of a relation"], [variable, "event-variable", "Events that change a variable"]]) {
        e.id = id;
        e.setAttribute("aria-label", label);
        bar.append(e);
      }
      $("events").before(bar);
    }
    const count = list => { const n = new Map(); for (const x of list) n.set(x, (n.get(x) || 0) + 1); return [...n]; };
    const fillChoice = (id, any, list, now) => {
      const s = $(id);
      s.textContent = "";
      for (const [value, text] of [["", any], ...list.map(([x, n]) => [x, `${x} (${n.toLocaleString("en")})`])]) { const o = make("option", "", text); o.value = value; s.append(o); }
      s.value = list.some(([x]) => x === now) ? now : "";
      return s.value;
    };
    view.filter.relation = fillChoice("event-relation", "any cause", count(events.flatMap(e => [...new Set((e.crossed || []).map(c => (relations.get(c.relation) || {}).text).filter(Boolean))])), view.filter.relation);
    view.filter.variable = fillChoice("event-variable", "any change", count(events.flatMap(e => [...new Set([...(e.changed || []).map(c => c.name), ...(e.reinitialized || []).map(r => r.state)])])), view.filter.variable);
    $("event-text").value = view.filter.text;
    bar.hidden = events.length < 4;
    for (const [id, name, on] of [["event-text", "text", "input"], ["event-relation", "relation", "change"], ["event-variable", "variable", "change"]])
      $(id).addEventListener(on, () => { view.filter[name] = $(id).value; fillList(); }, { signal });
  }

  // ---- the details of one ----
  function change(dd, name, before, after, unit) {
    dd.append(`${name}  ${said(before)} `, make("span", "arrow", "\u2192"), ` ${said(after)}${unit ? " " + unit : ""}`);
  }
  const unitOf = name => { const v = variables.find(x => x.name === name); return v && v.unit; };
  function writer(dl) {
    return (title, list, write) => (list || []).forEach((x, i) => {
      const dd = make("dd");
      write(x, dd);
      dl.append(make("dt", "", i === 0 ? title : ""), dd);
    });
  }
  const wroteCrossed = (c, dd) => {
    const r = relations.get(c.relation);
    dd.append(r ? r.text : `relation ${c.relation}`, make("span", "remark", `  becomes ${c.becomes}${c.beyond_hysteresis ? ", at the far side of its hysteresis" : ""}`));
  };
  const wroteFired = withRound => (f, dd) => {
    dd.append("when " + f.text);
    const element = x => f.size > 1 ? `element ${x.element} (${x.text})` : x.text;
    const remark = text => dd.append(make("br"), make("span", "remark", text));
    if (f.size > 1 && (f.elements || []).length) remark(`by ${f.elements.map(element).join(", ")}`);
    if ((f.already_true || []).length) remark(`already true: ${f.already_true.map(element).join(", ")}`);
    if (withRound && f.round === 0) remark("while initial() holds");
    if (withRound && f.round > 1) remark(`in round ${f.round} of event iteration`);
  };
  const wroteReset = (r, dd) => change(dd, r.state, r.before, r.after, unitOf(r.state));
  function detailsOf(e) {
    const holder = make("div", "opened"), dl = make("dl", "details"), add = writer(dl);
    add("crossed", e.crossed, wroteCrossed);
    add("sampled", e.sampled, (s, dd) => dd.append(s.text));
    add("ticked", e.ticked, (c, dd) => dd.append(c.text));
    add("fired", e.fired, wroteFired(true));
    add("reinitialized", e.reinitialized, wroteReset);
    // What reinit did has been told.
    const told = new Set((e.reinitialized || []).map(r => r.state + " " + r.after));
    const steps = new Map();
    for (const s of e.steps || []) steps.set(s.name, [...(steps.get(s.name) || []), s]);
    add("changed", (e.changed || []).filter(c => !told.has(c.name + " " + c.after) && !steps.has(c.name)), (c, dd) => change(dd, c.name, c.before, c.after, c.unit));
    add("round by round", [...steps.values()], (list, dd) => {
      dd.append(`${list[0].name}  ${said(list[0].before)} `);
      for (const s of list) dd.append(make("span", "arrow", "\u2192"), ` ${said(s.after)} `, make("span", "remark", `(${s.round}) `));
    });
    add("warned", e.warned, (w, dd) => dd.append(w.message));
    add("ended", e.terminated, (w, dd) => dd.append(w.message));
    if (e.rounds === 2) add("rounds", [2], (n, dd) => dd.append(make("span", "remark", "2, the last of which found nothing to do")));
    add("at", [e.time], (t, dd) => dd.append(`${t} s`));
    holder.append(dl);
    if (e.rounds > 2) holder.append(stepperOf(e));
    return holder;
  }
  // What each round of event iteration did; without a number it was in the first. What is continuous follows, and is in no round of its own.
  const isDiscrete = c => typeof c.before !== "number" || (variables.find(v => v.name === c.name) || {}).steps;
  function roundOf(e, n) {
    const mine = x => (x.round ?? 1) === n, stepped = new Set((e.steps || []).map(s => s.name)), reset = new Set((e.reinitialized || []).map(r => r.state));
    return {
      crossed: (e.crossed || []).filter(mine), fired: (e.fired || []).filter(mine), reinitialized: (e.reinitialized || []).filter(mine),
      changed: [...(e.steps || []).filter(mine), ...(e.changed || []).filter(c => !stepped.has(c.name) && !reset.has(c.name) && mine(c) && isDiscrete(c))],
    };
  }
  function stepperOf(e) {
    const holder = make("div", "stepper"), bar = make("div", "bar"), title = make("span", "title"), body = make("dl", "details");
    let n = 1;
    const button = (text, label, by) => {
      const b = make("button", "", text);
      b.type = "button";
      b.setAttribute("aria-label", label);
      b.addEventListener("click", () => { n += by; draw(); });
      bar.append(b);
      return b;
    };
    const back = button("\u2039", "Round before", -1);
    bar.append(title);
    const on = button("\u203a", "Next round", 1);
    title.setAttribute("aria-live", "polite");
    function draw() {
      title.textContent = `round ${n} of ${e.rounds}`;
      back.disabled = n === 1;
      on.disabled = n === e.rounds;
      body.textContent = "";
      const add = writer(body), r = roundOf(e, n);
      add("crossed", r.crossed, wroteCrossed);
      add("fired", r.fired, wroteFired(false));
      add("reinitialized", r.reinitialized, wroteReset);
      add("changed", r.changed, (c, dd) => change(dd, c.name, c.before, c.after, c.unit || unitOf(c.name)));
      if (!body.children.length) add("", [0], (_, dd) => dd.append(make("span", "remark", n === e.rounds ? "Nothing changes any more: the event is over." : "What follows from the round before.")));
    }
    draw();
    holder.append(bar, body);
    return holder;
  }

  function mark(k) {
    fill(Math.floor(lineOf.get(k) / size));
    const item = items.get(k), row = item.firstChild;
    item.classList.add("selected");
    row.setAttribute("aria-expanded", "true");
    for (const other of root.querySelectorAll('#events .row[tabindex="0"]')) other.tabIndex = -1;
    row.tabIndex = 0;
    if (!item.querySelector(".opened")) item.append(detailsOf(events[k]));
    return item;
  }
  function select(k, scroll) {
    if (page.selected >= 0 && items.has(page.selected)) {
      const item = items.get(page.selected), opened = item.querySelector(".opened");
      item.classList.remove("selected");
      item.firstChild.setAttribute("aria-expanded", "false");
      if (opened) opened.remove();
    }
    page.selected = k;
    if (k >= 0) {
      if (!lineOf.has(k)) {
        // It is folded, or the filter does not want it.
        const fold = lines.find(l => l.fold !== undefined && l.of.includes(k));
        if (fold) unfolded.add(fold.fold);
        else view.filter = { text: "", relation: "", variable: "" };
        const focus = $("events").contains(document.activeElement);
        if (!fold) for (const id of ["event-text", "event-relation", "event-variable"]) $(id).value = "";
        fillList();
        if (!lineOf.has(k)) { unfolded.add(lines.find(l => l.fold !== undefined && l.of.includes(k)).fold); fillList(); }
        if (focus) focusLine(lineOf.get(k));
      }
      const item = mark(k), list = $("events");
      if (scroll) {
        item.scrollIntoView({ block: "nearest" });
        if (item.offsetHeight > list.clientHeight) item.scrollIntoView({ block: "start" });
      }
      const t = events[k].time;
      // An instant outside the window is brought into it.
      if (page.window && page.charts.length && (t < page.window[0] || t > page.window[1])) {
        const half = (page.window[1] - page.window[0]) / 2;
        page.setWindow([t - half, t + half]);
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
    for (const k of page.related) if (items.has(k)) items.get(k).classList.remove("related");
    page.related = new Set(list);
    for (const k of page.related) if (items.has(k)) items.get(k).classList.add("related");
    page.drawAllMarks();
  }
  Object.assign(page, { causeOf, changesOf, key, eventsOfLine, places, marked, buildEvents, select, relate, step, listed, arrange, foldText, detailsOf });
};
