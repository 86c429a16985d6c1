import { once } from "node:events";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createConnections } from "../../src/service/connections.js";
import { rested } from "./calling.js";
import { certificate, certificateKey as key } from "./certificate.js";

const code = "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED";

test("an alert about a certificate tells that the first request of a connection was not read, and nothing of a later one", async () => {
  const server = createServer({ key, cert: certificate }, (_asked, answer) => answer.end("{}"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const connections = createConnections({ timeout: 10_000, ca: [certificate], proxyOf: () => undefined });
  onTestFinished(() => {
    connections.close();
    server.close();
  });
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const arrived: boolean[] = [];
  for (let sent = 0; sent < 2; sent++) {
    await connections.use(true, async () => {
      const asked = request(url, { method: "POST", agent: connections.agents(url).https });
      const line = connections.watch(asked);
      asked.end("{}");
      const [answer] = (await once(asked, "response")) as [NodeJS.ReadableStream];
      answer.resume();
      await once(answer, "end");
      arrived.push(line.mayHaveArrived(code));
      expect(line.mayHaveArrived("ECONNRESET")).toBe(true);
      await line.finish();
    });
    await rested();
  }
  expect(arrived).toEqual([false, true]);
});
