/**
 * A service as docs/reference/interface.md describes it, which forgets nothing: every object that was ever made, who asked for it and what became
 * of it. Each run of the command has a key of its own, so the service knows which run sent what.
 */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const kinds = [
  { kind: "policy", path: "/v1/rai/policies", name: "name", id: "_id" },
  { kind: "credential", path: "/v3/tools/credentials", name: "name", id: "credential_id" },
  { kind: "toolset", path: "/v3/tools/", name: "tool_set_name", id: "_id" },
  { kind: "agent", path: "/v3/agents/", name: "name", id: "agent_id" },
];
const methods = new Set(["get", "put", "post", "delete", "patch", "options", "head", "trace"]);

/** The operations of an OpenAPI document, in its order. */
function operations(schema) {
  return Object.values(schema.paths ?? {}).flatMap((item) =>
    Object.entries(item).flatMap(([method, value]) => (methods.has(method) ? [value.operationId] : [])),
  );
}

export class Service {
  objects = [];
  requests = 0;
  open = 0;
  abilities = {};
  /** Chances of each fault; none while it is calm. */
  faults = undefined;
  /** Called with each request when it arrives: (run, number, isChange). */
  watch = () => {};
  /** The changes that arrived, by run. */
  changes = [];

  constructor(dice) {
    this.dice = dice;
  }

  async start() {
    this.server = createServer((request, response) => {
      this.open += 1;
      this.answer(request, response)
        .catch((error) => {
          if (!request.destroyed && !response.destroyed) throw error;
        })
        .finally(() => {
          this.open -= 1;
        });
    });
    this.server.keepAliveTimeout = 4000;
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.address = `http://127.0.0.1:${this.server.address().port}`;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Until nothing that was sent is still being worked on. */
  async quiet() {
    for (let calm = 0; calm < 3; calm = this.open === 0 ? calm + 1 : 0) await sleep(20);
  }

  live(kind, name) {
    return this.objects.filter((each) => !each.deleted && each.kind === kind && each.name === name);
  }

  byId(id) {
    return this.objects.find((each) => each.id === id || each.tools?.some((tool) => tool.id === id));
  }

  async answer(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const run = request.headers["x-api-key"];
    this.requests += 1;
    const isChange = request.method !== "GET";
    if (isChange) this.changes.push({ run, at: Date.now(), line: `${request.method} ${request.url}` });
    this.watch(run, isChange);
    const fault = this.drawFault(isChange);
    if (fault.includes("late")) await sleep(this.dice.between(50, 1500));
    if (fault === "cut-before") return request.socket.destroy();
    if (fault === "limit") {
      response.setHeader("retry-after", String(this.dice.below(2)));
      return send(response, 429, { message: "slow down" });
    }
    if (fault === "refuse")
      return send(response, 422, { detail: [{ loc: ["body"], msg: "not today", type: "value_error" }] });
    if (fault === "fail-before") return send(response, 502, { message: "bad gateway" });
    const [status, body] = this.work(
      request.method,
      request.url,
      text === "" ? undefined : JSON.parse(text),
      run,
    );
    if (fault === "fail-after") return send(response, 502, { message: "bad gateway" });
    if (fault === "cut-after") return request.socket.destroy();
    if (fault === "page-after") return response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    if (fault === "hang-after") {
      await sleep(this.dice.between(3000, 8000));
      return request.socket.destroy();
    }
    return send(response, status, body);
  }

  drawFault(isChange) {
    if (this.faults === undefined) return "none";
    const fault = this.dice.weighted(this.faults);
    return isChange || ["late", "limit", "cut-before", "fail-before"].includes(fault) ? fault : "none";
  }

  work(method, url, body, run) {
    const path = url.split("?")[0];
    const made = kinds.find((each) => each.path === path);
    if (made !== undefined && method === "POST") return this.create(made, body, run);
    if (made !== undefined && method === "GET") return [200, this.list(made.kind)];
    // The longest path first: credentials lie under tools.
    const at = kinds.find((each) => path.startsWith(each.path.replace(/\/?$/, "/")));
    if (at === undefined) return [404, { message: "no such path" }];
    const id = decodeURIComponent(path.slice(at.path.replace(/\/?$/, "/").length));
    const object = this.objects.find((each) => each.kind === at.kind && this.has(each, id));
    if (object === undefined) return [404, { message: "not found" }];
    const may = this.abilities[at.kind] ?? [];
    if (method === "GET" && may.includes("read")) return [200, show(object, id)];
    if (method === "PUT" && (at.kind === "agent" || at.kind === "toolset" || may.includes("update")))
      return this.update(object, id, body, run);
    if (method === "DELETE" && may.includes("delete")) return this.remove(object, id);
    return [405, { message: "method not allowed" }];
  }

  has(object, id) {
    if (object.deleted) return false;
    return object.tools === undefined
      ? object.id === id
      : object.tools.some((tool) => tool.id === id && !tool.deleted);
  }

  create({ kind, name, id: key }, body, run) {
    const now = new Date().toISOString();
    const object = {
      kind,
      id: this.dice.hex(24),
      name: body[name],
      body,
      first: body,
      run,
      at: now,
      updated: now,
      deleted: false,
    };
    this.objects.push(object);
    if (kind === "toolset") {
      object.tools = operations(body.openapi_schema).map((operation) => ({
        id: `${this.dice.hex(12)}_${operation}`,
        operation,
        changed: {},
      }));
      return [200, { tool_ids: object.tools.map((tool) => tool.id) }];
    }
    if (kind === "policy") return [200, show(object, object.id)];
    return [200, { [key]: object.id, message: "created" }];
  }

  update(object, id, body, run) {
    object.updated = new Date().toISOString();
    object.lastRun = run;
    if (object.tools === undefined) object.body = body;
    else Object.assign(object.tools.find((tool) => tool.id === id).changed, body);
    return [200, { message: "updated" }];
  }

  remove(object, id) {
    if (object.tools === undefined) object.deleted = true;
    else {
      object.tools.find((tool) => tool.id === id).deleted = true;
      object.deleted = object.tools.every((tool) => tool.deleted);
    }
    return [200, { message: "deleted" }];
  }

  list(kind) {
    const live = this.objects.filter((each) => each.kind === kind && !each.deleted);
    return live.flatMap((each) =>
      (each.tools ?? [each]).filter((part) => !part.deleted).map((part) => show(each, part.id)),
    );
  }
}

function show(object, id) {
  const { kind, body, at, updated } = object;
  const common = { created_at: at, updated_at: updated };
  if (kind === "toolset") {
    const tool = object.tools.find((each) => each.id === id);
    const { openapi_schema: _, provider_api_key: __, ...rest } = body;
    return {
      tool_id: id,
      ...common,
      operation: tool.operation,
      ...rest,
      ...tool.changed,
      tool_set_name: `openapi-${body.tool_set_name}`,
    };
  }
  if (kind === "credential") return { credential_id: id, ...common, ...body, credentials: { token: "***" } };
  if (kind === "policy") return { ...body, _id: id, ...common };
  return { agent_id: id, ...common, status: "ready", ...body };
}

function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
