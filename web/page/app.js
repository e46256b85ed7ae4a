// The playground: an editor, a worker with the engine, and the page that shows a run.
import { makeEditor } from "./editor.js";

const { examples, worker: workerText, wasm: wasmText } = window.mosimFiles || {};   // in the page that is one file
const $ = id => document.getElementById(id);
const make = (tag, className, text) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
};
const delay = 150;      // ms after a key stroke
const file = "model.mo";

// ---- the worker --------------------------------------------------------------------------------------------------------

let worker = null, ready = false, wasm = null, number = 0, waiting = null, running = null, stopTimer = 0;
const libraries = [];

const bytesOf = base64 => Uint8Array.from(atob(base64), c => c.charCodeAt(0)).buffer;

async function startWorker() {
  ready = false;
  const url = workerText ? URL.createObjectURL(new Blob([workerText], { type: "text/javascript" })) : "worker.js";
  const mine = worker = new Worker(url);
  mine.onmessage = e => { if (mine === worker) hear(e.data); };
  mine.onerror = e => { if (mine === worker) say(`the engine failed: ${e.message || "no more memory"}`, true), restart(); };
  if (!wasm) {
    if (wasmText) {
      const inflated = new Blob([bytesOf(wasmText)]).stream().pipeThrough(new DecompressionStream("gzip"));
      wasm = await new Response(inflated).arrayBuffer();
    } else {
      wasm = await (await fetch("mosim.wasm")).arrayBuffer();
    }
  }
  mine.postMessage({ type: "library", files: exampleFiles });
  for (const files of libraries) mine.postMessage({ type: "library", files });
  mine.postMessage({ type: "load", wasm });
}
function restart() {
  worker.terminate();
  running = null;
  buttons();
  startWorker();
}

/** What is asked for while a run is under way waits; only the last one counts. */
function ask(job) {
  if (!ready || running) {
    waiting = job;
    if (running) worker.postMessage({ type: "stop" });
    return;
  }
  waiting = null;
  running = { ...job, id: ++number, asked: performance.now() };
  worker.postMessage({ type: "run", ...running });
  buttons();
}
function stop() {
  waiting = null;
  clearTimeout(timer);
  if (!running) return;
  worker.postMessage({ type: "stop" });
  // What does not listen, as a text that is being compiled, is ended.
  clearTimeout(stopTimer);
  const id = running.id;
  stopTimer = setTimeout(() => { if (running && running.id === id) { say("stopped", true); restart(); } }, 80);
}
function finished() {
  clearTimeout(stopTimer);
  running = null;
  buttons();
  if (waiting) ask(waiting);
}

function hear(message) {
  if (message.type === "ready") {
    ready = true;
    $("state").title = "mosim " + message.version;
    if (waiting) ask(waiting);
    return;
  }
  if (message.type === "stopping") { clearTimeout(stopTimer); return; }   // its rows are to come
  if (!running || message.id !== running.id) return;
  if (message.type === "compiled") compiled(message);
  else if (message.type === "progress") say(`${numberText(message.time)} of ${numberText(message.stop)} s`);
  else if (message.type === "done") { done(message); finished(); }
  else if (message.type === "failed") { say(message.message, true); finished(); }
}

// ---- what is said ------------------------------------------------------------------------------------------------------

const numberText = x => String(Number(x.toPrecision(4)));
function say(text, bad = false) {
  $("state").textContent = text;
  $("state").classList.toggle("bad", bad);
}
function buttons() {
  $("halt").disabled = !running;
  $("pin").disabled = !last;
  document.body.dataset.running = running ? "true" : "false";
}

let said = [];          // diagnostics of the text at hand
function showProblems(list) {
  said = list;
  editor.diagnose(list, file);
  const holder = $("problems");
  holder.textContent = "";
  for (const d of list) {
    const e = make("div", "problem " + d.severity);
    e.tabIndex = 0;
    e.append(make("span", "where", (d.line ? (d.file === file ? `line ${d.line}` : `${d.file}:${d.line}`) + ": " : "") + d.severity), make("span", "cause", d.cause));
    for (const note of d.notes) e.append(make("div", "remedy", `${note.line ? `line ${note.line}: ` : ""}${note.text}`));
    if (d.remedy) e.append(make("div", "remedy", "remedy: " + d.remedy));
    const go = () => { if (d.line && d.file === file) editor.goTo(d.line, d.column); };
    e.addEventListener("click", go);
    e.addEventListener("keydown", k => { if (k.key === "Enter") go(); });
    holder.append(e);
  }
}

// ---- runs --------------------------------------------------------------------------------------------------------------

let taken = false;      // the text came with settings of its own, which count for the model that it turns out to be
let model = null, shown = null, last = null, kept = null, lastText = "", row = null;
const pinned = [];

function compiled(message) {
  showProblems(message.diagnostics);
  if (!message.model) {
    const errors = message.diagnostics.filter(d => d.severity === "error").length;
    say(errors ? `${errors} error${errors === 1 ? "" : "s"}` : "the text holds no model", true);
    return finished();
  }
  const other = !model || model.name !== message.model.name;
  model = message.model;
  $("until").placeholder = String(model.experiment.stop ?? (model.experiment.start ?? 0) + 1);
  if (other && !taken) {
    kept = null;
    settings.clear();
    $("until").value = "";
  }
  taken = false;
}

function done(message) {
  const run = JSON.parse(message.run), data = message.data;
  last = { run, data, result: message.result, name: nameOf(running) };
  lastText = running.text;
  showProblems([...said.filter(d => !d.ofRun), ...message.result.diagnostics.map(d => ({ ...d, ofRun: true }))]);
  $("report").textContent = message.report;
  makeSliders();   // first: they take room from the charts
  draw();
  const events = run.log.events ? run.log.events.filter(e => e.kind !== "initial" && e.kind !== "terminal").length : 0;
  say(`${message.result.ending === "stop time" ? "" : message.result.ending + " \u00b7 "}${numberText(run.reached)} s \u00b7 ${events} event${events === 1 ? "" : "s"} \u00b7 ${message.milliseconds.toFixed(message.milliseconds < 10 ? 1 : 0)} ms`,
    message.result.ending === "failed");
  document.body.dataset.shown = running.id;
  document.body.dataset.took = String(performance.now() - running.asked);
}

function draw() {
  if (shown) {
    kept = shown.state();
    shown.destroy();
  }
  row = null;
  const { run, data } = last;
  shown = window.mosim = show(run, data, {
    keep: kept, pinned, onRow: at => { row = at; },
    onSelect: (event, places) => editor.light(places.filter(p => p.file === file)),
  });
  const counts = new Map();
  for (let line = 1; line <= editor.view.state.doc.lines; ++line) {
    const count = shown.eventsAt(file, line).length;
    if (count) counts.set(line, count);
  }
  if (editor.text === lastText) editor.count(counts);
}

function nameOf(job) {
  const set = Object.entries(job.options.set || {}).map(([name, value]) => `${name} = ${numberText(value)}`);
  for (const key of ["tolerance", "hysteresis"]) if (job.options[key] !== undefined) set.push(`${key} ${job.options[key]}`);
  return set.join(", ") || `run ${job.id}`;
}
function showPins() {
  const holder = $("pins");
  holder.textContent = "";
  pinned.forEach((p, k) => {
    const b = make("button", "", `${p.name} \u00d7`);
    b.type = "button";
    b.title = "Take these curves away";
    b.addEventListener("click", () => { pinned.splice(k, 1); showPins(); draw(); });
    holder.append(b);
  });
}

// ---- settings of a run -------------------------------------------------------------------------------------------------

const settings = new Map();     // parameters and start values that were moved
const valueOf = id => $(id).value.trim() === "" ? undefined : Number($(id).value);
function options() {
  const o = {};
  for (const [key, id] of [["stop", "until"], ["tolerance", "tolerance"], ["hysteresis", "hysteresis"]])
    if (Number.isFinite(valueOf(id))) o[key] = valueOf(id);
  if (settings.size) o.set = Object.fromEntries(settings);
  return o;
}
function runNow() {
  clearTimeout(timer);
  ask({ file, text: editor.text, options: options(), shown: [] });
}

function makeSliders() {
  const holder = $("sliders"), values = new Map();
  for (const v of last.run.variables) {
    if (v.kind === "parameter") values.set(v.name, v.value);
    else if (v.kind === "state") values.set(v.name, v.column === undefined ? v.value : last.data[v.column + 1][0]);
  }
  const wanted = model.variables.filter(v => v.changeable && !v.protected && (v.kind === "parameter" || v.kind === "state") && ["Real", "Integer", "Boolean"].includes(v.type) && values.has(v.name)).slice(0, 24);
  const key = JSON.stringify([model.name, wanted.map(v => v.name)]);
  if (holder.dataset.key === key) return;   // not under the hand that moves them
  holder.dataset.key = key;
  holder.textContent = "";
  for (const v of wanted) {
    const first = settings.get(v.name) ?? values.get(v.name), label = make("label"), name = make("span", "", v.kind === "state" ? `${v.name}(start)` : v.name);
    const box = make("input"), slider = make("input");
    label.title = `${v.description || v.name}${v.unit ? " [" + v.unit + "]" : ""}. Double-click for the model's own value.`;
    slider.dataset.name = v.name;
    const change = value => {
      if (!Number.isFinite(value)) return;
      settings.set(v.name, value);
      name.classList.add("changed");
      runNow();
    };
    label.append(name);
    if (v.type === "Boolean") {
      slider.type = "checkbox";
      slider.checked = !!first;
      slider.addEventListener("change", () => change(slider.checked ? 1 : 0));
      label.append(slider);
    } else {
      slider.type = "range";
      slider.setAttribute("aria-label", name.textContent);
      const reach = first === 0 ? 1 : 2 * Math.abs(first);
      slider.min = first < 0 || first === 0 ? -reach : 0;
      slider.max = first <= 0 ? (first === 0 ? reach : 0) : reach;
      slider.step = v.type === "Integer" ? 1 : (slider.max - slider.min) / 200;
      slider.value = first;
      box.type = "number";
      box.step = "any";
      box.value = Number(Number(first).toPrecision(6));
      box.setAttribute("aria-label", name.textContent);
      slider.addEventListener("input", () => { box.value = Number(Number(slider.value).toPrecision(6)); change(Number(slider.value)); });
      box.addEventListener("change", () => { slider.value = box.value; change(Number(box.value)); });
      label.append(slider, box);
    }
    label.addEventListener("dblclick", () => { settings.delete(v.name); holder.dataset.key = ""; runNow(); });
    holder.append(label);
  }
}

// ---- links, examples, files --------------------------------------------------------------------------------------------

async function squeezed(text, Stream, name) {
  const stream = new Blob([text]).stream().pipeThrough(new Stream(name));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
async function linkOf() {
  const state = { text: editor.text, ...options(), shown: shown ? shown.state().shown : [] };
  const bytes = await squeezed(new TextEncoder().encode(JSON.stringify(state)), CompressionStream, "deflate-raw");
  let text = "";
  for (let k = 0; k < bytes.length; k += 4096) text += String.fromCharCode(...bytes.subarray(k, k + 4096));
  return location.href.split("#")[0] + "#m=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
async function readLink() {
  const found = /[#&]m=([\w-]+)/.exec(location.hash);
  if (!found) return false;
  try {
    const bytes = Uint8Array.from(atob(found[1].replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await squeezed(bytes, DecompressionStream, "deflate-raw")));
    take(state);
    return true;
  } catch (_) {
    say("the link holds no model: was it cut off?", true);
    return false;
  }
}
function take(state) {
  settings.clear();
  model = null;
  kept = Array.isArray(state.shown) && state.shown.length ? { shown: state.shown, known: new Set(state.shown), off: new Set(), colours: new Map(), window: null } : null;
  if (shown) { shown.destroy(); shown = null; }
  editor.text = String(state.text);
  $("until").value = Number.isFinite(state.stop) ? state.stop : "";
  $("tolerance").value = state.tolerance !== undefined ? [...$("tolerance").options].map(o => o.value).find(o => Number(o) === state.tolerance && o !== "") || "" : "";
  $("hysteresis").value = Number.isFinite(state.hysteresis) ? state.hysteresis : "";
  for (const [name, value] of Object.entries(state.set || {})) if (Number.isFinite(value)) settings.set(name, value);
  $("sliders").dataset.key = "";
  clearTimeout(timer);
  taken = true;
  runNow();
}

const exampleFiles = (examples || []).map(e => [e.file, e.text]);
function fillExamples(list) {
  const select = $("examples");
  let group = null;
  for (const [k, e] of list.entries()) {
    if (!e.model) continue;
    if (!group || group.label !== e.chapter) {
      group = make("optgroup");
      group.label = e.chapter;
      select.append(group);
    }
    const option = make("option", "", e.name);
    option.value = String(k);
    option.title = e.description;
    group.append(option);
  }
  select.addEventListener("change", () => { history.replaceState(null, "", location.pathname + location.search); pinned.length = 0; showPins(); take({ text: list[Number(select.value)].text }); });
}

function offer(name, type, text) {
  const a = make("a");
  a.href = URL.createObjectURL(new Blob([text], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}
function csv() {
  const columns = last.run.variables.filter(v => v.column !== undefined), quote = s => /[",\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s;
  const lines = [["time", ...columns.map(v => quote(v.name))].join()];
  last.data[0].forEach((t, r) => lines.push([t, ...columns.map(v => last.data[v.column + 1][r])].join()));
  return lines.join("\n") + "\n";
}
function page() {
  const content = x => JSON.stringify(x).replaceAll("<", "\\u003c");
  const [library, script] = [...document.querySelectorAll("script")].map(s => s.textContent), style = document.querySelector("style").textContent;
  const parts = { title: model.name.replaceAll("<", "&lt;"), style, library, model: content(last.run), data: content(last.data.map(column => Array.from(column, x => Number.isFinite(x) ? x : null))), script };
  return pageText.replace(/@(title|style|library|model|data|script)@/g, (_, part) => parts[part]);
}
const pageText = window.mosimPage || "";

// Folders and .mo files that are dropped on the page: packages that models may use, or a text for the editor.
async function filesIn(entry, path = "") {
  if (entry.isFile) {
    if (!entry.name.endsWith(".mo")) return [];
    const text = await new Promise((resolve, reject) => entry.file(f => f.text().then(resolve, reject), reject));
    return [[path + entry.name, text]];
  }
  const reader = entry.createReader(), all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) break;
    for (const e of some) all.push(...await filesIn(e, `${path}${entry.name.replace(/ .*$/, "")}/`));   // "Modelica 4.1.0" (MLS 13.4.3)
  }
  return all;
}
addEventListener("dragover", e => { e.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("drop", async e => {
  e.preventDefault();
  document.body.classList.remove("dropping");
  for (const item of [...e.dataTransfer.items].map(i => i.webkitGetAsEntry && i.webkitGetAsEntry()).filter(Boolean)) {
    const files = await filesIn(item);
    if (item.isFile && files.length) { take({ text: files[0][1] }); continue; }
    libraries.push(files);
    worker.postMessage({ type: "library", files });
    say(`${files.length} files of ${item.name} can be used`);
    runNow();
  }
});

// ---- all of it ---------------------------------------------------------------------------------------------------------

let timer = 0;
const editor = makeEditor($("editor"), {
  onChange: () => { clearTimeout(timer); timer = setTimeout(runNow, delay); },
  onRun: runNow,
  onLine: line => {
    if (!shown) return;
    const list = shown.eventsAt(file, line);
    if (list.length) shown.select(list.find(n => n > (shown.selected ?? -1)) ?? list[0]);
  },
  valueAt: (name, line) => {
    if (!shown) return null;
    const at = row ?? last.data[0].length - 1, value = shown.readout(name, at);
    if (value !== null) return `${name} = ${value}   at ${numberText(shown.timeOf(at))} s`;
    const count = shown.eventsAt(file, line).length;
    return count ? `${count} event${count === 1 ? "" : "s"} on this line` : null;
  },
});
$("run").addEventListener("click", runNow);
$("halt").addEventListener("click", stop);
for (const id of ["until", "tolerance", "hysteresis"]) $(id).addEventListener("change", runNow);
$("pin").addEventListener("click", () => { if (last) { pinned.push(last); showPins(); draw(); } });
$("link").addEventListener("click", async () => {
  const link = await linkOf();
  history.replaceState(null, "", link);
  try { await navigator.clipboard.writeText(link); say("the link is in the address bar and the clipboard"); } catch (_) { say("the link is in the address bar"); }
});
$("save-csv").addEventListener("click", () => last && offer(model.name + "_res.csv", "text/csv", csv()));
$("save-page").addEventListener("click", () => last && offer(model.name + ".html", "text/html", page()));
$("save-model").addEventListener("click", () => offer((model ? model.name.split(".").pop() : "model") + ".mo", "text/plain", editor.text));
for (const [tab, pane, other, otherPane] of [["tab-events", "events", "tab-report", "report"], ["tab-report", "report", "tab-events", "events"]])
  $(tab).addEventListener("click", () => {
    $(tab).setAttribute("aria-selected", "true"); $(other).setAttribute("aria-selected", "false");
    $(pane).hidden = false; $(otherPane).hidden = true;
  });
addEventListener("hashchange", readLink);
fillExamples(examples || []);
startWorker();
readLink().then(found => {
  if (found) return;
  const first = (examples || []).findIndex(e => e.name === "BouncingBall");
  if (first >= 0) { $("examples").value = String(first); take({ text: examples[first].text }); }
});
window.playground = { editor, get last() { return last; }, get running() { return running; }, runNow, stop, linkOf, settings };
