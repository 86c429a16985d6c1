import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { validate } from "../harness/validate.js";
import type { FieldsByKind } from "../../src/core/kind/extra-fields.js";
import { FileParser } from "../../src/workspace/file-parser.js";
import { loadWorkspace, type LoadOptions } from "../../src/workspace/load-workspace.js";
import { OpenWorkspace } from "../../src/workspace/open-workspace.js";
import { ParsedOnce } from "../../src/workspace/parsed-once.js";
import type { ReparsedFile } from "../../src/workspace/reparsed-file.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { examples, fc } from "../harness/property.js";
import { wholeTest } from "../harness/tier.js";

const environments = [null, "test", "live", "spare"];

const manifest = (more: string) => `apiVersion: agentform/v1
kind: Workspace
metadata: {name: once}
spec:
  service: {base_url: "http://127.0.0.1:9", rai_base_url: "http://127.0.0.1:9", api_key: "\${env:KEY}"}
  variables: {size: {default: small}, place: {default: here}}
${more}`;

const overlays = [
  "  ignore: [environment-same-service]\n  environments: {default: {}, test: {}, live: {}, spare: {}}\n",
  "  ignore: [environment-same-service]\n  environments: {default: {}, test: {}, live: {variables: {size: large}}, spare: {}}\n",
  "  ignore: [environment-same-service]\n  environments: {default: {}, test: {variables: {place: there}}, live: {variables: {size: large}}, spare: {variables: {size: large}}}\n",
  "  ignore: [environment-same-service]\n  environments: {default: {}, test: {}, live: {}, spare: {}}\n  defaults: [{kinds: [Agent], spec: {temperature: 0.5}}]\n",
];

const texts = [
  documentText("Agent", "plain", { name: "Plain" }),
  documentText("Agent", "sized", { name: "of ${var:size}" }),
  documentText("Agent", "placed", { name: "in ${var:place}", description: "${file:note.md}" }),
  documentText("Agent", "live", { name: "Live" }, { environments: ["live"] }),
  documentText("Agent", "both", { name: "Both" }, { environments: ["test", "live"] }),
  documentText("Agent", "chosen", { name: "Chosen" }, { environments: ["${var:place}"] }),
  documentText("Agent", "everywhere", { name: "Everywhere" }, { environments: [] }),
  documentText("Agent", "wrong", { name: 1 }),
  documentText("Agent", "user", {
    name: "User",
    features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:gone}" } }],
  }),
];

const file = fc.record({
  name: fc.constantFrom("agents/a.yaml", "agents/b.yaml", "agents/c.yaml"),
  text: fc.subarray(texts),
});
const patch = fc.record({
  name: fc.constantFrom("environments/live/p.yaml", "environments/test/p.yaml"),
  text: fc.subarray(
    texts.slice(0, 4).map((text) => text.replace(/"name":"[A-Z][^"]*"/, '"name":"Patched"')),
    { minLength: 1 },
  ),
});
const step = fc.record({
  files: fc.array(fc.oneof(file, patch), { maxLength: 4 }),
  overlay: fc.constantFrom(...overlays),
});

function outcome(options: LoadOptions) {
  const { fleet, diagnostics } = loadWorkspace(options);
  return {
    diagnostics,
    digests: [...(fleet?.resources.values() ?? [])].map(({ address, digest }) => [address, digest]),
    absent: [...(fleet?.absent.keys() ?? [])],
  };
}

wholeTest("what was parsed for one environment gives the same in the others, after any edits", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), (steps) => {
      const { directory, write } = makeWorkspace({ "note.md": "a note\n" });
      const cacheFolder = mkdtempSync(join(tmpdir(), "agentform-cache-"));
      onTestFinished(() => rmSync(cacheFolder, { recursive: true, force: true }));
      const open = new OpenWorkspace(directory);
      for (const { files, overlay } of steps) {
        write({ "agentform.yaml": manifest(overlay) });
        for (const { name, text } of files) write({ [name]: text.join("\n---\n") });
        const look = open.look();
        for (const environment of environments) {
          const alone = outcome({ directory, environment });
          expect(outcome({ directory, environment, open })).toEqual(alone);
          expect(outcome({ directory, environment, open: look })).toEqual(alone);
          expect(outcome({ directory, environment, open, cacheFolder })).toEqual(alone);
        }
      }
    }),
    { numRuns: examples(100) },
  );
});

test("a file that is the same in all environments is parsed once", () => {
  const parse = vi.spyOn(FileParser.prototype, "parse");
  onTestFinished(() => parse.mockRestore());
  const { directory } = makeWorkspace({
    "agentform.yaml": manifest(overlays[1] ?? ""),
    "agents/plain.yaml": texts[0] ?? "",
    "agents/sized.yaml": texts[1] ?? "",
    "agents/placed.yaml": documentText("Agent", "placed", { name: "in ${var:place}" }),
    "agents/live.yaml": texts[3] ?? "",
  });
  expect(validate({ directory })).toEqual([]);
  const counts = new Map<string, number>();
  for (const [name] of parse.mock.calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({
    "agents/plain.yaml": 1,
    "agents/placed.yaml": 1,
    // Small and large, absent and there.
    "agents/sized.yaml": 2,
    "agents/live.yaml": 2,
  });
});

test("in one look every environment sees a file as the first did, and the next look sees what was written since", () => {
  const { directory, write } = makeWorkspace({
    "agentform.yaml": manifest(overlays[0] ?? ""),
    "agents/a.yaml": documentText("Agent", "early", { name: "Early" }),
  });
  const open = new OpenWorkspace(directory);
  const addresses = (environment: string, given: LoadOptions["open"] = open) =>
    outcome({ directory, environment, ...(given && { open: given }) }).digests.map(([address]) => address);
  const look = open.look();
  expect(addresses("test", look)).toEqual(["agent:early"]);
  write({ "agents/a.yaml": documentText("Agent", "later", { name: "Later" }) });
  expect(addresses("live", look)).toEqual(["agent:early"]);
  expect(addresses("live", open.look())).toEqual(["agent:later"]);
  expect(addresses("spare")).toEqual(["agent:later"]);
});

test("what is made of a file once is made again where the deployment of an environment, or of now, is another", () => {
  const update = "service: {operations: {policy: {update: 'PUT /v1/rai/policies/{id}'}}}";
  const { directory, write } = makeWorkspace({
    "policies/p.yaml": documentText("Policy", "p", { name: "P" }),
  });
  const open = new OpenWorkspace(directory);
  const isUpdated = (environment: string | null) => {
    const { fleet } = loadWorkspace({ directory, environment, open });
    return fleet?.resources.get("policy:p")?.kind.replacedBy.length === 0;
  };
  for (const [test, live] of [
    ["", update],
    [update, ""],
  ]) {
    write({
      "agentform.yaml": manifest(`  environments: {default: {}, test: {${test}}, live: {${live}}}\n`),
    });
    const found = [null, "test", "live", "test", null].map(isUpdated);
    expect(found).toEqual([false, test !== "", live !== "", test !== "", false]);
  }
});

test("what was parsed by an earlier load is parsed again with what the last one knows, so that the earlier one is forgotten", () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifest(overlays[0] ?? ""),
    "agents/a.yaml": texts[0] ?? "",
  });
  const [parse, again] = [
    vi.spyOn(FileParser.prototype, "parse"),
    vi.spyOn(FileParser.prototype, "parseAgain"),
  ];
  onTestFinished(() => [parse, again].forEach((spy) => spy.mockRestore()));
  const open = new OpenWorkspace(directory);
  loadWorkspace({ directory, open: open.look() });
  const { fleet } = loadWorkspace({ directory, open: open.look() });
  expect(fleet?.resources.get("agent:plain")?.body).toEqual({ name: "Plain" });
  expect(parse).toHaveBeenCalledTimes(1);
  expect(again.mock.contexts[0]).not.toBe(parse.mock.contexts[0]);
});

test("what a load did not use is forgotten, and what it used again is kept", () => {
  const there = new ParsedOnce().in(null, {} as FieldsByKind);
  const parsed = {} as ReparsedFile;
  for (let load = 0; load < 2; load++) {
    there.keep("used", parsed);
    if (load === 0) there.keep("once", parsed);
    there.settle();
  }
  expect(["used", "once"].map((digest) => there.get(digest, () => true))).toEqual([parsed, undefined]);
});

test("of hundreds of environments, what only one has is kept for the last of them alone", () => {
  const parsed = new ParsedOnce();
  const kindFields = {} as FieldsByKind;
  const names = Array.from({ length: 200 }, (_, index) => `e${index}`);
  for (const name of names) {
    const there = parsed.in(name, kindFields);
    there.keep(name, {} as ReparsedFile);
    there.settle();
  }
  const last = parsed.in("e199", kindFields);
  const found = names.filter((name) => last.get(name, () => true) !== undefined);
  expect(found).toContain("e199");
  expect(found).toContain("e190");
  expect(found.length).toBeLessThan(50);
});

test("what was parsed with other settings of the manifest is forgotten with the first file that has new ones", () => {
  const { directory, write } = makeWorkspace({ "agents/plain.yaml": texts[0] ?? "" });
  const open = new OpenWorkspace(directory);
  const parse = vi.spyOn(FileParser.prototype, "parse");
  onTestFinished(() => parse.mockRestore());
  const parsedWith = (more: string): number => {
    write({ "agentform.yaml": manifest(more) });
    parse.mockClear();
    loadWorkspace({ directory, environment: null, open });
    return parse.mock.calls.length;
  };
  const fields = "  extra_fields: {agent: [team]}\n";
  expect([fields, fields, "", "", fields].map(parsedWith)).toEqual([1, 0, 1, 0, 1]);
});
