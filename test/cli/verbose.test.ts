import { describe, expect, test } from "vitest";
import { documents, openDesk, secretValue } from "./desk.js";

const time = /\d+ ms/g;

// It tells of all requests of its process, where a store that no other test gave back may still look at its lock.
const ofOtherTests = /state\/test/;

/** The details that a command printed, every time as `N ms`. */
function details(err: string): string[] {
  return err
    .split("\n")
    .filter((line) => line.startsWith("verbose: ") && !ofOtherTests.test(line))
    .map((line) => line.slice("verbose: ".length).replaceAll(time, "N ms"));
}

describe("--verbose", () => {
  test("says of an apply what was read, how long each stage took, and each request", async () => {
    const faults = [{ status: 429, headers: { "retry-after": "0" }, path: "/v3/agents/" }];
    const { workspace, run } = await openDesk(documents, { faults });
    const { code, err } = await run("apply", "--yes", "--verbose", "--concurrency", "1");
    expect(code).toBe(0);
    // A request of another file's test, which ends in this process only now, is none of this command.
    const told = details(err).filter((line) => !/^[A-Z]+ \/(?!v\d)/.test(line));
    expect(told.slice(1, 6)).toEqual([
      `manifest ${workspace.directory}/agentform.yaml, the default environment`,
      "read, check and plan: N ms",
      "lock store file",
      "show and ask: N ms",
      "compared with no lock: 4 to do, 0 unchanged",
    ]);
    expect(told.slice(6, -2).toSorted()).toEqual([
      "POST /v1/rai/policies answered 200 after N ms",
      "POST /v3/agents/ answered 200 after N ms",
      "POST /v3/agents/ answered 429 after N ms",
      "POST /v3/tools/ answered 200 after N ms",
      "POST /v3/tools/credentials answered 200 after N ms",
    ]);
    expect(told.slice(-2)).toEqual(["apply: N ms", "apply ended with 0 after N ms"]);
    expect(err).not.toContain(secretValue);
  });

  test("says of a request without an answer that there was none", async () => {
    const { run } = await openDesk(documents, { faults: [{ drop: "after", path: "/v3/agents/" }] });
    const { code, err } = await run("apply", "--yes", "--verbose");
    expect(code).toBe(3);
    expect(details(err)).toContain("POST /v3/agents/ was not answered after N ms");
  });

  test("says of a plan what it was compared with", async () => {
    const { run } = await openDesk();
    await run("apply", "--yes");
    const { err } = await run("plan", "--verbose");
    expect(details(err).slice(2)).toEqual([
      "read, check and plan: N ms",
      "compared with agentform.lock, serial 1: 0 to do, 4 unchanged",
      "plan ended with 0 after N ms",
    ]);
  });

  test.each([
    [["validate"], "read and check: N ms"],
    [["lock", "list"], "read the workspace and the state: N ms"],
    [["schema", "agent"], "schema ended with 0 after N ms"],
  ])("%j tells its stages too", async (command, line) => {
    const { run } = await openDesk();
    expect(details((await run(...command, "--verbose")).err)).toContain(line);
  });

  test.each([["plan"], ["apply", "--yes"], ["apply", "--yes", "--format", "json"], ["lock", "list"]])(
    "%s changes no result, and without it nothing is told",
    async (...command) => {
      const [plain, verbose] = [await openDesk(), await openDesk()];
      const usual = await plain.run(...command);
      const told = await verbose.run(...command, "--verbose");
      const settled = (text: string) =>
        text
          .replaceAll(/http:\/\/127\.0\.0\.1:\d+|[0-9a-f]{24}|sha256:[0-9a-f]{64}/g, "ID")
          .split("\n")
          .toSorted()
          .join("\n");
      expect(settled(told.out)).toBe(settled(usual.out));
      expect(details(usual.err)).toEqual([]);
      expect(details(told.err)).not.toEqual([]);
    },
  );

  test("a name of the workspace cannot write to the terminal", async () => {
    const { run } = await openDesk();
    const { err } = await run("plan", "--verbose", "-e", "a\u001b[2J");
    expect(err).not.toContain("\u001b");
    expect(err).toContain("environment a\\x1b[2J");
  });

  test("requests that come after an apply are not told any more", async () => {
    const first = await openDesk();
    const { err } = await first.run("apply", "--yes", "--verbose");
    const second = await openDesk();
    const later = await second.run("apply", "--yes");
    expect(details(err).length).toBeGreaterThan(0);
    expect(later.err).not.toContain("POST");
  });
});
