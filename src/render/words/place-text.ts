/** A place in a file; a column is only there with a line. */
interface ShownPlace {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Renders a place as `file:line:column`, as far as it is known; undefined without a file. */
export function placeText({ file, line, column }: ShownPlace): string | undefined {
  if (file === undefined) return undefined;
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
}
