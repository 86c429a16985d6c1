import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { contentDigest } from "../../src/digest.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import { codeBlocks } from "../docs/code-block.js";
import { Shell } from "../docs/shell.js";
import { htmlOf } from "../render/markdown-html.js";
import { pictureOf, useBrowser } from "./html-page.js";
import { readNote, withNote } from "./png-note.js";

useBrowser();

const path = "docs/images/pull-request.png";
const keys = { AGENT_API_KEY: "k", PROVIDER_API_KEY: "p", WEATHER_TOKEN: "w" };

const style = `body{margin:0;padding:16px;background:#fff;color:#1f2328;font:14px/1.5 -apple-system,"Segoe UI","Noto Sans","DejaVu Sans",Helvetica,Arial,sans-serif}
article{border:1px solid #d1d9e0;border-radius:6px;overflow:hidden}header{background:#f6f8fa;border-bottom:1px solid #d1d9e0;padding:8px 16px;color:#59636e}
header b{color:#1f2328}header i{border:1px solid #d1d9e0;border-radius:2em;font-style:normal;font-size:12px;padding:0 7px;margin:0 4px}
section{padding:4px 16px}h3{font-size:17px;line-height:1.3}
code{background:#eff1f3;border-radius:6px;padding:.15em .4em;font:85% "DejaVu Sans Mono","Liberation Mono",monospace}
pre{background:#f6f8fa;border-radius:6px;padding:12px;overflow:hidden}pre code{background:none;padding:0}
ul{padding-left:24px}summary{color:#59636e}`;

/** The comment for the change that the README shows, but for the digest, which covers IDs that differ each time. */
async function commentOnTheChange(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-picture-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const emulator = await startEmulator({});
  onTestFinished(() => emulator.close());
  const shell = new Shell(folder, keys);
  await shell.run("agentform init weather");
  const manifest = join(folder, "weather/agentform.yaml");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replaceAll(/(?<=base_url: )\S+/g, emulator.url));
  expect(await shell.run("agentform apply -C weather --yes")).toContain("Apply complete: 4 done.");
  const change = codeBlocks(readFileSync("README.md", "utf8")).find(({ language }) => language === "diff");
  shell.patch(`${change?.text}\n`);
  const markdown = await shell.run("agentform plan -C weather --format markdown");
  return markdown.replaceAll(/sha256:[0-9a-f]+/g, `sha256:${"97564d268708da89".repeat(4)}`);
}

test("the README's picture is of the comment on the change that it shows", async () => {
  const comment = htmlOf(await commentOnTheChange());
  const head = "<header><b>github-actions</b><i>bot</i> commented 2 minutes ago</header>";
  const html = `<!doctype html><meta charset="utf-8"><style>${style}</style><article>${head}<section>${comment}</section></article>`;
  const source = `made of HTML with the digest ${contentDigest(html)}`;
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, withNote(await pictureOf(html, 840), source));
  expect(
    readNote(readFileSync(path)),
    "UPDATE_GOLDEN=1 npx vitest run --project browser test/browser/picture.test.ts makes it anew",
  ).toBe(source);
});
