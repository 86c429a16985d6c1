import { expect, test } from "vitest";
import { documents, manifestAt, openDesk } from "./desk.js";

const ignoring = manifestAt(
  "http://127.0.0.1:1",
  '  variables: {region: north}\n  ignore: [variable-unused]\n  environments: {default: {}, staging: {service: {base_url: "http://127.0.0.1:2"}}}\n',
);

test("a warning that the manifest ignores is in no form of the result", async () => {
  const { workspace, run } = await openDesk();
  workspace.write({ "agentform.yaml": ignoring, ...documents });
  for (const format of ["text", "json", "github", "sarif", "gitlab"]) {
    const { code, out, err } = await run("validate", "--format", format);
    expect([code, out + err]).toEqual([0, expect.not.stringContaining("variable-unused")]);
  }
  for (const format of ["text", "json", "markdown", "html"]) {
    const { code, out, err } = await run("plan", "--format", format);
    expect([code, out + err]).toEqual([0, expect.not.stringContaining("variable-unused")]);
  }
});

test("--verbose says how many were ignored, in each environment", async () => {
  const { workspace, run } = await openDesk();
  workspace.write({ "agentform.yaml": ignoring, ...documents });
  const { err } = await run("validate", "--verbose");
  expect(err.split("\n").filter((line) => line.includes("ignored"))).toEqual([
    "verbose: ignored 1 warning of the default environment: variable-unused",
    "verbose: ignored 1 warning of environment staging: variable-unused",
  ]);
});

test("without the key the warning is there", async () => {
  const { workspace, run } = await openDesk();
  workspace.write({
    "agentform.yaml": ignoring.replace("ignore: [variable-unused]", "ignore: []"),
    ...documents,
  });
  expect((await run("validate")).out).toContain("warning[variable-unused]");
  expect((await run("plan")).err).toContain("warning[variable-unused]");
});
