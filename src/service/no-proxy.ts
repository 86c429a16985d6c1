import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";

/**
 * Whether a NO_PROXY list exempts a target, by the rules of curl and Go: a name covers its subdomains, with or
 * without a leading dot or `*.`; addresses and CIDR ranges cover addresses; a port restricts an entry; `*` covers
 * everything.
 */
export function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = withoutBrackets(hostname).replace(/\.$/, "");
  const effectivePort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  const entries = list.toLowerCase().split(/[,\s]+/);
  return entries.some((entry) => entry !== "" && covers(entry, host, effectivePort));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [network = "", prefix] = entry.split("/", 2);
  if (prefix !== undefined) return isWithin(host, withoutBrackets(network), prefix);
  const { name, port: only = port } = splitPort(entry);
  if (only !== port || name === "") return false;
  if (isIP(name) !== 0) return isWithin(host, name, isIP(name) === 4 ? "32" : "128");
  const domain = domainToASCII(name.replace(/^\*?\./, "").replace(/\.$/, ""));
  return domain !== "" && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
}

function isWithin(host: string, network: string, prefix: string): boolean {
  const [family, own] = [isIP(network), isIP(host)];
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.POSITIVE_INFINITY;
  if (own === 0 || family === 0 || bits > (family === 4 ? 32 : 128)) return false;
  const range = new BlockList();
  range.addSubnet(network, bits, family === 4 ? "ipv4" : "ipv6");
  return range.check(host, own === 4 ? "ipv4" : "ipv6");
}

// An IPv6 address without brackets has colons and no port.
function splitPort(entry: string): { readonly name: string; readonly port?: string } {
  if (isIP(entry) === 6) return { name: entry };
  const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return { name: withoutBrackets(name), ...(port !== undefined && { port }) };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}
