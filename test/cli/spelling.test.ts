import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { manifestAt, openDesk } from "./desk.js";

const url = "http://127.0.0.1:9";

const agent = (spec: string, name = "support", more = "") =>
  `apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: "${name}"${more}\nspec: ${spec}\n`;

interface Found {
  readonly code: string;
  readonly file?: string;
  readonly line?: number;
  readonly message: string;
}

async function findings(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const desk = await openDesk({ "agentform.yaml": manifestAt(url), ...files });
  const { out } = await desk.run("validate", "--format", "json", ...args);
  return (JSON.parse(out) as { diagnostics: Found[] }).diagnostics.filter(
    ({ code }) => code === "expression-type",
  );
}

test.each(["4.10", "1.0", "1e3", "0x10", "0o17", "+5", ".5", "-.5", "-0", "True"])(
  "%s is not put into a text, where it would be something else",
  async (source) => {
    const variables = (text: string) =>
      manifestAt(url, `  variables:\n    v: ${text}\n    d: {default: ${text}}\n    own: ${text}\n`);
    const files = {
      "agents/support.yaml": agent(
        '{name: A, model: "m-${var:v}-${var:d}", temperature: "${var:own}"}',
        "support",
        "}",
      ),
    };
    const found = await findings({ ...files, "agentform.yaml": variables(source) });
    expect(found.map(({ file, line }) => [file, line])).toEqual([
      ["agentform.yaml", 7],
      ["agentform.yaml", 8],
    ]);
    expect(found[0]?.message).toContain(`\`${source}\` is the`);
    expect(await findings({ ...files, "agentform.yaml": variables(JSON.stringify(source)) })).toEqual([]);
    const own = String(JSON.parse(source === "True" ? "true" : String(Number(source))));
    expect(await findings({ ...files, "agentform.yaml": variables(own) })).toEqual([]);
  },
);

test("a value of an environment counts where it is the one", async () => {
  const more =
    "  variables: {v: 4.10}\n  environments:\n    a: {variables: {v: 4.1}}\n    b: {variables: {v: 4.20}}\n";
  const files = {
    "agentform.yaml": manifestAt(url, more),
    "agents/support.yaml": agent('{name: A, model: "m-${var:v}"}', "support", "}"),
  };
  expect(await findings(files, "-e", "a")).toEqual([]);
  expect(await findings(files, "-e", "b")).toMatchObject([{ file: "agentform.yaml", line: 9 }]);
  expect(await findings(files, "-e", "b", "--var", "v=4.1")).toEqual([]);
});

const perKey = (keys: string, more = "") => `${more}}\nfor_each: ${keys}`;

const byKey = "a-${each:key}";

test.each([
  ["in a text", '{name: A, model: "m-${each:v}"}', byKey, ""],
  ["in a name", "{name: A}", "a-${each:v}", ""],
  ["as a label", "{name: A}", byKey, ', labels: {v: "${each:v}"}'],
  ["in the name of a file", '{name: "${file:../v${each:v}.md}"}', byKey, ""],
])("a parameter is not respelt: %s", async (_where, spec, name, labels) => {
  const files = (source: string) => ({
    "agents/support.yaml": agent(spec, name, perKey(`{one: {v: ${source}}}`, labels)),
    "v4.1.md": "A",
  });
  const found = await findings(files("4.10"));
  expect(found.length).toBeGreaterThan(0);
  for (const each of found) expect(each).toMatchObject({ file: "agents/support.yaml", line: 4 });
  for (const source of ["4.1", '"4.1"']) expect(await findings(files(source))).toEqual([]);
});

test("a parameter of a data file, or of a variable, is not respelt, and the file is not quoted", async () => {
  const support = (keys: string) => ({
    "agents/support.yaml": agent(
      '{name: A, model: "m-${each:v}", temperature: "${each:t}"}',
      byKey,
      perKey(keys),
    ),
  });
  const all = await findings({
    ...support('"${file:../keys.json}"'),
    "keys.json": '{"a": {"v": 1.0, "t": 1.0}}',
  });
  expect(all).toMatchObject([{ file: "keys.json", line: 1 }]);
  expect(all[0]?.message).not.toContain("1.0");
  const one = await findings({ ...support('{a: "${file:../one.yaml}"}'), "one.yaml": "t: 1.0\nv: 1.50\n" });
  expect(one).toMatchObject([{ file: "one.yaml", line: 2 }]);
  expect(one[0]?.message).not.toContain("1.50");
  const beside = await findings({ ...support('{a: {t: "${file:../t.json}", v: 4.10}}'), "t.json": "1" });
  expect(beside).toMatchObject([{ file: "agents/support.yaml", line: 4 }]);
  const variables = {
    ...support('{a: {v: "${var:v}", t: "${var:t}"}}'),
    "agentform.yaml": manifestAt(url, "  variables:\n    v: 4.10\n    t: 1.0\n"),
  };
  expect(await findings(variables)).toMatchObject([{ file: "agentform.yaml", line: 7 }]);
});

test.each([
  ["in a text", '{name: "m-${each:v}"}', byKey, ""],
  ["in a name", "{name: A}", "a-${each:v}", ""],
  ["as a label", "{name: A}", byKey, ', labels: {v: "${each:v}"}'],
  ["in the name of a file", '{name: "${file:../v${each:v}.md}"}', byKey, ""],
])("a parameter with the value of a variable is not respelt: %s", async (_where, spec, name, labels) => {
  const files = {
    "agents/support.yaml": agent(spec, name, perKey('{one: "${template:../one.yaml}"}', labels)),
    "agentform.yaml": manifestAt(url, "  variables: {v: 4.10}\n"),
    "one.yaml": "v: ${var:v}\n",
    "v4.1.md": "A",
  };
  expect(await findings(files)).toMatchObject([{ file: "agentform.yaml", line: 6 }]);
});

test("a value that the cache knows is looked at as it is written now", async () => {
  const desk = await openDesk({
    "agents/support.yaml": agent('{name: A, model: "m-${var:v}"}', "support", "}"),
  });
  for (const [source, code] of [
    ["4.1", 0],
    ["4.10", 1],
    ["4.1", 0],
  ] as const) {
    desk.workspace.write({ "agentform.yaml": manifestAt(url, `  variables: {v: ${source}}\n`) });
    expect((await desk.run("validate")).code).toBe(code);
  }
});

test("a value on the command line, or in a file of variables, is written as a text gets it", async () => {
  const desk = await openDesk({
    "agentform.yaml": manifestAt(url, "  variables: {v: {}}\n"),
    "agents/support.yaml": documentText("Agent", "support", { name: "A", model: "m-${var:v}" }),
    "v.yaml": "v: 4.10\n",
  });
  for (const args of [
    ["--var", "v=4.10"],
    ["--var-file", "v.yaml"],
  ]) {
    const { code, err } = await desk.run("validate", ...args);
    expect(code).toBe(64);
    expect(err).toContain('4.10 is 4.1: write 4.1, or "4.10" in quotes for a text');
  }
  for (const value of ["4.1", '"4.10"', "true", "large-2", "2026-01-01", "1.2.3"])
    expect((await desk.run("validate", "--var", `v=${value}`)).code).toBe(0);
});
