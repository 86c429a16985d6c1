import { cpSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exitCode } from "../../../src/cli/exit-code.js";
import type { HelpBlock } from "../../../src/cli/help/page.js";
import { findTopic, topicPage, topics } from "../../../src/cli/help/topics.js";
import { makeWorkspace } from "../../harness/disk-workspace.js";
import { runIn } from "../desk.js";
import { wordsOf } from "./example-words.js";
import { parseWords } from "./named-command.js";

type Lines = Extract<HelpBlock, { lines: unknown }>;

async function blocksOf(name: string): Promise<HelpBlock[]> {
  const topic = findTopic(name);
  if (!topic) throw new Error(`there is no topic ${name}`);
  const { about, sections } = await topicPage(topic);
  return [...about, ...sections.flatMap(({ blocks }) => blocks)];
}

async function linesOf(name: string): Promise<Lines[]> {
  return (await blocksOf(name)).filter((block) => typeof block === "object" && "lines" in block);
}

async function filesOf(name: string): Promise<Record<string, string>> {
  const named = (await linesOf(name)).flatMap(({ file, lines }) =>
    file === undefined ? [] : [[file, `${lines.join("\n")}\n`] as const],
  );
  return Object.fromEntries(named);
}

test("the files of `documents` are a workspace", async () => {
  const files = await filesOf("documents");
  expect(Object.keys(files)).toEqual(["agentform.yaml", "agents/support.yaml"]);
  await expectValid(makeWorkspace(files).directory, ["validate"]);
});

test("the agent of `references` can be in an example that has all it refers to", async () => {
  const workspace = makeWorkspace({});
  cpSync("examples/support-desk", workspace.directory, { recursive: true });
  const files = await filesOf("references");
  expect(Object.keys(files)).toEqual(["agents/support.yaml"]);
  workspace.write(files);
  await expectValid(workspace.directory, ["validate"]);
  const { out } = await runIn(workspace.directory, ["render", "agent:support"]);
  expect(out).toContain("model: small-1");
});

test("the files of `environments` are a workspace with the agent of `documents`", async () => {
  const { "agents/support.yaml": agent = "" } = await filesOf("documents");
  const files = await filesOf("environments");
  expect(Object.keys(files)).toEqual(["agentform.yaml", "environments/production/agents/support.yaml"]);
  const { directory } = makeWorkspace({
    "agents/support.yaml": agent.replace("small-1", "${var:model}"),
    ...files,
  });
  await expectValid(directory, ["validate"]);
  await expectValid(directory, ["plan", "-e", "staging"]);
  await expectValid(directory, ["plan", "-e", "production", "--against", "staging"]);
  const { out } = await runIn(directory, ["render", "-e", "production"]);
  expect(out).toContain("temperature: 0");
});

test.each(["agents", "AGENTS.md"])("the commands of %s end as they say, in a new workspace", async (name) => {
  const { directory, remove } = makeWorkspace({});
  remove("agentform.yaml");
  expect(await runIn(directory, ["init"])).toMatchObject({ code: 0 });
  const lines =
    name === "agents"
      ? (await linesOf(name)).flatMap((block) => block.lines)
      : readFileSync(`${directory}/${name}`, "utf8").split("\n");
  const commands = lines.filter((line) => line.startsWith("agentform "));
  expect(commands.length).toBeGreaterThan(1);
  for (const line of commands) {
    const [command = "", end = "0"] = line.split(/ +# ends with /);
    const { code, out } = await runIn(directory, wordsOf(command), secrets);
    expect({ line, code: String(code) }).toEqual({ line, code: end });
    for (const text of command.includes("apply") ? out.trimEnd().split("\n") : [out]) JSON.parse(text);
  }
});

const secrets = { PROVIDER_API_KEY: "k", WEATHER_TOKEN: "t" };

test.each(topics)("the commands of $name are parsed", async ({ name }) => {
  for (const { file, lines } of await linesOf(name)) {
    if (file !== undefined) continue;
    for (const line of lines.filter((each) => each.startsWith("agentform "))) {
      await expect(parseWords(wordsOf(line.replace(/ +#.*/, ""))), line).resolves.toBeUndefined();
    }
  }
});

test("the exit codes are those of the code, and of the page of commands in the same words", async () => {
  const rows = (await blocksOf("exit-codes")).flatMap((block) =>
    typeof block === "object" && "rows" in block ? block.rows : [],
  );
  expect(rows.map(([code]) => Number(code))).toEqual(Object.values(exitCode));
  const page = readFileSync("docs/reference/cli.md", "utf8");
  expect(page).toContain(rows.map(([code, meaning]) => `| ${code} | ${meaning} |`).join("\n"));
});

async function expectValid(directory: string, words: readonly string[]): Promise<void> {
  const { code, out, err } = await runIn(directory, words);
  expect({ code, err }, out).toEqual({ code: 0, err: "" });
}
