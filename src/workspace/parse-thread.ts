import { workerData } from "node:worker_threads";
import { WorkspaceFolder } from "./workspace-folder.js";
import {
  countChunks,
  filesOfChunk,
  parseOne,
  shared,
  type ChunkAnswer,
  type ThreadJob,
} from "./parse-threads.js";
import { FileParser } from "./file-parser.js";

// The program of a thread: it parses chunks until none is left.
const { root, ignored, open, files, settings, progress, port } = workerData as ThreadJob;
const parser = new FileParser(new WorkspaceFolder(root, ignored, { open }), settings);
const count = countChunks(files);
const numbers = new Int32Array(progress);
for (let mine = Atomics.add(numbers, shared.next, 1); mine < count;) {
  const outcomes = filesOfChunk(files, mine, count).map((file) => parseOne(file, parser));
  port.postMessage({ chunk: mine, outcomes } satisfies ChunkAnswer);
  Atomics.add(numbers, shared.answered, 1);
  Atomics.notify(numbers, shared.answered);
  mine = Atomics.add(numbers, shared.next, 1);
}
