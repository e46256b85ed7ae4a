// The charts: a panel for each unit.
show.charts = page => {
  const { run, pinned, onRow, times, rows, events, marked, $, make, css, number, variables, valueAt, shown, off, colourOf, named, axisOf } = page;
  let sync = null;
  // A little longer than the run: dygraphs has no tick at the very end.
  const overview = [run.start, run.reached > run.start ? run.reached + 1e-6 * (run.reached - run.start) : run.start + 1];

  // Two rows at one time are the left limit and the new value.
  function readoutOf(v, row) {
    let a = row, b = row;
    while (a > 0 && times[a - 1] === times[row]) --a;
    while (b + 1 < rows && times[b + 1] === times[row]) ++b;
    const x = named(v, valueAt(v, a)), y = named(v, valueAt(v, b));
    return x === y ? x : `${x} \u2192 ${y}`;
  }
  function showRow(row) {
    if (onRow && row !== page.row) onRow(row);
    page.row = row;
    for (const chart of page.charts)
      for (const chip of chart.chips) {
        const v = variables[chip.variable], unit = v.unit ? " " + v.unit : "";
        chip.value.textContent = row === null ? (v.column === undefined && !v.time ? "= " + named(v, v.value) + unit : "") : "= " + readoutOf(v, row) + unit;
        chip.about.hidden = row !== null;
      }
    const at = row === null ? null : marked.find(k => events[k].time === times[row]);
    if ($("readout")) $("readout").textContent = row === null ? "drag to zoom, double-click for all, shift and drag to pan"
      : `time ${number(times[row])} s` + (at === undefined ? "" : ` \u00b7 event ${events[at].number}`);
  }

  function buildCharts() {
    if (sync) sync.detach();
    sync = null;
    page.charts.forEach(chart => chart.graph.destroy());
    page.charts = [];
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
    if (page.charts.length > 1) sync = Dygraph.synchronize(page.charts.map(c => c.graph), { zoom: true, selection: true, range: false });
    page.charts.forEach(page.drawMarks);
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
        page.drawMarks(chart);
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
      labels, series, legend: "never", dateWindow: page.window || overview, visibility: members.map(k => !off.has(k)).concat(others.map(o => !off.has(members[o.member]))), connectSeparatedPoints: others.length > 0,
      strokeWidth: 1.6, highlightCircleSize: 3, animatedZooms: false, rightGap: 26, yRangePad: 8, xRangePad: 0,
      gridLineColor: css("--grid"), axisLineColor: css("--line"),
      axes: { x: { axisLabelWidth: 50, drawAxis: isLast, axisLabelFormatter: number, pixelsPerLabel: 70, drawGrid: true, gridLineColor: css("--grid"), axisLineColor: css("--line") }, y },
      xlabel: isLast ? "time [s]" : undefined, xLabelHeight: 16, yLabelWidth: 16,
      underlayCallback: c => { c.lineJoin = "round"; },
      highlightCallback: (_, x, points, row) => showRow(chart.rowOf[row]),
      unhighlightCallback: () => showRow(null),
      clickCallback: (event, x) => {
        const k = page.nearEvent(chart.graph, event.offsetX !== undefined ? chart.graph.eventToDomCoords(event)[0] : chart.graph.toDomXCoord(x));
        if (k >= 0) page.select(k, true);
      },
      drawCallback: (graph, initial) => {
        if (initial) return;
        page.drawMarks(chart);
        const range = graph.xAxisRange();
        const whole = Math.abs(range[0] - overview[0]) + Math.abs(range[1] - overview[1]) < 1e-9 * (overview[1] - overview[0]);
        page.window = whole ? null : range;
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
    page.charts.push(chart);
  }
  Object.assign(page, { overview, buildCharts, readoutOf, detach: () => sync && sync.detach() });
};
