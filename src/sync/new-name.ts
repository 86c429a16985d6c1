import { randomBytes } from "node:crypto";

/** Gives a unique name: 16 random hexadecimal digits. */
export function newName(): string {
  return randomBytes(8).toString("hex");
}
