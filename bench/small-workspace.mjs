import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes a workspace of a few named files, for use with the emulator. */
export function writeSmallWorkspace(directory, files) {
  const manifest = `apiVersion: agentform/v1
kind: Workspace
metadata: {name: bench}
spec:
  service: {base_url: "http://127.0.0.1:1", api_key: "\${env:AGENT_API_KEY}", tool_ids: document_order}
`;
  for (const [file, text] of Object.entries({ "agentform.yaml": manifest, ...files })) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
}
