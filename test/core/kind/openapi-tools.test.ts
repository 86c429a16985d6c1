import { fc } from "../../harness/property.js";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/json/json.js";
import { mapTools } from "../../../src/core/kind/openapi-tools.js";
import type { Operation } from "../../../src/core/openapi/openapi.js";

describe("mapTools", () => {
  const operation = (method: string, path: string, operationId?: string): Operation =>
    operationId === undefined ? { method, path } : { method, path, operationId };
  const pets = [
    operation("GET", "/pets", "listPets"),
    operation("POST", "/pets", "createPet"),
    operation("GET", "/health"),
  ];
  const named = pets.slice(0, 2);

  it("matches objects by method and path", () => {
    const answer = [
      { name: "t-3", method: "get", path: "/health", more: 1 },
      { name: "t-1", method: "Post", path: "/pets" },
      { name: "t-2", method: "GET", path: "/pets" },
    ];
    const tools = { listPets: "t-2", createPet: "t-1", "GET /health": "t-3" };
    expect(mapTools(pets, answer, false)).toEqual({ ids: ["t-3", "t-1", "t-2"], tools });
    expect(mapTools(pets, answer, true)).toEqual({ ids: ["t-3", "t-1", "t-2"], tools });
  });

  it("makes no map of objects that do not match one to one", () => {
    const list = { name: "a", method: "GET", path: "/pets" };
    for (const answer of [
      [list],
      [list, { name: "b", method: "GET", path: "/pets" }],
      [list, { name: "b", method: "POST", path: "/v1/pets" }],
      [list, { name: "b", method: "POST", path: "/pets" }, { name: "c", method: "PUT", path: "/pets" }],
      [list, "createPet"],
    ]) {
      expect(mapTools(named, answer, false)).not.toHaveProperty("tools");
    }
  });

  it("matches strings that equal or end in operationIds", () => {
    const tools = (...ids: string[]): unknown => mapTools(named, ids, false)?.tools;
    expect(tools("createPet", "listPets")).toEqual({ listPets: "listPets", createPet: "createPet" });
    expect(tools("65f-createPet", "pets_listPets")).toEqual({
      listPets: "pets_listPets",
      createPet: "65f-createPet",
    });
    expect(tools("xcreatePet", "listPets")).toBeUndefined();
    expect(tools("a_CreatePet", "a_listPets")).toBeUndefined();
    expect(tools("a_createPet", "b_createPet")).toBeUndefined();
    expect(tools("a_createPet")).toBeUndefined();
    expect(tools("a_createPet", "a_listPets", "a_other")).toBeUndefined();
    expect(mapTools(pets, ["listPets", "createPet", "GET /health"], false)).not.toHaveProperty("tools");
  });

  it("believes no name that may be a number of the service's own", () => {
    const numbered = [operation("DELETE", "/u", "2"), operation("GET", "/u", "1")];
    const alike = [operation("DELETE", "/u", "tool_2"), operation("GET", "/u", "tool_1")];
    for (const [operations, ids] of [
      [numbered, ["tool-1", "tool-2"]],
      [numbered, ["delete_u_1", "get_u_2"]],
      [numbered, ["1", "2"]],
      [alike, ["x-tool_1", "x-tool_2"]],
      [alike, ["tool_1", "tool_2"]],
    ] as const) {
      expect(mapTools(operations, ids, false)).toEqual({ ids });
      const inOrder = mapTools(operations, ids.toReversed(), true)?.tools;
      expect(inOrder).toEqual(
        Object.fromEntries(operations.map(({ operationId = "" }, at) => [operationId, ids[1 - at]])),
      );
      // A service may have named its tools after all, and then the order gives a GET the tool that deletes.
      expect(mapTools(operations, ids, true)).toEqual(
        operations === numbered ? { ids, tools: { 2: ids[0], 1: ids[1] } } : { ids },
      );
    }
    const versions = [operation("GET", "/u", "user_v1"), operation("POST", "/u", "user_v2")];
    const answer = ["x_user_v2", "y_user_v1"];
    expect(mapTools(versions, answer, false)?.tools).toEqual({ user_v1: "y_user_v1", user_v2: "x_user_v2" });
  });

  it("takes the longest ending, and nothing where that leaves a doubt", () => {
    const users = [operation("GET", "/u", "user"), operation("POST", "/u", "create_user")];
    expect(mapTools(users, ["x_create_user", "x_user"], false)?.tools).toEqual({
      user: "x_user",
      create_user: "x_create_user",
    });
    expect(mapTools(users, ["create_user", "user"], false)?.tools).toEqual({
      user: "user",
      create_user: "create_user",
    });
    expect(mapTools(users, ["my_create_user", "my_create_create_user"], false)).not.toHaveProperty("tools");
    expect(mapTools(users, ["my_create_user", "my_create_create_user"], true)?.tools).toEqual({
      user: "my_create_user",
      create_user: "my_create_create_user",
    });
  });

  it("is never wrong about IDs that do end in their operationIds", () => {
    const part = fc.constantFrom("a", "b", "create", "user");
    const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("_"));
    const prefix = fc.array(part, { maxLength: 3 }).map((parts) => parts.map((text) => `${text}_`).join(""));
    const tools = fc.uniqueArray(fc.tuple(name, prefix), { selector: ([name]) => name, maxLength: 5 });
    fc.assert(
      fc.property(
        tools.chain((tools) =>
          fc.tuple(fc.constant(tools), fc.shuffledSubarray(tools, { minLength: tools.length })),
        ),
        ([tools, answered]) => {
          const operations = tools.map(([name], index) => operation("GET", `/${index}`, name));
          const ids = answered.map(([name, prefix]) => prefix + name);
          const map = mapTools(operations, ids, false);
          fc.pre(map?.tools !== undefined);
          expect(map?.tools).toEqual(
            Object.fromEntries(tools.map(([name, prefix]) => [name, prefix + name])),
          );
        },
      ),
    );
  });

  it("goes by position only where the deployment promises it and counts are equal", () => {
    expect(mapTools(pets, ["1", "2", "3"], true)).toEqual({
      ids: ["1", "2", "3"],
      tools: { listPets: "1", createPet: "2", "GET /health": "3" },
    });
    expect(mapTools(pets, ["1", "2", "3"], false)).toEqual({ ids: ["1", "2", "3"] });
    expect(mapTools(pets, ["1", "2"], true)).toEqual({ ids: ["1", "2"] });
  });

  it("does not go by position against what the answer says", () => {
    expect(mapTools(pets, ["x_createPet", "2", "3"], true)).not.toHaveProperty("tools");
    expect(mapTools(pets, ["x_listPets", "2", "3"], true)).toHaveProperty("tools");
    const answer = [
      { name: "a", method: "POST", path: "/pets" },
      { name: "b", method: "GET", path: "/v1/pets" },
    ];
    expect(mapTools(named, answer, true)).not.toHaveProperty("tools");
    const elsewhere = [
      { name: "a", method: "get", path: "/v1/pets" },
      { name: "b", method: "post", path: "/v1/pets" },
    ];
    expect(mapTools(named, elsewhere, true)?.tools).toEqual({ listPets: "a", createPet: "b" });
    expect(mapTools(named, elsewhere.toReversed(), true)).not.toHaveProperty("tools");
  });

  it("goes by position where operations share an operationId", () => {
    const twins = [operation("GET", "/a", "same"), operation("GET", "/b", "same")];
    expect(mapTools(twins, ["1_same", "2_same"], false)).not.toHaveProperty("tools");
    expect(mapTools(twins, ["1_same", "2_same"], true)?.tools).toEqual({
      "GET /a": "1_same",
      "GET /b": "2_same",
    });
  });

  it("refuses answers whose IDs cannot be read", () => {
    for (const answer of [
      [""],
      [null],
      [7],
      [["a"]],
      [{ id: "a" }],
      [{ name: "a" }],
      [{ name: "", method: "GET", path: "/pets" }],
      [{ name: "a", method: "GET", path: 1 }],
      ["a", "a"],
      ["a", { name: "a", method: "GET", path: "/pets" }],
    ]) {
      expect(mapTools(named, answer, true)).toBeUndefined();
    }
    expect(mapTools([], [], false)).toEqual({ ids: [], tools: {} });
  });

  describe("of objects with several members that can be the ID", () => {
    const entry = (members: object, index: number) => ({
      ...members,
      method: index === 0 ? "GET" : "POST",
      path: "/pets",
    });
    const answer = (...members: object[]) => members.map(entry) as JsonObject[];
    const tools = { listPets: "1", createPet: "2" };

    it.each(["tool_id", "_id", "id"])("takes %s where it is the only one", (member) => {
      const map = mapTools(named, answer({ [member]: "1" }, { [member]: 2 }), false);
      expect(map).toEqual({ ids: ["1", "2"], tools });
    });

    it("takes none, and keeps them all", () => {
      const list = answer({ name: "list", id: "1", noise: [] }, { name: "add", id: "2" });
      expect(mapTools(named, list, true)).toEqual({
        candidates: [
          { method: "GET", path: "/pets", id: "1", name: "list" },
          { method: "POST", path: "/pets", id: "2", name: "add" },
        ],
      });
    });

    it("takes the one that the manifest names", () => {
      const list = answer(
        { name: "list", id: "1", at: { uid: 3 } },
        { name: "add", id: "2", at: { uid: 4 } },
      );
      expect(mapTools(named, list, false, "/id")).toEqual({ ids: ["1", "2"], tools });
      expect(mapTools(named, list, false, "/name")?.ids).toEqual(["list", "add"]);
      expect(mapTools(named, list, false, "/at/uid")?.ids).toEqual(["3", "4"]);
      expect(mapTools(named, list, false, "/other")).toBeUndefined();
    });

    it("takes the one that is not the same for two, or not missing in one", () => {
      expect(mapTools(named, answer({ name: "x", id: "1" }, { name: "x", id: "2" }), false)?.tools).toEqual(
        tools,
      );
      expect(mapTools(named, answer({ name: "1" }, { name: "2", id: "b" }), false)?.tools).toEqual(tools);
      expect(mapTools(named, answer({ id: "1", _id: "1" }, { id: "2", _id: "2" }), false)?.tools).toEqual(
        tools,
      );
    });
  });
});
