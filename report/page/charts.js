// The charts: panels of curves over time, one for each unit unless the reader puts them together in another way, or over another variable.
show.charts = page => {
  const { run, pinned, onRow, times, rows, events, marked, $, make, css, number, variables, columnOf, courseOf, rowAt, trace, traceOver, shown, off, colourOf, named, axisOf, view } = page;
  // Its legend is not ours, and measures the page at each drawing, shown or not.
  Dygraph.PLUGINS = Dygraph.PLUGINS.filter(plugin => plugin !== Dygraph.Plugins.Legend);
  // A little longer than the run: dygraphs has no tick at the very end.
  const overview = [run.start, run.reached > run.start ? run.reached + 1e-6 * (run.reached - run.start) : run.start + 1];

  // ---- which panel has what ----
  const panelOf = k => (view.place[variables[k].name] || {}).panel ?? axisOf(variables[k]);
  const settingsOf = key => view.panels[key] || {};
  const titled = v => v.name + (v.unit ? ` [${v.unit}]` : "");
  const isNumeric = v => v.type === "Real" || v.type === "Integer";
  function groups() {
    const all = new Map();
    for (const k of shown) {
      const key = panelOf(k);
      if (!all.has(key)) all.set(key, []);
      all.get(key).push(k);
    }
    return [...all];
  }
  // The right axis is for another unit than that of the first variable.
  function onRight(members) {
    const wish = k => (view.place[variables[k].name] || {}).right;
    const first = axisOf(variables[members.find(k => wish(k) !== true) ?? members[0]]);
    const right = members.map(k => wish(k) ?? axisOf(variables[k]) !== first);
    return right.every(x => x) ? right.map(() => false) : right;
  }
  function place(k, change) {
    const name = variables[k].name, at = { ...view.place[name], ...change };
    if (at.panel === axisOf(variables[k])) delete at.panel;
    if (at.right === undefined) delete at.right;
    if (Object.keys(at).length) view.place[name] = at;
    else delete view.place[name];
    buildCharts();
  }
  function moveTo(k, key) {
    if (key === "new") {
      let n = 1;
      while (groups().some(([g]) => g === `panel ${n}`)) ++n;
      key = `panel ${n}`;
      view.panels[key] = {};
    }
    place(k, { panel: key, right: undefined });
  }
  function set(key, change) {
    view.panels[key] = { ...view.panels[key], ...change };
    buildCharts();
  }

  // ---- what is said of a row ----
  // Two rows at one time are the left limit and the new value.
  function readoutOf(v, row) {
    let a = row, b = row;
    while (a > 0 && times[a - 1] === times[row]) --a;
    while (b + 1 < rows && times[b + 1] === times[row]) ++b;
    if (page.slides(v, times[row], times[row])) return "both: it slides";
    const y = columnOf(v), before = named(v, y[a]), after = named(v, y[b]);
    return before === after ? after : `${before} \u2192 ${after}`;
  }
  function showRow(row) {
    if (onRow && row !== page.row) onRow(row);
    page.row = row;
    for (const chart of page.charts) {
      for (const chip of chart.chips) {
        const v = variables[chip.variable], unit = v.unit ? " " + v.unit : "";
        chip.value.textContent = row === null ? (v.column === undefined && !v.time ? "= " + named(v, v.value) + unit : "") : "= " + readoutOf(v, row) + unit;
        chip.about.hidden = row !== null;
      }
      if (chart.x) page.drawMarks(chart);
      if (row !== null && document.activeElement === chart.frame) {
        chart.frame.setAttribute("aria-valuenow", times[row]);
        chart.frame.setAttribute("aria-valuetext", `${number(times[row])} s: ` + chart.members.map(k => `${variables[k].name} ${readoutOf(variables[k], row)}`).join(", "));
      }
    }
    const at = row === null ? null : marked.find(k => events[k].time === times[row]);
    if ($("readout")) $("readout").textContent = row === null ? "drag to zoom, ? for more"
      : `time ${number(times[row])} s` + (at === undefined ? "" : ` \u00b7 event ${events[at].number}`);
  }
  /* Points at a row in all charts, or at none. */
  function point(row) {
    for (const chart of page.charts)
      if (!chart.x) row === null ? chart.graph.clearSelection() : chart.graph.setSelection(chart.lineOf(row));
    showRow(row);
  }
  const dashOf = pin => [[6, 3], [2, 3], [9, 3, 2, 3]][pinned.indexOf(pin) % 3];
  const timeCharts = () => page.charts.filter(c => !c.x);
  /* Shows a part of the run, no more than there is. */
  function setWindow([from, to]) {
    const [first, last] = overview, width = Math.min(Math.max(to - from, 1e-12 * (last - first)), last - first);
    from = Math.min(Math.max(from, first), last - width);
    const range = [from, from + width], of = timeCharts();
    if (of.length) of[0].graph.updateOptions({ dateWindow: range });
    else seen(range);
  }
  function seen(range) {
    const whole = Math.abs(range[0] - overview[0]) + Math.abs(range[1] - overview[1]) < 1e-9 * (overview[1] - overview[0]);
    const before = String(page.window);
    page.window = whole ? null : range;
    $("whole").disabled = whole;
    if (String(page.window) !== before)
      for (const chart of page.charts) if (chart.x) chart.graph.updateOptions({});
  }

  // ---- building ----
  function clear() {
    page.charts.forEach(chart => chart.graph.destroy());
    page.charts = [];
  }
  function buildCharts() {
    clear();
    const holder = $("panels"), open = holder.querySelector(".options[open]"), openKey = open && open.closest(".panel").dataset.key;
    const focused = holder.contains(document.activeElement) && document.activeElement.dataset.focus;
    holder.textContent = "";
    const all = (rows ? groups() : []).map(([key, members]) => {
      const x = variables.find(v => v.name === settingsOf(key).x && isNumeric(v) && v.column !== undefined) || null;
      // Over itself a variable is a straight line, which is drawn if there is nothing else.
      const others = members.filter(k => variables[k] !== x), drawn = others.length ? others : members, right = onRight(drawn);
      return { key, members, drawn, x, right: members.map(k => right[drawn.indexOf(k)] || false), lanes: !x && members.every(k => variables[k].type === "Boolean") };
    });
    if (!all.length) holder.append(make("p", "empty", rows ? "No variable is shown. The menu above has them all." : "There is no row: the run failed at its start."));
    const overTime = all.filter(c => !c.x), twoAxes = overTime.some(c => c.right.includes(true));
    // All frames first: a chart takes the size that it finds.
    for (const chart of all) buildPanel(holder, chart, chart === overTime[0], chart === overTime[overTime.length - 1]);
    for (const chart of all) fillPanel(chart, twoAxes);
    const last = make("div", "newpanel", "a new panel");
    takes(last, () => "new");
    holder.append(last);
    if (overTime.length > 1) Dygraph.synchronize(overTime.map(c => c.graph), { zoom: true, selection: true, range: false });
    timeCharts().forEach(page.drawMarks);     // the others at showRow
    $("menu-title").textContent = `Variables: ${shown.length} of ${variables.length}`;
    const again = openKey && page.charts.find(c => c.key === openKey);
    if (again) again.options.open = true;
    if (focused) {
      const e = [...holder.querySelectorAll("[data-focus]")].find(x => x.dataset.focus === focused);
      if (e) e.focus();
    }
    showRow(null);
    if (page.showCursors) page.showCursors();
  }

  function buildPanel(holder, chart, isFirst, isLast) {
    const { members, lanes } = chart;
    Object.assign(chart, { chips: [], isLast: isLast || !!chart.x, below: make("canvas", "marks"), above: make("canvas", "marks"), div: make("div", "chart") });
    const panel = make("div", "panel" + (lanes ? " lanes" : chart.x ? " phase" : "")), legend = make("div", "legend"), frame = chart.frame = make("div", "frame");
    panel.dataset.key = chart.key;
    const names = chart.drawn.map(k => variables[k].name).join(", ");
    frame.tabIndex = 0;
    frame.dataset.focus = "chart " + chart.key;
    const about = { role: "slider", "aria-label": `${names} over ${chart.x ? chart.x.name : "time"}. Left and right go through the rows.`, "aria-valuemin": run.start, "aria-valuemax": run.reached, "aria-valuenow": run.start, "aria-valuetext": `${run.start} to ${number(run.reached)} s` };
    for (const [name, value] of Object.entries(about)) frame.setAttribute(name, value);
    frame.append(chart.below, chart.div, chart.above);
    panel.append(legend);
    if (isFirst) panel.append(page.numberStrip(chart));
    panel.append(frame);
    if (lanes) frame.style.height = `${members.length * 48 + (isLast ? 38 : 6)}px`;
    holder.append(panel);
    members.forEach((k, i) => {
      const v = variables[k], chip = make("button", "chip");
      chip.type = "button";
      chip.style.setProperty("--colour", `var(${colourOf(k)})`);
      chip.dataset.name = v.name;
      chip.dataset.focus = "chip " + v.name;
      const about = make("span", "about", [v.unit ? `[${v.unit}]` : "", v.description || ""].join(" ").trim()), value = make("span", "value");
      chip.append(make("span", "name", v.name), about, value);
      if (chart.right[i]) chip.append(make("span", "axis", "right axis"));
      if (!chart.drawn.includes(k)) chip.append(make("span", "axis", "x axis"));
      chip.title = `${titled(v)}${v.description ? ": " + v.description : ""}\n${v.protected ? "protected " : ""}${v.kind} ${v.type}. Click to switch it on or off, drag it to another panel.`;
      chip.setAttribute("aria-pressed", String(!off.has(k)));
      chip.addEventListener("click", () => {
        off.has(k) ? off.delete(k) : off.add(k);
        chip.setAttribute("aria-pressed", String(!off.has(k)));
        if (chart.logs.includes(true)) return buildCharts();     // what is left may have no positive value
        chart.series.forEach((s, j) => { if (s.member === i) chart.graph.setVisibility(j, !off.has(k)); });
        page.drawMarks(chart);
      });
      chip.draggable = true;
      chip.addEventListener("dragstart", e => {
        page.dragged = k;
        e.dataTransfer.setData("text/plain", v.name);
        e.dataTransfer.effectAllowed = "move";
        setTimeout(() => holder.classList.add("dragging"));
      });
      chip.addEventListener("dragend", () => { page.dragged = undefined; holder.classList.remove("dragging"); });
      legend.append(chip);
      chart.chips.push({ variable: k, value, about });
    });
    if (holder.children.length === 1)
      for (const pin of pinned) {
        const e = make("span", "pinned", pin.name);
        e.insertAdjacentHTML("afterbegin", `<svg width="26" height="3" aria-hidden="true"><path d="M0 1.5H26" stroke="currentColor" stroke-dasharray="${dashOf(pin)}"/></svg>`);
        legend.append(e);
      }
    legend.append(optionsOf(chart));
    takes(panel, () => chart.key);
  }
  function takes(element, key) {
    element.addEventListener("dragover", e => { if (page.dragged !== undefined) { e.preventDefault(); e.stopPropagation(); element.classList.add("over"); } });
    element.addEventListener("dragleave", () => element.classList.remove("over"));
    element.addEventListener("drop", e => {
      if (page.dragged === undefined) return;
      e.preventDefault(); e.stopPropagation();
      const k = page.dragged;
      page.dragged = undefined;
      $("panels").classList.remove("dragging");
      moveTo(k, key());
    });
  }
  // The menu of a panel, filled when it is opened.
  function optionsOf(chart) {
    const details = chart.options = make("details", "options"), summary = make("summary", "", "\u22ef"), body = make("div", "popup");
    summary.setAttribute("aria-label", `Axes and panel of ${chart.members.map(k => variables[k].name).join(", ")}`);
    summary.title = "Axes and panel";
    summary.dataset.focus = "options " + chart.key;
    details.append(summary, body);
    const field = (text, input, id) => {
      const label = make("label");
      input.dataset.focus = `${id} ${chart.key}`;
      input.classList.add(id.split(" ")[0]);
      label.append(text, input);
      body.append(label);
    };
    const box = (on, change) => {
      const b = make("input");
      b.type = "checkbox";
      b.checked = on;
      b.addEventListener("change", () => change(b.checked));
      return b;
    };
    const choice = (list, value, change) => {
      const s = make("select");
      for (const [v, text] of list) { const o = make("option", "", text); o.value = v; s.append(o); }
      s.value = value;
      s.addEventListener("change", () => change(s.value));
      return s;
    };
    details.addEventListener("toggle", () => {
      body.textContent = "";
      if (!details.open) return;
      const key = chart.key, now = settingsOf(key), all = groups();
      if (!chart.lanes) {
        const numeric = variables.filter(v => v.column !== undefined && isNumeric(v)).slice(0, 2000);
        field("x axis ", choice([["", "time"], ...numeric.map(v => [v.name, titled(v)])], chart.x ? chart.x.name : "", name => set(key, { x: name || undefined })), "x");
        if (chart.x) field("logarithmic, x ", box(!!now.logX, on => set(key, { logX: on })), "logx");
        field("logarithmic ", box(!!now.log, on => set(key, { log: on })), "log");
        if (chart.right.includes(true)) field("logarithmic, right ", box(!!now.logRight, on => set(key, { logRight: on })), "logright");
      }
      const places = all.map(([g, members], n) => [g, `panel ${n + 1}: ${members.map(k => variables[k].name).join(", ").slice(0, 40)}`]).concat([["new", "a new panel"]]);
      chart.members.forEach((k, i) => {
        body.append(make("h3", "", variables[k].name));
        field("in ", choice(places, key, to => moveTo(k, to)), "place " + variables[k].name);
        if (chart.drawn.length > 1 && chart.drawn.includes(k)) field("right axis ", box(chart.right[i], on => place(k, { right: on })), "right " + variables[k].name);
      });
    });
    details.addEventListener("keydown", e => { if (e.key === "Escape") { details.open = false; summary.focus(); } });
    return details;
  }

  // ---- a chart ----
  // How the values of an axis are written: those of one type by its own words.
  // A low panel has room for few numbers, but one alone is no scale.
  function atLeastTwo(low, high, pixels, options, ...more) {
    const ticks = Dygraph.numericLinearTicks(low, high, pixels, options, ...more);
    if (ticks.filter(t => t.label && t.v >= low && t.v <= high).length > 1) return ticks;
    return Dygraph.numericLinearTicks(low, high, pixels, name => name === "pixelsPerLabel" ? 13 : options(name), ...more);
  }
  function axisOptions(members, base, isLog) {
    const vs = members.map(k => variables[k]), first = vs[0], y = { ...base };
    if (!isLog) y.ticker = atLeastTwo;
    if (!first || vs.some(v => axisOf(v) !== axisOf(first))) return y;
    if (first.type === "enumeration") y.ticker = (a, b) => first.literals.map((label, i) => ({ v: i + 1, label })).filter(t => t.v >= a && t.v <= b);
    else if (first.type === "Boolean") {
      y.ticker = () => [{ v: 0, label: "false" }, { v: 1, label: "true" }];
      y.valueRange = [-0.05, 1.05];
    } else if (first.type === "Integer") y.ticker = (...args) => Dygraph.numericLinearTicks(...args).filter(t => Number.isInteger(t.v));
    return y;
  }
  const unitsOf = members => {
    const units = new Set(members.map(k => variables[k].unit || ""));
    return units.size === 1 && members.every(k => variables[k].type !== "Boolean") && [...units][0] ? `[${[...units][0]}]` : "\u00a0";
  };
  /* From numbers to places on the canvas of a chart. */
  function scalesOf(chart, graph = chart.graph) {
    const area = graph.getArea(), [left, right] = graph.xAxisRange();
    // How far between two values; nowhere on a logarithmic axis where it is not positive.
    const part = (from, to, isLog) => isLog ? x => x > 0 ? Math.log(x / from) / Math.log(to / from) : NaN : x => (x - from) / (to - from);
    const vertical = axis => {
      const [low, high] = graph.yAxisRange(axis), down = part(high, low, chart.logs[axis]);
      return y => area.y + down(y) * area.h;
    };
    const along = part(left, right, chart.logX);
    return { area, left, right, X: x => area.x + along(x) * area.w, Y: [vertical(0), chart.right.includes(true) ? vertical(1) : null] };
  }
  /* Gives what a series looks like to a pen: how strong, and its paths. `Path` has moveTo and lineTo. */
  function pathsOf(chart, s, scales, Path) {
    const { X } = scales, to = scales.Y[s.right ? 1 : 0], Y = s.lane ? y => to(y + s.lane) : to, paths = [];
    const add = (strength, dash, draw) => { const path = new Path(); draw(path); paths.push({ strength, dash, path }); };
    if (!chart.x) {
      add(1, s.dash, path => trace(path, s.course, scales.left, scales.right, X, Y));
    } else {
      const over = (range, strength) => {
        const jump = new Path();
        add(strength, s.dash, path => traceOver(path, jump, s.over, s.course, range[0], range[1], X, Y));
        paths.push({ strength: strength / 2, dash: [3, 3], path: jump });
      };
      if (page.window) over(overview, 0.25);
      over(page.window || overview, 1);
    }
    return paths;
  }

  function fillPanel(chart, twoAxes) {
    const { members, drawn, lanes, right } = chart, now = settingsOf(chart.key), two = right.includes(true);
    const seriesOf = (k, i, v, of, pin) => ({
      member: i, variable: k, course: courseOf(v, of), right: right[i], lane: lanes ? 1.5 * (members.length - 1 - i) : 0, pin,
      over: chart.x && (pin ? courseOf(of.run.variables.find(x => x.name === chart.x.name), of) : courseOf(chart.x)),
      dash: pin ? dashOf(pin) : [],
    });
    // The same variables of other runs, each with its own rows.
    chart.series = drawn.map(k => seriesOf(k, members.indexOf(k), variables[k], page, null)).concat(pinned.flatMap(p => {
      const find = name => p.run.variables.find(x => x.name === name && x.column !== undefined);
      return chart.x && !find(chart.x.name) ? [] : drawn.flatMap(k => { const v = find(variables[k].name); return v ? [seriesOf(k, members.indexOf(k), v, p, p)] : []; });
    }));
    chart.series.forEach((s, j) => { s.label = s.pin ? `${variables[s.variable].name} of ${s.pin.name} (${j - drawn.length})` : variables[s.variable].name || String(j); });
    // The least positive value of each axis; without one it cannot be logarithmic.
    const least = [false, true].map(side => Math.min(...chart.series.filter(s => !!s.right === side && !off.has(s.variable)).map(s => s.course.y.reduce((a, b) => b > 0 && b < a ? b : a, Infinity))));
    chart.logs = [!lanes && !!now.log && least[0] < Infinity, !!now.logRight && least[1] < Infinity];
    chart.logX = !!chart.x && !!now.logX && chart.series.some(s => s.over.y.some(x => x > 0));
    const table = chart.x ? corners(chart, least) : tableOf(chart, least), series = {};
    for (const s of chart.series) series[s.label] = { color: css(colourOf(s.variable)), highlightCircleSize: s.pin || chart.x ? 0 : 3, ...(s.right ? { axis: "y2" } : {}) };
    const lines = { drawGrid: true, gridLineColor: css("--grid"), axisLineColor: css("--line"), axisLabelFormatter: number };
    const side = wanted => drawn.filter(k => right[members.indexOf(k)] === wanted), width = 52, base = { ...lines, axisLabelWidth: width, pixelsPerLabel: 28 };
    const y = axisOptions(side(false), base, chart.logs[0]);
    if (lanes) {
      y.valueRange = [-0.3, 1.5 * (members.length - 1) + 1.3];
      y.ticker = () => chart.series.filter(s => !s.pin).flatMap(s => [{ v: s.lane, label: "false" }, { v: s.lane + 1, label: "true" }]);
    }
    const axes = { x: { ...lines, axisLabelWidth: 50, drawAxis: chart.isLast, pixelsPerLabel: 70, logscale: chart.logX }, y: { ...y, logscale: chart.logs[0] } };
    if (two) axes.y2 = { ...axisOptions(side(true), base, chart.logs[1]), drawGrid: false, independentTicks: true, logscale: chart.logs[1] };
    const defaults = Dygraph.defaultInteractionModel, calm = e => { if (!e.cancelable) e.preventDefault = () => {}; };   // browsers complain
    const options = {
      labels: [chart.x ? "x" : "time", ...chart.series.map(s => s.label)], series, axes, legend: "never", dateWindow: chart.x ? null : page.window || overview,
      visibility: chart.series.map(s => !off.has(s.variable)), connectSeparatedPoints: chart.series.length > drawn.length,
      strokeWidth: 1.6, animatedZooms: false, rightGap: two ? 4 : twoAxes && !chart.x ? width + 10 : 26, yRangePad: y.ticker && variables[drawn[0]].type === "enumeration" ? 14 : 8, xRangePad: chart.x && !chart.logX ? 12 : 0,
      gridLineColor: css("--grid"), axisLineColor: css("--line"), ylabel: lanes ? "\u00a0" : unitsOf(side(false)), xLabelHeight: 16, yLabelWidth: 16,
      xlabel: chart.x ? titled(chart.x) : chart.isLast ? "time [s]" : undefined,
      plotter: e => draw(chart, e),
      // One finger goes through the page, until there is a part of the run to move.
      interactionModel: {
        ...defaults,
        touchstart: (e, g, context) => {
          context.initialTouches = null;
          calm(e);
          if (e.touches.length < 2 && !page.window) return;
          defaults.touchstart(e, g, context);
          if (!chart.x) context.touchDirections = { x: true, y: false };
        },
        touchmove: (e, g, context) => { if (context.initialTouches) defaults.touchmove(e, g, context); },
        touchend: (e, g, context) => { calm(e); defaults.touchend(e, g, context); },
      },
      clickCallback: (event, x) => {
        const graph = chart.graph, [px, py] = graph.eventToDomCoords(event), k = chart.x ? page.eventNear(chart, px, py) : page.nearEvent(graph, px);
        if (!chart.x && page.placeCursor && page.placeCursor(graph.toDataXCoord(px), event.shiftKey)) return;
        if (k >= 0) page.select(k, true);
      },
      drawCallback: (graph, initial) => {
        if (initial) return;
        page.drawMarks(chart);
        if (!chart.x) { seen(graph.xAxisRange()); if (page.placeHandles) page.placeHandles(); }
      },
    };
    if (two) options.y2label = unitsOf(side(true));
    if (!chart.x) {
      options.highlightCallback = (_, x, points, row) => showRow(chart.rowOf[row]);
      options.unhighlightCallback = () => showRow(null);
    }
    chart.graph = new Dygraph(chart.div, table, options);
    if (chart.x) {
      chart.frame.addEventListener("mousemove", e => {
        const box = chart.frame.getBoundingClientRect();
        point(rowNear(chart, e.clientX - box.left, e.clientY - box.top));
      });
      chart.frame.addEventListener("mouseleave", () => point(null));
    }
    page.charts.push(chart);
  }

  // dygraphs asks for positive values where the axis is logarithmic. Drawn is nothing there.
  const positive = (chart, s, y, least) => chart.logs[s.right ? 1 : 0] && y <= 0 ? least[s.right ? 1 : 0] : y;
  function tableOf(chart, least) {
    const { series } = chart, width = 1 + series.length, table = [], runs = [null, ...pinned.filter(p => series.some(s => s.pin === p))];
    chart.rowOf = [];       // of the run itself, for each line of the table
    for (const pin of runs) {
      const t = pin ? pin.data[0] : times, own = series.map((s, j) => [s, j]).filter(([s]) => s.pin === pin);
      for (let r = 0; r < t.length; ++r) {
        const line = new Array(width).fill(null);
        line[0] = t[r];
        for (const [s, j] of own) {
          line[j + 1] = positive(chart, s, s.course.y[r] + s.lane, least);
        }
        table.push(line);
        chart.rowOf.push(pin ? -1 : r);
      }
    }
    if (runs.length > 1) {
      const order = table.map((_, r) => r).sort((a, b) => table[a][0] - table[b][0]);   // stable: rows of one run keep their order
      let last = 0;
      chart.rowOf = order.map(r => (last = chart.rowOf[r] < 0 ? last : chart.rowOf[r]));
      chart.lineOf = row => chart.rowOf.indexOf(row);
      return order.map(r => table[r]);
    }
    chart.lineOf = row => row;
    return table;
  }
  // Of a phase plot dygraphs knows the extremes alone: its x goes back and forth.
  function corners(chart, least) {
    const extremes = (y, above = -Infinity) => {
      let low = Infinity, high = -Infinity;
      for (const x of y) if (x > above) { if (x < low) low = x; if (x > high) high = x; }
      return low <= high ? [low, high] : [NaN, NaN];
    };
    const of = [chart.series.map(s => extremes(s.over.y, chart.logX ? 0 : undefined)).filter(([a]) => !Number.isNaN(a)).reduce(([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)], [Infinity, -Infinity]), ...chart.series.map(s => extremes(s.course.y.map(y => positive(chart, s, y, least))))];
    const [low, high] = of[0];
    if (chart.logX) {     // dygraphs' own margin may reach below zero
      const margin = low === high ? 2 : (high / low) ** 0.02;
      of[0] = [low / margin, high * margin];
    } else if (low === high) {
      of[0] = [low - 1, high + 1];
    }
    return [of.map(e => e[0]), of.map(e => e[1])];
  }
  function draw(chart, e) {
    const s = chart.series.find(x => x.label === e.setName), c = e.drawingContext;
    c.lineJoin = "round";
    for (const { strength, dash, path } of pathsOf(chart, s, scalesOf(chart, e.dygraph), Path2D)) {
      c.globalAlpha = strength;
      c.setLineDash(dash);
      c.lineWidth = s.pin ? 1.1 : 1.6;
      c.stroke(path);
    }
  }
  function rowNear(chart, px, py) {
    const { X, Y } = scalesOf(chart), [from, to] = page.window || overview, own = chart.series.filter(s => !s.pin && !off.has(s.variable));
    let best = null, distance = Infinity;
    for (let r = rowAt(times, from); r < rows && times[r] <= to; ++r)
      for (const s of own) {
        const d = Math.hypot(X(s.over.y[r]) - px, Y[s.right ? 1 : 0](s.course.y[r]) - py);
        if (d < distance) { distance = d; best = r; }
      }
    return best;
  }
  Object.assign(page, { overview, buildCharts, clear, readoutOf, showRow, point, setWindow, timeCharts, scalesOf, pathsOf, titled, moveTo, place, setPanel: set, groups });
};
