declare module "proxy-from-env" {
  /** Gives the URL of the proxy that the environment sets for a target, or an empty text. */
  export function getProxyForUrl(target: URL): string;
}
