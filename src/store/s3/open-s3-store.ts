import type { LockStore } from "../../core/state/lock-store.js";
import { s3Location } from "../../core/resources/lock-location.js";
import type { Settings } from "../../core/resources/manifest.js";
import { environmentSecrets } from "../../service/secret.js";
import { proxyOf, trustWithFile } from "../network/access.js";
import { createHttpLine } from "../network/http-line.js";
import { documentStore, type HttpStoreAccess } from "../network/document-access.js";
import { ownersOf } from "../network/state-document.js";
import { credentialSource, namedCredentials, refuseEndpoint } from "./credentials.js";
import { S3Bucket } from "./s3-bucket.js";
import { placeOf } from "./s3-place.js";

/** How many requests are sent at a time, where they do not depend on each other. */
const concurrency = 8;

/** Opens the S3 store of an environment; nothing is read, and no credentials are needed, before a function is called. */
export function openS3Store(settings: Settings, access: HttpStoreAccess): LockStore {
  const { secrets = environmentSecrets(process.env), timeout = 30_000, caFile, ...others } = access;
  const { isChosenHere = false, renamedTo, ...rest } = others;
  const place = placeOf(s3Location(settings));
  const connect = (): S3Bucket => {
    const ca = caFile === undefined ? undefined : trustWithFile(caFile);
    const line = createHttpLine({ timeout, ca, proxyOf, concurrency });
    // It is large, and whoever has the variables does not need it.
    const loadSdk = async () =>
      (await import("./sdk-credentials.js")).sdkCredentials(secrets, place.region, line);
    const named = namedCredentials(settings.lock, secrets);
    if (!named && !isChosenHere) refuseEndpoint(settings.lock, secrets);
    return new S3Bucket(
      line,
      place,
      ownersOf(settings, renamedTo),
      named ?? credentialSource(secrets, loadSdk),
    );
  };
  // With a parser of XML, which nothing else needs.
  const loadHistory = async () => await import("./s3-history.js");
  return documentStore({ ...rest, lockName: place.name }, connect, {
    versions: async (bucket) => await (await loadHistory()).keptLocks(bucket),
    newest: async (bucket) =>
      bucket.isVersioned ? await (await loadHistory()).newestSerial(bucket) : undefined,
  });
}
