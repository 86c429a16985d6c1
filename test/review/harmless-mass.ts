import type { JsonObject } from "../../src/json/json.js";
import type { Desk } from "./desk.js";
import type { Dice } from "./dice.js";
import { reword, specOf, within, type Draft } from "./draft.js";

/** An edit that many resources share, and the words by which it is known wherever it is shown. */
interface HarmlessEdit {
  readonly words: string;
  readonly make: (spec: JsonObject) => void;
}

const inPrompt = (before: string, after: string, words: string): HarmlessEdit => ({
  words,
  make: (spec) => reword(spec, "system_prompt", before, after),
});

const promptEdits: readonly HarmlessEdit[] = [
  inPrompt("customer by name.", "customer by name and thank them for writing.", "thank them for writing"),
  inPrompt("langauge", "language", "Answer in the language"),
  inPrompt("hours are 9 to 17.", "hours are 8 to 18.", "8 to 18"),
  inPrompt("with a friendly line.", "with a short, friendly line.", "short, friendly"),
  inPrompt("Say so when", "Offer a link to the help pages.\nSay so when", "Offer a link to the help pages"),
];

const newTopic: HarmlessEdit = {
  words: "spring offers",
  make: (spec) => {
    const allowed = within(spec, "allowed_topics");
    if (Array.isArray(allowed.topics)) allowed.topics = [...allowed.topics, "spring offers"];
  },
};

const newDescription: HarmlessEdit = {
  words: "newest first",
  make: (spec) =>
    reword(
      within(spec, "openapi_schema", "paths", "/orders", "get"),
      "description",
      "customer.",
      "customer, newest first.",
    ),
};

/** Every distinct edit of the harmless mass. */
export const harmlessEdits: readonly HarmlessEdit[] = [...promptEdits, newTopic, newDescription];

/** The rules that the harmless mass may set off. */
export const harmlessCodes: ReadonlySet<string> = new Set(["allowed-topic-added", "description-changed"]);

/** How many resources of each kind get a harmless edit. */
export interface MassSize {
  readonly prompts: number;
  readonly policies: number;
  readonly toolsets: number;
}

/** Edits the first resources of each kind: the prompts by one of five edits each, the others by the same. */
export function editHarmlessly(draft: Draft, desk: Desk, size: MassSize, dice: Dice): void {
  for (const [index, address] of desk.agents.slice(0, size.prompts).entries()) {
    // Each edit several times, and the rest as it comes.
    const choice = index < 3 * promptEdits.length ? index % promptEdits.length : dice(promptEdits.length);
    promptEdits[choice]?.make(specOf(draft, address));
  }
  for (const address of desk.policies.slice(0, size.policies)) newTopic.make(specOf(draft, address));
  for (const address of desk.toolsets.slice(0, size.toolsets)) newDescription.make(specOf(draft, address));
}
