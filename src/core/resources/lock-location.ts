import type { LockLocation, WorkspaceManifest } from "../../generated/workspace.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import type { Path } from "../../json/path.js";
import { environmentName } from "./environment-name.js";

/** Stands for the name of the environment in an address or a name of a state. */
const placeholder = "{environment}";

const addressKeys = ["address", "lock_address", "unlock_address"] as const;
const ownKeys = [...addressKeys, "lock_method", "unlock_method"] as const;

/** Where the HTTP store keeps the state of an environment: at addresses, or in GitLab. */
export type HttpLocation =
  | {
      readonly address: string;
      readonly lockAddress: string;
      readonly unlockAddress: string;
      readonly lockMethod: string;
      readonly unlockMethod: string;
    }
  | { readonly project: string; readonly name: string };

interface LockSettings {
  readonly name: string;
  readonly environment: string | null;
  readonly lock: LockLocation;
}

/** Gives the name of an environment's lock file, or of the one that the emulator has, in the folder of the workspace. */
export function lockFileName({ environment }: Pick<LockSettings, "environment">, isEmulated = false): string {
  if (isEmulated) return `.agentform/emulator/${environmentName(environment)}/agentform.lock`;
  return environment === null ? "agentform.lock" : `agentform.${environment}.lock`;
}

/** Gives the environments with a lock file, null for the default; also with the journal alone of a dead first apply. */
export function lockFilesAmong(names: readonly string[]): (string | null)[] {
  const found = names.flatMap((name) => {
    const parts = /^agentform(?:\.(.+))?\.lock(?:\.journal)?$/.exec(name);
    return parts ? [parts[1] ?? null] : [];
  });
  return [...new Set(found)];
}

/** Whether the states of a workspace are in files beside its manifest, by the manifest alone. */
export function storesInFiles({ spec }: WorkspaceManifest): boolean {
  return (spec.lock?.store ?? "file") === "file";
}

/** Gives the ref of an environment's state in a git store. */
export function gitRef({ lock, name, environment }: LockSettings): string {
  return lock.ref ?? `${gitRefs(name)}${environmentName(environment)}`;
}

/** Gives what the refs of a workspace's states begin with in a git store, where the manifest names none. */
export function gitRefs(name: string): string {
  return `refs/agentform/${name}/`;
}

/** Gives the place of an environment's state in an HTTP store; each environment has its own. */
export function httpLocation({ lock, name, environment }: LockSettings): HttpLocation {
  const { gitlab } = lock;
  if (gitlab) {
    return { project: String(gitlab.project), name: forEnvironment(gitlab.name ?? name, environment) };
  }
  const { address = "", lock_method: lockMethod = "LOCK", unlock_method: unlockMethod = "UNLOCK" } = lock;
  const { lock_address = address, unlock_address = lock_address } = lock;
  return {
    address: forEnvironment(address, environment),
    lockAddress: forEnvironment(lock_address, environment),
    unlockAddress: forEnvironment(unlock_address, environment),
    lockMethod,
    unlockMethod,
  };
}

/** Where the S3 store keeps the state of an environment. */
export interface S3Location {
  readonly bucket: string;
  readonly key: string;
  readonly region: string;
  /** The address of the server; undefined for Amazon's. */
  readonly endpoint?: string;
}

/** Gives the place of an environment's state in an S3 store; each environment has its own. */
export function s3Location({ lock, environment }: LockSettings): S3Location {
  const { bucket = "", key = "", region = "us-east-1", endpoint } = lock;
  const own = forEnvironment(key, environment);
  return { bucket, key: own, region, ...(endpoint !== undefined && { endpoint }) };
}

function forEnvironment(text: string, environment: string | null): string {
  if (text.includes(placeholder)) return text.replaceAll(placeholder, environmentName(environment));
  return environment === null ? text : `${text.replace(/\/+$/, "")}-${environment}`;
}

/** Finds what is missing or cannot be used in the place of a store. */
export function checkLockLocation({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const { lock } = spec;
  const at = ["spec", "lock"];
  const wrong: Wrong = (path, message, hint) =>
    error("lock-location", place([...at, ...path]), message, hint);
  if (!lock) return [];
  const environments = Object.keys(spec.environments ?? {}).length;
  return [...checkSeal(lock, wrong), ...checks[lock.store](lock, wrong, environments)];
}

type Wrong = (path: Path, message: Sentence, hint: string) => Finding;

// What the schema cannot check of the keys of a store.
const checks: Readonly<
  Record<LockLocation["store"], (lock: LockLocation, wrong: Wrong, environments: number) => Finding[]>
> = {
  file: () => [],
  git: checkRef,
  http: checkHttp,
  postgres: checkUrl,
  s3: checkS3,
};

// A key that is wholly in git is found as any secret is.
function checkSeal({ seal }: LockLocation, wrong: Wrong): Finding[] {
  if (!seal?.includes("${") || /^\$\{env:[A-Za-z_][A-Za-z0-9_]*(@[0-9]+)?\}$/.test(seal)) return [];
  const message = "`seal` must be one environment variable, because it is a key";
  return [wrong(["seal"], message, "write `seal: ${env:STATE_SEAL}`")];
}

function checkRef({ ref }: LockLocation, wrong: Wrong, environments: number): Finding[] {
  if (ref === undefined || environments < 2) return [];
  const hint =
    "leave it out, and each has a ref of its own; what was applied moves there with `agentform lock move --to git` before a second environment is added";
  return [sharedBy("ref", wrong, hint)];
}

function sharedBy(key: string, wrong: Wrong, hint: string): Finding {
  return wrong([key], say`${{ field: key }} is the same for all environments, and each needs its own`, hint);
}

function checkHttp(lock: LockLocation, wrong: Wrong, environments: number): Finding[] {
  const { gitlab } = lock;
  if (!gitlab && lock.address === undefined) {
    const hint = "add `address: https://…`, or `gitlab: {project: group/name}` for a state in GitLab";
    return [wrong(["store"], "the store `http` has no address", hint)];
  }
  if (gitlab) {
    return ownKeys
      .filter((key) => lock[key] !== undefined)
      .map((key) =>
        wrong(
          [key],
          say`\`${bare({ field: key })}\` has no effect beside \`gitlab\``,
          "remove one of the two",
        ),
      );
  }
  return [
    ...addressKeys.filter((key) => !isUsable(lock[key])).map((key) => unusable(key, wrong)),
    ...(environments > 0 ? withoutEnvironment(lock, wrong) : []),
  ];
}

// Of an address partly in git nobody could say where the password ends up; a whole one is found as a secret.
function checkUrl({ url }: LockLocation, wrong: Wrong): Finding[] {
  if (!url?.includes("${") || /^\$\{env:[A-Za-z_][A-Za-z0-9_]*\}$/.test(url)) return [];
  const message = "`url` must be one environment variable, because it contains a password";
  return [wrong(["url"], message, "write `url: ${env:DATABASE_URL}`, or set PGHOST and the other variables")];
}

function checkS3(lock: LockLocation, wrong: Wrong): Finding[] {
  const missing = (["bucket", "key"] as const).filter((key) => lock[key] === undefined);
  if (missing.length > 0) {
    const message = say`the store \`s3\` has no ${bare({ missing }, missing.join(" and no "))}`;
    return [
      wrong(["store"], message, "add `bucket: NAME` and `key: PATH`, such as `key: desk/agentform.json`"),
    ];
  }
  if (lock.endpoint === undefined && lock.region === undefined) {
    const hint = "add `region: eu-central-1`, or `endpoint: https://…` for a server that is not Amazon's";
    return [wrong(["store"], "the store `s3` has no region", hint)];
  }
  return [
    ...(isKey(lock.key ?? "") ? [] : [unusableKey(wrong)]),
    ...(isUsable(lock.endpoint) ? [] : [unusable("endpoint", wrong)]),
    ...checkKeyPair(lock, wrong),
  ];
}

function checkKeyPair(lock: LockLocation, wrong: Wrong): Finding[] {
  const keys = ["access_key_id", "secret_access_key", "session_token"] as const;
  const given = keys.find((key) => lock[key] !== undefined);
  const missing = (["access_key_id", "secret_access_key"] as const).find((key) => lock[key] === undefined);
  if (given === undefined || missing === undefined) return [];
  const message = say`${{ field: given }} needs ${{ other: missing }} beside it`;
  return [wrong([given], message, `add \`${missing}: \${env:NAME}\``)];
}

// A URL parser takes `..` away, and a key may have no other meaning to one server than to the next.
function isKey(key: string): boolean {
  const names = key.replaceAll(placeholder, "environment").split("/");
  return names.every((name) => /^[A-Za-z0-9_=-][A-Za-z0-9._=-]*$/.test(name));
}

function unusableKey(wrong: Wrong): Finding {
  const message =
    "`key` must be names between slashes, of letters, digits, `.`, `_`, `-` and `=`, that do not begin with a dot";
  return wrong(["key"], message, "use a key such as `desk/agentform.json`");
}

function unusable(key: string, wrong: Wrong): Finding {
  const message = say`${{ field: key }} must be an https URL without user, query and fragment, or http on loopback`;
  const example = key === "endpoint" ? "https://s3.example.com" : "https://state.example.com/support-desk";
  return wrong([key], message, `use a URL such as \`${example}\``);
}

// Only the address of the state itself has a place where a name can be added.
function withoutEnvironment(lock: LockLocation, wrong: Wrong): Finding[] {
  if ((lock.lock_address ?? lock.unlock_address) === undefined) return [];
  return addressKeys
    .filter((key) => lock[key] !== undefined && lock[key]?.includes(placeholder) !== true)
    .map((key) => sharedBy(key, wrong, "write `{environment}` where the name of the environment belongs"));
}

function isUsable(address: string | undefined): boolean {
  if (address === undefined) return true;
  const text = address.replaceAll(placeholder, "environment");
  // A character that URL parsers skip or replace would make the shown address differ from the one reached.
  if (!/^https?:\/\/[!-~]+$/.test(text) || /[\\{}@?#]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);
}
