import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contentDigest } from "../../src/digest.js";
import { htmlOf } from "../render/markdown-html.js";
import { pictureOf, useBrowser } from "./html-page.js";
import { readNote, withNote } from "./png-note.js";

useBrowser();

const path = "docs/images/pull-request.png";

const style = `body{margin:0;padding:16px;background:#fff;color:#1f2328;font:14px/1.5 -apple-system,"Segoe UI","Noto Sans","DejaVu Sans",Helvetica,Arial,sans-serif}
article{border:1px solid #d1d9e0;border-radius:6px;overflow:hidden}header{background:#f6f8fa;border-bottom:1px solid #d1d9e0;padding:8px 16px;color:#59636e}
header b{color:#1f2328}header i{border:1px solid #d1d9e0;border-radius:2em;font-style:normal;font-size:12px;padding:0 7px;margin:0 4px}
section{padding:4px 16px}h3{font-size:17px;line-height:1.3}
code{background:#eff1f3;border-radius:6px;padding:.15em .4em;font:85% "DejaVu Sans Mono","Liberation Mono",monospace}
pre{background:#f6f8fa;border-radius:6px;padding:12px;overflow:hidden}pre code{background:none;padding:0}
ul{padding-left:24px}summary{color:#59636e}`;

test("the README's picture is of the comment on its change", async () => {
  const comment = htmlOf(readFileSync("test/fixtures/readme/comment.md", "utf8"));
  const head = "<header><b>github-actions</b><i>bot</i> commented 2 minutes ago</header>";
  const html = `<!doctype html><meta charset="utf-8"><style>${style}</style><article>${head}<section>${comment}</section></article>`;
  const source = `made of HTML with the digest ${contentDigest(html)}`;
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, withNote(await pictureOf(html, 840), source));
  expect(
    readNote(readFileSync(path)),
    "UPDATE_GOLDEN=1 npx vitest run --mode all test/browser/picture.test.ts makes it anew",
  ).toBe(source);
});
