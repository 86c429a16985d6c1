import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { listOf, member, type RemarkOf, type Side, type Subject } from "./rule.js";

/** Finds new hosts that calls can go to. */
export function hostsAdded({ before, after, changed }: Subject): RemarkOf<"host-added">[] {
  if (!changed.has("openapi_schema")) return [];
  const known = new Set(hostsOf(serversOf(before)));
  const hosts = [...new Set(hostsOf(serversOf(after)))].filter((host) => !known.has(host));
  if (hosts.length === 0) return [];
  return [{ path: "openapi_schema.servers", parts: { hosts, before: [...known] } }];
}

/** Finds security requirements that allow calls with less than each of the alternatives required before. */
export function securityDropped({ before, after, changed }: Subject): RemarkOf<"security-dropped">[] {
  if (!changed.has("openapi_schema")) return [];
  const [was, is] = [alternativesOf(before), alternativesOf(after)];
  const weaker = is.filter((now) => !was.some((then) => then.every((scheme) => now.includes(scheme))));
  if (weaker.length === 0) return [];
  return [{ path: "openapi_schema.security.requirements", parts: { before: was, after: is } }];
}

function serversOf({ body }: Side): readonly Json[] {
  // Without servers, OpenAPI says, there is one at `/`.
  const servers = listOf(member(body.openapi_schema, "servers"));
  return servers.length > 0 ? servers : [{ url: "/" }];
}

function hostsOf(servers: readonly Json[]): string[] {
  return servers.filter(isObject).flatMap((server) => urlsOf(server).map(hostOf));
}

// Each variable takes each of its values once while the others keep their defaults: that shows every new value.
function urlsOf(server: JsonObject): string[] {
  const url = typeof server.url === "string" ? server.url : "";
  const variables = isObject(server.variables) ? Object.entries(server.variables) : [];
  const put = (text: string, name: string, value: Json | undefined): string =>
    typeof value === "string" ? text.replaceAll(`{${name}}`, () => value) : text;
  const putDefaults = (text: string): string =>
    variables.reduce((filled, [name, variable]) => put(filled, name, member(variable, "default")), text);
  const others = variables.flatMap(([name, variable]) =>
    listOf(member(variable, "enum")).map((value) => putDefaults(put(url, name, value))),
  );
  return [putDefaults(url), ...others];
}

function hostOf(url: string): string {
  const authority = /^\s*(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}([^/?#\\]*)/i.exec(url)?.[1] ?? "";
  return authority.slice(authority.lastIndexOf("@") + 1).toLowerCase();
}

/** Gives the alternatives of a caller, each as its schemes and scopes; without security there is one that needs none. */
function alternativesOf({ body }: Side): string[][] {
  const requirements = member(member(body.openapi_schema, "security"), "requirements");
  const alternatives = listOf(requirements)
    .filter(isObject)
    .map((schemes) => Object.entries(schemes).flatMap(([name, scopes]) => demandsOf(name, scopes)));
  return alternatives.length > 0 ? alternatives : [[]];
}

function demandsOf(scheme: string, scopes: Json): string[] {
  const names = listOf(scopes).map((scope) => (typeof scope === "string" ? scope : JSON.stringify(scope)));
  return [scheme, ...names.map((name) => `${scheme}:${name}`)];
}
