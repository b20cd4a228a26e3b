// Bundles the editor: web/static/editor.js, and the licences of everything in it beside it.
// The first line of either names the sources that it was made of, so that a test sees when they have moved on.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const STATIC = "../static/";
const SOURCES = ["build.mjs", "package-lock.json", "package.json", ...readdirSync("src").map((name) => `src/${name}`)].sort();

const digest = createHash("sha256");
for (const name of SOURCES) digest.update(readFileSync(name));
const made = `Made by \`make editor\` of web/editor/ ${digest.digest("hex").slice(0, 16)}`;

await build({
  entryPoints: ["src/main.js"],
  outfile: `${STATIC}editor.js`,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  banner: { js: `// ${made}. Licences of what is in it: editor.licences.txt` },
});

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const licences = Object.entries(packages)
  .filter(([folder, one]) => folder && !one.dev)
  .map(([folder, { version, license }]) => {
    const text = readFileSync(`${folder}/LICENSE`, "utf8").trim();
    return `${folder.replace("node_modules/", "")} ${version} (${license})\n\n${text}\n`;
  });
writeFileSync(`${STATIC}editor.licences.txt`, `${made}. editor.js holds parts of these packages.\n\n${licences.join(`\n${"-".repeat(80)}\n\n`)}`);
