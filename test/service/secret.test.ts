import { format, inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { environmentSecrets, Secret } from "../../src/service/secret.js";

describe("Secret", () => {
  const secret = new Secret("hunter2-value");

  it.each([
    ["a template", `${secret}`],
    ["joining", ["a", secret].join()],
    ["String", String(secret)],
    ["JSON", JSON.stringify({ secret })],
    ["inspect", inspect({ secret }, { showHidden: true, depth: 9 })],
    ["format", format("%s %o %j", secret, secret, secret)],
    ["an error's message", new Error(`no: ${secret}`).message],
  ])("is masked in %s", (_where, text) => {
    expect(text).toContain("[secret]");
    expect(text).not.toContain("hunter2");
  });

  it("has no key that holds the value", () => {
    expect(Reflect.ownKeys(secret)).toEqual([]);
  });

  it("gives its value where it is asked for", () => {
    expect(secret.unwrap()).toBe("hunter2-value");
  });
});

describe("environmentSecrets", () => {
  const secrets = environmentSecrets({ KEY: "value", EMPTY: "" });

  it("finds what is set", () => {
    expect(secrets("KEY")?.unwrap()).toBe("value");
  });

  it.each(["EMPTY", "ABSENT", "toString", "__proto__"])("finds nothing for %s", (name) => {
    expect(secrets(name)).toBeUndefined();
  });
});
