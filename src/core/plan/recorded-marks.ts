import { turnOf } from "../guardrails/note-parts.js";
import { equal } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import type { Resource } from "../resources/resource.js";
import type { RecordedMarks } from "../state/document-marks.js";
import type { Change } from "./difference.js";
import { member } from "../../json/json.js";

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
  return [...ofLifecycle, ...labelChanges(before.labels ?? {}, after.labels ?? {})];
}

function labelChanges(
  before: NonNullable<RecordedMarks["labels"]>,
  after: NonNullable<RecordedMarks["labels"]>,
): Change[] {
  if (equal(before, after)) return [];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted().flatMap((name) => {
    const [was, is] = [member(before, name), member(after, name)];
    return was === is ? [] : [{ path: `metadata.labels.${pathSegment(name)}`, ...turnOf(was, is) }];
  });
}

/** Whether the path of a change leads to what the lock records of a document, and not into what is sent. */
export function isRecorded(path: string): boolean {
  return path.startsWith("lifecycle.") || path.startsWith("metadata.labels.");
}
