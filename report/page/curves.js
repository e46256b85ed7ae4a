// Curves: what lies between two rows, and how it is drawn. Continuous variables are cubic between their rows, by their derivatives or by
// slopes that never let the curve overshoot; never across an event, where two rows have one time.
show.curves = page => {
  // null is no number of a typed array.
  const columns = new WeakMap(), courses = new WeakMap();
  const columnOf = (v, of = page) => {
    if (!columns.has(v)) {
      const n = of.data[0].length, list = v.time ? of.data[0] : v.column === undefined ? new Float64Array(n).fill(v.value === null ? NaN : v.value) : of.data[v.column + 1];
      columns.set(v, list.includes(null) ? Float64Array.from(list, x => x === null ? NaN : x) : list);
    }
    return columns.get(v);
  };
  /* The course of a variable in a run: t, y, and whether it is in steps. */
  const courseOf = (v, of = page) => {
    if (courses.has(v)) return courses.get(v);
    const course = { v, t: of.data[0], y: columnOf(v, of), steps: !!v.steps || (v.column === undefined && !v.time) };
    // Rows that were left out may have held a turn: their derivatives say nothing of it.
    // What is the same as a state has its column.
    const derivative = x => of.run.variables.find(d => d.column !== undefined && d.name === `der(${x.name})`);
    const state = v.kind === "state" ? v : v.column !== undefined && of.run.variables.find(x => x.kind === "state" && x.column === v.column);
    const der = of.run.rows === course.t.length && state ? derivative(state) : null;
    // Steeper than this between two rows, a cubic would be made of more than the rows tell.
    if (der) {
      let low = Infinity, high = -Infinity;
      for (const x of course.y) { if (x < low) low = x; if (x > high) high = x; }
      course.reach = Math.max(0.75 * (high - low), 1e-6 * Math.max(Math.abs(low), Math.abs(high)), 1e-12);
    }
    course.slopes = () => course.d || (course.d = der ? columnOf(der, of) : slopesOf(course.t, course.y));
    courses.set(v, course);
    return course;
  };
  // Fritsch and Butland's slopes: monotone where the rows are.
  function slopesOf(t, y) {
    const n = t.length, d = new Float64Array(n).fill(NaN);
    const secant = i => (y[i + 1] - y[i]) / (t[i + 1] - t[i]);
    const joined = i => i >= 0 && i + 1 < n && t[i + 1] > t[i] && !Number.isNaN(y[i] + y[i + 1]);
    for (let i = 0; i < n; ++i) {
      const before = joined(i - 1), after = joined(i);
      if (before && after) {
        const a = secant(i - 1), b = secant(i), p = t[i] - t[i - 1], q = t[i + 1] - t[i];
        d[i] = a * b > 0 ? 3 * (p + q) / ((2 * q + p) / a + (q + 2 * p) / b) : 0;
      } else if (before || after) {
        // At an end: through three rows, if that does not overshoot.
        const near = before ? i - 1 : i, far = before ? i - 2 : i + 1, a = secant(near);
        d[i] = a;
        if (joined(far)) {
          const b = secant(far), p = t[near + 1] - t[near], q = t[far + 1] - t[far], x = ((2 * p + q) * a - p * b) / (p + q);
          d[i] = x * a <= 0 ? 0 : a * b <= 0 && Math.abs(x) > 3 * Math.abs(a) ? 3 * a : x;
        }
      }
    }
    return d;
  }
  /* The last row at or before a time. */
  const rowAt = (t, time) => {
    let low = 0, high = t.length;
    while (low < high) { const mid = (low + high) >> 1; t[mid] <= time ? low = mid + 1 : high = mid; }
    return Math.max(0, low - 1);
  };
  /* Whether a variable moves faster than its rows i and i + 1 tell. */
  const tooFar = (c, i) => {
    const d = c.slopes();
    return c.reach !== undefined && Math.max(Math.abs(d[i]), Math.abs(d[i + 1])) * (c.t[i + 1] - c.t[i]) > c.reach;
  };
  /* Whether that is so for a good part of its run. */
  function isCoarse(c) {
    if (c.steps || c.slopes() === undefined || c.reach === undefined) return false;
    let far = 0;
    for (let i = 0; i + 1 < c.t.length; ++i) if (c.t[i + 1] > c.t[i] && tooFar(c, i)) ++far;
    return far > 0.1 * c.t.length && far > 5;
  }
  /* The value between rows i and i + 1. */
  function between(c, i, time) {
    const { t, y } = c, h = t[i + 1] - t[i];
    if (c.steps || !(h > 0) || time <= t[i]) return y[i];
    if (time >= t[i + 1]) return y[i + 1];
    const d = c.slopes(), u = (time - t[i]) / h, w = 1 - u, p = d[i], q = d[i + 1];
    return Number.isNaN(p + q) || tooFar(c, i) ? y[i] * w + y[i + 1] * u : w * w * (y[i] * (1 + 2 * u) + p * h * u) + u * u * (y[i + 1] * (1 + 2 * w) - q * h * w);
  }
  const valueIn = (c, time) => { const i = rowAt(c.t, time); return i + 1 < c.t.length ? between(c, i, time) : c.y[i]; };

  /* What a variable does from a to b: minimum, maximum and mean. */
  function summaryOf(c, a, b) {
    let low = Infinity, high = -Infinity, sum = 0, length = 0;
    const see = x => { if (x < low) low = x; if (x > high) high = x; };
    const first = rowAt(c.t, a), last = Math.min(rowAt(c.t, b), c.t.length - 2);
    for (let i = first; i <= last; ++i) {
      const l = Math.max(a, c.t[i]), r = Math.min(b, c.t[i + 1]), h = r - l;
      if (!(h > 0)) continue;
      const x = between(c, i, l), m = between(c, i, (l + r) / 2), y = c.steps ? x : between(c, i, r);
      if (Number.isNaN(x + m + y)) continue;
      see(x); see(y);
      if (!c.steps)
        for (let k = 1; k < 8; ++k) see(between(c, i, l + h * k / 8));
      sum += h * (x + 4 * m + y) / 6;   // exact, as the curve is a cubic
      length += h;
    }
    if (!length) see(valueIn(c, a));
    return { low, high, mean: length ? Math.min(Math.max(sum / length, low), high) : low };
  }

  // Of points within one column of pixels: the first, the lowest, the highest and the last.
  function thinned(pen) {
    let column = NaN, x = 0, y = 0, low = 0, high = 0, n = 0;
    const flush = () => {
      if (n > 2) { pen.lineTo(x, low); pen.lineTo(x, high); }
      if (n > 1) pen.lineTo(x, y);
      n = 0;
    };
    const point = (px, py, go) => {
      const here = Math.round(px);
      if (here === column && n) {
        x = px; y = py; low = Math.min(low, py); high = Math.max(high, py); ++n;
        return;
      }
      flush();
      go(px, py);
      column = here; x = px; y = low = high = py; n = 1;
    };
    return { moveTo: (px, py) => { flush(); column = NaN; point(px, py, (a, b) => pen.moveTo(a, b)); }, lineTo: (px, py) => point(px, py, (a, b) => pen.lineTo(a, b)), end: flush };
  }
  const bounded = y => Math.min(Math.max(y, -1e5), 1e5);
  /* Draws a course from one time to another over time, with a pen that has moveTo and lineTo. */
  function trace(pen, c, from, to, X, Y) {
    const first = rowAt(c.t, from), last = Math.min(rowAt(c.t, to) + 1, c.t.length - 1), dense = last - first > 2 * (X(to) - X(from));
    const at = dense ? thinned(pen) : pen;
    let before = NaN;
    for (let i = first; i <= last; ++i) {
      // Nothing outside: dashes on a line of a billion pixels take for ever.
      const time = Math.min(Math.max(c.t[i], from), to), inside = time === c.t[i];
      const x = X(time), y = bounded(Y(inside ? c.y[i] : i + 1 < c.t.length && time > c.t[i] ? between(c, i, time) : i > 0 ? between(c, i - 1, time) : c.y[i]));
      if (!Number.isFinite(y)) { before = NaN; continue; }
      if (Number.isNaN(before)) at.moveTo(x, y);
      else {
        if (c.steps) at.lineTo(x, before);
        else {
          // Only what is seen of it.
          const l = Math.max(from, c.t[i - 1]), r = Math.min(to, c.t[i]), n = Math.ceil((X(r) - X(l)) / 3);
          for (let k = n > 2 ? 0 : n; k < n; ++k) { const time = l + (r - l) * k / n; at.lineTo(X(time), bounded(Y(between(c, i - 1, time)))); }
        }
        at.lineTo(x, y);
      }
      before = y;
    }
    if (dense) at.end();
  }
  /* Draws one course over another. What an event does at once is drawn by the pen `jump`. */
  function traceOver(pen, jump, cx, cy, from, to, across, up) {
    const X = x => bounded(across(x)), Y = y => bounded(up(y));
    const t = cx.t, first = rowAt(t, from), last = Math.min(rowAt(t, to) + 1, t.length - 1);
    let px = NaN, py = NaN;
    for (let i = first; i <= last; ++i) {
      const l = i > first ? Math.max(from, t[i - 1]) : from, r = Math.min(to, t[i]);
      const end = i > first && r < t[i] ? [X(between(cx, i - 1, r)), Y(between(cy, i - 1, r))] : [X(cx.y[i]), Y(cy.y[i])];
      if (i === first && i + 1 < t.length && from > t[i]) { end[0] = X(between(cx, i, from)); end[1] = Y(between(cy, i, from)); }
      const [x, y] = end;
      if (!Number.isFinite(x + y)) { px = NaN; continue; }
      if (Number.isNaN(px)) pen.moveTo(x, y);
      else if (t[i] === t[i - 1]) {
        if (x !== px || y !== py) { jump.moveTo(px, py); jump.lineTo(x, y); }
        pen.moveTo(x, y);
      } else {
        const n = Math.min(60, Math.ceil(Math.hypot(x - px, y - py) / 4));
        for (let k = 1; k < n; ++k) { const time = l + (r - l) * k / n; pen.lineTo(X(between(cx, i - 1, time)), Y(between(cy, i - 1, time))); }
        pen.lineTo(x, y);
      }
      px = x; py = y;
    }
  }
  Object.assign(page, { columnOf, courseOf, rowAt, between, valueIn, summaryOf, isCoarse, trace, traceOver });
};
