import { environmentSecrets } from "../../src/service/secret.js";
import type { Settings } from "../../src/core/resources/manifest.js";
import { openHttpStore } from "../../src/store/http/open-http-store.js";
import { StateServer } from "../store/state-server.js";
import { sweepStore, type CrashServer } from "./store-sweep.js";

async function plain(): Promise<CrashServer> {
  const server = await StateServer.start({ form: "plain" });
  const lock: Settings["lock"] = { store: "http", address: `${server.origin}/crash` };
  return { server, lock, env: { CI_API_V4_URL: server.api } };
}

async function gitlab(): Promise<CrashServer> {
  const server = await StateServer.start({ form: "gitlab" });
  const lock: Settings["lock"] = { store: "http", gitlab: { project: 7, name: "crash" } };
  const settings = { name: "crash", environment: null, lock } as unknown as Settings;
  const env = { CI_API_V4_URL: server.api };
  const open = (directory: string) =>
    openHttpStore(settings, {
      journalFile: `${directory}/.agentform/none.journal`,
      journalName: "none",
      secrets: environmentSecrets(env),
    });
  return { server, lock, env, open };
}

// What is left must be a state that the next apply accepts with its key.
async function sealed(): Promise<CrashServer> {
  const { server, lock, env } = await plain();
  return {
    server,
    lock: { ...lock, seal: "${env:STATE_SEAL}" },
    env: { ...env, STATE_SEAL: "0123456789abcdef0123456789abcdef" },
  };
}

sweepStore("the HTTP store", { plain, gitlab, sealed }, "plain");
