import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Ajv } from "ajv";
import { expect, inject, onTestFinished, test } from "vitest";
import { sample } from "../harness/tier.js";

interface Bom {
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const dist = (): string => join(inject("installed"), "node_modules/agentform/dist");
const bom = (): Bom => JSON.parse(readFileSync(join(dist(), "sbom.cdx.json"), "utf8")) as Bom;

interface Locked {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
}

const locked = JSON.parse(readFileSync("package-lock.json", "utf8")) as Locked;

test("the bill of materials is valid CycloneDX", () => {
  const folder = "node_modules/@cyclonedx/cyclonedx-library/res/schema";
  const read = (name: string) =>
    JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), "utf8")) as object;
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  for (const name of ["spdx", "jsf-0.82"]) {
    const { $id: _, ...schema } = read(name) as { $id: string };
    ajv.addSchema(schema, `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  const validate = ajv.compile(read("bom-1.6"));
  expect(validate(bom()), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...bom(), components: [{ type: "library" }] })).toBe(false);
});

test("it lists what the source maps and the licences list, each with the digest that the lock file has", () => {
  const { metadata, components, dependencies } = bom();
  expect(metadata.component).toMatchObject({ name: "agentform", version: locked.packages[""]?.version });
  const licenses = readFileSync(join(dist(), "THIRD-PARTY-LICENSES.txt"), "utf8");
  const heads = [...licenses.matchAll(/^-{80}\n\n(\S+ \S+)\n/gm)].map(([, head]) => head);
  expect(components.map(({ name, version }) => `${name} ${version}`)).toEqual(heads);
  const maps = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".js.map"),
  );
  const sources = maps.flatMap(
    (file) => (JSON.parse(readFileSync(join("dist", file), "utf8")) as { sources: string[] }).sources,
  );
  const names = new Set(components.map(({ name }) => name));
  const mapped = sources.map((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]);
  expect(mapped.filter((name) => name !== undefined && !names.has(name))).toEqual([]);
  for (const { name, version, hashes } of components) {
    const digests = Object.entries(locked.packages)
      .filter(([path, each]) => path.endsWith(`node_modules/${name}`) && each.version === version)
      .map(([, { integrity = "" }]) =>
        Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex"),
      );
    expect(digests, name).toContain(hashes[0]?.content);
  }
  expect(dependencies[0]?.dependsOn).toHaveLength(components.length);
});

/** Runs the audit with an npm that answers in this way. */
function audit(report: unknown): { readonly status: number | null; readonly output: string } {
  const folder = mkdtempSync(join(tmpdir(), "agentform-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "report.json"), typeof report === "string" ? report : JSON.stringify(report));
  writeFileSync(join(folder, "npm"), `#!/bin/sh\ncat "${join(folder, "report.json")}"\nexit 1\n`);
  chmodSync(join(folder, "npm"), 0o755);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/audit.mjs"], {
    env,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

test("the audit tells what is bundled from tools, and says when it could not ask", () => {
  const advisory = (name: string, node = `node_modules/${name}`) => ({
    name,
    severity: "high",
    via: [{ title: "A hole", url: "https://example.com/1" }],
    nodes: [node],
  });
  const { version } = locked.packages["node_modules/yaml"] ?? {};
  const both = { vulnerabilities: { yaml: advisory("yaml"), vitest: advisory("vitest") } };
  expect(audit(both)).toEqual({
    status: 1,
    output: expect.stringContaining(`high: yaml ${version}: A hole https://example.com/1`),
  });
  expect(audit(both).output).not.toContain("vitest");
  const tools = {
    vulnerabilities: {
      vitest: advisory("vitest"),
      yaml: advisory("yaml", "node_modules/x/node_modules/yaml"),
    },
  };
  expect(audit(tools)).toEqual({ status: 0, output: expect.stringContaining("0 with advisories") });
  for (const broken of sample("broken answers", ["", "no JSON", { message: "405 Method Not Allowed" }], 1)) {
    expect(audit(broken)).toEqual({ status: 2, output: expect.stringContaining("could not be asked") });
  }
});
