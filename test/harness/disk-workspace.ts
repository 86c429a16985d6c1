import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A workspace on the disk, in a folder of its own that goes with the test. */
export interface DiskWorkspace {
  readonly directory: string;
  write(files: Readonly<Record<string, string>>): void;
  read(file: string): string;
  remove(file: string): void;
}

/** The manifest of a workspace that tests are content with. */
export const manifest = `apiVersion: agentform/v1
kind: Workspace
metadata: {name: test}
spec:
  service:
    base_url: http://127.0.0.1:1
    rai_base_url: http://127.0.0.1:1
    api_key: \${env:AGENT_API_KEY}
    tool_ids: document_order
`;

/** Makes a workspace of the given files; without a manifest among them it gets the plain one. */
export function makeWorkspace(files: Readonly<Record<string, string>>): DiskWorkspace {
  const directory = mkdtempSync(join(tmpdir(), "agentform-"));
  // A process that the test left to itself may still put its files away.
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20 }));
  const workspace: DiskWorkspace = {
    directory,
    write(more) {
      for (const [file, text] of Object.entries(more)) {
        mkdirSync(dirname(join(directory, file)), { recursive: true });
        writeFileSync(join(directory, file), text);
      }
    },
    read: (file) => readFileSync(join(directory, file), "utf8"),
    remove: (file) => rmSync(join(directory, file)),
  };
  workspace.write({ "agentform.yaml": manifest, ...files });
  return workspace;
}

/** The text of one document. */
export function documentText(kind: string, name: string, spec: object, lifecycle?: object): string {
  return JSON.stringify({
    apiVersion: "agentform/v1",
    kind,
    metadata: { name },
    spec,
    ...(lifecycle && { lifecycle }),
  });
}
