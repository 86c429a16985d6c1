import { isExpression, parseText } from "../expression/expression.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { listOf, member, type Remark, type Side, type Subject } from "./rule.js";
import { few, quote } from "./wording.js";

/** Finds hosts that calls newly go to. */
export function hostsAdded({ before, after }: Subject): Remark[] {
  const known = new Set(hostsOf(serversOf(before)));
  const added = [...new Set(hostsOf(serversOf(after)))].filter((host) => !known.has(host));
  if (added.length === 0) return [];
  const names = added.map((host) => (host === "" ? "a relative address" : quote(host)));
  return [{ path: "openapi_schema.servers", message: `its calls may go to another host: ${few(names)}` }];
}

/** Finds ways to call that ask for less than every way before. */
export function securityDropped({ before, after }: Subject): Remark[] {
  const [was, is] = [alternativesOf(before), alternativesOf(after)];
  const weaker = is.filter((now) => !was.some((then) => then.every((scheme) => now.includes(scheme))));
  if (weaker.length === 0) return [];
  const message = `its OpenAPI document now asks for ${either(is)}, and asked for ${either(was)}`;
  return [{ path: "openapi_schema.security.requirements", message }];
}

/** Finds default headers that carry a secret and changed otherwise than by a rotation. */
export function secretHeadersChanged({ before, after }: Subject): Remark[] {
  const [was, is] = [headersOf(before), headersOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [then, now] = [was.get(key), is.get(key)];
    if (then?.value === now?.value || (!then?.secret && !now?.secret)) return [];
    const name = now?.name ?? then?.name ?? key;
    const change = !then ? "is new" : now ? "changed" : "is gone";
    return [
      {
        path: `default_headers.${name}`,
        message: `the header ${quote(name)}, which carries a secret, ${change}`,
      },
    ];
  });
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

/** What a caller can choose between, each as the schemes and scopes that it takes; no security is one that takes none. */
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

function either(alternatives: readonly string[][]): string {
  return alternatives
    .map((schemes) => (schemes.length > 0 ? quote(schemes.join(" + ")) : "nothing"))
    .join(" or ");
}

interface Header {
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
}

function headersOf({ body }: Side): Map<string, Header> {
  const headers = isObject(body.default_headers) ? Object.entries(body.default_headers) : [];
  return new Map(
    headers.map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return [name.toLowerCase(), { name, ...withoutRevisions(text) }];
    }),
  );
}

function withoutRevisions(text: string): { value: string; secret: boolean } {
  const parts = parseText(text).map((part) => {
    if (!isExpression(part) || part.scheme !== "env") return typeof part === "string" ? part : part.source;
    return { variable: part.locator.split("@", 1)[0] ?? "" };
  });
  return { value: JSON.stringify(parts), secret: parts.some((part) => typeof part === "object") };
}
