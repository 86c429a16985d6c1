import { bare, say } from "../../core/finding/said.js";
import { readFileSync } from "node:fs";
import type { LockOwner } from "../../core/state/lock.js";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { MissingSecretError, renderText } from "../../service/body.js";
import { certificateHint, checkCertificateFile, trustWith } from "../../service/certificates.js";
import { ProxyAddressError, proxyFor, type Proxy } from "../../service/proxy.js";
import type { SecretSource } from "../../service/secret.js";

/** How a store that needs a network is reached. */
export interface StoreAccess {
  /** The environment variables of its credentials; those of this process unless given. */
  readonly secrets?: SecretSource;
  /** A file of certificates to trust in addition to the default ones. */
  readonly caFile?: string;
  /** Whether this machine names the place: else unnamed credentials go only to addresses that no manifest chooses. */
  readonly isChosenHere?: boolean;
  /** Whose state it is from the next write on, where it is renamed in its place. */
  readonly renamedTo?: LockOwner;
}

/** Refuses to send a credential to an address that the manifest alone chooses. */
export function refuseAddress(variable: string, own: string, instead: string): StoreFailedError {
  return new StoreFailedError(
    say`${bare({ name: variable })} is not sent to an address that the manifest chooses`,
    `${instead}; or set ${own} to the address, or AGENTFORM_STORE to the whole \`spec.lock\``,
  );
}

/** Gives the certificates to trust with those of a file; throws StoreFailedError if it cannot be used. */
export function trustWithFile(caFile: string): string[] {
  return trustWith(readCertificates(caFile, "the file of --ca-file"));
}

/** Reads a file of certificates; throws StoreFailedError if it cannot be used. */
export function readCertificates(file: string, name: string): string {
  const [unusable] = checkCertificateFile(file, name);
  if (unusable) throw new StoreFailedError(unusable.message, certificateHint);
  return readFileSync(file, "utf8");
}

/** Gives the proxy for a target; throws StoreFailedError if the environment has an unusable one. */
export function proxyOf(target: URL): Proxy | undefined {
  try {
    return proxyFor(target);
  } catch (cause) {
    if (!(cause instanceof ProxyAddressError)) throw cause;
    const hint =
      "set HTTPS_PROXY to a URL such as `http://proxy.example.com:3128`, or name the host in NO_PROXY";
    throw new StoreFailedError(cause.message, hint);
  }
}

/** Fills in the environment variables of a text of `spec.lock`; throws StoreFailedError for one that is not set. */
export function resolveText(text: string, secrets: SecretSource): string {
  try {
    return renderText(text, secrets);
  } catch (cause) {
    if (!(cause instanceof MissingSecretError)) throw cause;
    const hint =
      "the state cannot be read without it: set it where plan and apply run; a pipeline of a fork does not get it";
    throw new StoreFailedError(
      say`the environment variable \`${bare({ name: cause.variable })}\` is not set`,
      hint,
    );
  }
}

/** Makes something that a store needs, and keeps a StoreFailedError for when it is used. */
export function attempted<Value>(
  make: () => Value,
): { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: StoreFailedError } {
  try {
    return { ok: true, value: make() };
  } catch (failure) {
    if (failure instanceof StoreFailedError) return { ok: false, failure };
    throw failure;
  }
}
