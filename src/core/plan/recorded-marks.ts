import { memberTurns } from "../guardrails/note-parts.js";
import { compareText } from "../../json/compare-text.js";
import { equal } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import type { Resource } from "../resources/resource.js";
import type { RecordedMarks } from "../state/document-marks.js";
import type { Change } from "./difference.js";

const recordedLifecycle = { protect: false, on_removal: "forget", on_replaced: "keep" } as const;

/** The keys of what the lock records of the lifecycle of a resource. */
export const recordedKeys = Object.keys(recordedLifecycle) as readonly (keyof typeof recordedLifecycle)[];

/** Gives what the lock records of a document, without what is as it is unless given. */
export function recordedMarks({ lifecycle, labels }: Pick<Resource, "lifecycle" | "labels">): RecordedMarks {
  return {
    ...(lifecycle.protect === true && { protect: true }),
    ...(lifecycle.on_removal === "delete" && { on_removal: "delete" as const }),
    ...(lifecycle.on_replaced === "delete" && { on_replaced: "delete" as const }),
    ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
  };
}

/** How what is to be recorded of a document differs from what the lock has of it. */
export function recordedChanges(before: RecordedMarks, after: RecordedMarks): Change[] {
  const ofLifecycle = recordedKeys.flatMap((key): Change[] => {
    const [was, is] = [before[key] ?? recordedLifecycle[key], after[key] ?? recordedLifecycle[key]];
    return was === is ? [] : [{ path: `lifecycle.${key}`, before: was, after: is }];
  });
  // Of most resources nothing is new.
  if (equal(before.labels, after.labels)) return ofLifecycle;
  const ofLabels = memberTurns(before.labels, after.labels)
    .toSorted((one, other) => compareText(one.field, other.field))
    .map(({ field, ...turn }) => ({ path: `metadata.labels.${pathSegment(field)}`, ...turn }));
  return [...ofLifecycle, ...ofLabels];
}

/** Whether the path of a change leads to what the lock records of a document, and not into what is sent. */
export function isRecorded(path: string): boolean {
  return path.startsWith("lifecycle.") || path.startsWith("metadata.labels.");
}
