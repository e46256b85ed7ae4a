// The marks on a chart, below and above its curves: events with their numbers, spells of sliding, cursors, and what is pointed at.
show.marks = page => {
  const { run, events, marked, css, make, rows, times, variables, relations, off, colourOf, view } = page;
  const kinds = { state: { colour: "--state", dash: [] }, time: { colour: "--time", dash: [6, 4] }, clock: { colour: "--clock", dash: [1.5, 3] }, set: { colour: "--time", dash: [1.5, 3] } };

  const kindOf = k => kinds[events[k].kind] || kinds.set;

  // While a solution slides on the surface of a relation, what changes with it is neither the one nor the other.
  const spells = (run.log.chattering || []).filter(c => c.sliding > 0).map(c => {
    const with_ = new Set([c.relation, ...(c.with || [])]), flips = new Set();
    for (const e of events)
      if ((e.crossed || []).some(x => with_.has(x.relation))) for (const x of e.changed || []) if (typeof x.before === "boolean") flips.add(x.name);
    return { from: c.from, to: c.to, relation: relations.get(c.relation), variables: flips };
  });

  /* Is a variable both false and true somewhere between two times? */
  const slides = (v, from, to) => v.type === "Boolean" && spells.some(s => s.variables.has(v.name) && s.from < to && s.to > from);

  // Those within a pixel of each other are one line.
  function alone(xs) {
    let before = 0, after = 0;
    return xs.map((x, i) => {
      while (before < i && x - xs[before] > 1) ++before;
      while (after < xs.length && xs[after] - x <= 1) ++after;
      return (before === 0 || x - xs[before - 1] >= 9) && (after === xs.length || xs[after] - x >= 9);
    });
  }
  /* The events in the window, where they are, and which have room for a line and for their number. */
  function placed(chart) {
    const { X, left, right, area } = page.scalesOf(chart), inside = marked.filter(k => events[k].time >= left && events[k].time <= right);
    const list = inside.map(k => ({ k, x: X(events[k].time), apart: false, numbered: false })), count = {}, taken = new Uint8Array(Math.ceil(area.x + area.w) + 60);
    for (const { k } of list) count[events[k].kind] = (count[events[k].kind] || 0) + 1;
    // What is rare comes first: one impact among a thousand samples. Of a crowd the first gets its number.
    const rank = Object.keys(count).sort((a, b) => count[a] - count[b]);
    rank.forEach((kind, n) => {
      const some = n + 1 === rank.length ? list : list.filter(one => rank.indexOf(events[one.k].kind) <= n), apart = alone(some.map(one => one.x));
      some.forEach((one, i) => { if (events[one.k].kind === kind) one.apart = apart[i]; });
      for (const one of list) {
        if (events[one.k].kind !== kind) continue;
        const half = 2.5 + 3.1 * String(events[one.k].number).length, from = Math.max(0, Math.round(one.x - half)), to = Math.round(one.x + half);
        if (taken.subarray(from, to + 1).includes(1)) continue;
        taken.fill(1, from, to + 1);
        one.numbered = true;
      }
    });
    return list;
  }
  const bands = chart => {
    const { X, Y, left, right, area } = page.scalesOf(chart);
    return spells.filter(s => s.to >= left && s.from <= right).map(s => {
      const x = Math.max(X(s.from), area.x), w = Math.min(X(s.to), area.x + area.w) - x;
      // In the lane of a Boolean, or on its axis, from false to true.
      const both = chart.series.filter(c => !c.pin && !off.has(c.variable) && s.variables.has(variables[c.variable].name) && variables[c.variable].type === "Boolean")
        .map(c => { const y = Y[c.right ? 1 : 0]; return { variable: c.variable, y: y(c.lane + 1), h: y(c.lane) - y(c.lane + 1) }; });
      return { x, w, both };
    });
  };

  // How large its canvases are: asked for all charts at once, as the page is laid out again at the first question after each new size.
  function sizesOf(chart) {
    const fits = ({ sizes, graph }) => sizes && sizes.width === graph.width_ && sizes.height === graph.height_;
    if (!fits(chart))
      for (const c of page.charts) {
        c.sizes = { width: c.graph.width_, height: c.graph.height_, frame: c.frame.getBoundingClientRect(), strip: c.numbers && c.numbers.getBoundingClientRect() };
      }
    return chart.sizes;
  }
  function prepared(canvas, box, area) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(box.width * ratio);
    canvas.height = Math.round(box.height * ratio);
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    if (!area) return c;
    c.beginPath();
    c.rect(area.x, area.y, area.w + 1, area.h);
    c.clip();
    return c;
  }
  const line = (c, x, top, bottom) => { c.beginPath(); c.moveTo(x, top); c.lineTo(x, bottom); c.stroke(); };
  function tag(c, text, x, area, colour, y = area.y + 1) {
    c.font = "600 11px " + css("--sans");
    const w = c.measureText(text).width + 8, at = Math.min(Math.max(x + 3, area.x), area.x + area.w - w);
    c.fillStyle = colour;
    c.fillRect(at, y, w, 16);
    c.fillStyle = css("--card");
    c.fillText(text, at + 4, y + 12);
  }

  function drawMarks(chart) {
    if (chart.x) return drawOver(chart);
    const { area, X, left, right } = page.scalesOf(chart), first = chart === page.timeCharts()[0];
    const list = placed(chart), accent = css("--accent"), { frame, strip } = sizesOf(chart);
    let c = prepared(chart.below, frame, area);
    chart.marks = { lines: 0, stubs: 0, related: 0, selected: 0, numbers: [], bands: 0, both: 0 };
    for (const band of bands(chart)) {
      ++chart.marks.bands;
      c.fillStyle = css("--slide");
      c.fillRect(band.x, area.y, Math.max(band.w, 1), area.h);
      c.font = "italic 11px " + css("--sans");
      for (const b of band.both) {
        ++chart.marks.both;
        c.globalAlpha = 0.4;
        c.fillStyle = css(colourOf(b.variable));
        c.fillRect(band.x, b.y, Math.max(band.w, 1), b.h);
        c.globalAlpha = 1;
        c.fillStyle = css("--ink");
        if (band.w > 90) c.fillText("both: it slides", band.x + 6, b.y + b.h / 2 + 4);
        else if (band.w > 30) c.fillText("both", band.x + 4, b.y + b.h / 2 + 4);
      }
      c.fillStyle = css("--soft");
      if (first && !band.both.length && band.w > 50) c.fillText("sliding", band.x + 5, area.y + area.h - 10);
    }
    let last = -Infinity;
    for (const { k, x: at, apart } of list) {
      const x = Math.round(at) + 0.5, kind = kindOf(k);
      // A crowd is marked at the foot only; zooming in takes it apart.
      apart ? ++chart.marks.lines : ++chart.marks.stubs;
      if (x === last) continue;
      last = x;
      c.strokeStyle = css(kind.colour);
      c.lineWidth = 1;
      c.globalAlpha = 0.45;
      if (apart) {
        c.setLineDash(kind.dash);
        line(c, x, area.y, area.y + area.h);
        c.setLineDash([]);
      }
      c.globalAlpha = 0.8;
      line(c, x, area.y + area.h - 6, area.y + area.h);
    }
    if (chart.numbers) drawNumbers(chart, list, strip);
    // What is pointed at, above the curves.
    c = prepared(chart.above, frame, area);
    last = -Infinity;
    c.strokeStyle = accent;
    for (const { k, x: at } of list) {
      if (!page.related.has(k)) continue;
      ++chart.marks.related;
      const x = Math.round(at) + 0.5;
      if (x === last) continue;
      last = x;
      c.globalAlpha = page.related.size > 60 ? 0.35 : 0.75;
      line(c, x, area.y, area.y + area.h);
    }
    c.globalAlpha = 1;
    for (const name of ["a", "b"]) {
      const t = view[name];
      if (t === null || t < left || t > right) continue;
      c.strokeStyle = css("--ink");
      c.lineWidth = 1;
      c.setLineDash([2, 2]);
      line(c, Math.round(X(t)) + 0.5, area.y, area.y + area.h);
      c.setLineDash([]);
    }
    const t = page.selected >= 0 ? events[page.selected].time : NaN;
    if (t >= left && t <= right) {
      chart.marks.selected = 1;
      c.strokeStyle = accent;
      c.lineWidth = 2;
      line(c, X(t), area.y, area.y + area.h);
      if (first) tag(c, "event " + events[page.selected].number, X(t), area, accent);
    }
  }

  // The numbers of events stand on a strip of their own above the first chart, where the curves do not go.
  function numberStrip(chart) {
    chart.numbers = make("canvas", "numbers");
    chart.numbers.addEventListener("click", e => {
      const k = page.nearEvent(chart.graph, e.clientX - chart.numbers.getBoundingClientRect().left);
      if (k >= 0) page.select(k, true);
    });
    const strip = make("div", "strip");
    strip.append(chart.numbers);
    return strip;
  }
  function drawNumbers(chart, list, strip) {
    const c = prepared(chart.numbers, strip);
    c.font = "10px " + css("--sans");
    c.textAlign = "center";
    for (const { k, x, numbered } of list) {
      if (!numbered) continue;
      chart.marks.numbers.push(events[k].number);
      const is = k === page.selected || page.related.has(k);
      c.fillStyle = css(is ? "--accent" : kindOf(k).colour);
      c.fillText(String(events[k].number), x, strip.height - 3);
    }
  }

  // Over another variable an event is a point, or two.
  function pointsOf(k) {
    const t = events[k].time, last = page.rowAt(times, t);
    let first = last;
    while (first > 0 && times[first - 1] === times[last]) --first;
    return [...new Set([first, last])];
  }
  function overPoints(chart) {
    const { X, Y } = page.scalesOf(chart), [from, to] = page.window || page.overview, taken = [];
    const inside = marked.filter(k => events[k].time >= from && events[k].time <= to);
    return chart.series.filter(s => !s.pin && !off.has(s.variable)).flatMap(s => inside.flatMap(k => {
      const at = pointsOf(k).map(row => [X(s.over.y[row]), Y[s.right ? 1 : 0](s.course.y[row])]).filter(([x, y]) => Number.isFinite(x + y));
      if (!at.length) return [];   // not above zero on a logarithmic axis
      const [x, y] = at[at.length - 1];
      const numbered = taken.length < 60 && !taken.some(([a, b]) => Math.abs(a - x) < 18 && Math.abs(b - y) < 12);
      if (numbered) taken.push([x, y]);
      return { k, at, numbered };
    }));
  }
  function drawOver(chart) {
    const { area, X, Y } = page.scalesOf(chart), accent = css("--accent");
    const own = chart.series.filter(s => !s.pin && !off.has(s.variable));
    const { frame } = sizesOf(chart), c = prepared(chart.above, frame, area);
    prepared(chart.below, frame);
    const disc = (x, y, size, fill) => {
      c.beginPath();
      c.arc(x, y, size, 0, 7);
      fill ? c.fill() : c.stroke();
    };
    const dot = (s, row, size) => disc(X(s.over.y[row]), Y[s.right ? 1 : 0](s.course.y[row]), size, true);
    chart.marks = { points: 0, related: 0, selected: 0, numbers: [] };
    c.font = "10px " + css("--sans");
    for (const { k, at, numbered } of overPoints(chart)) {
      const is = k === page.selected, lit = is || page.related.has(k);
      c.fillStyle = c.strokeStyle = css(lit ? "--accent" : kindOf(k).colour);
      c.lineWidth = 2;
      c.globalAlpha = lit ? 1 : 0.7;
      for (const [x, y] of at) disc(x, y, 2, true);
      ++chart.marks.points;
      if (page.related.has(k)) ++chart.marks.related;
      if (is) { chart.marks.selected = 1; for (const [x, y] of at) disc(x, y, 5, false); }
      if (!numbered || is) continue;
      chart.marks.numbers.push(events[k].number);
      const [x, y] = at[at.length - 1];
      c.fillText(String(events[k].number), x + 4, Math.max(y - 4, area.y + 9));
    }
    c.globalAlpha = 1;
    for (const name of ["a", "b"])
      if (view[name] !== null)
        for (const s of own) tag(c, name.toUpperCase(), X(page.valueIn(s.over, view[name])), area, css("--ink"), Y[s.right ? 1 : 0](page.valueIn(s.course, view[name])) - 8);
    if (page.row !== null && page.row < rows)
      for (const s of own) { c.fillStyle = css(colourOf(s.variable)); dot(s, page.row, 4); }
    if (page.selected >= 0 && chart.marks.selected && own.length) {
      const row = pointsOf(page.selected).pop(), s = own[0];
      tag(c, "event " + events[page.selected].number, X(s.over.y[row]) + 5, area, accent, Math.max(area.y, Y[s.right ? 1 : 0](s.course.y[row]) - 20));
    }
  }

  const drawAllMarks = () => page.charts.forEach(drawMarks);
  function nearEvent(graph, x) {
    let best = -1, distance = 7;
    for (const k of marked) {
      const d = Math.abs(graph.toDomXCoord(events[k].time) - x);
      if (d < distance) { distance = d; best = k; }
    }
    return best;
  }
  function eventNear(chart, px, py) {
    const { X, Y } = page.scalesOf(chart);
    let best = -1, distance = 9;
    for (const s of chart.series)
      if (!s.pin && !off.has(s.variable))
        for (const k of marked) for (const row of pointsOf(k)) {
          const d = Math.hypot(X(s.over.y[row]) - px, Y[s.right ? 1 : 0](s.course.y[row]) - py);
          if (d < distance) { distance = d; best = k; }
        }
    return best;
  }
  Object.assign(page, { drawMarks, drawAllMarks, nearEvent, eventNear, numberStrip, placed, overPoints, bands, slides, kindOf });
};
