import { describe, expect, it } from "vitest";
import {
  checkAddress,
  InsecureServiceError,
  joinAddress,
  ServiceAddressError,
} from "../../src/service/address.js";
import { checkAddresses } from "../../src/service/target.js";

describe("checkAddress", () => {
  it.each([
    "https://agents.example.com",
    "https://agents.example.com/prefix/",
    "http://localhost:8080",
    "http://127.0.0.1",
    "http://127.9.9.9:1",
    "http://[::1]:8080",
  ])("takes %s", (address) => {
    expect(() => checkAddress(address, false)).not.toThrow();
  });

  it.each(["http://agents.example.com", "http://10.0.0.1", "http://127.0.0.1.example.com", "http://0.0.0.0"])(
    "refuses %s unless insecure http is allowed",
    (address) => {
      expect(() => checkAddress(address, false)).toThrow(InsecureServiceError);
      expect(() => checkAddress(address, true)).not.toThrow();
    },
  );

  it.each([
    "agents.example.com",
    "",
    "ftp://agents.example.com",
    "unix:/run/agents.sock",
    "https://user:word@agents.example.com",
    "https://agents.example.com?tenant=1",
    "https://agents.example.com/#part",
  ])("refuses %s whatever is allowed", (address) => {
    expect(() => checkAddress(address, true)).toThrow(ServiceAddressError);
  });
});

describe("the address of a manifest", () => {
  const codesOf = (base_url: string) => {
    const servicePlace = { file: "agentform.yaml", path: ["spec", "service"] };
    const service = { base_url, api_key: "${env:KEY}" };
    return checkAddresses({ service, servicePlace, environment: null }, new Set(["base"])).map(
      ({ code }) => code,
    );
  };

  it.each([
    ["a tab that parsers skip", "https://agents.example.com\t.evil.example"],
    ["a soft hyphen that parsers skip", "https://agents\u00ad.example.com"],
    ["a letter that parsers replace", "https://\uff41gents.example.com"],
    ["a backslash, a slash for some parsers", "https://agents.example.com\\@evil.example"],
    ["another address in it", "https://https://agents.example.com"],
    ["a slash too few", "https:/agents.example.com"],
    ["a user", "https://user@agents.example.com"],
    ["a password", "https://:word@agents.example.com"],
    ["a query", "https://agents.example.com?tenant=1"],
    ["a fragment", "https://agents.example.com/#part"],
  ])("is refused with %s", (_what, address) => {
    expect(codesOf(address)).toEqual(["service-url"]);
  });

  it("may have a path", () => {
    expect(codesOf("https://agents.example.com/prefix/")).toEqual([]);
  });
});

describe("joinAddress", () => {
  it.each([
    ["https://a.example", "/v3/agents/", "https://a.example/v3/agents/"],
    ["https://a.example/", "/v1/rai/policies", "https://a.example/v1/rai/policies"],
    ["https://a.example/x//", "/v3/tools/a%2Fb", "https://a.example/x/v3/tools/a%2Fb"],
  ])("joins %s and %s", (address, path, url) => {
    expect(joinAddress(address, path).href).toBe(url);
  });

  it.each([
    "/v3/tools/..",
    "/v3/tools/%2e%2e",
    "/v3/tools/a b",
    "/v3/tools/\t1",
    "/v3/tools/1?x",
    "/v3/tools/1#x",
  ])("refuses %s", (path) => {
    expect(() => joinAddress("https://a.example", path)).toThrow(ServiceAddressError);
  });
});
