import { createInterface } from "node:readline/promises";

/** Asks a question on the terminal; only `yes` means yes, anything else or the end of the input means no. */
export async function ask(question: string): Promise<boolean> {
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
