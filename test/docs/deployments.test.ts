import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { openFullDesk } from "../cli/full-desk.js";
import { documents } from "../cli/desk.js";

const text = readFileSync(new URL("../../docs/reference/deployments.md", import.meta.url), "utf8");
const manifests = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(
  ([, yaml = ""]) => parse(yaml) as { service: { operations: Record<string, object> } },
);

test.each(["array", "key", "pages"] as const)(
  "the operations for answers of the form %s read what a service of that form answers",
  async (lists) => {
    const manifest = manifests[["array", "key", "pages"].indexOf(lists)];
    const desk = await openFullDesk(documents, manifest?.service.operations, { lists, pageSize: 1 });
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
    const ids = ["agent:support", "credential:provider"].map((address) =>
      String(desk.lock().resources[address]?.["id"]),
    );
    desk.emulator.edit({ kind: "agent", id: ids[0] ?? "", changes: { name: "By hand" } });
    desk.emulator.edit({ kind: "credential", id: ids[1] ?? "", changes: { name: "By hand" } });
    const { code, out } = await desk.run("drift", "--detailed-exitcode");
    expect(code).toBe(2);
    expect(out).toContain("2 changed");
  },
);

test("there is a manifest for each form", () => expect(manifests).toHaveLength(3));
