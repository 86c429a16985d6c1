import { workerData } from "node:worker_threads";
import { hash } from "../digest.js";
import type { ReadProblem } from "./read-problem.js";
import { WorkspaceFolder } from "./read-text.js";
import {
  countChunks,
  filesOfChunk,
  recordOne,
  shared,
  type ChunkAnswer,
  type ThreadJob,
  type ThreadRecord,
} from "./record-threads.js";
import { Recorder } from "./recorder.js";

// A thread's own program: it records chunk by chunk for as long as there are some that nobody has taken.
const { root, ignored, files, settings, progress, port } = workerData as ThreadJob;
const recorder = new Recorder(new WorkspaceFolder(root, ignored), settings, hash);
const count = countChunks(files);
const numbers = new Int32Array(progress);
for (let mine = Atomics.add(numbers, shared.next, 1); mine < count;) {
  const outcomes = filesOfChunk(files, mine, count).map(answer);
  port.postMessage({ chunk: mine, outcomes } satisfies ChunkAnswer);
  Atomics.add(numbers, shared.answered, 1);
  Atomics.notify(numbers, shared.answered);
  mine = Atomics.add(numbers, shared.next, 1);
}

function answer(file: string): ThreadRecord | ReadProblem {
  const outcome = recordOne(file, recorder);
  if ("code" in outcome) return outcome;
  const { digest, record, rests } = outcome;
  return { digest, head: record.head, texts: record.texts, rests };
}
