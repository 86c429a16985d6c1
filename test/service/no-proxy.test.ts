import { describe, expect, it } from "vitest";
import { isExempt } from "../../src/service/proxy.js";

describe("NO_PROXY", () => {
  it.each([
    ["example.test", "https://example.test"],
    ["example.test", "https://agents.example.test"],
    ["example.test", "https://a.b.example.test"],
    ["Example.TEST", "https://agents.example.test"],
    [".example.test", "https://agents.example.test"],
    // curl ignores the dot, and Go takes the name itself out.
    [".example.test", "https://example.test"],
    ["*.example.test", "https://agents.example.test"],
    ["example.test.", "https://agents.example.test"],
    ["example.test", "https://agents.example.test."],
    ["bücher.test", "https://shop.bücher.test"],
    ["one.test,example.test", "https://example.test"],
    ["one.test , example.test", "https://example.test"],
    ["one.test example.test", "https://example.test"],
    ["*", "https://example.test"],
    ["one.test, *", "https://example.test"],
    ["example.test:443", "https://agents.example.test"],
    ["example.test:80", "http://agents.example.test"],
    ["example.test:8443", "https://agents.example.test:8443"],
    ["example.test", "https://agents.example.test:8443"],
    ["192.0.2.7", "https://192.0.2.7"],
    ["192.0.2.7:443", "https://192.0.2.7"],
    ["192.0.2.0/24", "https://192.0.2.7:8443"],
    ["0.0.0.0/0", "https://192.0.2.7"],
    ["2001:db8::7", "https://[2001:db8:0:0::7]"],
    ["[2001:db8::7]", "https://[2001:db8::7]"],
    ["[2001:db8::7]:443", "https://[2001:db8::7]"],
    ["2001:db8::/32", "https://[2001:db8::7]"],
  ])("%s covers %s", (list, target) => {
    expect(isExempt(new URL(target), list)).toBe(true);
  });

  it.each([
    ["", "https://example.test"],
    [" , ,", "https://example.test"],
    ["example.test", "https://notexample.test"],
    ["agents.example.test", "https://example.test"],
    ["example.test", "https://example.test.other.test"],
    ["example.test:8443", "https://agents.example.test"],
    ["example.test:443", "http://agents.example.test"],
    [".", "https://example.test"],
    ["*.", "https://example.test"],
    [":443", "https://example.test"],
    ["192.0.2.7", "https://192.0.2.8"],
    ["2.7", "https://192.0.2.7"],
    ["192.0.2.0/24", "https://192.0.3.7"],
    ["192.0.2.0/33", "https://192.0.2.0"],
    ["192.0.2.0/", "https://192.0.2.0"],
    ["192.0.2.0/x", "https://192.0.2.0"],
    ["192.0.2.0/24", "https://example.test"],
    ["2001:db8::/32", "https://[2001:db9::7]"],
    ["[2001:db8::7]:8443", "https://[2001:db8::7]"],
    ["not a host/8", "https://example.test"],
  ])("%s does not cover %s", (list, target) => {
    expect(isExempt(new URL(target), list)).toBe(false);
  });
});
