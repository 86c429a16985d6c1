import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { proxyFor } from "../../src/service/proxy.js";
import { openTunnel } from "../../src/service/tunnel.js";
import { calling, createAgent, KEY, rested, updateAgent, type Calling } from "./calling.js";
import { certificate } from "./certificate.js";
import { connectProxy, type ConnectProxy, type Manner } from "./connect-proxy.js";
import { answer, closedPort, rawServer, type RawServer } from "./raw-server.js";
import { sample, wholeTest } from "../harness/tier.js";

const fine = answer(200, '{"agent_id":"66f1"}');

// What the surroundings of the tests say of proxies is not meant here.
beforeEach(() => {
  for (const name of ["https_proxy", "http_proxy", "all_proxy", "no_proxy"]) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toUpperCase(), undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

interface Scene extends Calling {
  readonly proxy: ConnectProxy;
  readonly server: RawServer;
}

/** A service that is called agents.test, which only a proxy can reach. */
async function behindProxy(
  protocol: "http" | "https",
  manners: readonly Manner[] = ["open"],
  { credentials = "", tls = false, connect = 10_000 } = {},
): Promise<Scene> {
  const proxy = await connectProxy({ manners, tls });
  const server = await rawServer([fine], { tls: protocol === "https" });
  vi.stubEnv(`${protocol.toUpperCase()}_PROXY`, proxy.url.replace("://", `://${credentials}`));
  const url = `${protocol}://agents.test:${server.port}`;
  const options = { certificates: certificate, allowInsecureHttp: true, timeouts: { connect } };
  return { proxy, server, ...(await calling(url, options)) };
}

describe("through a proxy", () => {
  it.each(["http", "https"] as const)(
    "an %s service is reached by CONNECT, on a connection that is kept",
    async (protocol) => {
      const { proxy, server, service } = await behindProxy(protocol);
      expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
      await rested();
      expect(await service.send(updateAgent, "update")).toMatchObject({ type: "success" });
      const host = `agents.test:${server.port}`;
      expect(proxy.asked).toEqual([`CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\nConnection: close\r\n\r\n`]);
      expect(server.received.map(({ connection }) => connection)).toEqual([0, 0]);
      expect(server.received[0]?.headers.get("x-api-key")).toBe(KEY);
      expect(server.received[0]?.headers.get("host")).toBe(host);
    },
  );

  it("a kept connection carries no create once it has been idle for a second", async () => {
    const { server, service } = await behindProxy("https");
    await service.send(createAgent, "create");
    await rested();
    const now = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => now + 1050);
    await service.send(createAgent, "create");
    expect(server.received.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  wholeTest("a tunnel outlives the time that it had to be made", async () => {
    const { server, service } = await behindProxy("https", ["open"], { connect: 1000 });
    await service.send(updateAgent, "update");
    await setTimeout(1050);
    expect(await service.send(updateAgent, "update")).toMatchObject({ type: "success" });
    expect(server.connections()).toBe(1);
  });

  it("of an https service the proxy sees neither key nor body", async () => {
    const { proxy, service } = await behindProxy("https");
    await service.send(createAgent, "create");
    expect(proxy.seen()).toContain("CONNECT agents.test");
    expect(proxy.seen()).not.toContain(KEY);
    expect(proxy.seen()).not.toContain("Support desk");
  });

  it("what the proxy sees would show the key, for over http it does", async () => {
    const { proxy, service } = await behindProxy("http");
    await service.send(createAgent, "create");
    expect(proxy.seen()).toContain(KEY);
    expect(proxy.asked.join("")).not.toContain(KEY);
  });

  it("the proxy itself may speak TLS, and its certificate is checked", async () => {
    const { proxy, service } = await behindProxy("https", ["open"], { tls: true });
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
    expect(proxy.asked).toHaveLength(1);
    const untrusting = await calling("https://agents.test");
    expect(await untrusting.service.send(createAgent, "create")).toMatchObject({
      type: "not-sent",
      message: "the proxy: TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
    });
    expect(proxy.asked).toHaveLength(1);
  });

  it("user and password of the proxy's URL are sent to the proxy alone", async () => {
    const { proxy, server, service } = await behindProxy("http", ["open"], { credentials: "me:p%40ss%2F@" });
    await service.send(createAgent, "create");
    const encoded = Buffer.from("me:p@ss/").toString("base64");
    expect(proxy.asked[0]).toContain(`proxy-authorization: Basic ${encoded}\r\n`);
    expect(server.received[0]?.headers.has("proxy-authorization")).toBe(false);
  });

  it("a service whose certificate is not trusted gets nothing, as one that a proxy puts in its place", async () => {
    const { server } = await behindProxy("https");
    const { service } = await calling(`https://agents.test:${server.port}`);
    const outcome = await service.send(createAgent, "create");
    expect(outcome).toMatchObject({
      type: "not-sent",
      message: "TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
    });
    expect(server.received).toEqual([]);
  });

  it("a service with a certificate of another name gets nothing", async () => {
    const { server } = await behindProxy("https");
    const { service } = await calling(`https://other.test:${server.port}`, { certificates: certificate });
    expect(await service.send(createAgent, "create")).toMatchObject({
      type: "not-sent",
      message: "TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)",
    });
    expect(server.received).toEqual([]);
  });
});

describe("a proxy that makes no connection", () => {
  const refusal = (status: number): Manner => ({ answer: `HTTP/1.1 ${status} No\r\n\r\n<b>${status}</b>` });

  it.each<[string, Manner, string]>([
    ["refuses", refusal(403), "the proxy refused the connection (HTTP 403)"],
    ["fails", refusal(502), "the proxy refused the connection (HTTP 502)"],
    ["redirects", refusal(302), "the proxy refused the connection (HTTP 302)"],
    ["closes", "close", "the proxy: the connection was closed before an answer"],
    ...sample<[string, Manner, string]>(
      "proxies that hang",
      [["hangs", "hang", "no connection through the proxy within 0.6 s"]],
      0,
    ),
    [
      "is none",
      { answer: "SSH-2.0-none\r\n" },
      "the proxy: the answer is not valid HTTP (HPE_INVALID_CONSTANT)",
    ],
  ])("since it %s: nothing was sent, and a create is tried again", async (_what, manner, message) => {
    for (const protocol of sample("protocols", ["http", "https"] as const, 1)) {
      const { proxy, server, service, slept } = await behindProxy(protocol, [manner], {
        connect: manner === "hang" ? 600 : 10_000,
      });
      expect(await service.send(createAgent, "create")).toMatchObject({
        type: "not-sent",
        message: `${message}, after 3 tries`,
      });
      expect(slept).toHaveLength(2);
      expect(proxy.asked).toHaveLength(3);
      expect(server.connections()).toBe(0);
    }
  });

  it("since it wants a password: the message names its variable, and nothing is tried again", async () => {
    const { proxy, service, slept } = await behindProxy("https", [refusal(407)]);
    expect(await service.send(createAgent, "create")).toMatchObject({
      type: "not-sent",
      message: "the proxy refused the connection (HTTP 407; it needs a user name and password in its URL)",
      hint: "set or correct the user name and password in `HTTPS_PROXY`",
      common: { after: 3 },
    });
    expect(slept).toEqual([]);
    expect(proxy.asked).toHaveLength(1);
  });

  it("since nothing listens there: nothing was sent", async () => {
    vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${closedPort}`);
    const { service } = await calling("https://agents.test");
    expect(await service.send(createAgent, "create")).toMatchObject({
      type: "not-sent",
      message: "the proxy: connection refused, after 3 tries",
      hint: "check `HTTPS_PROXY`",
    });
  });

  it("is tried again, and then goes well", async () => {
    const { service, server } = await behindProxy("https", [refusal(503), "open"]);
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
    expect(server.received).toHaveLength(1);
  });

  it("does not hold up the end of a run", async () => {
    const { proxy, service } = await behindProxy("https", ["hang"]);
    const sending = service.send(createAgent, "create");
    await vi.waitFor(() => expect(proxy.asked).toHaveLength(1), { timeout: 600_000 });
    await service.close();
    // Had the time for the connection ended it, the message would say so.
    expect(await sending).toMatchObject({
      type: "not-sent",
      message: expect.not.stringContaining("no connection") as string,
    });
  });

  it("is not opened any more once the run has ended", async () => {
    const { service } = await behindProxy("https", ["hang"]);
    const sending = service.send(createAgent, "create");
    await service.close();
    expect(await sending).toMatchObject({ type: "not-sent" });
  });

  it("ends at once if it is asked for after the end", async () => {
    const proxy = await connectProxy({ manners: ["hang"] });
    const target = { host: "agents.test", port: 443, servername: undefined };
    const { hostname: host, port } = new URL(proxy.url);
    const ended = AbortSignal.abort();
    const opening = openTunnel({ host, port: Number(port), secure: false }, target, {
      timeout: 600_000,
      signal: ended,
    });
    await expect(opening).rejects.toMatchObject({ code: "PROXY_ECONNRESET" });
  });

  wholeTest("in the middle of the handshake with the service: nothing was sent", async () => {
    const silent = await rawServer([]);
    const proxy = await connectProxy();
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    const { service } = await calling(`https://agents.test:${silent.port}`, { timeouts: { connect: 500 } });
    expect(await service.send(createAgent, "create")).toMatchObject({
      type: "not-sent",
      message: "no connection through the proxy within 0.5 s, after 3 tries",
    });
    expect(silent.connections()).toBe(3);
  });
});

describe("a connection through a proxy that breaks", () => {
  it("after the request leaves a create unknown", async () => {
    const proxy = await connectProxy();
    const server = await rawServer([(socket) => socket.destroy()], { tls: true });
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    const { service } = await calling(`https://agents.test:${server.port}`, { certificates: certificate });
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "unknown" });
    expect(server.received).toHaveLength(1);
  });
});

describe("proxyFor", () => {
  const direct = "direct";
  const found = (url: string): string => {
    const proxy = proxyFor(new URL(url));
    return proxy ? `${proxy.secure ? "https" : "http"} ${proxy.host}:${proxy.port}` : direct;
  };

  it.each<[Record<string, string>, string, string]>([
    [{}, "https://a.test", direct],
    [{ HTTPS_PROXY: "http://p.test:3128" }, "https://a.test", "http p.test:3128"],
    [{ https_proxy: "http://p.test:3128" }, "https://a.test", "http p.test:3128"],
    [{ https_proxy: "http://low.test", HTTPS_PROXY: "http://up.test" }, "https://a.test", "http low.test:80"],
    [{ HTTPS_PROXY: "http://p.test" }, "http://a.test", direct],
    [{ HTTP_PROXY: "http://p.test" }, "http://a.test", "http p.test:80"],
    [{ HTTP_PROXY: "http://p.test" }, "https://a.test", direct],
    [{ ALL_PROXY: "https://p.test" }, "https://a.test", "https p.test:443"],
    [{ HTTPS_PROXY: "p.test:3128" }, "https://a.test", "http p.test:3128"],
    [{ HTTPS_PROXY: "http://[2001:db8::1]:3128" }, "https://a.test", "http 2001:db8::1:3128"],
    [{ HTTPS_PROXY: "" }, "https://a.test", direct],
    [{ HTTPS_PROXY: "http://p.test", NO_PROXY: "a.test" }, "https://a.test", direct],
    [{ HTTPS_PROXY: "http://p.test", NO_PROXY: "a.test" }, "https://agents.a.test", direct],
    [{ HTTPS_PROXY: "http://p.test", NO_PROXY: "A.test" }, "https://a.test", direct],
    [{ HTTPS_PROXY: "http://p.test", no_proxy: "b.test, .test" }, "https://a.test", direct],
    [{ HTTPS_PROXY: "http://p.test", NO_PROXY: "*" }, "https://a.test", direct],
    [{ HTTPS_PROXY: "http://p.test", NO_PROXY: "a.test:443" }, "https://a.test", direct],
    [{ HTTPS_PROXY: "http://p.test", NO_PROXY: "a.test:8443" }, "https://a.test", "http p.test:80"],
    [{ HTTPS_PROXY: "http://p.test", NO_PROXY: "a.test" }, "https://aa.test", "http p.test:80"],
    [{ HTTP_PROXY: "http://p.test" }, "http://localhost:8080", direct],
    [{ HTTP_PROXY: "http://p.test" }, "http://127.0.0.2", direct],
    [{ HTTP_PROXY: "http://p.test" }, "http://[::1]:8080", direct],
  ])("with %o takes %s to %s", (variables, url, expected) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(found(url)).toBe(expected);
  });

  it.each(["socks5://me:p4ss@p.test", "http://", "http://me:p4ss@p.test:port"])(
    "refuses %s without quoting it",
    async (proxy) => {
      vi.stubEnv("HTTPS_PROXY", proxy);
      await expect(calling("https://a.test")).rejects.toThrow(
        /^the proxy that the environment sets for a\.test is not a valid http or https URL$/,
      );
    },
  );

  it("shows no password of a proxy", () => {
    vi.stubEnv("HTTPS_PROXY", "http://me:p4ss@p.test");
    expect(JSON.stringify(proxyFor(new URL("https://a.test")))).toContain('"authorization":"[secret]"');
  });
});
