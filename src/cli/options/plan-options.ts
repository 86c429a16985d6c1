import { resolve } from "node:path";
import type { Command } from "commander";
import { isAddress } from "../../core/kind/address.js";
import { kindNames } from "../../core/kind/kinds.js";
import { noOptions, type PlanOptions } from "../../core/plan/plan-options.js";
import type { Selector } from "../../core/resources/selector.js";
import type { PlanRequest } from "../../sync/request.js";
import { collect, type CommonOptions } from "../command.js";
import { mostOfOwn, readUserFile } from "../files/user-file.js";
import { UsageError } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";
import { addRuleOptions, readRuleOptions, type RuleFlags } from "./rule-options.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "./workspace-options.js";

/** The options that shape a plan, in `plan` and in `apply`. */
export interface PlanFlags extends CommonOptions, RuleFlags {
  readonly target?: string[];
  readonly selector?: string[];
  readonly exclude?: string[];
  readonly changedSince?: string;
  readonly replace?: string[];
  readonly resend?: string[];
  readonly lockFrom?: string;
  readonly observed?: string;
  readonly serviceMoved?: boolean;
  readonly emulator?: boolean;
}

/** The options that decide what is in a plan. */
export const shaping = [
  "target",
  "selector",
  "exclude",
  "changedSince",
  "replace",
  "resend",
  "lockFrom",
  "observed",
  "serviceMoved",
] as const satisfies readonly (keyof PlanFlags)[];

/** Gives the first of some options that is on the command line, as it is typed. */
export function givenAmong<Flags>(
  flags: Flags,
  names: readonly (keyof Flags & string)[],
): string | undefined {
  const given = names.find((name) => flags[name] !== undefined);
  return given && `--${given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Adds the options that shape a plan. */
export function addPlanOptions(command: Command): void {
  command
    .option("--target <addr>", "only this resource and its dependencies; may be repeated", collect)
    .option(
      "--selector <key=value>",
      "only resources with this label, and their dependencies; may be repeated: of one key, any of the values is enough; several keys must all match",
      collect,
    )
    .option("--exclude <addr>", "all resources except this one; may be repeated", collect)
    .option(
      "--changed-since <gitref>",
      "only resources that changed in git since this commit, and their dependencies",
    )
    .option(
      "--replace <addr>",
      "create this resource again and leave the old object behind; may be repeated",
      collect,
    )
    .option(
      "--resend <addr|all>",
      "send this resource again, with its secrets; `all` is each that has secrets; may be repeated",
      collect,
    )
    .option(
      "--lock-from <gitref>",
      "use the lock of this commit, and show first how the change edits the lock",
    )
    .option(
      "--observed <file>",
      "a file of `agentform drift --out FILE`: also undo what was changed in the service, and create anew what is gone",
    )
    .option("--service-moved", "the service is the same, only its address has changed")
    .option("--emulator", "use an emulator in this process, with a lock of its own");
  addRuleOptions(command);
}

/** Makes the request for a plan from its options. */
export async function readPlanOptions(
  flags: PlanFlags,
  terminal: Terminal,
): Promise<PlanRequest & WorkspaceRequest> {
  const { observed } = flags;
  const workspace = readWorkspaceOptions(flags, terminal);
  const request = {
    ...workspace,
    ...(await readRuleOptions(flags, workspace.directory, terminal)),
    ...(observed !== undefined && { observed: readObserved(observed, terminal.cwd) }),
  };
  const options: PlanOptions = {
    ...noOptions,
    replace: readAddresses("--replace", flags.replace),
    resend: readAddresses("--resend", flags.resend, "all"),
    target: readAddresses("--target", flags.target),
    exclude: readAddresses("--exclude", flags.exclude),
    selector: readSelector(flags.selector),
    changedSince: await readChanges(flags, request),
    serviceMoved: flags.serviceMoved === true,
    emulator: flags.emulator === true,
  };
  for (const asked of ["target", "replace", "resend"] as const) {
    const address = [...options[asked]].find((each) => options.exclude.has(each));
    if (address !== undefined)
      throw new UsageError(`--${asked} ${address} and --exclude ${address} cannot be combined`);
  }
  const ref = flags.lockFrom;
  if (ref === undefined) return { ...request, options };
  if (options.emulator) {
    throw new UsageError("--lock-from cannot be combined with --emulator, which has a lock of its own");
  }
  const { readBaseFrom, readCommittedState } = await import("../../workspace/commits/base-states.js");
  const folder = resolve(request.directory);
  return {
    // What a lock of other names marks holds as well, whatever the rules are of.
    readMarks: (settings) => readCommittedState(folder, ref, settings),
    ...request,
    options,
    locksFrom: ref,
    readBase: (settings) => readBaseFrom(folder, ref, settings),
  };
}

function readObserved(file: string, cwd: string): NonNullable<PlanRequest["observed"]> {
  return { file, text: readUserFile(`--observed ${file}`, file, cwd, mostOfOwn) };
}

/** Says which kinds an address may begin with. */
export const kindsText = `the kinds are ${kindNames.join(", ")}`;

/** Reads the addresses that an option names; a word may stand in their place. */
export function readAddresses(
  option: string,
  given: readonly string[] = [],
  word?: string,
): ReadonlySet<string> {
  for (const each of given) {
    if (each !== word && !isAddress(each)) {
      const message = `${option} must be an address such as agent:support, not \`${each}\``;
      throw new UsageError(message, explainList(option, each) ?? kindsText);
    }
  }
  return new Set(given);
}

function explainList(option: string, given: string): string | undefined {
  const parts = given.split(/[,\s]+/).filter((part) => part !== "");
  if (parts.length < 2) return undefined;
  return `repeat the option: \`${parts.map((part) => `${option} ${part}`).join(" ")}\``;
}

/** Adds the option that selects resources by label. */
export function addSelectorOption(command: Command): void {
  command.option(
    "--selector <key=value>",
    "only resources with this label; may be repeated: of one key, any of the values is enough",
    collect,
  );
}

/** Reads the option that selects resources by label; throws UsageError. */
export function readSelector(given: readonly string[] = []): Selector {
  for (const each of given) {
    if (each.indexOf("=") < 1) throw new UsageError(`--selector must be KEY=VALUE, not \`${each}\``);
  }
  return new Set(given);
}

async function readChanges(
  { changedSince: ref, var: given = [] }: PlanFlags,
  { directory, environment = null, variableFiles: varFiles }: WorkspaceRequest,
): Promise<PlanOptions["changedSince"]> {
  if (ref === undefined) return null;
  const { readChangedSince } = await import("../../workspace/commits/changed-since.js");
  const names = given.map((each) => each.slice(0, each.indexOf("=")));
  return await readChangedSince(directory, ref, { environment, varFiles, given: names });
}
