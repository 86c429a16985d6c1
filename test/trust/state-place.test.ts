import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { accessKey, S3Server } from "../store/s3-server.js";
import { StateServer } from "../store/state-server.js";
import { runCommand } from "./run-command.js";

/** A server that a change names, and everything that was asked of it. */
async function startListener(host = "127.0.0.1") {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  return { asked, origin: `http://${host}:${(server.address() as AddressInfo).port}` };
}

function workspaceWith(lock: object, base_url = "http://127.0.0.1:1"): string {
  const service = { base_url, rai_base_url: base_url, api_key: "${env:KEY}" };
  const manifest = {
    apiVersion: "agentform/v1",
    kind: "Workspace",
    metadata: { name: "desk" },
    spec: { service, lock },
  };
  const { directory } = makeWorkspace({
    "agentform.yaml": JSON.stringify(manifest),
    "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
  });
  return directory;
}

const aws = {
  AWS_ACCESS_KEY_ID: "AKIAMACHINE",
  AWS_SECRET_ACCESS_KEY: "s3cr3t",
  AWS_SESSION_TOKEN: "s3ss10n",
};

const commands = [
  ["plan"],
  ["apply", "--yes"],
  ["drift"],
  ["prune", "--yes"],
  ["import", "--all", "--yes"],
  ["output"],
  ["lock", "list"],
  ["lock", "status"],
  ["lock", "history"],
  ["lock", "restore"],
  ["lock", "unlock", "4f1d2c3b-0000-4000-8000-000000000000"],
  ["lock", "resolve", "agent:support", "--not-created"],
  ["lock", "move", "--to", "git"],
];

describe("a manifest that names another place of the state than the machine", () => {
  test.each(["git", "{store: http, gitlab: {project: group/desk}}"])(
    "has no command ask that place anything, where the machine's is %s",
    async (own) => {
      const { asked, origin } = await startListener();
      const places = [
        { store: "s3", bucket: "test-bucket", key: "desk.json", endpoint: origin },
        { store: "http", address: `${origin}/latest/meta-data` },
        { store: "http", gitlab: { project: "stranger/desk" } },
        { store: "file" },
      ];
      const env = {
        ...aws,
        AGENTFORM_STORE: own,
        AWS_ENDPOINT_URL_S3: origin,
        CI_API_V4_URL: origin,
        CI_JOB_TOKEN: "j0b",
        KEY: "key",
      };
      for (const place of places) {
        const cwd = workspaceWith(place, origin);
        for (const command of commands) {
          const { code, stdout, stderr } = await runCommand(command, { cwd, env });
          expect([code, stdout + stderr], command.join(" ")).toEqual([
            1,
            // Nothing is asked of a server that keeps no history, whatever its place.
            expect.stringMatching(/error\[(lock-disagrees|lock-history-none)\]/),
          ]);
        }
      }
      expect(asked).toEqual([]);
    },
  );

  test("is told apart by any key of its place, and in any order of them", async () => {
    const { asked, origin } = await startListener();
    const lock = { store: "http", address: `${origin}/desk`, password: "${env:STATE}", username: "robot" };
    const cwd = workspaceWith(lock);
    const plan = async (own: object | string) => {
      const text = typeof own === "string" ? own : JSON.stringify(own);
      return await runCommand(["plan"], { cwd, env: { STATE: "s3cr3t", AGENTFORM_STORE: text } });
    };
    for (const other of [
      { ...lock, address: `${origin}/other` },
      { ...lock, password: "${env:AGENT_API_KEY}" },
      { ...lock, lock_method: "POST" },
      { store: "http", address: lock.address },
      `git\n${JSON.stringify({ ...lock, lock_method: "POST" })}`,
    ]) {
      const { code, stderr } = await plan(other);
      expect([code, stderr]).toEqual([1, expect.stringContaining("error[lock-disagrees]")]);
    }
    for (const text of [
      "{store: http",
      "[git]",
      "{}",
      "postgres://user:s3cr3t@host",
      '{store: http, address: ""}',
      `${JSON.stringify(lock)}\npostgres://user:s3cr3t@host`,
    ]) {
      const { code, stderr } = await plan(text);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("AGENTFORM_STORE is not the place of a state"),
      ]);
      expect(stderr).not.toContain("s3cr3t");
    }
    expect(asked).toEqual([]);
    // Of several workspaces, one a line, each with its folder.
    execFileSync("git", ["init", "-q"], { cwd });
    const lines = (own: object, others: object) =>
      [own, others].map((each) => JSON.stringify(each)).join("\n");
    for (const text of [
      lines({ ...lock, folder: "care" }, { store: "git", folder: "." }),
      lines({ ...lock, folder: "care" }, { store: "git", folder: "guard" }),
      JSON.stringify({ ...lock, folder: "care" }),
      `git\n${JSON.stringify(lock)}`,
      lines({ ...lock, folder: "." }, { store: "git" }),
    ]) {
      const { code, stderr } = await plan(text);
      expect([code, stderr]).toEqual([1, expect.stringContaining("error[lock-disagrees]")]);
    }
    expect(asked).toEqual([]);
    await plan(lines({ ...lock, folder: "." }, { store: "git", folder: "care" }));
    expect(asked.splice(0)).not.toEqual([]);
    const { address, password } = lock;
    await plan({ username: "robot", password, address, store: "http" });
    expect(asked).not.toEqual([]);
  });
});

// What needs the manifest alone goes on with errors of other files.
test.each(["http://127[.0.0.1:1/desk", "OPEN/desk", "OPEN/desk?x=1", "http://user:s3cr3t@127.0.0.1:1/desk"])(
  "an address that no state may have is asked nothing by any command, and gets no password: %s",
  async (address) => {
    const { asked, origin } = await startListener("0.0.0.0");
    const at = address.replace("OPEN", origin);
    const places = [
      { store: "http", address: at, username: "robot", password: "${env:STATE}" },
      {
        store: "s3",
        bucket: "test-bucket",
        key: "desk.json",
        endpoint: at,
        access_key_id: "${env:STATE}",
        secret_access_key: "${env:STATE}",
      },
    ];
    for (const place of places) {
      const cwd = workspaceWith(place);
      for (const command of [...commands, ["lock", "seal"]]) {
        const { code, stdout, stderr } = await runCommand(command, {
          cwd,
          env: { STATE: "s3cr3t", KEY: "key" },
        });
        expect([code, stdout + stderr], command.join(" ")).toEqual([
          1,
          expect.stringContaining("error[lock-location]"),
        ]);
      }
    }
    expect(asked).toEqual([]);
  },
);

describe("credentials that the manifest does not name", () => {
  test("of AWS go to no endpoint that the manifest chooses", async () => {
    const { asked, origin } = await startListener();
    const cwd = workspaceWith({ store: "s3", bucket: "test-bucket", key: "desk.json", endpoint: origin });
    for (const env of [
      aws,
      { ...aws, AWS_ENDPOINT_URL_S3: "https://s3.example.com" },
      { AWS_PROFILE: "desk" },
    ]) {
      const { code, stderr } = await runCommand(["plan"], { cwd, env });
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("is not sent to an address that the manifest"),
      ]);
    }
    expect(asked).toEqual([]);
  });

  test.each([
    ["TF_HTTP_PASSWORD", { TF_HTTP_USERNAME: "user", TF_HTTP_PASSWORD: "s3cr3t" }, {}],
    ["TF_HTTP_CLIENT_PRIVATE_KEY_PEM", { TF_HTTP_CLIENT_PRIVATE_KEY_PEM: "key" }, {}],
    ["TF_HTTP_PASSWORD", { TF_HTTP_PASSWORD: "s3cr3t", TF_HTTP_ADDRESS: "OWN" }, { lock_address: "OTHER" }],
  ])("in %s go to no address that the manifest chooses", async (variable, given, more) => {
    const [one, other] = [await startListener(), await startListener()];
    const text = JSON.stringify({ store: "http", address: "OWN/desk", ...more });
    const cwd = workspaceWith(
      JSON.parse(text.replaceAll("OWN", one.origin).replaceAll("OTHER", other.origin)),
    );
    const env = JSON.parse(JSON.stringify(given).replaceAll("OWN", one.origin)) as NodeJS.ProcessEnv;
    const { code, stderr } = await runCommand(["plan"], { cwd, env });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${variable} is not sent to an address`)]);
    expect([...one.asked, ...other.asked]).toEqual([]);
  });

  test("go to no GitLab that the manifest chooses where the machine names another server", async () => {
    const { asked, origin } = await startListener();
    const cwd = workspaceWith({ store: "http", gitlab: { project: "group/desk" } });
    const env = {
      CI_API_V4_URL: origin,
      TF_HTTP_PASSWORD: "s3cr3t",
      TF_HTTP_ADDRESS: "https://state.example.com",
    };
    const { code, stderr } = await runCommand(["plan"], { cwd, env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("TF_HTTP_PASSWORD is not sent to an address"),
    ]);
    expect(asked).toEqual([]);
    await runCommand(["plan"], { cwd, env: { ...env, TF_HTTP_ADDRESS: `${origin}/state` } });
    expect(asked).not.toEqual([]);
  });

  test("are used where the machine names the place, and those that the manifest names everywhere", async () => {
    const [bucket, service] = [await S3Server.start({ keys: [accessKey] }), await startEmulator()];
    const state = await StateServer.start({ credentials: "robot:s3cr3t" });
    onTestFinished(async () => {
      await Promise.all([bucket.close(), service.close(), state.close()]);
    });
    const s3 = { store: "s3", bucket: "test-bucket", key: "desk.json", endpoint: bucket.origin };
    const named = { access_key_id: "${env:STATE_KEY}", secret_access_key: "${env:STATE_SECRET}" };
    const http = { store: "http", address: `${state.origin}/state/desk` };
    const own = { AWS_ACCESS_KEY_ID: accessKey.id, AWS_SECRET_ACCESS_KEY: accessKey.secret };
    const cases = [
      [s3, { ...own, AGENTFORM_STORE: JSON.stringify(s3) }],
      [s3, { ...own, AWS_ENDPOINT_URL_S3: bucket.origin }],
      [
        { ...s3, ...named },
        { STATE_KEY: accessKey.id, STATE_SECRET: accessKey.secret },
      ],
      [
        http,
        { TF_HTTP_USERNAME: "robot", TF_HTTP_PASSWORD: "s3cr3t", AGENTFORM_STORE: JSON.stringify(http) },
      ],
      [{ ...http, username: "robot", password: "${env:STATE_PASSWORD}" }, { STATE_PASSWORD: "s3cr3t" }],
    ] as const;
    for (const [lock, env] of cases) {
      const cwd = workspaceWith(lock, service.url);
      const { code, stdout, stderr } = await runCommand(["plan"], { cwd, env });
      expect([code, stderr, stdout], JSON.stringify(lock)).toEqual([
        0,
        expect.not.stringContaining("error["),
        expect.stringContaining("1 to create"),
      ]);
    }
  });
});
