import { describe, expect, it } from "vitest";
import { MissingSecretError, renderBody, renderText } from "../../src/service/body.js";
import { environmentSecrets } from "../../src/service/secret.js";

const secrets = environmentSecrets({ TOKEN: 'to"ken', OTHER: "${env:TOKEN}" });

describe("renderBody", () => {
  it.each([
    ["${env:TOKEN}", 'to"ken'],
    ["Bearer ${env:TOKEN@3}!", 'Bearer to"ken!'],
    ["${env:TOKEN}${env:TOKEN}", 'to"kento"ken'],
    ["$${env:TOKEN}", "${env:TOKEN}"],
    ["$${HOME} and ${HOME}", "${HOME} and ${HOME}"],
    ["${policy:strict}", "${policy:strict}"],
    ["${nothing:known}", "${nothing:known}"],
    ["${env:}", "${env:}"],
    ["${env:not a name}", "${env:not a name}"],
    ["${env:TOKEN", "${env:TOKEN"],
    ["{{ name }}", "{{ name }}"],
  ])("renders %s as %s", (text, rendered) => {
    expect(JSON.parse(renderBody({ text }, { secrets }))).toEqual({ text: rendered });
  });

  it("does not evaluate what a secret holds", () => {
    expect(renderBody({ text: "${env:OTHER}" }, { secrets })).toBe('{"text":"${env:TOKEN}"}');
  });

  it("takes an ID for what it is, whatever it looks like", () => {
    const references = {
      "policy:strict": "${env:TOKEN}",
      "toolset:desk": ["${env:TOKEN}", "$${x}", "${policy:strict}"],
      "toolset:desk/list": "${toolset:desk}",
    };
    const body = {
      policy: "${policy:strict}",
      text: "$${policy:strict} is ${policy:strict}, ${env:TOKEN}",
      tools: ["a", "${toolset:desk}", "${toolset:desk/list}", "${env:TOKEN}"],
    };
    expect(JSON.parse(renderBody(body, { secrets, references }))).toEqual({
      policy: "${env:TOKEN}",
      text: '${policy:strict} is ${env:TOKEN}, to"ken',
      tools: ["a", "${env:TOKEN}", "$${x}", "${policy:strict}", "${toolset:desk}", 'to"ken'],
    });
  });

  it("keeps the order of keys, at every depth, and every other type", () => {
    const body = { z: [{ y: 1, b: null }, "${env:TOKEN}"], a: true, m: { d: 0.5, c: "" } };
    expect(renderBody(body, { secrets })).toBe(
      '{"z":[{"y":1,"b":null},"to\\"ken"],"a":true,"m":{"d":0.5,"c":""}}',
    );
  });

  it("renames top-level fields in their place, and no others", () => {
    const body = { a: 1, provider_api_key: "k", nested: { provider_api_key: "n" }, toString: "t" };
    expect(renderBody(body, { secrets, fieldNames: { provider_api_key: "acme_api_key" } })).toBe(
      '{"a":1,"acme_api_key":"k","nested":{"provider_api_key":"n"},"toString":"t"}',
    );
  });

  it("names the variable that is missing", () => {
    const render = () => renderBody({ list: ["${env:ABSENT}"] }, { secrets });
    expect(render).toThrow(MissingSecretError);
    expect(render).toThrow(expect.objectContaining({ variable: "ABSENT" }));
  });
});

describe("renderText", () => {
  it("fills the secret in", () => {
    expect(renderText("${env:TOKEN}", secrets)).toBe('to"ken');
  });
});
