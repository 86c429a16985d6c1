import type { JournalLine } from "../../generated/journal.js";
import { validate } from "../../generated/validate-journal.js";
import { isShallow, type JsonObject } from "../../json/json.js";
import { isAddress } from "../kind/address.js";
import { fitsLock, stateDepth } from "./lock-shape.js";

/**
 * Whether a parsed line of a journal is a header or record; a checksum proves that a line is complete, not that it
 * makes sense.
 */
export function isJournalLine(value: unknown): value is JournalLine {
  return (
    isShallow(value, stateDepth) &&
    validate(value) &&
    managedAddresses(value).every(isAddress) &&
    bodiesOf(value).every(([address, body]) => fitsLock(address, body))
  );
}

/** The addresses whose kind has to be known. */
function managedAddresses(line: JournalLine): string[] {
  switch (line.type) {
    case "begin":
    case "forget":
    case "delete":
    case "entry":
    case "resolved":
      return [line.address];
    case "move":
      return line.moves.flatMap(({ from, to }) => [from, to]);
    default:
      return [];
  }
}

/** The bodies that the line puts into the lock, each with its address. */
function bodiesOf(line: JournalLine): [address: string, body: JsonObject][] {
  switch (line.type) {
    case "begin":
      return [[line.address, line.body]];
    case "claim":
      return line.creates.map(({ address, body }) => [address, body]);
    case "entry": {
      const { body, attempted = {} } = line.entry;
      return [
        [line.address, body],
        [line.address, attempted],
      ];
    }
    default:
      return [];
  }
}
