import { describe, expect, it } from "vitest";
import { json, post, toolIds } from "./raw-request.js";
import { running } from "./running.js";

const NAMES = ["listTickets", "createTicket", undefined, "deleteTicket", "a-b.c"];
const PLACES = [
  ["GET", "/tickets"],
  ["POST", "/tickets"],
  ["PUT", "/tickets/{id}"],
  ["DELETE", "/tickets/{id}"],
  ["TRACE", "/"],
] as const;
const SCHEMA = {
  openapi: "3.0.0",
  paths: {
    "/tickets": { get: { operationId: NAMES[0] }, post: { operationId: NAMES[1] } },
    "/tickets/{id}": { put: {}, delete: { operationId: NAMES[3] } },
    "/": { trace: { operationId: NAMES[4] } },
  },
};
const SET = { tool_set_name: "helpdesk", openapi_schema: SCHEMA };

describe("opaque", () => {
  it("answers IDs of 24 hex digits in document order, and the IDs of the others", async () => {
    const { port, objects } = await running();
    const ids = toolIds(await post(port, "/v3/tools/", SET));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(objects().tools.map(({ id, method, path }) => [id, method, path])).toEqual(
      PLACES.map(([method, path], index) => [ids[index], method, path]),
    );
    const credential = json(await post(port, "/v3/tools/credentials", { name: "c" }));
    expect(credential).toEqual({ message: expect.any(String), credential_id: objects().credentials[0]?.id });
    const agent = json(await post(port, "/v3/agents/", { name: "a" }));
    expect(agent).toEqual({ message: expect.any(String), agent_id: objects().agents[0]?.id });
  });
});

describe("names", () => {
  it("answers IDs that end in the operation's name, or in one made of method and path", async () => {
    const { port } = await running({ answers: "names" });
    const ids = toolIds(await post(port, "/v3/tools/", SET));
    const ends = ids.map((id) => id.replace(/^[0-9a-f]{24}/, ""));
    expect(ends).toEqual(["_listTickets", "_createTicket", "_put_tickets_id", "_deleteTicket", "_a-b.c"]);
    const again = toolIds(await post(port, "/v3/tools/", SET));
    expect(new Set([...ids, ...again]).size).toBe(10);
  });
});

describe("objects", () => {
  it("answers the ID as name, with method and path", async () => {
    const { port, objects } = await running({ answers: "objects" });
    const answer = json(await post(port, "/v3/tools/", SET));
    const ids = objects().tools.map(({ id }) => id);
    expect(answer).toEqual({
      tool_ids: PLACES.map(([method, path], index) => ({ name: ids[index], method, path })),
    });
  });
});

describe("shuffled", () => {
  it.each([2, 3, 5, 30])("puts none of %d IDs where the document has its operation", async (count) => {
    const { port, objects } = await running({ answers: "shuffled" });
    const paths = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`/p${index}`, { get: {} }]),
    );
    const ids = toolIds(await post(port, "/v3/tools/", { tool_set_name: "s", openapi_schema: { paths } }));
    const inOrder = objects().tools.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(inOrder.toSorted());
    expect(ids.filter((id, index) => id === inOrder[index])).toEqual([]);
  });

  it("shuffles alike for the same seed", async () => {
    const one = await running({ answers: "shuffled", seed: "s" });
    const other = await running({ answers: "shuffled", seed: "s" });
    const ids = toolIds(await post(one.port, "/v3/tools/", SET));
    expect(toolIds(await post(other.port, "/v3/tools/", SET))).toEqual(ids);
  });

  it("leaves a single ID as it is", async () => {
    const { port } = await running({ answers: "shuffled" });
    const openapi_schema = { paths: { "/": { get: {} } } };
    expect(toolIds(await post(port, "/v3/tools/", { tool_set_name: "s", openapi_schema }))).toHaveLength(1);
  });
});

describe("minimal", () => {
  it("answers no more than the interface shows", async () => {
    const { port, objects } = await running({ answers: "minimal" });
    const policy = json(await post(port, "/v1/rai/policies", { name: "p" }));
    expect(policy).toEqual({ _id: objects().policies[0]?.id, name: "p" });
    expect(toolIds(await post(port, "/v3/tools/", SET))).toEqual(objects().tools.map(({ id }) => id));
    const credential = json(await post(port, "/v3/tools/credentials", { name: "c" }));
    expect(credential).toEqual({ message: expect.any(String) });
    expect(objects().credentials).toHaveLength(1);
    const agent = json(await post(port, "/v3/agents/", { name: "a" }));
    expect(agent).toEqual({ agent_id: objects().agents[0]?.id });
  });
});
