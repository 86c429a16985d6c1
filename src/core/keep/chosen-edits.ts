import type { Finding } from "../finding/diagnostic.js";

/** What is wrong with some edits together. */
export interface EditProblem<Edit> {
  /** Whether an edit may be why. */
  readonly isSuspect: (edit: Edit) => boolean;
  /** Says why an edit is not made. */
  readonly explain: (edit: Edit) => Finding;
}

/** The edits that are made, and why the others are not. */
export interface ChosenEdits<Edit> {
  readonly made: readonly Edit[];
  readonly refused: ReadonlyMap<Edit, Finding>;
}

/** Finds the most edits that are right together: what is wrong takes nothing with it that is right without it. */
export function chooseEdits<Edit>(
  all: readonly Edit[],
  attempt: (edits: readonly Edit[]) => readonly EditProblem<Edit>[],
): ChosenEdits<Edit> {
  const refused = new Map<Edit, Finding>();
  const accept = (right: readonly Edit[], more: readonly Edit[]): readonly Edit[] => {
    if (more.length === 0) return right;
    const together = new Set([...right, ...more]);
    const problems = attempt(all.filter((each) => together.has(each)));
    const [first] = problems;
    if (!first) return [...together];
    for (const { isSuspect, explain } of problems) {
      const [one, ...others] = more.length === 1 ? more : more.filter(isSuspect);
      if (one !== undefined && others.length === 0 && !refused.has(one)) refused.set(one, explain(one));
    }
    const left = more.filter((each) => !refused.has(each));
    if (left.length < more.length) return accept(right, left);
    const suspects = left.filter((each) => problems.some(({ isSuspect }) => isSuspect(each)));
    const isApart = suspects.length > 0 && suspects.length < left.length;
    // Every other one, so that those of the same resource are parted first.
    const [one, other] = isApart
      ? [left.filter((each) => !suspects.includes(each)), suspects]
      : [left.filter((_, index) => index % 2 === 0), left.filter((_, index) => index % 2 === 1)];
    return accept(accept(right, one), other);
  };
  return { made: accept([], all), refused };
}
