import { parseJson } from "../json/parse-json.js";
import { isUtf8 } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isObject, type Json, type JsonObject } from "../json/json.js";
import type { Problem } from "./check.js";
import type { Answer, Route, Service } from "./kind.js";
import { kinds } from "./kinds.js";

/** A received request; its path has no query and is still percent-encoded. */
export interface Request {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Uint8Array;
}

const routes = Object.values(kinds).flat();

/** Answers a request by one of the six operations of docs/interface.md, section 3, or refuses it with the reason. */
export function answerRequest(service: Service, request: Request): Answer {
  const key = request.headers["x-api-key"];
  if (!passes(service.apiKey, key)) return refuse(401, "The x-api-key header is missing or wrong");
  const there = routes.filter(({ path }) => path.test(request.path));
  const route = there.find(({ method }) => method === request.method);
  if (route !== undefined) return answerRoute(service, route, request);
  if (there.length === 0) return refuse(404, "There is no operation at this path");
  const allow = there.map(({ method }) => method).join(", ");
  return { ...refuse(405, `This path only allows ${allow}`), headers: { allow } };
}

function answerRoute(service: Service, route: Route, { path, headers, body }: Request): Answer {
  if (route.accept && !namesJson(headers.accept)) return refuse(406, "accept must be application/json");
  if (!namesJson(headers["content-type"])) return refuse(415, "content-type must be application/json");
  const id = decodeSegment(route.path.exec(path)?.[1] ?? "");
  if (id === undefined) return refuse(400, "The ID in the path is not encoded correctly");
  const value = parseBody(body);
  if (value === undefined) return refuse(400, "The body is not JSON");
  const problems = route.check(value, ["body"]);
  if (problems.length > 0 || !isObject(value)) return refuseBody(problems);
  return route.operate(service, value, id);
}

function passes(expected: string | undefined, key: string | string[] | undefined): boolean {
  if (typeof key !== "string" || key === "") return false;
  if (expected === undefined) return true;
  const [a, b] = [Buffer.from(expected), Buffer.from(key)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function namesJson(header: string | undefined): boolean {
  const types = (header ?? "").split(",").map((type) => type.split(";")[0]?.trim().toLowerCase());
  return types.includes("application/json");
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function parseBody(body: Uint8Array): Json | undefined {
  return isUtf8(body) ? parseJson(new TextDecoder().decode(body)).value : undefined;
}

function refuse(status: number, message: string): Answer {
  return { status, body: { message }, did: `refused: ${message}` };
}

function refuseBody(problems: readonly Problem[]): Answer {
  const detail = problems.map(({ loc, msg, type }): JsonObject => ({ loc, msg, type }));
  const said = problems.map(({ loc, msg }) => `${loc.join(".")} ${msg}`);
  return { status: 422, body: { detail }, did: `refused: ${said.join("; ")}` };
}
