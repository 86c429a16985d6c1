import { describe, expect, it } from "vitest";
import { emptyLock, type LockService } from "../../../src/core/state/lock.js";
import { checkServiceIdentity, knownAddresses } from "../../../src/core/state/service-identity.js";

const base = "https://agents.example.com/api";
const rai = "https://rai.example.com";

function check(before: LockService, now: LockService): string[] {
  const lock = { ...emptyLock({ workspace: "test", environment: null }, "lineage"), service: before };
  return checkServiceIdentity(lock, now, { file: "agentform.yaml" }).map(({ message }) => message);
}

describe("checkServiceIdentity", () => {
  it.each([
    ["the same addresses", { base_url: base, rai_base_url: rai }],
    ["capitals in the host", { base_url: "https://AGENTS.example.com/api", rai_base_url: rai }],
    ["the default port", { base_url: "https://agents.example.com:443/api", rai_base_url: rai }],
    ["the dot of the root", { base_url: "https://agents.example.com./api", rai_base_url: rai }],
    ["one address less", { base_url: base }],
    ["no base address any more", { base_url: "", rai_base_url: rai }],
  ])("knows %s", (_, now) => {
    expect(check({ base_url: base, rai_base_url: rai }, now)).toEqual([]);
  });

  it.each([
    ["another host", { base_url: "https://agents.example.org/api", rai_base_url: rai }],
    ["another path", { base_url: "https://agents.example.com/other", rai_base_url: rai }],
    ["another scheme", { base_url: "http://agents.example.com/api", rai_base_url: rai }],
    ["another port", { base_url: "https://agents.example.com:8443/api", rai_base_url: rai }],
    ["a user", { base_url: "https://agents.example.com@evil.example/api", rai_base_url: rai }],
    ["a host that looks the same", { base_url: "https://agents.exаmple.com/api", rai_base_url: rai }],
    ["another second address", { base_url: base, rai_base_url: "https://evil.example" }],
    ["the addresses the other way round", { base_url: rai, rai_base_url: rai }],
    ["what is no URL", { base_url: "agents.example.com/api", rai_base_url: rai }],
  ])("refuses %s", (_, now) => {
    expect(check({ base_url: base, rai_base_url: rai }, now)).toHaveLength(1);
  });

  it("refuses a second address that comes later at another origin, and names it", () => {
    const [message, ...more] = check({ base_url: base }, { base_url: base, rai_base_url: rai });
    expect(message).toContain("`rai_base_url` is `https://rai.example.com`");
    expect(more).toEqual([]);
  });

  it("takes a second address that comes later at an origin which has the key already", () => {
    const second = { base_url: base, rai_base_url: "https://agents.example.com/rai" };
    expect(check({ base_url: base }, second)).toEqual([]);
    expect(
      check({ base_url: "", rai_base_url: rai }, { base_url: `${rai}/tools`, rai_base_url: rai }),
    ).toEqual([]);
  });

  it("knows no address before the first apply", () => {
    const lock = emptyLock({ workspace: "test", environment: null }, "lineage");
    expect(checkServiceIdentity(lock, { base_url: base }, { file: "agentform.yaml" })).toEqual([]);
  });
});

describe("knownAddresses", () => {
  it("keeps an address that the manifest no longer has, so that another cannot take its place unseen", () => {
    const before = { base_url: base, rai_base_url: rai };
    const kept = knownAddresses(before, { base_url: base });
    expect(kept).toEqual(before);
    expect(check(kept, { base_url: base, rai_base_url: "https://evil.example" })).toHaveLength(1);
    expect(knownAddresses(before, { base_url: "", rai_base_url: rai })).toEqual(before);
  });

  it("forgets what was known when the service moved", () => {
    const now = { base_url: "https://moved.example.com" };
    expect(knownAddresses({ base_url: base, rai_base_url: rai }, now)).toEqual(now);
    expect(knownAddresses(undefined, now)).toEqual(now);
  });
});
