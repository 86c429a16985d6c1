/** A workspace that was applied to the emulator, and in which every resource has changed since. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyToEmulator } from "./agentform.mjs";
import { makeWorkspace } from "./make-workspace.mjs";

/** Makes the workspace: seven in ten resources have one of three shared edits, the others only follow. */
export async function makeEditedWorkspace(agentform, directory, count) {
  makeWorkspace(directory, count);
  const manifest = join(directory, "agentform.yaml");
  writeFileSync(manifest, `${readFileSync(manifest, "utf8")}  limits: {orphans: ${count}}\n`);
  await applyToEmulator(agentform, directory);
  const documents = join(directory, "documents");
  for (const path of readdirSync(documents, { recursive: true })) {
    const [, name] = /(\d+)\.yaml$/.exec(path) ?? [];
    if (name === undefined) continue;
    const file = join(documents, path);
    writeFileSync(file, edited(readFileSync(file, "utf8"), Number(name)));
  }
}

// All policies and tool sets and half of the agents share an edit, the other half only follows; one in a hundred has an edit of its own.
function edited(text, index) {
  const shared = text
    .replace("politics, medical advice", "medical advice, gambling")
    .replace("region: eu-west", "region: eu-central");
  if (!shared.includes("kind: Agent")) return shared;
  const own = index % 100 === 0 ? shared.replace("questions of group", "all questions of group") : shared;
  return index % 2 === 0 ? own.replace(/^( {4})(You answer)/m, "$1Be short. $2") : own;
}
