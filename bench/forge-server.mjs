/** As much of GitHub's API as a first comment needs; says how many bytes the last one had. Forked by measureChanges. */
import { createServer } from "node:http";

let bytes = 0;

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.url.endsWith("/graphql")) {
    return answer(200, { data: { viewer: { __typename: "User", login: "bench", databaseId: 1 } } });
  }
  if (request.method === "GET") return answer(200, []);
  bytes = Buffer.byteLength(JSON.parse(Buffer.concat(chunks).toString()).body);
  answer(201, { id: 1 });
});
server.listen(0, "127.0.0.1", () => process.send(`http://127.0.0.1:${server.address().port}`));
process.on("message", () => {
  process.send(bytes);
  bytes = 0;
});
process.on("disconnect", () => process.exit());
