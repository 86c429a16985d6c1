import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../src/json/json.js";
import type { BodyRequest } from "../../src/core/kind/kind.js";
import { Secret } from "../../src/service/secret.js";
import { calling } from "./calling.js";
import { rawServer } from "./raw-server.js";

const folder = join(import.meta.dirname, "../fixtures/transcripts");

interface Message {
  readonly start: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function readMessage(name: string, file: string): Message {
  const text = readFileSync(join(folder, name, file), "utf8");
  const end = text.indexOf("\n\n");
  const [start = "", ...lines] = text.slice(0, end).split("\n");
  const headers = lines.map((line) => line.split(": ", 2));
  return { start, headers: Object.fromEntries(headers), body: text.slice(end + 2).replace(/\n$/, "") };
}

function objectOf(body: string): JsonObject {
  const json: Json = JSON.parse(body);
  if (!isObject(json)) throw new Error("the body is no object");
  return json;
}

function requestOf({ start, headers, body }: Message): BodyRequest {
  const [method, path = ""] = start.split(" ");
  return {
    host: headers["host"]?.startsWith("rai.") ? "rai" : "base",
    method: method === "PUT" ? "PUT" : "POST",
    path,
    body: objectOf(body),
  };
}

function wire({ start, headers, body }: Message): string {
  const fields = Object.entries({ ...headers, "content-length": Buffer.byteLength(body) });
  return [start, ...fields.map(([name, value]) => `${name}: ${value}`), "", body].join("\r\n");
}

const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

describe("the client speaks as the transcripts do", () => {
  it("finds exchanges to compare with", () => {
    expect(names).toContain("create-agent");
  });

  it.each(names)("%s", async (name) => {
    const expected = readMessage(name, "request.http");
    const response = readMessage(name, "response.http");
    const server = await rawServer([wire(response)]);
    const nowhere = "http://127.0.0.1:1";
    const request = requestOf(expected);
    const { service } = await calling(request.host === "base" ? server.url : nowhere, {
      apiKey: new Secret(expected.headers["x-api-key"] ?? ""),
      raiBaseUrl: request.host === "rai" ? server.url : nowhere,
    });
    const outcome = await service.send(request, request.method === "PUT" ? "update" : "create");

    const [sent] = server.received;
    const status = Number(response.start.split(" ")[1]);
    expect(`${sent?.method} ${sent?.path} HTTP/1.1`).toBe(expected.start);
    expect(Object.fromEntries(sent?.headers ?? [])).toMatchObject({
      ...expected.headers,
      host: `127.0.0.1:${server.port}`,
    });
    expect(sent?.body).toBe(JSON.stringify(objectOf(expected.body)));
    expect(outcome).toMatchObject(
      status < 300
        ? { type: "success", status, answer: objectOf(response.body) }
        : { type: "rejected", status },
    );
  });
});
