// The engine's worker. It compiles and runs what it is sent, in slices, so that it hears of a stop between two of them.
"use strict";

let engine = null, model = null, modelOf = null, job = 0, library = new Map();
const slice = 12;   // ms

const channel = new MessageChannel();
let resume = null;
channel.port1.onmessage = () => resume();
const pause = () => new Promise(resolve => { resume = resolve; channel.port2.postMessage(0); });

/** The text that has a class: its own file, or that of the package that it is (MLS 13.4). */
function source(name) {
  const path = name.replaceAll(".", "/");
  for (const file of [path + "/package.mo", path + ".mo"]) {
    const text = library.get(file);
    if (text !== undefined) return { file, text };
  }
  return null;
}

function freeModel() {
  if (model) model.delete();
  model = modelOf = null;
}

async function load(message) {
  engine = await mosim(message.wasm ? { wasmBinary: message.wasm } : {});
  postMessage({ type: "ready", version: engine.version() });
}

async function run(message) {
  const mine = ++job, { id, file, text, name, settings = [], options, measures, shown = [], most = 400000 } = message;
  const key = JSON.stringify([file, text, name, settings]);
  const set = { ...options.set };
  let session = null, motion = null, result = null;
  const began = performance.now();
  try {
    if (key !== modelOf) {
      freeModel();
      session = new engine.Session(source, null);
      const names = session.readText(file, text);
      const said = session.diagnostics();
      // The last class, as the command has it.
      const wanted = names.includes(name) ? name : names[names.length - 1];
      const compile = list => {
        freeModel();
        model = wanted ? session.compile(wanted, list) : null;
        const diagnostics = [...said, ...session.diagnostics()].filter((d, k, all) => all.findIndex(x => x.text === d.text) === k);
        postMessage({ type: "compiled", id, diagnostics, names, model: model && model.data(), milliseconds: performance.now() - began });
        return model !== null;
      };
      if (!compile(settings)) return;
      modelOf = key;
      // What the model was compiled for, as a size, is compiled in.
      const known = new Map(model.data().variables.map(v => [v.name, v]));
      for (const n of Object.keys(set)) if (!known.has(n)) delete set[n];
      const refused = Object.keys(set).filter(n => model.refusal(n, set[n]) !== "");
      if (refused.length) {
        const text = n => known.get(n).type === "Boolean" ? (set[n] ? "true" : "false") : String(set[n]);
        if (!compile([...settings, ...refused.map(n => `${n} = ${text(n)}`)])) return;
        modelOf = null;
        for (const n of refused) delete set[n];
      }
    } else {
      for (const n of Object.keys(set))
        if (model.refusal(n, set[n]) !== "") { freeModel(); return run(message); }
    }
    const start = performance.now();
    motion = model.start({ ...options, set, print: line => postMessage({ type: "print", id, text: line }) });
    while (motion.goOn(slice)) {
      postMessage({ type: "progress", id, time: motion.time(), stop: motion.stop() });
      await pause();
      if (mine !== job) {
        if (stopped !== mine) return;       // another run is asked for
        break;
      }
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
    postMessage({ type: "done", id, ...content, result: result.data(), report: result.report(), measures: found, measureProblem: problem, milliseconds: run });
  } catch (e) {
    freeModel();
    postMessage({ type: "failed", id, message: e.message || String(e) });
  } finally {
    for (const o of [result, motion, session]) if (o) o.delete();
  }
}

let stopped = 0;
onmessage = e => {
  const message = e.data;
  if (message.type === "load") load(message);
  else if (message.type === "run") run(message);
  else if (message.type === "stop") {
    stopped = job;
    ++job;
    postMessage({ type: "stopping" });
  }
  else if (message.type === "library") {
    for (const [path, text] of message.files) library.set(path, text);
    freeModel();
  }
};
