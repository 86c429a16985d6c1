import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rooms } from "../../scripts/rooms.mjs";

const place = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(place(path), "utf8");

const { properties } = JSON.parse(read("schemas/workspace.schema.json"));
const lock = properties.spec.properties.lock;
const stores: readonly string[] = lock.properties.store.enum;

describe.each(stores)("the store %s", (store) => {
  const page = store === "file" ? "docs/how-to/choose-a-store.md" : `docs/reference/${store}-store.md`;

  it("has a room", () => {
    expect([...rooms.keys()]).toContain(`store/${store}`);
    expect(/^\| `src\/store\/`.*$/mu.exec(read("ARCHITECTURE.md"))?.[0]).toContain(`\`${store}/\``);
  });

  it("keeps what every store must keep", () => {
    expect(read(`test/store/${store}-store.test.ts`)).toContain("describeLockStore(");
    expect(read(`test/store/conformance-${store}.whole.test.ts`)).toMatch(
      new RegExp(`describeApplies\\([^]*${store}Medium`),
    );
  });

  it("has a page, which the help of `lock move` names", () => {
    expect(existsSync(place(page))).toBe(true);
    expect(read("src/cli/commands/lock-move.ts")).toContain(`"${page.slice("docs/".length)}"`);
  });
});

it("a key of `lock` is of the stores that its description names, and of no other", () => {
  const { properties: keys, allOf } = lock;
  const wrong = Object.keys(keys).filter((key) => {
    if (key === "store") return false;
    const own = allOf.filter(({ then }: { then: typeof lock }) => then.properties[key] === false);
    const names = own.map(({ if: { not } }: { if: { not: typeof lock } }) => not.properties.store.const);
    if (names.length === 0) return !keys[key].description.includes("of any store");
    return names.length !== 1 || !keys[key].description.includes(`\`${names[0]}\` store`);
  });
  expect(wrong).toEqual([]);
});
