// The charts as a picture, in the light colours whatever the screen has; and the shown values as a table.
show.picture = page => {
  const { run, make, root, css, events, times, variables, shown, off, colourOf, columnOf, view } = page;
  const escaped = s => String(s).replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const round = x => Number(x.toFixed(2));
  function Path() { this.d = ""; }
  Path.prototype.moveTo = function (x, y) { this.d += `M${round(x)} ${round(y)}`; };
  Path.prototype.lineTo = function (x, y) { this.d += `L${round(x)} ${round(y)}`; };

  function picture({ titled = true } = {}) {
    const light = make("span", "light");
    root.append(light);
    const colour = name => css(name, light), parts = [], width = Math.max(300, ...page.charts.map(c => c.graph.width_));
    const text = (x, y, what, more = "") => `<text x="${round(x)}" y="${round(y)}" ${more}>${escaped(what)}</text>`;
    const line = (x, y, x2, y2, stroke, more = "") => `<line x1="${round(x)}" y1="${round(y)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}" ${more}/>`;
    const rect = (x, y, w, h, fill, more = "") => `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(w, 1))}" height="${round(h)}" fill="${fill}" ${more}/>`;
    let top = 0;
    if (titled) {
      parts.push(text(14, 20, run.model, 'font-size="15" font-weight="600"'));
      if (run.description) parts.push(text(14, 38, run.description, `fill="${colour("--soft")}"`));
      top = run.description ? 46 : 28;
    }
    page.charts.forEach((chart, n) => {
      const scales = page.scalesOf(chart), { area, X, Y } = scales, graph = chart.graph, out = [], on = chart.series.filter(s => !off.has(s.variable));
      // The legend, in as many lines as it takes.
      let x = area.x, y = top + 18;
      for (const s of on.filter(s => !s.pin)) {
        const v = variables[s.variable], words = `${v.name}${v.unit ? ` [${v.unit}]` : ""}${v.description ? "  " + v.description : ""}${s.right ? " (right axis)" : ""}`, w = 30 + 6.1 * words.length;
        if (x > area.x && x + w > width) { x = area.x; y += 16; }
        parts.push(line(x, y - 4, x + 16, y - 4, colour(colourOf(s.variable)), 'stroke-width="2.5"'), text(x + 21, y, words));
        x += w;
      }
      for (const pin of new Set(on.filter(s => s.pin).map(s => s.pin))) {
        const s = on.find(o => o.pin === pin), w = 30 + 6.1 * pin.name.length;
        if (x > area.x && x + w > width) { x = area.x; y += 16; }
        parts.push(line(x, y - 4, x + 16, y - 4, colour("--soft"), `stroke-dasharray="${s.dash}"`), text(x + 21, y, pin.name));
        x += w;
      }
      top = y + (chart.numbers ? 20 : 8);
      // Grid, axes and their words, as dygraphs has laid them out.
      const { xticks, yticks } = graph.layout_, bottom = area.y + area.h;
      for (const t of xticks) if (t.has_tick) out.push(line(area.x + t.pos * area.w, area.y, area.x + t.pos * area.w, bottom, colour("--grid")));
      for (const t of yticks) if (t.has_tick && t.axis === 0) out.push(line(area.x, area.y + t.pos * area.h, area.x + area.w, area.y + t.pos * area.h, colour("--grid")));
      for (const t of yticks) if (t.label) out.push(text(t.axis ? area.x + area.w + 6 : area.x - 6, area.y + t.pos * area.h + 4, t.label, `fill="${colour("--soft")}" font-size="11"${t.axis ? "" : ' text-anchor="end"'}`));
      if (chart.isLast) {
        for (const t of xticks) if (t.label) out.push(text(area.x + t.pos * area.w, bottom + 15, t.label, `fill="${colour("--soft")}" font-size="11" text-anchor="middle"`));
        out.push(text(area.x + area.w / 2, bottom + 31, chart.x ? page.titled(chart.x) : "time [s]", `fill="${colour("--soft")}" font-size="11" text-anchor="middle"`));
      }
      out.push(line(area.x, area.y, area.x, bottom, colour("--line")), line(area.x, bottom, area.x + area.w, bottom, colour("--line")));
      // Marks, and the curves above them.
      const inside = [], number = (k, x2, y2, more = "") => out.push(text(x2, y2, events[k].number, `fill="${colour(page.kindOf(k).colour)}" font-size="10" ${more}`));
      if (!chart.x) {
        for (const band of page.bands(chart)) {
          inside.push(rect(band.x, area.y, band.w, area.h, colour("--slide")));
          for (const b of band.both) {
            inside.push(rect(band.x, b.y, band.w, b.h, colour(colourOf(b.variable)), 'fill-opacity="0.4"'));
            if (band.w > 40) inside.push(text(band.x + 6, b.y + b.h / 2 + 4, "both", 'font-style="italic" font-size="11"'));
          }
        }
        for (const { k, x: at, apart, numbered } of page.placed(chart)) {
          const stroke = colour(page.kindOf(k).colour), dash = page.kindOf(k).dash.length ? `stroke-dasharray="${page.kindOf(k).dash}"` : "";
          inside.push(line(at, apart ? area.y : bottom - 6, at, bottom, stroke, `stroke-opacity="0.5" ${dash}`));
          if (numbered && chart.numbers) number(k, at, area.y - 5, 'text-anchor="middle"');
        }
        for (const name of ["a", "b"]) {
          const t = view[name];
          if (t !== null && t >= scales.left && t <= scales.right) inside.push(line(X(t), area.y, X(t), bottom, colour("--ink"), 'stroke-dasharray="2,2"'), text(X(t) + 4, area.y + 12, name.toUpperCase(), 'font-weight="600"'));
        }
      }
      for (const s of on)
        for (const { strength, dash, path } of page.pathsOf(chart, s, scales, Path))
          if (path.d) inside.push(`<path d="${path.d}" fill="none" stroke="${colour(colourOf(s.variable))}" stroke-width="${s.pin ? 1.1 : 1.6}" stroke-linejoin="round"${strength < 1 ? ` stroke-opacity="${strength}"` : ""}${dash.length ? ` stroke-dasharray="${dash}"` : ""}/>`);
      if (chart.x)
        for (const { k, at, numbered } of page.overPoints(chart)) {
          for (const [px, py] of at) inside.push(`<circle cx="${round(px)}" cy="${round(py)}" r="2" fill="${colour(page.kindOf(k).colour)}"/>`);
          if (numbered) number(k, at[at.length - 1][0] + 4, at[at.length - 1][1] - 4);
        }
      parts.push(`<g transform="translate(0 ${round(top)})"><clipPath id="clip${n}"><rect x="${area.x}" y="${area.y}" width="${area.w + 1}" height="${area.h}"/></clipPath>${out.join("")}<g clip-path="url(#clip${n})">${inside.join("")}</g></g>`);
      top += graph.height_;
    });
    const result = `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(top + 8)}" viewBox="0 0 ${round(width)} ${round(top + 8)}" font-family="Inter, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif" font-size="12" fill="${colour("--ink")}"><rect width="100%" height="100%" fill="#ffffff"/>${parts.join("")}</svg>`;
    light.remove();
    return result;
  }

  // RFC 4180, as the results are: what is shown, or the whole run.
  function csv(whole = false) {
    const list = whole ? variables.map((_, k) => k).filter(k => variables[k].column !== undefined) : shown.filter(k => !off.has(k) && !variables[k].time), quote = s => /[",\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s;
    const columns = list.map(k => columnOf(variables[k])), lines = [["time", ...list.map(k => quote(variables[k].name))].join()];
    for (let r = 0; r < times.length; ++r) lines.push([times[r], ...columns.map(y => Number.isNaN(y[r]) ? "nan" : y[r])].join());
    return lines.join("\n") + "\n";
  }
  Object.assign(page, { picture, csv });
};
