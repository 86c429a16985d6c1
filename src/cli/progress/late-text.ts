import type { Screen, Terminal } from "../terminal/terminal.js";
import type { LiveText } from "./live-text.js";

const quietTime = 500;

/** Shows a text on the last lines of a terminal, once half a second has passed. */
export function openLateText(terminal: Terminal, render: (size: Screen) => string): LiveText {
  let live: LiveText | undefined;
  let isOver = false;
  const show = async () => {
    const { openLiveText } = await import("./live-text.js");
    if (!isOver) live = openLiveText(terminal, render);
  };
  // If it cannot be loaded, the command goes on without it.
  const timer = setTimeout(() => void show().catch(() => undefined), quietTime).unref();
  return {
    print: (text) => (live ? live.print(text) : terminal.err(text)),
    end() {
      isOver = true;
      clearTimeout(timer);
      live?.end();
      live = undefined;
    },
  };
}
