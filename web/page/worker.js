// The engine's worker. It compiles and runs what it is sent, in slices, so that it hears of a stop between two of them.
"use strict";

let engine = null, model = null, modelOf = null, told = null, job = 0;
const library = new Map();      // what the page sent: paths to texts
let bundle = null;              // the standard library: where it is, then what is in it
let wide = false;               // the text at hand needs it
let loading = false;            // nobody hears of a stop then
const missed = new Set();       // names of it that were asked for, and not there
const slice = 12;   // ms

const channel = new MessageChannel();
let resume = null;
channel.port1.onmessage = () => resume();
const pause = () => new Promise(resolve => { resume = resolve; channel.port2.postMessage(0); });

/** The text that has a class: its own file, or that of the package that it is (MLS 13.4). */
function source(name) {
  const path = name.replaceAll(".", "/");
  for (const file of [path + "/package.mo", path + ".mo"]) {
    const text = library.get(file) ?? (wide ? bundle.get(file) : undefined);
    if (text !== undefined) return { file, text };
  }
  if (/^(Modelica|ModelicaServices|Complex)\b/.test(name)) missed.add(name);
  return null;
}

const isMissing = d => d.severity === "error" && [...missed].some(name => name.includes(".") && d.text.includes(name));
const needed = diagnostics => diagnostics.some(isMissing);

/** What web/library.mjs made. */
async function readBundle() {
  if (typeof bundle !== "string") return;
  const answer = await fetch(bundle);
  if (!answer.ok) throw new Error(`the standard library could not be loaded (${answer.status})`);
  const parts = (await new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).text()).split("\0");
  bundle = new Map();
  for (let k = 0; k + 1 < parts.length; k += 2) bundle.set(parts[k], parts[k + 1]);
}

function freeModel() {
  if (model) model.delete();
  model = modelOf = null;
}

async function load(message) {
  engine = await mosim(message.wasm ? { wasmBinary: message.wasm } : {});
  bundle = message.bundle || null;
  postMessage({ type: "ready", version: engine.version() });
}

async function run(message) {
  const mine = ++job, { id, file, text, name, settings = [], options, measures, checks, shown = [], most = 400000 } = message;
  const key = JSON.stringify([file, text, name, settings]);
  const set = { ...options.set };
  let session = null, motion = null, result = null;
  const began = performance.now();
  try {
    if (key !== modelOf) {
      freeModel();
      wide = wide && /\b(Modelica|Complex)\b/.test(text);
      const compile = async list => {
        for (;;) {
          freeModel();
          if (session) session.delete();
          session = new engine.Session(source, null);
          missed.clear();
          const names = session.readText(file, text), said = session.diagnostics();
          // The last class, as the command has it.
          const wanted = names.includes(name) ? name : names[names.length - 1], notes = [];
          model = wanted ? session.compile(wanted, list) : null;
          // Of a package its first model.
          const first = model ? null : session.diagnostics().map(d => /for example --model ([^\s;]+)/.exec(d.remedy)).find(Boolean);
          if (first && (model = session.compile(first[1], list))) notes.push({ severity: "note", cause: `${wanted} is no model: this is ${first[1]}`, remedy: "", notes: [], file: "", line: 0, text: first[1] });
          // What could not be read says so itself.
          const damaged = said.some(d => d.severity === "error");
          const diagnostics = [...said, ...session.diagnostics().filter(d => d.line || !damaged), ...notes].filter((d, k, all) => all.findIndex(x => x.text === d.text) === k);
          if (!model && !wide && needed(diagnostics)) {
            if (bundle) {
              postMessage({ type: "loading", id });
              loading = true;
              try { await readBundle(); } finally { loading = false; }
              if (mine <= stopped) throw new Error("stopped");
              wide = true;
              continue;
            }
            for (const d of diagnostics) if (isMissing(d)) d.remedy = "this playground is without the Modelica Standard Library: drop its folder on the page, or have it added with web/library.sh";
          }
          told = { type: "compiled", id, diagnostics, names, model: model && model.data(), milliseconds: performance.now() - began, memory: engine.HEAPU8.length };
          postMessage(told);
          return model !== null;
        }
      };
      if (!await compile(settings)) return;
      modelOf = key;
      // What the model was compiled for, as a size, is compiled in.
      const known = new Map(model.data().variables.map(v => [v.name, v]));
      for (const n of Object.keys(set)) if (!known.has(n)) delete set[n];
      const refused = Object.keys(set).filter(n => model.refusal(n, set[n]) !== "");
      if (refused.length) {
        const text = n => known.get(n).type === "Boolean" ? (set[n] ? "true" : "false") : String(set[n]);
        if (!await compile([...settings, ...refused.map(n => `${n} = ${text(n)}`)])) return;
        modelOf = null;
        for (const n of refused) delete set[n];
      }
    } else {
      for (const n of Object.keys(set))
        if (model.refusal(n, set[n]) !== "") { freeModel(); return run(message); }
      if (message.anew) postMessage({ ...told, id });   // the page has another model in mind
    }
    const start = performance.now();
    motion = model.start({ ...options, set, print: line => postMessage({ type: "print", id, text: line }) });
    while (motion.goOn(slice)) {
      postMessage({ type: "progress", id, time: motion.time(), stop: motion.stop() });
      await pause();
      if (mine <= stopped) break;
    }
    result = motion.finish();
    const run = performance.now() - start;
    let content = null, problem = null, found = null;
    try {
      content = result.pageContent(shown, most);
    } catch (_) {
      content = result.pageContent([], most);   // a variable that is gone
    }
    try {
      if (measures) found = result.measure(measures);
    } catch (e) {
      problem = e.message;
    }
    postMessage({ type: "done", id, ...content, result: result.data(), report: result.report(), measures: found, measureProblem: problem, answers: checks && result.check(checks), milliseconds: run, memory: engine.HEAPU8.length }, content.data.map(column => column.buffer));   // moved, not copied
  } catch (e) {
    freeModel();
    postMessage({ type: "failed", id, message: e.message || String(e), memory: engine.HEAPU8.length });
  } finally {
    for (const o of [result, motion, session]) if (o) o.delete();
  }
}

let stopped = 0;
onmessage = e => {
  const message = e.data;
  if (message.type === "load") load(message);
  else if (message.type === "run") run(message);
  else if (message.type === "course") postMessage({ type: "course", file: message.file, course: engine.course(message.file, message.text) });
  else if (message.type === "stop") {
    stopped = job;   // whether it still runs or not: there may be several of these for one run
    if (!loading) postMessage({ type: "stopping" });
  }
  else if (message.type === "library") {
    for (const [path, text] of message.files) library.set(path, text);
    freeModel();
  }
};
