/** What docs/reference/diagnostics.md says about a code; `marks` are its comments, which say how the example is tested. */
export interface WrittenExplanation {
  readonly code: string;
  readonly effect?: string;
  readonly meaning: string;
  readonly about?: string;
  readonly fix: string;
  readonly parts: readonly { readonly label: string; readonly lines: readonly string[] }[];
  readonly marks: string;
}

/** Reads docs/reference/diagnostics.md: the lines of the workspace of the examples, and what is said about each code. */
export function readExplanations(text: string): {
  readonly workspace: readonly string[];
  readonly diagnostics: readonly WrittenExplanation[];
  readonly notes: readonly WrittenExplanation[];
};
