/** Makes the part of docs/reference/diagnostics.md about single codes the page that codes on a terminal are links to. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

const begin = "## The workspace of the examples";

const style =
  "body{max-width:50rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color-scheme:light dark}" +
  "pre{overflow:auto;padding:.5rem 1rem;border:1px solid #8888}" +
  ":target{outline:2px solid;outline-offset:.3rem}";

/** Renders the page; each code is the anchor of its heading. */
export function renderDiagnosticsPage(home) {
  const markdown = readFileSync(join(home, "docs/reference/diagnostics.md"), "utf8").replaceAll(
    /<!--.*?-->\n/g,
    "",
  );
  const at = markdown.indexOf(begin);
  if (at === -1) throw new Error(`docs/reference/diagnostics.md has no "${begin}"`);
  const body = micromark(markdown.slice(at), { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
    .replaceAll(/<h3><code>([a-z-]+)<\/code><\/h3>/g, '<h3 id="$1"><code>$1</code></h3>')
    // The other documents are not in the package.
    .replaceAll(/<a href="(?!#)[^"]*">(.*?)<\/a>/g, "$1");
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>agentform: diagnostics</title><style>${style}</style>\n<h1>Diagnostics</h1>\n${body}</html>\n`;
}
