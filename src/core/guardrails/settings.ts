import type { Remark, Subject } from "./rule.js";
import { turn } from "./wording.js";

/** Makes the finder of a changed field of the body. */
export function fieldChanged(field: string): (subject: Subject) => Remark[] {
  return ({ before, after, changed }) => {
    if (!changed.has(field)) return [];
    return [{ path: field, message: `\`${field}\` ${turn(before.body[field], after.body[field])}` }];
  };
}

/** Finds resources that are no longer protected. */
export function protectRemoved({ before, after }: Subject): Remark[] {
  if (!before.protect || after.protect) return [];
  return [
    {
      path: "lifecycle.protect",
      message: "is no longer protected, so a later plan may replace or forget it",
    },
  ];
}

/** Finds resources whose objects a later plan may delete. */
export function removalDeletes({ before, after }: Subject): Remark[] {
  if (before.isDeletedOnRemoval || !after.isDeletedOnRemoval) return [];
  return [
    {
      path: "lifecycle.on_removal",
      message: "is now deleted in the service when its document is removed",
    },
  ];
}
