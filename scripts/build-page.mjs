/**
 * Builds the script and the style of the page of `plan --format html`, and gives them to bundlers as the
 * module `virtual:plan-page`.
 */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const moduleName = "virtual:plan-page";

/** Builds the page's script and style, with esbuild's metafiles; the same sources give the same texts. */
export async function buildPage() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: home,
    entryPoints: { page: "src/page/page.tsx" },
    outdir: "page",
    bundle: true,
    write: false,
    metafile: true,
    format: "iife",
    platform: "browser",
    target: ["es2022", "chrome111", "firefox115", "safari16.4"],
    minify: true,
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [withoutChecks],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const text = (suffix) => outputFiles.find(({ path }) => path.endsWith(suffix)).text.trim();
  return { script: withoutControls(text(".js")), style: text(".css"), metafile };
}

// What the page shows was checked, and its digests made, when the plan was.
const stubs = [
  [/\/generated\/validate-[\w-]+\.js$/, "export const validate = () => true;"],
  [/^node:crypto$/, "export const createHash = undefined, hash = undefined;"],
];

const withoutChecks = {
  name: "without-checks",
  setup(bundle) {
    for (const [index, [filter, contents]] of stubs.entries()) {
      const namespace = `stub-${index}`;
      bundle.onResolve({ filter }, ({ path }) => ({ path, namespace }));
      bundle.onLoad({ filter: /.*/, namespace }, () => ({ contents }));
    }
  },
};

// The page may be printed to the log of a job, where control characters are escaped; inside strings this changes nothing.
function withoutControls(script) {
  return script.replaceAll(
    /[\0-\x08\x0b-\x1f\x7f-\x9f]/g,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** For esbuild: answers the import of the built page. */
export function pageForEsbuild() {
  return {
    name: "plan-page",
    setup(bundle) {
      bundle.onResolve({ filter: /^virtual:plan-page$/ }, ({ path }) => ({ path, namespace: "plan-page" }));
      bundle.onLoad({ filter: /.*/, namespace: "plan-page" }, async () => ({ contents: await moduleText() }));
    },
  };
}

/** For Vite: answers the import of the built page. */
export function pageForVite() {
  let text;
  return {
    name: "plan-page",
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    load: (id) => (id === `\0${moduleName}` ? (text ??= moduleText()) : undefined),
  };
}

async function moduleText() {
  const { script, style } = await buildPage();
  return `export const script = ${JSON.stringify(script)};\nexport const style = ${JSON.stringify(style)};\n`;
}
