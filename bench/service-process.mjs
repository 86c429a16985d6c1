/** Runs a bundled emulator and reports its address and its requests to its parent. Forked by startService. */
const [file, latency, operations] = process.argv.slice(2);
const { startEmulator } = await import(file);

let [first, last, before] = [undefined, 0, 0];
const { url, requests, objects } = await startEmulator({
  latency: Number(latency),
  operations,
  log: () => {
    last = performance.now();
    first ??= last - Number(latency);
  },
});
process.on("message", (question) => {
  if (question === "count") return process.send(requests.length);
  if (question === "objects") return process.send(namesAndIds(objects()));
  const sending = first === undefined ? 0 : (last - first) / 1000;
  process.send({ requests: requests.length - before, sending });
  [first, before] = [undefined, requests.length];
});

function namesAndIds({ tools, toolSets, ...plain }) {
  const sets = new Map(toolSets.map(({ id, body }) => [id, body.tool_set_name]));
  return [
    ...tools.map(({ id, toolSet, method, path }) => [`${sets.get(toolSet)} ${method} ${path}`, id]),
    ...Object.entries(plain).flatMap(([kind, kept]) =>
      kept.map(({ id, body }) => [`${kind} ${body.name}`, id]),
    ),
  ];
}

process.on("disconnect", () => process.exit());
process.send(url);
