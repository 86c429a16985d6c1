import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { validate } from "../harness/validate.js";
import { EditedWorkspace } from "../../src/editor/edited-workspace.js";
import { OpenWorkspace } from "../../src/workspace/open-workspace.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { examples, fc } from "../harness/property.js";
import { edits, example, exampleFiles, replaced, type Edit } from "./random-edits.js";

test("after any edits, an open workspace has the diagnostics of the same texts on the disk", () => {
  fc.assert(
    fc.property(fc.array(fc.array(edits(), { minLength: 1, maxLength: 3 }), { maxLength: 4 }), (steps) => {
      const files = exampleFiles();
      const folders = {
        edited: mkdtempSync(join(tmpdir(), "agentform-")),
        same: mkdtempSync(join(tmpdir(), "agentform-")),
      };
      try {
        const disk = new Map(files);
        writeAll(folders.edited, disk);
        const open = new OpenWorkspace(folders.edited);
        const buffers = new Map<string, string>();
        for (const step of steps) {
          for (const edit of step) run(edit, { disk, buffers, open, directory: folders.edited });
          rmSync(folders.same, { recursive: true, force: true });
          writeAll(folders.same, new Map([...disk, ...buffers]));
          expect(validate({ directory: folders.edited, open })).toEqual(
            validate({ directory: folders.same }),
          );
        }
      } finally {
        for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: examples(100) },
  );
});

interface Scene {
  readonly disk: Map<string, string>;
  readonly buffers: Map<string, string>;
  readonly open: OpenWorkspace;
  readonly directory: string;
}

function run(edit: Edit, { disk, buffers, open, directory }: Scene): void {
  const { file } = edit;
  const text = buffers.get(file) ?? disk.get(file) ?? "";
  const show = (shown: string) => {
    buffers.set(file, shown);
    open.edit(file, shown);
  };
  const write = (written: string) => {
    disk.set(file, written);
    writeAll(directory, new Map([[file, written]]));
    open.refresh();
  };
  if (edit.type === "replace") show(replaced(text, edit));
  else if (edit.type === "new") show(edit.text);
  else if (edit.type === "save") write(text);
  else if (edit.type === "write") write(edit.text);
  else {
    buffers.delete(file);
    open.edit(file, undefined);
  }
}

function writeAll(directory: string, files: ReadonlyMap<string, string>): void {
  for (const [file, text] of files) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
}

const agent = documentText("Agent", "support", { name: "Support", system_prompt: "${file:../prompts/p.md}" });

test("a text of the editor takes the place of a link only where the link may be followed", () => {
  const outside = mkdtempSync(join(tmpdir(), "agentform-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(join(outside, "p.md"), "outside");
  const { directory } = makeWorkspace({ "agents/a.yaml": agent, "prompts/other.md": "" });
  symlinkSync(join(outside, "p.md"), join(directory, "prompts", "p.md"));
  const open = new OpenWorkspace(directory);
  open.edit("prompts/p.md", "edited");
  expect(validate({ directory, open }).map(({ code }) => code)).toEqual(["file-outside-workspace"]);
});

test("a file that changes right after it was read is read again", () => {
  const { directory, write } = makeWorkspace({ "agents/a.yaml": documentText("Agent", "a", { name: "A1" }) });
  const open = new OpenWorkspace(directory);
  for (let round = 0; round < 20; round++) {
    write({ "agents/a.yaml": documentText("Agent", "a", { [round % 2 ? "name" : "nome"]: "A1" }) });
    expect(validate({ directory, open })).toHaveLength(round % 2 ? 0 : 1);
  }
});

test("the environment of an edited patch is checked first of the manifest's, and their order stays", async () => {
  const workspace = new EditedWorkspace({ directory: example, environment: null });
  const atEach = async <Seen>(look: () => Seen) => {
    const seen: Seen[] = [];
    for await (const _ of workspace.check()) seen.push(look());
    return seen;
  };
  const order = () => atEach(() => workspace.fleets().map(({ settings }) => settings.environment));
  expect((await order()).at(-1)).toEqual([null, "staging", "production"]);
  workspace.edit("environments/production/support.yaml", "kind: [Agent\n");
  expect(await atEach(() => workspace.diagnostics().length > 0)).toEqual([true, true, true]);
  expect((await order()).at(-1)).toEqual([null, "staging", "production"]);
});
