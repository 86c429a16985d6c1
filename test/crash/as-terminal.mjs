/** Preloaded into a process of the command line: it takes its pipes for a terminal, and so it asks. */
for (const stream of [process.stdin, process.stdout]) {
  Object.defineProperty(stream, "isTTY", { value: true });
}
