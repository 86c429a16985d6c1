import { emitKeypressEvents } from "node:readline";

/**
 * A key that was pressed, by the name that Node gives it, such as `up`, `pagedown` or `q`; `ctrl-c` with Control.
 * `end-of-input` once there are no more, and `resize` for a terminal of a new size.
 */
export type Key = string;

/** Reads the keys of standard input one by one; gives what ends that. */
export function readKeys(onKey: (key: Key) => void): () => void {
  const { stdin, stderr } = process;
  const onKeypress = (text: string | undefined, key: { name?: string; ctrl?: boolean; shift?: boolean }) => {
    const name = key.shift === true ? text : (key.name ?? text);
    if (name !== undefined) onKey(key.ctrl === true ? `ctrl-${name}` : name);
  };
  const onEnd = () => onKey("end-of-input");
  const onResize = () => onKey("resize");
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  // A terminal that has gone away can be an error, too.
  stdin.on("keypress", onKeypress).on("end", onEnd).on("error", onEnd).resume();
  stderr.on("resize", onResize);
  return () => {
    stderr.off("resize", onResize);
    stdin.off("keypress", onKeypress).off("end", onEnd).pause();
    if (!stdin.destroyed) stdin.setRawMode(false);
  };
}
