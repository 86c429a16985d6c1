/** Runs a bundled emulator and reports its address and its requests to its parent. Forked by startService. */
const [file, latency] = process.argv.slice(2);
const { startEmulator } = await import(file);

let [first, last, before] = [undefined, 0, 0];
const { url, requests } = await startEmulator({
  latency: Number(latency),
  log: () => {
    last = performance.now();
    first ??= last - Number(latency);
  },
});
process.on("message", () => {
  const sending = first === undefined ? 0 : (last - first) / 1000;
  process.send({ requests: requests.length - before, sending });
  [first, before] = [undefined, requests.length];
});
process.on("disconnect", () => process.exit());
process.send(url);
