import type { Finding } from "../finding/diagnostic.js";

/** What is wrong with some edits together. */
export interface EditProblem<Each> {
  /** Whether an edit may be why. */
  readonly isSuspect: (edit: Each) => boolean;
  /** Says why an edit is not made. */
  readonly explain: (edit: Each) => Finding;
}

/** The edits that are made, and why the others are not. */
export interface ChosenEdits<Each> {
  readonly made: readonly Each[];
  readonly refused: ReadonlyMap<Each, Finding>;
}

// Each attempt loads the workspace, and more edits than this that are each refused have hardly one reason.
const mostTriedInPairs = 8;

/** Finds the most edits that are right together; those refused alone are tried together, if they are related. */
export function chooseEdits<Each>(
  all: readonly Each[],
  attempt: (edits: readonly Each[]) => readonly EditProblem<Each>[],
  isRelated: (one: Each, other: Each) => boolean,
): ChosenEdits<Each> {
  const refused = new Map<Each, Finding>();
  const accept = (right: readonly Each[], more: readonly Each[]): readonly Each[] => {
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
  const made = new Set(accept([], all));
  for (const group of groupsOf([...refused.keys()], isRelated)) {
    let left = group;
    let found: readonly Each[] | undefined;
    do {
      found = togetherIn(left).find((some) => {
        const tried = new Set([...made, ...some]);
        return attempt(all.filter((each) => tried.has(each))).length === 0;
      });
      for (const each of found ?? []) {
        refused.delete(each);
        made.add(each);
      }
      left = left.filter((each) => !found?.includes(each));
    } while (found);
  }
  return { made: all.filter((each) => made.has(each)), refused };
}

// All of them, all but one, and two.
function togetherIn<Each>(group: readonly Each[]): (readonly Each[])[] {
  if (group.length < 2) return [];
  if (group.length > mostTriedInPairs) return [group];
  const butOne = group.length > 3 ? group.map((one) => group.filter((each) => each !== one)) : [];
  const pairs = group.flatMap((one, at) => group.slice(at + 1).map((other) => [one, other]));
  return group.length === 2 ? pairs : [group, ...butOne, ...pairs];
}

function groupsOf<Each>(edits: readonly Each[], isRelated: (one: Each, other: Each) => boolean): Each[][] {
  return edits.reduce<Each[][]>((groups, edit) => {
    const isNear = (group: readonly Each[]) => group.some((each) => isRelated(each, edit));
    return [...groups.filter((group) => !isNear(group)), [...groups.filter(isNear).flat(), edit]];
  }, []);
}
