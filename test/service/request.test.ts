import { describe, expect, it } from "vitest";
import { createService, ServiceKeyError } from "../../src/service/service.js";
import { InsecureServiceError, ServiceAddressError } from "../../src/service/address.js";
import { environmentSecrets, Secret } from "../../src/service/secret.js";
import { answer, rawServer } from "./raw-server.js";
import { calling, createAgent, KEY, updateAgent } from "./calling.js";

const fine = answer(200, '{"agent_id":"66f1"}');

describe("a request", () => {
  it("has these headers and no others", async () => {
    const server = await rawServer([fine]);
    const { service } = await calling(server.url);
    await service.send(createAgent, "create");
    const [request] = server.received;
    expect(request).toMatchObject({ method: "POST", path: "/v3/agents/", body: '{"name":"Support desk"}' });
    const { "accept-encoding": encodings, ...headers } = Object.fromEntries(request?.headers ?? []);
    expect(encodings).toContain("gzip");
    expect(headers).toEqual({
      "x-api-key": KEY,
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": "agentform/0.0.0",
      host: `127.0.0.1:${server.port}`,
      "content-length": "23",
      connection: "keep-alive",
    });
  });

  it("that reads asks for no copy that a cache has kept", async () => {
    const server = await rawServer([fine]);
    const { service } = await calling(server.url);
    await service.ask({ host: "base", method: "GET", path: "/v3/agents/" }, "read");
    expect(server.received[0]?.headers.get("cache-control")).toBe("no-cache");
  });

  it.each(["", "/", "/platform", "/platform/"])(
    "goes to the exact path under a base address%s",
    async (base) => {
      const server = await rawServer([fine]);
      const { service } = await calling(server.url + base);
      const prefix = base.replace(/\/$/, "");
      for (const path of ["/v3/tools/", "/v3/tools/credentials", "/v3/tools/a%2Fb%20c"]) {
        await service.send({ ...createAgent, path }, "create");
        expect(server.received.at(-1)?.path).toBe(prefix + path);
      }
    },
  );

  it("is not sent if its path would arrive as another", async () => {
    const server = await rawServer([fine]);
    const { service } = await calling(server.url);
    const outcome = await service.send({ ...updateAgent, path: "/v3/agents/.." }, "update");
    expect(outcome).toEqual({
      type: "not-sent",
      message: "the path /v3/agents/.. cannot be sent as written",
    });
    expect(server.connections()).toBe(0);
  });

  it("of a policy goes to the address of its own, and nowhere without one", async () => {
    const base = await rawServer([fine]);
    const rai = await rawServer([answer(200, '{"_id":"66aa"}')]);
    const request = { ...createAgent, host: "rai", path: "/v1/rai/policies" } as const;
    const { service } = await calling(base.url, { raiBaseUrl: rai.url });
    expect(await service.send(request, "create")).toMatchObject({ answer: { _id: "66aa" } });
    const without = await calling(base.url);
    expect(await without.service.send(request, "create")).toMatchObject({ type: "not-sent" });
    expect(base.connections()).toBe(0);
  });

  it("has the deployment's field names and the secrets", async () => {
    const server = await rawServer([fine]);
    const { service } = await calling(server.url, {
      secrets: environmentSecrets({ PROVIDER_KEY: "pk-1" }),
      fieldNames: { provider_api_key: "acme_api_key" },
    });
    const body = { tool_set_name: "$${x}", provider_api_key: "${env:PROVIDER_KEY@2}", openapi_schema: {} };
    await service.send({ ...createAgent, body }, "create");
    expect(server.received[0]?.body).toBe(
      '{"tool_set_name":"${x}","acme_api_key":"pk-1","openapi_schema":{}}',
    );
  });
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])(
    "by %i is not followed, and the key goes nowhere else",
    async (status) => {
      const elsewhere = await rawServer([fine]);
      const server = await rawServer([answer(status, "", { location: `${elsewhere.url}/v3/agents/` })]);
      const { service } = await calling(server.url);
      for (const [request, intent] of [[createAgent, "create"] as const, [updateAgent, "update"] as const]) {
        expect(await service.send(request, intent)).toMatchObject({
          type: status < 304 ? "unknown" : "rejected",
          status,
          message: `HTTP ${status}, a redirect, which agentform does not follow`,
        });
      }
      expect(elsewhere.connections()).toBe(0);
      expect(server.received).toHaveLength(2);
    },
  );
});

describe("createService", () => {
  const options = {
    apiKey: new Secret(KEY),
    secrets: () => undefined,
    userAgent: "agentform",
    concurrency: 1,
  };

  it("refuses to send the key in the clear, to either address", async () => {
    const baseUrl = "http://agents.example.com";
    await expect(createService({ ...options, baseUrl })).rejects.toThrow(InsecureServiceError);
    const both = { ...options, baseUrl: "https://agents.example.com", raiBaseUrl: "http://rai.example.com" };
    await expect(createService(both)).rejects.toThrow(InsecureServiceError);
    const allowed = await createService({ ...both, allowInsecureHttp: true });
    await allowed.close();
  });

  it("refuses an address that it cannot join paths to", async () => {
    const baseUrl = "https://agents.example.com/?tenant=1";
    await expect(createService({ ...options, baseUrl })).rejects.toThrow(ServiceAddressError);
  });

  it.each(["", "key\n", "kéy", "k\u0000ey"])("refuses the key %j without quoting it", async (key) => {
    const creating = createService({ ...options, baseUrl: "https://a.example", apiKey: new Secret(key) });
    await expect(creating).rejects.toThrow(ServiceKeyError);
    await expect(creating).rejects.toThrow(/^the API key is empty, or has characters that a header cannot/);
  });
});
