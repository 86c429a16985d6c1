import type { Answer, Fault } from "../../service/fault.js";
import { isPage, refuseFault, refusing, type Doing, type RefusedRequest } from "../network/refusal.js";

/** How a server is named, and whether it got credentials. */
export interface ServerNames {
  readonly name: string;
  readonly hasCredentials: boolean;
}

/** Explains an answer that is none of those that a request expects, or a fault; quotes nothing that the server said. */
export function refusalOf(
  answer: Answer | Fault,
  doing: Doing,
  { name, hasCredentials }: ServerNames,
): RefusedRequest {
  if (!answer.ok) return refuseFault(answer, doing, name, trustHint);
  const refuse = refusing(answer, doing, name);
  if (answer.status === 401) {
    const why = hasCredentials
      ? "it does not accept the user name and password (HTTP 401)"
      : "it needs a user name and password (HTTP 401)";
    return refuse(why, credentialsHint);
  }
  if (answer.status === 403) {
    return refuse(
      "the user is not allowed to (HTTP 403)",
      `${credentialsHint}. GitLab: the role Developer may read the state, Maintainer may write it`,
    );
  }
  if (answer.status >= 300 && answer.status < 400) {
    const hint = "set the address in `spec.lock` to the one that the server means";
    return refuse(`it redirects, which agentform does not follow (HTTP ${answer.status})`, hint);
  }
  // Nobody knows what became of the request behind it.
  if (answer.status < 300 && isPage(answer))
    return refuse(`a web page was answered (HTTP ${answer.status})`, pageHint, true);
  const { hint, isPassing = false } = known[answer.status] ?? { isPassing: answer.status >= 500 };
  return refuse(`the server answered HTTP ${answer.status}`, hint, isPassing);
}

const credentialsHint =
  "set TF_HTTP_USERNAME and TF_HTTP_PASSWORD, or `username` and `password` of `spec.lock`; a pipeline of a fork has neither, so plan it where they are set";

const trustHint =
  "name the certificates to trust with `--ca-file`, NODE_EXTRA_CA_CERTS or TF_HTTP_CLIENT_CA_CERTIFICATE_PEM";

const pageHint = "check the address in `spec.lock`, and whether a login or a proxy answers";

const known: Readonly<Record<number, { readonly hint?: string; readonly isPassing?: boolean }>> = {
  404: {
    hint: "check the address in `spec.lock`; GitLab answers so for a project that the user may not see",
  },
  405: { hint: "set `lock_method` and `unlock_method` of `spec.lock` to those of the server" },
  408: { isPassing: true },
  413: { hint: "raise the server's limit for the size of a state, or use the store `git`" },
  422: { hint: "look at the state on the server: it may have been removed", isPassing: true },
  429: { isPassing: true },
  501: { hint: "set `lock_method` and `unlock_method` of `spec.lock` to those of the server" },
};
