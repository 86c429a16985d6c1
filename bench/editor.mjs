/** The language server as an editor has it: how soon it shows a mistake, what it keeps in memory, and what it does while nothing changes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { makeWorkspace } from "./make-workspace.mjs";
import { median } from "./measure.mjs";
import { row, wordsRow } from "./table.mjs";

const targets = { 1000: { seconds: 0.08 }, 10_000: { memory: 200 } };

/** Measures the server on a workspace of each size. */
export async function measureEditor({ agentform, scratch, rounds = 25 }) {
  const rows = [];
  for (const count of [1000, 10_000]) {
    const directory = join(scratch, `editor-${count}`);
    makeWorkspace(directory, count);
    rows.push(...(await measureOn(directory, count, agentform.languageServer(), rounds)));
  }
  return rows;
}

async function measureOn(directory, count, { args: [command, ...args], env }, rounds) {
  const server = spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const waiting = [];
  connection.onNotification("textDocument/publishDiagnostics", (published) => {
    waiting.shift()?.(published);
  });
  connection.listen();
  const shown = () => new Promise((resolve) => waiting.push(resolve));
  const uri = pathToFileURL(
    join(directory, `documents/${Math.floor((count - 1) / 1000)}/${count - 1}.yaml`),
  ).href;
  const text = readFileSync(new URL(uri), "utf8");
  const rootUri = pathToFileURL(directory).href;
  await connection.sendRequest("initialize", { processId: null, rootUri, capabilities: {} });
  await connection.sendNotification("initialized", {});
  const textDocument = { uri, languageId: "yaml", version: 1, text: text.replace("model:", "modle:") };
  const first = shown();
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  await first;
  const found = [];
  // The pause between two edits is that of somebody who types.
  for (let round = 0; round < rounds; round++) {
    await sleep(300);
    const version = round + 2;
    const typed = round % 2 ? text.replace("model:", "modle:") : text;
    const next = shown();
    const [began, processor] = [performance.now(), processorTime(server.pid)];
    const change = { textDocument: { uri, version }, contentChanges: [{ text: typed }] };
    await connection.sendNotification("textDocument/didChange", change);
    await next;
    found.push({
      seconds: (performance.now() - began) / 1000,
      processor: processorTime(server.pid) - processor,
    });
  }
  const memory = peakMemory(server.pid);
  const before = processorTime(server.pid);
  await sleep(5000);
  const idle = processorTime(server.pid) - before;
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  await once(server, "exit");
  const work = `editor, ${count.toLocaleString("en-US")} resources, from a typed mistake to its diagnostic`;
  return [
    row({ work, seconds: median(found, "seconds"), memory, target: targets[count] }),
    wordsRow("the same, processor time of the server", `${Math.round(median(found, "processor") * 1000)} ms`),
    wordsRow(
      "the same, processor time in 5 s without an edit",
      `${Math.round(idle * 1000)} ms`,
      "≤ 10 ms",
      idle <= 0.01,
    ),
  ];
}

// In seconds, by the clock of the kernel, which ticks a hundred times a second.
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

// In MB.
function peakMemory(pid) {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
}
