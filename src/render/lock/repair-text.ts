import type {
  AddressChange,
  ChangedObject,
  RenamedState,
  RepairChange,
  StoreChange,
} from "../../core/lock-edit/repair-change.js";
import { storeText } from "../../core/state/lock-move.js";
import { safeLine } from "../words/terminal-text.js";

/** Renders what a repair of the state did, one line for each thing. */
export function renderRepair(changes: readonly RepairChange[]): string {
  return changes
    .map((change) => {
      const words = "address" in change ? addressWords(change) : storeWords(change);
      return `${safeLine(`${subjectOf(change)}: ${words}`)}\n`;
    })
    .join("");
}

function subjectOf(change: RepairChange): string {
  if ("address" in change) return change.address;
  if (change.type === "journal-kept") return change.journal;
  return change.type === "to-do" ? "agentform.yaml" : change.lock;
}

function addressWords(change: AddressChange): string {
  switch (change.type) {
    case "adopted": {
      const follows =
        change.content === "to-send"
          ? "the next apply updates it to match its document"
          : "its content is assumed to equal its document";
      return `adopted ${objectText(change)}; ${follows}`;
    }
    case "found": {
      const left = change.left ? `; left behind: ${objectText(change.left)}` : "";
      return `adopted ${objectText(change)}, which the ${change.operation} of ${change.since} made${left}`;
    }
    case "partly-found":
      return `found ${objectText(change)}; the outcome of ${change.missing.join(", ")} is still unknown`;
    case "identified":
      return `has ${objectText(change)} now`;
    case "already-managed":
      return `is already managed, with ${objectText(change)}`;
    case "tools-named":
      return toolsText(change.tools);
    case "tools-named-already":
      return `${toolsText(change.tools)} already`;
    case "not-created":
      if (change.left) return `the rest was not created; left behind: ${objectText(change.left)}`;
      return change.kept ? `was not replaced; it stays ${objectText(change.kept)}` : "was not created";
    case "changed-twice":
      return "changed on both sides, so the next apply sends it again";
  }
}

function storeWords(change: StoreChange): string {
  switch (change.type) {
    case "unlocked":
      return `unlocked${change.holder === undefined ? "" : ` (${change.holder}, since ${change.since})`}`;
    case "restored": {
      const { merged_with: places, serial } = change;
      return `${places.length > 0 ? `merged with ${places.join(" and ")}; ` : ""}now serial ${serial}`;
    }
    case "nothing-to-restore": {
      const what = change.is === "newest" ? "is the newest known version" : "is one state with its journal";
      return `${what}, so there is nothing to restore`;
    }
    case "journal-kept": {
      const what = change.read
        ? "what could be read of it is in the lock now"
        : "nothing of it is in the lock";
      const { unsealed = [] } = change;
      const rest =
        unsealed.length > 0
          ? `; lines without a valid seal say that a request was begun for ${unsealed.join(", ")}, which is not in the lock: look in the service for what it made before you apply`
          : "";
      return `${what}${rest}; the journal itself is kept as ${change.file}`;
    }
    case "merged":
      return `merged to serial ${change.serial}; \`git add\` it`;
    case "moved":
      return `moved to ${change.to}${renamedText(change.renamed)}, now serial ${change.serial}`;
    case "already-moved":
      return `is moved to ${change.to} already, which has serial ${change.serial}`;
    case "renamed":
      return `renamed${renamedText(change.renamed)}, now serial ${change.serial}`;
    case "already-renamed":
      return "is renamed already";
    case "nothing-to-rename":
      return "nothing was applied, so there is nothing to rename";
    case "nothing-to-move":
      return "nothing was applied, so there is nothing to move";
    case "to-do":
      return todoText(change.store && storeText(change.store), change.commit.join(" and "));
    case "sealed":
      return `sealed, now serial ${change.serial}`;
    case "sealed-already":
      return "sealed with this key already";
    case "nothing-to-seal":
      return "nothing was applied; the first apply seals it";
  }
}

function objectText({ ids, tools }: ChangedObject): string {
  const pairs = tools && Object.entries(tools).map(([operation, id]) => `${operation}=${id}`);
  if (pairs) return `IDs ${pairs.join(", ")}`;
  if (ids.length === 0) return "no ID";
  return `${ids.length === 1 ? "ID" : "IDs"} ${ids.join(", ")}`;
}

function toolsText(tools: Readonly<Record<string, string>>): string {
  return Object.entries(tools)
    .map(([operation, id]) => `${operation} is ${id}`)
    .join(", ");
}

function renamedText(renamed: RenamedState | undefined): string {
  return renamed ? `, ${renamed.of} ${renamed.from} to ${renamed.to}` : "";
}

function todoText(store: string | undefined, files: string): string {
  if (store === undefined) return `commit it with ${files}`;
  return `write \`lock: ${store}\` under \`spec\`${files === "" ? "" : `, and commit ${files} with it`}`;
}
