import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wordsRow } from "./table.mjs";

/** Measures what npm would publish of what is built: the tarball, and its contents. */
export function measurePackage({ home }) {
  // Its scripts would remove what is built, and build it again, while somebody uses it.
  const args = ["pack", "--json", "--dry-run", "--ignore-scripts"];
  const output = execFileSync("npm", args, { cwd: home, encoding: "utf8" });
  const { size, unpackedSize } = JSON.parse(output)[0];
  const { dependencies = {} } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const count = Object.keys(dependencies).length;
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
  return [
    wordsRow(
      "package, packed",
      `${megabytes(size)} (${megabytes(unpackedSize)} unpacked), ${count} dependencies`,
      "≤ 1.7 MB, 0 dependencies",
      size <= 1.7e6 && count === 0,
    ),
  ];
}
