/** Input that makes a parser work as hard as any that was found; the files of a workspace of about `bytes` bytes. */
export interface WorstCase {
  readonly name: string;
  files(bytes: number): Readonly<Record<string, string>>;
}

/** Repeats a text, numbered from 0, until there are about `bytes` characters of it. */
export function fill(bytes: number, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < bytes; index++) {
    const next = part(index);
    parts.push(next);
    length += next.length;
  }
  return parts.join("");
}

/** The document of an agent whose spec has these lines beside its name. */
export function agent(lines: readonly string[] = [], key = "a"): string {
  const head = `apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: ${key}}\nspec:\n  name: A\n`;
  return head + lines.map((line) => `  ${line}\n`).join("");
}
