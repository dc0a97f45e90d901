// Writes ../LICENSES-plot.txt: name, version and licence text of every package in the bundle.
// Run by `npm run build`. esbuild's metafile says which packages the bundle contains.
import { build } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const result = await build({
  entryPoints: ["entry.js"],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: "iife",
  logLevel: "silent",
});
const [output] = Object.values(result.metafile.outputs);
const folders = new Set();
for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
  if (match && bytesInOutput > 0) folders.add(match[1]);
}
const texts = [...folders].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file`);
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  const heading = `${name} ${version} (${license})`;
  return `${heading}\n${"-".repeat(heading.length)}\n\n${text}\n`;
});
writeFileSync(
  "../LICENSES-plot.txt",
  `plot.bundle.js contains code of the following packages.\n\n${texts.join("\n\n")}`,
);
