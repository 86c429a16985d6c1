import { Readable } from "node:stream";
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { Secret, type SecretSource } from "../../service/secret.js";
import type { HttpLine } from "../network/http-line.js";
import type { CredentialSource } from "./credentials.js";

/** A request as the SDK asks for it. */
interface SdkRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The SDK's chain of credentials; what it asks a service of AWS goes over the line, and so through proxies. */
export function sdkCredentials(secrets: SecretSource, region: string, line: HttpLine): CredentialSource {
  const [profile, roleArn, webIdentityTokenFile, roleSessionName] = [
    "AWS_PROFILE",
    "AWS_ROLE_ARN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_ROLE_SESSION_NAME",
  ].map((name) => secrets(name)?.unwrap());
  // It warns of the end of its support for a version of Node, which is of no use to who runs this bundle.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  const provide = defaultProvider({
    ...(profile !== undefined && { profile }),
    ...(roleArn !== undefined && { roleArn }),
    ...(webIdentityTokenFile !== undefined && { webIdentityTokenFile }),
    ...(roleSessionName !== undefined && { roleSessionName }),
    clientConfig: { region, requestHandler: handlerOver(line) },
  });
  return async () => {
    const { accessKeyId, secretAccessKey, sessionToken } = await provide();
    return {
      accessKeyId,
      secretAccessKey: new Secret(secretAccessKey),
      ...(sessionToken !== undefined && { sessionToken: new Secret(sessionToken) }),
    };
  };
}

function handlerOver(line: HttpLine) {
  return {
    metadata: { handlerProtocol: "http/1.1" },
    async handle(request: SdkRequest) {
      const { method, headers, body } = request;
      const text = body === undefined || typeof body === "string" ? body : Buffer.from(body as Uint8Array);
      const answer = await line.send({
        method,
        url: urlOf(request),
        headers,
        ...(text !== undefined && { body: text.toString() }),
      });
      if (!answer.ok) throw Object.assign(new Error("no answer"), { name: "TimeoutError" });
      const { status: statusCode, headers: answered } = answer;
      return {
        response: { statusCode, headers: answered, body: Readable.from([Buffer.from(answer.text ?? "")]) },
      };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
  };
}

function urlOf({ protocol, hostname, port, path, query = {} }: SdkRequest): URL {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? "" : `:${port}`}${path}`);
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? ""].flat()) url.searchParams.append(name, one);
  }
  return url;
}
