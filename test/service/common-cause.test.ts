import { describe, expect, it } from "vitest";
import type { ApplyEvent } from "../../src/core/apply/apply-report.js";
import { commonCause } from "../../src/service/fault.js";
import { applyActions, createHeldStore, creation } from "../core/apply/applying.js";
import { calling } from "./calling.js";
import { answer, closedPort, rawServer } from "./raw-server.js";

const destination = {
  url: new URL("https://agents.test/v3/agents/"),
  path: "/v3/agents/",
  setting: "base_url",
} as const;

describe("commonCause", () => {
  it.each([
    [
      "SELF_SIGNED_CERT_IN_CHAIN",
      "the certificate of agents.test is not trusted: pass `--ca-file FILE`",
      true,
    ],
    [
      "PROXY_UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "the certificate of the proxy is not trusted: pass `--ca",
      true,
    ],
    ["CERT_HAS_EXPIRED", "the certificate of agents.test is not valid at this time", true],
    [
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "agents.test is for another name: check `base_url` (https://agents.test)",
      true,
    ],
    [
      "PROXY_407",
      "the proxy refuses the user name or password: set or correct the user name and password in `HTTPS_PROXY`",
      true,
    ],
    [
      "PROXY_502",
      "the proxy cannot connect to agents.test: check `base_url` (https://agents.test) and `HTTPS_PROXY`",
      false,
    ],
    ["PROXY_ECONNREFUSED", "the proxy cannot be reached: check `HTTPS_PROXY`", false],
    ["ENOTFOUND", "agents.test cannot be reached: check `base_url` (https://agents.test)", false],
  ])("of %s says what to do", (code, why, isLasting) => {
    const cause = commonCause({ ok: false, code, mayHaveArrived: false }, destination, "HTTPS_PROXY");
    expect(cause?.common.why).toContain(why);
    expect(cause).toMatchObject({ isLasting, common: { after: 3 } });
  });

  it("is none for what may be chance", () => {
    expect(
      commonCause({ ok: false, code: "ECONNRESET", mayHaveArrived: false }, destination),
    ).toBeUndefined();
  });
});

async function applyMany(baseUrl: string) {
  const { service } = await calling(baseUrl);
  const actions = Array.from({ length: 20 }, (_, index) => creation(`a${index}`));
  const skipped = new Set<string>();
  const onEvent = (event: ApplyEvent): void => {
    if (event.type === "skipped") skipped.add(event.because);
  };
  const { summary } = await applyActions(actions, { store: createHeldStore().store, service, onEvent });
  return { summary, skipped: [...skipped] };
}

describe("an apply in which every request meets the same", () => {
  it("stops after three where the host is not there", async () => {
    const origin = `http://127.0.0.1:${closedPort}`;
    const { summary, skipped } = await applyMany(origin);
    expect(summary).toMatchObject({ failed: 3, skipped: 17, unknown: 0 });
    expect(skipped).toEqual([`${new URL(origin).host} cannot be reached: check \`base_url\` (${origin})`]);
  });

  it("stops after three where the certificate is not trusted, and tries nothing again", async () => {
    const server = await rawServer([answer(200)], { tls: true });
    const { summary, skipped } = await applyMany(server.url);
    expect(summary).toMatchObject({ failed: 3, skipped: 17, unknown: 0 });
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain("`--ca-file FILE`");
  });

  it("stops at once where the service refuses everything for too long", async () => {
    const server = await rawServer([answer(429)]);
    const { summary, skipped } = await applyMany(server.url);
    expect(summary).toMatchObject({ failed: 1, skipped: 19, unknown: 0 });
    expect(skipped).toEqual(["nothing succeeded for 300 s (HTTP 429)"]);
  });
});
