import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import { environmentSecrets, type SecretSource } from "../../service/secret.js";
import { version } from "../../version.js";
import { fail } from "../output/print-diagnostics.js";
import { UsageError, type ExitCode } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";
import { openTarget } from "../../sync/local-emulator.js";
import type { PlanRequest, ServiceAccess } from "../../sync/request.js";

/** The options for how a command reaches the service. */
export interface ServiceFlags extends Pick<ServiceAccess, "caFile" | "allowInsecureHttp" | "patience"> {
  readonly envFile?: string;
}

/** Adds the options for how a command reaches the service. */
export function addServiceOptions(command: Command): void {
  command
    .option("--env-file <file>", "a file with environment variables")
    .option("--ca-file <file>", "a PEM file of certificates to trust in addition to the default ones")
    .option("--allow-insecure-http", "allow http (unencrypted) for an address other than loopback")
    .option(
      "--patience <time>",
      "how long to retry while the service refuses every request because of its rate limit; default `5m`",
      readPatience,
    );
}

const milliseconds: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

function readPatience(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const time = Number(digits) * (milliseconds[unit] ?? Number.NaN);
  if (time <= 24 * 3_600_000) return time;
  throw new UsageError(`--patience must be a time such as 90s, 5m or 1h, at most 24h, not \`${text}\``);
}

/** How a command reaches the service, with the environment variables of the credentials of the state. */
export interface ServiceWithState extends ServiceAccess {
  readonly secrets: SecretSource;
}

/** Runs with the way to the service or an emulator in this process, and closes it; throws UsageError for a bad file. */
export async function withService<Request extends PlanRequest & { readonly color: boolean }>(
  flags: ServiceFlags,
  request: Request,
  terminal: Terminal,
  run: (service: ServiceWithState) => Promise<ExitCode>,
  refuse: (
    diagnostics: readonly Diagnostic[],
    request: Request,
    terminal: Terminal,
  ) => Promise<ExitCode> = fail,
): Promise<ExitCode> {
  const unusable = await unusableCertificates(flags, terminal);
  if (unusable.length > 0) return await refuse(unusable, request, terminal);
  return await withOpenService(flags, request, terminal, run);
}

/** Finds what is wrong with the certificates that the options name. */
export async function unusableCertificates(
  { caFile }: ServiceFlags,
  { cwd }: Terminal,
): Promise<readonly Diagnostic[]> {
  if (caFile === undefined) return [];
  const { checkCaFile } = await import("../files/user-file.js");
  return await checkCaFile(caFile, cwd);
}

/** Runs in the same way with certificates found to be usable; throws UsageError if a file cannot be read. */
export async function withOpenService<Result>(
  { envFile, caFile, allowInsecureHttp, patience }: ServiceFlags,
  request: PlanRequest,
  terminal: Terminal,
  run: (service: ServiceWithState) => Promise<Result>,
): Promise<Result> {
  const env = await readEnvironment(envFile, terminal);
  const secrets = environmentSecrets(env);
  const way = openTarget(request, env);
  const service: ServiceWithState = {
    userAgent: `agentform/${version}`,
    allowInsecureHttp: allowInsecureHttp === true,
    ...(caFile !== undefined && { caFile: resolve(terminal.cwd, caFile) }),
    ...(patience !== undefined && { patience }),
    secrets,
    target: way.target,
  };
  try {
    return await run(service);
  } finally {
    await way.close();
  }
}

/** Gives the environment variables, with those of a file beneath them; throws UsageError if it cannot be read. */
export async function readEnvironment(
  file: string | undefined,
  terminal: Terminal,
): Promise<NodeJS.ProcessEnv> {
  if (file === undefined) return terminal.env;
  const { parseEnv } = await import("node:util");
  const { readUserFile } = await import("../files/user-file.js");
  const text = readUserFile(`--env-file ${file}`, file, terminal.cwd);
  if (text === "" && statSync(resolve(terminal.cwd, file)).isFIFO())
    throw new UsageError(`--env-file ${file} is a pipe with nothing left in it`, emptyPipe);
  return { ...parseEnv(text), ...terminal.env };
}

const emptyPipe =
  "name a file, or set the variables themselves: Node 20 reads what `--env-file` names before agentform does";
