import { expect, test } from "vitest";
import { validate } from "../harness/validate.js";
import { makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { wholeTest } from "../harness/tier.js";

function framesOf(files: Readonly<Record<string, string>>): (string | undefined)[] {
  return validate({ directory: makeWorkspace(files).directory }).map(({ frame }) => frame);
}

function agent(spec: string): string {
  return `apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: support}\nspec:\n${spec}`;
}

test("a frame shows two lines on either side and marks the place", () => {
  const text = agent("  name: Support\n  tempature: 0.2\n  model: small\n  top_p: 1\n  version: a\n");
  expect(framesOf({ "agents/a.yaml": text })).toEqual([
    [
      "  4 | spec:",
      "  5 |   name: Support",
      "> 6 |   tempature: 0.2",
      "    |   ^^^^^^^^^",
      "  7 |   model: small",
      "  8 |   top_p: 1",
    ].join("\n"),
  ]);
});

test("an expression in a block scalar is marked itself", () => {
  const text = agent("  name: Support\n  system_prompt: |\n    Use ${var:nope} now.\n");
  expect(framesOf({ "agents/a.yaml": text })[0]).toContain(
    "> 7 |     Use ${var:nope} now.\n    |         ^^^^^^^^^^^",
  );
});

test("line numbers of different lengths are aligned", () => {
  const text = agent("  name: Support\n\n\n  tempature: 0.2\n\n  model: small\n");
  expect(framesOf({ "agents/a.yaml": text })[0]).toBe(
    [
      "   6 |",
      "   7 |",
      ">  8 |   tempature: 0.2",
      "     |   ^^^^^^^^^",
      "   9 |",
      "  10 |   model: small",
    ].join("\n"),
  );
});

test("a long line is cut around the place", () => {
  const text = agent(
    `  name: Support\n  description: ${"long text ".repeat(40)}\${var:nope}${" and more".repeat(40)}\n`,
  );
  const [frame = ""] = framesOf({ "agents/a.yaml": text });
  const rows = frame.split("\n");
  const marked = rows.findIndex((row) => row.startsWith(">"));
  const row = rows[marked] ?? "";
  const marker = rows[marked + 1] ?? "";
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(110);
  expect(row.slice(marker.indexOf("^"), marker.lastIndexOf("^") + 1)).toBe("${var:nope}");
});

test("tabs take one column", () => {
  const text = agent("  name: Support\n  system_prompt: |\n    \tUse\t${var:nope}.\n");
  expect(framesOf({ "agents/a.yaml": text })[0]).toContain(
    "> 7 |      Use ${var:nope}.\n    |          ^^^^^^^^^^^",
  );
});

test("wide characters take two columns, and a cut never halves one", () => {
  const wide = framesOf({ "agents/a.yaml": agent('  name: "客服 ${var:nope}"\n') })[0];
  expect(wide).toContain(`> 5 |   name: "客服 \${var:nope}"\n    | ${" ".repeat(14)}${"^".repeat(11)}`);
  for (const padding of ["", " "]) {
    const text = agent(`  name: "${padding}${"🤖".repeat(200)}\${var:nope}${"🤖".repeat(200)}"\n`);
    expect(framesOf({ "agents/a.yaml": text })[0]).not.toMatch(
      /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/,
    );
  }
});

test("columns count UTF-16 code units", () => {
  const { directory } = makeWorkspace({ "agents/a.yaml": agent('  name: "🤖 ${var:nope}"\n') });
  expect(validate({ directory })[0]).toMatchObject({ line: 5, column: 13, end_column: 24 });
});

test("CRLF leaves no trace", () => {
  const text = agent("  name: Support\n  tempature: 0.2\n").replaceAll("\n", "\r\n");
  const [frame] = framesOf({ "agents/a.yaml": text });
  expect(frame).toContain("> 6 |   tempature: 0.2\n    |   ^^^^^^^^^");
  expect(frame).not.toContain("\r");
});

test("secrets are masked, expressions are not, and the marker stays under its place", () => {
  const text = `apiVersion: agentform/v1
kind: Credential
metadata: {name: provider}
spec:
  # api_key: sk-commented
  credentials: {first: "sk-one", colour: "\${env:FINE}", list: [sk-two, |]}
  colour: red
`.replace(", |]", "]");
  const frames = framesOf({ "credentials/a.yaml": `${text}  name: P\n` });
  const shown = frames.join("\n");
  expect(shown).not.toMatch(/sk-/);
  expect(shown).toContain('credentials: {first: ••••••, colour: "${env:FINE}", list: [••••••]}');
  expect(shown).toContain("  # api_key: ••••••");
  expect(frames[0]).toMatch(/\n {4}\| {24}\^{6}\n/);
});

test("a secret is masked where only an alias makes it one, and over several lines", () => {
  const text = `apiVersion: agentform/v1
kind: Credential
metadata: {name: provider}
spec:
  name: P
  meta_data: {x: &x sk-anchored}
  credentials:
    a: *x
    b: |
      sk-line-one
      sk-line-two
  colour: red
`;
  const frames = framesOf({ "credentials/a.yaml": text });
  expect(frames.length).toBe(3);
  expect(frames.join("\n")).not.toMatch(/sk-/);
});

test("a secret under a misspelt name is masked too", () => {
  const text = `apiVersion: agentform/v1
kind: Credential
metadata: {name: provider}
spec:
  name: P
  credentails: {key: sk-one}
`;
  const files = {
    "credentials/a.yaml": text,
    "agents/a.yaml": agent("  name: A\n  apikey: sk-two\n"),
    "agents/b.yaml": agent("  name: [\n  credentails: sk-three\n"),
  };
  const frames = framesOf(files);
  expect(frames.length).toBe(3);
  expect(frames.join("\n")).not.toMatch(/sk-/);
  expect(frames.join("\n")).toContain("credentails: {key: ••••••}");
});

test("a secret that YAML reads as a key is in no frame and in no message", () => {
  const credential = (name: string, value: string) =>
    `apiVersion: agentform/v1\nkind: Credential\nmetadata: {name: ${name}}\nspec: {name: P, credentials: ${value}}\n`;
  const { directory } = makeWorkspace({
    "credentials/a.yaml": credential("a", "{x: {{sk-one}}}"),
    "credentials/b.yaml": credential("b", "{x: {sk-one: sk-two, list: [{sk-three: sk-four}]}}"),
    "agents/a.yaml": agent("  name: A\n  api_key: {sk-one: sk-two}\n"),
  });
  const found = validate({ directory });
  expect(found.map(({ message }) => message).filter((message) => message.includes("is a secret"))).toEqual([
    "`spec.api_key` is a secret and must not be written in the document",
    "`spec.credentials.x` is a secret and must not be written in the document",
    "`spec.credentials.x` is a secret and must not be written in the document",
  ]);
  expect(JSON.stringify(found)).not.toMatch(/sk-/);
});

function fleet(forEach: string, metadata: string, spec: string, more = ""): string {
  const head = `apiVersion: agentform/v1\nkind: Credential\nmetadata: ${metadata}\nfor_each: ${forEach}\n`;
  return `${head}spec:\n  provider_id: x\n${spec}${more}`;
}

const two = "{a: {k: canary}, b: {k: canary}}";
const secret = '  name: P\n  credentials: {x: "${each:k}"}\n';

test.each<[string, Readonly<Record<string, string>>, number]>([
  [
    "an invalid name",
    { "credentials/a.yaml": fleet("{a: {k: .canary}}", '{name: "c-${each:k}-"}', secret) },
    1,
  ],
  ["a name twice", { "credentials/a.yaml": fleet(two, '{name: "c-${each:k}"}', secret) }, 1],
  [
    "an unknown parameter in a label",
    {
      "credentials/a.yaml": fleet(
        "{canary: {k: b}, a: {k: c, l: d}}",
        '{name: "${each:key}", labels: {l: "${each:l}"}}',
        '  name: P\n  credentials: {x: "${each:key}", y: "${each:k}"}\n',
      ),
    },
    1,
  ],
  [
    "a value of a wrong type",
    {
      "credentials/a.yaml": fleet(
        two,
        '{name: "${each:key}"}',
        secret,
        'lifecycle: {protect: "${each:k}", moved_from: "${each:k}", environments: "${each:k}"}\n',
      ),
    },
    1,
  ],
  [
    "a reference, a file and a label",
    {
      "credentials/a.yaml": fleet(
        two,
        '{name: "${each:key}", labels: {l: "${each:k}"}}',
        `${secret}  meta_data: {a: "\${file:\${each:k}.md}", b: "\${agent:\${each:k}}"}\n`,
      ),
    },
    1,
  ],
  [
    "the address of a resource that has it twice",
    {
      "credentials/a.yaml": `${fleet("{a: {k: canary}}", '{name: "${each:k}"}', secret)}---\n${fleet("{a: {k: canary}}", '{name: "${each:k}"}', secret)}`,
    },
    2,
  ],
  [
    "the name, where a default has the secret",
    {
      "agentform.yaml": `${manifest}  defaults: [{kind: Credential, spec: {credentials: {x: "\${each:k}"}}}]\n`,
      "credentials/a.yaml": fleet(two, '{name: "c-${each:k}"}', "  name: P\n"),
    },
    1,
  ],
  [
    "a value of a wrong type, where a variable has the secret",
    {
      "agentform.yaml": `${manifest}  variables: {v: canary}\n`,
      "credentials/a.yaml": fleet(
        "{a: {}}",
        '{name: "${each:key}"}',
        '  name: P\n  credentials: {x: "Bearer ${var:v}"}\n',
        'lifecycle: {protect: "${var:v}"}\n',
      ),
    },
    1,
  ],
])("a secret that is a parameter or a variable is not told by %s", (_name, files, count) => {
  const found = validate({ directory: makeWorkspace(files).directory });
  const secrets = found.filter(({ code }) => code === "secret-literal");
  expect(secrets.length).toBeGreaterThanOrEqual(count);
  expect(JSON.stringify(found)).not.toContain("canary");
});

test("a parameter that is no secret is told, and so are other problems of a secret that is written as such", () => {
  const spec = '  name: P\n  credentials: {x: "${env:X}", y: sk-one}\n  colour: red\n';
  const text = fleet("{a: {k: .b}, b: {k: a}}", '{name: "${each:k}"}', spec);
  const messages = validate({ directory: makeWorkspace({ "credentials/a.yaml": text }).directory }).map(
    ({ message }) => message,
  );
  expect(messages).toEqual([
    "the key `a` makes the name `.b`, which is not valid",
    "`spec.credentials.y` is a secret and must not be written in the document",
    "unknown field `spec.colour`",
  ]);
});

test("of variables, only what may be a secret is masked", () => {
  const variables = `  variables:
    model: gpt-4o-2024-08-06
    url: https://desk.example.com/v1/9f8e7d6c5b4a
    other: [x7Kq99Zm2]
    key: hunter2pw # the model: small-1
    region: eu-west-1
`;
  const [frame] = framesOf({ "agentform.yaml": `${manifest}${variables}` });
  expect(frame?.split("\n").map((line) => line.slice(7))).toEqual([
    "    model: gpt-4o-2024-08-06",
    "    url: https://desk.example.com/v1/9f8e7d6c5b4a",
    "    other: [••••••]",
    "    ^^^^^",
    "    key: •••••• # the model: small-1",
    "    region: eu-west-1",
  ]);
});

test("one sees one's own line: references, schemes, names and plain values are shown", () => {
  const lines = [
    "    Authorization: Bearer ${env:DESK_TOKEN@2}",
    '    X-Api-Key: "${env:KEY}"',
    "    X-Token: ${credential:provider}",
    "    Sort-Key: created_at # as the token says",
    "    # X-Token: ${env:OTHER}",
    "    Cookie: session=${env:SESSION}",
  ];
  const text = (line: string, mistake: string) =>
    `apiVersion: agentform/v1\nkind: ToolSet\nmetadata: {name: a}\nspec:\n  default_headers:\n${line}\n  ${mistake}\n`;
  for (const mistake of ["tool_set_nam: a", "tool_set_name: ["]) {
    for (const line of lines) {
      const frames = framesOf({ "toolsets/a.yaml": text(line, mistake) });
      expect(frames.join("\n"), mistake).toContain(`6 | ${line}\n`);
    }
    const hidden = framesOf({ "toolsets/a.yaml": text("    X-Token: hunter2pw", mistake) });
    expect(hidden.join("\n")).not.toContain("hunter2pw");
    expect(hidden.join("\n")).toContain("    X-Token: ••••••");
  }
});

test("broken YAML has a frame that hides whatever may be a secret", () => {
  const files = {
    "credentials/a.yaml": "apiVersion: agentform/v1\nspec:\n  credentials: {key: sk-one\n  name: [\n",
    "credentials/b.yaml": `apiVersion: agentform/v1\nkind: Nonsense\nspec: {credentials: {key: sk-one}}\n---\na: "\n`,
  };
  const frames = framesOf(files);
  expect(frames[0]).toContain("> 3 |   credentials: {••••••\n    |                ^\n  4 |   ••••••");
  expect(frames[1]).toContain("3 | spec: {credentials: {••••••");
  expect(frames[2]).toContain('> 5 | a: "');
  expect(frames.join("\n")).not.toMatch(/sk-/);
});

test("other broken YAML has one", () => {
  expect(framesOf({ "agents/a.yaml": agent('  name: "Support\n') })[0]).toContain(
    '> 5 |   name: "Support\n    |         ^',
  );
});

test("the line of a mistake is shown where it is beside a secret, or a slip in an expression", () => {
  const headers = (line: string) =>
    `apiVersion: agentform/v1\nkind: ToolSet\nmetadata: {name: a}\nspec:\n  tool_set_name: a\n  default_headers:\n${line}\n`;
  for (const line of ["    Authorization: Bearer ${en:DESK_TOKEN}", "    X-Token: ${DESK_TOKEN}"]) {
    expect(framesOf({ "toolsets/a.yaml": headers(line) }).join("\n")).toContain(`> 7 | ${line}\n`);
  }
  const [frame] = framesOf({ "toolsets/a.yaml": headers("    X-Token: hunter2pw\n    Trace on\n") });
  expect(frame).toContain("  7 |     X-Token: ••••••\n> 8 |     Trace on\n");
});

test("an included file is never shown", () => {
  const files = {
    "agents/a.yaml": agent(
      "  name: A\n  system_prompt: ${template:p.md}\n  response_format: ${file:f.json}\n",
    ),
    "agents/p.md": "private ${var:nope}\n",
    "agents/f.json": '{"private": nope}',
  };
  expect(framesOf(files)).toEqual([undefined, undefined]);
});

wholeTest("of ten thousand problems in one file the first thousand are told", () => {
  const documents = Array.from({ length: 5000 }, (_, index) =>
    agent(`  name: ${index}\n  tempature: 1\n`).replace("support", `a${index}`),
  );
  const { directory } = makeWorkspace({ "agents/a.yaml": documents.join("---\n") });
  expect(validate({ directory }).length).toBe(1001);
});

test("user names and passwords in addresses are hidden", () => {
  const text = agent("  name: Support\n  description: https://robot:hunter2pw@host/x\n  tempature: 0.2\n");
  const [frame = ""] = framesOf({ "agents/a.yaml": text });
  expect(frame).toContain("https://••••••@host/x");
  const broken = framesOf({ "agents/b.yaml": text.replace("tempature", "[tempature").replace("agent", "a") });
  expect(broken.join("\n")).not.toContain("hunter2pw");
});

test("a secret that the lock's settings cannot have is hidden all the same", () => {
  const settings = [
    "address: https://host/x?private_token=hunter2pw&b=1",
    "conn_str: hunter2pw",
    "secret_key: hunter2pw",
    "token: hunter2pw",
    "sslpassword: hunter2pw",
  ];
  for (const setting of [
    ...settings.map((each) => `{store: http, ${each}}`),
    "postgres://u:hunter2pw@host/x",
  ]) {
    const manifest = `apiVersion: agentform/v1\nkind: Workspace\nmetadata: {name: desk}\nspec:\n  lock: ${setting}\n`;
    const { directory } = makeWorkspace({ "agentform.yaml": manifest });
    const diagnostics = validate({ directory });
    expect(diagnostics).not.toEqual([]);
    expect(JSON.stringify(diagnostics), setting).not.toContain("hunter2pw");
  }
});
