// The standard library as one file for the playground, from a folder of it:
//   node library.mjs FOLDER [FOLDER-OF-THE-SITE] [--texts FOLDER]     (the last: where the texts go one by one as well)
// Documentation, graphics and comments are left out; every line stays the line that it was.
import { mkdirSync, readFileSync, readdirSync, writeFileSync, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));

// What only a tool with windows has a use for.
const unused = new Set(`Documentation Icon Diagram Placement Line Text Rectangle Ellipse Polygon Bitmap Dialog Coordsys IconMap DiagramMap defaultComponentName defaultComponentPrefixes
  defaultConnectionStructurallyInconsistent preferredView DocumentationClass choices choicesAllMatching absoluteValue conversion versionDate versionBuild dateModified revisionId obsolete
  Figures Authorization Protection TestCase`.split(/\s+/));
const isUnused = name => unused.has(name) || name.startsWith("__");

const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|[A-Za-z_]\w*|\d[\w.]*(?:(?<=[eE])[+-]\d+)?|\s+|[\s\S]/g;
const isComment = t => t.startsWith("//") || t.startsWith("/*");
const lines = text => "\n".repeat(text.split("\n").length - 1);

const classes = new Set("model block package record connector type function class operator".split(" ")), sections = new Set("equation algorithm public protected".split(" "));

/** A text without what is unused. */
export function stripped(text) {
  const tokens = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").match(token) || [];
  const isGap = t => isComment(t) || /^\s/.test(t);
  let k = 0;
  // From an opening bracket to behind the closing one.
  const skip = () => {
    let depth = 0;
    for (; k < tokens.length; ++k) {
      if ("({[".includes(tokens[k])) ++depth;
      else if (")}]".includes(tokens[k]) && --depth === 0) { ++k; return; }
    }
  };
  const plain = (from, to) => tokens.slice(from, to).map(t => isComment(t) ? lines(t) : t).join("");
  let out = "", previous = ";", heading = false;   // within the first line of a class, behind which an annotation ends with a semicolon
  while (k < tokens.length) {
    const t = tokens[k];
    if (isComment(t)) { out += lines(t); ++k; continue; }
    if (t !== "annotation") {
      out += t;
      if (classes.has(t)) heading = true;
      else if (t === "=" || t === ";" || sections.has(t)) heading = false;
      if (!isGap(t)) previous = t;
      ++k;
      continue;
    }
    const begin = k;
    for (++k; k < tokens.length && isGap(tokens[k]); ++k);
    if (tokens[k] !== "(") { out += plain(begin, k); continue; }
    // Its arguments, one by one.
    ++k;
    const kept = [];
    let gone = lines(tokens.slice(begin, k).join(""));
    for (;;) {
      const from = k;
      while (k < tokens.length && tokens[k] !== "," && tokens[k] !== ")") "({[".includes(tokens[k]) ? skip() : ++k;
      const words = tokens.slice(from, k).filter(x => !isGap(x)), name = words.find(w => !["each", "final", "redeclare", "replaceable"].includes(w)) || "";
      if (name === "" || isUnused(name)) {
        gone += lines(tokens.slice(from, k).join(""));
      } else {
        kept.push(gone + plain(from, k).replace(/^ +| +$/g, ""));
        gone = "";
      }
      if (tokens[k++] !== ",") break;
    }
    if (kept.length) { out += `annotation(${kept.join(",")}${gone})`; previous = ")"; continue; }
    while (out.endsWith(" ")) out = out.slice(0, -1);
    if (previous === ";" || sections.has(previous)) {   // one that stands for itself takes its semicolon with it
      while (k < tokens.length && isGap(tokens[k])) gone += lines(tokens[k++]);
      if (tokens[k] === ";") { ++k; out += gone; continue; }
      out += `annotation()${gone}`;
    } else {
      out += heading ? ` annotation()${gone}` : gone;
    }
    previous = ")";
  }
  return out.replace(/[ \t]+$/gm, "");
}

function* files(folder, path = "") {
  for (const e of readdirSync(join(folder, path), { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1)) {
    const at = path ? `${path}/${e.name}` : e.name;
    if (e.isDirectory()) yield* files(folder, at);
    else if (e.name.endsWith(".mo")) yield at;
  }
}

function main() {
  const words = process.argv.slice(2), at = words.indexOf("--texts"), texts = at >= 0 ? words.splice(at, 2)[1] : null;
  const [folder, site = join(here, "../build/web/site")] = words;
  if (!folder || !existsSync(folder)) { console.error("name the folder of the Modelica Standard Library, which has the folder Modelica in it"); process.exit(1); }
  // "Modelica 4.1.0" is Modelica (MLS 13.4.3).
  const roots = readdirSync(folder).filter(name => /^(Modelica|ModelicaServices|Complex)( [\d.]+)?(\.mo)?$/.test(name));
  const all = [];
  let before = 0;
  for (const root of roots) {
    const plain = root.replace(/ [\d.]+(?=$|\.mo$)/, "");
    for (const file of statSync(join(folder, root)).isDirectory() ? files(join(folder, root)) : [""]) {
      const text = readFileSync(join(folder, root, file), "utf8"), path = file ? `${plain}/${file}` : plain;
      before += Buffer.byteLength(text);
      if (!/\/UsersGuide\//.test(path)) all.push([path, stripped(text)]);
    }
  }
  if (!all.some(([path]) => path === "Modelica/package.mo")) { console.error(`${folder} has no folder Modelica with a package in it`); process.exit(1); }
  const version = (/version\s*=\s*"([^"]*)"/.exec(all.find(([path]) => path === "Modelica/package.mo")[1]) || ["", ""])[1];
  if (texts) for (const [path, text] of all) { mkdirSync(dirname(join(texts, path)), { recursive: true }); writeFileSync(join(texts, path), text); }

  // Paths and texts by turns.
  const plain = Buffer.from(all.map(([path, text]) => `${path}\0${text}\0`).join("")), bytes = gzipSync(plain, { level: 9, memLevel: 9 });
  const brotli = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } });
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, "library.bin"), bytes);
  // The text of a class, from the file that it is in.
  const byPath = new Map(all), classText = name => {
    const own = name.split(".").pop(), words = name.split(".");
    for (let n = words.length; n > 0; --n)
      for (const ending of [".mo", "/package.mo"]) {
        const text = byPath.get(words.slice(0, n).join("/") + ending);
        const found = text && new RegExp(`\\b(?:model|block)\\s+${own}\\b[\\s\\S]*?\\bend\\s+${own}\\s*;`).exec(text);
        if (found) return found[0];
      }
    return "";
  };
  const examples = ["Modelica.Blocks.Examples.PID_Controller", "Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum", "Modelica.Mechanics.Rotational.Examples.CoupledClutches",
    "Modelica.Mechanics.Translational.Examples.ElastoGap", "Modelica.Electrical.Analog.Examples.Rectifier", "Modelica.Electrical.Analog.Examples.ChuaCircuit", "Modelica.Thermal.HeatTransfer.Examples.ControlledTemperature",
    "Modelica.StateGraph.Examples.ControlledTanks"].filter(classText).map(name =>
      // A class does not hand this annotation down.
      ({ name, experiment: (/experiment\s*\(([^()]*)\)/.exec(classText(name)) || ["", ""])[1].replace(/\s+/g, " ").trim() }));
  const about = JSON.stringify({ file: "library.bin", name: `Modelica Standard Library${version ? " " + version : ""}`, examples });
  writeFileSync(join(site, "library.json"), about);
  // The page has to know that it is there.
  const index = join(site, "index.html");
  if (existsSync(index)) writeFileSync(index, readFileSync(index, "utf8").replace(/(<script type="application\/json" id="library">)[^<]*/, (_, tag) => tag + about));
  const n = x => x.toLocaleString("en").padStart(11);
  console.log(`${n(before)}  bytes in ${all.length} files\n${n(plain.length)}  without documentation, graphics and comments\n${n(brotli.length)}  that as brotli\n${n(bytes.length)}  library.bin, which any browser reads`);
}
if (process.argv[1] === fileURLToPath(import.meta.url)) main();
