import { depthLimit } from "../../json/json.js";
import type { RefusedKeys } from "./subset-value.js";

// With the columns of comments, which the search for deep texts counts, this stays below its limit.
const deepest = depthLimit / 2;
const lastCommentColumn = depthLimit / 2 - 2;

/** A place in a text of the subset that `readSubset` reads, which goes from one line with a value to the next. */
export class SubsetCursor {
  at = 0;
  /** Where the current line begins. */
  line = 0;
  /** The column of the first value of the current line; -1 at the end of a document. */
  indent = 0;
  /** Whether comments come between the current line and the one before it that has a value. */
  isAfterComment = false;
  /** How many values and comments there were so far. */
  count = 0;
  #depth = 0;

  constructor(
    readonly text: string,
    readonly refused: RefusedKeys,
  ) {}

  /** The current character; the end of the text counts as the end of a line. */
  get char(): string {
    return this.charAt(this.at);
  }

  get isOver(): boolean {
    return this.at >= this.text.length;
  }

  /** Opens a collection; false if too many are open. */
  open(): boolean {
    return ++this.#depth <= deepest;
  }

  close(): void {
    this.#depth--;
  }

  charAt(at: number): string {
    return this.text[at] ?? "\n";
  }

  /** Whether a space or the end of a line is at a place. */
  isBlank(at: number): boolean {
    const char = this.charAt(at);
    return char === " " || char === "\n";
  }

  /** Whether the dash of an item is at a place. */
  isItem(at = this.at): boolean {
    return this.charAt(at) === "-" && this.isBlank(at + 1);
  }

  afterSpaces(from = this.at): number {
    let at = from;
    while (this.text[at] === " ") at++;
    return at;
  }

  lineEnd(from = this.at): number {
    const end = this.text.indexOf("\n", from);
    return end === -1 ? this.text.length : end;
  }

  /** Whether a line begins here with `---` or `...` alone. */
  isMarker(marker: string): boolean {
    const { at } = this;
    return at === this.line && this.text.startsWith(marker, at) && this.isBlank(at + marker.length);
  }

  /** Gives the end of this line, of which only spaces and a comment may be left; -1 if there is something else. */
  commentEnd(): number {
    const begun = this.at;
    this.at = this.afterSpaces();
    if (this.char === "\n") return this.at;
    if (this.char !== "#" || this.at === begun) return -1;
    const isAfterIndicator = ":-".includes(this.charAt(begun - 1));
    if (isAfterIndicator && this.at - this.line > lastCommentColumn) return -1;
    this.count++;
    return this.lineEnd();
  }

  /** Goes to the next line with a value, if only spaces and a comment are left of this one; false at any doubt. */
  endLine(): boolean {
    const end = this.commentEnd();
    return end !== -1 && this.findLine(end);
  }

  /** Goes to the first line with a value after the end of a line; false at any doubt. */
  findLine(end: number): boolean {
    this.isAfterComment = false;
    for (let at = end; ; at = this.lineEnd()) {
      this.line = Math.min(at + 1, this.text.length);
      this.at = this.afterSpaces(this.line);
      if (this.isOver || (this.char !== "#" && this.char !== "\n")) break;
      if (this.char === "\n") continue;
      if (this.at - this.line > lastCommentColumn) return false;
      this.isAfterComment = true;
      this.count++;
    }
    this.indent = this.isOver || this.isMarker("---") ? -1 : this.at - this.line;
    return !this.isMarker("...");
  }
}
