import type { Destination } from "./address.js";

/**
 * Describes where a redirect leads and what to change; undefined unless it names a different http or https address. User, query
 * and fragment are left out, because they may contain secrets.
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
  const at = `the service redirects to a different address: ${other}`;
  const base = other.slice(0, -path.length);
  if (other.endsWith(path) && URL.canParse(base)) {
    const isSecured = base === `https:${url.href.slice(url.protocol.length, -path.length)}`;
    return `${at}; ${isSecured ? "use https: " : ""}set \`${setting}\` to \`${base}\``;
  }
  if (other === `${url.origin}${url.pathname}/`) return `${at}; it expects a slash at the end of the path`;
  return `${other}/` === url.origin + url.pathname ? `${at}; it expects no slash at the end of the path` : at;
}
