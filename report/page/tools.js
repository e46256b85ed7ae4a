// What a reader does to the charts besides pointing: zoom, two cursors with what lies between them, keys, and what can be taken along.
show.tools = page => {
  const { run, $, make, number, signal, root, events, times, rows, variables, shown, off, colourOf, courseOf, rowAt, valueIn, summaryOf, named, view } = page;
  const button = (text, title, act, id) => {
    const b = make("button", "", text);
    b.type = "button";
    b.title = title;
    b.setAttribute("aria-label", title);
    if (id) b.id = id;
    b.addEventListener("click", act);
    return b;
  };
  const popup = (title, label, list, id) => {
    const details = make("details", "actions"), summary = make("summary", "", title), body = make("div", "popup");
    summary.setAttribute("aria-label", label);
    summary.title = label;
    details.id = id;
    body.append(...list);
    details.append(summary, body);
    body.addEventListener("click", e => { if (e.target.tagName === "BUTTON") details.open = false; });
    details.addEventListener("keydown", e => { if (e.key === "Escape") { details.open = false; summary.focus(); } });
    return details;
  };
  const offer = (name, type, content) => {
    const a = make("a");
    a.href = URL.createObjectURL(new Blob([content], { type }));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  };
  const keyHelp = [["drag", "zoom in, up and down too"], ["Shift, drag", "move what is seen"], ["double click", "whole run"], ["click", "select the event; with cursors, set the nearer one"], ["n, p", "next, previous event"], ["+, -, 0", "zoom in, out, whole run"], ["a, b", "set a cursor where you point; again: take it away"],
    ["\u2190, \u2192", "in a chart: row by row, with Shift ten"], ["\u2191, \u2193", "in the events: the one before, after"], ["Esc", "nothing selected"]];

  function buildTools() {
    const tools = $("tools"), before = root.querySelector("#actions");
    const focused = before && before.contains(document.activeElement) ? document.activeElement.id : "";
    const open = before ? [...before.querySelectorAll("details[open]")].map(d => d.id) : [];
    if (before) before.remove();
    const holder = make("span", "");
    holder.id = "actions";
    const keys = make("dl", "keys");
    for (const [k, what] of [...page.keys, ...keyHelp]) keys.append(make("dt", "", k), make("dd", "", what));
    const entry = (text, act, id) => { const b = button(text, text, act, id); return b; };
    holder.append(
      button("+", "Zoom in", () => zoom(0.5), "zoom-in"), button("\u2212", "Zoom out", () => zoom(2), "zoom-out"),
      button("Cursors", "Two cursors, and what lies between them", toggleCursors, "cursors"),
      popup("Export", "Pictures, values, and a handout", [
        entry("Picture (SVG)", () => offer(run.model + ".svg", "image/svg+xml", page.picture()), "save-svg"), entry("Picture (PNG)", savePicture, "save-png"),
        entry("Shown curves (CSV)", () => offer(run.model + "_shown.csv", "text/csv", page.csv()), "save-shown"), entry("Print a handout", () => window.print(), "print")], "export"),
      popup("?", "Keys", [keys], "keys"));
    $("whole").after(holder);
    for (const id of open) $(id).open = true;
    if (focused && $(focused)) $(focused).focus();
  }
  async function savePicture() {
    const svg = page.picture(), image = new Image(), [, w, h] = /width="([\d.]+)" height="([\d.]+)"/.exec(svg);
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
    await image.decode();
    const canvas = make("canvas");
    canvas.width = 2 * w;
    canvas.height = 2 * h;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => offer(run.model + ".png", "image/png", blob));
  }
  function zoom(factor) {
    const [from, to] = page.window || page.overview, t = page.row === null ? (from + to) / 2 : times[page.row];
    const middle = t >= from && t <= to ? t : (from + to) / 2;
    page.setWindow([middle - (middle - from) * factor, middle + (to - middle) * factor]);
  }

  // ---- cursors ----
  const names = ["a", "b"];
  function setCursor(name, time) {
    view[name] = time === null ? null : Math.min(Math.max(time, run.start), run.reached);
    showCursors();
    page.drawAllMarks();
  }
  function toggleCursors() {
    const [from, end] = page.window || page.overview, to = Math.min(end, run.reached), on = view.a !== null || view.b !== null;
    view.a = on ? null : from + (to - from) / 4;
    setCursor("b", on ? null : from + (to - from) * 3 / 4);
  }
  // An event is what one means when one is near it.
  function near(time, graph) {
    const k = page.nearEvent(graph, graph.toDomXCoord(time));
    return k >= 0 ? events[k].time : time;
  }
  /* A click in a chart sets the nearer cursor, if there are any. */
  function placeCursor(time, second) {
    if (view.a === null && view.b === null) return false;
    const nearer = view.a === null || view.b === null ? view.a === null ? "a" : "b" : Math.abs(time - view.a) <= Math.abs(time - view.b) ? "a" : "b";
    setCursor(second ? "b" : nearer, near(time, page.timeCharts()[0].graph));
    return true;
  }
  function placeHandles() {
    const chart = page.timeCharts()[0], strip = chart && chart.numbers && chart.numbers.parentNode;
    if (!strip) return;
    for (const name of names) {
      let handle = strip.querySelector(".handle." + name);
      const t = view[name], { area, left, right, X } = page.scalesOf(chart);
      if (t === null || t < left || t > right) { if (handle) handle.remove(); continue; }
      if (!handle) {
        handle = make("button", "handle " + name, name.toUpperCase());
        handle.type = "button";
        handle.dataset.focus = "cursor " + name;
        handle.setAttribute("role", "slider");
        handle.setAttribute("aria-label", `Cursor ${name.toUpperCase()}`);
        handle.addEventListener("pointerdown", e => { handle.setPointerCapture(e.pointerId); handle.dataset.held = "true"; });
        handle.addEventListener("pointerup", () => { delete handle.dataset.held; });
        handle.addEventListener("pointermove", e => {
          if (!handle.dataset.held) return;
          const graph = page.timeCharts()[0].graph;
          setCursor(name, near(graph.toDataXCoord(e.clientX - strip.getBoundingClientRect().left), graph));
        });
        handle.addEventListener("keydown", e => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
          if (step) {
            e.preventDefault(); e.stopPropagation();
            const [from, to] = page.window || page.overview;
            setCursor(name, view[name] + step * (to - from) * (e.shiftKey ? 0.05 : 0.005));
          } else if (e.key === "Delete" || e.key === "Backspace") setCursor(name, null);
        });
        strip.append(handle);
      }
      for (const [key, value] of Object.entries({ valuemin: run.start, valuemax: run.reached, valuenow: t, valuetext: number(t) + " s" })) handle.setAttribute("aria-" + key, value);
      handle.style.left = Math.min(Math.max(X(t), area.x), area.x + area.w) + "px";
    }
  }
  const short = x => Number.isNaN(x) ? "undefined" : String(Number(x.toPrecision(6)));
  /* For every shown variable: its values at the cursors, and what it does between them. */
  function measures() {
    const both = view.a !== null && view.b !== null, from = Math.min(view.a, view.b), to = Math.max(view.a, view.b);
    return shown.filter(k => !off.has(k)).map(k => {
      const v = variables[k], c = courseOf(v), at = t => t === null ? null : valueIn(c, t), a = at(view.a), b = at(view.b);
      const isNumber = v.type === "Real" || v.type === "Integer", between = both && v.type !== "enumeration" ? summaryOf(c, from, to) : null;
      return { k, name: v.name, unit: v.unit || "", a, b, difference: both && isNumber ? b - a : null, slides: both && page.slides(v, from, to), ...between };
    });
  }
  function showCursors() {
    let holder = $("measure");
    const on = view.a !== null || view.b !== null;
    $("cursors").setAttribute("aria-pressed", String(on));
    if (!on) { if (holder) holder.remove(); return placeHandles(); }
    if (!holder) {
      holder = make("div");
      holder.id = "measure";
      holder.tabIndex = 0;
      holder.setAttribute("aria-label", "Values at the cursors");
      $("panels").after(holder);
    }
    const both = view.a !== null && view.b !== null, table = make("table"), head = make("tr"), time = t => t === null ? "" : `${short(t)} s`;
    for (const text of ["", `A  ${time(view.a)}`, `B  ${time(view.b)}`, both ? `B \u2212 A  ${time(view.b - view.a)}` : "B \u2212 A", "minimum", "maximum", "mean"]) head.append(make("th", "", text));
    table.append(head);
    for (const m of measures()) {
      const row = make("tr"), v = variables[m.k], name = make("th", "name", m.name + (m.unit ? ` [${m.unit}]` : ""));
      name.style.setProperty("--colour", `var(${colourOf(m.k)})`);
      row.dataset.name = m.name;
      row.append(name);
      const isBoolean = v.type === "Boolean";
      for (const x of [m.a, m.b]) row.append(make("td", "", x === null ? "" : v.type === "Real" ? short(x) : named(v, x)));
      row.append(make("td", "", m.difference === null ? "" : short(m.difference)));
      for (const x of [m.low, m.high]) row.append(make("td", "", x === undefined ? "" : isBoolean ? (m.slides ? "both" : named(v, x)) : short(x)));
      row.append(make("td", "", m.mean === undefined || (isBoolean && m.slides) ? "" : isBoolean ? `true for ${short(100 * m.mean)} %` : short(m.mean)));
      table.append(row);
    }
    holder.textContent = "";
    holder.append(table);
    placeHandles();
  }

  // ---- keys ----
  function onKey(e) {
    const t = e.target, inside = t === document.body || (t.closest && root.contains(t) && t.closest("#plots, #log, #source"));
    if (!inside || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || t.isContentEditable || ["INPUT", "SELECT", "TEXTAREA"].includes(t.tagName)) return;
    const here = () => page.row === null ? null : times[page.row], [from, to] = page.window || page.overview;
    const cursor = (name, else_) => { const time = here(); setCursor(name, time === null ? view[name] === null ? else_ : null : view[name] === time ? null : time); };
    const acts = {
      n: () => page.step(1), p: () => page.step(-1), "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => page.setWindow(page.overview.slice()),
      a: () => cursor("a", from + (to - from) / 4), b: () => cursor("b", from + (to - from) * 3 / 4), Escape: () => page.select(-1, false),
    };
    if (t.closest && t.closest(".frame")) {
      const go = step => {
        const first = from <= times[0] ? 0 : Math.min(rows - 1, rowAt(times, from) + 1), last = rowAt(times, to);
        page.point(Math.min(Math.max(page.row === null ? (step > 0 ? first : last) : page.row + step, first), last));
      };
      const many = e.shiftKey ? 10 : 1;
      Object.assign(acts, { ArrowRight: () => go(many), ArrowLeft: () => go(-many), PageUp: () => go(50), PageDown: () => go(-50), Home: () => go(-rows), End: () => go(rows), ArrowDown: () => page.step(1), ArrowUp: () => page.step(-1) });
    }
    if (!Object.hasOwn(acts, e.key)) return;
    e.preventDefault();
    acts[e.key]();
  }
  document.addEventListener("keydown", onKey, { signal });
  // A menu closes when one goes elsewhere.
  document.addEventListener("click", e => {
    for (const d of root.querySelectorAll("#actions details[open], .options[open]")) if (!d.contains(e.target) && e.target.isConnected) d.open = false;
  }, { signal });
  Object.assign(page, { buildTools, zoom, setCursor, placeCursor, placeHandles, showCursors, measures });
};
