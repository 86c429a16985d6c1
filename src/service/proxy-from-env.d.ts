declare module "proxy-from-env" {
  /** Gives the URL of the proxy that the environment names for a target, or an empty text. */
  export function getProxyForUrl(target: URL): string;
}
