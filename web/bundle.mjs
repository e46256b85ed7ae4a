// Makes the playground of its parts: a folder of static files, and the same as one file that works from a disk.
//   node bundle.mjs FOLDER-OF-THE-ENGINE FOLDER-OF-THE-PLAYGROUND
import * as esbuild from "esbuild";
import { mkdirSync, readFileSync, readdirSync, writeFileSync, copyFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const web = process.env.MOSIM_WEB || dirname(fileURLToPath(import.meta.url)), root = dirname(web);
const [engine, output] = process.argv.slice(2), dygraphs = "/usr/share/javascript/dygraphs";
const text = path => readFileSync(path, "utf8");

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1)
    .flatMap(e => e.isDirectory() ? files(join(folder, e.name)) : e.name.endsWith(".mo") ? [join(folder, e.name)] : []);
}
const spaced = name => name.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
const models = join(root, "models");
const examples = files(models).filter(f => !f.startsWith(join(models, "Modelica"))).map(f => {
  const file = relative(models, f), source = text(f), parts = file.slice(0, -3).split("/"), isPackage = parts[parts.length - 1] === "package";
  const description = new RegExp(`(?:model|block)\\s+${parts[parts.length - 1]}\\s+"([^"]*)"`).exec(source);
  return { file, text: source, name: parts[parts.length - 1], chapter: spaced(parts.slice(0, -1).join(": ")), description: description ? description[1] : "", model: !isPackage && /^\s*(model|block)\s/m.test(source) && !/^\s*partial\s/m.test(source) };
});

const app = (await esbuild.build({ entryPoints: [join(web, "page/app.js")], bundle: true, minify: true, format: "iife", target: "es2021", write: false, nodePaths: (process.env.NODE_PATH || "").split(":") })).outputFiles[0].text;
const plain = (await esbuild.transform(text(join(web, "page/style.css")), { loader: "css", minify: true })).code;
const worker = (await esbuild.transform(text(join(engine, "mosim.js")) + "\n" + text(join(web, "page/worker.js")), { minify: true })).code;
const wasm = readFileSync(join(engine, "mosim.wasm"));
const inScript = s => s.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const page = join(root, "report/page"), first = "page.js";   // it has the directive for all

function index(given) {
  const parts = {
    "/*@page@*/": text(join(dygraphs, "dygraph.min.css")) + "\n" + text(join(page, "page.css")),
    "/*@style@*/": plain,
    "/*@library@*/": text(join(page, "dygraphs.licence")) + text(join(dygraphs, "dygraph.min.js")) + "\n" + text(join(dygraphs, "extras/synchronizer.js")),
    "/*@show@*/": [first, ...readdirSync(page).filter(f => f.endsWith(".js") && f !== first).sort()].map(f => text(join(page, f))).join("\n"),
    "/*@app@*/": `window.mosimFiles=${JSON.stringify(given)};window.mosimPage=${JSON.stringify(text(join(page, "page.html")))};${app}`,
  };
  return text(join(web, "page/index.html")).replace(/\/\*@\w+@\*\//g, mark => inScript(parts[mark].replace(/\n\/[/*]# sourceMappingURL=[^\n]*/g, "")));
}

mkdirSync(output, { recursive: true });
writeFileSync(join(output, "index.html"), index({ examples }));
writeFileSync(join(output, "worker.js"), worker);
copyFileSync(join(engine, "mosim.wasm"), join(output, "mosim.wasm"));
writeFileSync(join(output, "mosim.html"), index({ examples, worker, wasm: gzipSync(wasm, { level: 9 }).toString("base64") }));
for (const name of ["index.html", "worker.js", "mosim.wasm", "mosim.html"]) console.log(`${String(statSync(join(output, name)).size).padStart(9)}  ${name}`);
