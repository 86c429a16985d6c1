import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { relative, resolve, sep } from "node:path";

/** What a run touched, in the words of `help --format json`. */
export interface Touched {
  readonly reads: Set<string>;
  readonly writes: Set<string>;
  readonly network: Set<string>;
}

type Call = (...args: unknown[]) => unknown;
type Calls = Record<string, Call>;

const reading = ["readFileSync", "readdirSync", "readFile", "readdir", "createReadStream"];
const writing = [
  "writeFileSync",
  "appendFileSync",
  "renameSync",
  "mkdirSync",
  "rmSync",
  "unlinkSync",
  "linkSync",
  "copyFileSync",
  "writeFile",
  "rename",
  "mkdir",
  "rm",
  "unlink",
];
const opening = ["openSync", "open"];

/** Runs a function and watches which files of a folder, and which sockets, this process touches meanwhile. */
export async function watchEffects(folder: string, run: () => Promise<unknown>): Promise<Touched> {
  const touched: Touched = { reads: new Set(), writes: new Set(), network: new Set() };
  const note = (path: unknown, isWrite: boolean) => {
    if (typeof path !== "string" && !(path instanceof URL)) return;
    const [first = "", ...rest] = relative(folder, resolve(String(path))).split(sep);
    // Nothing of this folder; and git's own files are for the store that has the state in them.
    if (first === ".." || first === "" || first === ".git") return;
    const isState =
      first === ".agentform" || [first, ...rest].some((name) => /\.lock(\.journal)?\b/.test(name));
    (isWrite ? touched.writes : touched.reads).add(isState ? "state" : "files");
  };
  const restore = [
    ...[fs as unknown as Calls, fs.promises as unknown as Calls].flatMap((module) => [
      ...reading.map((name) => wrap(module, name, ([path]) => note(path, false))),
      ...writing.map((name) =>
        wrap(module, name, ([path, to]) => {
          note(path, true);
          if (/rename|link|copy/.test(name)) note(to, true);
        }),
      ),
      ...opening.map((name) =>
        wrap(module, name, ([path, flags = "r"]) => note(path, typeof flags === "string" && flags !== "r")),
      ),
    ]),
    wrap(net.Socket.prototype as unknown as Calls, "connect", () => touched.network.add("service")),
    wrap(net.Server.prototype as unknown as Calls, "listen", () => touched.network.add("loopback")),
  ];
  syncBuiltinESMExports();
  try {
    await run();
  } finally {
    for (const each of restore) each();
    syncBuiltinESMExports();
  }
  return touched;
}

function wrap(module: Calls, name: string, seen: (args: unknown[]) => unknown): () => void {
  const original = module[name];
  if (typeof original !== "function") return () => undefined;
  module[name] = function (this: unknown, ...args: unknown[]) {
    seen(args);
    return original.apply(this, args);
  };
  return () => {
    module[name] = original;
  };
}
