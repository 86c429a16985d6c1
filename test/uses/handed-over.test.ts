import { expect, test } from "vitest";
import type { Plan } from "../../src/generated/plan.js";
import { documentText } from "../harness/disk-workspace.js";
import { guarded, manifestOf, openPlatform, policy, twoTeams, type Platform } from "./platform.js";

const uses = "uses: {shield: {workspace: ../guard}}";
const files = {
  ...twoTeams,
  "tools/agentform.yaml": manifestOf("tools", "URL", uses),
  // Another object than the one that has this name in `guard`.
  "tools/policies/strict.yaml": policy("strict", "nothing"),
};

async function openApplied(
  more: Readonly<Record<string, string>> = {},
): Promise<{ platform: Platform; adopt: string }> {
  const platform = await openPlatform({ ...files, ...more });
  for (const folder of ["guard", "care", "tools"]) await platform.apply(folder);
  const [agent] = platform.emulator.objects().agents;
  return { platform, adopt: String(agent?.id) };
}

/** Hands the agent of `care` to `tools`, where it has a policy. */
function handOver({ workspace }: Platform, adopt: string, reference: string): void {
  workspace.remove("care/agents/support.yaml");
  const document = JSON.parse(guarded(reference)) as object;
  workspace.write({ "tools/agents/support.yaml": JSON.stringify({ ...document, lifecycle: { adopt } }) });
}

async function notesIn(platform: Platform, ...command: readonly string[]) {
  const { code, out, err } = await platform.run(...(command as [string, ...string[]]), "--format", "json");
  expect(code, err).toBe(0);
  const shown = JSON.parse(out) as { plans?: { folder: string; plan: Plan }[] } & Plan;
  const plan = shown.plans?.find(({ folder }) => folder === "tools")?.plan ?? shown;
  return plan.notes.filter(({ effect }) => effect !== "review").map(({ message }) => message);
}

test.each([
  ["another object of its name", "${policy:strict}"],
  ["the same by another name", "${policy:strict@shield}"],
])("an agent that another workspace takes over is compared with what it had: %s", async (what, reference) => {
  const { platform, adopt } = await openApplied();
  handOver(platform, adopt, reference);
  const isSame = what.startsWith("the same");
  const expected = isSame ? [] : [expect.stringMatching(/policy:strict/)];
  expect(await notesIn(platform, ".", "plan", "--all")).toEqual(expected);
  const { out } = await platform.run(".", "plan", "--all", "--format", "json");
  const { digest } = JSON.parse(out) as { digest: string };
  const applied = await platform.run(".", "apply", "--all", "--expect", digest);
  expect([applied.code, applied.err]).toEqual([0, expect.any(String)]);
});

test("an agent that another workspace has left behind is compared with what that last sent", async () => {
  const { platform, adopt } = await openApplied();
  handOver(platform, adopt, "${policy:strict}");
  await platform.apply("care");
  expect(await notesIn(platform, "tools", "plan")).toEqual([expect.stringMatching(/policy:strict/)]);
});

test("what an agent had that nothing here refers to has a name that nothing has", async () => {
  const { platform, adopt } = await openApplied({ "tools/agentform.yaml": manifestOf("tools", "URL") });
  handOver(platform, adopt, "${policy:strict}");
  expect(await notesIn(platform, ".", "plan", "--all")).toEqual([
    "policy:strict@? is detached: the agent no longer refers to it, and now refers to policy:strict",
  ]);
});

test("tools that another workspace takes over are compared as before once their owner has given them away", async () => {
  const desk = (host: string, lifecycle?: object) => ({
    "toolsets/desk.yaml": documentText(
      "ToolSet",
      "desk",
      {
        tool_set_name: "desk",
        openapi_schema: {
          openapi: "3.1.0",
          info: { title: "Desk", version: "1" },
          servers: [{ url: `https://${host}` }],
          paths: { "/a": { get: { operationId: "a" } } },
        },
      },
      lifecycle,
    ),
  });
  const inFolder = (folder: string, texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([file, text]) => [`${folder}/${file}`, text]));
  const platform = await openPlatform({ ...files, ...inFolder("care", desk("desk.example.com")) });
  for (const folder of ["guard", "care", "tools"]) await platform.apply(folder);
  const lock = JSON.parse(platform.workspace.read("care/agentform.lock")) as {
    resources: Record<string, { ids?: string[] }>;
  };
  const [id = ""] = lock.resources["toolset:desk"]?.ids ?? [];
  platform.workspace.remove("care/toolsets/desk.yaml");
  platform.workspace.write(inFolder("tools", desk("other.example.com", { adopt: [`a=${id}`] })));
  expect(await notesIn(platform, ".", "plan", "--all")).toEqual([
    expect.stringContaining("other.example.com"),
  ]);
  const { out } = await platform.run(".", "plan", "--all", "--format", "json");
  const { digest } = JSON.parse(out) as { digest: string };
  const applied = await platform.run(".", "apply", "--all", "--expect", digest);
  expect([applied.code, applied.err]).toEqual([0, expect.any(String)]);
});
