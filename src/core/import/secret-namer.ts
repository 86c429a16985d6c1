import type { Path } from "../../json/path.js";

const longestName = 100;

/** Gives a function that names the variables for secrets, each by its address and field, and no two the same. */
export function secretNamer(taken: Iterable<string>): (address: string, path: Path) => string {
  const used = new Set(taken);
  return (address, path) => {
    // With the kind in front, the name of an object cannot make that of a variable which the system reads.
    const words = [address, ...path.slice(path.length > 1 ? 1 : 0)].join("_");
    const base = words
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, "_")
      .slice(0, longestName)
      .replace(/_$/, "");
    let name = base;
    for (let number = 2; used.has(name); number++) name = `${base}_${number}`;
    used.add(name);
    return name;
  };
}
