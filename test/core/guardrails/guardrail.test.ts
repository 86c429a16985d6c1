import { readdirSync, readFileSync } from "node:fs";
import { markedPart } from "../../docs/marked-part.js";
import { examples, fc } from "../../harness/property.js";
import { describe, expect, it } from "vitest";
import {
  guardrailNotes,
  notesForDigest,
  type GuardrailInput,
} from "../../../src/core/guardrails/guardrail.js";
import { callsChanged } from "../../../src/core/guardrails/calls.js";
import { effects } from "../../../src/core/guardrails/rule.js";
import { rankOf, rules } from "../../../src/core/guardrails/rules.js";
import type { GuardrailNote } from "../../../src/generated/plan.js";
import { canonical, type Json, type JsonObject } from "../../../src/json/json.js";
import { kindNames } from "../../../src/core/kind/kinds.js";
import { kindOfAddress } from "../../../src/core/kind/kinds.js";
import type { LockEntry } from "../../../src/core/state/lock.js";
import { cause } from "../../../src/core/plan/cause.js";
import { difference } from "../../../src/core/plan/difference.js";
import { referencesIn } from "../../../src/core/expression/reference.js";
import { deploymentOf } from "../../../src/core/kind/written-operations.js";
import { outline } from "../../../src/core/openapi/openapi.js";

interface Applied {
  readonly body: JsonObject;
  readonly id?: string;
  readonly ids?: string[];
  readonly references?: Record<string, string | string[]>;
  readonly protect?: boolean;
  readonly on_removal?: "delete";
  readonly on_replaced?: "delete";
  readonly sent_once?: string[];
}

interface Wanted {
  /** Whether the plan replaces the object. */
  readonly replaced?: boolean;
  readonly body: JsonObject;
  readonly protect?: boolean;
  readonly on_removal?: "delete";
  readonly on_replaced?: "delete";
  /** The address that it moves from. */
  readonly from?: string;
  readonly adopted?: boolean;
  /** The IDs of the objects whose place the adopted one takes. */
  readonly placeOf?: readonly string[];
  /** The whole documents of the outlines in its body. */
  readonly documents?: JsonObject;
}

type Side<T> = Readonly<Record<string, T>>;

const folder = new URL("../../fixtures/guardrails/", import.meta.url);
const codes = rules.map(({ code }) => code);

const deployment = deploymentOf({ operations: { agent: { delete: "DELETE /v3/agents/{id}" } } });

const byName = { before: () => undefined, after: () => undefined };

function read<T>(code: string, file: string): T {
  return JSON.parse(readFileSync(new URL(`${code}/${file}`, folder), "utf8")) as T;
}

/** Acts on every resource, for what does not differ must be silent. */
function inputOf(before: Side<Applied>, after: Side<Wanted>): GuardrailInput {
  const moved = new Set(Object.values(after).map(({ from }) => from));
  const gone = Object.keys(before).filter((address) => !Object.hasOwn(after, address) && !moved.has(address));
  const touched = Object.entries(after).map(
    ([address, { from, replaced, adopted, placeOf }]): GuardrailInput["actions"][number] => {
      const applied = before[from ?? address]?.body;
      const outlined = kindOfAddress(address)?.outlined ?? [];
      const changes = difference(applied ?? {}, after[address]?.body ?? {}, byName, outlined);
      const action = applied ? "update" : "create";
      const causes = placeOf && [cause("takes-place", { ids: [...placeOf], unsent: true })];
      return {
        address,
        action: adopted ? "adopt" : replaced ? "replace" : action,
        changes,
        ...(causes && { causes }),
      };
    },
  );
  const resources = Object.entries(after).map(([address, { body, documents = {}, ...lifecycle }]) => {
    return [address, { body, documents, lifecycle, references: referencesIn(body) }] as const;
  });
  const movers = new Map(Object.entries(after).map(([address, { from }]) => [from, address]));
  const entries = Object.entries(before).map(([address, applied]): [string, LockEntry] => [
    movers.get(address) ?? address,
    Object.assign({ digest: "sha256:0" }, applied),
  ]);
  return {
    actions: [...touched, ...gone.map((address) => removalOf(address, before[address]))],
    fleet: { resources: new Map(resources), settings: { deployment } },
    lock: { resources: Object.fromEntries(entries) },
  };
}

function removalOf(address: string, applied: Applied | undefined): GuardrailInput["actions"][number] {
  return { address, action: applied?.on_removal ?? "forget", changes: [] };
}

function notesOf(before: Side<Applied>, after: Side<Wanted>): GuardrailNote[] {
  return guardrailNotes(inputOf(before, after));
}

describe("guardrail rules", () => {
  it("have a fixture each, and each fixture a rule", () => {
    expect(readdirSync(folder).toSorted()).toEqual(codes.toSorted());
  });

  describe.each(codes)("%s", (code) => {
    const before = read<Side<Applied>>(code, "before.json");
    const after = read<Side<Wanted>>(code, "after.json");
    const wanted = read<GuardrailNote[]>(code, "notes.json");

    it("leads to a change with the path of each note, unless there are several", () => {
      const { actions } = inputOf(before, after);
      for (const { address, path } of wanted) {
        if (path === undefined || path.startsWith("lifecycle.")) continue;
        const changes = actions.find((action) => action.address === address)?.changes ?? [];
        const below = changes.filter((change) => change.path.startsWith(path));
        if (changes.length > 0) expect([address, path, below.length]).not.toEqual([address, path, 0]);
        if (below.length === 1) expect(below[0]?.path).toBe(path);
      }
    });

    it("gives the notes of its fixture", () => {
      expect(notesOf(before, after)).toEqual(wanted);
    });

    it("speaks in its fixture, and is silent on another change there", () => {
      const spoken = new Set(wanted.filter((note) => note.code === code).map(({ address }) => address));
      const changed = Object.keys(before).filter(
        (address) =>
          canonical((before[address] ?? {}) as JsonObject) !==
          canonical((after[address] ?? {}) as JsonObject),
      );
      expect(spoken.size).toBeGreaterThan(0);
      expect(changed.filter((address) => !spoken.has(address))).not.toEqual([]);
    });
  });

  it.each(kindNames)("say of a %s that it is no longer protected", (kind) => {
    const address = `${kind}:a`;
    const notes = notesOf({ [address]: { body: {}, protect: true } }, { [address]: { body: {} } });
    expect(notes.map(({ code }) => code)).toEqual(["protect-removed"]);
  });

  it("are all in the documentation, by rank, with their effects and kinds", () => {
    const begin = "<!-- begin: the rules, written by UPDATE_GOLDEN=1 npx vitest run test/core -->";
    const rows = rules.map(({ code, effect, kinds }, index) => {
      const nouns = kinds.map((kind) => kindOfAddress(`${kind}:x`)?.noun[0]).join(", ");
      const of = kinds.length === kindNames.length ? "any" : nouns;
      return `| ${index + 1} | [\`${code}\`](../reference/diagnostics.md#${code}) | ${effect} | ${of} |`;
    });
    const current = ["| rank | code | effect | of |\n|---|---|---|---|", ...rows].join("\n");
    expect(markedPart("docs/explanation/guardrails.md", begin, current)).toBe(current);
  });
});

describe("guardrailNotes", () => {
  const get = { method: "GET", path: "/a" };
  const strict = { name: "P", toxicity_check: { enabled: true } };
  const changed = { "policy:a": { body: strict } };
  const weaker = { "policy:a": { body: { name: "P" } } };

  it("gives nothing for what is unknown, blocked, or an unguarded agent among others", () => {
    const agent = { body: { name: "A", tools: ["t1"], model: "m", features: [{ config: "${policy:a}" }] } };
    expect(notesOf({}, { "agent:new": agent })).toEqual([]);
    const input = inputOf(changed, weaker);
    for (const action of ["unknown", "blocked"] as const) {
      expect(guardrailNotes({ ...input, actions: [{ address: "policy:a", action, changes: [] }] })).toEqual(
        [],
      );
    }
    for (const action of ["update", "replace", "record", "adopt"] as const) {
      expect(
        guardrailNotes({ ...input, actions: [{ address: "policy:a", action, changes: [] }] }),
      ).toHaveLength(1);
    }
  });

  it("gives one note for all operations that one line of servers moves, and one for each other way", () => {
    const operations = Array.from({ length: 50 }, (_, index) => ({ method: "GET", path: `/a/${index}` }));
    const bodyOf = (url: string, own: JsonObject = {}): JsonObject => ({
      openapi_schema: {
        servers: [{ url }],
        operations: operations.map((each, index) => (index < 2 ? { ...each, ...own } : each)),
      },
    });
    const before = { "toolset:a": { body: bodyOf("https://a.example") } };
    const moved = notesOf(before, { "toolset:a": { body: bodyOf("https://b.example") } });
    expect(moved.map(({ code, parts }) => [code, parts.operations])).toEqual([["host-added", undefined]]);
    const servers = [{ url: "https://c.example" }];
    const apart = notesOf(before, { "toolset:a": { body: bodyOf("https://b.example", { servers }) } });
    expect(apart.map(({ parts }) => [parts.hosts, parts.operations?.length])).toEqual([
      [["c.example"], 2],
      [["b.example"], 48],
    ]);
  });

  it.each([
    [49, []],
    [50, [{ feature: "RAI", behind: ["policy:p0"], policies: expect.objectContaining({ length: 50 }) }]],
  ])(
    "takes a policy before %i equally strict ones for one that may allow more if they are too many, in one note",
    (kept, told) => {
      const names = Array.from({ length: kept + 1 }, (_, index) => `p${index}`);
      const features = names.map((name, priority) => ({
        type: "RAI",
        priority,
        config: { policy_id: `\${policy:${name}}` },
      }));
      const policies = Object.fromEntries(names.map((name) => [`policy:${name}`, { body: strict }]));
      const notes = notesOf(
        { "agent:a": { body: { features: features.slice(1) } }, ...policies },
        { "agent:a": { body: { features } }, ...policies },
      );
      const moved = notes.filter(({ code }) => code === "policy-priority-changed");
      expect(moved.map(({ parts }) => parts)).toEqual(told);
    },
  );

  it("orders notes by rank, then by address, however the actions are ordered", () => {
    const input = inputOf(
      {
        "agent:b": { body: { model: "m", features: [{ config: "${policy:a}" }] }, protect: true },
        "agent:a": { body: { provider_id: "p", model: "m" } },
        ...changed,
      },
      { "agent:b": { body: { model: "n" } }, "agent:a": { body: {} }, ...weaker },
    );
    const notes = guardrailNotes(input);
    expect(notes.map(({ address, code }) => `${address} ${code}`)).toEqual([
      "policy:a check-off",
      "agent:b policy-detached",
      "agent:b protect-removed",
      "agent:a provider-changed",
      "agent:a model-changed",
      "agent:b model-changed",
    ]);
    expect(guardrailNotes({ ...input, actions: input.actions.toReversed() })).toEqual(notes);
  });

  it("gives a digest notes in an order that does not depend on ranks", () => {
    const note = (code: string, address: string, effect: GuardrailNote["effect"]) => ({
      code,
      address,
      effect,
      parts: {},
      message: "m",
    });
    const other = note("setting-changed", "agentform.yaml", "widens");
    const [topic, check] = [
      note("allowed-topic-added", "policy:a", "weakens"),
      note("check-off", "policy:b", "weakens"),
    ];
    const model = note("model-changed", "agent:a", "widens");
    const expected = [other, topic, check, model];
    expect(notesForDigest([other, check, model, topic])).toEqual(expected);
    expect(notesForDigest([topic, model, check, other])).toEqual(expected);
  });

  it("ranks what weakens before what widens, and that before what needs a review", () => {
    const places = rules.map(({ effect }) => effects.indexOf(effect));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    const ranks = rules.map(rankOf);
    expect(ranks).toEqual([...new Set(ranks)].toSorted((one, other) => one - other));
  });

  it("ranks notes that are not of a rule before the rules of their effect, and punctuation last", () => {
    const ofUse = effects.map((effect) => ({ code: "used-id-changed", effect }));
    const ranked = [...rules, ...ofUse].toSorted((one, other) => rankOf(one) - rankOf(other));
    expect(ranked.map(({ effect }) => effects.indexOf(effect))).toEqual(
      ranked.map(({ effect }) => effects.indexOf(effect)).toSorted((one, other) => one - other),
    );
    const firsts = effects.map((wanted) => ranked.find(({ effect }) => effect === wanted)?.code);
    expect(firsts).toEqual(["used-id-changed", "used-id-changed", "used-id-changed"]);
    expect(rules.toSorted((one, other) => rankOf(one) - rankOf(other)).map(({ code }) => code)).toEqual(
      codes,
    );
    expect([codes[0], codes.at(-1)]).toEqual(["object-deleted", "description-repunctuated"]);
  });

  it("takes an object that is adopted without having been applied for a new one", () => {
    const notes = notesOf({}, { "policy:a": { body: { name: "P" }, adopted: true } });
    expect(notes.map(({ code }) => code)).toEqual(["object-adopted", "policy-without-checks"]);
  });

  it("says that the only agent has no policy any more where it is made anew under another name", () => {
    const features = [{ type: "RAI", config: { policy_id: "${policy:strict}" } }];
    const before = { body: { name: "A", features }, references: { "policy:strict": "p1" } };
    const notes = notesOf({ "agent:old": before }, { "agent:new": { body: { name: "A" } } });
    expect(notes.map(({ code }) => code)).toEqual(["object-forgotten", "agent-without-policy"]);
    expect(notesOf({}, { "agent:new": { body: { name: "A" } } })).toEqual([]);
  });

  it("says of an agent that takes over an object without a policy what that may take away", () => {
    const policy = "${policy:strict@guard}";
    const guarded = [{ type: "RAI", config: { policy_id: policy } }];
    const codesOf = (body: JsonObject) =>
      notesOf({}, { "agent:a": { body, adopted: true } }).map(({ code }) => code);
    const [note, ...others] = notesOf({}, { "agent:a": { body: { name: "A" }, adopted: true } });
    expect(note).toMatchObject({ code: "agent-without-policy", effect: "review", parts: { adopted: true } });
    expect(note?.message).toMatch(/^is taken over without a policy/);
    expect(others).toEqual([]);
    expect(codesOf({ name: "A", description: policy })).toEqual([note?.code]);
    expect(codesOf({ name: "A", features: guarded })).toEqual(["object-adopted"]);
    expect(codesOf({ name: "A", guard_policy: policy })).toEqual(["object-adopted"]);
  });

  it("says of an agent that takes over another object than before that nothing is known of it, with and without a policy", () => {
    const guarded = { name: "A", features: [{ type: "RAI", config: { policy_id: "${policy:strict}" } }] };
    for (const body of [{ name: "A" }, guarded]) {
      const input = inputOf({ "agent:a": { body } }, { "agent:a": { body, adopted: true } });
      const causes = [cause("takes-place", { ids: ["1"] })];
      const notes = guardrailNotes({ ...input, actions: input.actions.map((each) => ({ ...each, causes })) });
      expect(notes.map(({ code }) => code)).toEqual(["object-adopted"]);
    }
  });

  it("says where a field that nobody knows loses or exchanges a policy that the agent has elsewhere", () => {
    const [strict, lax] = ["${policy:strict}", "${policy:lax}"];
    const settings = (before: JsonObject, after: JsonObject) =>
      notesOf(
        { "agent:a": { body: { name: "A", ...before } } },
        { "agent:a": { body: { name: "A", ...after } } },
      ).map(({ code, path }) => [code, path]);
    const both = { input_guard: strict, output_guard: lax };
    const changed = (path: string) => ["policy-setting-changed", path];
    expect(settings(both, { input_guard: lax, output_guard: strict })).toEqual([
      changed("input_guard"),
      changed("output_guard"),
    ]);
    expect(settings(both, { ...both, input_guard: [strict, lax] })).toEqual([changed("input_guard")]);
    expect(settings(both, { input_guards: strict, output_guard: lax })).toEqual([changed("input_guard")]);
    // One that it loses altogether is detached, and one that a new field has is a gain.
    expect(settings(both, { output_guard: lax })).toEqual([["policy-detached", "input_guard"]]);
    expect(settings(both, { ...both, other_guard: strict })).toEqual([]);
  });

  it("says where a field that nobody knows loses a tool or an agent, which it may guard", () => {
    const notesOn = (before: JsonObject, after: JsonObject) =>
      notesOf(
        { "agent:a": { body: { name: "A", ...before } } },
        { "agent:a": { body: { name: "A", ...after } } },
      ).map(({ code, path }) => [code, path]);
    const [one, other, watcher] = ["${toolset:t/one}", "${toolset:t/other}", "${agent:watcher}"];
    const tools = { tools: [one, other] };
    const before = { ...tools, needs_approval: [one, other], watched_by: watcher };
    expect(notesOn(before, { ...before, needs_approval: [other] })).toEqual([
      ["policy-setting-changed", "needs_approval"],
    ]);
    expect(notesOn(before, tools)).toEqual([
      ["policy-setting-changed", "needs_approval"],
      ["policy-setting-changed", "watched_by"],
    ]);
    expect(notesOn({ ...tools, needs_approval: [one] }, { ...tools, needs_approval: [one, other] })).toEqual(
      [],
    );
    expect(notesOn(tools, { tools: [one] })).toEqual([]);
  });

  it("looks at nothing that has no action, and reads a tool set once for all agents", () => {
    let reads = 0;
    const schema = (paths: string[]) => ({ operations: paths.map((path) => ({ method: "GET", path })) });
    const counting = (paths: string[]) => ({
      get openapi_schema() {
        reads++;
        return schema(paths);
      },
    });
    const agents = Array.from({ length: 30 }, (_, n) => `agent:a${n}`);
    const body = { tools: ["${toolset:desk}"] };
    const sides = Object.fromEntries(agents.map((address) => [address, { body }]));
    const input = inputOf(
      { ...sides, "toolset:desk": { body: counting(["/a"]) } },
      { ...sides, "toolset:desk": { body: counting(["/a", "/b"]) } },
    );
    const untouched = {
      id: "s1",
      digest: "",
      get body(): JsonObject {
        return expect.fail("a resource without an action was looked at");
      },
    };
    Object.defineProperty(input.lock.resources, "agent:still", { enumerable: true, value: untouched });
    const actions = input.actions.filter(({ address }) => address !== "toolset:desk");
    reads = 0;
    const notes = guardrailNotes({ ...input, actions });
    expect(notes.map(({ message }) => message)).toEqual(agents.map(() => "gains `GET /b` of toolset:desk"));
    expect(reads).toBeLessThanOrEqual(4);
  });

  it("takes a renamed tool set for the one that it was", () => {
    const operations = [{ method: "GET", path: "/a", operationId: "a" }];
    const set = { openapi_schema: { operations } };
    const references = { "toolset:old/a": "t1" };
    const before = {
      "toolset:old": { body: set, ids: ["t1"] },
      "agent:a": { body: { tools: ["${toolset:old/a}"] }, references },
    };
    const agent = { body: { tools: ["${toolset:new/a}"], description: "x" } };
    expect(notesOf(before, { "toolset:new": { body: set, from: "toolset:old" }, "agent:a": agent })).toEqual(
      [],
    );
    const another = notesOf(before, { "toolset:new": { body: set }, "agent:a": agent });
    expect(another.map(({ code }) => code)).toEqual(["tool-gained", "object-forgotten"]);
  });

  it("takes no object for one of another kind that has the same number", () => {
    const features = [{ config: "${policy:a}" }];
    const before = {
      "policy:a": { body: strict, id: "1" },
      "agent:b": { body: { features }, id: "2", references: { "policy:a": "1" } },
      "agent:z": { body: {}, id: "1" },
    };
    const after = { "policy:a": { body: strict }, "agent:b": { body: {} }, "agent:z": { body: {} } };
    expect(notesOf(before, after).map(({ message }) => message)).toEqual([
      "policy:a is detached: the agent no longer refers to it",
    ]);
  });

  it("tells which policy an agent had when two policies change names with each other", () => {
    const policy = (id: string) => ({ body: { name: id }, id });
    const references = { "policy:lax": "p1", "policy:strict": "p2" };
    const both = {
      features: [{ config: "${policy:strict}" }],
      note: "${policy:strict} not ${policy:lax} $${x:y}",
    };
    const one = { features: [{ config: "${policy:strict}" }] };
    const before = {
      "policy:lax": policy("p1"),
      "policy:strict": policy("p2"),
      "agent:both": { body: both, references },
      "agent:one": { body: one, references: { "policy:strict": "p2" } },
    };
    const notes = notesOf(before, {
      "policy:lax": { body: { name: "p2" }, from: "policy:strict" },
      "policy:strict": { body: { name: "p1" }, from: "policy:lax" },
      "agent:both": { body: both },
      "agent:one": { body: one },
    });
    expect(notes.map(({ address, code, message }) => [address, code, message])).toEqual([
      [
        "agent:both",
        "policy-detached",
        "policy:lax (policy:strict until now) is detached: the agent refers to it only inside a longer text, and now refers to policy:strict",
      ],
      [
        "agent:one",
        "policy-detached",
        "policy:lax (policy:strict until now) is detached: the agent no longer refers to it, and now refers to policy:strict",
      ],
    ]);
  });

  it("gives a detached policy no earlier name where one that is gone has left its name to another", () => {
    const features = (names: string[]) => names.map((name) => ({ config: `\${policy:${name}}` }));
    const references = { "policy:a": "p1", "policy:b": "p2", "policy:c": "p3" };
    const before = {
      "policy:a": { body: strict, id: "p1" },
      "policy:c": { body: strict, id: "p3" },
      "agent:x": { body: { features: features(["a", "b", "c"]) }, references },
    };
    const notes = notesOf(before, {
      "policy:b": { body: strict, from: "policy:a" },
      "policy:c": { body: strict },
      "agent:x": { body: { features: features(["b"]) } },
    });
    const detached = notes.filter(({ code }) => code === "policy-detached");
    expect(detached.map(({ message }) => message)).toEqual([
      "policy:c is detached: the agent no longer refers to it",
    ]);
  });

  it("reads the outlines that the lock keeps", () => {
    const document = (url: string, security: Json): JsonObject => ({
      openapi: "3.1.0",
      servers: [{ url }],
      security,
      paths: { "/a": { get: { operationId: "a" } } },
    });
    const set = (url: string, security: Json) => ({
      "toolset:a": { body: { openapi_schema: outline(document(url, security)) as JsonObject } },
    });
    const notes = notesOf(set("https://a.example", [{ key: [] }]), set("https://b.example", []));
    expect(notes.map(({ code }) => code)).toEqual(["security-dropped", "host-added"]);
  });

  it.each([[null], [[]], [""], [false], [["key"]]])(
    "takes %j among alternatives of security for one that demands nothing",
    (none) => {
      const set = (security: Json[]) => ({
        "toolset:a": {
          body: { openapi_schema: { operations: [get], security: { requirements: security } } },
        },
      });
      const before = set([{ key: [] }]);
      expect(notesOf(before, set([{ key: [] }, none])).map(({ code }) => code)).toEqual(["security-dropped"]);
      expect(notesOf(set([{ key: [] }, none]), before)).toEqual([]);
    },
  );

  it.each([
    ["another flow", { flows: { password: { tokenUrl: "https://a.example/t" } } }, "key-moved"],
    ["another flow of Swagger 2.0", { flow: "password", tokenUrl: "https://a.example/t" }, "key-moved"],
    ["another address", { flows: { code: { tokenUrl: "https://b.example/t" } } }, "token-address-changed"],
    [
      "a list of addresses",
      { flows: { code: { tokenUrl: ["https://b.example/t"] } } },
      "token-address-changed",
    ],
    [
      "an address under a name of an extension",
      { flows: { code: { tokenUrl: "https://a.example/t" } }, "x-issuer": "https://b.example" },
      "token-address-changed",
    ],
  ])("tells where tokens are asked for, and how: %s", (_, after, code) => {
    const set = (scheme: JsonObject) => ({
      "toolset:a": {
        body: {
          openapi_schema: {
            operations: [{ ...get, security: [{ o: [] }] }],
            security: { schemes: { o: { type: "oauth2", ...scheme } } },
          },
        },
      },
    });
    const url = { tokenUrl: "https://a.example/t" };
    const before = "flow" in after ? { flow: "accessCode", ...url } : { flows: { code: url } };
    expect(notesOf(set(before), set(after)).map((note) => note.code)).toEqual([code]);
  });

  it("takes another order of addresses and secrets for no change of where calls and keys go", () => {
    const set = (tokens: readonly string[], headers: readonly string[]) => ({
      "toolset:a": {
        body: {
          openapi_schema: {
            operations: [get],
            security: { schemes: Object.fromEntries(tokens.map((url) => [url, { tokenUrl: url }])) },
          },
          default_headers: Object.fromEntries(headers.map((name) => [name, "${env:TOKEN}"])),
        },
      },
    });
    const before = set(["https://a.example/t", "https://b.example/t"], ["A", "B"]);
    const to = (...after: Parameters<typeof set>) => {
      const { fleet, lock } = inputOf(before, set(...after));
      return callsChanged({
        actions: [{ address: "toolset:a", action: "update", changes: [] }],
        fleet,
        lock,
      });
    };
    expect(to(["https://b.example/t", "https://a.example/t"], ["B", "A"])).toEqual([]);
    expect(to(["https://b.example/t"], ["B", "A"])).toHaveLength(1);
  });

  it("names no part of a header's value", () => {
    const set = (value: string) => ({ "toolset:a": { body: { default_headers: { Authorization: value } } } });
    const [note, ...more] = notesOf(set("Bearer hunter2-${env:OLD}"), set("Bearer hunter3-${env:NEW}"));
    expect(note?.message).toBe(
      "the header `Authorization` now holds the secret `NEW`, and held the secret `OLD`",
    );
    expect(more).toEqual([]);
  });

  it("tells of endpoint defaults that go with another operation, which has taken the name", () => {
    const endpoint_defaults = {
      getOwn: { headers: { Authorization: "Bearer ${env:TOKEN}" } },
      erase: { query: { force: true } },
      "GET /own": { limit: 5 },
      gone: { limit: 5 },
    };
    const set = (named: Record<string, string>, more: Record<string, object> = {}) => {
      const operations = Object.entries(named).map(([route, operationId]) => {
        const [method = "", path = ""] = route.split(" ");
        return { method, path, operationId };
      });
      return {
        "toolset:a": {
          body: { openapi_schema: { operations }, endpoint_defaults: { ...endpoint_defaults, ...more } },
        },
      };
    };
    const before = set({ "GET /own": "getOwn", "GET /partner": "getPartner", "GET /last": "gone" });
    const after = set(
      { "GET /own": "getPartner", "GET /partner": "getOwn", "DELETE /all": "erase", "GET /new": "fresh" },
      { fresh: { limit: 5 } },
    );
    const notes = notesOf(before, after).filter(({ code }) => code === "default-changed");
    expect(notes.map(({ path, message }) => [path, message])).toEqual([
      [
        "openapi_schema.operations[DELETE /all]",
        "the endpoint default `erase` now goes with calls of `erase` (DELETE /all), and went with none",
      ],
      // What is new has gone with nothing else.
      ["endpoint_defaults.fresh", "the endpoint default `fresh.limit` is newly set to `5`"],
      [
        "openapi_schema.operations[GET /partner].operationId",
        "the endpoint default `getOwn` now goes with calls of `getOwn` (GET /partner), and went with those of `getOwn` (GET /own); sent along: `endpoint_defaults.getOwn.headers.Authorization` (the secret `TOKEN`)",
      ],
    ]);
  });

  it("says nothing of a key that is sent at creation alone, unless the object is made anew", () => {
    const set = { tool_set_name: "desk", enhance_descriptions: true, openapi_schema: { operations: [] } };
    const before = { "toolset:desk": { body: set, ids: ["t1"] } };
    const body = { ...set, provider_api_key: "${env:KEY}", default_headers: { "X-Client": "a" } };
    const codesOf = (replaced: boolean, sent_once: string[] = []) =>
      notesOf(
        { "toolset:desk": { ...before["toolset:desk"], sent_once } },
        { "toolset:desk": { body, replaced } },
      ).map(({ code }) => code);
    expect(codesOf(false)).toEqual(["default-changed"]);
    expect(codesOf(true)).toEqual(["secret-changed", "default-changed"]);
    expect(codesOf(true, ["OTHER_KEY"])).toEqual(["secret-changed", "default-changed"]);
    expect(codesOf(true, ["KEY"])).toEqual(["default-changed"]);
  });

  it("reads bodies of any shape", () => {
    const odd = [null, 1, [], {}, { method: 1, path: "/" }, { method: "get", path: "/a", operationId: 7 }];
    const set = (operations: Json) => ({ "toolset:a": { body: { openapi_schema: { operations } } } });
    const agent = { "agent:a": { body: { tools: ["${toolset:a}"] } } };
    const notes = notesOf({ ...agent, ...set("none") }, { ...agent, ...set(odd) });
    expect(notes.map(({ message }) => message)).toEqual(["gains `GET /a` of toolset:a"]);
    const policy = (body: JsonObject) => ({ "policy:a": { body } });
    const [gone] = notesOf(policy({ constructor: { enabled: true } }), policy({}));
    expect(gone?.message).toBe("the check `constructor` is gone");
  });

  it("shortens long values without cutting a character in two", () => {
    const policy = (topics: Json) => ({ "policy:a": { body: { banned_topics: { enabled: true, topics } } } });
    const [note] = notesOf(policy(["😀".repeat(2000)]), policy([]));
    expect(note?.message).toBe(`\`banned_topics\` no longer bans \`${"😀".repeat(999)}…\``);
  });
});

describe("notes of any bodies", () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "${policy:p}",
      "${toolset:t}",
      "${toolset:t/a}",
      "x ${agent:a} ${policy:p}",
      "${env:A@2}",
      "__proto__",
    ),
  );
  const names = `allowed_topics banned_topics keywords topics toxicity_check enabled threshold action pii_detection
    types custom_pii label features type config priority tools model openapi_schema operations method path operationId
    servers url variables security requirements default_headers constructor __proto__ toString`;
  const fields = fc.constantFrom(...names.split(/\s+/));
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(fc.boolean(), fc.integer(), fc.constant(null), text),
      fc.array(tie("json"), { maxLength: 4 }),
      fc.array(fc.tuple(fields, tie("json")), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));
  const body = fc
    .array(fc.tuple(fields, json), { maxLength: 8 })
    .map((entries): JsonObject => Object.fromEntries(entries));
  const side = fc
    .record({ "policy:p": body, "toolset:t": body, "agent:a": body, "credential:c": body })
    .map((bodies) =>
      Object.fromEntries(
        Object.entries(bodies).map(([address, each]) => [address, { body: each, protect: true }]),
      ),
    );

  it("are none where nothing changed", () => {
    fc.assert(
      fc.property(side, (same) => {
        expect(notesOf(same, structuredClone(same))).toEqual([]);
      }),
    );
  });

  it("are sentences that name one of the rules", () => {
    const property = fc.property(side, side, (before, after) => {
      for (const { code, message } of notesOf(before, after)) {
        expect(codes).toContain(code);
        expect(message).not.toMatch(/undefined|\[object/);
      }
    });
    fc.assert(property, { numRuns: examples(500) });
  });
});
