import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from "node:worker_threads";
import type { ParsedFile } from "../core/resources/parsed-file.js";
import type { ReadProblem } from "./read-problem.js";
import type { WorkspaceFolder } from "./workspace-folder.js";
import type { FileParser, ParserSettings } from "./file-parser.js";

/** What a thread is handed. */
export interface ThreadJob {
  readonly root: string;
  readonly ignored: ReadonlySet<string>;
  /** The texts of files that an editor has open. */
  readonly open: ReadonlyMap<string, string>;
  readonly files: readonly string[];
  readonly settings: ParserSettings;
  readonly progress: SharedArrayBuffer;
  readonly port: MessagePort;
}

/** What a thread answers for one chunk of the files. */
export interface ChunkAnswer {
  readonly chunk: number;
  readonly outcomes: readonly (ParsedFile | ReadProblem)[];
}

/** Which numbers the threads share: the next chunk that nobody has taken, and how many were answered. */
export const shared = { next: 0, answered: 1 } as const;

const mostThreads = 4;
// Chunks small enough that no thread waits long for the last one.
const chunksAThread = 32;
const patience = 30_000;

/** Gives the files of one chunk. */
export function filesOfChunk(files: readonly string[], chunk: number, count: number): readonly string[] {
  return files.slice(firstOfChunk(files, chunk, count), firstOfChunk(files, chunk + 1, count));
}

function firstOfChunk(files: readonly string[], chunk: number, count: number): number {
  return Math.floor((chunk * files.length) / count);
}

/** In how many chunks files are handed out. */
export function countChunks(files: readonly string[]): number {
  return Math.min(files.length, chunksAThread * mostThreads);
}

/**
 * Records files on all processors, this thread's among them, and hands over what comes of each with its place
 * among the files. It waits for the others, for a workspace is read synchronously.
 */
export function parseInThreads(
  files: readonly string[],
  parser: FileParser,
  { root, ignored, open }: WorkspaceFolder,
  settings: ParserSettings,
  accept: (index: number, outcome: ParsedFile | ReadProblem) => void,
): void {
  const count = countChunks(files);
  const accepted = new Set<number>();
  const acceptChunk = (chunk: number, outcomes: readonly (ParsedFile | ReadProblem)[]) => {
    const first = firstOfChunk(files, chunk, count);
    for (const [at, outcome] of outcomes.entries()) accept(first + at, outcome);
    accepted.add(chunk);
  };
  const parse = (chunk: number) => {
    const outcomes = filesOfChunk(files, chunk, count).map((file) => parseOne(file, parser));
    acceptChunk(chunk, outcomes);
  };
  const progress = new SharedArrayBuffer(8);
  const numbers = new Int32Array(progress);
  const threads = files.length > 1 ? startThreads({ root, ignored, open, files, settings, progress }) : [];
  const collect = () => {
    for (const { port } of threads) {
      for (const { chunk, outcomes } of received(port)) acceptChunk(chunk, outcomes);
    }
  };
  try {
    for (let mine = Atomics.add(numbers, shared.next, 1); mine < count;) {
      parse(mine);
      collect();
      mine = Atomics.add(numbers, shared.next, 1);
    }
    while (accepted.size < count) {
      const answered = Atomics.load(numbers, shared.answered);
      collect();
      if (accepted.size === count) break;
      if (Atomics.wait(numbers, shared.answered, answered, patience) === "timed-out") break;
    }
    // What a thread has taken and never answered is still to be done.
    for (let chunk = 0; chunk < count; chunk++) if (!accepted.has(chunk)) parse(chunk);
  } finally {
    for (const { worker } of threads) void worker.terminate();
  }
}

/** Records one file. */
export function parseOne(file: string, parser: FileParser): ParsedFile | ReadProblem {
  const content = parser.read(file);
  return "code" in content ? content : parser.parse(file, content);
}

function startThreads(job: Omit<ThreadJob, "port">) {
  const code = new URL("./parse-thread.js", import.meta.url);
  // Threads run what is built, and there is no such file where the sources themselves are run.
  if (!existsSync(code)) return [];
  const others = Math.min(availableParallelism() - 1, mostThreads);
  return Array.from({ length: others }, () => {
    const { port1: port, port2 } = new MessageChannel();
    const worker = new Worker(code, { workerData: { ...job, port: port2 }, transferList: [port2] });
    // A thread that fails leaves its chunks to this one.
    worker.once("error", () => {});
    worker.unref();
    return { worker, port };
  });
}

function* received(port: MessagePort): Generator<ChunkAnswer> {
  for (;;) {
    const message = receiveMessageOnPort(port) as { readonly message: ChunkAnswer } | undefined;
    if (!message) return;
    yield message.message;
  }
}
