// Verifies a signature with the signer of AWS's own SDK, which shares no code with what the store signs with.
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import type { Received } from "./faulty-server.js";

/** A key that a server knows. */
export interface AccessKey {
  readonly id: string;
  readonly secret: string;
  readonly token?: string;
  readonly isExpired?: boolean;
}

/** The code with which S3 refuses a request; undefined if its signature is right. */
export async function signatureFault(
  { method, url, headers, body }: Received,
  keys: readonly AccessKey[],
  region: string,
): Promise<string | undefined> {
  const authorization = String(headers["authorization"] ?? "");
  const [, id, day, signedFor, names = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]*)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=[0-9a-f]{64}$/.exec(
      authorization,
    ) ?? [];
  if (id === undefined) return "AccessDenied";
  const key = keys.find((one) => one.id === id);
  if (!key) return "InvalidAccessKeyId";
  if (signedFor !== region) return "AuthorizationHeaderMalformed";
  if (headers["x-amz-security-token"] !== key.token) return "InvalidToken";
  if (key.isExpired) return "ExpiredToken";
  const date = dateOf(String(headers["x-amz-date"]));
  if (Math.abs(date.getTime() - Date.now()) > 15 * 60_000) return "RequestTimeTooSkewed";
  const digest = createHash("sha256").update(body).digest("hex");
  if (headers["x-amz-content-sha256"] !== digest) return "XAmzContentSHA256Mismatch";
  const signed = names.split(";");
  const mustBeSigned = Object.keys(headers).filter((name) => /^(host|if-|x-amz-)/.test(name));
  if (mustBeSigned.some((name) => !signed.includes(name))) return "AccessDenied";
  const { pathname, searchParams } = new URL(url, "http://none");
  const signer = new SignatureV4({
    service: "s3",
    region,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const { headers: made } = await signer.sign(
    {
      method,
      protocol: "http:",
      hostname: "none",
      path: pathname
        .split("/")
        .map((part) => encodeURIComponent(decodeURIComponent(part)))
        .join("/"),
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
      body,
    },
    { signingDate: date, signableHeaders: new Set(signed) },
  );
  const isRight = made["authorization"] === authorization && day === made["x-amz-date"]?.slice(0, 8);
  return isRight ? undefined : "SignatureDoesNotMatch";
}

function dateOf(text: string): Date {
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key =
      typeof secret === "string" ? secret : Buffer.from((secret ?? new ArrayBuffer(0)) as Uint8Array);
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", key);
  }

  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}
