/** Ends the process without a restored terminal: node aborts where there is none, and the dump of its memory would hold keys. */
export function endWithoutTerminal(): void {
  process.once("exit", () => process.kill(process.pid, "SIGKILL"));
}
