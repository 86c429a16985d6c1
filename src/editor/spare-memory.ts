import { setFlagsFromString } from "node:v8";

const many = 3000;

/**
 * Has V8 collect garbage early in a process with many resources: each check leaves the workspace before it as
 * garbage, which would double the memory. With few resources the time of a check matters more.
 */
export function spareMemory(resources: number): void {
  setFlagsFromString(resources < many ? "--no-optimize-for-size" : "--optimize-for-size");
}
