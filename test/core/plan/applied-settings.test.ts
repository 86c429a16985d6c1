import { describe, expect, it } from "vitest";
import {
  appliedSettings,
  planSettingChanges,
  settingChanges,
  settingNotes,
} from "../../../src/core/plan/applied-settings.js";
import type { Action } from "../../../src/generated/plan.js";
import type { JsonObject } from "../../../src/json/json.js";
import type { Lock } from "../../../src/core/state/lock.js";
import { noLock } from "../../plan/history.js";

const file = { store: "file" } as const;

describe("appliedSettings", () => {
  it("leaves out what says as much as its absence, and knows one order", () => {
    const service = { field_names: {}, rejected_statuses: [503, 500], base_url: "https://a.example/" };
    expect(appliedSettings({ service, lock: file }, false)).toEqual({
      service: { base_url: "https://a.example", rejected_statuses: [500, 503] },
    });
    expect(appliedSettings({ service: { rejected_statuses: [] }, lock: file }, false)).toEqual({});
  });

  it("has the store, if it is not the file beside the manifest", () => {
    const lock = { store: "git", ref: "refs/agentform/a" } as const;
    expect(appliedSettings({ service: {}, lock }, false)).toEqual({ lock });
  });

  it("has nothing of the real service's addresses, key and store for the emulator", () => {
    const service = { base_url: "https://a.example", api_key: "${env:KEY}", field_names: { name: "label" } };
    expect(appliedSettings({ service, lock: { store: "git" } }, true)).toEqual({
      service: { base_url: "emulator", field_names: { name: "label" } },
    });
  });
});

describe("settingChanges", () => {
  it("names each value that differs, in one order", () => {
    const lock = {
      ...noLock,
      settings: { service: { api_key: "${env:A}", field_names: { a: "x", b: "y" } } },
    };
    const now = { service: { api_key: "${env:B}", field_names: { b: "y", "c.d": "z" } } };
    expect(settingChanges(lock, now)).toEqual([
      { path: "service.api_key", before: "${env:A}", after: "${env:B}" },
      { path: 'service.field_names."c.d"', after: "z" },
      { path: "service.field_names.a", before: "x" },
    ]);
    expect(settingChanges(lock, lock.settings)).toEqual([]);
  });

  it("takes a list for one value", () => {
    const lock = { ...noLock, settings: { service: { rejected_statuses: [503] } } };
    expect(settingChanges(lock, { service: { rejected_statuses: [502, 503] } })).toEqual([
      { path: "service.rejected_statuses", before: [503], after: [502, 503] },
    ]);
  });
});

describe("planSettingChanges", () => {
  type Excuses = Record<string, Record<string, string>>;
  const moved = (to: string, from: string): Action => ({ ...fewest, address: to, from });
  const fewest: Action = {
    action: "record",
    address: "agent:a",
    affects: [],
    changes: [],
    fields: [],
    reads: {},
    reasons: [],
    requests: [],
    waits_for: [],
  };
  const found = (then: Excuses, now: Excuses, ...actions: Action[]) =>
    planSettingChanges(
      { environment: null, actions },
      { ...noLock, settings: { exceptions: then } },
      { exceptions: now },
    );

  it("have an excuse that two addresses swap as the turn of its reason, if that is another", () => {
    const swap = [moved("agent:a", "agent:b"), moved("agent:b", "agent:a")];
    const same = { "agent:a": { one: "A." }, "agent:b": { one: "A." } };
    expect(found(same, same, ...swap)).toEqual([]);
    const other = { "agent:a": { one: "A.", constructor: "A." }, "agent:b": { one: "B." } };
    expect(found(other, other, ...swap)).toEqual([
      { path: 'exceptions."agent:a".one', before: "B.", after: "A." },
      { path: 'exceptions."agent:a".constructor', after: "A." },
      { path: 'exceptions."agent:b".one', before: "A.", after: "B." },
    ]);
  });

  it("have an excuse that is new at its address once, whatever moves there", () => {
    const [then, now] = [{ "agent:a": { one: "A." } }, { "agent:b": { one: "A." } }];
    const chain = [moved("agent:b", "agent:a"), moved("agent:c", "agent:b")];
    const paths = ['exceptions."agent:a".one', 'exceptions."agent:b".one'];
    expect(
      found(then, now, ...chain)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(paths);
    expect(found({}, now, moved("agent:b", "agent:c"))).toEqual([{ path: paths[1], after: "A." }]);
  });
});

describe("settingNotes", () => {
  const changes = [{ path: "service.base_url", before: "https://a.example", after: "https://b.example" }];

  it("say what each change can do, with what was and what is", () => {
    const [note] = settingNotes({ ...noLock, settings: {} }, changes);
    expect(note).toMatchObject({ code: "setting-changed", effect: "widens", path: "service.base_url" });
    expect(note?.message).toContain("changes from `https://a.example` to `https://b.example`: ");
  });

  it("rank operations by what they can do: reads widen nothing and come last, unless one is lost", () => {
    const read = "GET /v3/agents/{id}";
    const list = { request: "GET /v3/agents/", id: "/_id" };
    const then = { ...noLock, settings: { service: { operations: { agent: { list: list.request } } } } };
    const notesOf = (lock: Lock, agent: JsonObject, more: JsonObject = {}) =>
      settingNotes(lock, settingChanges(lock, { service: { operations: { agent }, ...more } })).map(
        ({ path, effect }) => [path?.replace("service.", ""), effect],
      );
    expect(notesOf(then, { list: { request: list.request }, read })).toEqual([
      ["operations.agent.read", "review"],
    ]);
    expect(
      notesOf(
        { ...noLock, settings: { service: { api_key: "${env:A}" } } },
        { list, read },
        { api_key: "${env:A}" },
      ),
    ).toEqual([
      ["operations.agent.list", "review"],
      ["operations.agent.read", "review"],
    ]);
    const all = { list, read, delete: "DELETE /v3/agents/{id}" };
    expect(notesOf(then, all, { base_url: "https://b.example", id_pointers: { agent: "/x" } })).toEqual([
      ["base_url", "widens"],
      ["operations.agent.delete", "widens"],
      ["id_pointers.agent", "weakens"],
      ["operations.agent.list.id", "weakens"],
      ["operations.agent.read", "review"],
    ]);
    const before = { ...noLock, settings: { service: { operations: { agent: all } } } };
    expect(notesOf(before, { list })).toEqual([
      ["operations.agent.read", "weakens"],
      ["operations.agent.delete", "review"],
    ]);
  });

  it("are none before anything was applied", () => {
    expect(settingNotes(noLock, changes)).toEqual([]);
  });

  it("never shorten a value", () => {
    const after = `https://agents.example.com.${"a".repeat(300)}.evil.example`;
    const [note] = settingNotes({ ...noLock, settings: {} }, [{ path: "service.base_url", after }]);
    expect(note?.message).toContain(after);
  });
});
