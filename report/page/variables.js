// The variables of a run: which are shown, in which colours, and the menu of all.
show.variables = page => {
  const { run, keep, $, make, number, signal, root } = page;
  const variables = run.variables;
  const shown = variables.map((_, k) => k).filter(k => variables[k].shown !== undefined).sort((a, b) => variables[a].shown - variables[b].shown);
  if (keep) {
    shown.length = 0;
    for (const name of keep.shown) {
      const k = variables.findIndex(v => v.name === name);
      if (k >= 0) shown.push(k);
    }
    const known = keep.known && new Set(keep.known);
    for (const [k, v] of variables.entries())   // what is new
      if (known && v.shown !== undefined && !known.has(v.name) && !shown.includes(k)) shown.push(k);
  }
  const wasOff = new Set(keep && keep.off || []), off = new Set(shown.filter(k => wasOff.has(variables[k].name)));   // shown in the legend, but switched off
  const colours = new Map();             // a variable keeps its colour
  const had = new Map(keep && keep.colours || []);
  variables.forEach((v, k) => { if (had.has(v.name)) colours.set(k, had.get(v.name)); });
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
          page.buildCharts();
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
    $("menu").addEventListener("keydown", e => { if (e.key === "Escape") { $("menu").open = false; $("menu-title").focus(); } }, { signal });
    document.addEventListener("click", e => { if (!$("menu").contains(e.target)) $("menu").open = false; }, { signal });
  }
  Object.assign(page, { variables, shown, off, colours, colourOf, named, axisOf, buildMenu });
};
