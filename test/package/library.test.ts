import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { wholeTest } from "../harness/tier.js";

const page = readFileSync("docs/reference/library.md", "utf8");

/** Writes a module beside the installed package; gives its path. */
function moduleOf(name: string, text: string): string {
  const path = join(inject("installed"), name);
  writeFileSync(path, text);
  return path;
}

function run(module: string, args: readonly string[], input = "", env: Record<string, string> = {}) {
  const { PATH, HOME } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [module, ...args], {
    input,
    env: { PATH, HOME, EMULATOR: "yes", ...env },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout;
}

const desk = {
  "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict" }),
  "agents/support.yaml": documentText("Agent", "support", { name: "Support", system_prompt: "Help." }),
};

describe("the bot of the page", () => {
  let bot = "";
  beforeAll(() => {
    bot = moduleOf("bot.mjs", /```js\n([^]*?)```/.exec(page)?.[1] ?? "");
  });

  test("has no more than 60 lines", () => {
    expect(readFileSync(bot, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  });

  test("applies what was agreed to, and then has nothing to do", () => {
    const { directory } = makeWorkspace(desk);
    const said = run(bot, [directory], "yes\n");
    expect(said).toMatch(/^2 to do:\n {2}create agent:support\n {2}create policy:strict\n/m);
    expect(said).toContain("The apply is done.\n");
    expect(said).toMatch(/^ {2}agent:support = \w+$/m);
    expect(run(bot, [directory])).toBe("Nothing to do.\n");
  });

  wholeTest("applies nothing for another answer", () => {
    const { directory } = makeWorkspace(desk);
    expect(run(bot, [directory], "sha256:0000\n")).toContain("The apply is moved.\n");
    expect(run(bot, [directory], "yes\n")).toContain("The apply is done.\n");
  });

  test("says what is not valid, and where", () => {
    const { directory } = makeWorkspace({ "agents/a.yaml": documentText("Agent", "a", { nme: "A" }) });
    expect(run(bot, [directory])).toMatch(
      /^The workspace is not valid\.\n {2}error [a-z-]+: .*\(agents\/a\.yaml:\d+\)/,
    );
  });
});

test("without an agreement nothing is applied, and without a manifest everything is refused", () => {
  const { directory } = makeWorkspace(desk);
  const module = moduleOf(
    "endings.mjs",
    `import { apply, drift, output, plan, validate } from "agentform";
const statuses = async (directory) => {
  const choices = { directory, emulator: true };
  const results = [await validate(choices), await plan(choices), await apply(choices), await drift(choices), await output(choices)];
  return results.map(({ status }) => status);
};
const [, , desk, none] = process.argv;
const asked = [];
const { status } = await apply({ directory: desk, emulator: true, confirm: (plan) => (asked.push(plan.summary.create), false) });
console.log(JSON.stringify([await statuses(desk), await statuses(none), status, asked]));`,
  );
  const [here, nowhere, status, asked] = JSON.parse(run(module, [directory, join(directory, "none")]));
  expect(here).toEqual(["valid", "planned", "declined", "refused", "done"]);
  expect(nowhere).toEqual(["invalid", "refused", "refused", "refused", "refused"]);
  expect([status, asked]).toEqual(["declined", [2]]);
});

test("an apply that the service refused in part is no success", () => {
  const { directory } = makeWorkspace(desk);
  const module = moduleOf(
    "failed.mjs",
    `import { apply } from "agentform";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
const [, , directory] = process.argv;
const server = createServer((request, response) => {
  request.resume();
  const isPolicy = request.url.includes("polic");
  response.writeHead(isPolicy ? 400 : 200, { "content-type": "application/json" });
  response.end(isPolicy ? "{}" : '{"_id": "1"}');
}).listen(0, "127.0.0.1", async () => {
  const url = "http://127.0.0.1:" + server.address().port;
  const service = { base_url: url, rai_base_url: url, api_key: "\${env:AGENT_API_KEY}" };
  const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec: { service } };
  writeFileSync(directory + "/agentform.yaml", JSON.stringify(manifest));
  const { status, summary = {}, diagnostics } = await apply({
    directory,
    env: { AGENT_API_KEY: "key" },
    confirm: () => true,
  });
  console.log(status, summary.failed, summary.done, ...diagnostics.map(({ code }) => code));
  server.close();
});`,
  );
  expect(run(module, [directory])).toBe("incomplete 1 1\n");
});

wholeTest("every choice but the folder may be left out, in TypeScript too", () => {
  const typed = moduleOf(
    "use.ts",
    `import { apply, drift, output, plan, validate, type Plan, type WorkspaceChoices } from "agentform";
const desk: WorkspaceChoices = { directory: "." };
export const planned: Promise<Plan | undefined> = plan(desk).then((made) => made.status === "planned" ? made.plan : undefined);
export const ids: Promise<string | undefined> = output({ ...desk, selector: ["a=b"] }).then((made) => made.status === "done" ? made.ids["agent:a"] : undefined);
export const applied: Promise<"done" | string> = apply({ ...desk, variables: { model: "x", deep: { list: [1] } }, expect: "sha256:0" }).then(({ status }) => status);
export const others = [(await validate(desk)).status === "valid", drift(desk)];
`,
  );
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--types",
    "",
    typed,
  ];
  const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", ...options], {
    encoding: "utf8",
  });
  expect(tsc.stdout).toBe("");
});
