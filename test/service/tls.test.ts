import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { certificate, certificateKey } from "./certificate.js";
import { answer, rawServer } from "./raw-server.js";
import { calling, createAgent, rested, updateAgent } from "./calling.js";

const fine = answer(200, '{"agent_id":"66f1"}');

describe("https", () => {
  it("is spoken with a service whose certificate is trusted, and the connection kept", async () => {
    const server = await rawServer([fine], { tls: true });
    const { service } = await calling(server.url, { certificates: certificate });
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
    await rested();
    expect(await service.send(updateAgent, "update")).toMatchObject({ type: "success" });
    expect(server.received.map(({ connection }) => connection)).toEqual([0, 0]);
  });

  it("sends nothing to a service whose certificate is not trusted, whatever the environment says", async () => {
    const server = await rawServer([fine], { tls: true });
    const { service, slept } = await calling(server.url);
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      expect(await service.send(createAgent, "create")).toMatchObject({
        type: "not-sent",
        message: "TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
        hint: "pass `--ca-file FILE` with the certificate of the authority that issued it",
        common: { after: 3 },
      });
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    }
    expect(slept).toEqual([]);
    expect(server.received).toEqual([]);
  });

  it.each(["create", "update"] as const)("was not sent if the handshake fails (%s)", async (intent) => {
    const server = await rawServer([], {
      onConnection: (socket) => void socket.end("HTTP/1.1 400 Bad\r\n\r\n"),
    });
    const { service, slept } = await calling(server.url.replace("http:", "https:"));
    const outcome = await service.send(createAgent, intent);
    expect(outcome).toMatchObject({ type: "not-sent" });
    expect(outcome).toHaveProperty("message", expect.stringMatching(/^TLS failed \(E\w+\), after 3 tries$/));
    expect(slept).toHaveLength(2);
  });

  it("was not sent to a service that asks for a certificate of this side, which it says after the request", async () => {
    const received: string[] = [];
    const options = { key: certificateKey, cert: certificate, requestCert: true, rejectUnauthorized: true };
    const server = createServer(options, ({ url = "" }) => void received.push(url)).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { service, slept } = await calling(`https://127.0.0.1:${port}`, { certificates: certificate });
    expect(await service.send(createAgent, "create")).toMatchObject({
      type: "not-sent",
      message: "the server asks for a client certificate that it accepts",
      hint: expect.stringContaining("use an address that needs none: check `") as string,
      common: { why: expect.stringContaining("asks for a client certificate") as string },
    });
    expect(slept).toEqual([]);
    expect(received).toEqual([]);
  });

  it("was not sent if the handshake is reset", async () => {
    const server = await rawServer([], {
      onConnection: (socket) => void socket.once("readable", () => socket.resetAndDestroy()),
    });
    const { service } = await calling(server.url.replace("http:", "https:"));
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "not-sent" });
  });

  it("was not sent if the handshake never ends", async () => {
    const server = await rawServer([]);
    const { service } = await calling(server.url.replace("http:", "https:"), {
      timeouts: { connect: 40 },
    });
    expect(await service.send(createAgent, "create")).toMatchObject({
      type: "not-sent",
      message: "no connection within 0.04 s, after 3 tries",
    });
  });

  it("is unknown if the connection breaks after the request", async () => {
    const server = await rawServer([(socket) => socket.destroy()], { tls: true });
    const { service } = await calling(server.url, { certificates: certificate });
    expect(await service.send(createAgent, "create")).toMatchObject({ type: "unknown" });
    expect(server.received).toHaveLength(1);
  });
});
