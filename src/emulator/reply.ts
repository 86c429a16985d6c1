import type { ServerResponse } from "node:http";
import type { EmulatedFault } from "./fault.js";
import type { EmulatedAnswer } from "./kind.js";

/** What is sent, and how it ends: `drop` and `hang` send nothing, `half` stops in the middle. No text is no body. */
export interface Reply {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string | undefined;
  ending: "whole" | "half" | "drop" | "hang";
}

const JSON_TYPE = { "content-type": "application/json" };
const NOT_JSON = "<html><body>This is not JSON</body></html>";

/** Renders the answer of an operation. */
export function renderAnswer({ status, headers, body }: EmulatedAnswer): Reply {
  if (body === undefined) return { status, headers: { ...headers }, text: undefined, ending: "whole" };
  return { status, headers: { ...JSON_TYPE, ...headers }, text: JSON.stringify(body), ending: "whole" };
}

/** The reply of a fault that prevents the operation; undefined for the other faults. */
export function replyInstead(fault: EmulatedFault): Reply | undefined {
  if ("status" in fault) {
    const { status, headers, body = { message: `A fault answers ${status}` } } = fault;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return { status, headers: { ...JSON_TYPE, ...lowerNames(headers) }, text, ending: "whole" };
  }
  if ("redirect" in fault) {
    return { status: 302, headers: { location: fault.redirect }, text: "", ending: "whole" };
  }
  if ("drop" in fault && fault.drop === "before") return { status: 0, headers: {}, text: "", ending: "drop" };
  return undefined;
}

/** Changes the reply of a completed operation as a fault says. */
export function spoilReply(reply: Reply, fault: EmulatedFault): Reply {
  if ("drop" in fault) return { ...reply, status: 0, ending: "drop" };
  if ("hang" in fault) return { ...reply, status: 0, ending: "hang" };
  if ("half" in fault) return { ...reply, ending: "half" };
  const asJson = { ...reply, status: 200, headers: { ...JSON_TYPE, ...reply.headers } };
  if ("garbage" in fault) return { ...asJson, text: fault.garbage === true ? NOT_JSON : fault.garbage };
  if (!("giant" in fault)) return reply;
  const text = reply.text ?? "{}";
  const blanks = " ".repeat(Math.max(0, fault.giant - Buffer.byteLength(text)));
  return { ...asJson, status: reply.text === undefined ? 200 : reply.status, text: blanks + text };
}

/** Sends a reply, or nothing, as its ending says. */
export function sendReply(response: ServerResponse, { status, headers, text, ending }: Reply): void {
  if (ending === "hang") return;
  if (ending === "drop") {
    response.destroy();
    return;
  }
  if (text === undefined) {
    response.writeHead(status, headers);
    if (ending === "whole") response.end();
    else response.destroy();
    return;
  }
  const bytes = Buffer.from(text);
  response.writeHead(status, { ...headers, "content-length": String(bytes.length) });
  if (ending === "whole") response.end(bytes);
  else response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
}

function lowerNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
