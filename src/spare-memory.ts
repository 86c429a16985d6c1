// Loaded when they are needed, which takes a plan of few resources 2 ms less.
const v8 = () => process.getBuiltinModule("node:v8");
const vm = () => process.getBuiltinModule("node:vm");

const manyToEdit = 3000;

/**
 * Has V8 collect garbage early in a process with many resources: each check of an editor leaves the workspace before
 * it as garbage, which would double the memory. With few resources the time matters more.
 */
export function spareMemory(resources: number, many = manyToEdit): void {
  v8().setFlagsFromString(resources < many ? "--no-optimize-for-size" : "--optimize-for-size");
}

/** Has V8 collect garbage now: how much it lets grow until it does so again, it has decided before. */
export function collectGarbage(): void {
  v8().setFlagsFromString("--expose-gc");
  const collect: unknown = vm().runInNewContext("gc");
  v8().setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect();
}
