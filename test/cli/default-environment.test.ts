import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { openDesk } from "./desk.js";

const manifestOf = (url: string) => `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service: {api_key: "\${env:AGENT_API_KEY}"}
  environments:
    production: {service: {base_url: "${url}", rai_base_url: "${url}"}}
    staging: {service: {base_url: "${url}", rai_base_url: "${url}"}}
`;

test("where only environments have an address, a command on the state needs the name of one", async () => {
  const { workspace, emulator, run } = await openDesk();
  workspace.write({
    "agentform.yaml": manifestOf(emulator.url),
    "agents/trial.yaml": documentText("Agent", "trial", { name: "Trial" }, { environments: ["staging"] }),
  });
  expect(await run("validate")).toMatchObject({ code: 0 });
  for (const args of [["plan"], ["apply", "--yes"], ["apply", "--yes", "--emulator"], ["lock", "list"]]) {
    const { code, err } = await run(...args);
    expect([args, code]).toEqual([args, 1]);
    expect(err).toContain("error[environment-required]: there is no default environment");
    expect(err).toContain("agentform.yaml:6:3");
    expect(err).toContain("hint: choose one with `-e`: production, staging");
  }
  expect(await run("apply", "--yes", "-e", "staging")).toMatchObject({ code: 0 });
  expect((await run("lock", "list", "-e", "staging")).out).toContain("agent:trial");
  expect((await run("lock", "list", "-e", "production")).out).not.toContain("agent:trial");
});
