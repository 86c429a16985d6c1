import { expect, test } from "vitest";
import { secretNames, secretNamesOfManifest } from "../../../src/core/position/secret-name.js";
import { examples, fc } from "../../harness/property.js";
import { linesOf } from "./framed-lines.js";

const canary = "Canary7x";
const shown = /[Cc]anary|anary7|nary7x/;

test.each<[string, string, string]>([
  ["in two braces", `credentials: {x: {{${canary}}}}`, "credentials: {x: {{••••••}}}"],
  ["in braces", `credentials: {x: {${canary}}}`, "credentials: {x: {••••••}}"],
  ["as the name of a member without a value", `credentials: {${canary}}`, "credentials: {••••••}"],
  ["as a key below a member", `credentials: {x: {${canary}: a}}`, "credentials: {x: {••••••: ••••••}}"],
  ["as a key in a list", `credentials: [{${canary}: a}]`, "credentials: [{••••••: ••••••}]"],
  ["as a key of a list's item", `credentials: {x: [${canary}: a]}`, "credentials: {x: [••••••: ••••••]}"],
  ["as a key in quotes", `credentials: {x: {"${canary}"}}`, "credentials: {x: {••••••}}"],
  ["as a list that is a key", `credentials: {[${canary}]: a}`, "credentials: {[••••••]: ••••••}"],
  ["as a key after a question mark", `credentials: {? ${canary}}`, "credentials: {? ••••••}"],
  ["as the key of a field for one secret", `api_key: {${canary}: a}`, "api_key: {••••••: ••••••}"],
  ["in a header", `Authorization: {Bearer ${canary}: a}`, "Authorization: {••••••: ••••••}"],
])("a secret that YAML reads as a key is masked: %s", (_name, source, masked) => {
  expect(linesOf(`spec:\n  ${source}`)).toEqual(["spec:", `  ${masked}`]);
});

test.each<[string, string[], string[]]>([
  [
    "in block form",
    ["credentials:", "  x:", `    {{${canary}}}`, "  y:", `    ${canary}: a`],
    ["credentials:", "  x:", "    {{••••••}}", "  y:", "    ••••••: ••••••"],
  ],
  [
    "where only an alias makes it a secret",
    [`meta_data: &a {${canary}: {${canary}: b}}`, "credentials: {x: *a}"],
    ["meta_data: &a {••••••", "credentials: {••••••"],
  ],
  [
    "where the name of the field is an alias",
    ["meta_data: {name: &a credentials}", `? *a`, `: {x: ${canary}}`],
    ["meta_data: {name: &a credentials}", "? *a", ": {x: ••••••}"],
  ],
  [
    "in the defaults of the manifest",
    ["defaults:", `  - {kind: Credential, spec: {credentials: {x: {{${canary}}}}}}`],
    ["defaults:", "  - {kind: Credential, spec: {credentials: {x: {{••••••}}}}}"],
  ],
])("a secret that YAML reads as a key is masked %s", (_name, source, masked) => {
  expect(linesOf(source.join("\n"))).toEqual(masked);
});

test("the names of members, known fields and expressions in a secret stay", () => {
  const text = [
    'spec: {credentials: {first: {type: a, name: b}, second: "${env:B}", {"${env:C}"}: c}}',
    "credentials:",
    "  empty:",
  ].join("\n");
  expect(linesOf(text)).toEqual([
    'spec: {credentials: {first: {type: ••••••, name: ••••••}, second: "${env:B}", {"${env:C}"}: ••••••}}',
    "credentials:",
    "  empty:",
  ]);
});

test("the parameters of a secret are masked in every form of `for_each`", () => {
  const spec = 'spec: {credentials: {x: "${each:k}", y: "${each:key}"}}';
  for (const forEach of [
    `for_each: {${canary}: {k: ${canary}, other: a}}`,
    `for_each:\n  ${canary}:\n    k: {{${canary}}}`,
    `lifecycle: &a {${canary}: {k: ${canary}}}\nfor_each: *a`,
    `lifecycle: &a {k: ${canary}}\nfor_each: {a: *a}`,
  ]) {
    expect(linesOf(`${forEach}\n${spec}`).join("\n")).not.toMatch(shown);
  }
});

test("values of variables that may be secrets are masked in the manifest, and their names stay", () => {
  const text = [
    `variables: {key: ${canary}, other: [${canary}], third: {{${canary}}}}`,
    "environments:",
    "  prod:",
    "    variables:",
    `      key: ${canary}`,
    `      long: {description: For all, default: ${canary}}`,
    `# variables: {key: ${canary}}`,
  ].join("\n");
  expect(linesOf(text, secretNamesOfManifest)).toEqual([
    "variables: {key: ••••••, other: [••••••], third: {{••••••}}}",
    "environments:",
    "  prod:",
    "    variables:",
    "      key: ••••••",
    "      long: {description: For all, default: ••••••}",
    "# variables: {key: ••••••}",
  ]);
  expect(linesOf("spec: {variables: {region: eu}}")).toEqual(["spec: {variables: {region: eu}}"]);
});

// What may be written as the value of a secret, in any of YAML's forms, with the secret anywhere in it.
const { value } = fc.letrec<{ value: string }>((tie) => {
  const part = tie("value");
  return {
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(
        canary,
        `"${canary}"`,
        `'${canary}'`,
        `&${canary} a`,
        `!${canary} a`,
        `*${canary}`,
        "a",
      ),
      part.map((inner) => `{${inner}}`),
      fc.tuple(part, part).map(([key, inner]) => `{${key}: ${inner}}`),
      fc.tuple(part, part).map(([key, inner]) => `{? ${key} : ${inner}, b: c}`),
      fc.tuple(part, part).map(([first, second]) => `[${first}, ${second}]`),
      fc.tuple(part, part).map(([key, inner]) => `[${key}: ${inner}]`),
      part.map((inner) => `!!set {${inner}}`),
      part.map((inner) => `&a ${inner}`),
    ),
  };
});

test("of a secret nothing is shown, whatever YAML reads it as", () => {
  const places: [string, typeof secretNames][] = [
    ["spec: {credentials: {x: @}}", secretNames],
    ["spec:\n  credentials:\n    x: @\n    y:\n      - @\n      - ? @\n", secretNames],
    ["spec:\n  provider_api_key: @\n  default_headers: {Authorization: @}\n", secretNames],
    ["spec:\n  credentials: {x: *anchor}\nmeta: &anchor @\n", secretNames],
    ["meta: &anchor @\nspec:\n  credentials: {x: *anchor}\n", secretNames],
    ['for_each: {a: {k: @}}\nspec: {credentials: {x: "${each:k}"}}\n', secretNames],
    ["spec:\n  defaults: [{kind: Credential, spec: {credentials: {x: @}}}]\n", secretNamesOfManifest],
  ];
  const isHidden = fc.property(value, fc.constantFrom(...places), (secret, [form, secrets]) => {
    const text = form.replaceAll("@", secret);
    expect(linesOf(text, secrets).join("\n"), text).not.toMatch(shown);
  });
  fc.assert(isHidden, { numRuns: examples(3000) });
});
