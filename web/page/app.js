// The playground: an editor, a worker with the engine, and the page that shows a run.
import { makeCourse } from "./course.js";
import { makeEditor } from "./editor.js";
import { markdown } from "./markdown.js";
import { rewritten } from "./rewritten.js";
import { makeSlider } from "./slider.js";

const { examples = [], sections = [], courses = [], worker: workerText } = window.mosimFiles || {}, wasmText = window.mosimWasm;   // the worker and the engine in the page that is one file
const $ = id => document.getElementById(id);
const make = (tag, className, text) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
};
const delay = 150;      // ms after a key stroke
const file = "model.mo";
const given = id => JSON.parse($(id).textContent);      // what was put into the page after it was made
const library = given("library");                       // what web/library.sh made, or null
if (given("course")) courses.unshift(given("course"));
const tired = 1 << 29;  // bytes; the memory of an engine never shrinks

// ---- the worker --------------------------------------------------------------------------------------------------------

let worker = null, ready = false, fresh = false, memory = 0, restarts = 0, wasm = null, number = 0, waiting = null, running = null, stopTimer = 0;
const libraries = [];
const printed = [];     // by the model that runs; the first lines of it

const workerAt = workerText ? URL.createObjectURL(new Blob([workerText], { type: "text/javascript" })) : "worker.js";

async function startWorker() {
  ready = false;
  const mine = worker = new Worker(workerAt);
  mine.onmessage = e => { if (mine === worker) hear(e.data); };
  mine.onerror = e => { if (mine === worker) say(`the engine failed: ${e.message || "no more memory"}`, true), restart(); };
  if (!wasm) {
    if (wasmText) {
      const inflated = new Blob([window.mosimBytes(wasmText)]).stream().pipeThrough(new DecompressionStream("gzip"));
      wasm = await new Response(inflated).arrayBuffer();
    } else {
      wasm = await (await fetch("mosim.wasm")).arrayBuffer();
    }
  }
  mine.postMessage({ type: "library", files: exampleFiles });
  for (const files of libraries) mine.postMessage({ type: "library", files });
  mine.postMessage({ type: "load", wasm, bundle: library && new URL(library.file, location.href).href });
}
function restart() {
  answer(null, unfinished.interrupted);
  worker.terminate();
  ++restarts;
  memory = 0;
  running = null;
  buttons();
  return startWorker();
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
  printed.length = 0;
  worker.postMessage({ type: "run", ...running });
  buttons();
  // What takes long is not what is still to be seen.
  const { id } = running;
  setTimeout(() => {
    if (!running || running.id !== id) return;
    if (running.rehearsal) return;
    document.body.classList.add("stale");
    if (!running.compiled) say("compiling \u2026");
  }, 500);
}
function stop() {
  waiting = null;
  owed.length = 0;
  clearTimeout(timer);
  if (!running) return;
  worker.postMessage({ type: "stop" });
  say("stopping \u2026");
  // What does not listen, as a text that is being compiled, is ended.
  clearTimeout(stopTimer);
  const id = running.id;
  stopTimer = setTimeout(() => { if (running && running.id === id) { say("stopped", true); document.body.classList.add("stale"); restart(); } }, 80);
}
function finished() {
  clearTimeout(stopTimer);
  running = null;
  buttons();
  if (fresh) {
    fresh = false;
    restart();
  } else {
    next();
  }
}
function next() {
  if (waiting) ask(waiting);
  else if (owed.length) ask(owed.shift());
}

function hear(message) {
  if (message.type === "ready") {
    ready = true;
    document.querySelector("h1").title = "mosim " + message.version;
    if (wantedCourse) worker.postMessage({ type: "course", ...wantedCourse });
    next();
    return;
  }
  if (message.type === "course") return courseRead(message);
  if (message.type === "stopping") { clearTimeout(stopTimer); return; }   // its rows are to come
  if (!running || message.id !== running.id) return;
  if (message.memory) memory = message.memory;
  if (memory > tired) fresh = true;
  if (running.number !== taking) {     // of a text that is gone; what has no model is over
    if (message.type === "done" || message.type === "failed" || (message.type === "compiled" && !message.model)) finished();
    return;
  }
  if (running.pin) return hearOfPin(message);
  if (running.rehearsal) return hearOfRehearsal(message);
  if (message.type === "compiled") compiled(message);
  else if (message.type === "print") { if (printed.length < 1000) printed.push(message.text.replace(/\n$/, "")); }
  else if (message.type === "loading") say("the standard library is loaded \u2026");
  else if (message.type === "progress") progress(`${numberText(message.time)} of ${numberText(message.stop)} s`);
  else if (message.type === "done") { done(message); finished(); rehearseAfter(message); }
  else if (message.type === "failed") { answer(null, unfinished.failed); say(message.message, true); finished(); }
}

// ---- what is said ------------------------------------------------------------------------------------------------------

const numberText = x => String(Number(x.toPrecision(4)));
let progressed = 0;
/** What a run does on its way is for the eyes, and not too often. */
function progress(text) {
  if (performance.now() - progressed < 100) return;
  progressed = performance.now();
  $("state").textContent = text;
  $("state").classList.remove("bad");
}
function say(text, bad = false) {
  $("state").textContent = $("announced").textContent = text;
  $("state").classList.toggle("bad", bad);
}
function buttons() {
  $("halt").disabled = !running || !!running.rehearsal;
  $("pin").disabled = !last;
  document.body.dataset.running = running ? "true" : "false";
}

let said = [];          // diagnostics of the text at hand
let notice = null;      // what is to be said of how it came, until another one comes
function showProblems(list) {
  said = list.filter(d => d !== notice);
  if (notice) list = [notice, ...said];
  editor.diagnose(list, file);
  const holder = $("problems");
  holder.textContent = "";
  for (const d of list) {
    const e = make("div", "problem " + d.severity);
    e.tabIndex = 0;
    if (d.line && d.file === file) e.setAttribute("role", "button"), e.title = "To this place in the text";
    e.append(make("span", "where", (d.line ? (d.file === file ? `line ${d.line}` : `${d.file}:${d.line}`) + ": " : "") + d.severity), " ", make("span", "cause", d.cause));
    for (const note of d.notes) e.append(" ", make("div", "remedy", `${note.line ? `line ${note.line}: ` : ""}${note.text}`));
    if (d.remedy) e.append(" ", make("div", "remedy", "remedy: " + d.remedy));
    const go = () => { if (d.line && d.file === file) editor.goTo(d.line, d.column); };
    e.addEventListener("click", go);
    e.addEventListener("keydown", k => { if (k.key === "Enter" || k.key === " ") k.preventDefault(), go(); });   // the key is not for the text
    holder.append(e);
  }
}

// ---- runs --------------------------------------------------------------------------------------------------------------

let taking = 0;         // how many texts were opened
let taken = false;      // the text came with settings of its own, which count for the model that it turns out to be
let model = null, wanted = [], shown = null, last = null, kept = null, lastText = "", row = null;
const pinned = [];      // runs beside it: { run, data, name, text, options }
const owed = [];        // those of a link that are still to be run

/** What a run for pinned curves tells: nothing of it is the text at hand. */
function hearOfPin(message) {
  const { text, options, pin } = running;
  if (message.type === "done") {
    if (message.result.ending !== "interrupted") pinned.push({ run: JSON.parse(message.run), data: message.data, name: pin, text, options });
    else if (waiting) owed.unshift(running);   // what was typed comes first
    showPins();
    draw();
    finished();
  } else if (message.type === "failed" || (message.type === "compiled" && !message.model)) {
    say(`the pinned run ${pin} of the link could not be run again`, true);
    finished();
  }
}

// What a browser does for the first time takes it twice as long. So the page does all of it once more before the reader's first key, where that is not noticed.
let touched = false, rehearsed = false;
for (const kind of ["keydown", "pointerdown", "input"]) addEventListener(kind, () => { touched = true; }, { capture: true, once: true });
function rehearseAfter({ milliseconds }) {
  if (rehearsed) return;
  rehearsed = true;
  if (milliseconds > 1000 || running) return;
  setTimeout(() => {
    // Its text is another one, for it is to be compiled, too.
    if (!touched && !running && last && !document.hidden) ask({ number: taking, rehearsal: true, file, text: lastText + "\n", options: last.options, shown: wanted });
  }, 50);
}
function hearOfRehearsal({ type, model }) {
  if (type !== "done" && type !== "failed" && !(type === "compiled" && !model)) return;
  if (!touched && !waiting) draw();
  finished();
  document.body.dataset.rehearsed = "true";
}

function compiled(message) {
  running.compiled = true;
  showProblems(message.diagnostics);
  document.body.classList.toggle("stale", !message.model);   // the curves are those of another text
  if (!message.model) {
    answer(null, "Not looked at: this text cannot be run.");
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
    if (!course.isOpen) $("until").value = "";
  }
  taken = false;
}

// A part of a run is no answer, as for `mosim check-submission`.
const unfinished = { failed: "Not answered: this run failed before its end.", interrupted: "Not answered: this run was stopped before its end." };
function answer(...given) {
  if (running && running.step && running.step === course.at) course.answered(...given);
}
/** What a run says. That the model ended it is no fault. */
const ofRun = result => d => result.ending === "terminated" && d.cause.startsWith("terminated: ")
  ? { ...d, ofRun: true, severity: "note", cause: `The model ended the run at ${numberText(result.time)} s: ${d.cause.slice(12)}` } : { ...d, ofRun: true, cause: d.severity === "warning" && Number.isFinite(d.time) ? `at ${numberText(d.time)} s: ${d.cause}` : d.cause };

function done(message) {
  const run = JSON.parse(message.run), data = message.data;
  last = { run, data, name: nameOf(running), text: running.text, options: running.options };
  lastText = running.text;
  showProblems([...said.filter(d => !d.ofRun), ...message.result.diagnostics.map(ofRun(message.result))]);
  $("report").textContent = [...printed, ...(printed.length ? [""] : []), message.report].join("\n");
  answer(message.answers, unfinished[message.result.ending] || (running.options.set ? "All of them hold with the sliders as they are. Now write these values into the text, which then count." : ""), message.result.ending in unfinished);
  makeSliders();   // first: they take room from the charts
  if (pinned.length) showPins();
  document.body.classList.remove("stale");
  draw();
  const counts = run.events || {}, events = Object.keys(counts).reduce((n, kind) => n + (kind === "initial" || kind === "terminal" ? 0 : counts[kind]), 0);   // those too that the log has no room for
  const ending = message.result.ending;
  say(`${ending === "stop time" ? "" : (ending === "terminated" ? "ended" : ending) + " \u00b7 "}${numberText(run.reached)} s \u00b7 ${events.toLocaleString("en")} event${events === 1 ? "" : "s"} \u00b7 ${message.milliseconds.toFixed(message.milliseconds < 10 ? 1 : 0)} ms`,
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
  const beside = pinned.map(p => ({ ...p, name: nameBeside(p) }));
  const shownWith = keep => show(run, data, { keep, pinned: beside, keys: [["Ctrl-Enter", "run at once"], ["Escape, then Tab", "leave the text"], ["F6", "to the next part of the page, with Shift back"]], onRow: at => { row = at; }, onSelect: (event, places) => editor.light(places.filter(p => p.file === file)) });
  shown = null;
  try {
    shown = shownWith(kept);
  } catch (_) {   // a link may say anything
    shown = shownWith(kept = null);
  }
  window.mosim = shown;
  if (shown.selected === null || shown.selected === undefined) editor.light([]);
  const counts = new Map();
  for (let line = 1; line <= editor.view.state.doc.lines; ++line) {
    const count = shown.eventsAt(file, line).length;
    if (count) counts.set(line, count);
  }
  if (editor.text === lastText) editor.count(counts, isCut());
}

function nameOf(job) {
  const set = Object.entries(job.options.set || {}).map(([name, value]) => `${name} = ${numberText(value)}`);
  for (const key of ["tolerance", "hysteresis"]) if (job.options[key] !== undefined) set.push(`${key} ${job.options[key]}`);
  return set.join(", ") || `run ${job.id}`;
}
/** What is other in a pinned run than in the one at hand says more than its number. */
function nameBeside(p) {
  if (!last || !/^run \d+$/.test(p.name)) return p.name;
  const values = ({ run, data }) => new Map(run.variables.filter(v => v.kind === "parameter" || v.kind === "state").map(v => v.kind === "parameter" ? [v.name, v.value] : [`${v.name}(start)`, v.column === undefined ? v.value : data[v.column + 1][0]]));
  const here = values(last), other = [...values(p)].filter(([name, value]) => here.has(name) && here.get(name) !== value && typeof value === "number");
  return other.length && other.length < 4 ? other.map(([name, value]) => `${name} = ${numberText(value)}`).join(", ") : p.name;
}
function showPins() {
  const holder = $("pins");
  holder.textContent = "";
  pinned.forEach((p, k) => {
    const b = make("button", "", `${nameBeside(p)} \u00d7`);
    b.type = "button";
    b.title = "Take these curves away";
    b.addEventListener("click", () => { pinned.splice(k, 1); showPins(); draw(); });
    holder.append(b);
  });
}

// ---- settings of a run -------------------------------------------------------------------------------------------------

const settings = new Map();     // parameters and start values that were moved
let textOfSettings = "";        // the text at hand when they were
/** What is written into the text counts more than a slider. */
function dropRewritten() {
  if (!settings.size || editor.text === textOfSettings) return;
  const isState = name => !!model && model.variables.some(v => v.name === name && v.kind === "state");
  for (const name of rewritten(textOfSettings, editor.text, [...settings.keys()], isState)) {
    settings.delete(name);
    if (sliders.has(name)) sliders.get(name).mark(false);
  }
  textOfSettings = editor.text;
}
const valueOf = id => $(id).value.trim() === "" || !$(id).validity.valid ? undefined : Number($(id).value);
function options() {
  const o = {};
  for (const [key, id] of [["stop", "until"], ["tolerance", "tolerance"], ["hysteresis", "hysteresis"]])
    if (Number.isFinite(valueOf(id))) o[key] = valueOf(id);
  if (settings.size) o.set = Object.fromEntries(settings);
  return o;
}
function runNow() {
  clearTimeout(timer);
  dropRewritten();
  const step = course.step;
  ask({ number: taking, anew: !model, file, text: editor.text, options: options(), shown: wanted, ...(step && step.checks.length ? { checks: step.checks, step: course.at } : {}) });
}

const ownValues = new Map();   // of the model, by name
const sliders = new Map();     // by name
function makeSliders() {
  const holder = $("sliders"), values = new Map();
  for (const v of last.run.variables) {
    if (v.kind === "parameter") values.set(v.name, v.value);
    else if (v.kind === "state") values.set(v.name, v.column === undefined ? v.value : last.data[v.column + 1][0]);
  }
  const all = model.variables.filter(v => v.changeable && !v.protected && (v.kind === "parameter" || v.kind === "state") && ["Real", "Integer", "Boolean"].includes(v.type) && values.has(v.name)), wanted = all.slice(0, 24);
  const key = JSON.stringify([model.name, wanted.map(v => v.name)]);
  for (const v of wanted) if (!settings.has(v.name)) ownValues.set(v.name, values.get(v.name));
  if (holder.dataset.key === key) {   // not under the hand that moves them
    for (const v of wanted) if (!settings.has(v.name)) sliders.get(v.name).show(values.get(v.name));
    return;
  }
  sliders.clear();
  holder.dataset.key = key;
  holder.textContent = "";
  for (const v of wanted) {
    const value = settings.get(v.name) ?? values.get(v.name);
    const slider = makeSlider(v, {
      value, own: ownValues.get(v.name) ?? value,
      onValue: x => {
        if (!settings.size) textOfSettings = editor.text;
        dropRewritten();
        settings.set(v.name, x);
        runNow();
      },
      onReset: () => { settings.delete(v.name); holder.dataset.key = ""; runNow(); },
    });
    slider.mark(settings.has(v.name));
    sliders.set(v.name, slider);
    holder.append(slider.element);
  }
  if (all.length > wanted.length) holder.append(make("span", "", `${wanted.length} of ${all.length}; the text has the others.`));
}

// ---- links, examples, files --------------------------------------------------------------------------------------------

async function squeezed(text, Stream, name) {
  const stream = new Blob([text]).stream().pipeThrough(new Stream(name));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
// What a page's state is made of is its own affair; sets and maps are in it, which JSON has not.
const packed = (_, x) => x instanceof Set ? { "set of": [...x] } : x instanceof Map ? { "map of": [...x] } : x;
const unpacked = (_, x) => x && Array.isArray(x["set of"]) ? new Set(x["set of"]) : x && Array.isArray(x["map of"]) ? new Map(x["map of"]) : x;
async function linkOf() {
  const beside = pinned.map(({ name, text, options }) => ({ name, ...(text === editor.text ? {} : { text }), ...options }));
  const lesson = course.isOpen && courses.find(c => c.file === course.file);   // a course of the page's own
  const state = { text: editor.text, ...options(), ...(wanted.length ? { shown: wanted } : {}), view: shown ? shown.state() : null, ...(beside.length ? { pinned: beside } : {}), ...(lesson ? { course: lesson.file, step: course.at } : {}) };
  const bytes = await squeezed(new TextEncoder().encode(JSON.stringify(state, packed)), CompressionStream, "deflate-raw");
  let text = "";
  for (let k = 0; k < bytes.length; k += 4096) text += String.fromCharCode(...bytes.subarray(k, k + 4096));
  return location.href.split("#")[0] + "#m=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
/** instead: what is shown where there is nothing to read. */
async function readLink(instead = "") {
  notice = null;
  const step = /^#course(?:=(\d+))?$/.exec(location.hash), example = /^#example=(.+)$/.exec(location.hash), found = /[#&]m=([\w-]+)/.exec(location.hash);
  if (step && courses.length) {
    if (course.isOpen && course.at && step[1]) course.go(Number(step[1]) - 1, false);
    else openCourse(courses[0], Number(step[1]) || 0);
    return true;
  }
  const unread = cause => { notice = { severity: "warning", cause, remedy: "ask for the whole of it again" + instead, notes: [] }; return false; };
  const k = example ? examples.findIndex(e => e.file === decodeURIComponent(example[1]) + ".mo") : -1;
  if (k >= 0) {
    openExample(k);
    return true;
  }
  if (!found) return location.hash.length > 1 && !given("course") ? unread("The address holds no model that this page knows: was it cut off?") : false;
  try {
    const bytes = Uint8Array.from(atob(found[1].replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await squeezed(bytes, DecompressionStream, "deflate-raw")), unpacked);
    if (typeof state.text !== "string") throw new Error();
    about(null);
    pinned.length = 0;
    showPins();
    const lesson = courses.find(c => c.file === state.course);
    if (lesson) {
      openCourse(lesson, Number(state.step) || 1, state);
      return true;
    }
    course.close();
    named("a text from a link");
    learnable();
    take(state);
    return true;
  } catch (_) {
    say("the link holds no model: was it cut off?", true);
    return unread("The link holds no model: was it cut off?");
  }
}
/** The menu's own words for a tolerance, which it may have to learn. */
function choiceOf(tolerance) {
  const all = [...$("tolerance").options].map(o => o.value), found = all.find(o => o !== "" && Number(o) === tolerance);
  if (found) return found;
  const option = make("option", "", tolerance.toExponential());
  $("tolerance").append(option);
  return option.value;
}
const finiteOf = values => Object.entries(values || {}).filter(([, value]) => Number.isFinite(value));
function take(state) {
  ++taking;
  settings.clear();
  ownValues.clear();
  owed.length = 0;
  model = null;
  kept = state.view || null;
  wanted = state.shown || [];
  if (shown) { shown.destroy(); shown = null; }
  editor.open(String(state.text));
  $("until").value = Number.isFinite(state.stop) ? state.stop : "";
  $("tolerance").value = Number.isFinite(state.tolerance) ? choiceOf(state.tolerance) : "";
  $("hysteresis").value = Number.isFinite(state.hysteresis) ? state.hysteresis : "";
  for (const [name, value] of finiteOf(state.set)) settings.set(name, value);
  for (const { name, text = state.text, set, ...rest } of state.pinned || [])
    owed.push({ number: taking, pin: String(name), file, text: String(text), options: { ...Object.fromEntries(finiteOf(rest)), ...(set ? { set: Object.fromEntries(finiteOf(set)) } : {}) }, shown: wanted });
  $("sliders").dataset.key = "";
  clearTimeout(timer);
  taken = true;
  textOfSettings = editor.text;
  runNow();
}

const exampleFiles = examples.map(e => [e.file, e.text]);
function fillExamples() {
  const select = $("examples"), none = make("option");
  none.id = "own-text";
  none.value = "";
  none.hidden = true;
  select.append(none);
  let group = null;
  const add = (label, value, name, title) => {
    if (!group || group.label !== label) {
      group = make("optgroup");
      group.label = label;
      select.append(group);
    }
    const option = make("option", "", name);
    option.value = value;
    if (title) option.title = title;
    group.append(option);
  };
  courses.forEach((c, k) => add("Courses", `course ${k}`, (/^# (.*)$/m.exec(c.text) || [])[1] || c.file));
  examples.forEach((e, k) => { if (e.model) add(e.chapter, String(k), e.name, e.description); });
  if (library) library.examples.forEach(({ name }, k) => add(library.name, `library ${k}`, name.split(".").pop(), name));
  // Keys go through the list, which a reader hears line by line; Enter opens.
  let by = "", before = select.value;
  select.setAttribute("aria-description", "Enter opens it");
  select.addEventListener("mousedown", () => { by = ""; });
  select.addEventListener("focus", () => { by = ""; before = select.value; });
  select.addEventListener("keydown", e => {
    if (e.key === "Enter" && by) e.preventDefault(), by = "", openChosen();
    else by = e.altKey || e.key === " " || e.key === "Enter" ? "" : e.key;
  });
  select.addEventListener("change", () => { if (!by) openChosen(); });
  select.addEventListener("blur", () => { if (by) select.value = before; });
  const openChosen = () => {
    if (!select.value) return;
    before = select.value;
    notice = null;
    const [kind, what] = select.value.split(" ");
    if (kind === "course") return openCourse(courses[Number(what)], 0);
    if (kind !== "library") return openExample(Number(kind));
    const { name, experiment } = library.examples[Number(what)], own = name.split(".").pop();
    leave("");
    about(null);
    take({ text: `model ${own}\n  extends ${name};\n${experiment ? `  annotation(experiment(${experiment}));\n` : ""}end ${own};\n` });
  };
}
/** What the list of examples says of a text that is none of them. */
function named(name) {
  $("own-text").textContent = name || "a text of your own";
  $("examples").value = "";
}
const learnable = () => {
  $("learn").hidden = !courses.length || course.isOpen;
  if (courses.length) $("learn").textContent = `${course.hasBegun(courses[0].file) ? "Continue" : "Start"} the course`;
};
$("learn").addEventListener("click", () => { notice = null; openCourse(courses[0], 0, null, true); });
function leave(fragment) {
  history.replaceState(null, "", location.pathname + location.search + fragment);
  course.close();
  learnable();
  pinned.length = 0;
  showPins();
}
function openExample(k, fragment = "#example=" + examples[k].file.slice(0, -3)) {
  const e = examples[k];
  leave(fragment);
  $("examples").value = String(k);
  about(e);
  take({ text: e.text });
}

/** What there is to say about an example, above its text. */
function about(e) {
  $("about").hidden = !e;
  if (!e) return;
  $("about-title").textContent = e.description || e.name;
  const body = $("about-body");
  body.textContent = "";
  body.scrollTop = 0;
  body.append(markdown(e.chapter + (e.package ? ": " + e.package : "")));
  if (e.remark) body.append(make("p", "", e.remark));
  // What the model itself says, in plain words.
  const info = /\bDocumentation\s*\(\s*info\s*=\s*"((?:[^"\\]|\\.)*)"/.exec(e.text);
  if (info) body.append(make("p", "", info[1].replace(/\s+/g, " ")));
  for (const k of e.sections) {
    const section = make("section");
    section.append(make("h3", "", sections[k].title), markdown(sections[k].text, 2));
    body.append(section);
  }
}

// ---- courses -----------------------------------------------------------------------------------------------------------

let wantedCourse = null;
/** state: what is shown instead of the step's own text. */
function openCourse(c, step, state = null, focus = false) {
  wantedCourse = { file: c.file, text: c.text, step, state, focus };
  if (ready) worker.postMessage({ type: "course", ...wantedCourse });
}
function courseRead(message) {
  const { step, state, focus } = wantedCourse;
  wantedCourse = null;
  if (!message.course.steps.length) return say(message.course.diagnostics.length ? message.course.diagnostics[0].cause : "the course has no steps", true);
  pinned.length = 0;
  showPins();
  about(null);
  const k = courses.findIndex(c => c.file === message.file);
  $("examples").value = `course ${k}`;
  course.open({ file: message.file, ...message.course }, step, focus);
  if (state) {
    course.guest();
    take(state);
  }
  learnable();
}
const course = makeCourse($("lesson"), {
  onStep: (state, number) => {
    history.replaceState(null, "", `${location.pathname}${location.search}#course=${number}`);
    course.answered(null);
    take(state);
  },
  onText: text => {
    settings.clear();
    $("sliders").dataset.key = "";
    editor.text = text;
    runNow();
  },
  onClose: () => { named(""); history.replaceState(null, "", location.pathname + location.search); learnable(); $("learn").focus(); runNow(); },
});

function offer(name, type, text) {
  const a = make("a");
  a.href = URL.createObjectURL(new Blob([text], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}
function page() {
  const content = x => JSON.stringify(x).replaceAll("<", "\\u003c");
  const [library, script] = ["library", "show"].map(part => document.querySelector(`script[data-part=${part}]`).textContent), style = document.querySelector("style[data-part=page]").textContent;   // the editor adds some of its own
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
  const folders = [], single = [];
  for (const item of [...e.dataTransfer.items].map(i => i.webkitGetAsEntry && i.webkitGetAsEntry()).filter(Boolean)) {
    const files = await filesIn(item);
    if (!files.length) say(`${item.name} holds no Modelica (.mo)`, true);
    else if (item.isFile) single.push(files[0]);
    else folders.push([item.name, files]);
  }
  bring(folders, single);
});
/** Folders are libraries. A file alone is a text; of several, and beside a folder, it is for the others. */
function bring(folders, single) {
  if (!folders.length && !single.length) return say("that is no Modelica (.mo)", true);
  const text = folders.length ? null : single.pop();
  for (const [name, files] of [...folders, ...single.map(f => [f[0], [f]])]) {
    libraries.push(files);
    worker.postMessage({ type: "library", files });
    $("tip").append(` ${name}, ${files.length} file${files.length === 1 ? "" : "s"}, can be used.`);
  }
  if (!text) return runNow();
  notice = null;
  leave("");
  about(null);
  named("");
  take({ text: text[1] });
}
const textsOf = list => Promise.all([...list].filter(f => f.name.endsWith(".mo")).map(async f => [(f.webkitRelativePath || f.name).split("/").map((part, k, all) => k < all.length - 1 ? part.replace(/ .*$/, "") : part).join("/"), await f.text()]));
$("open-file").addEventListener("change", async e => { bring([], await textsOf(e.target.files)); e.target.value = ""; $("save").open = false; });
$("open-folder").addEventListener("change", async e => {
  const files = await textsOf(e.target.files);
  if (files.length) bring([[files[0][0].split("/")[0], files]], []);
  else say("that folder holds no Modelica (.mo)", true);
  e.target.value = "";
  $("save").open = false;
});

// ---- all of it ---------------------------------------------------------------------------------------------------------

let timer = 0;
const editor = makeEditor($("editor"), {
  onChange: text => {
    course.edited(text);
    // The link of before is no longer what is here.
    if (course.isOpen && location.hash.startsWith("#m=")) history.replaceState(null, "", `${location.pathname}${location.search}#course=${course.at}`);
    if (!course.isOpen && $("examples").value) named(`${$("examples").selectedOptions[0].textContent}, changed`);
    clearTimeout(timer);
    timer = setTimeout(runNow, delay);
  },
  onRun: runNow,
  onLine: line => {
    if (!shown) return;
    const list = shown.eventsAt(file, line);
    if (list.length) shown.select(list.find(n => n > (shown.selected ?? -1)) ?? list[0]);
  },
  about: (names, line, column) => {
    if (!shown) return null;
    const at = row ?? last.data[0].length - 1, list = [];
    for (const name of at < 0 ? [] : names) {
      const value = shown.readout(name, at);
      if (value === null) continue;
      list.push(`${name} = ${value}   at ${numberText(shown.timeOf(at))} s`);
      break;
    }
    const places = editor.text === lastText;   // they are those of the text that was run
    for (const r of places && last.run.log.relations || []) if (r.file === file && r.line === line && r.column <= column && column < r.end_column) list.push(crossingsOf(r));
    const count = places && shown.eventsAt(file, line).length;
    if (!list.length && names.length && count) list.push(`${count} event${count === 1 ? "" : "s"} on this line`);
    return list.join("\n") || null;
  },
});
const isCut = () => Object.values(last.run.events || {}).reduce((a, b) => a + b, 0) > (last.run.log.events || []).length;
/** When a relation changed its value. */
function crossingsOf(r) {
  const events = last.run.log.events || [], times = events.filter(e => (e.crossed || []).some(c => c.relation === r.number)).map(e => numberText(e.time)), n = times.length;
  return n ? `${r.text}: crossed ${isCut() ? "at least " : ""}${n === 1 ? "once" : `${n} times`}, at ${times.slice(0, 6).join(", ")}${n > 6 ? " \u2026" : ""} s` : `${r.text}: never crossed`;
}
$("run").addEventListener("click", runNow);
$("halt").addEventListener("click", stop);
for (const id of ["until", "tolerance", "hysteresis"]) $(id).addEventListener("change", () => {
  if ($(id).validity.valid) return runNow();
  say(`the ${id === "until" ? "stop time" : id} must be a number that is not negative`, true);
});
$("pin").addEventListener("click", () => { if (last) { pinned.push(last); showPins(); draw(); } });
$("link").addEventListener("click", async () => {
  const link = await linkOf();
  history.replaceState(null, "", link);
  try { await navigator.clipboard.writeText(link); say("the link is in the address bar and the clipboard"); } catch (_) { say("the link is in the address bar"); }
});
$("save-csv").addEventListener("click", () => shown && offer(model.name + "_res.csv", "text/csv", shown.csv(true)));
$("save-page").addEventListener("click", () => last && offer(model.name + ".html", "text/html", page()));
$("save-model").addEventListener("click", () => offer((model ? model.name.split(".").pop() : "model") + ".mo", "text/plain", editor.text));
$("more").addEventListener("click", () => {
  const open = document.body.classList.toggle("more");
  $("more").setAttribute("aria-expanded", String(open));
});
const tabs = [["tab-events", "events"], ["tab-report", "report"]];
function openTab(wanted, focus) {
  for (const [tab, pane] of tabs) {
    $(tab).setAttribute("aria-selected", String(tab === wanted));
    $(tab).tabIndex = tab === wanted ? 0 : -1;
    $(pane).hidden = tab !== wanted;
  }
  if (focus) $(wanted).focus();
}
tabs.forEach(([tab], k) => {
  $(tab).addEventListener("click", () => openTab(tab));
  $(tab).addEventListener("keydown", e => { if (e.key === "ArrowLeft" || e.key === "ArrowRight") openTab(tabs[1 - k][0], true); });
});
openTab("tab-events");
// A menu closes by what one expects to close it.
addEventListener("keydown", e => {
  if (e.key !== "Escape") return;
  for (const menu of document.querySelectorAll("#save[open], #menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
// F6 goes from one part of the page to the next: from the text to its events are twenty tabs.
const parts = [["top", "#examples"], ["lesson", ".lesson-body"], ["model-pane", ".cm-content"], ["plots", "#menu-title"], ["log", '#events:not([hidden]) .row[tabindex="0"], :scope > :not([hidden])[tabindex]']];
addEventListener("keydown", e => {
  if (e.key !== "F6" || e.ctrlKey || e.altKey || e.metaKey) return;
  e.preventDefault();
  const open = parts.filter(([id]) => !$(id).hidden), step = e.shiftKey ? -1 : 1;
  const at = open.findIndex(([id]) => $(id).contains(document.activeElement));
  const [id, target] = open[at < 0 ? (step > 0 ? 0 : open.length - 1) : (at + step + open.length) % open.length];
  target.split(", ").map(t => $(id).querySelector(t)).find(Boolean).focus();
});
addEventListener("click", e => { if (!$("save").contains(e.target) || e.target.tagName === "BUTTON") $("save").open = false; });
addEventListener("hashchange", async () => { if (!await readLink() && notice) showProblems(said); });
fillExamples();
startWorker();
readLink("; this is another model").then(found => {
  if (found) return;
  if (given("course")) return openCourse(courses[0], 0);
  const first = examples.findIndex(e => e.name === "BouncingBall");
  if (first >= 0) openExample(first, "");
});
window.playground = { editor, course, pinned, get last() { return last; }, get running() { return running; }, get memory() { return memory; }, get restarts() { return restarts; }, runNow, stop, linkOf, openCourse, settings };
