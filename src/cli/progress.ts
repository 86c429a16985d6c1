import type { ApplyEvent } from "../core/apply.js";
import { renderApplyEvent } from "./render/apply-text.js";
import type { Terminal } from "./terminal.js";

/** Shows how an apply goes, on standard error. */
export interface Progress {
  event(event: ApplyEvent): void;
  end(): void;
}

/** On a terminal what is under way stays on the last lines; elsewhere each end is a line. */
export async function openProgress(terminal: Terminal, color: boolean): Promise<Progress> {
  return terminal.showsProgress ? await liveProgress(terminal, color) : plainProgress(terminal, color);
}

function plainProgress(terminal: Terminal, color: boolean): Progress {
  return {
    event(event) {
      if (event.type !== "start") terminal.err(`${renderApplyEvent(event, { color })}\n`);
    },
    end: () => undefined,
  };
}

const shownAtMost = 6;

async function liveProgress(terminal: Terminal, color: boolean): Promise<Progress> {
  const { createLogUpdate } = await import("log-update");
  const live = createLogUpdate(process.stderr);
  const underWay = new Map<string, ApplyEvent>();
  const draw = () => {
    const lines = [...underWay.values()]
      .slice(0, shownAtMost)
      .map((event) => renderApplyEvent(event, { color }));
    const more = underWay.size - lines.length;
    if (lines.length === 0) live.clear();
    else live([...lines, ...(more > 0 ? [`… and ${more} more under way`] : [])].join("\n"));
  };
  return {
    event(event) {
      if (event.type === "start") underWay.set(event.address, event);
      else {
        underWay.delete(event.address);
        live.clear();
        terminal.err(`${renderApplyEvent(event, { color })}\n`);
      }
      draw();
    },
    end() {
      live.clear();
      live.done();
    },
  };
}
