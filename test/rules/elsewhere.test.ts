import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agentText, documents, openDesk, policyText, runIn } from "../cli/desk.js";
import { documentText } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";
import { ofSpec, ruleText } from "./rule-text.js";
import { wholeTest } from "../harness/tier.js";

const knownModels = (models: readonly string[]) =>
  ruleText("known-models", {
    for: { kind: "Agent" },
    effect: "error",
    message: "Agents use a model that we have tried.",
    document: ofSpec({ properties: { model: { enum: models } } }),
  });

const excused = (rule: string) => {
  const lifecycle = { except: [{ rule, reason: "It is tried this week." }] };
  return JSON.stringify({ ...(JSON.parse(agentText({ model: "huge-9" })) as object), lifecycle });
};

function organisation(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "agentform-rules-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

function commitAll(directory: string): void {
  needProgram("git");
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    ["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-qm", "before"],
  ])
    execFileSync("git", args, { cwd: directory, stdio: "pipe" });
}

test("an organisation's rules hold in validate, plan and apply, and excuse no document", async () => {
  const rules = organisation({
    "models.yaml": knownModels(["small-1"]).replace('{"enum":["small-1"]}', '{"$ref":"models.json#/tried"}'),
    "models.json": '{"tried": {"enum": ["small-1"]}}',
  });
  const desk = await openDesk({ ...documents, "agents/support.yaml": agentText({ model: "huge-9" }) });
  for (const command of [["validate"], ["plan"], ["apply", "--yes"]]) {
    const ran = await desk.run(...command, "--rules", rules);
    expect(ran.code, command[0]).toBe(1);
    expect(ran.out + ran.err).toContain("error[known-models]: Agents use a model that we have tried");
    expect(ran.out + ran.err).toContain("of the organisation");
  }
  desk.workspace.write({ "agents/support.yaml": excused("known-models") });
  const ran = await desk.run("validate", "--rules", rules);
  expect(ran.code).toBe(1);
  expect(ran.out).toContain("error[rule-unknown]: `known-models` is a rule of the organisation");
  expect(ran.out).toContain("error[known-models]");
  desk.workspace.write({ "rules/own.yaml": knownModels(["huge-9"]) });
  expect((await desk.run("validate", "--rules", rules)).out).toContain("error[document-duplicate]");
  expect((await desk.run("validate", "--rules", join(rules, "none"))).code).toBe(64);
});

test("who is excused from a note is excused from no rule that judges it, nor is a note less grave to an organisation", async () => {
  const noNote = (name: string, says: object) =>
    ruleText(name, {
      effect: "error",
      message: "No such note.",
      change: { properties: { notes: { items: { properties: says } } } },
    });
  const ofCode = { code: { not: { const: "policy-detached" } } };
  const ofEffect = { effect: { not: { const: "weakens" } } };
  const rules = organisation({
    "code.yaml": noNote("their-code", ofCode),
    "effect.yaml": noNote("their-effect", ofEffect),
  });
  const desk = await openDesk({
    ...documents,
    "rules/code.yaml": noNote("our-code", ofCode),
    "rules/effect.yaml": noNote("our-effect", ofEffect),
  });
  expect((await desk.run("apply", "--yes", "--rules", rules)).code).toBe(0);
  const refusals = async () => {
    const { err } = await desk.run("plan", "--rules", rules);
    return [...err.matchAll(/error\[(.*?)\]/g)].map(([, code]) => code).toSorted();
  };
  const detached = JSON.parse(agentText({ features: [] })) as object;
  const lifecycle = { except: [{ rule: "policy-detached", reason: "It is tried." }] };
  desk.workspace.write({ "agents/support.yaml": JSON.stringify({ ...detached, lifecycle }) });
  expect(await refusals()).toEqual(["our-code", "our-effect", "their-code", "their-effect"]);
  const manifest = desk.workspace.read("agentform.yaml");
  desk.workspace.write({
    "agents/support.yaml": JSON.stringify(detached),
    "agentform.yaml": `${manifest}  notes: {policy-detached: review}\n`,
  });
  expect(await refusals()).toEqual(["our-code", "their-code", "their-effect"]);
});

test("an organisation's rules are told what is wrong with them at their place, and read nothing beside their folder", async () => {
  const desk = await openDesk(documents);
  const rules = organisation({ "a.yaml": knownModels([]).replace('"enum"', '"enumm"'), "b.yaml": "kind: [" });
  const broken = await desk.run("validate", "--rules", rules);
  expect(broken.code).toBe(1);
  expect(broken.out).toContain("error[rule-invalid]: unknown keyword `enumm`");
  expect(broken.out).toMatch(/a\.yaml:1:\d+/);
  expect(broken.out).toContain("error[yaml-syntax]");
  const outside = organisation({
    "a.yaml": knownModels([]).replace('{"enum":[]}', '{"$ref":"../secret.json"}'),
  });
  const refused = await desk.run("validate", "--rules", outside);
  expect(refused.code).toBe(1);
  expect(refused.out).toContain("error[file-missing]");
  const secret = organisation({ "secret.json": '{"enum": ["a secret"]}' });
  symlinkSync(join(secret, "secret.json"), join(outside, "link.json"));
  const linked = await desk.run("validate", "--rules", outside);
  expect(linked).toMatchObject({
    code: 64,
    err: expect.stringContaining("link.json is a link that leads out"),
  });
});

test("a folder without a rule is refused: one that is empty, one of other documents, and the one of an empty name", async () => {
  const desk = await openDesk(documents);
  const others = {
    "agent.yaml": agentText({}),
    "Rule.json": '{"kind": 1}',
    "Rule.md": "kind: Rule",
    "none.yaml": "# kind: Rule\npattern: '\\d'\n",
  };
  for (const folder of [organisation({}), organisation(others), ""]) {
    const ran = await desk.run("validate", "--rules", folder);
    expect(ran, folder).toMatchObject({ code: 64, err: expect.stringContaining("it has no rule") });
  }
});

test("a rule in a file that is not read as YAML is refused, as it would judge nothing", async () => {
  const desk = await openDesk(documents);
  for (const file of ["more.json", "more.yaml.txt"]) {
    const rules = organisation({ "models.yaml": knownModels(["small-1"]), [file]: ruleText("more", {}) });
    const ran = await desk.run("validate", "--rules", rules);
    expect(ran, file).toMatchObject({
      code: 64,
      err: expect.stringContaining(`${file} is a rule, and is only read`),
    });
  }
});

test("a file of an organisation's rules that is no text is refused, as a rule may be in it", async () => {
  const desk = await openDesk(documents);
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12\n`;
  for (const [content, said] of [
    [Buffer.from(ruleText("more", {}), "utf16le"), "contains a NUL character"],
    [Buffer.from(`# \xff\n${ruleText("more", {})}`, "latin1"), "is not UTF-8"],
    [pointer, "is a pointer of Git LFS"],
  ] as const) {
    const rules = organisation({ "models.yaml": knownModels(["small-1"]) });
    writeFileSync(join(rules, "more.yaml"), content);
    const ran = await desk.run("validate", "--rules", rules);
    expect(ran, said).toMatchObject({ code: 64, err: expect.stringContaining(`more.yaml\` ${said}`) });
  }
});

test("a rule of an organisation whose kind is misspelt is told, and what rules refer to is none", async () => {
  const desk = await openDesk(documents);
  const rule = knownModels(["small-1"]).replace('{"enum":["small-1"]}', '{"$ref":"models.yaml#/tried"}');
  const models = {
    "models.yaml": "tried: {enum: [small-1]}\nkind: tried\n",
    "agent.yaml": agentText({}),
    "role.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n",
  };
  const sound = organisation({ "rule.yaml": rule, ...models });
  expect((await desk.run("validate", "--rules", sound)).code).toBe(0);
  for (const [kind, said, apiVersion = "agentform/v1"] of [
    ["Rules", "the kind `Rules` is unknown"],
    ["rule", "the kind `rule` is unknown"],
    ["Guard", "the kind `Guard` is unknown"],
    [undefined, "`kind` is missing"],
    ["Rules", "the kind `Rules` is unknown", "agentfrom/v1"],
  ]) {
    const other = JSON.stringify({ ...(JSON.parse(knownModels([])) as object), apiVersion, kind });
    const ran = await desk.run(
      "validate",
      "--rules",
      organisation({ "rule.yaml": rule, "other.yaml": other, ...models }),
    );
    expect([ran.code, ran.out]).toEqual([1, expect.stringContaining(`error[document-kind]: ${said}`)]);
  }
});

test("an organisation's rules may be links within their folder, as a mounted one has them", async () => {
  const desk = await openDesk({ ...documents, "agents/support.yaml": agentText({ model: "huge-9" }) });
  const rules = organisation({});
  mkdirSync(join(rules, "..data"));
  writeFileSync(join(rules, "..data/models.yaml"), knownModels(["small-1"]));
  symlinkSync("..data/models.yaml", join(rules, "models.yaml"));
  expect((await desk.run("validate", "--rules", rules)).out).toContain("error[known-models]");
  symlinkSync("..data", join(rules, "more"));
  const folder = await desk.run("validate", "--rules", rules);
  expect(folder).toMatchObject({ code: 64, err: expect.stringContaining("more is a link to a folder") });
});

test("the digest covers rules: a plan that was reviewed without them is not the one that is applied", async () => {
  const rules = organisation({ "models.yaml": knownModels(["small-1"]) });
  const desk = await openDesk({ ...documents, "agents/support.yaml": agentText({ model: "small-1" }) });
  const digestOf = async (...more: string[]) =>
    (JSON.parse((await desk.run("plan", "--format", "json", ...more)).out) as { digest: string }).digest;
  const without = await digestOf();
  const [withOrganisation, again] = [await digestOf("--rules", rules), await digestOf("--rules", rules)];
  expect(withOrganisation).toBe(again);
  expect(withOrganisation).not.toBe(without);
  expect((await desk.run("apply", "--expect", withOrganisation)).code).toBe(4);
  expect((await desk.run("apply", "--expect", withOrganisation, "--rules", rules)).code).toBe(0);
});

test("a rule that is added, changed or removed is in the plan before everything else", async () => {
  const desk = await openDesk({ ...documents, "agents/support.yaml": agentText({ model: "small-1" }) });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const firstNote = async () => {
    const edited = agentText({ model: "small-1", features: [] });
    desk.workspace.write({ "agents/support.yaml": edited });
    const { out } = await desk.run("plan", "--format", "json");
    const [first] = (JSON.parse(out) as { notes: { code: string; effect: string; path: string }[] }).notes;
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-1" }) });
    return [first?.code, first?.effect, first?.path];
  };
  desk.workspace.write({ "rules/models.yaml": knownModels(["small-1"]) });
  const { out } = await desk.run("plan", "--format", "json");
  expect(JSON.parse(out)).toMatchObject({
    notes: [{ code: "setting-changed", effect: "review", path: "rules.known-models" }],
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect((await desk.run("plan", "--detailed-exitcode")).code).toBe(0);
  desk.workspace.write({ "rules/models.yaml": knownModels(["small-1", "huge-9"]) });
  expect(await firstNote()).toEqual(["setting-changed", "weakens", "rules.known-models.document"]);
  desk.workspace.remove("rules/models.yaml");
  expect(await firstNote()).toEqual(["setting-changed", "weakens", "rules.known-models"]);
});

test("the plan shows a changed schema as what it is, and what is empty in it is not missing", async () => {
  const rule = (document: object) => ({
    "rules/own.yaml": JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "Rule",
      metadata: { name: "own" },
      spec: { effect: "review", message: "As it must be", document },
    }),
  });
  const [before, after] = [{ not: { not: {} } }, { not: { not: {}, required: [] } }];
  const desk = await openDesk({ ...documents, ...rule(before) });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write(rule(after));
  const { out } = await desk.run("plan", "--format", "json");
  const path = "rules.own.document";
  expect(JSON.parse(out)).toMatchObject({ setting_changes: [{ path, before, after }] });
});

test("the rules of the commit before a change hold beside those of the change", async () => {
  const desk = await openDesk({
    ...documents,
    "agents/support.yaml": agentText({ model: "small-1" }),
    "rules/models.yaml": knownModels([]).replace('{"enum":[]}', '{"$ref":"../shared/models.json#/tried"}'),
    "shared/models.json": '{"tried": {"enum": ["small-1"]}}',
  });
  commitAll(desk.workspace.directory);
  expect((await desk.run("validate", "--rules-from", "HEAD")).code).toBe(0);
  desk.workspace.remove("rules/models.yaml");
  desk.workspace.write({ "agents/support.yaml": agentText({ model: "huge-9" }) });
  expect((await desk.run("validate")).code).toBe(0);
  const removed = await desk.run("plan", "--rules-from", "HEAD");
  expect(removed.code).toBe(1);
  expect(removed.err).toContain("error[known-models]");
  expect(removed.err).toContain("as it was before the change");
  desk.workspace.write({ "rules/models.yaml": knownModels(["huge-9"]) });
  const loosened = await desk.run("apply", "--yes", "--rules-from", "HEAD");
  expect(loosened.code).toBe(1);
  expect(loosened.err).toContain("error[known-models]");
  expect((await desk.run("validate", "--rules-from", "nowhere")).code).toBe(64);
});

test("a rule of the commit before for one environment holds for it under a new name, and for no other", async () => {
  const rule = (environment: string) => ({
    "rules/models.yaml": knownModels(["small-1"]).replace(
      '"kind":"Agent"',
      `$&,"environments":["${environment}"]`,
    ),
  });
  const desk = await openDesk({ ...documents, "agents/support.yaml": agentText({ model: "small-1" }) });
  const manifest = desk.workspace.read("agentform.yaml");
  const environments = (...names: readonly string[]) => ({
    "agentform.yaml": `${manifest}  environments: {${names.map((name) => `${name}: {}`).join(", ")}}\n`,
  });
  desk.workspace.write({ ...environments("live", "trial"), ...rule("live") });
  commitAll(desk.workspace.directory);
  const said = async () => {
    const { out } = await desk.run("validate", "-e", "trial", "--rules-from", "HEAD");
    expect(out).not.toContain("known-models");
    return (await desk.run("validate", "--rules-from", "HEAD")).out.match(/error\[[a-z-]+\]/g);
  };
  desk.workspace.write({ ...environments("production", "trial"), ...rule("production") });
  expect(await said()).toBeNull();
  desk.workspace.write({ "agents/support.yaml": agentText({ model: "huge-9" }) });
  expect(await said()).toEqual(["error[known-models]"]);
  desk.workspace.remove("rules/models.yaml");
  expect(await said()).toEqual(["error[known-models]"]);
  desk.workspace.write(environments("trial"));
  expect(await said()).toBeNull();
});

test("a rule of the commit before for one environment holds for one of an earlier change that gets its state", async () => {
  const desk = await openDesk({
    ...documents,
    "agents/support.yaml": agentText({ model: "small-1" }),
    "rules/models.yaml": knownModels(["small-1"]).replace('"kind":"Agent"', '$&,"environments":["live"]'),
  });
  const manifest = desk.workspace.read("agentform.yaml");
  const write = (environments: string) =>
    desk.workspace.write({ "agentform.yaml": `${manifest}  environments: {${environments}}\n` });
  write("live: {}");
  expect(await desk.run("apply", "-e", "live", "--yes")).toMatchObject({ code: 0 });
  write("live: {}, production: {}");
  commitAll(desk.workspace.directory);

  write("production: {}");
  desk.workspace.remove("rules/models.yaml");
  desk.workspace.write({ "agents/support.yaml": agentText({ model: "huge-9" }) });
  const moved = await desk.run("lock", "move", "--from-environment", "live", "-e", "production");
  expect(moved).toMatchObject({ code: 0 });
  const { out } = await desk.run("validate", "-e", "production", "--rules-from", "HEAD");
  expect(out).toContain("error[known-models]");
});

test("a rule of the commit before holds in a workspace of an earlier change that gets the state of another", async () => {
  const { emulator, workspace, run } = await openDesk({});
  const manifest = workspace.read("agentform.yaml");
  workspace.remove("agentform.yaml");
  const writeIn = (folder: string, files: Readonly<Record<string, string>>) =>
    workspace.write(
      Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text])),
    );
  writeIn("desk", {
    ...documents,
    "agentform.yaml": manifest,
    "agents/support.yaml": agentText({ model: "small-1" }),
    "rules/models.yaml": knownModels(["small-1"]),
  });
  expect(await run("apply", "-C", "desk", "--yes")).toMatchObject({ code: 0 });
  workspace.write({ "counter/agentform.yaml": renamed(manifest) });
  commitAll(workspace.directory);
  const sent = emulator.requests.length;

  const state = workspace.read("desk/agentform.lock");
  writeIn("counter", {
    ...documents,
    "agentform.lock": state,
    "agents/support.yaml": agentText({ model: "huge-9" }),
  });
  rmSync(join(workspace.directory, "desk"), { recursive: true });
  const moved = await run("lock", "move", "-C", "counter", "--from-workspace", "desk");
  expect(moved).toMatchObject({ code: 0 });
  const refused = await run("apply", "-C", "counter", "--rules-from", "HEAD", "--yes");
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining("error[known-models]") as string,
  });
  expect(emulator.requests).toHaveLength(sent);
});

test("a change that raises the effect of a rule is judged with both effects", async () => {
  const rule = (effect: string) => ({
    "rules/settled.yaml": documentText("Rule", "settled", {
      for: { kind: "Policy" },
      effect,
      message: "Policies stay.",
      change: { properties: { action: { const: "create" } } },
    }),
  });
  const desk = await openDesk({ ...documents, ...rule("review") });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  commitAll(desk.workspace.directory);
  desk.workspace.write({ ...rule("weakens"), "policies/strict.yaml": policyText(["weapons", "drugs"]) });
  const { code, out } = await desk.run("plan", "--rules-from", "HEAD", "--fail-on", "weakens");
  expect(out).toMatch(/^ {2}! weakens .*policy:strict .*\[settled\]$/m);
  expect(out).toMatch(/^ {2}! review .*policy:strict .*\[settled\]$/m);
  expect(code).toBe(1);
});

const same = (text: string) => text;
const renamed = (text: string) => text.replace("name: desk", "name: counter");
const rewritten = (text: string) => `${text}${"# Nothing of before.\n".repeat(99)}`;
const inGit = (text: string) => `${text}  lock: {store: git}\n`;
const other = (text: string) => text.replace("name: desk", "name: kiosk");

const lock = (workspace: string, lineage = "one") =>
  JSON.stringify({ workspace, lineage, more: "-".repeat(200) }, null, 2);

interface Beside {
  readonly hasState?: "moved" | "copied" | "edited";
  readonly isUnstaged?: true;
  /** The manifest that is left in the place of the one that moves. */
  readonly kept?: (text: string) => string;
  /** A manifest that is there before, by its file, and what becomes of it. */
  readonly there?: readonly [file: string, before: (text: string) => string, after: (text: string) => string];
}

test.each<readonly [how: string, edit: (text: string) => string, beside: Beside]>([
  ["as it is", same, {}],
  ["with a manifest of other words", rewritten, {}],
  ["with another name", renamed, {}],
  ["with another name and a manifest of other words", (text) => rewritten(renamed(text)), {}],
  ["and leaves another one in its place", same, { kept: other }],
  ["with its state, and leaves its manifest", same, { hasState: "moved", kept: same }],
  ["with its state on a ref, and leaves its manifest", inGit, { kept: inGit }],
  ["with its state and another name, and leaves its manifest", renamed, { hasState: "moved", kept: same }],
  ["with its state under another lineage", renamed, { hasState: "edited", kept: same }],
  ["with another name, of which git is not told", renamed, { isUnstaged: true }],
  ["with a copy of its state and another name", renamed, { hasState: "copied", kept: same }],
  ["into the folder of another one", same, { there: ["teams/desk/agentform.yaml", other, same] }],
  ["beside one of its name that is edited", same, { there: ["a/agentform.yaml", same, rewritten] }],
])("the rules of the commit before hold for a workspace that moves %s", async (_how, edit, beside) => {
  const desk = await openDesk({
    ...documents,
    "agents/support.yaml": agentText({ model: "huge-9" }),
    "rules/models.yaml": knownModels(["small-1"]),
  });
  const { directory } = desk.workspace;
  const manifest = desk.workspace.read("agentform.yaml");
  const [file, before, after] = beside.there ?? [];
  if (beside.hasState) desk.workspace.write({ "agentform.lock": lock("desk") });
  if (file && before) desk.workspace.write({ [file]: before(manifest) });
  commitAll(directory);
  desk.workspace.remove("rules/models.yaml");
  if (file && after) desk.workspace.write({ [file]: after(manifest) });
  const folder = moveTo("teams/desk", directory);
  writeFileSync(join(folder, "agentform.yaml"), edit(manifest));
  if (beside.kept) desk.workspace.write({ "agentform.yaml": beside.kept(manifest) });
  if (beside.hasState === "copied") {
    desk.workspace.write({ "agentform.lock": lock("desk") });
    writeFileSync(join(folder, "agentform.lock"), lock("counter"));
  }
  if (beside.hasState === "edited") writeFileSync(join(folder, "agentform.lock"), lock("counter", "two"));
  if (!beside.isUnstaged) execFileSync("git", ["add", "--all"], { cwd: directory, stdio: "pipe" });
  expect((await runIn(folder, ["validate"])).code).toBe(0);
  const moved = await runIn(folder, ["validate", "--rules-from", "HEAD"]);
  expect(moved.code).toBe(1);
  expect(moved.out).toContain("error[known-models]");
  expect(moved.out).toContain("as it was before the change");
});

function moveTo(path: string, directory: string): string {
  const folder = join(directory, path);
  mkdirSync(folder, { recursive: true });
  for (const name of [
    "agentform.yaml",
    "agentform.lock",
    "agents",
    "policies",
    "toolsets",
    "credentials",
    "openapi",
  ])
    if (existsSync(join(directory, name))) renameSync(join(directory, name), join(folder, name));
  return folder;
}

test("a workspace that takes the name of another is judged by what was an error in either", async () => {
  const desk = await openDesk({ ...documents, "agents/support.yaml": agentText({ model: "small-1" }) });
  const { directory } = desk.workspace;
  const manifest = desk.workspace.read("agentform.yaml");
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write({
    "agentform.yaml": `${manifest}  notes: {model-changed: error}\n`,
    "apps/agentform.yaml": `${other(manifest)}  notes: {policy-detached: error}\n`,
  });
  commitAll(directory);
  const folder = moveTo("apps", directory);
  writeFileSync(join(folder, "agentform.yaml"), manifest);
  for (const edited of [{ model: "huge-9" }, { model: "small-1", features: [] }]) {
    writeFileSync(join(folder, "agents/support.yaml"), agentText(edited));
    execFileSync("git", ["add", "--all"], { cwd: directory, stdio: "pipe" });
    expect((await runIn(folder, ["plan"])).code).toBe(0);
    const { code, err } = await runIn(folder, ["plan", "--rules-from", "HEAD"]);
    expect([code, err]).toEqual([1, expect.stringContaining("as it was before the change, makes this note")]);
  }
});

test("a new workspace is not judged by the rules of one that only moves or gets another name", async () => {
  const desk = await openDesk({
    ...documents,
    "agents/support.yaml": agentText({ model: "small-1" }),
    "rules/models.yaml": knownModels(["small-1"]),
  });
  const { directory } = desk.workspace;
  const manifest = desk.workspace.read("agentform.yaml");
  desk.workspace.write({
    "apps/agentform.yaml": other(manifest),
    "apps/rules/models.yaml": knownModels(["tiny-1"]),
  });
  commitAll(directory);
  moveTo("teams/desk", directory);
  desk.workspace.write({
    "apps/agentform.yaml": manifest.replace("name: desk", "name: stand"),
    "teams/new/agentform.yaml": renamed(manifest),
    "teams/new/agents/support.yaml": documentText("Agent", "support", { name: "Support", model: "huge-9" }),
  });
  execFileSync("git", ["add", "--all"], { cwd: directory, stdio: "pipe" });
  const ran = await runIn(join(directory, "teams/new"), ["validate", "--rules-from", "HEAD"]);
  expect(ran).toMatchObject({ code: 0 });
  const moved = await runIn(join(directory, "teams/desk"), ["validate", "--rules-from", "HEAD"]);
  expect(moved).toMatchObject({ code: 0 });
});

test("a new workspace is not judged by the rules of one of its name that stays where it is", async () => {
  const desk = await openDesk({ ...documents, "rules/models.yaml": knownModels(["small-1"]) });
  const { directory } = desk.workspace;
  commitAll(directory);
  desk.workspace.write({
    "teams/new/agentform.yaml": desk.workspace.read("agentform.yaml"),
    "teams/new/agents/support.yaml": documentText("Agent", "support", { name: "Support", model: "huge-9" }),
  });
  execFileSync("git", ["add", "--all"], { cwd: directory, stdio: "pipe" });
  const ran = await runIn(join(directory, "teams/new"), ["validate", "--rules-from", "HEAD"]);
  expect(ran).toMatchObject({ code: 0 });
});

wholeTest(
  "what the manifest of the commit before makes an error stays one for the change that takes it away",
  async () => {
    const desk = await openDesk({ ...documents, "agents/support.yaml": agentText({ model: "small-1" }) });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const manifest = desk.workspace.read("agentform.yaml");
    desk.workspace.write({ "agentform.yaml": `${manifest}  notes: {model-changed: error}\n` });
    commitAll(desk.workspace.directory);
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "huge-9" }) });
    for (const notes of ["", "  notes: {model-changed: review}\n"]) {
      desk.workspace.write({ "agentform.yaml": `${manifest}${notes}` });
      expect((await desk.run("plan")).code).toBe(0);
      for (const command of [["plan"], ["apply", "--yes"]]) {
        const ran = await desk.run(...command, "--rules-from", "HEAD");
        expect(ran.code).toBe(1);
        expect(ran.err).toContain("error[model-changed]: agent:support: ");
        expect(ran.err).toContain("as it was before the change");
      }
    }
  },
);

const graver: readonly (readonly [before: string, now: string, effects: Readonly<Record<string, string>>])[] =
  [
    [
      "{policy-detached: review, model-changed: widens}",
      "",
      { "policy-detached": "weakens", "model-changed": "widens" },
    ],
    [
      "",
      "{policy-detached: review, model-changed: widens}",
      { "policy-detached": "weakens", "model-changed": "widens" },
    ],
    [
      "{policy-detached: review}",
      "{policy-detached: review}",
      { "policy-detached": "review", "model-changed": "review" },
    ],
  ];

test.each(graver)(
  "of notes %s in the commit before and notes %s in the change the graver hold",
  async (before, now, expected) => {
    const desk = await openDesk({ ...documents, "agents/support.yaml": agentText({ model: "small-1" }) });
    const manifest = desk.workspace.read("agentform.yaml");
    const withNotes = (notes: string) => (notes === "" ? manifest : `${manifest}  notes: ${notes}\n`);
    desk.workspace.write({ "agentform.yaml": withNotes(before) });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    commitAll(desk.workspace.directory);
    desk.workspace.write({
      "agentform.yaml": withNotes(now),
      "agents/support.yaml": agentText({ model: "huge-9", features: [] }),
    });
    const { out } = await desk.run("plan", "--rules-from", "HEAD", "--format", "json");
    const { notes } = JSON.parse(out) as { notes: { code: string; effect: string }[] };
    const found = notes.filter(({ code }) => code !== "setting-changed");
    expect(Object.fromEntries(found.map(({ code, effect }) => [code, effect]))).toEqual(expected);
  },
);

const written: readonly (readonly [how: string, edit: (text: string) => string])[] = [
  ["an anchor", (text) => text.replace('"Rule"', "&kind Rule")],
  ["a tag", (text) => text.replace('"Rule"', "!!str Rule")],
  ["escapes", (text) => text.replace('"Rule"', '"Rul\\x65"')],
  [
    "an escaped reference",
    (text) => text.replace('"$ref"', '"\\x24ref"').replace("models.json", "model\\x73.json"),
  ],
];

test.each(written)("a rule of the commit before holds where it is written with %s", async (_how, edit) => {
  const desk = await openDesk({
    ...documents,
    "agents/support.yaml": agentText({ model: "huge-9" }),
    "rules/models.yaml": edit(
      knownModels([]).replace('{"enum":[]}', '{"$ref":"../shared/models.json#/tried"}'),
    ),
    "shared/models.json": '{"tried": {"enum": ["small-1"]}}',
  });
  commitAll(desk.workspace.directory);
  expect((await desk.run("validate")).out).toContain("error[known-models]");
  desk.workspace.remove("rules/models.yaml");
  expect((await desk.run("validate")).code).toBe(0);
  expect((await desk.run("validate", "--rules-from", "HEAD")).out).toContain("as it was before the change");
});

test.each([
  ["rules/models.yaml", "../kept/models.yaml"],
  ["rules", "kept"],
])("a rule of the commit before holds also where %s was a link to %s", async (link, target) => {
  const desk = await openDesk({
    ...documents,
    "agents/support.yaml": agentText({ model: "huge-9" }),
    "kept/models.yaml": knownModels(["small-1"]),
  });
  const at = join(desk.workspace.directory, link);
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(target, at);
  commitAll(desk.workspace.directory);
  expect((await desk.run("validate")).out).toContain("error[known-models]");
  rmSync(at);
  expect((await desk.run("validate")).code).toBe(0);
  expect((await desk.run("validate", "--rules-from", "HEAD")).out).toContain("as it was before the change");
});

const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
const refers = (file: string) => knownModels([]).replace('{"enum":[]}', JSON.stringify({ $ref: file }));
const submodule = `160000,${"1".repeat(40)}`;

test.each<[how: string, files: Readonly<Record<string, string>>, entries: readonly string[], what: string]>([
  ["a submodule", {}, [`${submodule},rules`], "`rules` of `HEAD` is a submodule"],
  ["in a submodule below", {}, [`${submodule},rules/ours`], "`rules/ours` of `HEAD` is a submodule"],
  [
    "a link into a submodule",
    { target: "vendor/rules" },
    [`${submodule},vendor`, "120000,target,rules"],
    "`vendor` of `HEAD` is a submodule",
  ],
  [
    "rules that refer to one",
    { "rules/models.yaml": refers("../vendor/models.json") },
    [`${submodule},vendor`],
    "`vendor` of `HEAD` is a submodule",
  ],
  [
    "a pointer of Git LFS",
    { "rules/models.yaml": pointer },
    [],
    "`rules/models.yaml` of `HEAD` is a pointer of Git LFS",
  ],
  [
    "a pointer of an older Git LFS, among many blank lines",
    { "rules/models.yaml": `\n ${pointer.replace("git-lfs.", "hawser.")}${"\n".repeat(2000)}` },
    [],
    "`rules/models.yaml` of `HEAD` is a pointer of Git LFS",
  ],
  [
    "rules that refer to such a pointer",
    { "rules/models.yaml": refers("../models.json"), "models.json": pointer },
    [],
    "`models.json` of `HEAD` is a pointer of Git LFS",
  ],
  [
    "no object of this clone",
    {},
    [`100644,${"2".repeat(40)},rules/models.yaml`],
    "`rules/models.yaml` of `HEAD` is not in this clone",
  ],
])("rules of the commit before that cannot be read are an error: %s", async (_how, files, entries, what) => {
  const desk = await openDesk(documents);
  const { directory } = desk.workspace;
  commitAll(directory);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
      cwd: directory,
      encoding: "utf8",
    }).trim();
  desk.workspace.write(files);
  for (const file of Object.keys(files)) git("add", file);
  for (const entry of entries) {
    const [mode, id = "", path] = entry.split(",");
    git(
      "update-index",
      "--add",
      "--cacheinfo",
      `${mode},${id === "target" ? git("hash-object", id) : id},${path}`,
    );
  }
  const tree = git("write-tree", "--missing-ok");
  git("update-ref", "HEAD", git("commit-tree", tree, "-m", "before"));
  for (const file of Object.keys(files)) desk.workspace.remove(file);
  expect((await desk.run("validate")).code).toBe(0);
  for (const command of ["validate", "plan"]) {
    const ran = await desk.run(command, "--rules-from", "HEAD");
    expect(ran.code).toBe(1);
    expect(ran.out + ran.err).toContain(`${what}, so the rules in it cannot hold for the change after it`);
  }
});

test("a submodule and a pointer of Git LFS that hold no documents are no matter of the rules", async () => {
  const desk = await openDesk({ ...documents, "media/logo.svg": pointer });
  commitAll(desk.workspace.directory);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
      cwd: desk.workspace.directory,
    });
  git("update-index", "--add", "--cacheinfo", `${submodule},vendor`);
  git("commit", "-qm", "with a submodule");
  expect((await desk.run("validate", "--rules-from", "HEAD")).code).toBe(0);
});

test("findings of rules are in SARIF, in annotations and in the report of GitLab under the rule's name", async () => {
  const desk = await openDesk({
    ...documents,
    "agents/support.yaml": agentText({ model: "huge-9" }),
    "rules/models.yaml": knownModels(["small-1"]),
  });
  const { out: sarif } = await desk.run("validate", "--format", "sarif");
  expect(JSON.parse(sarif)).toMatchObject({
    runs: [{ results: [{ ruleId: "known-models", level: "error" }] }],
  });
  expect((await desk.run("validate", "--format", "github")).out).toMatch(/^::error .*known-models/m);
  expect((await desk.run("validate", "--format", "gitlab")).out).toContain('"check_name": "known-models"');
});
