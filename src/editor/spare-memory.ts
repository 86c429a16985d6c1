import { setFlagsFromString } from "node:v8";

const manyToEdit = 3000;

/**
 * Has V8 collect garbage early in a process with many resources: each check of an editor leaves the workspace before
 * it as garbage, which would double the memory. With few resources the time matters more.
 */
export function spareMemory(resources: number, many = manyToEdit): void {
  setFlagsFromString(resources < many ? "--no-optimize-for-size" : "--optimize-for-size");
}
