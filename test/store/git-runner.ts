// A process of its own that takes a git store, writes a journal, says so and waits to be killed.
import { createGitStore, type GitStoreOptions } from "../../src/store/git/git-store.js";

const { lines, ...options } = JSON.parse(process.argv[2] ?? "") as GitStoreOptions & { lines: string[][] };
const store = createGitStore(options);
await store.acquire();
for (const together of lines) {
  for (const line of together) store.append(line);
  await store.flush();
}
process.send?.("ready");
process.on("disconnect", () => process.exit());
setInterval(() => undefined, 60_000);
