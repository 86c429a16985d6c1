import { rootCertificates } from "node:tls";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { main } from "../../src/cli/main.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { targetOf } from "../../src/service/target.js";
import { apply } from "../../src/sync/apply.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import { certificate, certificateKey } from "./certificate.js";
import { answer, rawServer, type RawServer } from "./raw-server.js";

afterEach(() => vi.unstubAllEnvs());

interface Scene {
  readonly workspace: DiskWorkspace;
  readonly server: RawServer;
  apply(...options: readonly string[]): Promise<{ code: number; err: string }>;
}

/** A workspace with one agent, and a service whose certificate nobody trusts. */
async function openScene(): Promise<Scene> {
  const server = await rawServer([answer(200, '{"agent_id":"66f1"}')], { tls: true });
  const workspace = makeWorkspace({
    "agentform.yaml": `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service: {base_url: "${server.url}", api_key: "\${env:KEY}"}
`,
    "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
    "ca.pem": certificate,
    "other.pem": rootCertificates[0] ?? "",
    "both.pem": `# ours\n${rootCertificates[0] ?? ""}\n\n# theirs\n${certificate}`,
    "none.pem": "not a certificate\n",
    "empty.pem": "",
    "key.pem": certificateKey,
    "damaged.pem": `${certificate}${certificate.replace("MIIB", "MIIC")}`,
  });
  const run = async (...options: readonly string[]) => {
    let err = "";
    const code = await main(["apply", "--yes", ...options], {
      env: { KEY: "key-for-examples" },
      cwd: workspace.directory,
      isTerminal: false,
      canAsk: false,
      showsProgress: false,
      out: () => {},
      err: (text) => (err += text),
    });
    return { code, err };
  };
  return { workspace, server, apply: run };
}

describe("--ca-file", () => {
  it.each(["ca.pem", "both.pem"])("trusts what is signed by a certificate of %s", async (file) => {
    const scene = await openScene();
    expect(await scene.apply("--ca-file", file)).toMatchObject({ code: 0 });
    expect(scene.server.received).toHaveLength(1);
  });

  it("adds to the certificates of NODE_EXTRA_CA_CERTS", async () => {
    const scene = await openScene();
    vi.stubEnv("NODE_EXTRA_CA_CERTS", join(scene.workspace.directory, "ca.pem"));
    expect(await scene.apply("--ca-file", "other.pem")).toMatchObject({ code: 0 });
  });

  it("minds no NODE_EXTRA_CA_CERTS that cannot be used, as Node does", async () => {
    const scene = await openScene();
    for (const file of ["missing.pem", "none.pem"]) {
      vi.stubEnv("NODE_EXTRA_CA_CERTS", join(scene.workspace.directory, file));
      expect((await scene.apply("--ca-file", "ca.pem")).code).toBe(0);
    }
  });

  it.each([
    ["missing.pem", "does not exist"],
    [".", "cannot be read (EISDIR)"],
  ])("is a usage error with %s", async (file, why) => {
    const scene = await openScene();
    expect(await scene.apply("--ca-file", file)).toEqual({
      code: 64,
      err: `error: --ca-file ${file} ${why}\n`,
    });
    expect(scene.server.connections()).toBe(0);
  });

  it.each([
    ["none.pem", "contains no certificate"],
    ["empty.pem", "contains no certificate"],
    ["key.pem", "contains no certificate"],
    ["damaged.pem", "contains a damaged certificate"],
  ])("is refused with %s, before anything is held or sent", async (file, why) => {
    const scene = await openScene();
    const { code, err } = await scene.apply("--ca-file", file);
    expect(code).toBe(1);
    expect(err).toContain("certificate-invalid");
    expect(err).toContain(`\`${file}\` ${why}`);
    expect(scene.server.connections()).toBe(0);
    expect(() => scene.workspace.read("agentform.lock")).toThrow(/ENOENT/);
  });

  it("without it nothing is sent", async () => {
    const scene = await openScene();
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    expect((await scene.apply("--ca-file", "other.pem")).code).toBe(1);
    expect(scene.server.received).toEqual([]);
  });
});

describe("the file of certificates of the library", () => {
  it.each(["missing.pem", "none.pem"])("is a finding with %s", async (file) => {
    const { workspace, server } = await openScene();
    const result = await apply({
      directory: workspace.directory,
      userAgent: "agentform/0.0.0",
      confirm: async () => true,
      target: (settings) => targetOf(settings, environmentSecrets({ KEY: "key-for-examples" })),
      caFile: join(workspace.directory, file),
    });
    expect(result).toMatchObject({ status: "refused", diagnostics: [{ code: "certificate-invalid" }] });
    expect(server.connections()).toBe(0);
  });
});
