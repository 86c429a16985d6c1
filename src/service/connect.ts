import { readFileSync } from "node:fs";
import { refused, type Checked } from "../core/finding/checked.js";
import { error } from "../core/finding/diagnostic.js";
import type { Settings } from "../core/resources/manifest.js";
import type { Service } from "../core/observation/service.js";
import { InsecureServiceError, ServiceAddressError } from "./address.js";
import { renderText } from "./body.js";
import { checkCertificateFile } from "./certificates.js";
import { ProxyAddressError } from "./proxy.js";
import { Secret } from "./secret.js";
import { createService, ServiceKeyError, type ServiceOptions } from "./service.js";
import type { Target } from "./target.js";

/** How a command connects to the service. */
export interface ConnectOptions extends Pick<
  ServiceOptions,
  "userAgent" | "concurrency" | "allowInsecureHttp" | "patience" | "onPace"
> {
  /** A file with certificates to trust beside the default ones. */
  readonly caFile?: string;
  readonly drain?: AbortSignal;
  /** The names of variables whose values the service may show; they are removed from its answers from the start. */
  readonly named?: Iterable<string>;
}

/** Connects to a target whose secrets are all set; gives findings if that would not be safe. */
export async function connect(
  target: Target,
  { service, servicePlace }: Settings,
  options: ConnectOptions,
): Promise<Checked<{ readonly service: Service }>> {
  const unusable = options.caFile === undefined ? [] : checkCertificateFile(options.caFile);
  if (unusable.length > 0) return refused(unusable);
  const { secrets, baseUrl = target.raiBaseUrl ?? "", raiBaseUrl, apiKey = "" } = target;
  try {
    const connected = await createService({
      baseUrl,
      secrets,
      userAgent: options.userAgent,
      concurrency: options.concurrency,
      apiKey: new Secret(renderText(apiKey, secrets)),
      ...(raiBaseUrl !== undefined && { raiBaseUrl }),
      ...(options.caFile !== undefined && { certificates: readFileSync(options.caFile, "utf8") }),
      fieldNames: service.field_names ?? {},
      rejectedStatuses: service.rejected_statuses ?? [],
      allowInsecureHttp: options.allowInsecureHttp ?? false,
      ...(options.patience !== undefined && { patience: options.patience }),
      ...(options.onPace && { onPace: options.onPace }),
      ...(options.drain && { signal: options.drain }),
      known: [...(options.named ?? [])].flatMap((name) => secrets(name) ?? []),
    });
    return { ok: true, service: connected };
  } catch (cause) {
    const place = { ...servicePlace, key: true };
    if (cause instanceof InsecureServiceError) {
      const hint = "use https, or pass `--allow-insecure-http` if the network is trusted";
      return refused([error("service-url", place, cause.message, hint)]);
    }
    if (cause instanceof ServiceAddressError) return refused([error("service-url", place, cause.message)]);
    if (cause instanceof ProxyAddressError) {
      const hint =
        "set HTTPS_PROXY to a URL such as `http://proxy.example.com:3128`, or name the host in NO_PROXY";
      return refused([error("proxy-invalid", undefined, cause.message, hint)]);
    }
    if (cause instanceof ServiceKeyError) return refused([error("api-key-invalid", place, cause.message)]);
    throw cause;
  }
}
