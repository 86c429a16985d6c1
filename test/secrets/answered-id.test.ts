import { describe, expect, it } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { canaries } from "./canaries.js";
import { echoes, echoingService, type Manner } from "./echoing-service.js";
import { documentsAt, leaksOf, manifestAt, openScene, promptingAgent, type Scene } from "./scene.js";
import { sample } from "../harness/tier.js";

const policy = { "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict" }) };

/** Answers a policy with an ID of one's own, and everything else as it should be. */
function identifiesAs(id: string): Manner {
  return (heard, response) => {
    if (heard.path !== "/v1/rai/policies") return echoes(heard, response);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ _id: id, name: "Strict" }));
  };
}

async function sceneWith(manner: Manner, files: Readonly<Record<string, string>>): Promise<Scene> {
  const service = await echoingService(manner);
  return openScene({ "agentform.yaml": manifestAt(service.url), ...files });
}

interface Lock {
  readonly resources: Record<string, { id?: string }>;
  readonly unknown: Record<string, { message?: string }>;
}

function lockOf({ workspace }: Scene): Lock {
  return JSON.parse(workspace.read("agentform.lock")) as Lock;
}

describe("an answered ID that holds a secret", () => {
  it.each(
    sample(
      "secrets in IDs",
      [
        ["is one", canaries.AGENT_API_KEY],
        ["holds one", `id-${canaries.AGENT_API_KEY}-1`],
        ["holds one in base64", `id-${Buffer.from(`user:${canaries.AGENT_API_KEY}`).toString("base64")}`],
        ["holds one for URLs", `id-${encodeURIComponent(canaries.AGENT_API_KEY)}`],
      ],
      2,
    ),
  )("is not kept if it %s: the create is unknown, and says why", async (_what, id) => {
    const scene = await sceneWith(identifiesAs(id), documentsAt(1));
    expect(await scene.run("apply", "--yes")).toBe(3);
    expect(scene.written()).toContain(
      "the service answered 200 without the ID, but with _id, name; parts that contained a secret were not read",
    );
    const { resources, unknown } = lockOf(scene);
    expect(Object.keys(unknown)).toEqual(["policy:strict"]);
    expect(Object.keys(resources)).toEqual(["credential:provider", "toolset:desk"]);
    await scene.look();
    expect(leaksOf(scene)).toEqual([]);
    expect(await scene.run("lock", "resolve", "policy:strict", "--adopt", "id-of-policy")).toBe(0);
    expect(await scene.run("apply", "--yes")).toBe(0);
    expect(lockOf(scene).resources["policy:strict"]?.id).toBe("id-of-policy");
  });

  it("leaves a credential without an ID, as one whose answer has none", async () => {
    const manner: Manner = ({ body }, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ credential_id: JSON.parse(body).credentials.api_key }));
    };
    const { "credentials/provider.yaml": provider = "" } = documentsAt(1);
    const scene = await sceneWith(manner, { "credentials/provider.yaml": provider });
    expect(await scene.run("apply", "--yes")).toBe(0);
    expect(lockOf(scene).resources["credential:provider"]).not.toHaveProperty("id");
    expect(leaksOf(scene)).toEqual([]);
  });

  it("is kept if what it shares with a secret is too short to tell", async () => {
    const scene = await sceneWith(identifiesAs("id-Zk7cana"), { ...policy, ...promptingAgent });
    expect(await scene.run("apply", "--yes")).toBe(0);
    expect(lockOf(scene).resources["policy:strict"]?.id).toBe("id-Zk7cana");
  });
});

// Line ends and tabs are in what commands write themselves, and U+0001 in the script of the page.
const unseen =
  /[\u0000\u0002-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202e\u2028]|\u3164|\u034f|\ufe0f|\u2800|\u{e0041}|[\ud800-\udbff](?![\udc00-\udfff])/gu;

describe("an answered ID that is none", () => {
  it.each(
    sample(
      "IDs that are none",
      [
        ["a NUL", "a\u0000b"],
        ["an escape sequence", "a\u001b[2Jb"],
        ["a link of a terminal", "\u001b]8;;https://evil.test\u0007a"],
        ["a C1 control", "a\u009b31m"],
        ["a turn of direction", "a\u202eb"],
        ["a zero-width space", "a\u200bb"],
        ["a line end", "a\nb"],
        ["a line separator", "a\u2028b"],
        ["half a character", "a\ud800b"],
        ["a filler", "a\u3164b"],
        ["a joiner of graphemes", "a\u034fb"],
        ["a variation selector", "a\ufe0fb"],
        ["the blank of braille", "a\u2800b"],
        ["a tag", "a\u{e0041}b"],
        ["another space", "a\u00a0b"],
        ["more than 1,000 characters", "a".repeat(1001)],
        ["no character", ""],
        ["two dots alone", ".."],
      ],
      5,
    ),
  )("for it has %s is not kept, and does not reach the terminal", async (_what, id) => {
    const scene = await sceneWith(identifiesAs(id), policy);
    expect(await scene.run("apply", "--yes")).toBe(3);
    expect(scene.written()).toContain(
      "the service answered 200 without the ID, but with _id, name; it said: `{",
    );
    await scene.look();
    expect(
      scene
        .written()
        .match(unseen)
        ?.map((char) => JSON.stringify(char)) ?? [],
    ).toEqual([]);
    expect(Object.keys(lockOf(scene).unknown)).toEqual(["policy:strict"]);
    expect(await scene.run("plan")).toBe(0);
  });

  it.each(sample("unusual IDs", ["a b", "é/漢?#%", "...", "😀", "a".repeat(1000)], 3))(
    "for it is only unusual is kept: %s",
    async (id) => {
      const scene = await sceneWith(identifiesAs(id), policy);
      expect(await scene.run("apply", "--yes")).toBe(0);
      expect(lockOf(scene).resources["policy:strict"]?.id).toBe(id);
    },
  );
});

describe("the IDs of a tool set", () => {
  it.each([
    [
      "one is a secret",
      ["id-a", `id-${canaries.AGENT_API_KEY}`],
      "; parts that contained a secret were not read",
    ],
    ["one cannot be seen", ["id-a", "id-\u200b"], ""],
    ["the name of one is a secret", [{ name: canaries.HEADER_TOKEN, method: "GET", path: "/x" }], "; parts"],
    ["the name of one cannot be seen", [{ name: "\u001b[2J", method: "GET", path: "/x" }], ""],
  ])("are not kept if %s", async (_what, ids, why) => {
    const manner: Manner = (_heard, response) => void response.end(JSON.stringify({ tool_ids: ids }));
    const { "toolsets/desk.yaml": desk = "" } = documentsAt(1);
    const scene = await sceneWith(manner, { "toolsets/desk.yaml": desk });
    expect(await scene.run("apply", "--yes")).toBe(3);
    expect(scene.written()).toContain(`the service answered 200 without the ID, but with tool_ids${why}`);
    expect(lockOf(scene)).toMatchObject({ resources: {}, unknown: { "toolset:desk": { status: 200 } } });
    expect(leaksOf(scene)).toEqual([]);
  });
});

describe("names in an answer without an ID", () => {
  it("are told where they are plain words, so that none is a secret or controls a terminal", async () => {
    const manner: Manner = ({ headers }, response) => {
      const names = ["agent", "\u001b[2J", String(headers["x-api-key"]), "a".repeat(41), "__proto__"];
      response.end(`{${names.map((name) => `${JSON.stringify(name)}: 1`).join()}}`);
    };
    const scene = await sceneWith(manner, policy);
    expect(await scene.run("apply", "--yes")).toBe(3);
    expect(scene.written()).toContain(
      "the service answered 200 without the ID, but with agent, __proto__; parts that contained a secret were not read",
    );
    expect(leaksOf(scene)).toEqual([]);
  });
});
