import type { Answer, Fault } from "../../service/fault.js";
import { largeHint, refuseFault, refusing, type Doing, type RefusedRequest } from "../network/refusal.js";

/** Gives the code in an error of S3; undefined for any other text. */
export function errorCode(answer: Answer): string | undefined {
  const { text = "" } = answer;
  const start = text.search(/<Error\b/);
  // One pattern for both would read all that follows each `<Error>` for a code.
  return start < 0 ? undefined : /<Code>([A-Za-z.]{1,60})<\/Code>/.exec(text.slice(start))?.[1];
}

/** Explains an answer that is none of those that a request expects, or a fault; quotes nothing that the server said but names of S3's own. */
export function refusalOf(answer: Answer | Fault, doing: Doing, name: string): RefusedRequest {
  if (!answer.ok) return refuseFault(answer, doing, name, trustHint);
  const refuse = refusing(answer, doing, name);
  const code = errorCode(answer);
  const region = regionIn(answer);
  if (region !== undefined && (isRedirect(answer) || code === "AuthorizationHeaderMalformed")) {
    return refuse(`the bucket is in the region ${region}`, `set \`region: ${region}\` in \`spec.lock\``);
  }
  if (isRedirect(answer)) {
    const hint = "set `region` or `endpoint` in `spec.lock` to those of the bucket";
    return refuse(`it redirects, which agentform does not follow (HTTP ${answer.status})`, hint);
  }
  const known = code === undefined ? undefined : codes[code];
  // An error in an answer that says 200: nobody knows what became of the request.
  const isInDoubt = answer.status < 300;
  if (known) {
    return refuse(`${known.why} (HTTP ${answer.status}, ${code})`, known.hint, isInDoubt || known.isPassing);
  }
  if (passing.includes(answer.status) || answer.status >= 500) {
    const isLasting = answer.status === 501 || answer.status === 505;
    return refuse(`the server answered HTTP ${answer.status}`, undefined, !isLasting);
  }
  if (code === undefined && /^\s*<(!doctype|html)/i.test(answer.text ?? "")) {
    return refuse(`a web page was answered (HTTP ${answer.status})`, checkEndpoint, isInDoubt);
  }
  if (answer.status === 401 || answer.status === 403) {
    return refuse(`the credentials are not accepted (HTTP ${answer.status})`, credentialsHint);
  }
  const hint = answer.status === 404 ? checkEndpoint : undefined;
  return refuse(`the server answered HTTP ${answer.status}`, hint, isInDoubt);
}

const passing = [408, 409, 425, 429];
const trustHint = "name the certificates to trust with `--ca-file` or NODE_EXTRA_CA_CERTS";
const checkEndpoint =
  "check `endpoint`, `bucket` and `key` in `spec.lock`, and whether a login or a proxy answers";
const credentialsHint = "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role or profile";
const rights =
  "it needs s3:GetObject and s3:PutObject for the key and for the key with `.probe` after it, and s3:ListBucket for the bucket: without that, S3 answers so for an object that is not there";

interface KnownRefusal {
  readonly why: string;
  readonly hint?: string;
  readonly isPassing?: boolean;
}

const unknownKey: KnownRefusal = { why: "the access key is not known", hint: credentialsHint };
const expired: KnownRefusal = {
  why: "the credentials have expired",
  hint: "get new ones, and plan again",
};
const busy: KnownRefusal = { why: "the server is busy", isPassing: true };
const failing: KnownRefusal = { why: "the server failed", isPassing: true };

const codes: Readonly<Record<string, KnownRefusal>> = {
  NoSuchBucket: {
    why: "there is no such bucket",
    hint: "check `bucket`, `region` and `endpoint` in `spec.lock`",
  },
  AccessDenied: { why: "the credentials are not allowed to", hint: rights },
  AllAccessDisabled: { why: "the credentials are not allowed to", hint: rights },
  AccountProblem: { why: "the account is not in order" },
  InvalidAccessKeyId: unknownKey,
  InvalidToken: { why: "the session token is wrong", hint: "check AWS_SESSION_TOKEN" },
  SignatureDoesNotMatch: { why: "the secret key is wrong", hint: credentialsHint },
  ExpiredToken: expired,
  TokenRefreshRequired: expired,
  RequestTimeTooSkewed: { why: "the clock of this machine is wrong", hint: "set the clock" },
  AuthorizationHeaderMalformed: {
    why: "the region is not that of the bucket",
    hint: "set `region` in `spec.lock` to that of the bucket",
  },
  InvalidRegion: { why: "the region is not that of the bucket", hint: "check `region` in `spec.lock`" },
  EntityTooLarge: { why: "the state is too large for the server", hint: largeHint },
  NotImplemented: {
    why: "the server does not support a header of the request",
    hint: "use a server with conditional writes, or another store",
  },
  ConditionalRequestConflict: { why: "another write came at the same time", isPassing: true },
  OperationAborted: { why: "another write came at the same time", isPassing: true },
  PreconditionFailed: { why: "the condition was refused although the object is unchanged", isPassing: true },
  RequestTimeout: { why: "the request did not arrive in time", isPassing: true },
  SlowDown: busy,
  ServiceUnavailable: busy,
  TooManyRequests: busy,
  InternalError: failing,
  MethodNotAllowed: { why: "the server does not allow this method", hint: checkEndpoint },
  NoSuchKey: { why: "the object is not there" },
  NoSuchVersion: { why: "the version is not there" },
  QuotaExceeded: { why: "the quota of the bucket is used up" },
};

function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

function regionIn({ headers, text = "" }: Answer): string | undefined {
  const named = headers["x-amz-bucket-region"] ?? /<Region>([^<]*)<\/Region>/.exec(text)?.[1] ?? "";
  return /^[a-z]{2,5}(-[a-z]{2,12}){1,3}-\d{1,2}$/.test(named) ? named : undefined;
}
