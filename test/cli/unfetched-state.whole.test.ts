import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import type { Plan } from "../../src/generated/plan.js";
import { documentText } from "../harness/disk-workspace.js";
import { git, makeGitMedium } from "../store/git-medium.js";
import { runIn } from "./desk.js";

/** A workspace with its state on a ref, applied twice, and a clone of it in which nobody has fetched the ref. */
async function openClones() {
  const service = await startEmulator({ operations: "full" });
  onTestFinished(() => service.close());
  const [medium, folder] = [makeGitMedium(), mkdtempSync(join(tmpdir(), "agentform-away-"))];
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [author, clone] = [medium.clone("author"), join(folder, "clone")];
  const spec = {
    service: {
      base_url: service.url,
      rai_base_url: service.url,
      api_key: "${env:AGENT_API_KEY}",
      operations: { policy: { read: "GET /v1/rai/policies/{id}", delete: "DELETE /v1/rai/policies/{id}" } },
    },
    lock: { store: "git" },
    include: ["policies.yaml"],
  };
  const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
  writeFileSync(join(author, "agentform.yaml"), JSON.stringify(manifest));
  for (const name of ["Strict", "Stricter"]) {
    writeFileSync(join(author, "policies.yaml"), documentText("Policy", "strict", { name }));
    expect(await runIn(author, ["apply", "--yes"])).toMatchObject({ code: 0 });
  }
  git(author, "add", "-A");
  git(author, "commit", "-q", "-m", "desk");
  git(author, "push", "-q", "origin", "main");
  git(folder, "clone", "-q", medium.remote, clone);
  return { service, author, clone, refsOf: () => git(clone, "for-each-ref", "refs/agentform") };
}

const commands = [
  ["plan"],
  ["apply", "--yes"],
  ["drift"],
  ["output"],
  ["prune", "--yes"],
  ["lock", "list"],
  ["lock", "show", "policy:strict"],
  ["lock", "retired"],
  ["lock", "status"],
  ["lock", "history"],
  ["lock", "resolve", "policy:strict", "--not-created"],
];

test("a clone that has not seen the state asks for it, and where it cannot, each command says that it does not know", async () => {
  const { service, clone, refsOf } = await openClones();
  const [address, sent] = [git(clone, "remote", "get-url", "origin"), service.requests.length];
  expect(refsOf()).toBe("");
  git(clone, "remote", "set-url", "origin", "/nowhere");
  for (const command of commands) {
    const { code, out, err } = await runIn(clone, command);
    expect({ command, code }).toEqual({ command, code: 1 });
    expect(out + err, command.join(" ")).toContain("lock-medium");
  }
  expect((await runIn(clone, ["plan"])).err).toContain("whether anything was applied is not known");
  expect(service.requests).toHaveLength(sent);
  git(clone, "remote", "set-url", "origin", address);
  expect(await runIn(clone, ["plan", "--detailed-exitcode"])).toMatchObject({ code: 0 });
  expect(refsOf()).toContain("refs/agentform/desk/default");
  expect((await runIn(clone, ["output"])).out).toMatch(/"policy:strict": "[0-9a-f]{24}"/);
  expect((await runIn(clone, ["prune", "--yes"])).out).toContain("1 to delete");
});

test("what is done is done with the state of the remote, not with what this clone has seen of it", async () => {
  const { author, clone } = await openClones();
  const applies = async (at: string, name: string) => {
    writeFileSync(join(at, "policies.yaml"), documentText("Policy", "strict", { name }));
    return await runIn(at, ["apply", "--yes"]);
  };
  const foldersInTurn = [clone, author, clone];
  for (const [turn, at] of foldersInTurn.entries()) {
    expect(await applies(at, `Turn ${turn}`)).toMatchObject({ code: 0 });
  }
  // Whoever asks the service compares it with the newest, too: nobody is blamed for what an apply elsewhere did.
  const serialOf = async (at: string, ...command: string[]) =>
    (JSON.parse((await runIn(at, [...command, "--format", "json"])).out) as Pick<Plan, "lock">).lock?.serial;
  const newest = await serialOf(clone, "lock", "list");
  expect(newest).toBe(5);
  expect(await serialOf(author, "drift")).toBe(newest);
});
