import type { Got } from "got";
import type { BodyRequest, Host, ServiceRequest } from "../core/kind/kind.js";
import type { Intent, Look, Outcome, Ready, Service } from "../core/observation/service.js";
import { checkAddress, joinAddress, ServiceAddressError, type Destination } from "./address.js";
import { MissingSecretError, renderBody } from "./body.js";
import { trustWith } from "./certificates.js";
import { commonCause } from "./fault.js";
import { createConnections, type Connections } from "./connections.js";
import type { Timeouts } from "./deadline.js";
import { createExchange, type Exchange, type Message } from "./exchange.js";
import { classifyAnswer, classifyFault, type Rules, type Verdict } from "./outcome.js";
import { proxyFor, type Proxy } from "./proxy.js";
import { Redaction } from "./redaction.js";
import { Repeater, type RepeaterOptions } from "./repeater.js";
import type { Secret, SecretSource } from "./secret.js";

/** How to reach the service; times in milliseconds. */
export interface ServiceOptions extends RepeaterOptions {
  readonly baseUrl: string;
  /** Required to send policies. */
  readonly raiBaseUrl?: string;
  readonly apiKey: Secret;
  readonly secrets: SecretSource;
  /** Secrets to remove from answers, beside those that were sent. */
  readonly known?: readonly Secret[];
  /** The deployment's own names of top-level fields. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** The 5xx codes with which the deployment guarantees that it did nothing. */
  readonly rejectedStatuses?: readonly number[];
  readonly userAgent: string;
  /** Certificates to trust beside the default ones, as PEM text. */
  readonly certificates?: string;
  /** Finds the proxy for a target; taken from the environment unless given. */
  readonly proxyOf?: (target: URL) => Proxy | undefined;
  readonly allowInsecureHttp?: boolean;
  readonly timeouts?: Partial<Timeouts>;
}

/** The API key is empty, or has characters that a header cannot contain, such as a line end. */
export class ServiceKeyError extends Error {
  constructor() {
    super("the API key is empty, or has characters that a header cannot contain, such as a line end");
  }
}

const defaultTimeouts: Timeouts = { connect: 10_000, send: 120_000, response: 300_000, total: 600_000 };

/** Connects to a service over HTTP (docs/reference/interface.md, 1 and 3); throws errors of address, key, proxy, certificates. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { allowInsecureHttp = false, proxyOf = proxyFor } = options;
  for (const address of [options.baseUrl, options.raiBaseUrl]) {
    if (address === undefined) continue;
    checkAddress(address, allowInsecureHttp);
    proxyOf(new URL(address));
  }
  if (!/^[\x20-\x7E]+$/.test(options.apiKey.unwrap())) throw new ServiceKeyError();
  const { got } = await import("got");
  return new HttpService(options, got);
}

interface Prepared {
  readonly message: Message;
  readonly rules: Rules;
}

class HttpService implements Service {
  readonly #options: ServiceOptions;
  readonly #exchange: Exchange;
  readonly #connections: Connections;
  readonly #repeater: Repeater;
  readonly #redaction = new Redaction();
  readonly #closed = new AbortController();

  constructor(options: ServiceOptions, got: Got) {
    this.#options = options;
    this.#redaction.add(options.known ?? []);
    const timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#connections = createConnections({
      timeout: timeouts.connect,
      ca: options.certificates === undefined ? undefined : trustWith(options.certificates),
      proxyOf: options.proxyOf ?? proxyFor,
    });
    const headers = {
      "x-api-key": options.apiKey.unwrap(),
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": options.userAgent,
    };
    this.#exchange = createExchange(got, { headers, connections: this.#connections, timeouts });
    this.#repeater = new Repeater(options, this.#closed.signal);
  }

  async send(
    request: BodyRequest,
    intent: "create" | "update",
    ready?: Ready,
    look?: Look,
  ): Promise<Outcome> {
    return await this.#send(() => this.#prepare(request, intent), ready, look);
  }

  async ask(
    request: ServiceRequest<"GET" | "DELETE">,
    intent: "read" | "delete",
    ready?: Ready,
    look?: Look,
  ): Promise<Outcome> {
    return await this.#send(() => this.#address(request, intent), ready, look);
  }

  async #send(prepare: () => Prepared, ready: Ready = async () => undefined, look?: Look): Promise<Outcome> {
    try {
      const prepared = prepare();
      return await this.#repeater.send((hasWaited) => this.#try(prepared, () => ready(hasWaited)), look);
    } catch (error) {
      const isUnsent = error instanceof MissingSecretError || error instanceof ServiceAddressError;
      if (isUnsent) return { type: "not-sent", message: error.message };
      throw error;
    }
  }

  address(
    named: string,
    { host, method, path, query }: ServiceRequest<"GET">,
  ): ServiceRequest<"GET"> | undefined {
    const base = this.#destinationOf({ host, method, path: "/" }).url;
    const { url } = this.#destinationOf({ host, method, path, ...(query !== undefined && { query }) });
    if (!URL.canParse(named, url.href)) return undefined;
    const next = new URL(named, url);
    if (next.origin !== base.origin || !next.pathname.startsWith(base.pathname)) return undefined;
    const inside = next.pathname.slice(base.pathname.length - 1);
    return { host, method, path: inside, ...(next.search !== "" && { query: next.search.slice(1) }) };
  }

  renew(): void {
    this.#connections.renew();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#connections.close();
  }

  #prepare(request: BodyRequest, intent: Intent): Prepared {
    const { apiKey, fieldNames } = this.#options;
    const sent: Secret[] = [apiKey];
    const secrets: SecretSource = (name) => {
      const secret = this.#options.secrets(name);
      if (secret) sent.push(secret);
      return secret;
    };
    const body = renderBody(request.body, { secrets, fieldNames, references: request.references });
    this.#redaction.add(sent);
    const { message, rules } = this.#address(request, intent);
    return { message: { ...message, body: Buffer.from(body) }, rules };
  }

  #address(request: ServiceRequest<Message["method"]>, intent: Intent): Prepared {
    const { apiKey, rejectedStatuses = [] } = this.#options;
    const destination = this.#destinationOf(request);
    this.#redaction.add([apiKey]);
    return {
      message: { url: destination.url, method: request.method },
      rules: { intent, destination, rejectedStatuses, redaction: this.#redaction },
    };
  }

  #destinationOf({ host, path, query }: ServiceRequest): Destination {
    const address = host === "rai" ? this.#options.raiBaseUrl : this.#options.baseUrl;
    if (address === undefined)
      throw new ServiceAddressError(`\`${settingOf(host)}\` of the service is missing`);
    const url = joinAddress(address, path);
    if (query !== undefined) url.search = query;
    return { url, path, setting: settingOf(host) };
  }

  async #try({ message, rules }: Prepared, ready: () => Promise<void>): Promise<Verdict> {
    const isCreate = rules.intent === "create";
    const result = await this.#connections.use(isCreate, () => this.#exchange(message, ready));
    if (result.ok) return classifyAnswer(result, rules);
    const { proxyOf = proxyFor } = this.#options;
    const { destination } = rules;
    return classifyFault(result, rules, commonCause(result, destination, proxyOf(destination.url)?.variable));
  }
}

function settingOf(host: Host): "base_url" | "rai_base_url" {
  return host === "rai" ? "rai_base_url" : "base_url";
}
