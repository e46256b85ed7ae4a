// Makes the playground of its parts: a folder of static files, and the same as one file that works from a disk.
//   node bundle.mjs FOLDER-OF-THE-ENGINE FOLDER-OF-THE-PLAYGROUND
import * as esbuild from "esbuild";
import { mkdirSync, readFileSync, readdirSync, writeFileSync, copyFileSync, existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const web = process.env.MOSIM_WEB || dirname(fileURLToPath(import.meta.url)), root = dirname(web);
const [engine, output] = process.argv.slice(2), dygraphs = "/usr/share/javascript/dygraphs";
const text = path => readFileSync(path, "utf8");

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1)
    .flatMap(e => e.isDirectory() ? files(join(folder, e.name)) : e.name.endsWith(".mo") ? [join(folder, e.name)] : []);
}
const spaced = name => name.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
const models = join(root, "models");
const own = files(models).filter(f => !f.startsWith(join(models, "Modelica"))).map(f => {
  const file = relative(models, f), parts = file.slice(0, -3).split("/");
  return { file, text: text(f), parts, name: parts[parts.length - 1] };
});
const describes = (source, name) => (new RegExp(`(?:model|block|package)\\s+${name}\\s+"([^"]*)"`).exec(source) || ["", ""])[1];

// What docs/events.md says about a model: the sections that name it, without their pictures, which are not here.
const sections = text(join(root, "docs/events.md")).split(/^## /m).slice(1).map(part => {
  const end = part.indexOf("\n"), body = part.slice(end + 1).replace(/^!\[[^\]]*\]\([^)]*\)\n*/gm, "").trim();
  return { title: part.slice(0, end).trim(), text: body };
});
const names = new Set(own.map(e => e.name));
const named = sections.map(({ text }) => {
  const found = new Set([...text.matchAll(/models\/[\w/]*?(\w+)\.mo/g)].map(m => m[1]));
  for (const m of text.matchAll(/for model in ([\w ]+);/g)) for (const name of m[1].split(" ")) found.add(name);
  for (const m of text.matchAll(/\b[A-Z][a-z]+[A-Z0-9]\w*\b/g)) if (names.has(m[0])) found.add(m[0]);
  return found;
});
const chapterOrder = ["Lessons", "BasicEquations", "DiscreteBehavior", "HybridSystems"];
const examples = own.map(({ file, text: source, parts, name }) => {
  const folder = parts.slice(0, -1), isPackage = name === "package";
  const packageText = own.find(e => e.file === [...folder, "package.mo"].join("/"));
  // A comment right below the first line says what the model is.
  const remark = (/^[^\n]*(?:model|block)[^\n]*\n((?:[ \t]*\/\/[^\n]*\n)+)/m.exec(source) || ["", ""])[1].replace(/^[ \t]*\/\/ ?/gm, "").trim();
  return {
    file, text: source, name, chapter: folder.map(spaced).join(": "), description: describes(source, name), remark,
    package: packageText ? describes(packageText.text, folder[folder.length - 1]) : "", sections: isPackage ? [] : sections.flatMap((_, k) => named[k].has(name) ? [k] : []),
    model: !isPackage && /^\s*(model|block)\s/m.test(source) && !/^\s*partial\s/m.test(source),
  };
}).sort((a, b) => chapterOrder.indexOf(a.file.split("/")[0]) - chapterOrder.indexOf(b.file.split("/")[0]));   // stable
const courses = [{ file: "course.md", text: text(join(root, "docs/course.md")) }];

const bundle = async options => (await esbuild.build({ bundle: true, minify: true, format: "iife", target: "es2021", charset: "utf8", write: false, ...options })).outputFiles[0].text;
// What nobody asks for is left out: all of marked but its lexer,
const lexer = { name: "lexer", setup(build) {
  build.onLoad({ filter: /marked\.esm\.js$/ }, ({ path }) => {
    const all = text(path), end = all.indexOf("\nclass _Renderer ");
    if (end < 0) throw new Error(`${path}: where does its lexer end?`);
    return { contents: all.slice(0, end) + "\nexport { _Lexer as Lexer };" };
  });
} };
// and of dygraphs a slider of its own, a legend, annotations and bars of errors.
const unused = { name: "unused", setup(build) {
  build.onResolve({ filter: /(bars(-\w+)?|default-fractions|plugins\/(annotations|legend|range-selector)|dygraph-gviz)$/ }, ({ path }) => ({ path, namespace: "unused" }));
  build.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "export default class { activate() { return {}; } }" }));
} };
const app = await bundle({ entryPoints: [join(web, "page/app.js")], nodePaths: (process.env.NODE_PATH || "").split(":"), plugins: [lexer] });
const charts = await bundle({ entryPoints: [join(dygraphs, "src/dygraph.js")], globalName: "Dygraph", footer: { js: "Dygraph=Dygraph.default;" }, define: { "process.env.NODE_ENV": '"production"' }, plugins: [unused] });
const synchronizer = (await esbuild.transform(text(join(dygraphs, "extras/synchronizer.js")), { minify: true })).code;
const minified = async css => (await esbuild.transform(css, { loader: "css", minify: true })).code;
const worker = (await esbuild.transform(text(join(engine, "mosim.js")) + "\n" + text(join(web, "page/worker.js")), { minify: true })).code;
const wasm = readFileSync(join(engine, "mosim.wasm"));
const inScript = s => s.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const page = join(root, "report/page"), first = "page.js";   // it has the directive for all

const show = (await esbuild.transform([first, ...readdirSync(page).filter(f => f.endsWith(".js") && f !== first).sort()].map(f => text(join(page, f))).join("\n"), { minify: true })).code;

const map = /\n\/[/*]# sourceMappingURL=[^\n]*/g;
const styles = {
  "/*@page@*/": await minified(text(join(dygraphs, "dygraph.css")) + "\n" + text(join(page, "page.css"))),
  "/*@style@*/": await minified(text(join(web, "page/style.css"))),
};
const scripts = given => ({
  library: text(join(page, "dygraphs.licence")) + charts + synchronizer,
  show,
  app: `window.mosimFiles=${JSON.stringify(given)};window.mosimPage=${JSON.stringify(text(join(page, "page.html")))};${app}`,
});
function index(given) {
  const parts = scripts(given);
  return text(join(web, "page/index.html")).replace('id="library">null<', () => `id="library">${library}<`)
    .replace(/\/\*@(\w+)@\*\//g, (mark, part) => inScript((styles[mark] || parts[part]).replace(map, "")));
}
// Bytes in a text: four as five characters, of 85 that mean nothing in HTML and in a string of JavaScript; their number is before them.
const alphabet = "[...Array(94)].map((_,k)=>String.fromCharCode(33+k)).filter(c=>!'\"\\\\<&`\\''.includes(c)).slice(0,85)";
function written(bytes) {
  const letters = Function(`return ${alphabet}`)(), out = [];
  for (let k = 0; k < bytes.length; k += 4) {
    let word = 0;
    for (let j = 0; j < 4; ++j) word = word * 256 + (bytes[k + j] ?? 0);
    let five = "";
    for (let j = 0; j < 5; ++j, word = Math.floor(word / 85)) five = letters[word % 85] + five;
    out.push(five);
  }
  return `${bytes.length} ${out.join("")}`;
}
const reader = `window.mosimBytes=text=>{
const at=text.indexOf(" "),n=Number(text.slice(0,at)),out=new Uint8Array(Math.ceil(n/4)*4),value=new Uint8Array(128);
${alphabet}.forEach((c,k)=>value[c.charCodeAt(0)]=k);
for(let i=at+1,k=0;k<n;k+=4){let w=0;for(let j=0;j<5;++j)w=w*85+value[text.charCodeAt(i++)];out[k]=w>>>24;out[k+1]=w>>>16;out[k+2]=w>>>8;out[k+3]=w}
return out.subarray(0,n)};`;
/** All of it in one file, small: what can be is compressed, and read when the page is opened. */
function oneFile(given) {
  const packed = x => written(gzipSync(x, { level: 9 }));
  const parts = scripts({ ...given, worker });
  for (const part in parts) parts[part] = parts[part].replace(map, "");
  const load = `(async()=>{
const parts=await new Response(new Blob([mosimBytes("${packed(JSON.stringify(parts))}")]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
for(const part in parts){const s=document.createElement("script");s.dataset.part=part;s.textContent=parts[part];document.body.append(s)}})()`;
  return text(join(web, "page/index.html")).replace(/<script data-part="(library|show)">.*<\/script>\n/g, "").replace(/\/\*@(page|style)@\*\//g, mark => styles[mark].replace(map, ""))
    .replace(/<script data-part="app">.*<\/script>/, () => `<script>${reader}window.mosimWasm="${packed(wasm)}";${load}</script>`);
}

// What web/library.sh has made before stays.
const library = existsSync(join(output, "library.json")) ? inScript(text(join(output, "library.json"))) : "null";
mkdirSync(output, { recursive: true });
const given = { examples, sections, courses };
writeFileSync(join(output, "index.html"), index(given));
writeFileSync(join(output, "worker.js"), worker);
copyFileSync(join(engine, "mosim.wasm"), join(output, "mosim.wasm"));
writeFileSync(join(output, "mosim.html"), oneFile(given));

// On the wire, as hosts of static files send it.
const brotli = bytes => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_LGWIN]: 22 } }).length;
const line = (name, size, wire) => console.log(`${size.toLocaleString("en").padStart(11)}  ${(wire ? wire.toLocaleString("en") : "").padStart(11)}  ${name}`);
console.log("      bytes   as brotli");
let all = 0, sent = 0;
for (const name of ["index.html", "worker.js", "mosim.wasm"]) {
  const bytes = readFileSync(join(output, name)), wire = brotli(bytes);
  line(name, bytes.length, wire);
  all += bytes.length;
  sent += wire;
}
line("the site", all, sent);
line("mosim.html, all in one file", readFileSync(join(output, "mosim.html")).length);
const bounds = [["the site on the wire", sent, 1.2e6], ["mosim.html", readFileSync(join(output, "mosim.html")).length, 2e6]].filter(([, size, most]) => size > most);
for (const [what, size, most] of bounds) console.error(`${what}: ${size.toLocaleString("en")} bytes, and must have no more than ${most.toLocaleString("en")}`);
if (bounds.length) process.exitCode = 1;
