// The marks of events on a chart, below and above its curves.
show.marks = page => {
  const { events, marked, css } = page;
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
      if (!page.related.has(k)) return;
      ++chart.marks.related;
      const x = Math.round(xs[i]) + 0.5;
      if (x === last) return;
      last = x;
      c.globalAlpha = page.related.size > 60 ? 0.35 : 0.75;
      line(x, area.y, area.y + area.h);
    });
    if (page.selected >= 0) {
      const t = events[page.selected].time;
      if (t >= left && t <= right) {
        chart.marks.selected = 1;
        c.globalAlpha = 1;
        c.lineWidth = 2;
        const x = graph.toDomXCoord(t);
        line(x, area.y, area.y + area.h);
        if (chart === page.charts[0]) {
          c.font = "600 11px " + css("--sans");
          const text = "event " + events[page.selected].number, w = c.measureText(text).width + 8;
          const at = Math.min(Math.max(x + 3, area.x), area.x + area.w - w);
          c.fillStyle = accent;
          c.fillRect(at, area.y + 1, w, 16);
          c.fillStyle = css("--card");
          c.fillText(text, at + 4, area.y + 13);
        }
      }
    }
  }
  page.drawAllMarks = () => page.charts.forEach(drawMarks);

  function nearEvent(graph, x) {
    let best = -1, distance = 7;
    for (const k of marked) {
      const d = Math.abs(graph.toDomXCoord(events[k].time) - x);
      if (d < distance) { distance = d; best = k; }
    }
    return best;
  }
  Object.assign(page, { drawMarks, nearEvent });
};
