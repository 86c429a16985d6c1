import { bare, say } from "../../core/finding/said.js";
import { createSecureContext } from "node:tls";
import { httpLocation } from "../../core/resources/lock-location.js";
import type { Settings } from "../../core/resources/manifest.js";
import { oncePer } from "../../json/once.js";
import { StoreFailedError, type LockStore } from "../../core/state/lock-store.js";
import { isLoopback } from "../../service/address.js";
import { trustWith } from "../../service/certificates.js";
import { environmentSecrets, Secret, type SecretSource } from "../../service/secret.js";
import type { ClientIdentity } from "../../service/tunnel.js";
import { attempted, proxyOf, refuseAddress, resolveText, trustWithFile } from "../network/access.js";
import { createHttpLine } from "../network/http-line.js";
import { documentStore, nothingSeen, type HttpStoreAccess } from "../network/document-access.js";
import { ownersOf } from "../network/state-document.js";
import { HttpMedium } from "./http-medium.js";
import { HttpServer, type HttpPlace } from "./http-server.js";

/** What the stores of a command have read: it has one object of settings, and a store for the plan beside the one that is held. */
const seenWith = oncePer((_settings: Settings) => ({ ...nothingSeen }));

/** Opens the HTTP store of an environment; nothing is read, and no secret is needed, before a function is called. */
export function openHttpStore(settings: Settings, access: HttpStoreAccess): LockStore {
  const {
    secrets = environmentSecrets(process.env),
    timeout = 30_000,
    isChosenHere = false,
    ...rest
  } = access;
  const found = attempted(() => placeOf(settings, secrets));
  const lockName = found.ok ? found.value.address.href : "the state";
  const connect = (): HttpMedium => {
    if (!found.ok) throw found.failure;
    const place = found.value;
    if (!isChosenHere && !isOfMachine(place, secrets)) refuseUnnamed(settings, secrets);
    const { authorization, password } = credentialsOf(settings, secrets, place.isGitlab);
    const identity = identityOf(secrets);
    const ca = trustOf(access.caFile, secrets);
    const line = createHttpLine({ authorization, timeout, ca, identity, proxyOf });
    const owners = ownersOf(settings, access.renamedTo);
    return new HttpMedium(new HttpServer(line, place, owners, password, lockName));
  };
  return documentStore({ ...rest, lockName, seen: seenWith(settings) }, connect);
}

function placeOf(settings: Settings, secrets: SecretSource): HttpPlace {
  const location = httpLocation(settings);
  if ("address" in location) {
    const { address, lockAddress, unlockAddress, lockMethod, unlockMethod } = location;
    const [state, lock, unlock] = [new URL(address), new URL(lockAddress), new URL(unlockAddress)];
    const at = { address: state, lockAddress: lock, unlockAddress: unlock };
    return { ...at, lockMethod, unlockMethod, isGitlab: false };
  }
  const api = secrets("CI_API_V4_URL")?.unwrap() ?? "https://gitlab.com/api/v4";
  const url = URL.canParse(api) ? new URL(api) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!url || !isSafe || url.username + url.password + url.search + url.hash !== "") {
    const hint = "set it to an address such as `https://gitlab.example.com/api/v4`";
    const message = "CI_API_V4_URL is not the https address of GitLab's API";
    throw new StoreFailedError(message, hint);
  }
  const [project, name] = [location.project, location.name].map(encodeURIComponent);
  const address = new URL(`${url.href.replace(/\/+$/, "")}/projects/${project}/terraform/state/${name}`);
  const lock = new URL(`${address.href}/lock`);
  const methods = { lockMethod: "POST", unlockMethod: "DELETE" };
  return { address, lockAddress: lock, unlockAddress: lock, ...methods, isGitlab: true };
}

// GitLab's address is not in the manifest, but that it is GitLab is.
function isOfMachine(
  { isGitlab, address, lockAddress, unlockAddress }: HttpPlace,
  secrets: SecretSource,
): boolean {
  const named = secrets("TF_HTTP_ADDRESS")?.unwrap();
  const origin = named !== undefined && URL.canParse(named) ? new URL(named).origin : undefined;
  if (named === undefined) return isGitlab;
  return [address, lockAddress, unlockAddress].every((each) => each.origin === origin);
}

function refuseUnnamed({ lock }: Settings, secrets: SecretSource): void {
  const unnamed = lock.password === undefined ? ["TF_HTTP_PASSWORD"] : [];
  const variable = [...unnamed, "TF_HTTP_CLIENT_PRIVATE_KEY_PEM"].find((name) => secrets(name) !== undefined);
  if (variable === undefined) return;
  const instead =
    variable === "TF_HTTP_PASSWORD"
      ? "write `password: ${env:TF_HTTP_PASSWORD}` in `spec.lock`"
      : "unset it, if this server needs no client certificate";
  throw refuseAddress(variable, "TF_HTTP_ADDRESS", instead);
}

function credentialsOf(
  { lock: { username, password } }: Settings,
  secrets: SecretSource,
  isGitlab: boolean,
): { readonly authorization?: Secret; readonly password?: Secret } {
  const given = (text: string | undefined, name: string): string | undefined =>
    text === undefined ? secrets(name)?.unwrap() : resolveText(text, secrets);
  let user = given(username, "TF_HTTP_USERNAME");
  let key = given(password, "TF_HTTP_PASSWORD");
  // The token of a job is only for the GitLab that runs the job, and only it sets this address.
  if (isGitlab && key === undefined && secrets("CI_API_V4_URL") !== undefined) {
    key = secrets("CI_JOB_TOKEN")?.unwrap();
    if (key !== undefined) user = "gitlab-ci-token";
  }
  if (key === undefined) return {};
  // GitLab takes any user name with an access token.
  const name = user ?? (isGitlab ? "agentform" : "");
  const text = Buffer.from(`${name}:${key}`).toString("base64");
  return { authorization: new Secret(`Basic ${text}`), password: new Secret(key) };
}

function identityOf(secrets: SecretSource): ClientIdentity | undefined {
  const cert = secrets("TF_HTTP_CLIENT_CERTIFICATE_PEM")?.unwrap();
  const key = secrets("TF_HTTP_CLIENT_PRIVATE_KEY_PEM")?.unwrap();
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return usable({ cert, key });
  const missing = cert === undefined ? "TF_HTTP_CLIENT_CERTIFICATE_PEM" : "TF_HTTP_CLIENT_PRIVATE_KEY_PEM";
  throw new StoreFailedError(
    say`the environment variable \`${bare({ name: missing })}\` is not set`,
    "a client certificate needs both TF_HTTP_CLIENT_CERTIFICATE_PEM and TF_HTTP_CLIENT_PRIVATE_KEY_PEM, as PEM texts",
  );
}

// Node throws for a damaged one in the middle of a connection.
function usable(identity: ClientIdentity): ClientIdentity {
  try {
    createSecureContext({ ...identity });
    return identity;
  } catch {
    throw new StoreFailedError(
      "the client certificate or its key cannot be used",
      "TF_HTTP_CLIENT_CERTIFICATE_PEM and TF_HTTP_CLIENT_PRIVATE_KEY_PEM are PEM texts that belong together",
    );
  }
}

// Node trusts NODE_EXTRA_CA_CERTS by itself, unless it is given a list.
function trustOf(caFile: string | undefined, secrets: SecretSource): string[] | undefined {
  if (caFile !== undefined) return trustWithFile(caFile);
  const pem = secrets("TF_HTTP_CLIENT_CA_CERTIFICATE_PEM")?.unwrap();
  if (pem === undefined) return undefined;
  try {
    return trustWith(pem);
  } catch {
    const hint = "give a PEM text with `-----BEGIN CERTIFICATE-----`";
    throw new StoreFailedError("TF_HTTP_CLIENT_CA_CERTIFICATE_PEM has no usable certificate", hint);
  }
}
