/** An address of the service to which the key would travel in the clear. */
export class InsecureServiceError extends Error {
  override readonly name = "InsecureServiceError";

  constructor(host: string) {
    super(`the service at ${host} is not reached over https`);
  }
}

/** An address or path of the service that no request can be sent to as it is written. */
export class ServiceAddressError extends Error {
  override readonly name = "ServiceAddressError";
}

/**
 * Checks a base address: https, or http on loopback or where that is allowed; no user, query or fragment.
 * @throws InsecureServiceError, ServiceAddressError
 */
export function checkAddress(address: string, allowInsecureHttp: boolean): void {
  if (!URL.canParse(address)) throw new ServiceAddressError("the service's address is no URL");
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ServiceAddressError(`the service's address begins with ${url.protocol}, not with https:`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ServiceAddressError("the service's address has a user, a query or a fragment");
  }
  if (url.protocol === "http:" && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new InsecureServiceError(url.host);
  }
}

/**
 * Joins a base address and an operation's path, whose slashes stay as they are.
 * @throws ServiceAddressError if the path would not arrive as written, as with a segment of dots
 */
export function joinAddress(address: string, path: string): URL {
  const url = new URL(address.replace(/\/+$/, "") + path);
  if (!url.pathname.endsWith(path)) throw new ServiceAddressError(`the path ${path} cannot be sent as it is`);
  return url;
}

/** Says whether a URL's host name means this machine, whatever its resolver says. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
