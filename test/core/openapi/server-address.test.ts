import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/json/json.js";
import { addressesIn, addressesOf, addressWork } from "../../../src/core/openapi/server-address.js";

const hostsIn = (url: string): string[] => addressesIn(url).map(({ host }) => host);

describe("a server's URL", () => {
  it.each([
    ["https://weather.example.com/v1", ["weather.example.com"]],
    ["HTTPS://Weather.EXAMPLE.com:443/v1/", ["weather.example.com"]],
    ["https://weather.example.com:8443", ["weather.example.com:8443"]],
    ["https://weather.example.com@evil.example/", ["evil.example"]],
    ["https://weather.example.com\\@evil.example", ["weather.example.com", "evil.example"]],
    ["https:\\\\evil.example", ["evil.example"]],
    ["https:evil.example", ["evil.example"]],
    ["//evil.example/v1", ["evil.example"]],
    ["\\\\evil.example", ["evil.example"]],
    [" https://evil.example", ["evil.example"]],
    ["https://ev%69l.example", ["evil.example"]],
    ["https://${env:HOST}/v1", ["${env:host}"]],
    ["/v1", [""]],
    ["", [""]],
    ["v1", [""]],
  ])("%s is read as clients do", (url, hosts) => {
    expect(hostsIn(url).toSorted()).toEqual(hosts.toSorted());
  });

  it("has a host in punycode, and as it is written", () => {
    expect(addressesIn("https://\u0430pi.example.com:8443/v1/")).toEqual([
      {
        scheme: "https",
        host: "xn--pi-6kc.example.com:8443",
        text: "https://xn--pi-6kc.example.com:8443/v1",
        written: "\u0430pi.example.com",
      },
    ]);
  });

  it("is called as its variables say by themselves, and with each of their other values", () => {
    const variables = { region: { default: "eu", enum: ["eu", "us", "evil.example/"] }, v: { default: "1" } };
    expect(
      addressesOf([{ url: "https://{region}.example.com/{v}", variables }]).map(({ text }) => text),
    ).toEqual([
      "https://eu.example.com/1",
      "https://us.example.com/1",
      "https://evil.example/.example.com/1",
    ]);
  });

  it.each([
    ["{base}/v1", "https://a.example", "{base}"],
    ["{base}", "https://a.example/v1", "{base}"],
    ["https:{rest}", "//a.example/v1", "{rest}"],
    ["https://a.example{end}/v1", "", "a.example{end}"],
    ["https://{user}@a.example/v1", "x", ""],
    ["https://a.example/{path}", "v1", ""],
    ["https://a.example/v1?at={at}", "1", ""],
    ["/{path}", "v1", ""],
    ["v1/{path}", "x", ""],
  ])("%s may lead anywhere where a variable without a list is not behind its host", (url, value, open) => {
    const hosts = addressesOf([
      { url, variables: { [/\{(.*)\}/.exec(url)?.[1] ?? ""]: { default: value } } },
    ]).map(({ host }) => host);
    expect(hosts.filter((host) => host.includes("{"))).toEqual(open === "" ? [] : [open]);
  });

  it("may have any scheme, too", () => {
    const server = { url: "{scheme}://a.example/", variables: { scheme: { default: "https" } } };
    expect(addressesOf([server])).toEqual([
      { scheme: "https", host: "a.example", text: "https://a.example" },
      { scheme: "{scheme}", host: "a.example", text: "{scheme}://a.example" },
    ]);
  });

  it("may have variables that may be anything in each other's values", () => {
    const variables = {
      host: { default: "a.example", enum: ["a.example", "{name}.example"] },
      name: { default: "b" },
      path: { default: "v1" },
    };
    const hosts = addressesOf([{ url: "https://{host}/{path}", variables }]).map(({ text }) => text);
    expect(hosts).toEqual(["https://a.example/v1", "https://b.example/v1", "https://{name}.example/v1"]);
  });

  it("may have numbers as values of its variables, and any where a list has none", () => {
    const said = (variables: JsonObject) =>
      addressesOf([{ url: "https://{host}/", variables }]).map(({ text }) => text);
    expect(said({ host: { default: "a.example", enum: ["a.example", 134744072] } })).toEqual([
      "https://a.example",
      "https://8.8.8.8",
    ]);
    expect(said({ host: { default: 134744072, enum: [134744072] } })).toEqual(["https://8.8.8.8"]);
    expect(said({ host: { default: "a.example", enum: [["a.example"]] } })).toEqual([
      "https://a.example",
      "https://{host}",
    ]);
  });

  it("is left as it is where its variables make it longer than any", () => {
    const variables = { a: { default: "{b}".repeat(200) }, b: { default: "x".repeat(100) } };
    const long = { url: "https://{host}.example/{a}", variables };
    expect(addressesOf([long]).map(({ text }) => text.length < 10_100)).toEqual([true, true]);
    expect(addressWork([long])).toBe(Infinity);
    expect(addressWork([{ url: "https://a.example/{b}", variables }])).toBeLessThan(10_000);
  });

  it("has its defaults alone where its variables have too many values", () => {
    const names = Array.from({ length: 200 }, (_, index) => `v${index}`);
    const variables = Object.fromEntries(names.map((name) => [name, { default: "a", enum: names }]));
    const many = { url: "https://a.example/{v0}", variables };
    expect(addressesOf([many]).map(({ text }) => text)).toEqual(["https://a.example/a"]);
    expect(addressWork([many])).toBe(Infinity);
  });

  it("that is relative has the schemes that Swagger 2.0 gives it", () => {
    expect(addressesOf([{ url: "/v1", schemes: ["https", "http"] }])).toEqual([
      { scheme: "https", host: "", text: "https: /v1" },
      { scheme: "http", host: "", text: "http: /v1" },
    ]);
  });

  it("may be anything in a lock", () => {
    expect(addressesOf([null, 3, [], { url: 3 }, { url: "a", variables: 3, schemes: 3 }])).toEqual([
      { scheme: "", host: "", text: "/" },
      { scheme: "", host: "", text: "a" },
    ]);
  });
});
