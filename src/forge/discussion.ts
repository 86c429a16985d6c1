/** A comment on a forge; `body` is Markdown. */
export interface Comment {
  readonly id: number;
  /** Its globally unique ID, if the forge gives one. */
  readonly globalId?: string;
  readonly body: string;
  /** When it was last written, as the forge has it; what is no time counts as just now. */
  readonly writtenAt: string;
}

/** The comments of one pull request or merge request. */
export interface Discussion {
  /** How messages name it, such as `pull request 12 of acme/desk`. */
  readonly name: string;
  /** The number of UTF-8 bytes that the forge certainly accepts in one comment. */
  readonly maxBytes: number;
  /** The branch that its merge changes, or has changed. */
  readonly target: string;
  /** When it was merged, as the forge has it; undefined where that was not looked up. */
  readonly mergedAt?: string;
  /** A warning for readers of a comment, as a quotation in bold; usually empty. */
  readonly caution?: string;
  /** Finds the comments by the token's own user that end in a marker, oldest first; throws ForgeError. */
  findOwn(marker: string): Promise<readonly Comment[]>;
  /** Whether the text of a comment is as the token's own user wrote it; throws ForgeError. */
  isUntouched(comment: Comment): Promise<boolean>;
  /** Writes a new comment; throws TooLongError or ForgeError. */
  create(body: string): Promise<void>;
  /** Replaces the text of a comment; throws TooLongError or ForgeError. */
  update(comment: Comment, body: string): Promise<void>;
}

/** Whether a request changes what makes its plan: the author of that decides what the plan says. */
export type JobChange = "none" | "some" | "unknown";

/** Gives the warning for readers of the comment on a request that changes, or may change, what makes its plan. */
export function cautionOf(change: JobChange, request: string, files: string, saying: string): string[] {
  const plan = `so the plan below ${change === "some" ? "is" : "may be"} what its own ${saying}.**`;
  switch (change) {
    case "none":
      return [];
    case "some":
      return [`> **This ${request} changes ${files}, ${plan} Read that change first.`];
    case "unknown":
      return [
        `> **Whether this ${request} changes ${files} could not be determined, ${plan} Look at its files first.`,
      ];
  }
}

/** Whether a comment ends in a marker; elsewhere it may be part of a quoted text. */
export function isMarked(body: string, marker: string): boolean {
  return body.trimEnd().endsWith(marker);
}

/** The forge refused or failed; the message is a sentence that says why, without secrets. */
export class ForgeError extends Error {}

/** The forge does not accept a comment of this length. */
export class TooLongError extends ForgeError {}

/** The pull request of a run is closed, or has newer commits, so there is nothing to comment on. */
export class OutdatedError extends ForgeError {}

/** The environment lacks something that is needed to reach a forge; the message names it. */
export class SurroundingsError extends Error {}

/** What a forge says about a token that may not do something. */
interface TokenAdvice {
  /** The variable that has the token. */
  readonly variable: string;
  /** What the token, or its job, needs for it. */
  readonly needed: string;
}

/** Makes the failure for a status of a forge; undefined for an answer that cannot be read. */
export function refusal(
  forge: string,
  status: number | undefined,
  doing: string,
  { variable, needed }: TokenAdvice,
): ForgeError {
  if (status === 401)
    return new ForgeError(`${forge} does not accept the token (401): has ${variable} expired?`);
  if (status === 403) return new ForgeError(`${forge} does not let this token ${doing} (403): ${needed}`);
  if (status === 404) {
    return new ForgeError(`${forge} cannot ${doing} (404): it does not exist, or the token may not read it`);
  }
  return new ForgeError(`${forge} could not ${doing} (${status ?? "an answer that cannot be read"})`);
}

/** Reads environment variables; throws SurroundingsError with all that are missing. */
export function requireVariables<Key extends string>(
  env: NodeJS.ProcessEnv,
  names: readonly Key[],
  where: string,
): Record<Key, string> {
  const missing = names.filter((name) => (env[name] ?? "") === "");
  if (missing.length > 0) {
    throw new SurroundingsError(`${missing.join(" and ")} must be set to comment on ${where}`);
  }
  const found: Partial<Record<Key, string>> = {};
  for (const name of names) found[name] = env[name] ?? "";
  return found as Record<Key, string>;
}
