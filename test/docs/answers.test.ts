import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import { manifestAt, openDesk } from "../cli/desk.js";
import { documentText } from "../harness/disk-workspace.js";
import { sample } from "../harness/tier.js";

const agent = (temperature: number) => documentText("Agent", "support", { name: "Support", temperature });
const file = "agents/support.yaml";

/** What an emulator does with a request, or nothing that answers at all. */
type Answer = object | "closed";

/** Answers of each row of the table, by the text of its first cell. */
const answers = new Map<string, readonly Answer[]>([
  ["a 2xx with the ID", [{ delay: 1 }]],
  ["a 2xx with other JSON", [{ status: 200, body: { error: null } }]],
  ["a 2xx with nothing", [{ status: 204 }]],
  [
    "a 2xx that tells of an error, for a create without the ID",
    [
      { status: 200, body: { error: "no" } },
      { status: 200, body: { ok: false } },
    ],
  ],
  ["301, 302, 303", [{ redirect: "/elsewhere" }, { status: 301 }, { status: 303 }]],
  ["307, 308", [{ status: 307 }, { status: 308 }]],
  ["429", [{ status: 429, headers: { "retry-after": "0" } }]],
  ["other 3xx and 4xx", [{ status: 404 }, { status: 300 }]],
  ["a 5xx of `rejected_statuses`", [{ status: 503 }]],
  ["any other 5xx, no answer, an incomplete answer", [{ status: 500 }, { drop: "after" }, { half: true }]],
  ["a 2xx that is not JSON", [{ garbage: true }]],
  ["no connection, so that no byte was sent", ["closed"]],
]);

const page = readFileSync("docs/reference/answers.md", "utf8");
const rows = [...page.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm)].slice(1).map(([, ...cells]) => cells);

test("each row of the table is tried", () => {
  expect(rows.map(([answer]) => answer)).toEqual([...answers.keys()]);
});

const cases = rows.flatMap(([name = "", create = "", update = ""]) =>
  (answers.get(name) ?? []).map((answer) => ({
    name,
    answer,
    create,
    update: update === "the same" ? create : update,
  })),
);

test.each(sample("answers", cases, 1))(
  "$name ($answer): $create; $update",
  async ({ answer, create, update }) => {
    const waits = create.startsWith("waits");
    const fault = (skip: number, path: string) =>
      ({ ...(answer as object), path, skip, count: waits ? 1 : 100 }) as EmulatedFault;
    const open = async (skip: number, document = agent(0.1), path = "/v3/agents/*") => {
      const faults = answer === "closed" ? [] : [fault(skip, path)];
      const desk = await openDesk({ [file]: document }, { faults });
      const text = desk.workspace
        .read("agentform.yaml")
        .replace('_KEY}"}', '_KEY}", rejected_statuses: [503]}');
      desk.workspace.write({ "agentform.yaml": text });
      return desk;
    };

    const creating = await open(0);
    if (answer === "closed")
      creating.workspace.write({ "agentform.yaml": manifestAt(await closedAddress()) });
    expect(endOf((await creating.run("apply", "--yes")).err)).toBe(told(create, "created"));

    const [, ofCredential] = /of a credential(?: (done)|, too)/.exec(create) ?? [];
    if (create.includes("of a credential")) {
      const credential = documentText("Credential", "support", { name: "Support" });
      const { err } = await (await open(0, credential, "/v3/tools/credentials")).run("apply", "--yes");
      expect(endOf(err)).toBe(told(ofCredential ?? create, "created"));
    }

    if (answer === "closed") return;
    const updating = await open(1);
    expect(endOf((await updating.run("apply", "--yes")).err)).toBe("created");
    updating.workspace.write({ [file]: agent(0.2) });
    const { err } = await updating.run("apply", "--yes");
    expect(endOf(err)).toBe(told(update, "updated"));
    expect(err.includes("after 5 tries")).toBe(update.startsWith("sent up to 5 times"));
  },
);

/** What the line of the object says first. */
function endOf(err: string): string {
  return /^(?:agent|credential):support: (created|updated|failed|not known)/m.exec(err)?.[1] ?? err;
}

/** What a cell of the table promises, in the words of that line. */
function told(cell: string, done: string): string {
  if (/^(done|waits)/.test(cell)) return done;
  return cell.includes("failed") ? "failed" : "not known";
}

/** Gives an address at which nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
