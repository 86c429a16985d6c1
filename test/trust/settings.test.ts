import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sample, wholeTest } from "../harness/tier.js";
import { agentText, documents, manifestAt, openDesk, openEmulator, type Desk } from "../cli/desk.js";
import { runCommand } from "./run-command.js";

const env = { AGENT_API_KEY: "key", OTHER_KEY: "other", DESK_TOKEN: "token", PROVIDER_KEY: "provider" };

async function run({ workspace }: Desk, ...args: string[]) {
  return await runCommand(args, { cwd: workspace.directory, env });
}

interface PlanJson {
  readonly digest: string;
  readonly options: Record<string, unknown>;
  readonly notes: readonly { readonly code: string; readonly path?: string }[];
  readonly setting_changes?: readonly { readonly path: string }[];
  readonly actions: readonly Record<string, unknown>[];
}

async function planned(desk: Desk, ...args: string[]): Promise<PlanJson> {
  const { stdout, stderr } = await run(desk, "plan", "--format", "json", ...args);
  expect(stderr).not.toContain("error");
  return JSON.parse(stdout) as PlanJson;
}

/** A desk that was applied once, and a change of its agent that awaits its review. */
async function reviewed(): Promise<{ readonly desk: Desk; readonly digest: string }> {
  const desk = await openDesk();
  expect((await run(desk, "apply", "--yes")).code).toBe(0);
  desk.workspace.write({ "agents/support.yaml": agentText({ description: "Reviewed" }) });
  const { digest, setting_changes } = await planned(desk);
  expect(setting_changes).toBeUndefined();
  return { desk, digest };
}

function withSetting(url: string, setting: string): string {
  return manifestAt(url).replace("service: {", `service: {${setting}, `);
}

describe("a setting that comes with a reviewed change", () => {
  test.each(
    sample(
      "settings",
      [
        ["service.field_names.features", "field_names: {features: x_features}"],
        ["service.id_pointers.agent", "id_pointers: {agent: /name}"],
        ["service.rejected_statuses", "rejected_statuses: [500]"],
        ["service.tool_ids", "tool_ids: document_order"],
      ],
      2,
    ),
  )("moves the digest and stands above all else: %s", async (path, setting) => {
    const { desk, digest } = await reviewed();
    const { length } = desk.emulator.requests;
    desk.workspace.write({ "agentform.yaml": withSetting(desk.emulator.url, setting) });
    const plan = await planned(desk);
    expect(plan.digest).not.toBe(digest);
    expect(plan.setting_changes).toMatchObject([{ path }]);
    expect(plan.notes[0]).toMatchObject({ code: "setting-changed", path });
    expect((await run(desk, "apply", "--yes", "--expect", digest)).code).toBe(4);
    expect(desk.emulator.requests).toHaveLength(length);
    for (const format of ["text", "markdown", "html"]) {
      expect((await run(desk, "plan", "--format", format)).stdout).toContain(path);
    }
  });

  wholeTest("moves the digest where it is another key", async () => {
    const { desk, digest } = await reviewed();
    const manifest = manifestAt(desk.emulator.url).replace("AGENT_API_KEY", "OTHER_KEY");
    desk.workspace.write({ "agentform.yaml": manifest });
    expect((await planned(desk)).notes[0]).toMatchObject({ path: "service.api_key", effect: "widens" });
    expect((await run(desk, "apply", "--yes", "--expect", digest)).code).toBe(4);
  });

  wholeTest("is refused with a plan that was saved before it came", async () => {
    const { desk } = await reviewed();
    await run(desk, "plan", "--out", "plan.json");
    const { length } = desk.emulator.requests;
    desk.workspace.write({
      "agentform.yaml": withSetting(desk.emulator.url, "field_names: {features: x_features}"),
    });
    expect((await run(desk, "apply", "plan.json", "--yes")).code).toBe(4);
    expect(desk.emulator.requests).toHaveLength(length);
  });

  wholeTest("is a change by itself, fails --fail-on, and is shown once", async () => {
    const desk = await openDesk();
    await run(desk, "apply", "--yes");
    const { length } = desk.emulator.requests;
    desk.workspace.write({ "agentform.yaml": withSetting(desk.emulator.url, "rejected_statuses: [503]") });
    const plan = await run(desk, "plan", "--detailed-exitcode");
    expect(plan.code).toBe(2);
    expect(plan.stdout).toContain("Plan: 1 setting to record, 4 unchanged.");
    expect((await run(desk, "plan", "--fail-on", "weakens")).code).toBe(1);
    expect((await run(desk, "apply", "--yes")).code).toBe(0);
    expect(desk.emulator.requests).toHaveLength(length);
    expect((await run(desk, "plan", "--detailed-exitcode")).code).toBe(0);
  });
});

describe("an address that no apply has used", () => {
  const withRai = (url: string, rai: string) =>
    manifestAt(url).replace(/rai_base_url: "[^"]*", /, rai === "" ? "" : `rai_base_url: "${rai}", `);
  const policy = { "policies/strict.yaml": documents["policies/strict.yaml"] ?? "" };
  const provider = { "credentials/provider.yaml": documents["credentials/provider.yaml"] ?? "" };

  wholeTest("does not get the key when it comes beside the known one", async () => {
    const [desk, other] = [await openDesk(provider), await openEmulator()];
    desk.workspace.write({ "agentform.yaml": withRai(desk.emulator.url, "") });
    expect((await run(desk, "apply", "--yes")).code).toBe(0);
    desk.workspace.write({
      "agentform.yaml": withRai(desk.emulator.url, other.url),
      ...policy,
    });
    for (const command of [["plan"], ["apply", "--yes"], ["apply", "--yes", "--target", "policy:strict"]]) {
      const refused = await run(desk, ...command);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("service-moved");
      expect(refused.stderr).toContain(other.url);
    }
    expect(other.requests).toEqual([]);
    const plan = await planned(desk, "--service-moved");
    expect(plan.notes[0]).toMatchObject({ code: "setting-changed", path: "service.rai_base_url" });
  });

  wholeTest("does not get it by way of a manifest that names none for a while", async () => {
    const [desk, other] = [await openDesk(), await openEmulator()];
    await run(desk, "apply", "--yes");
    desk.workspace.write({ "agentform.yaml": withRai(desk.emulator.url, "") });
    expect((await run(desk, "apply", "--yes")).code).toBe(0);
    desk.workspace.write({ "agentform.yaml": withRai(desk.emulator.url, other.url) });
    const refused = await run(desk, "apply", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("service-moved");
    expect(other.requests).toEqual([]);
  });

  test("is refused at the known origin too, where it takes the place of the known one", async () => {
    const desk = await openDesk();
    await run(desk, "apply", "--yes");
    desk.workspace.write({ "agentform.yaml": manifestAt(`${desk.emulator.url}/tenant`) });
    expect((await run(desk, "plan")).stderr).toContain("service-moved");
  });
});

describe("a saved plan", () => {
  type Edit = (plan: PlanJson) => object;

  /** Writes a plan as somebody would who has the file and this program's sources, but not the workspace. */
  function forge({ workspace }: Desk, edit: Edit, digest?: string): void {
    const { checksum: _checksum, ...plan } = JSON.parse(workspace.read("plan.json"));
    const edited = { ...plan, ...edit(plan), ...(digest !== undefined && { digest }) };
    const checksum = `sha256:${createHash("sha256").update(canonical(edited)).digest("hex")}`;
    workspace.write({ "plan.json": JSON.stringify({ ...edited, checksum }) });
  }

  const other: Edit = ({ actions }) => ({
    actions: actions.map((action) => ({ ...action, body: { ...(action["body"] as object), name: "Evil" } })),
  });
  const hidden: Edit = ({ actions }) => ({ actions: actions.map((action) => ({ ...action, changes: [] })) });
  const moved: Edit = ({ options }) => ({ options: { ...options, service_moved: true } });
  const unread: Edit = ({ actions }) => ({ actions: actions.map((action) => ({ ...action, reads: {} })) });
  const counted: Edit = () => ({
    summary: {
      create: 0,
      update: 0,
      replace: 0,
      adopt: 0,
      forget: 0,
      record: 1,
      unknown: 0,
      blocked: 0,
      unchanged: 4,
    },
  });
  const elsewhere: Edit = () => ({ settings: { service: { base_url: "https://agents.example.com" } } });
  const quiet: Edit = () => ({ notes: [] });

  test.each(
    sample(
      "settings",
      [
        ["another body", other],
        ["differences that are hidden", hidden],
        ["an option of the command line", moved],
        ["no trust in the lock", unread],
        ["other counts", counted],
        ["other settings", elsewhere],
      ],
      2,
    ),
  )("is refused with %s, though its checksum fits and it says the reviewed digest", async (_, edit) => {
    const { desk, digest } = await reviewed();
    await run(desk, "plan", "--out", "plan.json");
    const { length } = desk.emulator.requests;
    forge(desk, edit, digest);
    for (const command of [
      ["apply", "plan.json", "--yes", "--expect", digest],
      ["apply", "plan.json", "--yes"],
      ["show", "plan.json"],
      ["show", "plan.json", "--format", "json"],
      ["comment", "--plan", "plan.json", "--on", "github"],
    ]) {
      const refused = await run(desk, ...command);
      expect(refused.code).toBe(1);
      // Whoever parses gets the diagnostics, and nothing of the plan.
      if (command.includes("json")) {
        expect(JSON.parse(refused.stdout)).toMatchObject({ diagnostics: [{ code: "plan-invalid" }] });
      } else expect(refused.stdout).toBe("");
      expect(refused.stderr).toContain("plan-invalid");
    }
    expect(desk.emulator.requests).toHaveLength(length);
  });

  test("shows its notes, or has another digest", async () => {
    const desk = await openDesk();
    await run(desk, "apply", "--yes");
    desk.workspace.write({ "agentform.yaml": withSetting(desk.emulator.url, "rejected_statuses: [503]") });
    await run(desk, "plan", "--out", "plan.json");
    forge(desk, quiet);
    expect((await run(desk, "show", "plan.json")).stderr).toContain("plan-invalid");
  });

  wholeTest("is applied as it was saved", async () => {
    const { desk, digest } = await reviewed();
    await run(desk, "plan", "--out", "plan.json");
    forge(desk, () => ({}));
    expect((await run(desk, "apply", "plan.json", "--yes", "--expect", digest)).code).toBe(0);
  });
});

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}
