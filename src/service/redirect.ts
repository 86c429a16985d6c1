import type { Destination } from "./destination.js";

/**
 * Says where a redirect leads and what to change for it; undefined if it names no other address of http or https. User, query
 * and fragment are left out, for they may hold secrets.
 */
export function redirectHint(
  location: string | undefined,
  { url, path, setting }: Destination,
): string | undefined {
  if (location === undefined || !URL.canParse(location, url.href)) return undefined;
  const { protocol, origin, pathname } = new URL(location, url.href);
  if (!/^https?:$/.test(protocol)) return undefined;
  const other = origin + pathname;
  if (other === url.origin + url.pathname) return undefined;
  const at = `the service names another address: ${other}`;
  const base = other.slice(0, -path.length);
  if (other.endsWith(path) && URL.canParse(base)) {
    const isSecured = base === `https:${url.href.slice(url.protocol.length, -path.length)}`;
    return `${at}; ${isSecured ? "use https: " : ""}set \`${setting}\` to \`${base}\``;
  }
  if (other === `${url.origin}${url.pathname}/`) return `${at}; it wants the path with a slash at its end`;
  return `${other}/` === url.origin + url.pathname
    ? `${at}; it wants the path without the slash at its end`
    : at;
}
