import { createInterface } from "node:readline/promises";
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Asks a question on the terminal; only `yes` means yes, anything else or the end of the input means no. What was typed
 * before, when there was nothing to agree to, is no answer.
 */
export async function ask(question: string): Promise<boolean> {
  await dropTyped();
  if (process.stdin.readableEnded) return false;
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<string>((resolve) => {
    reader.once("close", () => resolve(""));
    reader.once("SIGINT", () => resolve(""));
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
