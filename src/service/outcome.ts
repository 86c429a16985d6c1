import { parseJson } from "../json/parse-json.js";
import { inspect } from "node:util";
import { isObject, type Json } from "../json/json.js";
import { tellsError } from "../core/kind/tells-error.js";
import type { Failure, Intent, Outcome } from "../core/observation/service.js";
import type { Destination } from "./address.js";
import { type CommonCause, describeFault, EXTRA, type Answer, type Fault, type AnswerHead } from "./fault.js";
import { excerpt } from "../core/finding/invisible.js";
import { type Redaction, withhold } from "./redaction.js";

const ANSWER_LENGTH = 500;
const REQUEST_ID_LENGTH = 200;
const LOCATION_LENGTH = 1000;
const requestIdHeaders = ["x-request-id", "x-correlation-id", "request-id"];

// Many services carry out a request and then redirect to a page about the result.
const redirectsAfterwards = [301, 302, 303];

const keyRefused = { why: "the service refused the key", after: 1 };

/** What the classification depends on beside the answer. */
export interface Rules {
  readonly intent: Intent;
  readonly destination: Destination;
  /** The 5xx codes with which this deployment guarantees that it did nothing. */
  readonly rejectedStatuses: readonly number[];
  readonly redaction: Redaction;
}

/** The outcome of one try, and whether repeating it is safe and useful. */
export interface Verdict {
  readonly outcome: Outcome;
  /** `soon`: the fault may be temporary, a few tries; `paced`: too many requests, as often as needed. */
  readonly repeat: "no" | "soon" | "paced";
  /** The Retry-After header, if it applies. */
  readonly retryAfter?: string;
}

/** Classifies a complete answer. */
export function classifyAnswer(answer: Answer, rules: Rules): Verdict {
  if (answer.status < 200 || answer.status > 299) return classifyRefusal(answer, answer.text, rules);
  const unknown = (what: string): Verdict => {
    const failure = failureOf(`${what} (HTTP ${answer.status})`, answer, answer.text, rules);
    return { outcome: { type: "unknown", ...failure }, repeat: "no" };
  };
  if (answer.text?.trim() === "") {
    if (rules.intent === "create" || rules.intent === "read") return unknown("an empty answer");
    return { outcome: successOf(answer, null, rules), repeat: "no" };
  }
  const json = parseAnswer(answer.text);
  if (json === undefined) return unknown("an answer that is not JSON");
  // Of a create, an ID in the answer says more.
  const isChange = rules.intent === "update" || rules.intent === "delete";
  if (isChange && tellsError(json)) return unknown("an answer that tells of an error");
  return { outcome: successOf(answer, json, rules), repeat: "no" };
}

/** Classifies a try without a complete answer; a refusal needs only its status. */
export function classifyFault(fault: Fault, rules: Rules, cause?: CommonCause): Verdict {
  const { head } = fault;
  if (head && head.status > 299 && fault.code !== EXTRA) return classifyRefusal(head, undefined, rules);
  const failure = failureOf(describeFault(fault), head, undefined, rules);
  if (!fault.mayHaveArrived && !head) {
    const explained = cause && { common: cause.common, hint: cause.hint };
    const repeat = cause?.isLasting ? "no" : "soon";
    return { outcome: { type: "not-sent", ...failure, ...explained }, repeat };
  }
  const repeat = isRepeatable(rules) && fault.code !== "OVERSIZE" ? "soon" : "no";
  return { outcome: { type: "unknown", ...failure }, repeat };
}

/** Combines the outcome of the last try with that of an earlier uncertain one: it stays unknown. */
export function conclude(last: Outcome, tried: number, doubt?: Outcome): Outcome {
  if (last.type === "success" || tried === 1) return last;
  const message = `${last.message}, after ${tried} tries`;
  if (last.type === "unknown" || doubt === undefined || doubt.type === "success") return { ...last, message };
  return {
    ...last,
    type: "unknown",
    message: `${message}; an earlier one may have succeeded: ${doubt.message}`,
  };
}

/** Gives the outcome of a request that a look has kept from being sent; an earlier try that is uncertain stays so. */
export function refusedBy(refused: Failure, doubt?: Outcome): Outcome {
  if (doubt?.type !== "unknown") return { ...refused, type: "not-sent" };
  const message = `${doubt.message}, and it may have succeeded; before another try: ${refused.message}`;
  return { ...refused, type: "unknown", message };
}

function classifyRefusal(head: AnswerHead, text: string | undefined, rules: Rules): Verdict {
  const { status } = head;
  const isRedirect = status >= 300 && status <= 399;
  const message = `HTTP ${status}${isRedirect ? ", a redirect, which agentform does not follow" : ""}`;
  const hint = isRedirect ? redirectHint(head.headers["location"], rules.destination) : undefined;
  const failure = {
    ...failureOf(message, head, text, rules),
    status,
    ...(hint !== undefined && { hint: excerpt(rules.redaction.redact(hint), LOCATION_LENGTH) }),
  };
  const rejected: Outcome = { type: "rejected", ...failure };
  // A rate limit says something about the service, nothing about this request.
  if (status === 429 || rules.rejectedStatuses.includes(status)) {
    return { outcome: rejected, repeat: "paced", ...retryAfter(head) };
  }
  const unknown: Outcome = { type: "unknown", ...failure };
  if (redirectsAfterwards.includes(status)) return { outcome: unknown, repeat: "no" };
  if (status === 401 || status === 403) return { outcome: { ...rejected, common: keyRefused }, repeat: "no" };
  if (status >= 300 && status <= 499) return { outcome: rejected, repeat: "no" };
  const repeat = isRepeatable(rules) && status >= 500 ? "soon" : "no";
  return { outcome: unknown, repeat, ...(repeat === "soon" && status === 503 && retryAfter(head)) };
}

function isRepeatable({ intent }: Rules): boolean {
  return intent !== "create";
}

// IDs are taken from the answer, so the rest of it stays exact; it is redacted when printed.
function successOf({ status, headers, text = "" }: Answer, whole: Json, rules: Rules): Outcome {
  const { answer, withheld } = withhold(whole, rules.redaction);
  const part = rules.intent === "read" ? partOf({ status, headers }) : undefined;
  const total = rules.intent === "read" ? totalOf(headers) : undefined;
  const outcome: Outcome = {
    type: "success",
    status,
    answer,
    ...(withheld && { withheld }),
    ...(part && { part }),
    ...(total !== undefined && { total }),
  };
  const printed = (): object => ({
    ...outcome,
    answer: text && excerpt(rules.redaction.redact(text), ANSWER_LENGTH),
  });
  Object.defineProperties(outcome, { toJSON: { value: printed }, [inspect.custom]: { value: printed } });
  return outcome;
}

function partOf({ status, headers }: AnswerHead): "linked" | "status" | undefined {
  const links = headers["link"] ?? "";
  if (/;\s*rel\s*=\s*"?([\w-]{1,40}\s+){0,10}next(?![\w-])/i.test(links)) return "linked";
  return status === 206 ? "status" : undefined;
}

function totalOf(headers: AnswerHead["headers"]): number | undefined {
  const range = /\/(\d{1,15})\s*$/.exec(headers["content-range"] ?? "")?.[1];
  const total = /^\d{1,15}/.exec(headers["x-total-count"] ?? headers["x-total"] ?? "")?.[0] ?? range;
  return total === undefined ? undefined : Number(total);
}

function retryAfter({ headers }: AnswerHead): { retryAfter?: string } {
  const header = headers["retry-after"];
  return header === undefined ? {} : { retryAfter: header };
}

function failureOf(
  message: string,
  head: AnswerHead | undefined,
  text: string | undefined,
  rules: Rules,
): Failure {
  if (!head) return { message };
  const redact = (value: string, length: number): string => excerpt(rules.redaction.redact(value), length);
  const requestId = requestIdHeaders.map((name) => head.headers[name]).find((id) => id);
  const detail = head.status === 422 ? detailOf(text, (value) => redact(value, ANSWER_LENGTH)) : undefined;
  return {
    message,
    status: head.status,
    ...(requestId !== undefined && { requestId: redact(requestId, REQUEST_ID_LENGTH) }),
    ...(text !== undefined && text !== "" && { answer: redact(wordsIn(text, rules), ANSWER_LENGTH) }),
    ...(detail && { detail }),
  };
}

// Redacted before tags are removed as well: a secret may look like a tag.
function wordsIn(text: string, { redaction }: Rules): string {
  return readHtml(redaction.redact(text)) ?? text;
}

function detailOf(text: string | undefined, redact: (text: string) => string): Failure["detail"] {
  const body = parseAnswer(text);
  if (!isObject(body) || !Array.isArray(body["detail"])) return undefined;
  const items = body["detail"].map((item) => detailItem(item, redact));
  return items.every((item) => item !== undefined) ? items : undefined;
}

function detailItem(
  item: Json,
  redact: (text: string) => string,
): { loc: string[]; msg: string } | undefined {
  if (!isObject(item)) return undefined;
  const { loc, msg } = item;
  if (!Array.isArray(loc) || typeof msg !== "string") return undefined;
  // Such services give the index of a list item as a number.
  const path = loc.filter((step) => typeof step === "string" || typeof step === "number");
  if (path.length !== loc.length) return undefined;
  return { loc: path.map((step) => redact(String(step))), msg: redact(msg) };
}

function parseAnswer(text: string | undefined): Json | undefined {
  return text === undefined ? undefined : parseJson(text).value;
}

const mostRead = 10_000;

/** Gives the title of an HTML page, or else its first words; undefined for any other text. */
export function readHtml(text: string): string | undefined {
  const page = text.slice(0, mostRead).trimStart();
  if (!/^(<!doctype html|<html|<head|<body)\b/i.test(page)) return undefined;
  const title = wordsOf(/<title[^>]*>([^<]*)/i.exec(page)?.[1] ?? "");
  const said = title === "" ? wordsOf(page.replaceAll(/<(script|style)\b[^]*?(<\/\1>|$)/gi, " ")) : title;
  return said === "" ? "an HTML page" : `an HTML page: ${said}`;
}

function wordsOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]*(>|$)/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Says where a redirect leads and what to change; without user, query and fragment, which may hold secrets. */
function redirectHint(location: string | undefined, { url, path, setting }: Destination): string | undefined {
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
