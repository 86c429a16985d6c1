import { version } from "../../version.js";

declare const AGENTFORM_BUILD: string | undefined;

/** Changes whenever the code or a schema does that makes what the cache keeps. */
export const cacheFingerprint =
  typeof AGENTFORM_BUILD === "string" ? `${version} ${AGENTFORM_BUILD}` : `${version} ${process.pid}`;
