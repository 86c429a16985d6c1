import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import { codeBlocks } from "./code-block.js";
import { Shell } from "./shell.js";

const golden = "test/fixtures/readme/comment.md";
const keys = { AGENT_API_KEY: "k", PROVIDER_API_KEY: "p", WEATHER_TOKEN: "w" };

// The README's picture is made of it, see test/browser/picture.test.ts.
test("the comment on the change that the README shows is the one of its picture", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentform-comment-"));
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
  const comment = await shell.run("agentform plan -C weather --format markdown");
  // The digest covers IDs, which differ each time.
  const current = comment.replaceAll(/sha256:[0-9a-f]+/g, `sha256:${"97564d268708da89".repeat(4)}`);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(dirname(golden), { recursive: true });
    writeFileSync(golden, current);
  }
  expect(current).toBe(readFileSync(golden, "utf8"));
});
