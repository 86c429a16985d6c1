import type { Reporter, TestModule } from "vitest/node";

/** Prints after a run which tests did not run on this machine, by reason. */
export class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const { note = "no reason given" } = test.result() as { readonly note?: string };
        counts.set(note, (counts.get(note) ?? 0) + 1);
      }
    }
    if (counts.size === 0) return;
    const lines = [...counts].map(
      ([reason, count]) => `  ${count} ${count === 1 ? "test" : "tests"}: ${reason}`,
    );
    process.stdout.write(`\nNot run on this machine:\n${lines.join("\n")}\n`);
  }
}
