/** The parts of a review by name, wherever a plan is shown. */
export const reviewTitles = {
  errors: "Errors",
  state: "State edited by this change",
  settings: "Settings",
  calls: "Where calls and keys go",
  notes: "Guardrail notes",
  held: "Waits for a person",
  onlyHere: "Only here",
  groups: "The same edit in several resources",
  created: "New",
  consequences: "Consequences",
  notJudged: "Not judged",
  leftBehind: "Left behind",
  words: "Words",
  stateEdits: "Edits of the state, whole",
  warnings: "Warnings and notes",
  actions: "All actions",
} as const;

/** What some of the parts mean. */
export const reviewMeanings = {
  state:
    "applies and `agentform lock` write the state. An edit of it decides which objects are updated, and what counts as sent already",
  held: "the outcome of an earlier apply is unknown, or the action waits for one that is",
  onlyHere: "edits that no other resource has",
  groups: "each edit is shown once, as in the first of its resources",
  created: "resources that were not there",
  consequences:
    "not edited: these are sent or recorded again, or follow from other changes, such as from a new ID",
} as const;

/** Says how many edits no note is about: no rule looks at them, or what it would say is excused. */
export function notJudgedMeaning(count: number): string {
  return count === 1
    ? "no note is about this edit. Read it"
    : `no note is about these ${count} edits. Read them`;
}

/** Writes the meaning of a part as a sentence of its own. */
export function asSentence(meaning: string): string {
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
}
