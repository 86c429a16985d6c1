import { turnOf, type FieldTurn } from "./note-parts.js";
import type { Remark, RemarkOf, Subject } from "./rule.js";

/** Makes the finder of a changed field of the body. */
export function fieldChanged(field: string): (subject: Subject) => Remark<FieldTurn>[] {
  return ({ before, after, changed }) => {
    if (!changed.has(field)) return [];
    return [{ path: field, parts: { field, ...turnOf(before.body[field], after.body[field]) } }];
  };
}

/** Finds resources that are no longer protected. */
export function protectRemoved({ before, after }: Subject): RemarkOf<"protect-removed">[] {
  return !before.protect || after.protect ? [] : [{ path: "lifecycle.protect", parts: {} }];
}

/** Finds resources whose objects a later plan may delete. */
export function removalDeletes({ before, after }: Subject): RemarkOf<"removal-deletes">[] {
  if (before.isDeletedOnRemoval || !after.isDeletedOnRemoval) return [];
  return [{ path: "lifecycle.on_removal", parts: {} }];
}
