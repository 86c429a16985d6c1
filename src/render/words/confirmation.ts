/** What waits for an agreement, and how it is given. */
interface Awaited<Summary, Note> {
  /** The digest of all that would be done. */
  readonly digest: string;
  /** How much would be done, by what it is. */
  readonly summary: Summary;
  /** What to look at before it is agreed to. */
  readonly notes: Note[];
  /** The words of the command that agrees to exactly this. */
  readonly command: readonly string[];
}

/** Makes what programs get of it: the same members in each result. */
export function confirmation<Summary, Note>({ command, ...asked }: Awaited<Summary, Note>) {
  return { type: "confirm" as const, ...asked, command: [...command] };
}
