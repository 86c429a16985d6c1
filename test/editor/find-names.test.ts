import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WrittenText } from "../../src/core/position/written-text.js";
import { EditedWorkspace } from "../../src/editor/edited-workspace.js";
import { definitionsOf, nameAt, namesOf } from "../../src/editor/find-names.js";
import { isSame, type NameMeaning } from "../../src/editor/occurrence.js";
import { sample } from "../harness/tier.js";

const folders = ["test/fixtures/validate", "test/fixtures/workspaces"].flatMap((folder) =>
  readdirSync(folder).flatMap((name) => [join(folder, name), join(folder, name, "workspace")]),
);
const workspaces = folders.filter((folder) => existsSync(join(folder, "agentform.yaml")));
const examples = ["examples/fleet", "examples/support-desk"];

test.each([
  ...sample("workspaces whose names are found", workspaces, 6),
  ...sample("examples whose names are found", examples, 0),
])("every reference of %s is found", async (folder) => {
  const directory = mkdtempSync(join(tmpdir(), "agentform-names-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(folder, directory, { recursive: true });
  const workspace = new EditedWorkspace({ directory });
  for await (const _ of workspace.check());
  const texts = workspace.texts();
  for (const { resources } of workspace.fleets()) {
    for (const resource of resources.values()) {
      const [definition] = definitionsOf(workspace, meaningOf(resource.address));
      expect(definition?.file, resource.address).toBe(resource.file);
      for (const { place, text: reference, operation } of resource.placedReferences) {
        const meaning = {
          ...meaningOf(reference.split("/", 1)[0] ?? ""),
          ...(operation !== undefined && { operation }),
        };
        const text = texts.read(place.file) ?? "";
        const range = new WrittenText(text).rangeOf(place);
        const source = range && text.slice(range.start, range.end);
        // What a parameter, a template or a default includes is found where it is written.
        if (range && source?.startsWith(`\${${meaning.scheme}:`)) {
          const found = nameAt(workspace, place.file, range.start + 3)?.meaning;
          expect(found && isSame(found, meaning), `${place.file} ${reference}`).toBe(true);
        }
        expect(namesOf(workspace, meaning).length, reference).toBeGreaterThan(0);
      }
    }
  }
});

function meaningOf(address: string): NameMeaning {
  const colon = address.indexOf(":");
  return { scheme: address.slice(0, colon) as NameMeaning["scheme"], name: address.slice(colon + 1) };
}
