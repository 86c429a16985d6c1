import { expect, it } from "vitest";
import { readHtml } from "../../src/service/outcome.js";
import { calling, createAgent, KEY } from "./calling.js";
import { answer, rawServer } from "./raw-server.js";

it.each([
  [
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502</h1></center>\r\n",
    "an HTML page: 502 Bad Gateway",
  ],
  [
    "<!DOCTYPE html>\n<html><body><h1>Log in</h1><p>to go\non</p></body></html>",
    "an HTML page: Log in to go on",
  ],
  ["<html><head><style>h1 {}</style><script>x = 1</script></head><body>Sorry</body>", "an HTML page: Sorry"],
  ["<html><head><title> \n </title></head><body>Down</body></html>", "an HTML page: Down"],
  ["<html></html>", "an HTML page"],
  ["<html><script>never closed", "an HTML page"],
])("of %j the words are read", (page, words) => {
  expect(readHtml(page)).toBe(words);
});

it.each(["", "{}", "bad gateway\r\n", "<error>no</error>", "<header>x</header>"])(
  "%j is not HTML",
  (text) => {
    expect(readHtml(text)).toBeUndefined();
  },
);

it("the answer of a proxy is told by its title, without a secret that it repeats", async () => {
  const page = `<html>\r\n<head><title>502 Bad Gateway ${KEY}</title></head>\r\n</html>`;
  const server = await rawServer([answer(502, page)]);
  const { service } = await calling(server.url);
  const outcome = await service.send(createAgent, "create");
  expect(outcome).toMatchObject({
    type: "unknown",
    answer: expect.stringMatching(/^an HTML page: 502 Bad Gateway/),
  });
  expect(JSON.stringify(outcome)).not.toContain(KEY);
});
