import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { JsonObject } from "../../src/json/json.js";
import { documentText } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { agentText, documents, policyText, secretValue, type Desk } from "./desk.js";
import { fullManifest, fullOperations, openFullDesk } from "./full-desk.js";

const address = "agent:support";

async function applied(operations: object = fullOperations): Promise<Desk> {
  const desk = await openFullDesk(documents, operations);
  const { code, err } = await desk.run("apply", "--yes");
  expect({ code, err }).toMatchObject({ code: 0 });
  return desk;
}

function idOf(desk: Desk, of = address): string {
  return String(desk.lock().resources[of]?.["id"]);
}

function editAgent(desk: Desk, changes: object): void {
  desk.emulator.edit({ kind: "agent", id: idOf(desk), changes: { ...changes } });
}

function there(desk: Desk) {
  return desk.emulator.objects().agents[0]?.body;
}

describe("an update of an object that somebody changed in the service", () => {
  test("is not sent, and says which field", async () => {
    const desk = await applied();
    editAgent(desk, { name: "Renamed by hand" });
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
    const { code, out, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(out + err).toContain(
      "somebody changed `name` in the service since the last apply, so nothing was sent",
    );
    expect(out + err).toContain("--overwrite agent:support");
    expect(there(desk)).toMatchObject({ name: "Renamed by hand" });
    expect((await desk.run("plan", "--detailed-exitcode")).code).toBe(2);
  });

  test("is sent with --overwrite, for one or for all", async () => {
    for (const whose of [address, "all"]) {
      const desk = await applied();
      editAgent(desk, { name: "Renamed by hand" });
      desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
      expect(await desk.run("apply", "--yes", "--overwrite", whose)).toMatchObject({ code: 0 });
      expect(there(desk)).toMatchObject({ name: "Support", model: "small-2" });
    }
  });

  test("is sent with --no-check, which reads nothing", async () => {
    const desk = await applied();
    editAgent(desk, { name: "Renamed by hand" });
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
    const reads = () => desk.emulator.requests.filter(({ method }) => method === "GET").length;
    const before = reads();
    expect(await desk.run("apply", "--yes", "--no-check")).toMatchObject({ code: 0 });
    expect(reads()).toBe(before);
  });

  test("is not sent where somebody added to what was only created yet", async () => {
    const desk = await applied();
    editAgent(desk, { tools: ["added by hand"], response_format: { type: "json" } });
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
    const { code, out, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(out + err).toContain("`response_format`");
    expect((await desk.run("drift", "--detailed-exitcode")).code).toBe(2);
  });

  test("is sent where the document agrees with the change", async () => {
    const desk = await applied();
    editAgent(desk, { name: "Renamed by hand" });
    desk.workspace.write({ "agents/support.yaml": agentText({ name: "Renamed by hand" }) });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  });

  test("skips what depends on it", async () => {
    const desk = await applied();
    const id = idOf(desk, "policy:strict");
    desk.emulator.edit({ kind: "policy", id, changes: { banned_topics: { enabled: false } } });
    desk.workspace.write({ "policies/strict.yaml": policyText(["weapons", "drugs"]) });
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
    const { code, out, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(out + err).toMatch(/somebody changed `banned_topics`/);
    expect(out + err).toMatch(/agent:support: skipped/);
  });

  test("knows a field that somebody added, once the object was read", async () => {
    const desk = await applied();
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(desk.lock().resources[address]?.["baseline"]).toMatchObject({ own: { "/top_p": 1 } });
    editAgent(desk, { response_format: { type: "json" } });
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-3" }) });
    const { code, out, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(out + err).toContain("somebody changed `response_format`");
  });

  test("leaves no drift of what it removed", async () => {
    const desk = await applied();
    for (const model of ["small-2", "small-3"]) {
      editAgent(desk, { response_format: { type: "json" }, top_p: 0.5 });
      desk.workspace.write({ "agents/support.yaml": agentText({ model }) });
      expect(await desk.run("apply", "--yes", "--overwrite", address)).toMatchObject({ code: 0 });
      expect(there(desk)).not.toHaveProperty("response_format");
      expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
    }
  });

  test("leaves no drift where a removed field gets the default of the service", async () => {
    const desk = await applied();
    for (const more of [{ top_p: 0.5 }, {}, { model: "small-2" }]) {
      desk.workspace.write({ "agents/support.yaml": agentText(more) });
      expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
      expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
    }
  });

  test("is not sent where somebody added to a field that it would replace", async () => {
    const desk = await applied();
    const revise = (revision: string) => {
      const text = documents["credentials/provider.yaml"]?.replace(
        '"credentials":',
        `"meta_data":{"revision":"${revision}"},"credentials":`,
      );
      desk.workspace.write({ "credentials/provider.yaml": text ?? "" });
    };
    revise("1");
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    revise("2");
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    const id = idOf(desk, "credential:provider");
    desk.emulator.edit({ kind: "credential", id, changes: { meta_data: { owner: "care" } } });
    revise("3");
    const { code, out, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(out + err).toContain("somebody changed `meta_data` in the service");
  });

  test("cannot be sent to what is gone", async () => {
    const desk = await applied();
    desk.emulator.edit({ kind: "agent", id: idOf(desk), delete: true });
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
    const { code, out, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(out + err).toContain("the object no longer exists in the service");
    expect(out + err).toContain("--replace agent:support");
  });

  test("of a tool set looks at each of its tools", async () => {
    const desk = await applied();
    const [, second = ""] = (desk.lock().resources["toolset:desk"]?.["ids"] ?? []) as string[];
    desk.emulator.edit({ kind: "tool", id: second, changes: { default_headers: { "X-Team": "care" } } });
    const changed = documents["toolsets/desk.yaml"]?.replace("DESK_TOKEN}", "DESK_TOKEN@2}") ?? "";
    desk.workspace.write({ "toolsets/desk.yaml": changed });
    // It was read when it was created, so a header beyond those that were sent is somebody's.
    const added = await desk.run("apply", "--yes");
    expect(added.code).toBe(1);
    expect(added.out + added.err).toContain("somebody changed `default_headers`");
    expect(await desk.run("apply", "--yes", "--overwrite", "all")).toMatchObject({ code: 0 });
    desk.emulator.edit({ kind: "tool", id: second, changes: { default_query_params: { tenant: "*" } } });
    desk.workspace.write({ "toolsets/desk.yaml": changed.replace("DESK_TOKEN@2}", "DESK_TOKEN@3}") });
    const { code, out, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(out + err).toContain("somebody changed `default_query_params`");
  });
});

test("a tool set that is updated is read again, each of its tools, and what it has then is what is known", async () => {
  const desk = await applied();
  const before = desk.emulator.requests.length;
  const text = documents["toolsets/desk.yaml"]?.replace("DESK_TOKEN}", "DESK_TOKEN@2}") ?? "";
  desk.workspace.write({ "toolsets/desk.yaml": text });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  const sent = desk.emulator.requests.slice(before);
  const ids = (desk.lock().resources["toolset:desk"]?.["ids"] ?? []) as string[];
  const last = sent.findLastIndex(({ method }) => method === "PUT");
  const read = sent.slice(last + 1).map(({ method, path }) => `${method} ${path}`);
  expect(read).toEqual(ids.map((id) => `GET /v3/tools/${id}`));
  expect(desk.lock().resources["toolset:desk"]).toHaveProperty("baseline");
  expect((await desk.run("drift", "--detailed-exitcode")).code).toBe(0);
  desk.emulator.edit({ kind: "tool", id: ids[0] ?? "", changes: { default_query_params: { tenant: "*" } } });
  expect((await desk.run("drift", "--detailed-exitcode")).code).toBe(2);
});

wholeTest(
  "a tool that shows only its own part of the document of its set is nobody's change, also after a wait",
  async () => {
    const set = JSON.parse(documents["toolsets/desk.yaml"] ?? "") as {
      spec: { tool_set_name: string; openapi_schema: { paths: { "/tickets": JsonObject } } };
    };
    const { openapi_schema: document, tool_set_name } = set.spec;
    const { paths } = document;
    const shown = ["get", "post"].map((method, index) => ({
      method: "GET",
      path: `/v3/tools/t-${index}`,
      count: 9,
      status: 200,
      body: {
        tool_id: `t-${index}`,
        tool_set_name,
        openapi_schema: {
          ...document,
          paths: { "/tickets": { [method]: paths["/tickets"][method] ?? null } },
        },
      },
    }));
    const made = { method: "POST", path: "/v3/tools/", status: 200, body: { tool_ids: ["t-0", "t-1"] } };
    const faults = [
      made,
      { method: "PUT", status: 429 },
      { method: "PUT", count: 2, status: 200, body: {} },
      ...shown,
    ];
    const desk = await openFullDesk({ "toolsets/desk.yaml": JSON.stringify(set) }, fullOperations, {
      faults,
    });
    const created = await desk.run("apply", "--yes");
    expect(created).toMatchObject({ code: 0, err: expect.not.stringContaining("something else") as string });
    const spec = { ...set.spec, default_query_params: { tenant: "a" } };
    desk.workspace.write({ "toolsets/desk.yaml": JSON.stringify({ ...set, spec }) });
    laterAfter(desk, "PUT", 0, () => undefined);
    const { code, err } = await desk.run("apply", "--yes");
    expect({ code, err }).toMatchObject({ code: 0 });
    const sent = desk.emulator.requests.map(({ method, status }) => `${method} ${status}`);
    const put = sent.indexOf("PUT 429");
    expect(sent.slice(put, put + 5)).toEqual(["PUT 429", "GET 200", "PUT 200", "GET 200", "PUT 200"]);
  },
);

/** Lets a minute go by once more requests of a method were sent than some, in which something happens. */
function laterAfter(desk: Desk, method: string, skip: number, meanwhile: () => void): void {
  const steady = performance.now.bind(performance);
  let waited = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    const sent = desk.emulator.requests.filter((request) => request.method === method);
    if (waited === 0 && sent.length > skip) {
      waited = 60_000;
      meanwhile();
    }
    return steady() + waited;
  });
  onTestFinished(() => clock.mockRestore());
}

describe("an object that somebody changes while its request waits", () => {
  /** Opens a desk that refuses one request of a method; before the next one a minute goes by, in which something happens. */
  async function waiting(method: string, meanwhile: (desk: Desk) => void, skip = 0): Promise<Desk> {
    const faults = [{ method, status: 429, skip }];
    const desk = await openFullDesk(documents, fullOperations, { faults });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    laterAfter(desk, method, skip, () => meanwhile(desk));
    return desk;
  }

  test("is not updated over that", async () => {
    const desk = await waiting("PUT", (there) => editAgent(there, { name: "Renamed by hand" }));
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(err).toContain(
      "agent:support: failed: somebody changed `name` in the service since the last apply, so nothing was sent",
    );
    expect(there(desk)).toMatchObject({ name: "Renamed by hand" });
    expect(there(desk)).not.toHaveProperty("model");
    expect((await desk.run("drift", "--detailed-exitcode")).code).toBe(2);
    expect(desk.lock().resources[address]).not.toHaveProperty("uncertain");
  });

  wholeTest("is updated where nobody changed it", async () => {
    const desk = await waiting("PUT", () => undefined);
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(there(desk)).toMatchObject({ model: "small-2" });
  });

  wholeTest("of a tool set is that of the request alone: the others may be updated already", async () => {
    const desk = await waiting("PUT", () => undefined, 3);
    const set = JSON.parse(documents["toolsets/desk.yaml"] ?? "") as { spec: JsonObject };
    for (const tenant of ["a", "b"]) {
      const spec = { ...set.spec, default_query_params: { tenant } };
      desk.workspace.write({ "toolsets/desk.yaml": JSON.stringify({ ...set, spec }) });
      const { code, err } = await desk.run("apply", "--yes");
      expect({ code, err }).toMatchObject({ code: 0 });
    }
    const puts = desk.emulator.requests.filter(({ method }) => method === "PUT");
    expect(puts.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200]);
  });

  test("is not deleted", async () => {
    const desk = await waiting("DELETE", (there) => editAgent(there, { name: "Renamed by hand" }));
    const agent = JSON.parse(documents["agents/support.yaml"] ?? "") as JsonObject;
    const lifecycle = { on_removal: "delete" };
    desk.workspace.write({ "agents/support.yaml": JSON.stringify({ ...agent, lifecycle }) });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    desk.workspace.remove("agents/support.yaml");
    const { code, err } = await desk.run("apply", "--yes");
    expect(code).toBe(1);
    expect(err).toContain("the service shows something else in `name` than what was left behind");
    expect(err).toContain("it stays among what is left behind, and `agentform prune` tries again");
    expect(there(desk)).toMatchObject({ name: "Renamed by hand" });
  });
});

describe("an object that nobody changed", () => {
  test.each(["array", "key", "pages"] as const)(
    "is updated, where answers have the form of %s",
    async (lists) => {
      const object = lists === "pages" ? "/data" : "";
      const operations = { agent: { read: { request: "GET /v3/agents/{id}", object } } };
      const desk = await openFullDesk(documents, operations, { lists });
      expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
      desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2", temperature: 0.25 }) });
      expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
      expect(there(desk)).toMatchObject({ model: "small-2" });
    },
  );

  test("is not read where the deployment has no read", async () => {
    const desk = await applied({});
    editAgent(desk, { name: "Renamed by hand" });
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(desk.emulator.requests.filter(({ method }) => method === "GET")).toEqual([]);
  });
});

describe("what an apply itself has sent is nobody's change", () => {
  const lostAnswer = { method: "PUT", count: 1, garbage: true } as const;
  const notDone = { method: "PUT", count: 1, redirect: "/elsewhere" } as const;

  test("where the first of two updates arrived, and neither had an answer of use", async () => {
    const faults = [
      { ...lostAnswer, path: "/v3/agents/*" },
      { ...notDone, path: "/v3/agents/*" },
    ];
    const desk = await openFullDesk(documents, fullOperations, { faults });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    for (const model of ["m-2", "m-3"]) {
      desk.workspace.write({ "agents/support.yaml": agentText({ model }) });
      expect(await desk.run("apply", "--yes"), model).toMatchObject({ code: 3 });
    }
    expect(there(desk)).toMatchObject({ model: "m-2" });
    expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "m-4" }) });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(there(desk)).toMatchObject({ model: "m-4" });
    expect(desk.lock().resources[address]).not.toHaveProperty("attempted");
  });

  test("where nothing of it was new but the ID that a reference stands for", async () => {
    const faults = [{ ...lostAnswer, path: "/v3/agents/*" }];
    const operations = { ...fullOperations, policy: { read: "GET /v1/rai/policies/{id}" } };
    const desk = await openFullDesk(documents, operations, { faults });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    desk.workspace.write({ "policies/strict.yaml": policyText(["weapons", "drugs"]) });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 3 });
    expect(JSON.stringify(there(desk))).toContain(idOf(desk, "policy:strict"));
    expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
    desk.workspace.write({ "policies/strict.yaml": policyText(["weapons", "drugs", "fraud"]) });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(JSON.stringify(there(desk))).toContain(idOf(desk, "policy:strict"));
  });

  test("where it arrived at one tool of two", async () => {
    const faults = [{ ...notDone, path: "/v3/tools/*", skip: 1 }];
    const file = "toolsets/desk.yaml";
    const edited = (tenant: string) => ({
      [file]:
        documents[file]?.replace(
          /"?default_headers"?:/,
          (key) => `"default_query_params": {"tenant": "${tenant}"}, ${key}`,
        ) ?? "",
    });
    const desk = await openFullDesk({ ...documents, ...edited("none") }, fullOperations, { faults });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    desk.workspace.write(edited("one"));
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 3 });
    const tenants = () => desk.emulator.objects().tools.map(({ body }) => body.default_query_params);
    expect(tenants()).toEqual([{ tenant: "one" }, undefined]);
    expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
    desk.workspace.write(edited("two"));
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(tenants()).toEqual([{ tenant: "two" }, { tenant: "two" }]);
  });
});

describe("an object that cannot be read", () => {
  const read = { method: "GET", path: "/v3/agents/{id}", count: 20 } as const;

  const faults = [
    ["is refused", { ...read, status: 403 }, "HTTP 403"],
    ["is answered 500", { ...read, status: 500 }, "HTTP 500"],
    ["is cut off", { ...read, drop: "before" }, "closed before an answer"],
    ["comes by half", { ...read, half: true }, "only part of the answer arrived"],
    ["is no JSON", { ...read, garbage: true }, "an answer that is not JSON"],
    ["is a list", { ...read, garbage: "[]" }, "the answer has no object"],
    ["is too large", { ...read, giant: 10_000_001 }, "the answer has more than 10 MB"],
    ["is redirected", { ...read, redirect: "https://elsewhere.example.com" }, "a redirect"],
  ] as const;
  test.each(sample("faults of a read", faults, 3))(
    "is not updated when its answer %s, and the rest goes on",
    async (_what, fault, message) => {
      const desk = await openFullDesk(documents, fullOperations, { faults: [fault] });
      expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
      desk.workspace.write({
        "agents/support.yaml": agentText({ model: "small-2" }),
        "policies/strict.yaml": policyText(["weapons", "drugs"]),
      });
      const { code, out, err } = await desk.run("apply", "--yes");
      expect(code).toBe(1);
      expect(out + err).toContain(message);
      expect(out + err).toContain("--no-check");
      expect(out + err).toContain("policy:strict: updated");
      expect(there(desk)).not.toHaveProperty("model");
    },
  );

  test("is read again after a 429 and a 503", async () => {
    const faults = [
      { ...read, status: 429, count: 1 },
      { ...read, status: 503, count: 1 },
    ];
    const desk = await openFullDesk(documents, fullOperations, { faults });
    await desk.run("apply", "--yes");
    desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  });
});

test("an address of --overwrite that names no resource is refused before anything is sent", async () => {
  const desk = await applied();
  const overwrite = async () => await desk.run("apply", "--yes", "--overwrite", "agent:suport");
  const refused = { code: 1, err: expect.stringContaining("did you mean `agent:support`?") as string };
  // Also where nothing is to be sent.
  expect(await overwrite()).toMatchObject(refused);
  desk.workspace.write({ "agents/support.yaml": agentText({ model: "small-2" }) });
  expect(await overwrite()).toMatchObject(refused);
});

test.each(["--target", "--replace", "--resend"])(
  "an address of %s that --exclude takes back is refused",
  async (option) => {
    const { run } = await applied();
    expect(await run("plan", option, address, "--exclude", address)).toMatchObject({
      code: 64,
      err: expect.stringContaining(`${option} ${address} and --exclude ${address} cannot be combined`),
    });
  },
);

describe("--verify", () => {
  test("reads what was sent, and keeps what the service has beyond it", async () => {
    const desk = await openFullDesk();
    expect(await desk.run("apply", "--yes", "--verify")).toMatchObject({ code: 0 });
    expect(desk.lock().resources[address]?.["baseline"]).toMatchObject({ own: { "/top_p": 1 }, hidden: [] });
    expect(desk.workspace.read("agentform.lock")).not.toContain(secretValue);
    expect((await desk.run("plan", "--detailed-exitcode")).code).toBe(0);
  });
});

test("what an update removes and the service keeps is said, with --verify and without", async () => {
  for (const verify of [[], ["--verify"]]) {
    // In the place of a service that merges: what is left out stays.
    const put = { method: "PUT", path: "/v3/agents/{id}", status: 200, body: { message: "updated" } };
    const desk = await openFullDesk(documents, fullOperations, { faults: [put] });
    await desk.run("apply", "--yes");
    const llm_credential_id = "${credential:provider}";
    desk.workspace.write({
      "agents/support.yaml": documentText("Agent", "support", { name: "Support", llm_credential_id }),
    });
    const { code, err } = await desk.run("apply", "--yes", ...verify);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(err).toContain("the service still has `features`, `tools` as before");
    // What it did take away is not named.
    desk.workspace.write({ "agents/support.yaml": documentText("Agent", "support", { name: "Support" }) });
    expect((await desk.run("apply", "--yes", "--no-check", ...verify)).err).not.toContain("still has");
  }
});

test("an update that was answered, and did nothing, is said", async () => {
  const put = { method: "PUT", path: "/v3/agents/{id}", count: 2, status: 200, body: { message: "updated" } };
  const desk = await openFullDesk(documents, fullOperations, { faults: [put] });
  await desk.run("apply", "--yes");
  desk.workspace.write({ "agents/support.yaml": agentText({ name: "Desk" }) });
  const { code, err } = await desk.run("apply", "--yes");
  expect(code).toBe(0);
  expect(err).toContain("the service has something else than it was sent in `name`");
  // What is there in a field that was never sent may be the service's own way to write what it is sent now.
  desk.emulator.edit({ kind: "agent", id: idOf(desk), changes: { name: "Desk", temperature: 0.5 } });
  desk.workspace.write({ "agents/support.yaml": agentText({ name: "Desk", temperature: 0.51 }) });
  const added = await desk.run("apply", "--yes", "--overwrite", "all");
  expect([added.code, added.err]).toEqual([0, expect.not.stringContaining("something else")]);
});

test("nothing in the place of a secret that an update removes is not said to be kept", async () => {
  const credential = { name: "Provider", credentials: { api_key: "${env:PROVIDER_KEY@1}" } };
  const document = (more: object) => ({
    "credentials/provider.yaml": documentText("Credential", "provider", { ...credential, ...more }),
  });
  const path = "/v3/tools/credentials/{id}";
  const shown: JsonObject = { name: "Provider", credentials: { api_key: "***" } };
  const faults = [
    { method: "PUT", path, count: 9, status: 200, body: { message: "updated" } },
    { method: "GET", path, count: 9, status: 200, body: shown },
  ];
  const desk = await openFullDesk(document({}), fullOperations, { faults });
  const extra = "  extra_fields: {credential: [client_secret]}\n";
  desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, fullOperations, extra) });
  await desk.run("apply", "--yes");
  Object.assign(shown, { _id: idOf(desk, "credential:provider") });
  for (const client_secret of [null, "***"]) {
    desk.workspace.write(document({ client_secret: "${env:PROVIDER_KEY@2}" }));
    Object.assign(shown, { client_secret });
    await desk.run("apply", "--yes");
    desk.workspace.write(document({}));
    const { code, err } = await desk.run("apply", "--yes", "--no-check", "--verify");
    expect({ code, isSaid: err.includes("still has `client_secret`") }).toEqual({
      code: 0,
      isSaid: client_secret !== null,
    });
  }
});

describe("where a policy and a credential can be updated", () => {
  test("they are, nothing is left behind, and agents keep their references", async () => {
    const desk = await applied();
    const before = desk.lock().resources;
    desk.workspace.write({ "policies/strict.yaml": policyText(["weapons", "drugs"]) });
    const credential = documents["credentials/provider.yaml"]?.replace("@1}", "@2}") ?? "";
    desk.workspace.write({ "credentials/provider.yaml": credential });
    const plan = await desk.run("plan");
    expect(plan.out).toContain("Plan: 2 to update, 2 unchanged.");
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    const after = desk.lock();
    expect(after.retired).toEqual({});
    for (const each of ["policy:strict", "credential:provider", address]) {
      expect(after.resources[each]?.["id"]).toBe(before[each]?.["id"]);
    }
    expect(desk.emulator.objects().policies).toHaveLength(1);
    expect(desk.emulator.objects().policies[0]?.body).toMatchObject({
      banned_topics: { topics: ["weapons", "drugs"] },
    });
  });

  test("a credential without an ID is replaced all the same", async () => {
    const desk = await openFullDesk(documents, fullOperations, { answers: "minimal" });
    await desk.run("apply", "--yes");
    expect(desk.lock().resources["credential:provider"]?.["id"]).toBeUndefined();
    const credential = documents["credentials/provider.yaml"]?.replace("@1}", "@2}") ?? "";
    desk.workspace.write({ "credentials/provider.yaml": credential });
    expect((await desk.run("plan", "--target", "credential:provider")).out).toContain("1 to replace");
  });

  test("each credential without an ID is left behind, also where two were sent the same", async () => {
    const desk = await openFullDesk(documents, fullOperations, { answers: "minimal" });
    const text = documents["credentials/provider.yaml"] ?? "";
    for (const revision of ["@1", "@2", "@1", "@2"]) {
      desk.workspace.write({ "credentials/provider.yaml": text.replace("@1}", `${revision}}`) });
      await desk.run("apply", "--yes", "--target", "credential:provider");
    }
    expect(desk.emulator.objects().credentials).toHaveLength(4);
    const left = Object.values(desk.lock().retired).map(({ address }) => address);
    expect(left).toEqual(Array.from({ length: 3 }, () => "credential:provider"));
  });

  test("of a credential whose ID is told later, what the service adds is nobody's change", async () => {
    const desk = await openFullDesk(documents, fullOperations, { answers: "minimal" });
    await desk.run("apply", "--yes");
    const id = desk.emulator.objects().credentials[0]?.id ?? "";
    await desk.run("lock", "resolve", "credential:provider", "--adopt", id);
    const own = { account_id: "acc-1" };
    desk.emulator.edit({ kind: "credential", id, changes: own });
    const credential = documents["credentials/provider.yaml"]?.replace("@1}", "@2}") ?? "";
    desk.workspace.write({ "credentials/provider.yaml": credential });
    const drift = await desk.run("drift", "--detailed-exitcode", "--target", "credential:provider");
    expect(drift).toMatchObject({ code: 0, out: expect.not.stringContaining("account_id") });
    const applied = await desk.run("apply", "--yes", "--target", "credential:provider");
    expect(applied).toMatchObject({ code: 0, err: expect.not.stringContaining("failed") });
  });
});

test("the address of an update is that of its host", async () => {
  const desk = await openFullDesk(documents, {
    policy: { update: { request: "PUT /v1/rai/policies/{id}", host: "base" } },
  });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  const manifest = desk.workspace.read("agentform.yaml").replace(/ *rai_base_url: .*\n/, "");
  desk.workspace.write({
    "agentform.yaml": manifest,
    "policies/strict.yaml": policyText(["weapons", "drugs"]),
  });
  const { code, out, err } = await desk.run("apply", "--yes", "--target", "policy:strict", "--service-moved");
  expect({ code, out, err }).toMatchObject({ code: 0 });
});

test("nothing is sent where an operation is at an address that the manifest lacks, whatever the action", async () => {
  const desk = await openFullDesk({ "policies/strict.yaml": policyText() });
  const [update, read] = ["PUT", "GET"].map((method) => ({
    request: `${method} /v1/rai/policies/{id}`,
    host: "base",
  }));
  const apply = async (policy: object, files: Readonly<Record<string, string>> = {}) => {
    const manifest = fullManifest(desk.emulator.url, { policy }).replace(/^ +base_url: .*\n/m, "");
    desk.workspace.write({ "agentform.yaml": manifest, ...files });
    const { code, err } = await desk.run("apply", "--yes");
    return [code, err.includes("error[service-url]: `base_url` of the service is missing")];
  };
  // What was created is read at once.
  expect(await apply({ read })).toEqual([1, true]);
  expect(desk.emulator.requests).toEqual([]);
  expect(await apply({ update })).toEqual([0, false]);
  const { length } = desk.emulator.requests;
  const edited = { "policies/strict.yaml": policyText(["weapons", "drugs"]) };
  for (const policy of [{ update }, { read }]) expect(await apply(policy, edited)).toEqual([1, true]);
  const adopted = documentText("Policy", "other", { name: "Other" }, { adopt: "another" });
  const files = { "policies/strict.yaml": policyText(), "policies/other.yaml": adopted };
  expect(await apply({ update }, files)).toEqual([1, true]);
  expect(desk.emulator.requests).toHaveLength(length);
});
