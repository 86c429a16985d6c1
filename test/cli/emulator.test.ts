import { expect, test } from "vitest";
import { main } from "../../src/cli/main.js";

test.each(["SIGINT", "SIGTERM"] as const)(
  "a %s that comes as soon as the emulator says where it listens ends it",
  async (signal) => {
    const before = process.rawListeners(signal);
    let said = "";
    const code = await main(["emulator"], {
      env: {},
      cwd: "/nonexistent/folder",
      isTerminal: false,
      canAsk: false,
      showsProgress: false,
      out(text) {
        said += text;
        const added = process.rawListeners(signal).filter((listener) => !before.includes(listener));
        expect(added).not.toEqual([]);
        for (const listener of added) listener.call(process, signal);
      },
      err: () => undefined,
    });
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringMatching(
        /^The emulator listens on http:\S+\nThe key of its console, \/__emulator\/: [0-9a-f]{32}\n$/,
      ) as string,
    });
    expect(process.rawListeners(signal)).toEqual(before);
  },
);
