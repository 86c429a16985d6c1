import { expect, test } from "vitest";
import { kinds } from "../../../src/core/kind/kinds.js";
import { sentTexts, sightingsOf } from "../../../src/core/observation/entry-sighting.js";
import { observedBody } from "../../../src/core/observation/observed-body.js";
import type { JsonObject } from "../../../src/json/json.js";

const kind = kinds.agent;

function seen(sent: JsonObject, answered: JsonObject, ...tried: JsonObject[]) {
  const references = { "policy:strict": "65f0c1d2e3a4b5c6d7e8f901" };
  const attempted = tried.map((body) => ({ body, body_digest: "sha256:0", references }));
  const entry = { body: sent, references, ...(tried.length > 0 && { attempted }) };
  const body = observedBody(answered, kind, {}, sentTexts(entry));
  const [sighting] = sightingsOf(entry, kind, [body]);
  return { body, found: sighting?.body, own: Object.fromEntries(sighting?.own ?? []) };
}

const hidden = "(secret, not shown)";

test("of a mapping of secrets what was sent is known again, and what else is in it is hidden and differs", () => {
  const sent = {
    client_secret: {
      current: "${env:KEY}",
      previous: "first-Xy7Zq2Rt5W\n",
      mode: "manual",
      policy: "${policy:strict}",
      days: 30,
    },
  };
  const answered = {
    client_secret: {
      current: "inner-Ab8Cd1Ef6G",
      previous: " first-Xy7Zq2Rt5W\n",
      mode: "manual",
      policy: "65f0c1d2e3a4b5c6d7e8f901",
      days: 30.000000001,
    },
  };
  const same = seen(sent, answered);
  expect(same.body).toEqual({ client_secret: { ...answered.client_secret, current: hidden } });
  expect(same.found).toEqual(sent);

  const other = seen(sent, {
    client_secret: { ...answered.client_secret, previous: "other-Ij3Kl7Mn2P", mode: "pass", more: "x" },
    new_token: { value: "third-Qr5St9Uv4W" },
  });
  expect(other.found).toEqual({
    client_secret: { ...sent.client_secret, previous: hidden, mode: hidden },
  });
  expect(other.own).toEqual({ "/client_secret/more": hidden, "/new_token": { value: hidden } });
});

test("the numbers of a schema, and what its examples are, stay as they are", () => {
  const body = {
    model_kwargs: {
      properties: { api_key: { minLength: 8 }, access_token: { minLength: 8, type: "string" } },
    },
    response_format: { properties: { access_token: { default: "first-Xy7Zq2Rt5W" } } },
  };
  expect(seen(body, body).found).toEqual(body);
  expect(seen(body, body).own).toEqual({});
  const edited = { response_format: { properties: { access_token: { default: "other-Ij3Kl7Mn2P" } } } };
  expect(seen(body, { ...body, ...edited }).found).toEqual({ ...body, ...edited });
});

test("what an update of unknown outcome sent into a mapping of secrets is known again", () => {
  const having = (was: string) => ({ client_secret: { was } });
  const [before, after] = [having("first-Xy7Zq2Rt5W"), having("other-Ij3Kl7Mn2P")];
  expect(seen(before, after, after).body).toEqual(after);
  expect(seen(before, having("third-Qr5St9Uv4W"), after).body).toEqual(having(hidden));
});

test("where nothing is known of what was sent, all texts of a mapping of secrets are masked", () => {
  const answered = { client_secret: { current: "inner-Ab8Cd1Ef6G", mode: "manual", note: "" } };
  expect(observedBody(answered, kind, {})).toEqual({
    client_secret: { current: "***", mode: "***", note: "" },
  });
});

test("a mask of the service in a mapping of secrets is no difference, as it is none elsewhere", () => {
  const sent = { client_secret: { current: "${env:KEY}", mode: "manual", days: 30, was: ["first"] } };
  const masked = { client_secret: { current: "********", mode: "***", days: "***", was: ["<hidden>"] } };
  const { found, own } = seen(sent, masked);
  expect(found).toEqual(sent);
  expect(own).toEqual({});
});

test("a field that a deployment has under both names has the value under the name that is sent", () => {
  const names = { model: "llm", name: "description", description: "name" };
  for (const answered of [
    { llm: "large", model: "small" },
    { model: "small", llm: "large" },
  ])
    expect(observedBody(answered, kind, names)).toEqual({ model: "large" });
  expect(observedBody({ model: "small" }, kind, names)).toEqual({ model: "small" });
  expect(observedBody({ name: "what it is for", description: "A" }, kind, names)).toEqual({
    name: "A",
    description: "what it is for",
  });
});

test("what is in the place of a secret is hidden, at any index of a list, but for texts that were sent", () => {
  const sent = {
    description: "Say ${env:KEY}",
    response_format: { "a/b": ["plain", { deep: "${env:KEY@2}", mode: "open" }], c: "$${env:KEY}" },
  };
  const answered = {
    description: "Say one",
    response_format: {
      "a/b": [{ deep: "two", mode: "other" }, "plain", { deep: { inner: ["three", true, 4] } }],
      c: "seen",
    },
  };
  expect(seen(sent, answered).body).toEqual({
    description: "***",
    response_format: {
      "a/b": [{ deep: "***", mode: "other" }, "plain", { deep: { inner: ["***", true, "***"] } }],
      c: "seen",
    },
  });
});
