import type { EditGroup } from "../../core/review/edit-groups.js";
import type { ReviewNote } from "../../core/review/review.js";
import type { Action, Change, PlanDiagnostic, StateChange } from "../../generated/plan.js";
import type { reviewTitles } from "../words/review-words.js";
import type { ShownChange } from "../change/shown-change.js";
import type { Way } from "./action-sentences.js";

/** A section of a plan by its name. */
export type SectionName = Exclude<keyof typeof reviewTitles, "actions">;

/** The sections of the review itself, which a form with little room cuts and a filter narrows. */
export type ReviewedName = "notes" | "held" | "onlyHere" | "groups" | "created" | "consequences";

/** The sections before what the plan was compared with. */
export type NameAbove = "state" | "errors" | "settings" | "calls";

/** The sections after the review. */
export type NameBelow = Exclude<SectionName, NameAbove | ReviewedName>;

/** A section by where it stands. */
export interface SectionOf<Where, Key extends SectionName, Of extends Item> {
  readonly place: Where;
  readonly name: Key;
  readonly title: string;
  /** Without a full stop, so that it can go on in a line. */
  readonly meaning?: string;
  readonly items: readonly Of[];
}

/** A section before what the plan was compared with, or after the review. */
export type PlainSection =
  | SectionOf<"above", NameAbove, PlainItem>
  | SectionOf<"below", NameBelow, PlainItem>;

/** A part of what a plan shows, with what it means. */
export type PlanSection = PlainSection | SectionOf<"review", ReviewedName, ReviewedItem>;

/** Something that a section of a plan shows; each form prints every sort of it in one way, whatever the section. */
export type Item = PlainItem | ReviewedItem;

/** An item that every form shows whole. */
export type PlainItem = StateItem | SettingItem | SaidItem;

/** An item of the review itself. */
export type ReviewedItem = NoteItem | EditItem | KinItem | GroupItem | AlikeItem;

/** An edit of the state. */
export interface StateItem {
  readonly sort: "state";
  readonly change: StateChange;
  /** What was edited, such as `policy:strict` or the ID of a retired object. */
  readonly name: string;
  /** What the edited part is, and what was done to it. */
  readonly what: string;
  /** What becomes of an object of which the state knows nothing any more. */
  readonly lost?: string;
  /** Whether its difference is shown with it. */
  readonly isOpen: boolean;
}

/** A setting that differs from that of the last apply. */
export interface SettingItem {
  readonly sort: "setting";
  readonly change: Change;
  readonly note?: Pick<ReviewNote, "effect" | "message" | "code">;
}

/** A guardrail note of one or more resources. */
export interface NoteItem {
  readonly sort: "note";
  readonly note: ReviewNote;
  /** The change that is shown with it, without the lines around it where there is little room. */
  readonly change?: ShownChange;
  /** How many lines of the change are shown. */
  readonly lines: number;
  /** How many more it has, which are shown below. */
  readonly left: number;
  /** Whether what it is about is shown in a section before it. */
  readonly isAbove: boolean;
}

/** An action with those of its edits that are shown with it. */
export interface EditItem {
  readonly sort: "edit";
  readonly action: Action;
  /** All of them; of a new resource its fields. */
  readonly all: readonly Change[];
  /** Those that guardrail notes show whole. */
  readonly noted: readonly Change[];
  /** The others. */
  readonly changes: readonly Change[];
  /** Whether it waits for a person. */
  readonly isHeld: boolean;
  /** Whether the resource as a whole is created, adopted, forgotten, moved or recorded. */
  readonly isWhole: boolean;
  /** Says which of the edits no guardrail note is about. */
  readonly judged: readonly string[];
  /** Why, beside that it was edited. */
  readonly reasons: readonly string[];
  /** What a person can do about an unknown outcome. */
  readonly ways: readonly Way[];
  /** The objects that it leaves behind; a section of its own counts them, unless it waits for a person. */
  readonly leaves: readonly string[];
  /** What else follows from it. */
  readonly follows: readonly string[];
  /** How many of its edits other resources share. */
  readonly shared: number;
  /** Whether guardrail notes name the resource. */
  readonly isNamed: boolean;
}

/** New resources that are alike, such as those of one `for_each`. */
export interface KinItem {
  readonly sort: "kin";
  readonly first: EditItem;
  /** What differs in each of the others. */
  readonly others: readonly KinMember[];
}

/** A new resource that is like another but for these changes: before is what the other has, after what this one has. */
export interface KinMember {
  readonly action: Action;
  /** The address of the other. */
  readonly like: string;
  readonly changes: readonly Change[];
}

/** Edits that several resources share: one, or all of one OpenAPI document. */
export interface GroupItem {
  readonly sort: "group";
  /** Without those that guardrail notes show whole. */
  readonly edits: readonly EditGroup[];
  /** Those that guardrail notes show whole. */
  readonly noted: readonly EditGroup[];
  /** As of one edit of all the resources. */
  readonly group: EditGroup;
}

/** Resources with which the same happens for the same reasons. */
export interface AlikeItem {
  readonly sort: "alike";
  readonly action: Action["action"];
  readonly reasons: readonly string[];
  readonly actions: readonly Action[];
  /** The addresses that the plan knows, so that a pattern stands for none of the others. */
  readonly known: readonly string[];
}

/** Something said in words. */
export interface SaidItem {
  readonly sort: "said";
  /** The field that it is about, or the word that it explains. */
  readonly field?: string;
  readonly word?: string;
  readonly text: string;
  /** What it is about, to be named where there is no room for the text. */
  readonly names?: readonly string[];
  /** What a diagnostic has beside its message. */
  readonly diagnostic?: Pick<PlanDiagnostic, "severity" | "code" | "hint"> & {
    readonly places: readonly string[];
  };
}
