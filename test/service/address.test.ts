import { describe, expect, it } from "vitest";
import {
  checkAddress,
  InsecureServiceError,
  joinAddress,
  ServiceAddressError,
} from "../../src/service/address.js";

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
