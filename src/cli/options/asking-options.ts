import { resolve } from "node:path";
import type { Command } from "commander";
import type { AskingOptions } from "../../asking.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import { environmentSecrets } from "../../service/secret.js";
import { targetOf } from "../../service/target.js";
import { version } from "../../version.js";
import type { Terminal } from "../terminal/terminal.js";
import type { LockFlags } from "./lock-options.js";

/** The options of commands that ask the service. */
export interface AskingFlags extends LockFlags {
  readonly yes?: boolean;
  readonly envFile?: string;
  readonly caFile?: string;
  readonly allowInsecureHttp?: boolean;
}

/** The part of a request that says how the service is reached. */
export interface AskingRequest {
  readonly yes: boolean;
  readonly envFile: string | undefined;
  /** The file of certificates, as given by the user. */
  readonly certificateFile: string | undefined;
  readonly allowInsecureHttp: boolean;
  readonly userAgent: string;
}

/** Adds the options that say how the service is reached. */
export function addAskingOptions(command: Command): void {
  command
    .option("--env-file <file>", "a file with environment variables")
    .option("--ca-file <file>", "a PEM file of certificates to trust in addition to the default ones")
    .option("--allow-insecure-http", "allow http (unencrypted) for an address other than loopback");
}

/** Reads the options that say how the service is reached. */
export function readAskingOptions(flags: AskingFlags): AskingRequest {
  return {
    yes: flags.yes === true,
    envFile: flags.envFile,
    certificateFile: flags.caFile,
    allowInsecureHttp: flags.allowInsecureHttp === true,
    userAgent: `agentform/${version}`,
  };
}

/** Gives the service of a request, or the diagnostics against its file of certificates. */
export async function targetFor(
  { envFile, certificateFile, allowInsecureHttp, userAgent }: AskingRequest,
  terminal: Terminal,
): Promise<AskingOptions | { readonly diagnostics: readonly Diagnostic[] }> {
  const unusable = await checkCertificates(certificateFile, terminal);
  if (unusable.length > 0) return { diagnostics: unusable };
  const env = await readEnvironment(envFile, terminal);
  return {
    target: (settings) => targetOf(settings, environmentSecrets(env)),
    userAgent,
    allowInsecureHttp,
    ...(certificateFile !== undefined && { caFile: resolve(terminal.cwd, certificateFile) }),
  };
}

async function checkCertificates(
  file: string | undefined,
  terminal: Terminal,
): Promise<readonly Diagnostic[]> {
  if (file === undefined) return [];
  const { checkCaFile } = await import("../files/ca-file.js");
  return await checkCaFile(file, terminal.cwd);
}

async function readEnvironment(file: string | undefined, terminal: Terminal): Promise<NodeJS.ProcessEnv> {
  if (file === undefined) return terminal.env;
  const { readEnvFile } = await import("../files/env-file.js");
  return { ...readEnvFile(file, terminal.cwd), ...terminal.env };
}
