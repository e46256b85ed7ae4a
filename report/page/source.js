// The source, with the events of each line.
show.source = page => {
  const { run, events, $, make, plural, root, key, eventsOfLine, places } = page;
  // Of a log that was cut only the first events are known.
  const cut = run.events && Object.values(run.events).reduce((a, b) => a + b, 0) > events.length;
  let file = -1;
  const base = path => path.split(/[\\/]/).pop();
  function buildFiles() {
    if (!$("code")) return;
    $("files").textContent = "";
    $("files").setAttribute("role", "tablist");
    const used = run.sources.map((s, k) => k);
    for (const k of used) {
      const tab = make("button", "", base(run.sources[k].path));
      tab.type = "button";
      tab.title = run.sources[k].path;
      tab.dataset.path = run.sources[k].path;
      tab.setAttribute("role", "tab");
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
      line.append(make("span", "no", String(i + 1)), make("span", "hits", of ? `${of.length}${cut ? "+" : ""}\u00d7` : ""), make("span", "text", text));
      if (of) {
        line.classList.add("active");
        line.title = `${plural(of.length, "event")}. Click for the ${page.selected >= 0 ? "next" : "first"}.`;
        line.tabIndex = 0;
        line.setAttribute("role", "button");
        for (const on of ["mouseenter", "focus"]) line.addEventListener(on, () => page.relate(of));
        for (const on of ["mouseleave", "blur"]) line.addEventListener(on, () => page.relate([]));
        line.addEventListener("keydown", e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); line.click(); } });
        line.addEventListener("click", () => page.select(of.find(e => e > page.selected) ?? of[0], true));
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
    const path = run.sources[file].path, list = page.selected >= 0 ? places[page.selected].filter(p => p.file === path) : [];
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
  Object.assign(page, { buildFiles, showFile, lightLines });
};
