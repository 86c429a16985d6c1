import type { Reporter, TestModule } from "vitest/node";

/** Prints after a run which files are not in its tier, and which tests did not run on this machine, by reason. */
export class SkipReporter implements Reporter {
  constructor(private readonly left: readonly string[]) {}

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.left.length > 0) {
      process.stdout.write(`\nOnly in the whole tier (npm run test:all):\n  ${this.left.join("\n  ")}\n`);
    }
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const { note } = test.result() as { readonly note?: string };
        // What `-t` leaves out was not asked for.
        if (note === undefined && module.project.config.testNamePattern) continue;
        const reason = note ?? "no reason given";
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    }
    if (counts.size === 0) return;
    const lines = [...counts].map(
      ([reason, count]) => `  ${count} ${count === 1 ? "test" : "tests"}: ${reason}`,
    );
    process.stdout.write(`\nNot run on this machine:\n${lines.join("\n")}\n`);
  }
}
