import type { Settings } from "../../src/core/resources/manifest.js";
import { accessKey, S3Server, type S3ServerOptions } from "../store/s3-server.js";
import { sweepStore, type CrashServer } from "./store-sweep.js";

async function start(options: S3ServerOptions): Promise<CrashServer> {
  const server = await S3Server.start(options);
  const lock: Settings["lock"] = {
    store: "s3",
    bucket: "test-bucket",
    key: "crash.json",
    endpoint: server.origin,
  };
  const env = {
    AWS_ACCESS_KEY_ID: accessKey.id,
    AWS_SECRET_ACCESS_KEY: accessKey.secret,
    AWS_ENDPOINT_URL_S3: server.origin,
  };
  return { server, lock, env };
}

sweepStore("the S3 store", {
  plain: () => start({}),
  bare: () => start({ isBare: true, isSilent: true }),
});
