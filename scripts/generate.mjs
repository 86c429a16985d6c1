/** `node scripts/generate.mjs [--root DIR]` makes `src/generated`; nothing is done where it is as its sources say. */
import { parseArgs } from "node:util";
import { generate } from "./generated.mjs";

const { values: options } = parseArgs({ options: { root: { type: "string" } } });
await generate(options.root);
