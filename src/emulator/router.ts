import { parseJson } from "../json/parse-json.js";
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { isObject } from "../json/json.js";
import { unlessFailing } from "../disk/unless-failing.js";
import { anyObject } from "./check.js";
import { answerEdit } from "./edit.js";
import { type EmulatedAnswer, refuse, refuseBody, type Route, type EmulatedService } from "./kind.js";
import { kinds } from "./kinds.js";
import type { EmulatedOperations } from "./world.js";

/** A received request; its path is still percent-encoded. */
export interface ArrivedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Uint8Array;
}

/** Where the console's hand is, in both worlds; docs/reference/interface.md has nothing there. */
export const consolePath = "/__emulator/";
export const editPath = `${consolePath}edit`;

const byHand: Route = {
  method: "POST",
  path: new RegExp(`^${editPath}$`),
  check: anyObject,
  operate: answerEdit,
  accept: false,
};

const documented = [...Object.values(kinds).flatMap((kind) => kind.documented), byHand];
const routesOf: Readonly<Record<EmulatedOperations, readonly Route[]>> = {
  documented,
  full: [...documented, ...Object.values(kinds).flatMap((kind) => kind.full)],
};

/** Answers a documented operation, one of a full service, or an edit, or refuses it with the reason. */
export function answerRequest(service: EmulatedService, request: ArrivedRequest): EmulatedAnswer {
  const there = routesOf[service.operations].filter(({ path }) => path.test(request.path));
  const route = there.find(({ method }) => method === request.method);
  if (route !== undefined) return answerRoute(service, route, request);
  if (there.length === 0) return refuse(404, "There is no operation at this path");
  const allow = [...new Set(there.map(({ method }) => method))].join(", ");
  return { ...refuse(405, `This path only allows ${allow}`), headers: { allow } };
}

function answerRoute(service: EmulatedService, route: Route, request: ArrivedRequest): EmulatedAnswer {
  const { path, query, headers, body } = request;
  const id = unlessFailing(() => decodeURIComponent(route.path.exec(path)?.[1] ?? ""));
  if ("look" in route) return id === undefined ? refuseId() : route.look(service, { id, path, query });
  if (route.accept && !namesJson(headers.accept)) return refuse(406, "accept must be application/json");
  if (!namesJson(headers["content-type"])) return refuse(415, "content-type must be application/json");
  if (id === undefined) return refuseId();
  const value = isUtf8(body) ? parseJson(new TextDecoder().decode(body)).value : undefined;
  if (value === undefined) return refuse(400, "The body is not JSON");
  const problems = route.check(value, ["body"]);
  if (problems.length > 0 || !isObject(value)) return refuseBody(problems);
  return route.operate(service, value, id);
}

function namesJson(header: string | undefined): boolean {
  const types = (header ?? "").split(",").map((type) => type.split(";")[0]?.trim().toLowerCase());
  return types.includes("application/json");
}

function refuseId(): EmulatedAnswer {
  return refuse(400, "The ID in the path is not encoded correctly");
}
