import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../harness/property.js";

/** The folder of the example that is edited. */
export const example = join("examples", "support-desk");

/** One step of a person with an editor. */
export type Edit =
  /** Puts a text in the place of a part of an open file, by fractions of its length. */
  | {
      readonly type: "replace";
      readonly file: string;
      readonly from: number;
      readonly cut: number;
      readonly text: string;
    }
  /** Types a document into a file that was never saved. */
  | { readonly type: "new"; readonly file: string; readonly text: string }
  /** Saves an open file. */
  | { readonly type: "save"; readonly file: string }
  /** Closes a file without saving it. */
  | { readonly type: "close"; readonly file: string }
  /** A different program writes a file. */
  | { readonly type: "write"; readonly file: string; readonly text: string };

/** The names and texts of the example's files. */
export function exampleFiles(): Map<string, string> {
  const entries = readdirSync(example, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.map((path): [string, string] => [
    path.slice(example.length + 1).replaceAll("\\", "/"),
    readFileSync(path, "utf8"),
  ]);
  return new Map(files.filter(([file]) => /\.(ya?ml|md|json)$/.test(file)));
}

const snippets = [
  "",
  "x",
  "\n",
  "  temprature: 1\n",
  "${policy:stict}",
  "${toolset:helpdesk/getTiket}",
  "${var:modle}",
  "${",
  "${each:key}",
  "$${",
  "{",
  '"',
  "- ",
  "<<<<<<< HEAD\n",
  "---\napiVersion: agentform/v1\nkind: Agent\nmetadata: {name: support}\nspec: {name: Second}\n",
  "lifecycle: {environments: [production]}\n",
  "😀é",
];
const newDocument = "apiVersion: agentform/v1\nkind: Policy\nmetadata: {name: fresh}\nspec: {name: Fresh}\n";
const patch = (name: string) =>
  `apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: ${name}}\nspec: {temperature: 0.5}\n`;

/** Edits of the example's files, at random. */
export function edits(): fc.Arbitrary<Edit> {
  const file = fc.constantFrom(...exampleFiles().keys());
  const replace = fc.record({
    type: fc.constant("replace" as const),
    file,
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.constantFrom(0, 0, 1, 5, 40),
    text: fc.constantFrom(...snippets),
  });
  const fresh = fc.constantFrom<Edit>(
    { type: "new", file: "policies/deeper/fresh.yaml", text: newDocument },
    { type: "new", file: "environments/production/agents.yaml", text: patch("support") },
    { type: "new", file: "environments/production/agents.yaml", text: patch("suport") },
    { type: "new", file: "environments/test/agents.yaml", text: patch("support") },
    { type: "new", file: "notes/fresh.yaml", text: newDocument },
    { type: "write", file: "policies/written.yaml", text: newDocument },
    { type: "write", file: "prompts/support.md", text: "Help. ${var:regoin}" },
  );
  const whole = fc.record({ type: fc.constantFrom("save" as const, "close" as const), file });
  return fc.oneof(
    { weight: 6, arbitrary: replace },
    { weight: 2, arbitrary: fresh },
    { weight: 2, arbitrary: whole },
  );
}

/** Gives the text after a replacement. */
export function replaced(text: string, { from, cut, text: inserted }: Edit & { type: "replace" }): string {
  const at = Math.round(from * text.length);
  return text.slice(0, at) + inserted + text.slice(at + cut);
}
