import { expect, test } from "vitest";
import { Document } from "yaml";
import type { DriftWriteAnswer } from "../../src/generated/drift-write.js";
import { equal, type Json, type JsonObject } from "../../src/json/json.js";
import { withEdit, type ValueEdit } from "../../src/core/keep/value-edit.js";
import { editedYaml } from "../../src/core/keep/yaml-edit.js";
import { treeOf } from "../../src/core/keep/yaml-spot.js";
import { writtenSchema } from "../../src/render/results/documents-yaml.js";
import { openAppliedDesk, type AppliedDesk } from "../cli/applied-desk.js";
import { examples, fc } from "../harness/property.js";
import { wholeTest } from "../harness/tier.js";

const words = [
  "kind",
  "be brief",
  "${",
  "${x}",
  "${var:x}",
  "$${y}",
  "a: b",
  "# no",
  "'",
  '"',
  "é",
  "-",
  "\u200b",
  "{",
  "]",
  "\\",
  "  ",
  "~",
  "1",
  "::set",
];
const line = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(" "));
const text = fc
  .array(fc.oneof({ weight: 5, arbitrary: line }, fc.constant("")), { minLength: 1, maxLength: 6 })
  .map((lines) => lines.join("\n"));
const number = fc.integer({ min: 0, max: 20 }).map((each) => each / 10);
const small = fc.oneof(line, number, fc.boolean());
const key = fc.constantFrom("size", "mode", "deep", "a b", "true", "x");
const mapping: fc.Arbitrary<JsonObject> = fc.dictionary(
  key,
  fc.oneof(small, fc.array(small, { maxLength: 3 }), fc.dictionary(key, small, { maxKeys: 2 })),
  { maxKeys: 3 },
);
const feature = fc.record({
  type: fc.constantFrom("A", "B", "C", "D"),
  priority: fc.nat(3),
  config: mapping,
});
const features = fc.uniqueArray(feature, { maxLength: 4, selector: ({ type }) => type });

/** The fields of an agent that somebody edits. */
const fields = {
  description: text,
  system_prompt: text,
  model: line,
  temperature: number,
  top_p: number,
  features,
  response_format: mapping,
} as const;
type FieldName = keyof typeof fields;
const body = fc.record(fields, { requiredKeys: ["description"] });

/** How a field is written. */
const style = fc.record({
  form: fc.constantFrom("block", "flow", "json", "literal", "kept", "folded", "single"),
  comment: fc.boolean(),
  above: fc.boolean(),
});
type Style = { readonly form: string; readonly comment: boolean; readonly above: boolean };

// As people write it, with remarks between and behind.
function fieldText(name: string, value: Json, { form, comment, above }: Style): string {
  const symbolic = escaped(value);
  const remark = above ? `  # About ${name}: keep this.\n` : "";
  const behind = comment ? "   # why" : "";
  if (typeof symbolic === "string") {
    const isPlain = /^[\wé][\w .é-]*\w$/.test(symbolic);
    const mark = { literal: "|-", kept: "|+" }[form];
    if (mark && !/^\s|[\u200b]|\n$|^$/.test(symbolic) && symbolic.includes("\n")) {
      const lines = symbolic.split("\n").map((each) => (each === "" ? "" : `      ${each}`));
      return `${remark}  ${name}: ${mark}${behind}\n${lines.join("\n")}\n\n`;
    }
    const isFoldable = form === "folded" && /^[^\s\u200b]+(?: [^\s\u200b]+)+$/.test(symbolic);
    if (isFoldable) {
      const lines = symbolic.match(/\S+(?: \S+)?/g) ?? [];
      return `${remark}  ${name}: >-${behind}\n${lines.map((each) => `    ${each}`).join("\n")}\n`;
    }
    if (form === "single" && isPlain) return `${remark}  ${name}: '${symbolic}'${behind}\n`;
    return `${remark}  ${name}: ${form === "block" && isPlain ? `${symbolic} x` : JSON.stringify(symbolic)}${behind}\n`;
  }
  if (
    typeof symbolic !== "object" ||
    form === "json" ||
    form === "flow" ||
    Object.keys(symbolic ?? {}).length === 0
  )
    return `${remark}  ${name}: ${JSON.stringify(symbolic)}${behind}\n`;
  const lines = renderValueYaml(symbolic)
    .trimEnd()
    .split("\n")
    .map((each) => `    ${each}`);
  return `${remark}  ${name}:${behind}\n${lines.join("\n")}\n`;
}

function escaped(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll("${", () => "$${")) as Json;
}

function renderValueYaml(value: Json): string {
  return new Document(value, { schema: writtenSchema }).toString({ lineWidth: 0 });
}

const head =
  "# The desk.\napiVersion: agentform/v1\nkind: Agent\nmetadata: {name: one}\nspec:\n  name: One\n";
const tail = "---\napiVersion: agentform/v1\nkind: Agent\nmetadata: {name: two}\nspec: {name: Two}\n";

wholeTest(
  "any edit of a body is written, and then there is no drift and no change, and no other line is touched",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        body,
        body,
        fc.array(style, { minLength: 7, maxLength: 7 }),
        fc.boolean(),
        fc.subarray(Object.keys(fields) as FieldName[], { minLength: 1 }),
        async (before, after, styles, isWindows, edited) => {
          const names = Object.keys(before) as FieldName[];
          const blocks = names.map((name, index) =>
            fieldText(name, before[name] as Json, styles[index] as Style),
          );
          const lineEnds = (each: string) => (isWindows ? each.replaceAll("\n", "\r\n") : each);
          const written = [head, ...blocks, tail].map(lineEnds);
          const desk = await openAppliedDesk("array", "read", { "agents/all.yaml": written.join("") });
          await desk.run("apply", "--yes", "--verify", "--resend", "agent:one");
          // What somebody does in the console is a merge patch, in which a mapping is merged.
          const changes: JsonObject = Object.fromEntries(
            edited.map((name) => [name, (after[name] ?? null) as Json]),
          );
          desk.edit("agent:one", Object.fromEntries(edited.map((name) => [name, null])));
          desk.edit("agent:one", changes);
          const changed = await changedFields(desk);
          const ran = await desk.run("drift", "--write", "--yes", "--format", "json");
          const { left } = JSON.parse(ran.out) as DriftWriteAnswer;
          expect(left).toEqual([]);
          expect((await desk.run("drift")).out).toContain("No drift.");
          expect((await desk.run("plan")).out).toContain("No changes.");
          const now = desk.workspace.read("agents/all.yaml");
          let at = 0;
          for (const [index, block] of written.entries()) {
            const name = names[index - 1];
            const isKept = name === undefined || !changed.has(name);
            const isThere = name !== undefined && Object.hasOwn(after, name);
            // A comment goes with what it is about.
            const remark = isThere && block.startsWith("  #") ? block.slice(0, block.indexOf("\n") + 1) : "";
            const own = isKept ? block : remark;
            const found = now.indexOf(own, at);
            expect(found, `${JSON.stringify(own)} in ${now}`).toBeGreaterThanOrEqual(at);
            at = found + own.length;
          }
        },
      ),
      { numRuns: examples(200) },
    );
  },
);

async function changedFields(desk: AppliedDesk): Promise<ReadonlySet<string>> {
  const { out } = await desk.run("drift", "--format", "json");
  const { actions } = JSON.parse(out) as { actions: { changes: { path: string }[] }[] };
  return new Set(actions.flatMap(({ changes }) => changes.map(({ path }) => /^\w+/.exec(path)?.[0] ?? "")));
}

test("a comment stays with its item, whatever comes and goes beside it", () => {
  const remarks = fc.record({ above: fc.boolean(), behind: fc.boolean() });
  const items = fc.array(remarks, { minLength: 2, maxLength: 5 });
  const edits = fc.record({ type: fc.constantFrom("remove", "insert", "set"), at: fc.nat(4) });
  fc.assert(
    fc.property(
      items,
      edits,
      fc.constantFrom("block", "flow", "closed", "beside"),
      fc.boolean(),
      (all, edit, form, isWindows) => {
        const lines = all.flatMap(({ above, behind }, index) => {
          const comma = form === "closed" || (form !== "block" && index + 1 < all.length) ? "," : "";
          const item = `  ${form === "block" ? "- " : ""}item${index}${comma}`;
          if (form === "beside" && index === 0 && !above)
            return [`list: [${item.trim()}${behind ? ` # behind 0` : ""}`];
          const head = form === "beside" && index === 0 ? ["list: ["] : [];
          return [
            ...head,
            ...(above ? [`  # above ${index}`] : []),
            `${item}${behind ? ` # behind ${index}` : ""}`,
          ];
        });
        const text = [
          ...(form === "beside" ? [] : [`list:${form === "block" ? "" : " ["}`]),
          ...lines,
          ...(form === "block" ? [] : ["]"]),
          "more: 1",
          "",
        ].join(isWindows ? "\r\n" : "\n");
        const at = edit.at % all.length;
        const made: ValueEdit = {
          remove: { type: "remove", path: ["list", at] } as const,
          set: { type: "set", path: ["list", at], value: "new" } as const,
          insert: {
            type: "insert",
            path: ["list"],
            index: edit.at % (all.length + 1),
            items: ["new", "newer"],
          } as const,
        }[edit.type];
        const edited = editedYaml(text, made, writtenSchema) ?? "";
        expect(treeOf(edited)?.value).toEqual(withEdit(treeOf(text)?.value ?? null, made));
        const now = edited.split(/\r?\n/);
        for (const [index, { above, behind }] of all.entries()) {
          const name = edit.type === "set" && at === index ? "new" : `item${index}`;
          const line = now.findIndex((each) => new RegExp(`\\b${name}\\b`).test(each));
          const isGone = edit.type === "remove" && at === index;
          expect(line === -1).toBe(isGone);
          // What is above the first one alone is about all.
          const isAbout = index > 0 || all.some((other, place) => place > 0 && other.above);
          if (isGone && isAbout) expect(edited).not.toMatch(new RegExp(`(above|behind) ${index}`));
          if (isGone) continue;
          expect(now[line]?.includes(`# behind ${index}`)).toBe(behind);
          if (isAbout) expect(now[line - 1]?.trim() === `# above ${index}`).toBe(above);
        }
      },
    ),
    { numRuns: examples(2000) },
  );
});

// What people write in many ways.
const oddValues = [
  "0x10 # sixteen",
  "1.50",
  "  'it''s'  # so",
  '"\\x41 \\u00e9"',
  "&a {b: 1,c:  [2 , 3]}\t# packed",
  "~",
  "|-  # lines\n      one\n        two",
  ">2\n      folded\n      by hand\n\n\n      here",
  "\n      x:   1\n\n      # deep\n      y: [ ]",
  "\n    - a\n    -   b # b",
];

test("an edit changes no byte of the entries beside it, nor before or behind them", () => {
  const entries = fc.array(fc.constantFrom(...oddValues), { minLength: 2, maxLength: 5 });
  const fresh = fc.oneof(small, text, mapping, features);
  fc.assert(
    fc.property(
      entries,
      fc.nat(5),
      fresh,
      fc.constantFrom("set", "remove", "add", "insert"),
      fc.boolean(),
      fc.boolean(),
      (values, which, value, type, isList, isWindows) => {
        const blocks = values.map((each, index) => {
          const written = each.startsWith("\n") ? each : ` ${each}`;
          return `${isList ? "  -" : `  k${index}:`}${isList && each.startsWith("\n    -") ? " []" : written}\n`;
        });
        const as = (each: string) => (isWindows ? each.replaceAll("\n", "\r\n") : each);
        const before = as(isList ? "# Head.\nodd :   0o7\nall:\n" : "# Head.\nodd :   0o7\nall: # these\n");
        const behind = as("\nmore:   [ 1,2 ]   # all\n...\n");
        const written = `${before}${as(blocks.join(""))}${behind}`;
        const at = which % values.length;
        const path = ["all", isList ? at : `k${at}`];
        const edit: ValueEdit =
          type === "insert" && isList
            ? { type, path: ["all"], index: at, items: [value] }
            : type === "remove"
              ? { type, path }
              : type === "set"
                ? { type, path, value }
                : { type: "add", path: ["all", "new"], value };
        fc.pre(edit.type !== "add" || !isList);
        const edited = editedYaml(written, edit, writtenSchema) ?? "";
        expect(treeOf(edited)?.value).toEqual(withEdit(treeOf(written)?.value ?? null, edit));
        const isGone = type === "set" || type === "remove";
        const kept = edit.type === "add" ? blocks.length : at;
        const start = before + as(blocks.slice(0, kept).join(""));
        const end = as(blocks.slice(isGone ? at + 1 : kept).join("")) + behind;
        expect(edited.slice(0, start.length)).toBe(start);
        expect(edited.slice(-end.length)).toBe(end);
      },
    ),
    { numRuns: examples(3000) },
  );
});

test("a text in lines keeps its form and the comment behind its mark, also where a line ends with blanks", () => {
  const edited = (written: string, value: Json): string => {
    const edit: ValueEdit = { type: "set", path: ["k"], value };
    return editedYaml(`k: ${written}\nmore: 1\n`, edit, writtenSchema) ?? "";
  };
  expect(edited("|-\n  one\n  two ", "three\nfour")).toBe("k: |-\n  three\n  four\nmore: 1\n");
  expect(edited("| # why\n  one\n  two\t", "three\nfour\n")).toBe("k: | # why\n  three\n  four\nmore: 1\n");
  // In quotes, because the library would lose the blanks at the end.
  expect(edited("| # why\n  one\n  two", "three\nfour \n")).toBe('k: "three\\nfour \\n" # why\nmore: 1\n');
  // How wide the text was is nothing to a list.
  expect(edited("|\n  a", ["so many words", "true"])).toBe('k:\n  - so many words\n  - "true"\nmore: 1\n');
});

const paths = (value: Json, at: (string | number)[] = []): (string | number)[][] => {
  if (Array.isArray(value)) return [at, ...value.flatMap((item, index) => paths(item, [...at, index]))];
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, member]) => paths(member, [...at, name]))];
};

test("an edit of a text is exactly that edit of its value, whatever its form is", () => {
  fc.assert(
    fc.property(
      mapping,
      features,
      fc.boolean(),
      fc.nat(),
      fc.nat(4),
      mapping,
      text,
      (map, list, isFlow, which, kind, other, words) => {
        const value: Json = { m: map, l: list, s: words };
        const rendered = renderValueYaml(value);
        const written = isFlow ? `${JSON.stringify(value)}\n` : rendered;
        // Not all texts are read as they are rendered.
        fc.pre(equal(treeOf(written)?.value, value));
        const all = paths(value).filter((path) => path.length > 0);
        const path = all[which % all.length] ?? ["m"];
        const edits: ValueEdit[] = [
          { type: "set", path, value: other },
          { type: "set", path, value: words },
          { type: "remove", path },
          { type: "add", path: ["m", "new one"], value: other },
          { type: "insert", path: ["l"], index: which % (list.length + 1), items: [other, words] },
        ];
        const edit = edits[kind] as ValueEdit;
        const edited = editedYaml(written, edit, writtenSchema);
        expect(edited, written).toBeDefined();
        expect(treeOf(edited ?? "")?.value).toEqual(withEdit(value, edit));
      },
    ),
    { numRuns: examples(3000) },
  );
});
