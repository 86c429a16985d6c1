import { describe, expect, test } from "vitest";
import { validate } from "../harness/validate.js";
import { makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { wholeTest } from "../harness/tier.js";

const outline = "openapi_schema: {openapi: 3.1.0, paths: {/t: {get: {operationId: t}}}}";

function toolset(...lines: string[]): string {
  const head =
    "apiVersion: agentform/v1\nkind: ToolSet\nmetadata: {name: desk}\nspec:\n  tool_set_name: desk\n";
  return `${head}  ${outline}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

function agent(...lines: string[]): string {
  const head = "apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: support}\nspec:\n  name: A\n";
  return `${head}${lines.map((line) => `  ${line}\n`).join("")}`;
}

function found(files: Readonly<Record<string, string>>) {
  return validate({ directory: makeWorkspace(files).directory });
}

function codesOf(files: Readonly<Record<string, string>>): string[] {
  return found(files).map(({ code }) => code);
}

const sections = ["default_headers", "default_query_params", "default_body_params"];
const places = [...sections.map((name) => `${name}: {@}`), 'endpoint_defaults: {"GET /t": {deep: [{@}]}}'];

describe.each(places)("in `%s`", (place) => {
  const check = (member: string) =>
    found({ "toolsets/a.yaml": toolset(place.replace("@", member)) }).filter(({ code }) =>
      code.startsWith("secret"),
    );

  test.each([
    "api_key: x1",
    "apiKey: abc",
    "X-Api-Key: abc",
    "X-Token: d0ne",
    "Private-Token: glpat-abcdefghij0123456789",
    "clientSecret: supersecretvalue",
    "PASSWORD: hunter2",
    "password: correct horse battery",
    "access_token: [one1, two2]",
    "Set-Cookie: a=b",
    "x-authorization: Basic abc",
    "X-Functions-Key: a8F3kd92LLx0PPq7",
    "signing_key: 3f2a9c81d07be645",
    "q: ghp_0123456789abcdefghij0123",
    "note: Bearer xoxb-0123456789-abcdef",
    "pem: '-----BEGIN PRIVATE KEY----- MIIEvQ'",
    "token: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27u",
    "secret: supersecret",
    "sort_key: AKIA0123456789ABCDEF",
    "client_secret: {current: inner-Xy7Zq2Rt5W}",
    "session_token: {kept: [{was: inner-Xy7Zq2Rt5W}]}",
    "client_secret: {current: wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY}",
  ])("`%s` is an error that shows the form to write, and not the value", (member) => {
    const findings = check(member);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings[0]).toMatchObject({ code: "secret-literal", severity: "error", line: 7 });
    expect(findings[0]?.hint).toContain("${env:NAME}");
    const value = member.slice(member.indexOf(": ") + 2).replaceAll(/["'[\]{}]|\w+: (?=inner)|kept: /g, "");
    for (const part of value.split(", ")) expect(findings[0]?.frame).not.toContain(part);
  });

  test.each([
    "primary_key: id",
    "sort_key: created_at",
    "partitionKey: tenant.region.id",
    "foreign_key: order-2024",
    "max_token: 300",
    "max_tokens: '4096'",
    "page_token: first",
    "next_token: '12'",
    "client_secret: true",
    "token: 0",
    "password: null",
    "token: ''",
    "token_type: Bearer1",
    "client_secret: {mode: manual, client_id: 8f14e45f-ceea-467f-9a3b, current: '${env:KEY}'}",
    "session_token: {kept: [{was: first}]}",
    "token_settings: {model: 'ft:gpt-4o-mini-2024-07-18:desk:support:9x8AbC12'}",
    "oauth_token: {tenant: 8f14e45f-ceea-467f-9a3b-0242ac130003, from: OAuth2TokenProvider}",
    "secret_store: {role: 'arn:aws:iam::123456789012:role/Desk', host: db-1.c9akciq32rwx.eu.example.com}",
    "password_reset: {phone: '+15551234567', contact: jane.doe1984x@example.com}",
    "cookie_banner: {logo: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAE='}",
    "properties: {access_token: {type: string, example: 4f3c2b1a0d9e8f7a6b5c4d3e}}",
    "properties: {token: {$ref: '#/$defs/AccessTokenV2Answer', enum: [oauth2client, Base64UrlText]}}",
    "token_url: https://a.example/t0ken",
    "secret_name: desk-1",
    "secret: required",
    "author: jane2",
    "X-Token: 'Bearer ${env:TOKEN}'",
    "X-Token: '${env:TOKEN@2}'",
    "Cookie: session=${env:SESSION}",
    "api_key: '${env:KEY}'",
    "tokenizer: cl100k_base",
    "X-Token: '{{ user.token_1 }}'",
    "language: sk-SK",
    "stop_token: '<|end42|>'",
    "cookie_consent: yes please 1",
    "secretary: Ann Miller",
    "monkey: a1b2c3d4e5f6a7b8",
    "X-Request-Id: 550e8400-e29b-41d4-a716-446655440000",
    "public_key: ssh-rsa AAAAB3NzaC1yc2E",
    "cache_key: weather:v1:forecast",
  ])("`%s` is no mistake", (member) => {
    expect(check(member)).toEqual([]);
  });
});

test("a header is a secret whatever gives its value: a variable, a parameter, an included file or a default", () => {
  const secret = "hunter2pw";
  const header = (value: string) => toolset(`default_headers: {X-Token: '${value}'}`);
  const each = header("${each:t}").replace("metadata: {name: desk}", "metadata: {name: '${each:key}'}");
  const workspaces: Readonly<Record<string, string>>[] = [
    { "agentform.yaml": `${manifest}  variables: {t: ${secret}}\n`, "toolsets/a.yaml": header("${var:t}") },
    { "toolsets/a.yaml": `${each}for_each: {a: {t: ${secret}}}\n` },
    { "toolsets/a.yaml": header("${file:t.txt}"), "toolsets/t.txt": secret },
    {
      "toolsets/a.yaml": toolset("default_headers: '${file:h.json}'"),
      "toolsets/h.json": `{"X-Token": "${secret}"}`,
    },
    {
      "agentform.yaml": `${manifest}  defaults: [{kind: ToolSet, spec: {default_headers: {X-Token: ${secret}}}}]\n`,
      "toolsets/a.yaml": toolset(),
    },
  ];
  for (const files of workspaces) {
    const findings = found(files);
    expect(
      findings.map(({ code }) => code),
      JSON.stringify(files),
    ).toContain("secret-literal");
    expect(JSON.stringify(findings)).not.toContain(secret);
  }
});

test("what looks like a key in a prompt is a warning, which an included file does not tell", () => {
  const key = "sk-proj-0123456789abcdef0123";
  const files = {
    "agents/a.yaml": agent(
      `system_prompt: Call it with ${key}, please.`,
      "description: See https://u:pw1@host/x",
    ),
    "agents/b.yaml": agent("system_prompt: ${file:p.md}").replace("support", "b"),
    "agents/c.yaml": agent(`system_prompt: ${key}`).replace("support", "c"),
    "agents/p.md": `Be kind.\nNever say ${key}.\n`,
  };
  const findings = found(files);
  expect(findings.map(({ code, severity, file, line }) => [code, severity, file, line])).toEqual([
    ["secret-in-text", "warning", "agents/a.yaml", 6],
    ["secret-in-text", "warning", "agents/a.yaml", 7],
    ["secret-in-text", "warning", "agents/b.yaml", 6],
    ["secret-in-text", "warning", "agents/c.yaml", 6],
  ]);
  expect(findings[2]?.message).toMatch(/^line 2 of `agents\/p\.md` has what looks like a key of /);
  expect(JSON.stringify(findings)).not.toContain(key);
  expect(JSON.stringify(findings)).not.toContain("pw1");
  expect(
    codesOf({ "agents/a.yaml": agent("system_prompt: Speak of sk-learn, AKIA and ghp_ as prefixes.") }),
  ).toEqual([]);
});

test("a key in an annotation is a warning", () => {
  const text = agent().replace(
    "name: support",
    "name: support, annotations: {api_key: ghp_0123456789abcdefghij}",
  );
  expect(found({ "agents/a.yaml": text })).toMatchObject([
    { code: "secret-in-text", severity: "warning", line: 3 },
  ]);
});

wholeTest("a text of many millions of characters is searched as any other", () => {
  const prompts = ["xoxb-a", "sk-", "://a:", "-----BEGIN ", "{{a", "eyJaaaaaaaaaa."].map((piece) =>
    piece.repeat(1_000_000),
  );
  for (const prompt of prompts) {
    const files = { "agents/a.yaml": agent("system_prompt: ${file:p.md}"), "agents/p.md": prompt };
    expect(found(files).filter(({ severity }) => severity === "error")).toEqual([]);
  }
});

test("examples in an OpenAPI document are no secrets", () => {
  const api = {
    openapi: "3.1.0",
    paths: {
      "/t": { get: { operationId: "t", parameters: [{ name: "api_key", in: "query", example: "k1" }] } },
    },
    components: { examples: { a: { value: { api_key: "sk-0123456789abcdef0123", password: "hunter2" } } } },
  };
  const text = toolset().replace(outline, "openapi_schema: ${file:a.json}");
  expect(codesOf({ "toolsets/a.yaml": text, "toolsets/a.json": JSON.stringify(api) })).toEqual([]);
});
