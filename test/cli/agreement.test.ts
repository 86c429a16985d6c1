import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentText, policyText, type Desk, type Ran } from "./desk.js";
import { allOperations, fullManifest, openFullDesk } from "./full-desk.js";

/** What waits for an agreement, as programs get it. */
interface Confirm {
  readonly type: "confirm";
  readonly digest: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly notes: readonly object[];
  readonly command: readonly string[];
}

/** Something to do, and the words that do it. */
interface Scene {
  readonly desk: Desk;
  readonly words: readonly string[];
  /** Makes what would be done another than before. */
  readonly move: () => unknown;
}

const scenes: Readonly<Record<string, () => Promise<Scene>>> = {
  async apply() {
    const desk = await openFullDesk();
    return { desk, words: ["apply"], move: () => desk.workspace.write(otherPolicy) };
  },
  async "apply of a saved plan"() {
    const desk = await openFullDesk();
    await desk.run("plan", "--out", "plan.json");
    return { desk, words: ["apply", "plan.json"], move: () => desk.run("apply", "--yes") };
  },
  async prune() {
    const desk = await openFullDesk();
    await desk.run("apply", "--yes");
    const replace = async (topic: string) => {
      desk.workspace.write({ "policies/strict.yaml": policyText([topic]) });
      await desk.run("apply", "--yes");
    };
    await replace("other");
    return { desk, words: ["prune"], move: async () => await replace("third") };
  },
  async import() {
    const desk = await openFullDesk({ "agents/.keep.yaml": "" });
    const make = (name: string) => desk.emulator.edit({ kind: "agent", create: { name } });
    make("Found");
    return { desk, words: ["import", "--all"], move: () => make("Second") };
  },
  async "drift --write"() {
    const desk = await openFullDesk();
    await desk.run("apply", "--yes");
    const [id = ""] = [desk.lock().resources["policy:strict"]?.["id"] as string];
    const rename = (name: string) => desk.emulator.edit({ kind: "policy", id, changes: { name } });
    rename("Edited");
    return { desk, words: ["drift", "--write"], move: () => rename("Second") };
  },
  async "lock resolve --search"() {
    const desk = await openFullDesk(
      { "agents/support.yaml": agentText({ tools: [], features: [], llm_credential_id: "x1" }) },
      allOperations,
      { faults: [{ path: "/v3/agents/", drop: "after" }] },
    );
    await desk.run("apply", "--yes");
    return { desk, words: ["lock", "resolve", "agent:support", "--search"], move: () => undefined };
  },
};

const otherPolicy = { "policies/strict.yaml": policyText(["other"]) };

describe.each(Object.keys(scenes))("%s where nobody can be asked", (name) => {
  test("shows what it would do, does nothing, and names the command that agrees", async () => {
    const { desk, words } = await open(name);
    const before = stateOf(desk);
    const text = await desk.run(...words);
    expect(text.code).toBe(2);
    expect(text.out).not.toBe("");
    const [, typed = ""] = /To agree to exactly this:\n\n {2}(agentform .*)\n/.exec(text.err) ?? [];
    expect(typed).toContain(`agentform ${words[0]}`);
    const shown = await desk.run(...words, "--format", "json");
    expect(shown.code).toBe(2);
    const { type, digest, command, summary } = confirmIn(shown);
    expect(type).toBe("confirm");
    expect(Object.values(summary).some((count) => count > 0)).toBe(true);
    expect(typed).toContain(digest);
    expect(command).toContain("json");
    expect(stateOf(desk)).toEqual(before);
    const [program, ...agreeing] = typed.split(" ");
    expect(program).toBe("agentform");
    expect(await desk.run(...agreeing)).toMatchObject({ code: 0 });
    expect(stateOf(desk)).not.toEqual(before);
  });

  test("agrees with the words of its own answer", async () => {
    const { desk, words } = await open(name);
    const { command } = confirmIn(await desk.run(...words, "--format", "json"));
    const done = await desk.run(...command.slice(1));
    expect(done.code).toBe(0);
    for (const line of linesOf(done)) expect(line["type"]).not.toBe("confirm");
  });

  test("refuses what it did not show, and changes nothing", async () => {
    const { desk, words, move } = await open(name);
    const { command } = confirmIn(await desk.run(...words, "--format", "json"));
    await move();
    const before = stateOf(desk);
    const other = [...words, "--expect", `sha256:${"0".repeat(64)}`];
    for (const typed of [other, ...(name.includes("search") ? [] : [command.slice(1)])]) {
      const refused = await desk.run(...typed);
      expect(refused.code).toBe(4);
      expect(refused.err).toContain("error[plan-moved]");
    }
    expect(stateOf(desk)).toEqual(before);
  });

  test("takes --yes, unless the manifest asks for the digest", async () => {
    const { desk, words } = await open(name);
    const manifest = fullManifest(desk.emulator.url).replace(
      "  service:\n",
      "  service:\n    confirm: digest\n",
    );
    desk.workspace.write({ "agentform.yaml": manifest });
    if (words.includes("plan.json")) await desk.run("plan", "--out", "plan.json");
    const before = stateOf(desk);
    const refused = await desk.run(...words, "--yes", "--format", "json");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("error[digest-needed]");
    expect(refused.err).toContain("agentform.yaml:");
    expect(refused.out).toContain("digest-needed");
    expect(stateOf(desk)).toEqual(before);
    const { command } = confirmIn(refused);
    expect(command).not.toContain("--yes");
    expect(await desk.run(...command.slice(1))).toMatchObject({ code: 0 });
    expect(stateOf(desk)).not.toEqual(before);
  });
});

test.each(["apply", "drift --write"])(
  "%s takes the digits of a digest alone, as they may be copied",
  async (name) => {
    const { desk, words } = await open(name);
    const { digest } = confirmIn(await desk.run(...words, "--format", "json"));
    const digits = digest.replace("sha256:", " ").toUpperCase();
    expect((await desk.run(...words, "--expect", `${digits}\n`)).code).toBe(0);
  },
);

test("the manifest without the demand for a digest is agreed to with a digest", async () => {
  const desk = await openFullDesk();
  const plain = desk.workspace.read("agentform.yaml");
  const asking = plain.replace("  service:\n", "  service:\n    confirm: digest\n");
  desk.workspace.write({ "agentform.yaml": asking });
  const { command: first } = confirmIn(await desk.run("apply", "--format", "json"));
  await desk.run(...first.slice(1));
  desk.workspace.write({ "agentform.yaml": plain, ...otherPolicy });
  const refused = await desk.run("apply", "--yes", "--format", "json");
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("error[digest-needed]");
  const { command } = confirmIn(refused);
  expect(await desk.run(...command.slice(1))).toMatchObject({ code: 0 });
  desk.workspace.write({ "policies/strict.yaml": policyText(["third"]) });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
});

test("the command that agrees keeps every word that was typed", async () => {
  const desk = await openFullDesk();
  const typed = [
    "-e",
    "default",
    "--var",
    "a=it's",
    "--target",
    "policy:strict",
    "--format=json",
    "--yes=no",
  ];
  expect(await desk.run("apply", ...typed)).toMatchObject({ code: 64 });
  const shown = await desk.run("apply", "--target", "policy:strict", "--concurrency=2", "--format=json");
  const { command, digest } = confirmIn(shown);
  expect(command).toEqual([
    ..."agentform apply --target policy:strict --concurrency 2 --format json --expect".split(" "),
    digest,
  ]);
});

test("the emulator in the process is not what the manifest protects", async () => {
  const desk = await openFullDesk();
  const manifest = fullManifest(desk.emulator.url).replace(
    "  service:\n",
    "  service:\n    confirm: digest\n",
  );
  desk.workspace.write({ "agentform.yaml": manifest });
  expect(await desk.run("apply", "--yes", "--emulator")).toMatchObject({ code: 0 });
});

async function open(name: string): Promise<Scene> {
  const scene = await scenes[name]?.();
  if (!scene) throw new Error(`there is no scene ${name}`);
  return scene;
}

function linesOf({ out }: Ran): Record<string, unknown>[] {
  try {
    return [JSON.parse(out) as Record<string, unknown>];
  } catch {
    return out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

function confirmIn(ran: Ran): Confirm {
  return linesOf(ran).at(-1) as unknown as Confirm;
}

// What the service has, and what the workspace knows of it.
function stateOf({ emulator, workspace }: Desk) {
  const files = ["agentform.lock", "agentform.lock.journal"];
  return { objects: emulator.objects(), files: files.map((file) => textOf(join(workspace.directory, file))) };
}

function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}
