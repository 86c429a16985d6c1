import { choiceOfPlan } from "../../core/state/state-choice.js";
import { groupBy } from "../../json/groups.js";
import { knownAddresses } from "../../core/plan/plan-summary.js";
import { reviewOf } from "../../core/review/review.js";
import type { Plan } from "../../generated/plan.js";
import { notJudgedMeaning, reviewMeanings, reviewTitles } from "../words/review-words.js";
import { callsItems } from "./calls-texts.js";
import { groupItems, heldItem, isNotedIn, ownItems, withAlike } from "./edit-item.js";
import { withKin } from "./kin.js";
import { knownWords } from "./known-words.js";
import { isOfSetting, noteItem } from "./note-item.js";
import { alike, leftBehind, notedChanges } from "./plan-review.js";
import type {
  EditItem,
  Item,
  NameAbove,
  NameBelow,
  PlainItem,
  PlanSection,
  ReviewedItem,
  ReviewedName,
  SectionName,
  SectionOf,
  SettingItem,
} from "./plan-section.js";
import { diagnosticItems, notJudgedItems, said } from "./said-items.js";
import { stateItem } from "./state-item.js";

/** Gives all sections of a plan that have anything, in the order of a review; every form prints these. */
export function sectionsOf(plan: Plan): PlanSection[] {
  const review = reviewOf(plan);
  const notes = review.notes.map((note, at) => noteItem(note, at));
  const whole = notes.filter(({ isWhole }) => isWhole).map(({ item }) => item.note);
  const noted = notedChanges(whole, plan);
  const state = (plan.state_changes ?? []).map((change) => stateItem(change, plan.notes));
  const warned = groupBy(
    plan.diagnostics.filter(({ severity }) => severity === "warning"),
    ({ address }) => address,
  );
  const own = ownItems(review, noted).map((item) => {
    const warnings = warned.get(item.action.address) ?? [];
    return { ...item, follows: [...item.follows, ...warnings.map(({ message }) => `warning: ${message}`)] };
  });
  const known = knownAddresses(plan);
  const isNew = ({ action }: EditItem): boolean => action.action === "create";
  const above: Readonly<Record<NameAbove, PlainItem[]>> = {
    state,
    errors: diagnosticItems(plan, (severity) => severity === "error"),
    settings: settingItems(plan),
    calls: callsItems(plan),
  };
  const reviewed: Readonly<Record<ReviewedName, ReviewedItem[]>> = {
    notes: notes.map(({ item }) => item),
    held: review.held.map((action) => heldItem(action, choiceOfPlan(plan))),
    onlyHere: withAlike(
      own.filter((item) => !isNew(item)),
      known,
    ),
    groups: groupItems(review.groups, isNotedIn(noted)),
    created: withKin(own.filter(isNew)),
    consequences: alike(review.consequences, known),
  };
  const below: Readonly<Record<NameBelow, PlainItem[]>> = {
    notJudged: notJudgedItems(review),
    leftBehind: leftBehind(plan).map(said),
    words: knownWords(plan),
    stateEdits: state.filter(({ isOpen }) => !isOpen).map((item) => ({ ...item, isOpen: true })),
    warnings: diagnosticItems(plan, (severity) => severity !== "error"),
  };
  const meanings = { ...reviewMeanings, notJudged: notJudgedMeaning(review.unjudged) };
  return [
    ...sectionsAt("above", above, meanings),
    ...sectionsAt("review", reviewed, meanings),
    ...sectionsAt("below", below, meanings),
  ];
}

function sectionsAt<Where extends string, Key extends SectionName, Of extends Item>(
  place: Where,
  itemsOf: Readonly<Record<Key, Of[]>>,
  meanings: Readonly<Partial<Record<SectionName, string>>>,
): SectionOf<Where, Key, Of>[] {
  return (Object.keys(itemsOf) as Key[])
    .filter((name) => itemsOf[name].length > 0)
    .map((name) => {
      const meaning = meanings[name];
      const about = { title: reviewTitles[name], ...(meaning !== undefined && { meaning }) };
      return { place, name, ...about, items: itemsOf[name] };
    });
}

function settingItems({ setting_changes = [], notes }: Plan): SettingItem[] {
  const noteOf = new Map(notes.filter(isOfSetting).map((note) => [note.path, note]));
  return setting_changes.map((change) => {
    const note = noteOf.get(change.path);
    return { sort: "setting", change, ...(note && { note }) };
  });
}
