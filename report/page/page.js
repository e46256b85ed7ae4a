// Curves, events and source of a run: the page of --plot-to FILE.html, of results in notebooks, and of the playground. Charts are dygraphs;
// what is drawn here are only the marks of events, on a canvas below each chart and one above it. The parts are in files of their own beside
// this one, each a function show.PART; together they are one script, this file first.
"use strict";

/* Shows a run: `run` as mosim::PageContent has it, and `data`, columns of numbers, time first, null or NaN where a variable has no value. Given:
 *   root       the element that holds the parts, by their ids (page.html); those that are not there are left out
 *   keep       of the run that was shown before: what its state() gave. The same variables are shown, in the same colours, panels and window.
 *              Without `known` (in a link, say) it is complete: what it does not name is not shown
 *   pinned     other runs, [{ name, run, data }], whose curves are drawn beside
 *   onRow      is told of the row that is pointed at, or null
 *   onSelect   is told of the event that is selected, or null, and of its places
 * What it gives: what a script may ask and do, state() and destroy(). */
function show(run, data, { root = document.body, keep = null, pinned = [], onRow = null, onSelect = null, keys = [] } = {}) {
  const log = run.log, events = log.events || [], relations = new Map((log.relations || []).map(r => [r.number, r]));
  const times = data[0], rows = times.length;
  const gone = new AbortController(), signal = gone.signal;
  const $ = id => root.querySelector("#" + id);
  const make = (tag, className, text) => {
    const e = document.createElement(tag);
    if (className) e.className = className;
    if (tag === "canvas") e.setAttribute("aria-hidden", "true");   // what it shows is told in words elsewhere
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const css = (name, of) => {
    if (of) return getComputedStyle(of).getPropertyValue(name).trim();
    if (!show.read.has(name)) show.read.set(name, css(name, document.documentElement));
    return show.read.get(name);
  };
  const number = x => {
    if (x === null || Number.isNaN(x)) return "undefined";
    if (typeof x !== "number") return String(x);
    const rounded = Number(x.toPrecision(7));
    return rounded !== 0 && Math.abs(rounded) < 1e-4 ? rounded.toExponential() : String(rounded);
  };
  const plural = (n, one) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;
  // What the parts share. Each adds what it can do.
  const page = {
    run, data, root, keep, pinned, onRow, onSelect, keys, events, relations, times, rows, signal, $, make, css, number, plural,
    charts: [], selected: -1, related: new Set(), row: null, window: keep && keep.window || null,
    // What the reader chose: of variables by name { panel, right }, of panels by key { x, logX, log, logRight }, the times of the cursors, and which events are listed.
    view: { place: {}, panels: {}, a: null, b: null, filter: { text: "", relation: "", variable: "" }, ...JSON.parse(JSON.stringify(keep && keep.view || {})) },
  };
  for (const part of ["variables", "curves", "events", "marks", "charts", "tools", "picture", "source", "handout"]) show[part](page);
  const { variables, shown, off, colours, eventsOfLine, key, readoutOf } = page;

  if ($("model")) {
    $("model").textContent = run.model;
    $("description").textContent = run.description;
    $("facts").textContent = `${number(run.start)} to ${number(run.reached)} s \u00b7 ${plural(run.rows, "row")} \u00b7 tolerance ${number(run.tolerance)}` +
      (log.ending && log.ending !== "stop time" ? ` \u00b7 ended: ${log.ending}` : "");
  }
  const notes = page.notes = [...run.notes];
  for (const z of log.zeno || []) {
    const r = relations.get(z.relation);
    const caught = run.cut !== false || (log.events || []).some(e => e.time > z.last && e.kind !== "terminal");
    notes.push(`Events of ${r ? r.text : "relation " + z.relation} pile up at ${number(z.accumulation)} s.` +
      (caught ? "" : " From there they cannot be told apart, and nothing stops the motion any more: that takes a second condition beyond this one."));
  }
  for (const c of log.chattering || []) {
    const r = relations.get(c.relation);
    notes.push(`${r ? r.text : "Relation " + c.relation} chatters from ${number(c.from)} to ${number(c.to)} s; ${c.sliding > 0 ? `the solution follows its surface for ${number(c.sliding)} s` : `its hysteresis was widened to ${number(c.hysteresis)}`}.`);
  }
  for (const t of log.true_from_start || [])
    notes.push(`${t.condition.text} (line ${t.condition.line}): this condition was true from the start, so it never became true and never fired its when-clause.`);
  const coarse = shown.map(k => variables[k]).filter(v => page.isCoarse(page.courseOf(v))).map(v => v.name);
  if (coarse.length)
    notes.push(`${coarse.slice(0, 4).join(", ")}${coarse.length > 4 ? " \u2026" : ""} ${coarse.length === 1 ? "moves" : "move"} faster than the rows can show: between them the curve is a straight line, and the solution may be anywhere. A smaller Interval in annotation(experiment(Interval = ...)) brings more rows.`);
  if ($("notes")) {
    $("notes").textContent = "";
    for (const note of notes) $("notes").append(make("li", "", note));
    $("notes").hidden = !notes.length;
  }
  $("whole").addEventListener("click", () => page.setWindow(page.overview.slice()), { signal });
  page.buildTools();
  page.buildEvents();
  page.buildFiles();
  page.buildMenu();
  page.buildCharts();
  show.dark.addEventListener("change", () => page.buildCharts(), { signal });
  // Room that is taken or given beside the charts is no resizing of the window, which dygraphs hears of.
  const resized = new ResizeObserver(() => {
    for (const chart of page.charts) {
      const box = chart.below.parentNode.getBoundingClientRect();
      if (Math.abs(box.width - chart.graph.width_) < 1 && Math.abs(box.height - chart.graph.height_) < 1) continue;
      chart.graph.resize(box.width, box.height);
      page.drawMarks(chart);
    }
    page.placeHandles();
  });
  resized.observe($("panels"));
  const indexOf = name => variables.findIndex(v => v.name === name);
  return {
    run, notes, select: number => page.select(events.findIndex(e => e.number === number), true),
    get charts() { return page.charts; }, get selected() { return page.selected < 0 ? null : events[page.selected].number; },
    get related() { return [...page.related].map(k => events[k].number); },
    /// Events that have to do with a line, by their numbers; and the same for the page to point at.
    eventsAt: (path, line) => (eventsOfLine.get(key(path, line)) || []).map(k => events[k].number),
    relate: list => page.relate(list.map(n => events.findIndex(e => e.number === n))),
    readout: (name, row) => { const v = variables.find(x => x.name === name); return v ? readoutOf(v, row) + (v.unit ? " " + v.unit : "") : null; },
    timeOf: row => times[row],
    /// Where two values, of the left axis, are in a chart.
    placeOf: (chart, x, y) => { const { X, Y } = page.scalesOf(page.charts[chart]); return [X(x), Y[0](y)]; },
    setWindow: page.setWindow, zoom: page.zoom, point: page.point, measures: page.measures, setCursor: page.setCursor,
    /// Puts a variable into a panel, by its key or "new"; onto the right axis; and sets the x, logX, log and logRight of a panel.
    moveTo: (name, panel) => page.moveTo(indexOf(name), panel), onRight: (name, right) => page.place(indexOf(name), { right }), setPanel: page.setPanel,
    picture: page.picture, csv: page.csv, handout: page.handout,
    /// Can be written as JSON.
    state: () => ({
      shown: shown.map(k => variables[k].name), known: variables.filter(v => v.shown !== undefined).map(v => v.name), off: [...off].map(k => variables[k].name),
      colours: [...colours].map(([k, c]) => [variables[k].name, c]), window: page.window, view: JSON.parse(JSON.stringify(page.view)),
    }),
    destroy: () => {
      gone.abort();
      resized.disconnect();
      page.clear();
    },
  };
}
// Colours and fonts, by their names: asked for at each mark of each run, and others by day than by night only. Heard before any run hears of it.
show.read = new Map();
show.dark = matchMedia("(prefers-color-scheme: dark)");
show.dark.addEventListener("change", () => show.read.clear());
