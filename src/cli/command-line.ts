/** An option as it was typed; without a value where it takes none. */
export type TypedOption = readonly [long: string, value?: string];

/** A command line that was understood, in its parts. */
export interface CommandLine {
  /** The words of the command, such as `lock` and `resolve`. */
  readonly path: readonly string[];
  readonly options: readonly TypedOption[];
  readonly args: readonly string[];
}

/** Gives the same command with other options in the place of some, as the words of a new command line. */
export function wordsWith(
  { path, options, args }: CommandLine,
  left: readonly string[],
  added: readonly TypedOption[],
): string[] {
  const kept = options.filter(([long]) => !left.includes(long));
  // Only what begins like an option could be taken for one.
  const fence = args.some((each) => each.startsWith("-")) ? ["--"] : [];
  return ["agentform", ...path, ...[...kept, ...added].flatMap(optionWords), ...fence, ...args];
}

function optionWords([long, value]: TypedOption): string[] {
  if (value === undefined) return [long];
  return value.startsWith("-") ? [`${long}=${value}`] : [long, value];
}
