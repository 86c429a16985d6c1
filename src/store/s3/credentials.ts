import { StoreFailedError } from "../../core/state/lock-store.js";
import type { LockLocation } from "../../generated/workspace.js";
import { refuseAddress, resolveText } from "../network/access.js";
import { Secret, type SecretSource } from "../../service/secret.js";

/** What a request is signed with. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
  readonly sessionToken?: Secret;
}

/** Gives the present credentials, which may be renewed from time to time; throws StoreFailedError if there are none. */
export type CredentialSource = () => Promise<Credentials>;

/** Finds credentials where the tools of AWS do; the other source is only loaded if variables have none. */
export function credentialSource(
  secrets: SecretSource,
  loadOthers: () => Promise<CredentialSource>,
): CredentialSource {
  let others: Promise<CredentialSource> | undefined;
  return async () => {
    const given = secrets("AWS_PROFILE") ? undefined : ofVariables(secrets);
    if (given) return usable(given);
    others ??= loadOthers();
    try {
      const provide = await others;
      return usable(await provide());
    } catch (thrown) {
      throw noCredentials(thrown);
    }
  };
}

/** Gives the credentials that the manifest names; undefined if it names none. */
export function namedCredentials(lock: LockLocation, secrets: SecretSource): CredentialSource | undefined {
  const { access_key_id: id, secret_access_key: secret, session_token: token } = lock;
  if (id === undefined || secret === undefined) return undefined;
  return async () =>
    usable({
      accessKeyId: resolveText(id, secrets),
      secretAccessKey: new Secret(resolveText(secret, secrets)),
      ...(token !== undefined && { sessionToken: new Secret(resolveText(token, secrets)) }),
    });
}

/** Throws StoreFailedError where what AWS's tools find would be sent to an endpoint that the manifest alone names. */
export function refuseEndpoint({ endpoint }: LockLocation, secrets: SecretSource): void {
  if (endpoint === undefined) return;
  const own = (secrets("AWS_ENDPOINT_URL_S3") ?? secrets("AWS_ENDPOINT_URL"))?.unwrap();
  if (own !== undefined && URL.canParse(own) && new URL(own).origin === new URL(endpoint).origin) return;
  const instead =
    "write `access_key_id: ${env:…}` and `secret_access_key: ${env:…}` beside `endpoint` in `spec.lock`";
  throw refuseAddress("the login to AWS of this machine", "AWS_ENDPOINT_URL_S3", instead);
}

// A line break at the end is what is left of many a copied secret, and cannot be in a header.
function usable(credentials: Credentials): Credentials {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const values = [accessKeyId, secretAccessKey.unwrap(), ...(sessionToken ? [sessionToken.unwrap()] : [])];
  if (values.every((value) => /^[!-~]+$/.test(value))) return credentials;
  throw new StoreFailedError(
    "the credentials for S3 have a space, a line break or another character that they cannot have",
    "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or the profile",
  );
}

function ofVariables(secrets: SecretSource): Credentials | undefined {
  const id = secrets("AWS_ACCESS_KEY_ID");
  const secretAccessKey = secrets("AWS_SECRET_ACCESS_KEY");
  const sessionToken = secrets("AWS_SESSION_TOKEN");
  if (!id || !secretAccessKey) return undefined;
  return { accessKeyId: id.unwrap(), secretAccessKey, ...(sessionToken && { sessionToken }) };
}

const hint =
  "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE; a pipeline of a fork has none, so plan it where they are set";

// What went wrong may quote the output of a command or an answer, so only names are repeated that say what it was.
function noCredentials(thrown: unknown): StoreFailedError {
  if (thrown instanceof StoreFailedError) return thrown;
  const name = thrown instanceof Error ? thrown.name : "";
  const why = refusals[name];
  const message = why === undefined ? "no credentials for S3 were found" : `no credentials for S3: ${why}`;
  return new StoreFailedError(message, hint);
}

const refusals: Readonly<Record<string, string>> = {
  AccessDenied: "the role may not be taken with this identity (AccessDenied)",
  ExpiredToken: "the token has expired (ExpiredToken)",
  ExpiredTokenException: "the token has expired (ExpiredTokenException)",
  InvalidIdentityToken: "the token of the CI is not accepted (InvalidIdentityToken)",
  InvalidIdentityTokenException: "the token of the CI is not accepted (InvalidIdentityTokenException)",
  InvalidClientTokenId: "the access key is not known (InvalidClientTokenId)",
  SignatureDoesNotMatch: "the secret key is wrong (SignatureDoesNotMatch)",
  IDPCommunicationError: "the CI's identity could not be checked (IDPCommunicationError)",
  TokenProviderError: "the login has expired",
  TimeoutError: "no answer came",
};
