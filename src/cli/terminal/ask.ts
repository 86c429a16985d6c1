import { createInterface } from "node:readline/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { endWithoutTerminal } from "./lost-terminal.js";

/** Asks on the terminal; only `yes` is a yes, and nothing typed before, when there was nothing to agree to. */
export async function ask(question: string, stop?: AbortSignal): Promise<boolean> {
  await dropTyped();
  if (process.stdin.readableEnded || stop?.aborted) return false;
  // A terminal that is closed is an error of its stream before the signal comes, and another one when it is restored.
  process.stdin.on("error", endWithoutTerminal);
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<string>((resolve) => {
    const end = () => resolve("");
    reader.once("close", end);
    process.stdin.once("error", end);
    stop?.addEventListener("abort", end);
    reader.once("SIGINT", () => {
      // The terminal gives this as a letter while a question is read, and a command ends by it as by the signal.
      if (!process.emit("SIGINT")) process.kill(process.pid, "SIGINT");
      end();
    });
  });
  try {
    return (await Promise.race([reader.question(question), ended])).trim() === "yes";
  } finally {
    reader.close();
  }
}

const mostLines = 1000;

async function dropTyped(): Promise<void> {
  let isThere = true;
  const drop = (): void => void (isThere = true);
  process.stdin.on("data", drop);
  // A terminal gives a line at a time, between two turns of the loop.
  for (let lines = 0; isThere && lines < mostLines; lines += 1) {
    isThere = false;
    await nextTurn();
    await nextTurn();
  }
  process.stdin.off("data", drop).pause();
}
