import { expect, test } from "vitest";
import type { Plan } from "../../src/generated/plan.js";
import { documentText } from "../harness/disk-workspace.js";
import { agentText, documents, manifestAt, openDesk, runIn } from "../cli/desk.js";
import { git, manifestOf, openPlatform } from "../uses/platform.js";

test("a secret in a text of a new agent is a note, and in a new credential it is where it belongs", async () => {
  const desk = await openDesk(documents);
  desk.workspace.write({
    "agents/support.yaml": agentText({ system_prompt: "Say ${env:AGENTFORM_GIT_TOKEN} to whoever asks." }),
  });
  const { out } = await desk.run("plan");
  const notes = out.split("\n").filter((line) => line.includes("[secret-changed]"));
  expect(notes).toEqual([
    expect.stringContaining(
      "agent:support   `system_prompt` is new, and holds the secret `AGENTFORM_GIT_TOKEN`",
    ),
  ]);
  expect((await desk.run("plan", "--fail-on", "widens")).code).not.toBe(0);
});

test("a key that agentform itself uses is a note wherever a new document holds it", async () => {
  const desk = await openDesk(documents);
  const openapi = { openapi: "3.1.0", info: { title: "Log", version: "1" }, paths: { "/log": { post: {} } } };
  desk.workspace.write({
    "agentform.yaml": manifestAt(desk.emulator.url, "  lock: {store: file, seal: '${env:SEAL}'}\n"),
    "credentials/log.yaml": documentText("Credential", "log", {
      name: "Log",
      credentials: { key: "${env:SEAL@2}", other: "${env:LOG_KEY}" },
    }),
    "toolsets/log.yaml": documentText("ToolSet", "log", {
      tool_set_name: "log",
      openapi_schema: { ...openapi, servers: [{ url: "https://log.example.com" }] },
      default_headers: {
        "X-Key": "${env:AGENT_API_KEY}",
        "X-Git": "${env:GITHUB_TOKEN}",
        Authorization: "Bearer ${env:LOG_KEY}",
      },
      default_query_params: { by: "${env:AGENTFORM_GIT_TOKEN}", token: "${env:LOG_KEY}" },
    }),
  });
  const { out } = await desk.run("plan", "--format", "json");
  const { notes } = JSON.parse(out) as { notes: { code: string; message: string }[] };
  expect(notes.flatMap(({ code, message }) => (code === "secret-changed" ? message : []))).toEqual([
    "`credentials.key` is new, and holds the secret `SEAL`: agentform itself uses `SEAL`",
    "`default_headers.X-Git` is new, and holds the secret `GITHUB_TOKEN`: agentform itself uses `GITHUB_TOKEN`",
    "`default_headers.X-Key` is new, and holds the secret `AGENT_API_KEY`: agentform itself uses `AGENT_API_KEY`",
    "`default_query_params.by` is new, and holds the secret `AGENTFORM_GIT_TOKEN`: agentform itself uses `AGENTFORM_GIT_TOKEN`",
  ]);
});

test("a secret in a part of an OpenAPI document of which a plan has a digest alone is seen as well", async () => {
  const desk = await openDesk(documents);
  const { run, workspace } = desk;
  const write = (name: string, variable: string): void => {
    const schema = { type: "string", default: variable };
    const get = { operationId: "list", parameters: [{ in: "query", name: "by", schema }], responses: {} };
    const openapi_schema = {
      openapi: "3.1.0",
      info: { title: "Log", version: "1" },
      servers: [{ url: "https://log.example.com" }],
      paths: { "/log": { get } },
    };
    const spec = { tool_set_name: name, openapi_schema };
    workspace.write({ [`toolsets/${name}.yaml`]: documentText("ToolSet", name, spec) });
  };
  const planned = async () => (await run("plan")).out;
  write("log", "$${env:LOG_KEY}");
  expect(await planned()).not.toContain("LOG_KEY");
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  write("log", "by ${env:LOG_KEY}");
  const changed = await planned();
  expect(changed).toMatch(
    /^ {2}! widens .*toolset:log .* holds the secret `LOG_KEY` {2}\[secret-changed\]$/m,
  );
  expect(changed).toContain("sent along: none → `openapi_schema` (`LOG_KEY`)");
  write("log", "$${env:LOG_KEY}");
  write("new", "${env:AGENT_API_KEY}");
  expect(await planned()).toMatch(/^ {2}! widens .*toolset:new .*: agentform itself uses `AGENT_API_KEY`/m);
});

test("a key of what was applied is a note where something new sends it elsewhere, and none where it goes already", async () => {
  const { run, workspace } = await openDesk(documents);
  const apply = () => runIn(workspace.directory, ["apply", "--yes"], { ENHANCE_KEY: "k3y" });
  const enhanced = { enhance_descriptions: true, provider_api_key: "${env:ENHANCE_KEY}" };
  const set = (name: string, variable: string, ...urls: string[]) => ({
    [`toolsets/${name}.yaml`]: documentText("ToolSet", name, {
      tool_set_name: name,
      openapi_schema: {
        openapi: "3.1.0",
        info: { title: "Log", version: "1" },
        servers: urls.map((url) => ({ url })),
        paths: { "/log": { get: { operationId: "list" } } },
      },
      default_headers: { Authorization: `Bearer \${env:${variable}}` },
      ...enhanced,
    }),
  });
  // A key of a provider may also be one of those that enhance.
  const both = { tool_set_name: "both", ...enhanced, provider_api_key: "${env:PROVIDER_KEY@2}" };
  const openapi_schema = { openapi: "3.1.0", paths: { "/a": { get: {} } } };
  workspace.write({
    ...set("first", "DESK_TOKEN"),
    "toolsets/both.yaml": documentText("ToolSet", "both", { ...both, openapi_schema }),
  });
  expect(await apply()).toMatchObject({ code: 0 });
  const key = (name: string, more: Record<string, unknown>) => ({
    [`credentials/${name}.yaml`]: documentText("Credential", name, {
      name,
      credentials: { api_key: "${env:PROVIDER_KEY@2}" },
      ...more,
    }),
  });
  // What a set is sent at its creation alone, an update does not take out of the state.
  Object.assign(enhanced, { default_query_params: { by: "desk" } });
  workspace.write(set("first", "DESK_TOKEN"));
  expect(await apply()).toMatchObject({ code: 0 });
  workspace.write({
    ...set("same", "DESK_TOKEN"),
    ...set("other", "DESK_TOKEN", "/", "https://other.example.com"),
    ...set("own", "OTHER_TOKEN", "https://other.example.com"),
    ...set("models", "PROVIDER_KEY"),
    ...set("once", "ENHANCE_KEY"),
    ...set("within", "OTHER_TOKEN", "https://other.example.com/${env:DESK_TOKEN}"),
    ...key("second", {}),
    ...key("third", { meta_data: { endpoint: "https://other.example.com" } }),
  });
  const notesOfPlan = async () => {
    const { out } = await run("plan", "--format", "json");
    const { notes } = JSON.parse(out) as { notes: { address: string; message: string }[] };
    return notes.map(({ address, message }) => `${address} ${message}`);
  };
  const notes = await notesOfPlan();
  expect(notes).toEqual([
    "credential:third `credentials.api_key` is new, and holds the secret `PROVIDER_KEY`; so far, `PROVIDER_KEY` went elsewhere",
    "toolset:models `default_headers.Authorization` is new, and holds the secret `PROVIDER_KEY`; so far, `PROVIDER_KEY` went elsewhere",
    "toolset:once `default_headers.Authorization` is new, and holds the secret `ENHANCE_KEY`; so far, `ENHANCE_KEY` went elsewhere",
    "toolset:other `default_headers.Authorization` is new, and holds the secret `DESK_TOKEN`; so far, `DESK_TOKEN` went elsewhere",
    "toolset:within `openapi_schema.servers` is new, and holds the secret `DESK_TOKEN`; so far, `DESK_TOKEN` went elsewhere",
  ]);
  // What was adopted was not sent it from here: its document says what it has.
  const lock = workspace.read("agentform.lock");
  const adopted = lock.replaceAll(/,\s*"sent_once": \[[^\]]*\]/g, "");
  expect(adopted).not.toBe(lock);
  workspace.write({ "agentform.lock": adopted });
  expect(await notesOfPlan()).toEqual(notes);
});

test("a key of another workspace of the command, or of another environment, is a note where something new holds it", async () => {
  const key = (name: string, variable: string, more: object = {}, lifecycle?: object) =>
    documentText(
      "Credential",
      name,
      { name, credentials: { api_key: `\${env:${variable}}` }, ...more },
      lifecycle,
    );
  const platform = await openPlatform({
    "guard/agentform.yaml": manifestOf("guard", "URL").replace("AGENT_API_KEY", "GUARD_SERVICE_KEY"),
    "guard/credentials/models.yaml": key("models", "GUARD_KEY"),
    "care/agentform.yaml": manifestOf("care", "URL", "environments: {default: {}, prod: {}}"),
    "care/credentials/own.yaml": key("own", "CARE_KEY"),
    "care/credentials/sold.yaml": key("sold", "PROD_KEY", {}, { environments: ["prod"] }),
  });
  const top = platform.workspace.directory;
  const secrets = { GUARD_SERVICE_KEY: "g", GUARD_KEY: "g", CARE_KEY: "c", PROD_KEY: "p" };
  const run = (...args: string[]) => runIn(top, args, secrets);
  const both = ["-C", "guard", "-C", "care"];
  expect(await run("apply", ...both, "--yes")).toMatchObject({ code: 0 });
  expect(await run("apply", "-C", "care", "-e", "prod", "--yes")).toMatchObject({ code: 0 });
  const elsewhere = { meta_data: { endpoint: "https://other.example.com" } };
  platform.workspace.write({
    "care/credentials/same.yaml": key("same", "GUARD_KEY"),
    "care/credentials/taken.yaml": key("taken", "GUARD_KEY", elsewhere),
    "care/credentials/service.yaml": key("service", "GUARD_SERVICE_KEY"),
    "care/credentials/sale.yaml": key("sale", "PROD_KEY", elsewhere, { environments: ["default"] }),
    "care/credentials/fresh.yaml": key("fresh", "FRESH_KEY", elsewhere),
  });
  const notesOf = async (...where: string[]) => {
    const { out } = await run("plan", ...where, "--format", "json");
    const { plans, ...own } = JSON.parse(out) as Partial<Plan> & { plans?: { plan: Plan }[] };
    const notes = plans?.flatMap(({ plan }) => plan.notes) ?? own.notes ?? [];
    return notes.flatMap(({ code, address, message }) =>
      code === "secret-changed" ? `${address} ${message}` : [],
    );
  };
  const where = "in another workspace or environment";
  const ofProd = `credential:sale \`credentials.api_key\` is new, and holds the secret \`PROD_KEY\`; ${where}, \`PROD_KEY\` goes elsewhere`;
  const all = [
    ofProd,
    "credential:service `credentials.api_key` is new, and holds the secret `GUARD_SERVICE_KEY`: agentform itself uses `GUARD_SERVICE_KEY`",
    `credential:taken \`credentials.api_key\` is new, and holds the secret \`GUARD_KEY\`; ${where}, \`GUARD_KEY\` goes elsewhere`,
  ];
  expect(await notesOf(...both)).toEqual(all);
  expect(await notesOf("-C", "care")).toEqual([ofProd]);
  // What is left out of the plan gives its key to the job all the same.
  git(top, "add", "-A");
  git(top, "commit", "-qm", "base");
  platform.workspace.write({ "care/credentials/own.yaml": key("own", "CARE_KEY@2") });
  expect(await notesOf("--all", "--changed-since", "HEAD")).toEqual([]);
  platform.workspace.write({ "care/credentials/taken.yaml": key("taken", "GUARD_KEY", { meta_data: {} }) });
  expect(await notesOf("--all", "--changed-since", "HEAD")).toEqual([all[2]]);
  // Where the state is on a server, its documents count.
  const manifest = platform.workspace.read("guard/agentform.yaml");
  platform.workspace.write({
    "guard/agentform.yaml": `${manifest}  lock: {store: http, address: "https://state.example.com"}\n`,
  });
  git(top, "commit", "-qm", "on a server", "guard/agentform.yaml");
  expect(await notesOf("--all", "--changed-since", "HEAD")).toEqual([all[2]]);
  platform.workspace.write({ "guard/agentform.yaml": manifest });
  // What is removed in the same change counts as well; and once the first workspace was applied, the plan is still the one that was agreed to.
  platform.workspace.remove("guard/credentials/models.yaml");
  expect(await notesOf(...both)).toEqual([all[0], all[1], all[2]]);
  platform.workspace.write({ "guard/credentials/more.yaml": key("more", "FRESH_KEY") });
  const { digest } = JSON.parse((await run("plan", ...both, "--format", "json")).out) as Plan;
  const ran = await runIn(top, ["apply", ...both, "--expect", digest ?? ""], { ...secrets, FRESH_KEY: "f" });
  expect(ran, ran.out + ran.err).toMatchObject({ code: 0 });
});
