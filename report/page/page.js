// Curves, events and source of a run: the page of --plot-to FILE.html, of results in notebooks, and of the playground. Charts are dygraphs;
// what is drawn here are only the marks of events, on a canvas below each chart and one above it.
"use strict";

/* Shows a run: `run` as mosim::PageContent has it, and `data`, columns of numbers, time first, null or NaN where a variable has no value. Given:
 *   root       the element that holds the parts, by their ids (page.html); those that are not there are left out
 *   keep       of the run that was shown before: what its state() gave. The same variables are shown, in the same colours and the same window
 *   pinned     other runs, [{ name, run, data }], whose curves are drawn beside
 *   onRow      is told of the row that is pointed at, or null
 *   onSelect   is told of the event that is selected, or null, and of its places
 * What it gives: what a script may ask and do, state() and destroy(). */
function show(run, data, { root = document.body, keep = null, pinned = [], onRow = null, onSelect = null } = {}) {
  const log = run.log, events = log.events || [], relations = new Map((log.relations || []).map(r => [r.number, r]));
  const times = data[0], rows = times.length;
  const gone = new AbortController(), signal = gone.signal;
  const $ = id => root.querySelector("#" + id);
  const make = (tag, className, text) => {
    const e = document.createElement(tag);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = x => {
    if (x === null || Number.isNaN(x)) return "undefined";
    if (typeof x !== "number") return String(x);
    const rounded = Number(x.toPrecision(7));
    return rounded !== 0 && Math.abs(rounded) < 1e-4 ? rounded.toExponential() : String(rounded);
  };
  const plural = (n, one) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;

  // ---- variables ----
  const variables = run.variables;
  const valueAt = (v, row) => v.time ? times[row] : v.column === undefined ? v.value : data[v.column + 1][row];
  const shown = variables.map((_, k) => k).filter(k => variables[k].shown !== undefined).sort((a, b) => variables[a].shown - variables[b].shown);
  if (keep) {
    shown.length = 0;
    for (const name of keep.shown) {
      const k = variables.findIndex(v => v.name === name);
      if (k >= 0) shown.push(k);
    }
    for (const [k, v] of variables.entries())   // what is new
      if (v.shown !== undefined && !keep.known.has(v.name) && !shown.includes(k)) shown.push(k);
  }
  const off = new Set(shown.filter(k => keep && keep.off.has(variables[k].name)));   // shown in the legend, but switched off
  const colours = new Map();             // a variable keeps its colour
  if (keep) variables.forEach((v, k) => { if (keep.colours.has(v.name)) colours.set(k, keep.colours.get(v.name)); });
  const colourOf = k => {
    if (!colours.has(k)) {
      const used = new Set(colours.values());
      colours.set(k, [0, 1, 2, 3, 4, 5, 6, 7].find(c => !used.has(c)) ?? colours.size % 8);
    }
    return `--c${colours.get(k)}`;
  };
  const named = (v, x) => {
    if (x === null || Number.isNaN(x)) return "undefined";
    if (v.type === "Boolean") return x ? "true" : "false";
    if (v.type === "enumeration") return v.literals[x - 1] || String(x);
    return number(x);
  };
  const axisOf = v => v.type === "Boolean" ? "Boolean" : v.type === "enumeration" ? "enumeration " + v.literals.join() : v.type + " " + (v.unit || "");

  // ---- events: causes, places ----
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

  // ---- charts ----
  let charts = [], sync = null, selected = -1, related = new Set(), hoverRow = null, dateWindow = keep ? keep.window : null;
  // A little longer than the run: dygraphs has no tick at the very end.
  const overview = [run.start, run.reached > run.start ? run.reached + 1e-6 * (run.reached - run.start) : run.start + 1];

  // Those within a pixel of each other are one line.
  function alone(xs) {
    let before = 0, after = 0;
    return xs.map((x, i) => {
      while (before < i && x - xs[before] > 1) ++before;
      while (after < xs.length && xs[after] - x <= 1) ++after;
      return (before === 0 || x - xs[before - 1] >= 9) && (after === xs.length || xs[after] - x >= 9);
    });
  }
  function drawMarks(chart) {
    const graph = chart.graph, area = graph.getArea();
    const prepared = canvas => {
      const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
      canvas.width = Math.round(box.width * ratio);
      canvas.height = Math.round(box.height * ratio);
      const c = canvas.getContext("2d");
      c.scale(ratio, ratio);
      c.beginPath();
      c.rect(area.x, area.y, area.w + 1, area.h);
      c.clip();
      return c;
    };
    let c = prepared(chart.below);
    const colour = { state: css("--state"), time: css("--time"), clock: css("--clock") }, accent = css("--accent");
    const dashes = { state: [], time: [6, 4], clock: [1.5, 3] };
    const [left, right] = graph.xAxisRange();
    const inside = marked.filter(k => events[k].time >= left && events[k].time <= right);
    const xs = inside.map(k => graph.toDomXCoord(events[k].time));
    const aparts = alone(xs);
    const line = (x, top, bottom) => { c.beginPath(); c.moveTo(x, top); c.lineTo(x, bottom); c.stroke(); };
    chart.marks = { lines: 0, stubs: 0, related: 0, selected: 0 };
    let last = -Infinity;
    inside.forEach((k, i) => {
      const x = Math.round(xs[i]) + 0.5, kind = events[k].kind;
      // A crowd is marked at the foot only; zooming in takes it apart.
      const apart = aparts[i];
      apart ? ++chart.marks.lines : ++chart.marks.stubs;
      if (x === last) return;
      last = x;
      c.strokeStyle = colour[kind];
      c.lineWidth = 1;
      c.globalAlpha = 0.45;
      if (apart) {
        c.setLineDash(dashes[kind]);
        line(x, area.y, area.y + area.h);
        c.setLineDash([]);
      }
      c.globalAlpha = 0.8;
      line(x, area.y + area.h - 6, area.y + area.h);
    });
    // What is pointed at, above the curves.
    c = prepared(chart.above);
    last = -Infinity;
    c.strokeStyle = accent;
    inside.forEach((k, i) => {
      if (!related.has(k)) return;
      ++chart.marks.related;
      const x = Math.round(xs[i]) + 0.5;
      if (x === last) return;
      last = x;
      c.globalAlpha = related.size > 60 ? 0.35 : 0.75;
      line(x, area.y, area.y + area.h);
    });
    if (selected >= 0) {
      const t = events[selected].time;
      if (t >= left && t <= right) {
        chart.marks.selected = 1;
        c.globalAlpha = 1;
        c.lineWidth = 2;
        const x = graph.toDomXCoord(t);
        line(x, area.y, area.y + area.h);
        if (chart === charts[0]) {
          c.font = "600 11px " + css("--sans");
          const text = "event " + events[selected].number, w = c.measureText(text).width + 8;
          const at = Math.min(Math.max(x + 3, area.x), area.x + area.w - w);
          c.fillStyle = accent;
          c.fillRect(at, area.y + 1, w, 16);
          c.fillStyle = css("--card");
          c.fillText(text, at + 4, area.y + 13);
        }
      }
    }
  }
  const drawAllMarks = () => charts.forEach(drawMarks);

  // Two rows at one time are the left limit and the new value.
  function readoutOf(v, row) {
    let a = row, b = row;
    while (a > 0 && times[a - 1] === times[row]) --a;
    while (b + 1 < rows && times[b + 1] === times[row]) ++b;
    const x = named(v, valueAt(v, a)), y = named(v, valueAt(v, b));
    return x === y ? x : `${x} \u2192 ${y}`;
  }
  function showRow(row) {
    if (onRow && row !== hoverRow) onRow(row);
    hoverRow = row;
    for (const chart of charts)
      for (const chip of chart.chips) {
        const v = variables[chip.variable], unit = v.unit ? " " + v.unit : "";
        chip.value.textContent = row === null ? (v.column === undefined && !v.time ? "= " + named(v, v.value) + unit : "") : "= " + readoutOf(v, row) + unit;
        chip.about.hidden = row !== null;
      }
    const at = row === null ? null : marked.find(k => events[k].time === times[row]);
    if ($("readout")) $("readout").textContent = row === null ? "drag to zoom, double-click for all, shift and drag to pan"
      : `time ${number(times[row])} s` + (at === undefined ? "" : ` \u00b7 event ${events[at].number}`);
  }

  function nearEvent(graph, x) {
    let best = -1, distance = 7;
    for (const k of marked) {
      const d = Math.abs(graph.toDomXCoord(events[k].time) - x);
      if (d < distance) { distance = d; best = k; }
    }
    return best;
  }

  function buildCharts() {
    if (sync) sync.detach();
    sync = null;
    charts.forEach(chart => chart.graph.destroy());
    charts = [];
    const holder = $("panels");
    holder.textContent = "";
    const groups = new Map();
    for (const k of shown) {
      const axis = axisOf(variables[k]);
      if (!groups.has(axis)) groups.set(axis, []);
      groups.get(axis).push(k);
    }
    if (!groups.size) holder.append(make("p", "empty", "No variable is shown. The menu above has them all."));
    // All frames first: a chart takes the size that it finds.
    const all = [...groups.values()].map((members, k) => buildPanel(holder, members, k + 1 === groups.size));
    for (const fill of all) fill();
    if (charts.length > 1) sync = Dygraph.synchronize(charts.map(c => c.graph), { zoom: true, selection: true, range: false });
    charts.forEach(drawMarks);
    $("menu-title").textContent = `Variables: ${shown.length} of ${variables.length}`;
    showRow(null);
  }

  function buildPanel(holder, members, isLast) {
    const first = variables[members[0]], lanes = first.type === "Boolean";
    const chart = { members, chips: [] };
    const panel = make("div", "panel" + (lanes ? " lanes" : "")), legend = make("div", "legend"), frame = make("div", "frame");
    chart.below = make("canvas", "marks");
    chart.above = make("canvas", "marks");
    const div = make("div", "chart");
    frame.append(chart.below, div, chart.above);
    panel.append(legend, frame);
    if (lanes) frame.style.height = `${members.length * 48 + (isLast ? 38 : 6)}px`;
    holder.append(panel);
    members.forEach((k, i) => {
      const v = variables[k], chip = make("button", "chip");
      chip.type = "button";
      chip.style.setProperty("--colour", `var(${colourOf(k)})`);
      chip.dataset.name = v.name;
      const about = make("span", "about", [v.unit ? `[${v.unit}]` : "", v.description || ""].join(" ").trim()), value = make("span", "value");
      chip.append(make("span", "name", v.name), about, value);
      chip.title = `${v.name}${v.unit ? " [" + v.unit + "]" : ""}${v.description ? ": " + v.description : ""}\n${v.protected ? "protected " : ""}${v.kind} ${v.type}. Click to switch it ${off.has(k) ? "on" : "off"}.`;
      chip.setAttribute("aria-pressed", String(!off.has(k)));
      chip.addEventListener("click", () => {
        off.has(k) ? off.delete(k) : off.add(k);
        chip.setAttribute("aria-pressed", String(!off.has(k)));
        chart.graph.setVisibility(i, !off.has(k));
        chart.others.forEach((member, j) => { if (member === i) chart.graph.setVisibility(chart.members.length + j, !off.has(k)); });
        drawMarks(chart);
      });
      legend.append(chip);
      chart.chips.push({ variable: k, value, about });
    });
    return () => fillPanel(chart, div, isLast);
  }

  function fillPanel(chart, div, isLast) {
    const members = chart.members, first = variables[members[0]], lanes = first.type === "Boolean", named_ = first.type === "enumeration";
    const lane = i => lanes ? 1.5 * (members.length - 1 - i) : 0;
    // The same variables of other runs, each with its own rows: in one table, with nothing where a run has no row.
    const others = pinned.flatMap(p => members.flatMap((k, i) => {
      const v = p.run.variables.find(x => x.name === variables[k].name && x.column !== undefined);
      return v ? [{ pin: p, member: i, values: p.data[v.column + 1], times: p.data[0] }] : [];
    }));
    const width = 1 + members.length + others.length;
    let table = [];
    chart.rowOf = [];       // of the run itself, for each row of the table
    for (let r = 0; r < rows; ++r) {
      const line = new Array(width).fill(null);
      line[0] = times[r];
      members.forEach((k, i) => {
        const x = valueAt(variables[k], r);
        line[i + 1] = x === null ? NaN : x + lane(i);
      });
      table.push(line);
      chart.rowOf.push(r);
    }
    if (others.length) {
      let tagged = table.map((line, r) => [line, r]);
      for (const p of new Set(others.map(o => o.pin)))
        for (let r = 0; r < p.data[0].length; ++r) {
          const line = new Array(width).fill(null);
          line[0] = p.data[0][r];
          others.forEach((o, j) => { if (o.pin === p) line[1 + members.length + j] = o.values[r] === null ? NaN : o.values[r] + lane(o.member); });
          tagged.push([line, -1]);
        }
      tagged.sort((a, b) => a[0][0] - b[0][0]);   // stable: rows of one run keep their order
      let last = 0;
      chart.rowOf = tagged.map(([, r]) => (last = r < 0 ? last : r));
      table = tagged.map(([line]) => line);
    }
    const series = {};
    const labels = ["time"].concat(members.map((k, i) => variables[k].name || String(i)), others.map((o, j) => `${variables[members[o.member]].name} of ${o.pin.name} (${j})`));
    members.forEach((k, i) => {
      series[labels[i + 1]] = { stepPlot: !!variables[k].steps, color: css(colourOf(k)) };
    });
    others.forEach((o, j) => {
      const k = members[o.member];
      series[labels[1 + members.length + j]] = { stepPlot: !!variables[k].steps, color: css(colourOf(k)), strokePattern: [[6, 3], [2, 3], [9, 3, 2, 3]][pinned.indexOf(o.pin) % 3], strokeWidth: 1.1, highlightCircleSize: 0 };
    });
    const y = { axisLabelWidth: 52, axisLabelFormatter: number, pixelsPerLabel: 28, drawGrid: true, gridLineColor: css("--grid"), axisLineColor: css("--line") };
    const options = {
      labels, series, legend: "never", dateWindow: dateWindow || overview, visibility: members.map(k => !off.has(k)).concat(others.map(o => !off.has(members[o.member]))), connectSeparatedPoints: others.length > 0,
      strokeWidth: 1.6, highlightCircleSize: 3, animatedZooms: false, rightGap: 26, yRangePad: 8, xRangePad: 0,
      gridLineColor: css("--grid"), axisLineColor: css("--line"),
      axes: { x: { axisLabelWidth: 50, drawAxis: isLast, axisLabelFormatter: number, pixelsPerLabel: 70, drawGrid: true, gridLineColor: css("--grid"), axisLineColor: css("--line") }, y },
      xlabel: isLast ? "time [s]" : undefined, xLabelHeight: 16, yLabelWidth: 16,
      underlayCallback: c => { c.lineJoin = "round"; },
      highlightCallback: (_, x, points, row) => showRow(chart.rowOf[row]),
      unhighlightCallback: () => showRow(null),
      clickCallback: (event, x) => {
        const k = nearEvent(chart.graph, event.offsetX !== undefined ? chart.graph.eventToDomCoords(event)[0] : chart.graph.toDomXCoord(x));
        if (k >= 0) select(k, true);
      },
      drawCallback: (graph, initial) => {
        if (initial) return;
        drawMarks(chart);
        const range = graph.xAxisRange();
        const whole = Math.abs(range[0] - overview[0]) + Math.abs(range[1] - overview[1]) < 1e-9 * (overview[1] - overview[0]);
        dateWindow = whole ? null : range;
        $("whole").disabled = whole;
      },
    };
    if (first.unit && !lanes) options.ylabel = `[${first.unit}]`;
    else options.ylabel = "\u00a0";
    if (lanes) {
      options.valueRange = [-0.3, 1.5 * (members.length - 1) + 1.3];
      y.ticker = () => members.flatMap((_, i) => [{ v: lane(i), label: "false" }, { v: lane(i) + 1, label: "true" }]);
    } else if (named_) {
      y.ticker = (a, b) => first.literals.map((label, i) => ({ v: i + 1, label })).filter(t => t.v >= a && t.v <= b);
      options.yRangePad = 14;
    } else if (first.type === "Integer") {
      const ticker = Dygraph.numericLinearTicks;
      y.ticker = (...args) => ticker(...args).filter(t => Number.isInteger(t.v));
    }
    chart.others = others.map(o => o.member);
    chart.graph = new Dygraph(div, table, options);
    charts.push(chart);
  }

  // ---- the menu ----
  function buildMenu() {
    const list = $("menu-list");
    if (!list) return;
    list.textContent = "";
    const groups = [["state", "States"], ["derivative", "Derivatives"], ["discrete", "Discrete"], ["algebraic", "Algebraic"], ["time", "Time"], ["parameter", "Parameters"], ["constant", "Constants"]];
    for (const [kind, title] of groups) {
      const members = variables.map((v, k) => k).filter(k => variables[k].kind === kind);
      if (!members.length) continue;
      members.sort((a, b) => Number(!!variables[a].protected) - Number(!!variables[b].protected));
      const group = make("div");
      group.append(make("h3", "", title));
      for (const k of members) {
        const v = variables[k], label = make("label"), box = make("input");
        box.type = "checkbox";
        box.checked = shown.includes(k);
        box.dataset.name = v.name;
        box.addEventListener("change", () => {
          const at = shown.indexOf(k);
          if (box.checked && at < 0) shown.push(k);
          if (!box.checked && at >= 0) shown.splice(at, 1);
          off.delete(k);
          buildCharts();
        });
        label.append(box, make("span", "name", v.name), make("span", "about", [v.unit ? `[${v.unit}]` : "", v.description || ""].join(" ").trim()));
        label.dataset.text = (v.name + " " + (v.description || "")).toLowerCase();
        group.append(label);
      }
      list.append(group);
    }
    $("filter").addEventListener("input", () => {
      const wanted = $("filter").value.trim().toLowerCase();
      for (const group of list.children) {
        let any = false;
        for (const label of group.querySelectorAll("label")) {
          label.hidden = !label.dataset.text.includes(wanted);
          label.style.display = label.hidden ? "none" : "";
          any = any || !label.hidden;
        }
        group.hidden = !any;
      }
    }, { signal });
    document.addEventListener("click", e => { if (!$("menu").contains(e.target)) $("menu").open = false; }, { signal });
  }

  // ---- the list of events ----
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
      row.addEventListener("click", () => select(k === selected ? -1 : k, false));
      list.append(item);
      items.push(item);
    });
    list.addEventListener("keydown", e => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (!step || !events.length) return;
      e.preventDefault();
      select(Math.min(Math.max(selected + step, 0), events.length - 1), true);
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
    if (selected >= 0) {
      items[selected].classList.remove("selected");
      items[selected].removeAttribute("aria-selected");
      items[selected].querySelector(".details").remove();
    }
    selected = k;
    if (k >= 0) {
      const item = items[k];
      item.classList.add("selected");
      item.setAttribute("aria-selected", "true");
      item.append(detailsOf(events[k]));
      if (scroll) item.scrollIntoView({ block: "nearest" });
      const t = events[k].time;
      // An instant outside the window is brought into it.
      if (dateWindow && charts.length && (t < dateWindow[0] || t > dateWindow[1])) {
        const half = (dateWindow[1] - dateWindow[0]) / 2;
        charts[0].graph.updateOptions({ dateWindow: [t - half, t + half] });
      }
      const strong = places[k].find(p => p.strong) || places[k][0];
      if (strong) showFile(strong.file);
    }
    lightLines();
    drawAllMarks();
    const lit = root.querySelector("#code .line.lit");
    if (lit) lit.scrollIntoView({ block: "nearest" });
    if (onSelect) onSelect(k >= 0 ? events[k] : null, k >= 0 ? places[k] : []);
  }

  function relate(list) {
    for (const k of related) items[k].classList.remove("related");
    related = new Set(list);
    for (const k of related) items[k].classList.add("related");
    drawAllMarks();
  }

  // ---- the source ----
  let file = -1;
  const base = path => path.split(/[\\/]/).pop();
  function buildFiles() {
    if (!$("code")) return;
    const used = run.sources.map((s, k) => k);
    for (const k of used) {
      const tab = make("button", "", base(run.sources[k].path));
      tab.type = "button";
      tab.title = run.sources[k].path;
      tab.dataset.path = run.sources[k].path;
      tab.addEventListener("click", () => { openFile(k); });
      $("files").append(tab);
    }
    const place = places.flat().find(p => run.sources.some(s => s.path === p.file));
    if (run.sources.length) openFile(place ? run.sources.findIndex(s => s.path === place.file) : 0);
    else $("code").append(make("p", "empty", "The source is not known."));
  }
  function showFile(path) {
    const k = run.sources.findIndex(s => s.path === path);
    if (k >= 0) openFile(k);
  }
  function openFile(k) {
    if (k === file || !$("code")) return;
    file = k;
    [...$("files").children].forEach((tab, i) => tab.setAttribute("aria-selected", String(i === k)));
    const source = run.sources[k], holder = make("div");
    const lines = source.text.replace(/^\ufeff/, "").replace(/\r/g, "").split("\n");
    if (lines[lines.length - 1] === "") lines.pop();
    lines.forEach((text, i) => {
      const line = make("div", "line"), of = eventsOfLine.get(key(source.path, i + 1));
      line.dataset.line = i + 1;
      line.append(make("span", "no", String(i + 1)), make("span", "hits", of ? `${of.length}\u00d7` : ""), make("span", "text", text));
      if (of) {
        line.classList.add("active");
        line.title = `${plural(of.length, "event")}. Click for the ${selected >= 0 ? "next" : "first"}.`;
        line.addEventListener("mouseenter", () => relate(of));
        line.addEventListener("mouseleave", () => relate([]));
        line.addEventListener("click", () => select(of.find(e => e > selected) ?? of[0], true));
      }
      holder.append(line);
    });
    const code = $("code");
    code.textContent = "";
    code.append(holder);
    code.scrollTop = 0;
    lightLines();
    const first = code.querySelector(".line.lit") || code.querySelector(".line.active");
    if (first) code.scrollTop = Math.max(0, first.offsetTop - code.offsetTop - code.clientHeight / 2);
  }
  function lightLines() {
    if (file < 0) return;
    const path = run.sources[file].path, list = selected >= 0 ? places[selected].filter(p => p.file === path) : [];
    for (const line of root.querySelectorAll("#code .line")) {
      const here = list.filter(p => p.line === Number(line.dataset.line));
      const was = line.classList.contains("lit");
      line.classList.toggle("lit", here.length > 0);
      if (!here.length && !was) continue;
      const text = line.querySelector(".text"), letters = Array.from(text.textContent);
      const strong = letters.map((_, i) => here.some(p => p.strong && p.column <= i + 1 && i + 1 < (p.end > p.column ? p.end : letters.length + 1)));
      text.textContent = "";
      for (let i = 0; i < letters.length;) {
        let end = i;
        while (end < letters.length && strong[end] === strong[i]) ++end;
        const part = letters.slice(i, end).join("");
        text.append(strong[i] ? make("mark", "", part) : part);
        i = end;
      }
    }
  }

  // ---- all of it ----
  if ($("model")) {
    $("model").textContent = run.model;
    $("description").textContent = run.description;
    $("facts").textContent = `${number(run.start)} to ${number(run.reached)} s \u00b7 ${plural(run.rows, "row")} \u00b7 tolerance ${number(run.tolerance)}` +
      (log.ending && log.ending !== "stop time" ? ` \u00b7 ended: ${log.ending}` : "");
  }
  const notes = [...run.notes];
  for (const z of log.zeno || []) {
    const r = relations.get(z.relation);
    notes.push(`Events of ${r ? r.text : "relation " + z.relation} pile up at ${number(z.accumulation)} s.`);
  }
  for (const c of log.chattering || []) {
    const r = relations.get(c.relation);
    notes.push(`${r ? r.text : "Relation " + c.relation} chatters from ${number(c.from)} to ${number(c.to)} s; ${c.sliding > 0 ? `the solution follows its surface for ${number(c.sliding)} s` : `its hysteresis was widened to ${number(c.hysteresis)}`}.`);
  }
  for (const t of log.true_from_start || [])
    notes.push(`${t.condition.text} (line ${t.condition.line}): this condition was true from the start, so it never became true and never fired its when-clause.`);
  if ($("notes")) {
    $("notes").textContent = "";
    for (const note of notes) $("notes").append(make("li", "", note));
    $("notes").hidden = !notes.length;
  }
  $("whole").addEventListener("click", () => charts.length && charts[0].graph.updateOptions({ dateWindow: overview.slice() }), { signal });
  buildEvents();
  buildFiles();
  buildMenu();
  buildCharts();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", buildCharts, { signal });
  // Room that is taken or given beside the charts is no resizing of the window, which dygraphs hears of.
  const resized = new ResizeObserver(() => {
    for (const chart of charts) {
      const box = chart.below.parentNode.getBoundingClientRect();
      if (Math.abs(box.width - chart.graph.width_) < 1 && Math.abs(box.height - chart.graph.height_) < 1) continue;
      chart.graph.resize(box.width, box.height);
      drawMarks(chart);
    }
  });
  resized.observe($("panels"));
  return {
    run, notes, select: number => select(events.findIndex(e => e.number === number), true),
    get charts() { return charts; }, get selected() { return selected < 0 ? null : events[selected].number; },
    get related() { return [...related].map(k => events[k].number); },
    /// Events that have to do with a line, by their numbers; and the same for the page to point at.
    eventsAt: (path, line) => (eventsOfLine.get(key(path, line)) || []).map(k => events[k].number),
    relate: list => relate(list.map(n => events.findIndex(e => e.number === n))),
    readout: (name, row) => { const v = variables.find(x => x.name === name); return v ? readoutOf(v, row) + (v.unit ? " " + v.unit : "") : null; },
    timeOf: row => times[row],
    state: () => ({
      shown: shown.map(k => variables[k].name), known: new Set(variables.filter(v => v.shown !== undefined).map(v => v.name)), off: new Set([...off].map(k => variables[k].name)),
      colours: new Map([...colours].map(([k, c]) => [variables[k].name, c])), window: dateWindow,
    }),
    destroy: () => {
      gone.abort();
      resized.disconnect();
      if (sync) sync.detach();
      charts.forEach(chart => chart.graph.destroy());
      charts = [];
    },
  };
}
