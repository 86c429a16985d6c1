/** Where a request goes, and which key of the manifest sets it. */
export interface Destination {
  readonly url: URL;
  /** The path of the operation; the URL ends with it. */
  readonly path: string;
  /** The key under `service` in the manifest that holds the address before the path. */
  readonly setting: "base_url" | "rai_base_url";
}

/** The address of a service to which the key would be sent unencrypted. */
export class InsecureServiceError extends Error {
  constructor(host: string) {
    super(`the address of the service at ${host} does not use https`);
  }
}

/** An address or path of the service that a request cannot be sent to exactly as written. */
export class ServiceAddressError extends Error {}

/** Checks a base address without user or query, https unless allowed; throws its two errors. */
export function checkAddress(address: string, allowInsecureHttp: boolean): void {
  if (!URL.canParse(address)) throw new ServiceAddressError("the service's address is not a valid URL");
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ServiceAddressError(`the service's address must begin with https:, not with ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ServiceAddressError("the service's address must not have a user, a query or a fragment");
  }
  if (url.protocol === "http:" && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new InsecureServiceError(url.host);
  }
}

/** Joins a base address and a path; throws ServiceAddressError if the path would change, as with segments of dots. */
export function joinAddress(address: string, path: string): URL {
  const url = new URL(address.replace(/\/+$/, "") + path);
  if (!url.pathname.endsWith(path))
    throw new ServiceAddressError(`the path ${path} cannot be sent as written`);
  return url;
}

/** Whether a URL's host name means this machine, independently of its resolver. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
