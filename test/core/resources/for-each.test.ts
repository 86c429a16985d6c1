import { describe, expect, test } from "vitest";
import { validate } from "../../harness/validate.js";
import { makeWorkspace, manifest } from "../../harness/disk-workspace.js";
import { wholeTest } from "../../harness/tier.js";

function problemsOf(text: string, files: Readonly<Record<string, string>> = {}) {
  const { directory } = makeWorkspace({ "agents/a.yaml": text, ...files });
  return validate({ directory });
}

function document(forEach: string, spec = "{name: A}", name = "a-${each:key}"): string {
  return `apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: "${name}"}\nfor_each: ${forEach}\nspec: ${spec}\n`;
}

function keys(count: number, parameters = "{}"): string {
  return `{${Array.from({ length: count }, (_, index) => `k${index}: ${parameters}`).join(", ")}}`;
}

describe("the keys of a document", () => {
  wholeTest("are 10,000 at most", () => {
    expect(problemsOf(document(keys(10_000)))).toEqual([]);
    const [found, ...others] = problemsOf(document(keys(10_001)));
    expect(found).toMatchObject({ code: "for-each-too-large", file: "agents/a.yaml", line: 4 });
    expect(found?.message).toContain("10,001 keys");
    expect(others).toEqual([]);
  });

  test("share a problem that all have, and name those that alone have it", () => {
    const of = (spec: string) => problemsOf(document("{de: {}, fr: {hot: 1}, it: {}}", spec));
    expect(of("{name: A, temprature: 1}")).toMatchObject([{ code: "document-misspelt-field" }]);
    expect(of("{name: A, temprature: 1}")[0]).not.toHaveProperty("related");
    const [found, ...others] = of('{name: A, description: "${agent:none-${each:key}}"}');
    expect(found?.related).toMatchObject([{ message: "for the key `de`", file: "agents/a.yaml", line: 4 }]);
    expect(others).toHaveLength(2);
  });

  test("are named in no problem more than eight times", () => {
    const forEach = keys(20).replace("k19: {}", "k19: {x: 1}");
    const [found] = problemsOf(document(forEach, '{name: A, temperature: "${each:x}"}'));
    expect(found?.message).toContain("the key `k0` of `for_each` has no parameter `x`");
    const [shared] = problemsOf(
      document(`{good: {t: 1}, ${keys(20, "{t: hot}").slice(1)}`, '{name: A, temperature: "${each:t}"}'),
    );
    expect(shared?.related).toHaveLength(9);
    expect(shared?.related?.at(-1)?.message).toBe("for 12 more keys");
  });
});

describe("an included mapping", () => {
  const text = document(
    "${file:../languages.yaml}",
    '{name: "${each:language}", temperature: "${each:language}"}',
  );

  test("has the place of a key's problem, and is not quoted", () => {
    const found = problemsOf(text, {
      "languages.yaml": "# private\nde: {language: private}\nfr: {language: 1}\n",
    });
    expect(JSON.stringify(found)).not.toContain("private");
    expect(found.map(({ related }) => related?.[0])).toEqual([
      { message: "for the key `fr`", file: "languages.yaml", line: 3, column: 1 },
      { message: "for the key `de`", file: "languages.yaml", line: 2, column: 1 },
    ]);
  });

  test("has no references, and a template has", () => {
    const spec = '{name: A, description: "${each:x}"}';
    const files = { "each.yaml": 'de: {x: "${agent:none}"}\n' };
    expect(problemsOf(document("${file:../each.yaml}", spec), files)).toEqual([]);
    expect(problemsOf(document("${template:../each.yaml}", spec), files)).toMatchObject([
      { code: "reference-unknown", file: "each.yaml", line: 1, column: 10 },
    ]);
  });
});

describe("a variable", () => {
  const missing = `${manifest}  variables: {model: {description: The model}}\n`;

  test("without a value is missing once, whatever the number of keys", () => {
    const found = problemsOf(document(keys(50), '{name: A, model: "${var:model}"}'), {
      "agentform.yaml": missing,
    });
    expect(found.map(({ code }) => code)).toEqual(["variable-missing"]);
    expect(found[0]).not.toHaveProperty("related");
  });

  test("that only a parameter uses is used", () => {
    const text = document('{de: {model: "${var:model}"}}', '{name: A, model: "${each:model}"}');
    expect(problemsOf(text, { "agentform.yaml": `${manifest}  variables: {model: small}\n` })).toEqual([]);
  });
});

describe("a secret", () => {
  test("that is a parameter is found where it is used, and not shown", () => {
    const text = `apiVersion: agentform/v1
kind: Credential
metadata: {name: "key-\${each:key}"}
for_each: {de: {token: sk-literal-de}, fr: {token: "\${env:KEY_FR}"}}
spec: {name: Key, credentials: {api_key: "\${each:token}"}}
`;
    const { directory } = makeWorkspace({ "credentials/a.yaml": text });
    const found = validate({ directory });
    expect(found.map(({ code }) => code)).toEqual(["secret-literal"]);
    expect(found[0]?.related).toMatchObject([{ message: "for the key `de`" }]);
    expect(JSON.stringify(found)).not.toContain("sk-literal");
  });
});

test("the notation of other tools is a text, with a warning", () => {
  const spec = '{name: "${each.value.x} ${each.key} $${each.key}", description: "${each:x}"}';
  const found = problemsOf(document("{de: {x: a}}", spec));
  expect(found.map(({ severity, hint }) => [severity, hint])).toEqual([
    ["warning", "write `${each:key}`, or `$${each.key}` for the text itself"],
    ["warning", "write `${each:x}`, or `$${each.value.x}` for the text itself"],
  ]);
  expect(
    problemsOf('apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: a}\nspec: {name: "${each.key}"}\n'),
  ).toEqual([]);
});

test("a document without for_each may send the text itself", () => {
  const text = 'apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: a}\nspec: {name: "$${each:key}"}\n';
  expect(problemsOf(text)).toEqual([]);
});

describe("the place and the words of a problem", () => {
  test.each(["null", "~", "1.0", '""'])("the key %s has its own place", (key) => {
    const [found] = problemsOf(document(`{de: {}, ${key}: 5}`));
    expect(found).toMatchObject({ code: "for-each-invalid", line: 4, column: 20 });
    expect(found?.message).toContain(`the key \`${key.replaceAll('"', "")}\``);
  });

  test("a file of `for_each` itself has no parameters", () => {
    const files = { "agents/keys.yaml.json": '{"de": {"text": "${each:key}"}}' };
    for (const forEach of ['{de: {text: "${each:key}"}}', "${template:keys.yaml.json}"]) {
      const { message, hint } = problemsOf(document(forEach), files)[0] ?? {};
      expect(message).toBe("`${each:key}` cannot be used inside `for_each` itself");
      expect(hint).toMatch(/outside `for_each`, where parameters have values, or write the value itself$/);
    }
  });

  test("a value that is no text gets its quotes where it is given", () => {
    const [found] = problemsOf(document("{de: {n: 5}}", '{name: "${each:n}"}'));
    expect(found?.hint).toBe("put the value of the variable or parameter in quotes");
    expect(problemsOf(document("{de: {n: 5}}", "{name: 5}"))[0]?.hint).toBe("put it in quotes");
    const spec = '{name: A, temperature: "${each:n}"}';
    expect(problemsOf(document("{de: {n: true}}", spec))[0]?.hint).toBe("write a number");
  });
});
