// The engine as WebAssembly beside the command: every model of models/, row by row, and what a host of it relies on.
//   node --no-experimental-fetch engine.mjs FOLDER-OF-THE-ENGINE MOSIM ROOT
// With MSL=FOLDER in the environment, of the Modelica Standard Library, some of its examples too.
import { execFileSync, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { stripped } from "../library.mjs";

const [folder, command, root] = process.argv.slice(2).map(x => resolve(x));
const mosim = createRequire(import.meta.url)(join(folder, "mosim.js"));
const engine = await mosim({ wasmBinary: readFileSync(join(folder, "mosim.wasm")) });
const desk = mkdtempSync(join(tmpdir(), "mosim-web-"));
let passed = 0, failed = 0;
const check = (good, what) => { if (good) ++passed; else { ++failed; console.log("FAILED: " + what); } };

const files = folder => readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1)
  .flatMap(e => e.isDirectory() ? files(join(folder, e.name)) : e.name.endsWith(".mo") ? [join(folder, e.name)] : []);
const models = join(root, "models"), texts = new Map(files(models).map(f => [relative(models, f), readFileSync(f, "utf8")]));
const source = name => {
  for (const file of [name.replaceAll(".", "/") + "/package.mo", name.replaceAll(".", "/") + ".mo"])
    if (texts.has(file)) return { file, text: texts.get(file) };
  return null;
};
const finish = run => { while (run.goOn(1000)); const r = run.finish(); run.delete(); return r; };

// ---- the same bytes as the command's: rows, and the log of events
const cells = line => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(m => m[1] !== undefined ? m[1].replaceAll('""', '"') : m[2]);
let same = 0;
for (const [file, text] of texts) {
  if (file.startsWith("Modelica/") || file.endsWith("package.mo")) continue;
  const session = new engine.Session(source, null);
  const names = session.readText(file, text), model = session.compile(names[names.length - 1], []);
  const csv = join(desk, "r.csv"), json = join(desk, "r.json");
  const native = spawnSync(command, [join(models, file), "-o", csv, "--events", json], { cwd: desk, encoding: "utf8" });
  if (!model) {
    check(native.status !== 0, `${file}: ${session.diagnostics().map(d => d.text).join("")}`);
    session.delete();
    continue;
  }
  const result = finish(model.start({})), data = result.data();
  const [header, ...lines] = readFileSync(csv, "utf8").trimEnd().split("\n").map(cells);
  let differing = data.rowCount === lines.length ? "" : `${data.rowCount} rows, the command has ${lines.length}`;
  for (const [k, name] of header.entries()) {
    if (differing) break;
    const values = result.column(name), r = lines.findIndex((line, i) => !Object.is(Number(line[k]), values[i]) && !(line[k] === "NaN" && Number.isNaN(values[i])));
    if (r >= 0) differing = `${name} is ${values[r]} in row ${r}, ${lines[r][k]} by the command`;
  }
  // Files have other names there; the page has no use for what is armed again.
  const told = log => JSON.stringify({ ...log, rearmed: null }, (key, value) => key === "file" || value === null ? undefined : value);
  const content = result.pageContent([], 1e6);
  if (!differing && told(JSON.parse(content.run).log) !== told(JSON.parse(readFileSync(json, "utf8")))) differing = "the log of events is another one";
  check(!differing, `${file}: ${differing}`);
  if (!differing) ++same;
  for (const o of [result, model, session]) o.delete();
}
console.log(`${same} models have the command's rows and events, bit by bit`);

// ---- diagnostics are data
{
  const session = new engine.Session(null, null);
  session.readText("m.mo", "model M\n  Real x = y;\nend M;\n");
  check(session.compile("M", []) === null, "an unknown name compiles");
  const [d] = session.diagnostics();
  check(d.severity === "error" && d.file === "m.mo" && d.line === 2 && d.column === 12, "the place of an unknown name: " + JSON.stringify(d));
  session.delete();
}
// ---- a run in slices, stopped in the middle, keeps its rows
{
  const session = new engine.Session(null, null);
  session.readText("m.mo", "model M Real x(start = 0, fixed = true); equation der(x) = cos(1000*time); end M;");
  const model = session.compile("M", []), run = model.start({ stop: 1000 });
  check(run.goOn(20), "a long run ends within 20 ms");
  const result = run.finish(), data = result.data();
  check(data.ending === "interrupted" && result.rows().length === data.rowCount * data.names.length && data.time < 1000, "a run that is stopped: " + JSON.stringify(data));
  for (const o of [result, run, model, session]) o.delete();
}
// ---- parameters without compiling, measures, errors of a call
{
  const session = new engine.Session(null, null);
  session.readText("m.mo", "model M parameter Real a = 1; Real x(start = 1, fixed = true); equation der(x) = -a*x; end M;");
  const model = session.compile("M", []), result = finish(model.start({ stop: 1, tolerance: 1e-9, set: { a: 2 } }));
  check(Math.abs(result.measure("last(x)")["last(x)"] - Math.exp(-2)) < 1e-8, "exp(-2)");
  let what = "";
  try { model.start({ set: { b: 1 } }); } catch (e) { what = e.message; }
  check(what.includes("b"), "an unknown parameter: " + what);
  const content = result.pageContent([], 1e6), run = JSON.parse(content.run), rows = content.data;
  check(run.variables.some(v => v.name === "x") && rows[0].length === run.rows, "what the page has");
  for (const o of [result, model, session]) o.delete();
}
// ---- what a browser has not says so
{
  const session = new engine.Session(null, null);
  session.readText("m.mo", 'model M function f input Real x; output Real y; external "C" y = own(x) annotation(Include = "double own(double x) { return x; }"); end f; Real y = f(time); end M;');
  const model = session.compile("M", []);
  const text = model ? finish(model.start({})).data().diagnostics.map(d => d.text).join("") : session.diagnostics().map(d => d.text).join("");
  check(text.length > 0, "C of the model's own says nothing");
  session.delete();
}
// ---- the course: its questions can be answered, and are not from the start
{
  const course = engine.course("course.md", readFileSync(join(root, "docs/course.md"), "utf8"));
  check(course.diagnostics.length === 0 && course.steps.length === 10, "the course: " + JSON.stringify(course.diagnostics));
  const answers = (step, text) => {
    const session = new engine.Session(null, null), names = session.readText("m.mo", text), model = session.compile(names[names.length - 1], []);
    const options = {};
    for (const key of ["stop", "tolerance", "hysteresis"]) if (step[key] !== null) options[key] = step[key];
    const result = finish(model.start(options)), found = result.check(step.checks);
    for (const o of [result, model, session]) o.delete();
    return found;
  };
  for (const step of course.steps.filter(s => s.checks.length)) {
    check(answers(step, step.model).some(a => !a.holds), `"${step.title}" is answered from the start`);
    check(answers(step, step.model.replace(/StopTime = [\d.]+/, "StopTime = 1.9")).some(a => !a.holds), `"${step.title}" is answered by another end of the run`);
    for (const a of answers(step, step.solution)) check(a.holds, `"${step.title}": ${a.condition}: ${a.problem || a.found}`);
  }
  const [bad] = answers({ checks: [{ condition: "max(nobody) > 1", words: "" }], stop: 1, tolerance: null, hysteresis: null }, "model M Real x = time; end M;");
  check(!bad.holds && bad.problem.includes("nobody"), "a condition on nobody: " + JSON.stringify(bad));
}
// ---- conditions in words
{
  const { spoken, told } = await import("data:text/javascript," + encodeURIComponent(readFileSync(join(root, "web/page/spoken.js"), "utf8")));
  const says = (condition, wanted) => check(spoken(condition) === wanted, `${condition}: ${JSON.stringify(spoken(condition))} instead of ${JSON.stringify(wanted)}`);
  says("count(h < 0) == 3 and always(h > -0.01)", "the number of times that h becomes less than 0 is 3 and at all times h is greater than minus 0.01");
  says("abs(reached(h < 0) - 1) < 1e-3", "the first time at which h is less than 0 differs from 1 by less than 0.001");
  says("(max(h) - min(h))/h0 >= 2", "(the largest value of h minus the smallest value of h) divided by h0 is at least 2");
  says("not ever(heat) or last(time) < 2.9", "at no time heat is true, or the time at the end of the run is less than 2.9");
  says("at(body.r[2], 1.5) <> 2", "body.r[2] at 1.5 s is not 2");
  says("valve == Valve.open", "valve is Valve.open");
  for (const none of ["max(h)", "count(h < 0", "a < b < c", "min({x}) > 0", "h < 0 )", ""]) says(none, "");
  check(told("at(h, 0.4) is 298.15, ever(h < 0) is 1, max(h) is 12") === "h at 0.4 s is 298.15, at some time h is less than 0: yes, the largest value of h is 12", told("at(h, 0.4) is 298.15, ever(h < 0) is 1, max(h) is 12"));
  for (const [, block] of readFileSync(join(root, "docs/course.md"), "utf8").matchAll(/```check\n([^]*?)```/g))
    for (const line of block.trim().split("\n")) check(spoken(line.split("//")[0]) !== "", `the course's ${line} has no words`);
}
// ---- what the library leaves out
{
  const kept = (text, wanted) => {
    const found = stripped(text);
    check(found === wanted, `stripped: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
    check(found.split("\n").length === text.split("\n").length, "a line is lost: " + JSON.stringify(text));
  };
  kept('model M "d"\n  Real y;\n  Real x "a // b" annotation(Dialog(group="g"));  // remark\nend M;', 'model M "d"\n  Real y;\n  Real x "a // b";\nend M;');
  kept('model M\n  annotation(Icon(graphics={Text(textString="\\")"),\n    Line()}), experiment(StopTime=3,\n  Tolerance=1e-8));\nend M;', 'model M\n  annotation(\nexperiment(StopTime=3,\n  Tolerance=1e-8));\nend M;');
  kept('function f\n  /* two\n  lines */ input Real x;\nalgorithm\n  annotation(Documentation(info="<html>\n</html>"));\nend f;', 'function f\n\n input Real x;\nalgorithm\n\n\nend f;');
  kept('model M annotation(Icon());\n  A a if is_there annotation(Placement());\nequation\n  connect(a, b) annotation(Line());\n  annotation(Diagram(),\n  Icon());\nend M;',
    'model M annotation();\n  A a if is_there;\nequation\n  connect(a, b);\n\n\nend M;');
  kept("package P\n  model A = B annotation(Documentation());\n  constant Real 'a // b' = 1e-3;\nend P;", "package P\n  model A = B;\n  constant Real 'a // b' = 1e-3;\nend P;");
}
if (process.env.MSL) {
  const msl = resolve(process.env.MSL), all = new Map(["Modelica", "ModelicaServices", "Complex.mo"].flatMap(part => part.endsWith(".mo") ? [join(msl, part)] : files(join(msl, part)))
    .map(f => [relative(msl, f), stripped(readFileSync(f, "utf8"))]));
  const find = name => {
    for (const file of [name.replaceAll(".", "/") + "/package.mo", name.replaceAll(".", "/") + ".mo"]) if (all.has(file)) return { file, text: all.get(file) };
    return null;
  };
  for (const name of ["Blocks.Examples.PID_Controller", "Mechanics.MultiBody.Examples.Elementary.DoublePendulum", "Mechanics.Rotational.Examples.CoupledClutches", "Electrical.Analog.Examples.Rectifier", "Thermal.HeatTransfer.Examples.TwoMasses"]) {
    const session = new engine.Session(find, null), began = performance.now();
    const model = session.compile("Modelica." + name, []);
    check(model !== null, `${name}: ${session.diagnostics().map(d => d.text).join("").slice(0, 400)}`);
    if (!model) continue;
    const compiled = performance.now(), result = finish(model.start({})), csv = join(desk, "l.csv");
    console.log(`${name}: compiled in ${(compiled - began).toFixed(0)} ms, run in ${(performance.now() - compiled).toFixed(0)} ms`);
    execFileSync(command, ["-L", msl, "-m", "Modelica." + name, "-o", csv], { stdio: "ignore" });
    const [header, ...lines] = readFileSync(csv, "utf8").trimEnd().split("\n").map(cells);
    check(lines.length === result.data().rowCount, `${name}: ${result.data().rowCount} rows instead of ${lines.length}`);
    let differing = "";
    for (const [k, variable] of header.entries()) {
      const values = result.column(variable), r = lines.findIndex((line, i) => !Object.is(Number(line[k]), values[i]) && !(line[k] === "NaN" && Number.isNaN(values[i])));
      if (r >= 0 && !differing) differing = `${variable} is ${values[r]} in row ${r}, ${lines[r][k]} by the command with the whole library`;
    }
    check(!differing, `${name}: ${differing}`);
    for (const o of [result, model, session]) o.delete();
  }
}
// ---- nothing is left behind
{
  const text = texts.get("DiscreteBehavior/BouncingBall/BouncingBall.mo"), once = () => {
    const session = new engine.Session(null, null), names = session.readText("m.mo", text), model = session.compile(names[0], []), result = finish(model.start({}));
    for (const o of [result, model, session]) o.delete();
  };
  for (let k = 0; k < 20; ++k) once();
  const before = engine.HEAPU8.length;
  for (let k = 0; k < 500; ++k) once();
  check(engine.HEAPU8.length === before, `500 sessions take ${engine.HEAPU8.length - before} bytes more`);
}
// ---- what a change of a text gives a value to
{
  const code = readFileSync(join(root, "web", "page", "rewritten.js"), "utf8");
  const { rewritten } = await import("data:text/javascript," + encodeURIComponent(code));
  const text = ["model M", '  parameter Real k = 1 "k = 1", kk = 2;', "  parameter Real", "    long =", "      3;", "  Real x(start = 1, fixed = true), h[2](each fixed = true, start = {1, 2});", "  A a(k = 4);", "equation",
    "  der(x) = -k*x;", "  when x < k then", "  end when;", "end M;"].join("\n");
  const names = ["k", "kk", "long", "x", "h[1]", "a.k"], change = (from, to) => rewritten(text, text.replace(from, to), names, n => n === "x" || n === "h[1]").join();
  for (const [from, to, gives] of [
    ["Real k = 1 ", "Real k = 5 ", "k,kk,a.k"],              // they stand in one line, and the last part of a name is what is written
    ["      3;", "      4;", "long"],                        // on a line of its own
    ["x(start = 1,", "x(start = 5,", "x,h[1]"],
    ["fixed = true), h", "fixed = true, min = 0), h", "x,h[1]"],
    ["(k = 4)", "(k = 5)", "k,a.k"],
    ["-k*x", "-2*k*x", ""], ["x < k", "k == x", ""], ["x < k", "x >= k", ""], ["end when;", "end when; // k = 7", ""], ["A a", "A a \"k = 3\"", "k,a.k"], ["model M", 'model M "x(start = 2)"', ""],
  ]) check(change(from, to) === gives, `${from} -> ${to}: ${change(from, to)}, not ${gives}`);
  check(rewritten(text, text, names, () => false).length === 0, "nothing was changed");
}

rmSync(desk, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
