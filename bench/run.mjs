/**
 * Builds agentform, measures it, and prints one table.
 * `npm run bench -- [PART …] [ROUNDS] [--built]`; without a part, all of them run; `--built` uses the existing
 * `dist`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyAgentform } from "./agentform.mjs";
import { measureApply } from "./apply.mjs";
import { measureChanges } from "./changes.mjs";
import { measureCompletion } from "./completion.mjs";
import { measureDescription } from "./description.mjs";
import { measureDrift } from "./drift.mjs";
import { measureEditor } from "./editor.mjs";
import { measureLarge } from "./large.mjs";
import { measurePackage } from "./package.mjs";
import { measurePage } from "./page.mjs";
import { measurePeers } from "./peers.mjs";
import { measurePlan } from "./plan.mjs";
import { measureReview } from "./review.mjs";
import { measureStart } from "./start.mjs";
import { measureStores } from "./stores.mjs";
import { renderTable } from "./table.mjs";
import { measureTexts } from "./texts.mjs";
import { measureValidate } from "./validate.mjs";
import { measureViews } from "./views.mjs";

const parts = {
  start: measureStart,
  completion: measureCompletion,
  plan: measurePlan,
  validate: measureValidate,
  texts: measureTexts,
  changes: measureChanges,
  views: measureViews,
  review: measureReview,
  description: measureDescription,
  large: measureLarge,
  apply: measureApply,
  drift: measureDrift,
  stores: measureStores,
  editor: measureEditor,
  package: measurePackage,
  page: measurePage,
  peers: measurePeers,
};

const args = process.argv.slice(2);
const rounds = args.find((each) => /^[1-9]\d*$/.test(each));
const names = args.filter((each) => each !== rounds && each !== "--built");
const strange = names.filter((each) => !Object.hasOwn(parts, each));
if (strange.length > 0) {
  console.error(`Unknown part ${strange.join(", ")}; the parts are ${Object.keys(parts).join(", ")}.`);
  process.exitCode = 64;
} else {
  await measure(names.length === 0 ? Object.keys(parts) : names);
}

async function measure(chosen) {
  const home = dirname(dirname(fileURLToPath(import.meta.url)));
  const build = [join(home, "scripts/build.mjs")];
  if (!args.includes("--built")) execFileSync(process.execPath, build, { stdio: "inherit" });
  const scratch = mkdtempSync(join(tmpdir(), "agentform-bench-"));
  const stop = () => process.exit(130);
  process.once("SIGINT", stop).once("SIGTERM", stop);
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const { env, ...agentform } = copyAgentform(home, scratch);
  const node = { args: [process.execPath, "-e", "0"], env };
  const bench = { home, scratch, env, agentform, node, ...(rounds && { rounds: Number(rounds) }) };
  const rows = [];
  for (const name of chosen) {
    console.error(`measuring ${name} …`);
    rows.push(...(await parts[name](bench)));
  }
  console.log(renderTable(rows));
}
