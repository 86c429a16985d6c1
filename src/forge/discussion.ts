/** A comment as a forge keeps it; `body` is Markdown. */
export interface Comment {
  readonly id: number;
  /** The name that it has beyond its sort of things, if the forge gives one. */
  readonly globalId?: string;
  readonly body: string;
}

/** The comments of one pull request or merge request. */
export interface Discussion {
  /** What people call it, such as `pull request 12 of acme/desk`. */
  readonly name: string;
  /** The most UTF-8 bytes that the forge surely takes in one comment. */
  readonly maxBytes: number;
  /** What a reader of a comment must know beforehand, as a quotation in bold; most often nothing. */
  readonly caution?: string;
  /** Finds the comments of the token's own user that end in a marker, the oldest first; throws ForgeError. */
  findOwn(marker: string): Promise<readonly Comment[]>;
  /** Whether the text of a comment is as the token's own user wrote it; throws ForgeError. */
  isUntouched(comment: Comment): Promise<boolean>;
  /** Writes a new comment; throws TooLongError or ForgeError. */
  create(body: string): Promise<void>;
  /** Writes another text into a comment; throws TooLongError or ForgeError. */
  update(comment: Comment, body: string): Promise<void>;
}

/** Whether a comment ends in a marker; further up it may be a text that the comment quotes. */
export function isMarked(body: string, marker: string): boolean {
  return body.trimEnd().endsWith(marker);
}

/** The forge did not do what it was asked to do; the message is a sentence that says why, and holds no secret. */
export class ForgeError extends Error {
  override readonly name: string = "ForgeError";
}

/** The forge takes no comment that is so long. */
export class TooLongError extends ForgeError {
  override readonly name = "TooLongError";
}

/** The pull request of a run is closed, or has newer commits, so there is nothing to comment on. */
export class OutdatedError extends ForgeError {
  override readonly name = "OutdatedError";
}

/** The environment lacks what is needed to reach a forge; the message names it. */
export class SurroundingsError extends Error {
  override readonly name = "SurroundingsError";
}

/** Gives variables of the environment by name; throws SurroundingsError with all that are missing. */
export function requireVariables<Name extends string>(
  env: NodeJS.ProcessEnv,
  names: readonly Name[],
  where: string,
): Record<Name, string> {
  const missing = names.filter((name) => (env[name] ?? "") === "");
  if (missing.length > 0) {
    throw new SurroundingsError(`${missing.join(" and ")} must be set to comment on ${where}`);
  }
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) found[name] = env[name] ?? "";
  return found as Record<Name, string>;
}
