const paths = { Policy: "/v1/rai/policies", ToolSet: "/v3/tools/", Agent: "/v3/agents/" };
let [underWay, most] = [0, 0];

/** Creates one object with fetch; gives its IDs. */
export async function post(url, kind, spec) {
  underWay += 1;
  most = Math.max(most, underWay);
  const answer = await fetch(url + paths[kind], {
    method: "POST",
    headers: { "x-api-key": "key", accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(spec),
  });
  if (!answer.ok) throw new Error(`${kind}: ${answer.status} ${await answer.text()}`);
  const { _id, agent_id, id, tool_ids } = await answer.json();
  underWay -= 1;
  return tool_ids ?? [agent_id ?? _id ?? id];
}

/** The maximum number of requests in flight, as seen by the sender. */
export const mostUnderWay = () => most;
